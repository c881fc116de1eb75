import { ASK_ENGINE, compileDirectRead } from '../../../nodes/MessagingGateway/parameters/direct-read.ts';

const read = (raw: unknown, json: unknown) => {
  const compiled = compileDirectRead(raw);
  if (!compiled) throw new Error(`${JSON.stringify(raw)} was left to the engine`);
  return compiled(json);
};

it('takes a value from the item with its type', () => {
  expect(read('={{ $json.code }}', { code: 12 })).toBe(12);
  expect(read('={{ $json.on }}', { on: false })).toBe(false);
  expect(read('={{ $json.none }}', { none: null })).toBeNull();
  expect(read('={{ $json.none.deeper }}', { none: null })).toBeUndefined();
});

it('puts references into text, leaving nothing where there is nothing', () => {
  expect(read('=a {{ $json.x }}-{{ $json.y }}-{{ $json.z }}', { x: 0, y: null })).toBe('a 0--');
});

it.each([
  ['a date', new Date(0)],
  ['an object', {}],
  ['a list', []],
  ['a function', () => 1],
  ['a bigint', 1n],
])('asks the engine for %s', (_, value) => {
  expect(read('={{ $json.value }}', { value })).toBe(ASK_ENGINE);
  expect(read('=text {{ $json.value }}', { value })).toBe(ASK_ENGINE);
  expect(read({ deep: ['={{ $json.value }}'] }, { value })).toBe(ASK_ENGINE);
});

it('asks the engine for a property of anything but plain objects', () => {
  expect(read('={{ $json.value.name }}', { value: new (class Named {})() })).toBe(ASK_ENGINE);
  expect(read('={{ $json.value.name }}', { value: 'text' })).toBe(ASK_ENGINE);
  expect(read('={{ $json.value.map }}', { value: [] })).toBe(ASK_ENGINE);
  expect(read('={{ $json.value.length }}', { value: 'text' })).toBe(ASK_ENGINE);
  expect(read('={{ $json.value.name }}', { value: Object.assign([], { name: 'x' }) })).toBe(ASK_ENGINE);
});

it('takes values from objects without a prototype', () => {
  expect(read('={{ $json.value }}', Object.assign(Object.create(null), { value: 1 }))).toBe(1);
});

it('leaves a collection with a key that would set its prototype to the engine', () => {
  expect(compileDirectRead(JSON.parse('{"__proto__":"x"}'))).toBeUndefined();
});

it('leaves what is no plain value, list or collection to the engine', () => {
  for (const raw of [undefined, () => 1, new Date(0), { deep: new Map() }]) {
    expect(compileDirectRead(raw)).toBeUndefined();
  }
});

it('builds collections from their leaves', () => {
  const raw = { slides: [{ caption: '={{ $json.a }}', button: 'Buy', order: 1 }], none: null };
  expect(read(raw, { a: 'A' })).toEqual({ slides: [{ caption: 'A', button: 'Buy', order: 1 }], none: null });
  expect(read({ __rl: true, mode: 'name', value: '={{ $json.a }}' }, { a: 'A' })).toEqual({
    __rl: true,
    mode: 'name',
    value: 'A',
  });
});

it('builds a collection without expressions once', () => {
  const compiled = compileDirectRead({ smsLifetime: 3600 });
  expect(compiled?.({ a: 1 })).toBe(compiled?.({ a: 2 }));
});

it('leaves a collection to the engine when one leaf needs it', () => {
  expect(compileDirectRead({ a: '={{ $json.a }}', b: ['={{ $now }}'] })).toBeUndefined();
});
