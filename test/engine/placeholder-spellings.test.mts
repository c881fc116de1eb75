/** Placeholders in every spelling, in texts and in keys, on both expression engines of n8n. */
import type { IDataObject } from 'n8n-workflow';

import { titled } from '../corpus/case.mts';
import { EMPTY, FILLED, PLACEHOLDERS } from '../corpus/placeholders.mts';
import { EXPRESSION_ENGINES, useExpressionEngine } from '../support/engine-parts.mts';
import { grouped, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

async function send(form: IDataObject, json: object, others: object[] = []) {
  const { error } = await runOn(sandbox, {
    parameters: smsForm({ phone: '=38050123456{{ $itemIndex }}', ...form }),
    items: [json, ...others] as IDataObject[],
  });
  return error?.message;
}

const keyed = (sendOnceKey: string): IDataObject => ({ options: grouped({ sendOnceKey }) });
const text = (smsMessage: string, emptyPlaceholders?: string): IDataObject => ({
  smsMessage,
  options: emptyPlaceholders === undefined ? {} : { emptyPlaceholders },
});

/** What errors say behind the label. */
const WRONG = {
  empty: (source: string) => `has an empty ${source}`,
  undefined: () => 'contains "undefined"',
  refusedByN8n: () => "can't be read: ",
};

/** What they say where there is nothing else. */
const ALONE = {
  empty: /^'Send Once Key' (is empty|contains "NaN")/,
  undefined: /^'Send Once Key' contains "undefined"/,
  refusedByN8n: /^'Send Once Key' can't be read: /,
};

describe.each(EXPRESSION_ENGINES)("with n8n's %s engine", (engine) => {
  beforeAll(() => useExpressionEngine(engine));
  afterAll(() => useExpressionEngine('legacy'));

  it.each(titled(PLACEHOLDERS))('judges by its value %s', async (_, { input, right }) => {
    const placeholder = `{{${input}}}`;
    const source = `{{ ${input.trim()} }}`;
    const wrong = WRONG[right](source);
    for (const json of Object.values(EMPTY)) {
      expect(await send(keyed(`=${placeholder}-shipped`), json)).toContain(`'Send Once Key' ${wrong}`);
      const refusing = text(`=Dear ${placeholder}, hello`, 'refuse');
      expect(await send(refusing, json)).toContain(`'SMS Text' ${wrong}`);
      expect(await send(keyed(`=${placeholder}`), json)).toMatch(ALONE[right]);
    }
    expect(sandbox.counts().requests).toBe(0);
    expect(await send(keyed(`=${placeholder}-shipped`), FILLED)).toBeUndefined();
    expect(await send(keyed(`=${placeholder}`), FILLED)).toBeUndefined();
    expect(await send(text(`=Dear ${placeholder}, hello`, 'refuse'), FILLED)).toBeUndefined();
    const [{ operation }] = sandbox.messages.list().slice(-1);
    expect(operation.sms_message).toMatch(/^Dear \S+, hello$/);
  });

  it.each([
    "={{ $json.order + '-shipped' }}",
    "={{ 'order-' + $json.order + '-shipped' }}",
    '={{ `order-${$json.order}-shipped` }}',
    "={{ $json.order ? $json.order : 'none' }}",
    "={{ $json.order || 'none' }}",
    "={{ $json.order || '' }}-shipped",
    "={{ $('Source').item.json.order + '-shipped' }}",
    "={{ $json.order.toString() + '-shipped' }}",
    "={{ String($json.order ?? '').padStart(8, '0') }}",
    "={{ [$json.order, 'shipped'].join('-') }}",
  ])('the key %s is refused where nothing but its own words is left', async (key) => {
    for (const json of [{}, { order: null }, { order: '' }])
      expect(await send(keyed(key), json)).toMatch(
        /^'Send Once Key' (has no value from its row|contains "(undefined|null)"|is empty)/,
      );
    expect(sandbox.counts().requests).toBe(0);
    expect(await send(keyed(key), { order: 'A1' })).toBeUndefined();
    expect(await send(keyed(key), { order: 0.5 })).toBeUndefined();
  });

  it.each([
    ['={{ "spring-sale" }}', {}],
    ["={{ $json.kind === 'a' ? 'first' : 'second' }}-{{ $json.order }}", { order: 'A1' }],
    ["={{ $json['a'] }}", { a: 'a' }],
    ["={{ $json.order }}{{ $json.suffix || '' }}-shipped", { order: 'A1' }],
    ['={{ $json.text + "-1" }}', { text: 'undefined by law' }],
  ])('the key %s of %j is taken', async (key, json) => {
    expect(await send(keyed(key), json)).toBeUndefined();
  });

  it.each<[text: string, json: object, leftover: string]>([
    ['=Visit {{ new Date($json.when) }}', { when: 'tomorrow' }, 'Invalid Date'],
    ['=Visit {{ DateTime.fromISO($json.when) }}', { when: 'tomorrow' }, 'Invalid DateTime'],
    ['=Total {{ 1 / $json.count }}', { count: 0 }, 'Infinity'],
    ['=Total {{ -1 / $json.count }}', { count: 0 }, '-Infinity'],
    ['=Hello {{ $json.customer }}', { customer: { name: 'Anna' } }, '[object Object]'],
    ['=Hello {{ (async () => $json.name)() }}', { name: 'Anna' }, '[object Promise]'],
    ['=Hello {{ $json.name.trim }}', { name: 'Anna' }, 'function'],
    ['=Hello {{ () => $json.name }}', { name: 'Anna' }, 'function'],
    ['={{ "Hello " + $json.name + "!" }}', {}, 'undefined'],
    ['={{ "Hello " + $json.name + "!" }}', { name: null }, 'null'],
    ['=You owe {{ "EUR " + $json.count * 2 }}', { count: 'x' }, 'NaN'],
  ])('%s of %j is refused', async (smsMessage, json, leftover) => {
    expect(await send(text(smsMessage, 'allow'), json)).toContain(`'SMS Text' contains "${leftover}"`);
    expect(sandbox.counts().requests).toBe(0);
  });

  it.each<[text: string, json: object]>([
    ['=The term is left undefined by law, {{ $json.name }}', { name: 'Anna' }],
    ['={{ $json.text }}', { text: 'The term is left undefined by law' }],
    ['={{ $json.text + "!" }}', { text: 'The term is left undefined by law' }],
    ["={{ $('Source').item.json.text }}", { text: 'Null and undefined are two things' }],
    ['={{ "Left undefined: " + $json.name }}', { name: 'Anna' }],
    ['=Welcome to {{ $json.shop }}', { shop: 'Infinity' }],
    ["=Welcome to {{ $('Source').item.json.shop }}", { shop: 'Infinity' }],
    ["=Your set {{ $('Source').item.json.set }}", { set: '{a, b}' }],
    ['=Your route {{ $json.stops }}', { stops: ['A => B'] }],
  ])('%s of %j is sent', async (smsMessage, json) => {
    expect(await send(text(smsMessage, 'refuse'), json)).toBeUndefined();
    expect(sandbox.messages.accepted).toBe(1);
  });
});
