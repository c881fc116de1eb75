/** Texts with placeholders in n8n's engine: read as n8n reads them, and what each placeholder came to. */
import { inspect, isDeepStrictEqual } from 'node:util';

import fc from '../support/generated.mts';
import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../nodes/gateway/text/json.ts';
import { DoubtfulText } from '../../nodes/MessagingGateway/fields/placeholders.ts';
import { ItemReader } from '../../nodes/MessagingGateway/parameters/item-reader.ts';
import { DateTime, EXPRESSION_ENGINES, useExpressionEngine } from '../support/engine-parts.mts';
import { itemJson, rawParameter } from '../support/expressions.mts';
import { insideNode, outcome, parametersOf } from '../support/inside-node.mts';
import { shortOrLong } from '../support/long-form.mts';

const textReader = (context: IExecuteFunctions) =>
  new ItemReader(context, { refuse: false, found: new Set() });

interface Doubts {
  text: unknown;
  doubtful: Array<{ source?: string; value: string }>;
}

/** The value without doubts, at every depth. */
function withoutDoubts(value: unknown): unknown {
  if (value instanceof DoubtfulText) return (value as unknown as Doubts).text;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutDoubts);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withoutDoubts(entry)]));
}

/** The placeholders that a read doubts, as source and value. */
const doubtsIn = (value: unknown): Array<[source: string | undefined, value: string]> =>
  value instanceof DoubtfulText
    ? (value as unknown as Doubts).doubtful.map((one) => [one.source, one.value])
    : [];

/** What people write between braces: more than references, with backslashes, errors and statements. */
const CODE = fc.constantFrom(
  ' $json.name ',
  '$json.deep.name',
  " $json['first name'] ",
  " $json.name || '' ",
  ' $json.name.split(" ")[0] ',
  " $json.name.replace(/\\d+/g, '') ",
  ' $json.deep ',
  ' [null, $json.name] ',
  ' ({ a: $json.name }) ',
  ' $now.year ',
  ' DateTime.fromISO($json.name) ',
  ' $json.name + "\\n" ',
  ' `${$json.name}, ${$json.code}` ',
  ' $json.missing * 2 ',
  ' -0 ',
  ' false ',
  ' undefined ',
  '',
  ' $json.name; ',
  ' let a = 1; a ',
  ' $json.name.nothing.deeper ',
  ' $("Nobody").item.json.name ',
  ' $json.list.map((one) => one.x).join() ',
  ' $parameter["&signature"] ',
  ' $json.name /* x */ ',
  ' "}" ',
  ' "\\}}" ',
  ' $json.name.length ? "\\\\" : "" ',
);
const AROUND = fc.constantFrom('', ' ', 'Hello ', '\n', '\\', '}', '{', '"', '. constructor');
const TEMPLATE = fc
  .array(fc.tuple(AROUND, CODE), { minLength: 1, maxLength: 4 })
  .map((pieces) => `=${pieces.map(([around, code]) => `${around}{{${code}}}`).join('')}!`);

const NAMES = ['Ann', '', ' ', 'Ann Lee 7', '{{ $json.code }}', null, 0, '\uFDD0', {}, []];
const ITEM = fc.record(
  {
    name: fc.constantFrom<unknown>(...NAMES),
    code: fc.constantFrom<unknown>(12, 0, null, '', 'x', { a: 1 }),
    'first name': fc.constantFrom<unknown>('Bo', '', undefined),
    deep: fc.constantFrom<unknown>({ name: 'in' }, {}, null, { name: DateTime.fromISO('2026-01-02') }),
  },
  { requiredKeys: [] },
);

const RUNS = Number(process.env.DIRECT_READ_RUNS ?? shortOrLong(60, 600));

describe.each(EXPRESSION_ENGINES)("with n8n's %s engine", (engine) => {
  beforeAll(() => useExpressionEngine(engine));
  afterAll(() => useExpressionEngine('legacy'));

  it('reads generated texts and lists as without looking at them, errors included', async () => {
    const raws = fc.oneof(
      { weight: 5, arbitrary: TEMPLATE },
      { weight: 1, arbitrary: rawParameter.filter((raw) => typeof raw === 'string') },
    );
    const jsons = fc.array(fc.oneof({ weight: 3, arbitrary: ITEM }, itemJson), {
      minLength: 2,
      maxLength: 2,
    });
    let thrown = 0;
    await insideNode(
      (context) => {
        const items = context.getInputData();
        fc.assert(
          fc.property(raws, raws, jsons, (first, second, given) => {
            given.forEach((json, index) => (items[index].json = json as never));
            Object.assign(parametersOf(context), {
              smsMessage: first,
              pipeline: {
                stages: [{ channel: 'sms', message: first, signature: second }, { message: second }],
              },
              viberCarousel: { slides: [{ caption: second, url: 'https://example.com' }] },
            });
            const reader = textReader(context);
            const plain = new ItemReader(context);
            for (const name of ['smsMessage', 'pipeline', 'viberCarousel']) {
              for (const index of items.keys()) {
                const read = withoutDoubts(outcome(() => reader.read(name, index, undefined)));
                const expected = outcome(() => plain.read(name, index, undefined));
                if (isDeepStrictEqual(read, expected)) {
                  if (isObject(expected) && 'thrown' in expected) thrown += 1;
                  continue;
                }
                throw new Error(
                  `${name} of ${inspect(first)} and ${inspect(second)} for ${inspect(given[index])}: ` +
                    `${inspect(read, { depth: 5 })} instead of ${inspect(expected, { depth: 5 })}`,
                );
              }
            }
          }),
          { numRuns: RUNS, seed: 20 },
        );
      },
      [{}, {}],
    );
    expect(thrown).toBeGreaterThan(RUNS / 10);
  });

  it('knows what each placeholder came to, as n8n puts it into the text', async () => {
    let known = 0;
    await insideNode((context) => {
      const [item] = context.getInputData();
      fc.assert(
        fc.property(fc.array(CODE, { minLength: 2, maxLength: 4 }), ITEM, (codes, json) => {
          item.json = json as never;
          const alone = codes.map((code) => outcome(() => context.evaluateExpression(`x{{${code}}}`, 0)));
          if (codes.some((code) => code.includes('}}')) || !alone.every((one) => typeof one === 'string'))
            return;
          Object.assign(parametersOf(context), {
            smsMessage: `=${codes.map((code) => `- {{${code}}}`).join('')}`,
          });
          const read = textReader(context).read('smsMessage', 0, undefined);
          const values = alone.map((one) => (one as string).slice(1));
          const empty = codes.filter((_, i) => values[i] === '');
          const doubts = doubtsIn(read)
            .filter(([, value]) => value === '')
            .map(([source]) => source);
          expect(doubts).toEqual(empty.map((code) => `{{ ${code.trim()} }}`));
          known += empty.length;
        }),
        { numRuns: RUNS, seed: 7 },
      );
    });
    expect(known).toBeGreaterThan(RUNS / 10);
  });
});

it.each<[raw: string, doubts: (text: string) => Array<[source: string | undefined, value: string]>]>([
  ['=For {{ $json.thing }}', () => [['{{ $json.thing }}', '[object Object]']]],
  // A brace that is escaped, or not closed: the placeholders aren't known, and the text is looked at as a whole.
  ['=C:\\{{ $json.name }} {{ $json.thing }}', (text) => [[undefined, text]]],
  ['=Hello {{ $json.name', () => []],
  // The reader's own marks.
  ['=Hello {{ $json.marks.trim() }} {{ $json.missing }}', () => []],
])('knows of %j which value came from where', async (raw, doubts) => {
  const item = { name: 'Ann', thing: { a: 1 }, marks: 'Ann\uFDD0\uFDD1' };
  await insideNode(
    (context) => {
      Object.assign(parametersOf(context), { smsMessage: raw });
      const text = context.getNodeParameter('smsMessage', 0) as string;
      const read = textReader(context).read('smsMessage', 0, undefined);
      expect([withoutDoubts(read), doubtsIn(read)]).toEqual([text, doubts(text)]);
    },
    [item],
  );
});
