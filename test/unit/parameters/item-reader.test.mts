import type { IExecuteFunctions } from 'n8n-workflow';

import { compileParameter } from '../../../nodes/MessagingGateway/parameters/compile.ts';
import type { Flaw } from '../../../nodes/MessagingGateway/parameters/placeholder.ts';
import { Form } from '../../../nodes/MessagingGateway/run/form.ts';

/** A context whose engine returns the phone of an item, and "engine:<index>" for all else; it counts what it is asked. */
function contextWith(parameters: Record<string, unknown>, jsons: object[]) {
  const asked = { raw: 0, engine: 0 };
  const context = {
    getNode: () => ({ type: 'messagingGateway', parameters: {} }),
    isToolExecution: () => false,
    getInputData: () => jsons.map((json) => ({ json })),
    getNodeParameter(name: string, index: number, fallback: unknown, options?: { rawExpressions?: boolean }) {
      const raw = name in parameters ? parameters[name] : fallback;
      if (raw === undefined) throw new Error(`Could not get parameter "${name}"`);
      if (options?.rawExpressions) {
        asked.raw += 1;
        return raw;
      }
      asked.engine += 1;
      const { phone } = jsons[index] as { phone?: unknown };
      return raw === '={{ $json.phone }}' && typeof phone !== 'object' ? phone : `engine:${index}`;
    },
  };
  return { reader: new Form(context as unknown as IExecuteFunctions, []), asked };
}

it('looks at a parameter once, and asks the engine for the first item only', () => {
  const items = [{ phone: '1' }, { phone: '2' }, {}];
  const { reader, asked } = contextWith({ phone: '={{ $json.phone }}' }, items);
  expect([0, 1, 2].map((index) => reader.read('phone', index, 'x'))).toEqual(['1', '2', undefined]);
  // The other parameter is that of the people whom a tool may write to.
  expect(asked).toEqual({ raw: 2, engine: 1 });
});

it.each([
  ['that it evaluates in another way', '={{ $json.caller }}'],
  ['within a text that it evaluates in another way', '=Hello {{ $json.caller }}!'],
  ['that does more', '={{ $json.caller.trim() }}'],
])('asks the engine for every item of an expression %s', (_, caller) => {
  const { reader } = contextWith({ caller }, [{ caller: '1' }, { caller: '2' }]);
  expect([0, 1].map((index) => reader.read('caller', index, 'x'))).toEqual(['engine:0', 'engine:1']);
});

it('asks the engine for the items whose values it has to convert', () => {
  const { reader, asked } = contextWith({ phone: '={{ $json.phone }}' }, [{ phone: '1' }, { phone: {} }]);
  expect([0, 1].map((index) => reader.read('phone', index, 'x'))).toEqual(['1', 'engine:1']);
  expect(asked.engine).toBe(2);
});

it('gives the fallback of a parameter that is not set, also where that is undefined', () => {
  const { reader } = contextWith({}, [{}]);
  expect(reader.read('missing', 0, undefined)).toBeUndefined();
  expect(reader.read('missing', 0, 'x')).toBe('x');
});

it('builds collections from their parts', () => {
  const built = (phone: string) => {
    const slides = [{ caption: phone, button: 'Buy', order: 1 }];
    return { phone, slides, none: null };
  };
  const phone = '={{ $json.phone }}';
  const { reader, asked } = contextWith(
    { raw: built(phone), 'raw.phone': phone, 'raw.slides.0.caption': phone },
    ['1', '2', '3'].map((one) => ({ phone: one })),
  );
  const read = [0, 1, 2].map((index) => reader.read('raw', index, undefined));
  expect(read).toEqual(['1', '2', '3'].map(built));
  expect(asked.engine).toBe(2);
});

it('builds a collection without expressions once', () => {
  const { reader } = contextWith({ options: { smsLifetime: 3600 } }, [{}, {}]);
  expect(reader.read('options', 0, {})).toEqual({ smsLifetime: 3600 });
  expect(reader.read('options', 0, {})).toBe(reader.read('options', 1, {}));
});

it('leaves a collection with a key that is no part of a path to the engine', () => {
  const raw = { 'a.b': '={{ $json.phone }}', c: 'x' };
  const { reader } = contextWith({ raw, 'raw.a.b': '={{ $json.phone }}' }, [{ phone: '1' }]);
  expect(reader.read('raw', 0, undefined)).toBe('engine:0');
});

it('takes a part that refers to another one from the collection as the engine reads it, and judges all others', () => {
  const raw = {
    values: {
      a: '={{ $parameter["&b"] }}',
      b: 'x',
      key: '={{ $json.order }}',
      link: 'https://x?parameter=1&b',
    },
  };
  const context = {
    getNode: () => ({ type: 'messagingGateway', parameters: {} }),
    isToolExecution: () => false,
    getInputData: () => [{ json: { order: '' } }],
    getNodeParameter: (name: string, _: number, __: unknown, options?: { rawExpressions?: boolean }) =>
      options?.rawExpressions ? raw : name === 'raw' ? { values: { ...raw.values, a: 'x' } } : '',
    evaluateExpression: () => '',
  };
  const flaws: Flaw[] = [];
  const read = compileParameter(context as unknown as IExecuteFunctions, 'raw', (_, flaw) =>
    flaws.push(flaw),
  );
  expect(read?.(0)).toEqual({ values: { ...raw.values, a: 'x', key: '' } });
  expect(flaws).toContainEqual({ is: 'empty', parameter: 'raw.values.key', source: '{{ $json.order }}' });
});

it('has the engine evaluate the same texts in each run: n8n keeps what it made of a text until it ends', () => {
  const seen = new Set<string>();
  const context = {
    getInputData: () => [{ json: {} }],
    getNodeParameter: () => '=Hello {{ $json.name.trim() }}!',
    evaluateExpression: (text: string) => seen.add(text) && text.replace(/\{\{.*\}\}/, 'Anna'),
  };
  for (const run of [1, 2, 3]) {
    const read = compileParameter(context as unknown as IExecuteFunctions, `text${run}`, () => undefined);
    expect(read?.(0)).toBe('Hello Anna!');
  }
  expect(seen.size).toBe(1);
});
