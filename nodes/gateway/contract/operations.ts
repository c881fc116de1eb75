import { z } from 'zod/v3';

import type { Channel, ViberContentField, ViberType } from './channels';
import {
  PIPELINE_CHANNELS,
  VIBER_CONTENT_BY_TYPE,
  VIBER_CONTENT_FIELDS,
  VIBER_TYPES_BY_OPERATION,
} from './channels';
import type { WireField } from './wire-fields';
import { FIELD_SCHEMAS, stageSchemas, telegramMessageSchema } from './wire-fields';
import type { PlainCheck } from './plain-check';
import { compilePlainCheck } from './plain-check';

interface OperationType {
  required: readonly WireField[];
  optional: readonly WireField[];
  /** Field schemas that differ from the common ones. */
  override?: Partial<Record<WireField, z.ZodTypeAny>>;
  /** The channels of a send, in trial order; `byItem` where each operation object lists them itself. */
  channels?: readonly Channel[] | 'byItem';
}

const VIBER = ['viber_signature', 'viber_type'] as const;
const RCS = ['rcs_message', 'rcs_signature', 'rcs_image', 'rcs_button', 'rcs_link'] as const;
const SMS = ['sms_message', 'sms_signature'] as const;
const TARGET = ['id', 'phone'] as const;
const viberContent = (withCarousel: boolean) =>
  VIBER_CONTENT_FIELDS.filter((field) => withCarousel || field !== 'viber_carousel');

/**
 * The 20 operation types, their fields and channels (gateway-api.md, "Operation objects by `type`" and "What the
 * service does"). Schemas, types, form fields and the finality of failures follow from this table.
 */
const OPERATION_TYPES = {
  balance: { required: [], optional: [] },
  sender: { required: [], optional: [] },
  'template/list': { required: [], optional: [] },
  'template/viber/list': { required: [], optional: [] },
  'call/otp': { required: TARGET, optional: [], channels: ['voice'] },
  hlr: { required: TARGET, optional: [] },
  status: { required: ['id'], optional: [] },
  sms: {
    required: [...TARGET, ...SMS],
    optional: ['sms_lifetime', 'hook', 'short_link', 'unsubscribe_link'],
    channels: ['sms'],
  },
  viber: {
    required: [...TARGET, ...VIBER],
    optional: [...viberContent(true), 'viber_lifetime', 'hook', 'short_link'],
    channels: ['viber'],
  },
  'viber+sms': {
    required: [...TARGET, ...VIBER, ...SMS],
    optional: [...viberContent(false), 'viber_lifetime', 'hook', 'short_link'],
    channels: ['viber', 'sms'],
  },
  rcs: {
    required: [...TARGET, ...RCS],
    optional: ['rcs_lifetime', 'hook', 'short_link'],
    channels: ['rcs'],
  },
  'rcs+sms': {
    required: [...TARGET, ...RCS, ...SMS],
    optional: ['rcs_lifetime', 'hook', 'short_link'],
    channels: ['rcs', 'sms'],
  },
  'rcs+viber+sms': {
    required: [...TARGET, ...RCS, ...VIBER, ...SMS],
    optional: [...viberContent(true), 'viber_lifetime', 'rcs_lifetime', 'hook', 'short_link'],
    channels: ['rcs', 'viber', 'sms'],
  },
  telegram: {
    required: [...TARGET, 'message'],
    optional: ['telegram_lifetime', 'hook'],
    override: { message: telegramMessageSchema },
    channels: ['telegram'],
  },
  voice: { required: [...TARGET, 'message', 'dtmf', 'voice'], optional: [], channels: ['voice'] },
  // The object of a channel is required when `pipeline` lists the channel (see withStages).
  pipeline: {
    required: [...TARGET, 'pipeline'],
    optional: [...PIPELINE_CHANNELS, 'hook'],
    override: { voice: stageSchemas.voice },
    channels: 'byItem',
  },
  'template/create': { required: ['template'], optional: ['name'] },
  // By the contract, the `id` of an SMS template is a string and that of a Viber template an integer.
  'template/delete': {
    required: [],
    optional: ['id', 'template'],
    override: { id: z.string().min(1, 'the id of a template') },
  },
  'template/viber/create': { required: ['template'], optional: ['signature'] },
  'template/viber/delete': { required: [], optional: ['id', 'template'] },
} as const satisfies Record<string, OperationType>;

export type WireType = keyof typeof OPERATION_TYPES;

export const WIRE_TYPES = Object.keys(OPERATION_TYPES) as WireType[];

/** An operation object as it goes into `data` of the request envelope. */
export interface WireOperation {
  type: WireType;
  id?: number | string;
  phone?: number;
  [field: string]: unknown;
}

/** Whether a value is one of the 20 operation types. */
export const isWireType = (value: unknown): value is WireType =>
  typeof value === 'string' && Object.hasOwn(OPERATION_TYPES, value);

/** The required and optional fields of an operation type, without `type` itself. */
export function wireFieldsOf(type: WireType): {
  required: readonly WireField[];
  optional: readonly WireField[];
} {
  const { required, optional }: OperationType = OPERATION_TYPES[type];
  return { required, optional };
}

/**
 * The channels that an operation type tries, in order: one for a plain send, several for a send with fallback, none
 * where nothing is sent. Undefined for `pipeline`, whose objects list their channels themselves.
 */
export function channelsOf(type: WireType): readonly Channel[] | undefined {
  const { channels = [] }: OperationType = OPERATION_TYPES[type];
  return channels === 'byItem' ? undefined : channels;
}

/** Whether an operation of this type sends something to a person, on whichever channel. */
export const sendsMessage = (type: WireType): boolean => channelsOf(type)?.length !== 0;

/** Whether a failure on one channel of this operation type is followed by a try on the next. */
export const isFallbackType = (type: WireType): boolean => (channelsOf(type)?.length ?? 0) > 1;

/** Whether the operation type has the field, required or optional. */
export function hasField(type: WireType, field: WireField): boolean {
  const { required, optional } = wireFieldsOf(type);
  return required.includes(field) || optional.includes(field);
}

/** The check of a field in an operation type. */
export function fieldSchema(type: WireType, field: WireField): z.ZodTypeAny {
  const { override }: OperationType = OPERATION_TYPES[type];
  return override?.[field] ?? FIELD_SCHEMAS[field];
}

/** The values of `viber_type` that an operation type accepts; empty where it has no Viber part. */
export function viberTypesOf(type: WireType): readonly ViberType[] {
  return type in VIBER_TYPES_BY_OPERATION
    ? VIBER_TYPES_BY_OPERATION[type as keyof typeof VIBER_TYPES_BY_OPERATION]
    : [];
}

/** The content fields that a `viber_type` requires. */
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
  const { required, optional } = wireFieldsOf(type);
  const shape: Record<string, z.ZodTypeAny> = { type: z.literal(type) };
  for (const field of required) shape[field] = fieldSchema(type, field);
  for (const field of optional) shape[field] = fieldSchema(type, field).optional();
  const schema = z.object(shape).passthrough();
  if (viberTypesOf(type).length > 0) return withViberContent(type, schema);
  if (type === 'pipeline') return withStages(schema);
  return schema;
}

/** The check of a whole operation object, by operation type. Additional properties pass. */
export const OPERATION_SCHEMAS = Object.fromEntries(
  WIRE_TYPES.map((type) => [type, schemaOf(type)]),
) as Record<WireType, z.ZodTypeAny>;

const plainChecks = new Map<WireType, PlainCheck | undefined>();

/**
 * Whether an operation object certainly passes its check. Works without zod, which would take most of the time of an
 * item. False is no verdict: OPERATION_SCHEMAS decides then.
 */
export function isPlainlyValid(type: WireType, operation: Record<string, unknown>): boolean {
  if (!plainChecks.has(type)) plainChecks.set(type, compilePlainCheck(OPERATION_SCHEMAS[type]));
  return plainChecks.get(type)?.(operation) === true;
}
