import type { Channel } from '../../gateway/contract/channels';
import { channelOptions } from '../../gateway/contract/channels';
import { InvalidParameter, quoted } from '../fields/field';

/** The channels on which a person can be asked: those that carry a text with a link. */
const APPROVAL_CHANNELS = ['viber', 'sms', 'rcs', 'whatsapp'] as const satisfies readonly Channel[];
export type ApprovalChannel = (typeof APPROVAL_CHANNELS)[number];

export const APPROVAL_CHANNELS_LABEL = 'Channels';

export const approvalChannelOptions = channelOptions(APPROVAL_CHANNELS);

const isApprovalChannel = (value: unknown): value is ApprovalChannel =>
  APPROVAL_CHANNELS.some((channel) => channel === value);

/**
 * Reads the channels in trial order.
 * @throws InvalidParameter for none, an unknown one and a repeated one
 */
export function readApprovalChannels(value: unknown): ApprovalChannel[] {
  const given: unknown[] = Array.isArray(value) ? value : [value];
  const channels = given.filter(isApprovalChannel);
  const isEach = channels.length === given.length && new Set(given).size === given.length;
  if (isEach && channels.length > 0) return channels;
  throw new InvalidParameter(
    quoted(APPROVAL_CHANNELS_LABEL),
    `one or several of ${APPROVAL_CHANNELS.join(', ')}, each once`,
    value,
  );
}

/** The operation types that carry a question (gateway-api.md, "Operation objects by `type`"). */
export type ApprovalWireType = 'sms' | 'viber' | 'viber+sms' | 'pipeline';

const OWN_TYPES: Record<string, ApprovalWireType> = { sms: 'sms', viber: 'viber', 'viber,sms': 'viber+sms' };

/**
 * Returns the operation type for channels: one with a button on Viber where there is one, otherwise a pipeline. The
 * types with RCS require a picture, so RCS goes through a pipeline; WhatsApp exists nowhere else.
 */
export const wireTypeFor = (channels: readonly ApprovalChannel[]): ApprovalWireType =>
  OWN_TYPES[channels.join(',')] ?? 'pipeline';
