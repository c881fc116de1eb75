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

it.each<[expression: string, json: object, value: unknown]>([
  ['{{ $json.code }}', { code: 12 }, 12],
  ['{{ $json.on }}', { on: false }, false],
  ['{{ $json.none }}', { none: null }, null],
  ['{{ $json.none.deeper }}', { none: null }, undefined],
  ['a {{ $json.x }}-{{ $json.y }}-{{ $json.z }}', { x: 0, y: null }, 'a 0--'],
  ['{{ $json.value }}', Object.assign(Object.create(null) as object, { value: 1 }), 1],
])('takes from %s of %j the value %j', (expression, json, value) => {
  expect(read(expression, json)).toBe(value);
});

it.each([new Date(0), {}, [], () => 1, 1n])('asks the engine for %p', (value) => {
  expect(read('{{ $json.value }}', { value })).toBe(ASK_ENGINE);
  expect(read('text {{ $json.value }}', { value })).toBe(ASK_ENGINE);
});

it('asks the engine for a property of anything but plain objects', () => {
  for (const value of [new (class Named {})(), 'text', Object.assign([], { name: 'x' })])
    expect(read('{{ $json.value.name }}', { value })).toBe(ASK_ENGINE);
  expect(read('{{ $json.value.map }}', { value: [] })).toBe(ASK_ENGINE);
  expect(read('{{ $json.value.length }}', { value: 'text' })).toBe(ASK_ENGINE);
});

it.each([
  ...['{{ $json.a.trim() }}', "{{ $json['a\\'] }}", '{{ $json["\\u0061"] }}'],
  ...['a \\ {{ $json.a }}', '{{ $json.a }} {{'],
])('leaves %s to the engine', (expression) => {
  expect(compileDirectRead(piecesOf(expression))).toBeUndefined();
});
