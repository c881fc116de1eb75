import type { IExecuteFunctions } from 'n8n-workflow';

import { createItemReader } from '../../../nodes/MessagingGateway/parameters/item-reader.ts';

/** A context whose engine returns the phone of an item, and "engine:<index>" for all else; it counts what it is asked. */
function contextWith(parameters: Record<string, unknown>, jsons: object[], isTool = false) {
  const asked = { raw: 0, engine: 0 };
  const context = {
    getInputData: () => jsons.map((json) => ({ json })),
    isToolExecution: () => isTool,
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
  return { reader: createItemReader(context as unknown as IExecuteFunctions), asked };
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

it('asks the engine for every item of an expression that it evaluates in another way', () => {
  const { reader } = contextWith({ caller: '={{ $json.caller }}' }, [{ caller: '1' }, { caller: '2' }]);
  expect([0, 1].map((index) => reader.read('caller', index, 'x'))).toEqual(['engine:0', 'engine:1']);
});

it('asks the engine for the items whose values it has to convert', () => {
  const { reader, asked } = contextWith({ phone: '={{ $json.phone }}' }, [{ phone: '1' }, { phone: {} }]);
  expect([0, 1].map((index) => reader.read('phone', index, 'x'))).toEqual(['1', 'engine:1']);
  expect(asked.engine).toBe(2);
});

it('asks the engine for every item of an expression that does more', () => {
  const { reader } = contextWith({ phone: '={{ $json.phone.trim() }}' }, [{}, {}]);
  expect([0, 1].map((index) => reader.read('phone', index, 'x'))).toEqual(['engine:0', 'engine:1']);
});

it('gives the fallback of a parameter that is not set, also where that is undefined', () => {
  const { reader } = contextWith({}, [{}]);
  expect(reader.read('missing', 0, undefined)).toBeUndefined();
  expect(reader.read('missing', 0, 'x')).toBe('x');
});

it('leaves everything to the engine when an agent runs the node as a tool', () => {
  const { reader } = contextWith({ caller: '={{ $json.caller }}', fixed: 'text' }, [{ caller: '1' }], true);
  expect(reader.read('caller', 0, 'x')).toBe('engine:0');
  expect(reader.read('fixed', 0, 'x')).toBe('engine:0');
  expect(reader.read('missing', 0, 'x')).toBe('x');
});
