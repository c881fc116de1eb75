import { inspect, isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import { ASK_ENGINE, compileDirectRead } from '../../nodes/MessagingGateway/parameters/direct-read.ts';
import { createItemReader } from '../../nodes/MessagingGateway/parameters/item-reader.ts';
import { EXPRESSION_ENGINES, useExpressionEngine } from '../support/engine.mts';
import { itemJson, rawParameter } from '../support/expressions.mts';
import { insideNode, parametersOf } from '../support/inside-node.mts';
import { shortOrLong } from '../support/long-form.mts';
import { processorTime } from '../support/processor-time.mts';

/** What the engine gives for a raw value and an item, in the middle of a run of a node. */
type Evaluate = (raw: unknown, json: unknown) => unknown;

const withEngine = (body: (evaluate: Evaluate) => void): Promise<void> =>
  insideNode((context) => {
    const [item] = context.getInputData();
    body((raw, json) => {
      parametersOf(context).value = raw;
      item.json = json as never;
      return context.getNodeParameter('value', 0, undefined);
    });
  });

const PLAIN = {
  phone: '380501234567',
  code: 1234,
  zero: 0,
  off: false,
  none: null,
  empty: '',
  'first name': 'Ann',
  "it's": 'x',
  'Phone (mobile)': '2',
  deep: { list: [{ text: 'a' }, 'b'], name: 'in' },
  template: '{{ $json.phone }}',
};

/** What dragging fields into a box writes, and what it gives for `PLAIN`. */
const DRAGGED: Array<[raw: string, value: unknown]> = [
  ['={{ $json.phone }}', '380501234567'],
  ['={{$json.phone}}', '380501234567'],
  ['={{\n\t$json.phone\r\n}}', '380501234567'],
  ['={{ $json.code }}', 1234],
  ['={{ $json.zero }}', 0],
  ['={{ $json.deep.name }}', 'in'],
  ['={{ $json.off }}', false],
  ['={{ $json.none }}', null],
  ['={{ $json.none.name }}', undefined],
  ['={{ $json.missing }}', undefined],
  ['={{ $json.template }}', '{{ $json.phone }}'],
  ["={{ $json['first name'] }}", 'Ann'],
  ['={{ $json["first name"] }}', 'Ann'],
  ['={{ $json["it\'s"] }}', 'x'],
  ["={{ $json['Phone (mobile)'] }}", '2'],
  ['=Hello {{ $json["first name"] }}, code {{ $json.code }}', 'Hello Ann, code 1234'],
  ['={{ $json.phone }} ', '380501234567 '],
  ['={{ $json.none }}{{ $json.missing }}{{ $json.empty }}', ''],
  ['={{ $json.zero }}{{ $json.off }}', '0false'],
  ['=no reference }} at { all', 'no reference }} at { all'],
  ['=', ''],
  ['{{ $json.phone }}', '{{ $json.phone }}'],
];

/** What only the engine is to evaluate. */
const LEFT: string[] = [
  '={{ $json }}',
  '={{ $json?.phone }}',
  '={{ $json.phone.trim() }}',
  '={{ $json.phone; }}',
  '={{ $json.list[0] }}',
  '={{ $json.имя }}',
  '={{ $json.$x }}',
  '={{ $json["a\\u0062"] }}',
  '={{ $json.phone',
  '={{{ $json.phone }}}',
  '=\\{{ $json.phone }}',
  "={{ $fromAI('phone') }}",
  '={{ $itemIndex }}',
];

/** Generated texts, each read from four generated items; more of them, or others, on demand. */
const RUNS = Number(process.env.DIRECT_READ_RUNS ?? shortOrLong(600, 1500));
const SEED = Number(process.env.DIRECT_READ_SEED ?? 20);

const REFUSED = Symbol('refused');

function evaluatedOrRefused(evaluate: () => unknown): unknown {
  try {
    return evaluate();
  } catch {
    return REFUSED;
  }
}

const shown = (value: unknown) => `${typeof value} ${inspect(value)}`;

function kindOf(raw: unknown): 'nested' | 'constant' | 'value' | 'text' {
  if (typeof raw !== 'string') return 'nested';
  if (!raw.includes('{{') || !raw.startsWith('=')) return 'constant';
  return /^=\{\{[^}]*\}\}$/.test(raw) ? 'value' : 'text';
}

describe.each(EXPRESSION_ENGINES)("compared with n8n's %s engine", (engine) => {
  beforeAll(() => useExpressionEngine(engine));
  afterAll(() => useExpressionEngine('legacy'));

  it('gives the same for what dragging a field writes, without the engine', async () => {
    await withEngine((evaluate) => {
      for (const [raw, value] of DRAGGED) {
        const read = compileDirectRead(raw);
        expect([raw, read?.(PLAIN)]).toStrictEqual([raw, value]);
        expect([raw, evaluate(raw, PLAIN)]).toStrictEqual([raw, value]);
      }
    });
  });

  it('gives the same for generated texts and items', async () => {
    const counts = { engine: 0, asked: 0, constant: 0, value: 0, text: 0, nested: 0 };
    await withEngine((evaluate) => {
      fc.assert(
        fc.property(rawParameter, fc.array(itemJson, { minLength: 4, maxLength: 4 }), (raw, jsons) => {
          const read = compileDirectRead(raw);
          for (const json of jsons) {
            const direct = read?.(json);
            if (!read) counts.engine += 1;
            else if (direct === ASK_ENGINE) counts.asked += 1;
            else {
              const given = evaluatedOrRefused(() => evaluate(raw, json));
              // The reader leaves a parameter to the engine that refuses it.
              if (given === REFUSED) continue;
              counts[kindOf(raw)] += 1;
              if (isDeepStrictEqual(direct, given)) continue;
              throw new Error(
                `${shown(raw)} of ${inspect(json)}: direct ${shown(direct)}, engine ${shown(given)}`,
              );
            }
          }
        }),
        { numRuns: RUNS, seed: SEED },
      );
    });
    if (process.env.SHOW_COUNTS) process.stdout.write(`${engine}: ${JSON.stringify(counts)}\n`);
    // Enough of each kind for the comparison to mean something.
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(RUNS / 10);
  });
});

it.each(LEFT)('leaves %s to the engine', (raw) => {
  expect(compileDirectRead(raw)).toBeUndefined();
});

it('reads 10,000 items with two expressions in a tenth of a second', async () => {
  const items = Array.from({ length: 10_000 }, (_, index) => ({ phone: `38050${index}`, code: index }));
  await insideNode((context) => {
    Object.assign(parametersOf(context), {
      phone: '={{ $json.phone }}',
      text: '=Code {{ $json.code }}, valid today',
    });
    const read = () => {
      const reader = createItemReader(context);
      for (let index = 0; index < items.length; index += 1) {
        reader.read('phone', index, undefined);
        reader.read('text', index, undefined);
      }
    };
    const took = processorTime(read, 100);
    if (process.env.SHOW_COUNTS) process.stdout.write(`10,000 items: ${took.toFixed(1)} ms\n`);
    expect(took).toBeLessThan(100);
  }, items);
});
