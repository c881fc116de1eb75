/** When the engine is asked. What it gives is compared in test/engine, with generated texts and items. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { ItemReader } from '../../../nodes/MessagingGateway/parameters/item-reader.ts';

/** A context whose engine returns the phone of an item, and "engine:<index>" for all else; it counts what it is asked. */
function contextWith(parameters: Record<string, unknown>, jsons: object[]) {
  const asked = { raw: 0, engine: 0 };
  const context = {
    getInputData: () => jsons.map((json) => ({ json })),
    getNodeParameter(name: string, index: number, fallback: unknown, options?: { rawExpressions?: boolean }) {
      const raw = name in parameters ? parameters[name] : fallback;
      if (options?.rawExpressions) {
        asked.raw += 1;
        return raw;
      }
      asked.engine += 1;
      const { phone } = jsons[index] as { phone?: unknown };
      return raw === '={{ $json.phone }}' && typeof phone !== 'object' ? phone : `engine:${index}`;
    },
  };
  return { reader: new ItemReader(context as unknown as IExecuteFunctions), asked };
}

it('looks at a parameter once, and asks the engine for the first item only', () => {
  const { reader, asked } = contextWith({ phone: '={{ $json.phone }}' }, [
    { phone: '1' },
    { phone: '2' },
    {},
  ]);
  expect([0, 1, 2].map((index) => reader.read('phone', index, 'x'))).toEqual(['1', '2', undefined]);
  expect(asked).toEqual({ raw: 1, engine: 1 });
});

it.each([
  [
    'every item of an expression that it evaluates in another way',
    '={{ $json.caller }}',
    ['engine:0', 'engine:1'],
  ],
  ['the items whose values it has to convert', '={{ $json.phone }}', ['1', 'engine:1']],
])('asks the engine for %s', (_, expression, values) => {
  const { reader } = contextWith({ text: expression }, [
    { phone: '1', caller: '1' },
    { phone: {}, caller: '2' },
  ]);
  expect([0, 1].map((index) => reader.read('text', index, 'x'))).toEqual(values);
});

it('asks the engine for the first item of each expression in a collection, and builds one without any once', () => {
  const raw = { slides: [{ caption: '={{ $json.phone }}', order: 1 }], none: null };
  const { reader, asked } = contextWith(
    { raw, 'raw.slides.0.caption': '={{ $json.phone }}', options: { smsLifetime: 3600 } },
    [{ phone: '1' }, { phone: '2' }],
  );
  expect([0, 1].map((index) => reader.read('raw', index, undefined))).toEqual(
    ['1', '2'].map((caption) => ({ slides: [{ caption, order: 1 }], none: null })),
  );
  expect(asked.engine).toBe(1);
  expect(reader.read('options', 0, {})).toEqual({ smsLifetime: 3600 });
  expect(reader.read('options', 0, {})).toBe(reader.read('options', 1, {}));
});

it('returns the fallback of a parameter that is not set, also where that is undefined', () => {
  const { reader } = contextWith({}, [{}]);
  expect([undefined, 'x'].map((fallback) => reader.read('missing', 0, fallback))).toEqual([undefined, 'x']);
});

it('leaves a collection with a key that is no part of a path to the engine', () => {
  const raw = { 'a.b': '={{ $json.phone }}', c: 'x' };
  const { reader } = contextWith({ raw, 'raw.a.b': '={{ $json.phone }}' }, [{ phone: '1' }]);
  expect(reader.read('raw', 0, undefined)).toBe('engine:0');
});

it('asks the engine for every item of a text that it evaluates in another way', () => {
  const items = ['Ann', 'Bo', 'Cy'].map((caller) => ({ json: { caller } }));
  const context = {
    getInputData: () => items,
    getNodeParameter: () => '=Hello {{ $json.caller }}!',
    evaluateExpression: (expression: string, item: number) =>
      expression.replace(/\{\{.*\}\}/, `engine ${item}`),
  } as unknown as IExecuteFunctions;
  const reader = new ItemReader(context, { refuse: false, found: new Set() });
  expect(items.map((_, item) => reader.read('smsMessage', item, ''))).toEqual(
    items.map((_, item) => `Hello engine ${item}!`),
  );
});
