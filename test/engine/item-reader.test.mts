/** The reader against `getNodeParameter`: generated texts and items in the forms of the built node. */
import { inspect, isDeepStrictEqual } from 'node:util';

import fc from '../support/generated.mts';
import type { IDataObject, IExecuteFunctions, INode, INodeParameters, INodeProperties } from 'n8n-workflow';

import { Form } from '../../nodes/MessagingGateway/run/form.ts';
import { actionNode } from '../support/node-types.mts';
import { EXPRESSION_ENGINES, useExpressionEngine } from '../support/engine-parts.mts';
import { itemJson, rawParameter } from '../support/expressions.mts';
import { insideNode, outcome } from '../support/inside-node.mts';
import { shortOrLong } from '../support/long-form.mts';
import { OPERATION_CASES } from '../support/operation-cases.mts';

const nodeOf = (context: IExecuteFunctions) => (context as unknown as { node: INode }).node;

/** Ways to fill in a leaf of a form: as it is, as people do, and with anything. */
const LEAF = fc.oneof(
  fc.constantFrom<(value: unknown) => unknown>(
    (value) => value,
    () => '={{ $json.phone }}',
    () => "={{ $json['first name'] }}",
    () => '=Hello {{ $json.name }}, code {{ $json.code }}',
    () => '={{ $json.name + 1 }}',
    () => '={{ $json.code?.toString() }}',
  ),
  rawParameter.map((raw) => () => raw),
);

/** A form with every leaf filled in anew. */
function refill(value: unknown, ways: Array<(value: unknown) => unknown>, next = { place: 0 }): unknown {
  if (typeof value !== 'object' || value === null) return ways[next.place++ % ways.length](value);
  if (Array.isArray(value)) return value.map((one) => refill(one, ways, next));
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    // What n8n keeps of a resource locator besides its value.
    key === '__rl' || key === 'mode' ? one : refill(one, ways, next),
  ]);
  return Object.fromEntries(entries);
}

const ORDINARY: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    phone: fc.constantFrom<unknown>('380501234567', 380501234567, '', null),
    name: fc.constantFrom<unknown>('Ann', '{{ $json.phone }}', 0, false),
    code: fc.oneof(fc.integer(), fc.constant(null)),
    'first name': fc.string(),
    deep: fc.constantFrom<unknown>({ list: ['a'] }, { list: [] }, null, { list: [new Date(0)] }),
  },
  { requiredKeys: [] },
);

const ITEMS = 3;
const items = fc.array(fc.oneof({ weight: 3, arbitrary: ORDINARY }, itemJson), {
  minLength: ITEMS,
  maxLength: ITEMS,
});

describe.each(EXPRESSION_ENGINES)("with n8n's %s engine", (engine) => {
  beforeAll(() => useExpressionEngine(engine));
  afterAll(() => useExpressionEngine('legacy'));

  it('gives what getNodeParameter gives, for every parameter of every operation', async () => {
    const { credentials: _, webhooks: __, ...form } = actionNode().description;
    await insideNode(
      (context) => {
        const given = context.getInputData();
        let compared = 0;
        let asked = 0;
        const counting = Object.assign(Object.create(context) as IExecuteFunctions, {
          getNodeParameter(...given: Parameters<IExecuteFunctions['getNodeParameter']>) {
            const [, , , options] = given;
            if (!options?.rawExpressions) asked += 1;
            return context.getNodeParameter(...given);
          },
        });
        const forms = fc.tuple(
          fc.constantFrom(...OPERATION_CASES),
          fc.array(LEAF, { minLength: 1, maxLength: 7 }),
          items,
        );
        fc.assert(
          fc.property(forms, ([{ resource, operation, parameters }, ways, jsons]) => {
            const filled = refill(parameters, ways) as INodeParameters;
            nodeOf(context).parameters = { resource, operation, ...filled };
            jsons.forEach((json, index) => (given[index].json = json as IDataObject));
            const reader = new Form(counting, []);
            for (const name of Object.keys(filled)) {
              for (let index = 0; index < ITEMS; index += 1) {
                const read = outcome(() => reader.read(name, index, undefined));
                const expected = outcome(() => context.getNodeParameter(name, index));
                compared += 1;
                if (isDeepStrictEqual(read, expected)) continue;
                throw new Error(`${name} of item ${index}: ${inspect(read)} instead of ${inspect(expected)}`);
              }
            }
          }),
          { numRuns: Number(process.env.DIRECT_READ_RUNS ?? shortOrLong(40, 300)), seed: 20 },
        );
        expect(compared).toBeGreaterThan(500);
        // Many of them without the engine, or there would be nothing to compare.
        expect(compared - asked).toBeGreaterThan(50);
      },
      Array.from({ length: ITEMS }, () => ({})),
      form,
    );
  });
});

/** Every property of a form, those inside collections included. */
const allProperties = (properties: INodeProperties[]): INodeProperties[] =>
  properties.flatMap((property) => {
    const nested = (property.options ?? []).flatMap((option) =>
      'values' in option ? option.values : 'type' in option ? [option] : [],
    );
    return [property, ...allProperties(nested)];
  });

it('reads a form in which n8n itself converts nothing', () => {
  // With `validateType` getNodeParameter would convert and check the value; the reader doesn't.
  const converted = allProperties(actionNode().description.properties).filter((one) => one.validateType);
  expect(converted.map(({ name }) => name)).toEqual([]);
});
