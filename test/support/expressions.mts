/** Generated items and parameter texts, ordinary and odd, to compare ways of reading parameters. */
import fc from 'fast-check';

import { DateTime } from './engine-parts.mts';

const KEYS = [
  'phone',
  'name',
  'code',
  'first name',
  'a-b',
  'a.b',
  "it's",
  'имя',
  '',
  '0',
  'toString',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toJSON',
  'length',
  'mainModule',
  'this',
  'undefined',
  '$x',
  'Phone (mobile)',
  '$if(',
  'a}}b',
  'back\\slash',
  '`tick`',
  '\u2028',
  '__n8nType',
  '__sanitize',
];

/** Keys of items. The first few come up often, so that texts and items meet. */
const key = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...KEYS.slice(0, 6)) },
  { weight: 4, arbitrary: fc.constantFrom(...KEYS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
);

const text = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    'Ann',
    '380501234567',
    '{{ $json.phone }}',
    '=1',
    "'",
    '\\',
    '\n',
    '\ud800',
    '😀',
    'null',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

class Instance {
  phone = '1';
}

const leaf = fc.oneof(
  { weight: 6, arbitrary: text },
  {
    weight: 3,
    arbitrary: fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, NaN, Infinity, 2 ** 53, 1e21)),
  },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(true, false, null, undefined) },
  {
    weight: 1,
    arbitrary: fc
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
      .map((make) => make()),
  },
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

const step = fc.oneof(
  { weight: 5, arbitrary: key.map((name) => (/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name}']`)) },
  { weight: 3, arbitrary: key.map((name) => `['${name}']`) },
  { weight: 2, arbitrary: key.map((name) => `[${JSON.stringify(name)}]`) },
  { weight: 2, arbitrary: key.map((name) => `.${name}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('[0]', '[1]', '[01]', '[-1]', '[1e1]', '[1.5]', '[0x1]', '.length'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '?.name',
      '.trim()',
      '.first()',
      ' .name',
      '[ 0 ]',
      '.na\\u006de',
      '["na" + "me"]',
      '[$json.code]',
    ),
  },
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
  '{{ $json }}',
  '{{}}',
  '{{',
  '}}',
  '{{ $json.name',
  '{{{ $json.name }}}',
  '\\{{ $json.name }}',
  '{{ $json.name; }}',
  '{{ $json.name + 1 }}',
  '{{ $itemIndex }}',
  '{{ "x" }}',
  '{{ $json.name\\}} }}',
  '{{ $json.name, $json.code }}',
  '.constructor',
  'C:\\\\x {{ $json.name }}',
);

const around = fc.oneof(
  fc.constantFrom('', 'Hello ', '!', '\n', "'", '{', '}', '\\', '😀', '. constructor'),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

/** Texts as people and the editor write them, and texts as neither does. */
const written = fc.oneof(
  { weight: 4, arbitrary: sentence },
  { weight: 3, arbitrary: reference.map((one) => `=${one}`) },
  {
    weight: 5,
    arbitrary: fc
      .array(
        fc.oneof(
          { weight: 4, arbitrary: reference },
          { weight: 4, arbitrary: around },
          { weight: 1, arbitrary: odd },
        ),
        { maxLength: 5 },
      )
      .map((parts) => `=${parts.join('')}`),
  },
  { weight: 1, arbitrary: around },
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

const template = fc.oneof({ weight: 4, arbitrary: written }, { weight: 1, arbitrary: damaged });

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
export const rawParameter: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: template },
  { weight: 1, arbitrary: nested },
);
