/** Generated items and parameter texts, ordinary and odd, to compare ways of reading parameters. */
import fc from './generated.mts';

import { DateTime } from './engine-parts.mts';

const KEYS = [
  ...['phone', 'name', 'code', 'first name', 'a-b', 'a.b', "it's", 'имя', '', '0', 'toString', '__proto__'],
  ...['constructor', 'hasOwnProperty', 'toJSON', 'length', 'mainModule', 'this', 'undefined', '$x'],
  ...['Phone (mobile)', '$if(', 'a}}b', 'back\\slash', '`tick`', '\u2028', '__n8nType', '__sanitize'],
];

/** One of several, as often as their weights say. */
const weighted = <T,>(...choices: Array<[weight: number, arbitrary: fc.Arbitrary<T>]>): fc.Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** Keys of items. The first few come up often, so that texts and items meet. */
const key = weighted(
  [5, fc.constantFrom(...KEYS.slice(0, 6))],
  [4, fc.constantFrom(...KEYS)],
  [1, fc.string({ unit: 'binary', maxLength: 5 })],
);

const text = fc.oneof(
  fc.constantFrom(
    ...['', ' ', '0', 'Ann', '380501234567', '{{ $json.phone }}'],
    ...['=1', "'", '\\', '\n', '\ud800', '😀', 'null'],
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

class Instance {
  phone = '1';
}

const object = fc
  .constantFrom<() => unknown>(
    () => new Date(0),
    () => new Date(NaN),
    () => DateTime.fromISO('2026-01-02T03:04:05Z'),
    () => DateTime.fromISO('nonsense'),
    () => new Instance(),
    () => Object.create(null),
    () => new Map([[1, 2]]),
    () => /x/,
    () => 10n,
    () => new Uint8Array(2),
    () => [1, , 3],
  )
  .map((make) => make());

const leaf = weighted<unknown>(
  [6, text],
  [3, fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, NaN, Infinity, 2 ** 53, 1e21))],
  [3, fc.constantFrom(true, false, null, undefined)],
  [1, object],
);

const { json } = fc.letrec<{ value: unknown; json: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    tie('json'),
  ),
  json: fc
    .array(fc.tuple(key, tie('value')), { maxLength: 5 })
    .chain((entries) => fc.boolean().map((bare) => [entries, bare] as const))
    .map(([entries, bare]) => {
      const target: Record<string, unknown> = bare ? (Object.create(null) as Record<string, unknown>) : {};
      for (const [name, value] of entries) {
        Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
      }
      return target;
    }),
}));

const blanks = fc.constantFrom('', ' ', ' ', '  ', '\n', '\t', '\r\n', '\u00a0', '\u2028');

const ODD_STEPS = ['?.name', '.trim()', '.first()', ' .name', '[ 0 ]', '.na\\u006de', '["na" + "me"]'];

const step = weighted(
  [5, key.map((name) => (/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name}']`))],
  [3, key.map((name) => `['${name}']`)],
  [2, key.map((name) => `[${JSON.stringify(name)}]`)],
  [2, key.map((name) => `.${name}`)],
  [2, fc.constantFrom('[0]', '[1]', '[01]', '[-1]', '[1e1]', '[1.5]', '[0x1]', '.length')],
  [1, fc.constantFrom(...ODD_STEPS, '[$json.code]')],
);

const reference = fc
  .tuple(blanks, fc.array(step, { minLength: 1, maxLength: 3 }), blanks)
  .map(([before, path, after]) => `{{${before}$json${path.join('')}${after}}}`);

/** A reference as the editor writes it, to a key that items often have. */
const ordinary = fc
  .tuple(
    fc.constantFrom('', ' '),
    fc.constantFrom('.phone', '.name', '.code', "['first name']", "['a-b']"),
    fc.constantFrom('', '[0]', '.name'),
  )
  .map(([blank, first, second]) => `{{${blank}$json${first}${second}${blank}}}`);

const sentence = fc
  .array(
    fc.oneof(
      ordinary,
      fc.constantFrom('Hello ', ', your code is ', '!\n', '"quoted"', "it's ", '100 % ', 'é😀'),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => `=${parts.join('')}`);

const odd = fc.constantFrom(
  ...['{{ $json }}', '{{}}', '{{', '}}', '{{ $json.name', '{{{ $json.name }}}', '\\{{ $json.name }}'],
  ...['{{ $json.name; }}', '{{ $json.name + 1 }}', '{{ $itemIndex }}', '{{ "x" }}', '{{ $json.name\\}} }}'],
  ...['{{ $json.name, $json.code }}', '.constructor', 'C:\\\\x {{ $json.name }}'],
);

const around = fc.oneof(
  fc.constantFrom('', 'Hello ', '!', '\n', "'", '{', '}', '\\', '😀', '. constructor'),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

/** Texts as people and the editor write them, and texts as neither does. */
const written = weighted(
  [4, sentence],
  [3, reference.map((one) => `=${one}`)],
  [
    5,
    fc
      .array(weighted([4, reference], [4, around], [1, odd]), { maxLength: 5 })
      .map((parts) => `=${parts.join('')}`),
  ],
  [1, around],
);

/** One character taken out, put in or doubled. */
const damaged = fc
  .tuple(
    written,
    fc.nat(),
    fc.constantFrom('', '{', '}', "'", '"', '.', '[', ']', '\\', ' ', '$', '=', '\n', '/', ';'),
  )
  .map(([whole, where, character]) => {
    const at = where % (whole.length + 1);
    return whole.slice(0, at) + character + whole.slice(character === '' ? at + 1 : at);
  });

const template = weighted([4, written], [1, damaged]);

const nested = fc.oneof(
  fc.record({ __rl: fc.constant(true), mode: fc.constantFrom('list', 'name'), value: template }),
  fc.record({
    slides: fc.array(fc.record({ caption: template, count: fc.nat(), on: fc.boolean() }), { maxLength: 2 }),
  }),
  fc.array(fc.oneof(template, fc.constant(null)), { maxLength: 3 }),
);

/** Json of items, with everything that nodes put there, and more. */
export const itemJson: fc.Arbitrary<Record<string, unknown>> = json;

/** Raw parameter values: texts, and collections of texts. */
export const rawParameter = weighted<unknown>([6, template], [1, nested]);
