import type { Channel, ViberType } from './channels';
import { isViberContent, PIPELINE_CHANNELS, VIBER_TYPES, viberContents } from './channels';
import type { Check, FieldRule, FieldRules, WireField } from './wire-fields';
import { FIELD_SCHEMAS, oneOf, stageSchemas, telegramMessageSchema, text } from './wire-fields';

/** What the contract says of an operation type. */
interface OperationType {
  required: readonly WireField[];
  optional: readonly WireField[];

  /** Field schemas that differ from the common ones. */
  override?: Partial<Record<WireField, Check>>;

  /** The values of `viber_type`, the usual one first. */
  viberTypes?: readonly ViberType[];

  /** The channels of a send, in trial order; `byItem` where each operation object lists them itself. */
  channels?: readonly Channel[] | 'byItem';
}

const VIBER = ['viber_signature', 'viber_type'] as const;
const RCS = ['rcs_message', 'rcs_signature', 'rcs_image', 'rcs_button', 'rcs_link'] as const;
const SMS = ['sms_message', 'sms_signature'] as const;
const TARGET = ['id', 'phone'] as const;

/**
 * What `viber+sms` can send: no carousel, since the field list of this type lacks `viber_carousel`. The contract also names
 * `text+image+link` alone in one place, and all five types in another.
 */
const VIBER_TYPES_BEFORE_SMS = ['text', 'image', 'text+link', 'text+image+link'] as const;

/**
 * The operation types, their fields and channels (gateway-api.md, "Operation types"). Schemas, types, form fields
 * and the finality of failures follow from this table.
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
    optional: [...viberContents(VIBER_TYPES), 'viber_lifetime', 'hook', 'short_link'],
    viberTypes: VIBER_TYPES,
    channels: ['viber'],
  },
  'viber+sms': {
    required: [...TARGET, ...VIBER, ...SMS],
    optional: [...viberContents(VIBER_TYPES_BEFORE_SMS), 'viber_lifetime', 'hook', 'short_link'],
    override: { viber_type: oneOf(VIBER_TYPES_BEFORE_SMS) },
    viberTypes: VIBER_TYPES_BEFORE_SMS,
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
    optional: [...viberContents(VIBER_TYPES), 'viber_lifetime', 'rcs_lifetime', 'hook', 'short_link'],
    viberTypes: VIBER_TYPES,
    channels: ['rcs', 'viber', 'sms'],
  },
  telegram: {
    required: [...TARGET, 'message'],
    optional: ['telegram_lifetime', 'hook'],
    override: { message: telegramMessageSchema },
    channels: ['telegram'],
  },
  voice: { required: [...TARGET, 'message', 'dtmf', 'voice'], optional: [], channels: ['voice'] },
  // The object of a channel is required where `pipeline` lists the channel.
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
    override: { id: text('the id of a template') },
  },
  'template/viber/create': { required: ['template'], optional: ['signature'] },
  'template/viber/delete': { required: [], optional: ['id', 'template'] },
} as const satisfies Record<string, OperationType>;

export type WireType = keyof typeof OPERATION_TYPES;

/** A field that an operation may leave out, in one type at least. */
export type OptionalField = (typeof OPERATION_TYPES)[WireType]['optional'][number];

const TYPES: Record<WireType, OperationType> = OPERATION_TYPES;
export const WIRE_TYPES = Object.keys(OPERATION_TYPES) as WireType[];

/** An operation object as it goes into `data` of the request envelope. */
export interface WireOperation {
  type: WireType;
  id?: number | string;
  phone?: number;
  [field: string]: unknown;
}

export const isWireType = (value: unknown): value is WireType =>
  typeof value === 'string' && Object.hasOwn(OPERATION_TYPES, value);

/** The required and optional fields of an operation type, without `type` itself. */
export const wireFieldsOf = (type: WireType): Pick<OperationType, 'required' | 'optional'> => TYPES[type];

/**
 * The channels that an operation type tries, in order: one for a plain send, several for a send with fallback, none
 * where nothing is sent. Undefined for `pipeline`, whose objects list their channels themselves.
 */
export function channelsOf(type: WireType): readonly Channel[] | undefined {
  const { channels = [] } = TYPES[type];
  return channels === 'byItem' ? undefined : channels;
}

/** Whether an operation of this type sends something to a person, on whichever channel. */
export const sendsMessage = (type: WireType): boolean => channelsOf(type)?.length !== 0;

/** The sends that `status` knows: those on the channels that callbacks name (gateway-api.md, "Callback fields"). */
const KNOWN: readonly WireType[] = ['sms', 'viber', 'viber+sms', 'rcs', 'rcs+sms', 'rcs+viber+sms', 'voice'];

/** Whether `status` knows messages of this type. Of any other type, an absence proves nothing, and no message takes a Send Once Key. */
export const statusKnows = (type: WireType): boolean => KNOWN.includes(type);

/** Whether a failure on one channel of this operation type is followed by a try on the next. */
export const isFallbackType = (type: WireType): boolean => (channelsOf(type)?.length ?? 0) > 1;

const RULES = Object.fromEntries(
  WIRE_TYPES.map((type) => {
    const { required, optional, override } = TYPES[type];
    const ruleOf = (field: WireField, isRequired: boolean): [WireField, FieldRule] => [
      field,
      { schema: override?.[field] ?? FIELD_SCHEMAS[field], isRequired },
    ];
    const rules = [
      ...required.map((field) => ruleOf(field, true)),
      ...optional.map((field) => ruleOf(field, isViberContent(field))),
    ];
    return [type, Object.fromEntries(rules)];
  }),
) as Record<WireType, FieldRules>;

/** Returns the rules of the fields of an operation type. */
export const rulesOf = (type: WireType): FieldRules => RULES[type];

/** Whether the operation type has the field, required or optional. */
export const hasField = (type: WireType, field: string): boolean => Object.hasOwn(RULES[type], field);

/** The values of `viber_type` that an operation type accepts; empty where it has no Viber part. */
export const viberTypesOf = (type: WireType): readonly ViberType[] => TYPES[type].viberTypes ?? [];

/** Returns the channels that an operation tries, in order; none for a pipeline of which only id, number and type are still known. */
export const triedChannels = ({ type, pipeline }: WireOperation): readonly Channel[] =>
  channelsOf(type) ?? (pipeline as Channel[] | undefined) ?? [];

/** Returns the text that an operation would send as SMS, directly or as a fallback. */
export function smsTextOf(operation: WireOperation): string | undefined {
  if (!triedChannels(operation).includes('sms')) return undefined;
  const stage = operation.sms as { message?: unknown } | undefined;
  const text = operation.type === 'pipeline' ? stage?.message : operation.sms_message;
  return typeof text === 'string' ? text : undefined;
}
