import type { AnyZodObject } from 'zod/v3';

import type * as channels from '../../nodes/gateway/contract/channels.ts';
import type * as operations from '../../nodes/gateway/contract/operations.ts';
import type * as wireFields from '../../nodes/gateway/contract/wire-fields.ts';

/** What the code knows of the contract. */
type Contract = Omit<typeof channels & typeof operations & typeof wireFields, 'default'>;

/** The generated tables of the page, by the heading of their section, as rows of cells. */
export function contractTables(contract: Contract): Record<string, string[][]> {
  const { VIBER_TYPES, WIRE_TYPES, slideSchema, stageSchemas, voiceSchema } = contract;
  const stages = Object.entries(stageSchemas).map(([name, schema]) => [`\`${name}\` of a pipeline`, schema]);
  const objects = { 'slide of a carousel': slideSchema, '`voice` of a call': voiceSchema };
  const typeRow = (type: operations.WireType) => {
    const { required, optional } = contract.wireFieldsOf(type);
    return [code([type]), code(required), code(optional), contract.channelsOf(type)?.join(', ') ?? 'its own'];
  };
  const viberRow = (one: channels.ViberType) => {
    const acceptedIn = WIRE_TYPES.filter((type) => contract.viberTypesOf(type).includes(one));
    return [code([one]), code(contract.viberContentOf(one)), code(acceptedIn)];
  };
  const objectRow = ([name, schema]: [string, AnyZodObject]) => [
    name,
    ...[false, true].map((isOptional) =>
      code(Object.keys(schema.shape).filter((field) => contract.rulesIn(schema)[field].isRequired !== isOptional)),
    ),
  ];
  return {
    'Operation types': [['`type`', 'Required', 'Optional', 'Channels, in order'], ...WIRE_TYPES.map(typeRow)],
    'Viber contents': [['`viber_type`', 'Also required', 'Accepted in'], ...VIBER_TYPES.map(viberRow)],
    'Nested objects': [
      ['Object', 'Required', 'Optional'],
      ...Object.entries<AnyZodObject>({ ...objects, ...Object.fromEntries(stages) }).map(objectRow),
    ],
  };
}

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
