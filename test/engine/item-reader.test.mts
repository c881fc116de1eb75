/** The reader against n8n's own `getNodeParameter`: generated texts, items and forms, and what each placeholder came to. */
import { inspect, isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions, INode, INodeParameters, INodeProperties } from 'n8n-workflow';

import { DoubtfulText } from '../../nodes/MessagingGateway/fields/placeholders.ts';
import { ItemReader } from '../../nodes/MessagingGateway/parameters/item-reader.ts';
import { actionNode } from '../support/built-package.mts';
import { DateTime, EXPRESSION_ENGINES, useExpressionEngine } from '../support/engine-parts.mts';
import { runNode, stand } from '../support/engine.mts';
import { itemJson, rawParameter } from '../support/expressions.mts';
import { shortOrLong } from '../support/long-form.mts';
import { OPERATION_CASES } from '../support/operation-cases.mts';
import { processorTime } from '../support/processor-time.mts';

/** Runs test code inside a node with the form of the action node; a test may change the node's parameters in the middle. */
async function insideNode(
  body: (context: IExecuteFunctions, node: INode) => void,
  items: object[] = [{}],
): Promise<void> {
  const { credentials: _, webhooks: __, ...form } = actionNode().description;
  const probe = stand('probe', ['main'], {
    async execute() {
      body(this, (this as unknown as { node: INode }).node);
      return await Promise.resolve([[]]);
    },
  });
  Object.assign(probe.description, form);
  const { error } = await runNode({
    // The form has nothing else to fill in here.
    parameters: { resource: 'account', operation: 'getBalance' },
    type: 'test.probe',
    nodeTypes: { 'test.probe': probe },
    items: items.map((json) => ({ json }) as never),
  });
  if (error) throw Object.assign(new Error(error.message), { cause: error });
}

/** What a read gives, or the message of what it throws. */
function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return { thrown: (error as Error).message };
  }
}

const everything = { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity };
/** Whether two reads gave the same; n8n's copy of an object with a key `__proto__` has another prototype each time. */
const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) || inspect(one, everything) === inspect(other, everything);

/** A reader as messages have it, which looks at what placeholders came to. */
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
  ' `${$json.name}, ${$json.code}` ',
  ' $json.missing * 2 ',
  ' -0 ',
  ' undefined ',
  '',
  ' $json.name; ',
  ' let a = 1; a ',
  ' $json.name.nothing.deeper ',
  ' $("Nobody").item.json.name ',
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

/** Ways to fill in a leaf of a form: as it is, as people do, and with anything. */
const LEAF = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom<(value: unknown) => unknown>(
      (value) => value,
      () => '={{ $json.phone }}',
      () => "={{ $json['first name'] }}",
      () => '=Hello {{ $json.name }}, code {{ $json.code }}',
    ),
  },
  { weight: 1, arbitrary: TEMPLATE.map((raw) => () => raw) },
  { weight: 2, arbitrary: rawParameter.map((raw) => () => raw) },
);

/** A form with every leaf filled in anew. */
function refill(value: unknown, ways: Array<(value: unknown) => unknown>, next = { place: 0 }): unknown {
  if (typeof value !== 'object' || value === null) return ways[next.place++ % ways.length](value);
  if (Array.isArray(value)) return value.map((one) => refill(one, ways, next));
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    // What n8n keeps of a resource locator besides its value.
    key === '__rl' || key === 'mode' ? one : refill(one, ways, next),
  ]);
  return Object.fromEntries(entries);
}

const NAMES = ['Ann', '', ' ', 'Ann Lee 7', '{{ $json.code }}', null, 0, false, '\uFDD0', {}, []];
const ORDINARY: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    phone: fc.constantFrom<unknown>('380501234567', 380501234567, '', null),
    name: fc.constantFrom<unknown>(...NAMES),
    code: fc.constantFrom<unknown>(12, 0, null, '', 'x', { a: 1 }),
    'first name': fc.constantFrom<unknown>('Bo', '', undefined),
    deep: fc.constantFrom<unknown>(
      ...[{ name: 'in' }, {}, null, { list: [new Date(0)] }, { name: DateTime.fromISO('2026-01-02') }],
    ),
  },
  { requiredKeys: [] },
);

const ITEMS = 3;
const items = fc.array(fc.oneof({ weight: 3, arbitrary: ORDINARY }, itemJson), {
  minLength: ITEMS,
  maxLength: ITEMS,
});
const RUNS = Number(process.env.DIRECT_READ_RUNS ?? shortOrLong(60, 600));

describe.each(EXPRESSION_ENGINES)("with n8n's %s engine", (engine) => {
  beforeAll(() => useExpressionEngine(engine));
  afterAll(() => useExpressionEngine('legacy'));

  it('reads every parameter of every operation as getNodeParameter does, errors included, whether or not it looks at texts', async () => {
    await insideNode(
      (context, node) => {
        const input = context.getInputData();
        const count = { compared: 0, asked: 0, thrown: 0 };
        const counting = Object.assign(Object.create(context) as IExecuteFunctions, {
          getNodeParameter(...given: Parameters<IExecuteFunctions['getNodeParameter']>) {
            const [, , , options] = given;
            if (!options?.rawExpressions) count.asked += 1;
            return context.getNodeParameter(...given);
          },
        });
        const forms = fc.tuple(
          fc.constantFrom(...OPERATION_CASES),
          fc.array(LEAF, { minLength: 1, maxLength: 7 }),
          items,
        );
        fc.assert(
          fc.property(forms, ([{ resource, operation, parameters }, ways, jsons]) => {
            const filled = refill(parameters, ways) as INodeParameters;
            node.parameters = { resource, operation, ...filled };
            jsons.forEach((json, index) => (input[index].json = json as IDataObject));
            const plain = new ItemReader(counting);
            const looking = textReader(context);
            for (const name of Object.keys(filled)) {
              for (let index = 0; index < ITEMS; index += 1) {
                const reads = [plain, looking].map((reader) =>
                  withoutDoubts(outcome(() => reader.read(name, index, undefined))),
                );
                const expected = outcome(() => context.getNodeParameter(name, index));
                count.compared += 1;
                if (expected instanceof Object && 'thrown' in expected) count.thrown += 1;
                const wrong = reads.findIndex((read) => !isSame(read, expected));
                if (wrong < 0) continue;
                throw new Error(
                  `${name} of item ${index}: ${inspect(reads[wrong])} instead of ${inspect(expected)}`,
                );
              }
            }
          }),
          { numRuns: RUNS, seed: 20 },
        );
        const { compared, asked, thrown } = count;
        expect(compared).toBeGreaterThan(RUNS * 10);
        expect(thrown).toBeGreaterThan(compared / 20);
        // Many of them without the engine, or there would be nothing to compare.
        expect(compared - asked).toBeGreaterThan(compared / 8);
      },
      Array.from({ length: ITEMS }, () => ({})),
    );
  });

  it('knows what each placeholder came to, as n8n puts it into the text', async () => {
    let known = 0;
    await insideNode((context, node) => {
      const [item] = context.getInputData();
      fc.assert(
        fc.property(fc.array(CODE, { minLength: 2, maxLength: 4 }), ORDINARY, (codes, json) => {
          item.json = json as never;
          const alone = codes.map((code) => outcome(() => context.evaluateExpression(`x{{${code}}}`, 0)));
          if (codes.some((code) => code.includes('}}')) || !alone.every((one) => typeof one === 'string'))
            return;
          node.parameters.smsMessage = `=${codes.map((code) => `- {{${code}}}`).join('')}`;
          const read = textReader(context).read('smsMessage', 0, undefined);
          const empty = codes.filter((_, i) => alone[i] === 'x');
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
    (context, node) => {
      node.parameters.smsMessage = raw;
      const text = context.getNodeParameter('smsMessage', 0) as string;
      const read = textReader(context).read('smsMessage', 0, undefined);
      expect([withoutDoubts(read), doubtsIn(read)]).toEqual([text, doubts(text)]);
    },
    [item],
  );
});

/** Every property of a form, those inside collections included. */
const allProperties = (properties: INodeProperties[]): INodeProperties[] =>
  properties.flatMap((property) => {
    const nested = (property.options ?? []).flatMap((option) =>
      'values' in option ? option.values : 'type' in option ? [option] : [],
    );
    return [property, ...allProperties(nested)];
  });

it('reads a form in which n8n itself converts nothing', () => {
  // With `validateType` getNodeParameter would convert and check the value; the reader doesn't.
  const converted = allProperties(actionNode().description.properties).filter((one) => one.validateType);
  expect(converted.map(({ name }) => name)).toEqual([]);
});

it('reads 10,000 items with two expressions in a tenth of a second, and looks at the text of each in 2 microseconds more', async () => {
  const items = Array.from({ length: 10_000 }, (_, index) => ({ phone: `38050${index}`, code: index }));
  await insideNode((context, node) => {
    node.parameters.phone = '={{ $json.phone }}';
    node.parameters.smsMessage = '=Hello {{ $json.phone }}, your code is {{ $json.code }}.';
    const time = (readerOf: (context: IExecuteFunctions) => ItemReader, limit: number) =>
      processorTime(() => {
        const reader = readerOf(context);
        for (let index = 0; index < items.length; index += 1) {
          reader.read('phone', index, undefined);
          reader.read('smsMessage', index, undefined);
        }
      }, limit);
    const plain = () => time((given) => new ItemReader(given), 20);
    const looking = () => time(textReader, 20);
    plain();
    looking();
    const milliseconds = plain();
    expect(milliseconds).toBeLessThan(100);
    expect(((looking() - milliseconds) / items.length) * 1000).toBeLessThan(2);
  }, items);
});
