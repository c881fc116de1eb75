import {
  ASK_ENGINE,
  compileDirectRead,
  piecesOf,
} from '../../../nodes/MessagingGateway/parameters/direct-read.ts';

const read = (expression: string, json: unknown) => {
  const compiled = compileDirectRead(piecesOf(expression));
  if (!compiled) throw new Error(`${expression} was left to the engine`);
  return compiled(json);
};

it('takes a value from the item with its type', () => {
  expect(read('{{ $json.code }}', { code: 12 })).toBe(12);
  expect(read('{{ $json.on }}', { on: false })).toBe(false);
  expect(read('{{ $json.none }}', { none: null })).toBeNull();
  expect(read('{{ $json.none.deeper }}', { none: null })).toBeUndefined();
});

it('puts references into text, leaving nothing where there is nothing', () => {
  expect(read('a {{ $json.x }}-{{ $json.y }}-{{ $json.z }}', { x: 0, y: null })).toBe('a 0--');
});

it.each([
  ['a date', new Date(0)],
  ['an object', {}],
  ['a list', []],
  ['a function', () => 1],
  ['a bigint', 1n],
])('asks the engine for %s', (_, value) => {
  expect(read('{{ $json.value }}', { value })).toBe(ASK_ENGINE);
  expect(read('text {{ $json.value }}', { value })).toBe(ASK_ENGINE);
});

it('asks the engine for a property of anything but plain objects', () => {
  expect(read('{{ $json.value.name }}', { value: new (class Named {})() })).toBe(ASK_ENGINE);
  expect(read('{{ $json.value.name }}', { value: 'text' })).toBe(ASK_ENGINE);
  expect(read('{{ $json.value.map }}', { value: [] })).toBe(ASK_ENGINE);
  expect(read('{{ $json.value.length }}', { value: 'text' })).toBe(ASK_ENGINE);
  expect(read('{{ $json.value.name }}', { value: Object.assign([], { name: 'x' }) })).toBe(ASK_ENGINE);
});

it('takes values from objects without a prototype', () => {
  expect(read('{{ $json.value }}', Object.assign(Object.create(null), { value: 1 }))).toBe(1);
});

it.each([
  '{{ $json.a.trim() }}',
  "{{ $json['a\\'] }}",
  '{{ $json["\\u0061"] }}',
  'a \\ {{ $json.a }}',
  '{{ $json.a }} {{',
])('leaves %s to the engine', (expression) => {
  expect(compileDirectRead(piecesOf(expression))).toBeUndefined();
});
