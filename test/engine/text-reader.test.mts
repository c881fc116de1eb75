/** Texts with placeholders in n8n's engine: read as n8n reads them, and what each placeholder came to. */
import { inspect, isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { EmptyPlaceholders } from '../../nodes/MessagingGateway/fields/placeholders.ts';
import { DoubtfulText } from '../../nodes/MessagingGateway/fields/placeholders.ts';
import { createItemReader } from '../../nodes/MessagingGateway/parameters/item-reader.ts';
import { TextReader } from '../../nodes/MessagingGateway/parameters/text-reader.ts';
import { DateTime } from '../support/engine-parts.mts';
import { EXPRESSION_ENGINES, useExpressionEngine } from '../support/engine.mts';
import { itemJson, rawParameter } from '../support/expressions.mts';
import { insideNode, parametersOf } from '../support/inside-node.mts';
import { shortOrLong } from '../support/long-form.mts';
import { processorTime } from '../support/processor-time.mts';

/** A reader of texts, and how often it had the engine evaluate something. */
function countingReader(context: IExecuteFunctions) {
  const asked = { parameters: 0, expressions: 0 };
  const counting = Object.assign(Object.create(context) as IExecuteFunctions, {
    getNodeParameter(name: string, index: number, fallback: unknown, options?: { rawExpressions?: boolean }) {
      if (!options?.rawExpressions) asked.parameters += 1;
      return context.getNodeParameter(name, index, fallback, options);
    },
    evaluateExpression(expression: string, index: number) {
      asked.expressions += 1;
      return context.evaluateExpression(expression, index);
    },
  });
  const empty: EmptyPlaceholders = { refuse: false, found: new Set() };
  return { asked, reader: new TextReader(counting, createItemReader(counting), empty) };
}

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

const THROWN = Symbol('thrown');

function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    const { message, context } = error as Error & { context?: { parameter?: string } };
    return { THROWN, message, parameter: context?.parameter?.split('.')[0] };
  }
}

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
            const { reader } = countingReader(context);
            const plain = createItemReader(context);
            for (const name of ['smsMessage', 'pipeline', 'viberCarousel']) {
              for (const index of items.keys()) {
                const read = withoutDoubts(outcome(() => reader.read(name, index, undefined)));
                const expected = outcome(() => plain.read(name, index, undefined));
                if (isDeepStrictEqual(read, expected)) {
                  if ((expected as { THROWN?: symbol } | null)?.THROWN) thrown += 1;
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
          const read = countingReader(context).reader.read('smsMessage', 0, undefined);
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

/** Reads `smsMessage` of all items; returns what was read, and how often the engine was asked. */
async function readTexts(raw: unknown, items: object[]) {
  const read: unknown[] = [];
  let asked: unknown;
  await insideNode((context) => {
    Object.assign(parametersOf(context), { smsMessage: raw });
    const counting = countingReader(context);
    for (const index of items.keys()) read.push(counting.reader.read('smsMessage', index, undefined));
    asked = counting.asked;
  }, items);
  return { read, asked };
}

describe('the engine is asked', () => {
  const items = [{ name: 'Ann' }, { name: '' }, { name: 'Bo' }];

  it('once for a text that takes values from the items', async () => {
    const { read, asked } = await readTexts('=Hello {{ $json.name }}!', items);
    expect(asked).toEqual({ parameters: 0, expressions: 1 });
    expect(read.map(withoutDoubts)).toEqual(['Hello Ann!', 'Hello !', 'Hello Bo!']);
    expect(read.map(doubtsIn)).toEqual([[], [['{{ $json.name }}', '']], []]);
  });

  it('once for each item of any other text', async () => {
    const { read, asked } = await readTexts('=Hello {{ $json.name.toUpperCase() }}!', items);
    expect(asked).toEqual({ parameters: 0, expressions: 3 });
    expect(read.map(doubtsIn)).toEqual([[], [['{{ $json.name.toUpperCase() }}', '']], []]);
  });

  it('once for an item whose value only the engine puts into a text', async () => {
    const { read, asked } = await readTexts('=For {{ $json.name }}', [
      { name: 'Ann' },
      { name: {} },
      { name: [] },
    ]);
    expect(asked).toEqual({ parameters: 0, expressions: 3 });
    expect(read.map(doubtsIn)).toEqual([
      [],
      [['{{ $json.name }}', '[object Object]']],
      [['{{ $json.name }}', '']],
    ]);
  });

  it('once for each item of a placeholder alone, and not at all for a text without any', async () => {
    expect((await readTexts('={{ $json.name + 1 }}', items)).asked).toEqual({
      parameters: 3,
      expressions: 0,
    });
    expect((await readTexts('Hello', items)).asked).toEqual({ parameters: 0, expressions: 0 });
  });
});

it.each([
  ['=C:\\{{ $json.name }} {{ $json.code }}', 'a brace that is escaped'],
  ['=Hello {{ $json.name', 'a brace that is not closed'],
])('looks at all of %s: %s', async (raw) => {
  const items = [{ name: 'Ann', code: { a: 1 } }];
  const { read, asked } = await readTexts(raw, items);
  expect(asked).toEqual({ parameters: 1, expressions: 0 });
  const [text] = read.map(withoutDoubts);
  expect(read.map(doubtsIn)).toEqual([String(text).includes('[object Object]') ? [[undefined, text]] : []]);
});

it("takes a value with the reader's own marks in it as a text whose placeholders it doesn't know", async () => {
  const name = 'Ann\uFDD0\uFDD1';
  const { read } = await readTexts('=Hello {{ $json.name.trim() }} {{ $json.code }}', [{ name }]);
  expect(read).toEqual([`Hello ${name} `]);
});

it('reads 10,000 texts of two placeholders in less than 2 microseconds more than without looking at them', async () => {
  const items = Array.from({ length: 10_000 }, (_, index) => ({ name: `Ann ${index}`, code: index }));
  await insideNode((context) => {
    Object.assign(parametersOf(context), {
      smsMessage: '=Hello {{ $json.name }}, your code is {{ $json.code }}.',
    });
    const plain = createItemReader(context);
    const { reader } = countingReader(context);
    const time = (one: { read: typeof reader.read }) =>
      processorTime(() => {
        for (let index = 0; index < items.length; index += 1) one.read('smsMessage', index, undefined);
      }, 20);
    time(plain);
    time(reader);
    const more = ((time(reader) - time(plain)) / items.length) * 1000;
    expect(more).toBeLessThan(2);
  }, items);
});
