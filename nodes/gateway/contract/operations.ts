import { z } from 'zod';

import type { ViberContentField, ViberType } from './channels';
import {
  PIPELINE_CHANNELS,
  VIBER_CONTENT_BY_TYPE,
  VIBER_CONTENT_FIELDS,
  VIBER_TYPES_BY_OPERATION,
} from './channels';
import type { WireField } from './fields';
import { FIELD_SCHEMAS, stageSchemas, telegramMessageSchema } from './fields';
import type { PlainCheck } from './plain-check';
import { compilePlainCheck } from './plain-check';

/**
 * The 20 operation types: which fields each has and which of them are required
 * (gateway-api.md, "Operation objects by `type`"). Schemas, types and form fields follow from this table.
 */
interface OperationFields {
  required: readonly WireField[];
  optional: readonly WireField[];
  /** Field schemas that differ from the common one. */
  override?: Partial<Record<WireField, z.ZodTypeAny>>;
}

const VIBER = ['viber_signature', 'viber_type'] as const;
const RCS = ['rcs_message', 'rcs_signature', 'rcs_image', 'rcs_button', 'rcs_link'] as const;
const SMS = ['sms_message', 'sms_signature'] as const;
const TARGET = ['id', 'phone'] as const;
const viberContent = (withCarousel: boolean) =>
  VIBER_CONTENT_FIELDS.filter((field) => withCarousel || field !== 'viber_carousel');

const OPERATION_FIELDS = {
  balance: { required: [], optional: [] },
  sender: { required: [], optional: [] },
  'template/list': { required: [], optional: [] },
  'template/viber/list': { required: [], optional: [] },
  'call/otp': { required: TARGET, optional: [] },
  hlr: { required: TARGET, optional: [] },
  status: { required: ['id'], optional: [] },
  sms: {
    required: [...TARGET, ...SMS],
    optional: ['sms_lifetime', 'hook', 'short_link', 'unsubscribe_link'],
  },
  viber: {
    required: [...TARGET, ...VIBER],
    optional: [...viberContent(true), 'viber_lifetime', 'hook', 'short_link'],
  },
  'viber+sms': {
    required: [...TARGET, ...VIBER, ...SMS],
    optional: [...viberContent(false), 'viber_lifetime', 'hook', 'short_link'],
  },
  rcs: { required: [...TARGET, ...RCS], optional: ['rcs_lifetime', 'hook', 'short_link'] },
  'rcs+sms': { required: [...TARGET, ...RCS, ...SMS], optional: ['rcs_lifetime', 'hook', 'short_link'] },
  'rcs+viber+sms': {
    required: [...TARGET, ...RCS, ...VIBER, ...SMS],
    optional: [...viberContent(true), 'viber_lifetime', 'rcs_lifetime', 'hook', 'short_link'],
  },
  telegram: {
    required: [...TARGET, 'message'],
    optional: ['telegram_lifetime', 'hook'],
    override: { message: telegramMessageSchema },
  },
  voice: { required: [...TARGET, 'message', 'dtmf', 'voice'], optional: [] },
  // The object of a channel is required when the channel is in `pipeline` (see withStages).
  pipeline: {
    required: [...TARGET, 'pipeline'],
    optional: [...PIPELINE_CHANNELS, 'hook'],
    override: { voice: stageSchemas.voice },
  },
  'template/create': { required: ['template'], optional: ['name'] },
  // The contract gives `id` of an SMS template as a string and of a Viber template as an integer.
  'template/delete': {
    required: [],
    optional: ['id', 'template'],
    override: { id: z.string().min(1, 'the id of a template') },
  },
  'template/viber/create': { required: ['template'], optional: ['signature'] },
  'template/viber/delete': { required: [], optional: ['id', 'template'] },
} as const satisfies Record<string, OperationFields>;

export type WireType = keyof typeof OPERATION_FIELDS;

export const WIRE_TYPES = Object.keys(OPERATION_FIELDS) as WireType[];

/** An operation object as it goes into `data` of the request envelope. */
export interface WireOperation {
  type: WireType;
  id?: number | string;
  phone?: number;
  [field: string]: unknown;
}

/** Required and optional fields of an operation type, `type` itself left out. */
export function fieldsOf(type: WireType): { required: readonly WireField[]; optional: readonly WireField[] } {
  const { required, optional }: OperationFields = OPERATION_FIELDS[type];
  return { required, optional };
}

/** Whether the operation type has the field at all. */
export function hasField(type: WireType, field: WireField): boolean {
  const { required, optional } = fieldsOf(type);
  return required.includes(field) || optional.includes(field);
}

/** The check of one field in one operation type. */
export function fieldSchema(type: WireType, field: WireField): z.ZodTypeAny {
  const { override }: OperationFields = OPERATION_FIELDS[type];
  return override?.[field] ?? FIELD_SCHEMAS[field];
}

/** The values of `viber_type` that an operation type takes; empty where it has no Viber part. */
export function viberTypesOf(type: WireType): readonly ViberType[] {
  return type in VIBER_TYPES_BY_OPERATION
    ? VIBER_TYPES_BY_OPERATION[type as keyof typeof VIBER_TYPES_BY_OPERATION]
    : [];
}

/** The content fields that a `viber_type` requires in an operation type. */
export function viberContentOf(viberType: ViberType): readonly ViberContentField[] {
  return VIBER_CONTENT_BY_TYPE[viberType];
}

const FILLED_IN = 'filled in';

function withViberContent(type: WireType, schema: z.ZodTypeAny): z.ZodTypeAny {
  const allowed = viberTypesOf(type);
  return schema.superRefine((operation: Record<string, unknown>, context) => {
    const viberType = operation.viber_type as ViberType;
    if (!allowed.includes(viberType)) {
      const message = `one of ${allowed.join(', ')}`;
      context.addIssue({ code: 'custom', path: ['viber_type'], message });
      return;
    }
    for (const field of viberContentOf(viberType)) {
      if (operation[field] === undefined) {
        context.addIssue({ code: 'custom', path: [field], message: FILLED_IN });
      }
    }
  });
}

function withStages(schema: z.ZodTypeAny): z.ZodTypeAny {
  return schema.superRefine((operation: Record<string, unknown>, context) => {
    for (const channel of (operation.pipeline ?? []) as string[]) {
      if (operation[channel] === undefined) {
        context.addIssue({ code: 'custom', path: [channel], message: FILLED_IN });
      }
    }
  });
}

function schemaOf(type: WireType): z.ZodTypeAny {
  const { required, optional } = fieldsOf(type);
  const shape: Record<string, z.ZodTypeAny> = { type: z.literal(type) };
  for (const field of required) shape[field] = fieldSchema(type, field);
  for (const field of optional) shape[field] = fieldSchema(type, field).optional();
  const schema = z.object(shape).passthrough();
  if (viberTypesOf(type).length > 0) return withViberContent(type, schema);
  if (type === 'pipeline') return withStages(schema);
  return schema;
}

/** The check of a whole operation object, by operation type. Additional properties are let through. */
export const OPERATION_SCHEMAS = Object.fromEntries(
  WIRE_TYPES.map((type) => [type, schemaOf(type)]),
) as Record<WireType, z.ZodTypeAny>;

const plainChecks = new Map<WireType, PlainCheck | undefined>();

/**
 * Whether an operation object passes its check, found out without zod, which is what most of the time for an item
 * would go to. False says nothing: OPERATION_SCHEMAS has to be asked then.
 */
export function isPlainlyValid(type: WireType, operation: Record<string, unknown>): boolean {
  if (!plainChecks.has(type)) plainChecks.set(type, compilePlainCheck(OPERATION_SCHEMAS[type]));
  return plainChecks.get(type)?.(operation) === true;
}
