import { z } from 'zod/v3';
import type { ZodTypeAny } from 'zod/v3';
import { zodToJsonSchema } from 'zod-to-json-schema';

import type * as channels from '../../../nodes/gateway/contract/channels.ts';
import type * as operations from '../../../nodes/gateway/contract/operations.ts';
import {
  callback,
  failedResult,
  goodResult,
  health,
  PAYLOADS,
  receipt,
  refusal,
  toolAnswer,
  toolCall,
} from './answers.mts';
import { withMarks } from './open.mts';

/** What the code knows of operation types and channels. */
export type ContractSource = Pick<typeof channels, 'viberContentOf' | 'PIPELINE_CHANNELS'> &
  Pick<typeof operations, 'WIRE_TYPES' | 'wireFieldsOf' | 'fieldSchema' | 'viberTypesOf'>;

export type Schema = Record<string, unknown>;

/** Draft 7 and 2020-12 write all that is used here alike. */
const jsonSchemaOf = (schema: ZodTypeAny): Schema => {
  const { $schema: _, ...rest } = zodToJsonSchema(schema, {
    $refStrategy: 'none',
    target: 'jsonSchema7',
    // What the contract doesn't list is accepted: "Operation objects accept additional properties".
    allowedAdditionalProperties: undefined,
    rejectedAdditionalProperties: undefined,
  }) as Schema;
  return withMarks(rest) as Schema;
};

/** A type as part of a name: OpenAPI allows letters, digits, dots, hyphens and underscores there. */
const named = (type: string): string => type.replaceAll(/[^a-z]/g, '-');

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });

const OPEN_IN: Partial<Record<operations.WireType, Record<string, string>>> = {
  'viber+sms': {
    viber_type:
      'One list of the contract allows text+image+link alone, another has requirements for all five; there is no field for a carousel.',
  },
  pipeline: {
    id: 'Required in one description of the operation and not in another.',
    pipeline:
      'The contract has the objects sms, telegram, viber, voice and whatsapp required whatever channels are listed; here each is where it is listed.',
    rcs: 'Only two fields are named, and not whether they are required.',
    whatsapp: 'The gateway takes and charges this stage without its two fields.',
  },
  'template/delete': {
    id: 'No field is required; a template is named by its id, its exact text, or both.',
  },
};

/** What a field needs others for: contents of a Viber type, objects of the channels of a pipeline. */
function conditionsOf(source: ContractSource, type: operations.WireType): Schema[] {
  if (type === 'pipeline') {
    return source.PIPELINE_CHANNELS.map((channel) => ({
      if: { properties: { pipeline: { contains: { const: channel } } } },
      then: { required: [channel] },
    }));
  }
  return source.viberTypesOf(type).map((viberType) => ({
    if: { properties: { viber_type: { const: viberType } } },
    then: { required: [...source.viberContentOf(viberType)] },
  }));
}

/** The operation object of a type ("Operation objects by type"). */
function operationOf(source: ContractSource, type: operations.WireType): Schema {
  const { required, optional } = source.wireFieldsOf(type);
  const properties = [...required, ...optional].map((field): [string, Schema] => {
    const sentence = OPEN_IN[type]?.[field];
    const schema = jsonSchemaOf(source.fieldSchema(type, field));
    // A check of zod, which has no counterpart in what zod makes of it.
    const unique = field === 'pipeline' ? { uniqueItems: true } : {};
    return [field, { ...schema, ...unique, ...(sentence !== undefined && { 'x-open': sentence }) }];
  });
  const conditions = conditionsOf(source, type);
  return {
    type: 'object',
    properties: { type: { const: type }, ...Object.fromEntries(properties) },
    required: ['type', ...required],
    ...(conditions.length > 0 && { allOf: conditions }),
  };
}

/** All objects of the contract by name, which refer to each other as `#/$defs/<name>`. */
export function definitions(source: ContractSource): Record<string, Schema> {
  const { WIRE_TYPES } = source;
  const all: Record<string, Schema> = {};
  for (const type of WIRE_TYPES) {
    all[`operation.${named(type)}`] = operationOf(source, type);
    all[`payload.${named(type)}`] = jsonSchemaOf(PAYLOADS[type]);
  }
  all.operation = { oneOf: WIRE_TYPES.map((type) => ref(`operation.${named(type)}`)) };
  all.request = {
    type: 'object',
    properties: {
      auth: { type: 'string', description: 'the API key' },
      data: {
        type: 'array',
        items: ref('operation'),
        minItems: 1,
        'x-open': 'How many operations a request may have is not shown, nor how many requests a minute.',
      },
    },
    required: ['auth', 'data'],
  };
  all.failedResult = jsonSchemaOf(failedResult);
  for (const type of WIRE_TYPES) {
    const good = { ...jsonSchemaOf(goodResult(z.unknown())), required: ['success', 'data'] } as Schema;
    (good.properties as Schema).data = ref(`payload.${named(type)}`);
    all[`result.${named(type)}`] = { oneOf: [good, ref('failedResult')] };
  }
  all.result = {
    anyOf: WIRE_TYPES.map((type) => ref(`result.${named(type)}`)),
    description:
      'one for each operation, in the order of the request; the type of the operation decides which',
  };
  all.refusal = jsonSchemaOf(refusal);
  all.results = {
    type: 'object',
    properties: { success: { const: true }, data: { type: 'array', items: ref('result') } },
    required: ['success', 'data'],
  };
  all.answer = { oneOf: [ref('results'), ref('refusal')] };
  all.receipt = jsonSchemaOf(receipt);
  all.queueAnswer = { oneOf: [ref('receipt'), ref('refusal')] };
  all.callback = jsonSchemaOf(callback);
  all.health = jsonSchemaOf(health);
  all.toolCall = jsonSchemaOf(toolCall);
  all.toolAnswer = jsonSchemaOf(toolAnswer);
  return all;
}
