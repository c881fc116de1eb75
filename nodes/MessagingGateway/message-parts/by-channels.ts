import type { INodeProperties } from 'n8n-workflow';

import type { Channel } from '../../gateway/contract/channels';
import { channelName, channelNamed, repeatedChannel } from '../../gateway/contract/channels';
import type { WireOperation, WireType } from '../../gateway/contract/operations';
import { hasField, rulesOf } from '../../gateway/contract/operations';
import type { stageSchemas, WireField } from '../../gateway/contract/wire-fields';
import { asEntries } from '../../gateway/text/json';
import { rcsSignature, smsSignature, voice, voiceFields, whatsappSignature } from '../fields/channels';
import { checked, InvalidParameter, quoted, readFields } from '../fields/field';
import type { Get } from '../fields/field';
import type { LabelledField } from '../fields/make-field';
import { pipelineOf, STAGE_RULES } from '../fields/pipeline';
import { shownFor } from '../fields/property';
import { asLocated } from '../fields/values';
import { viberSignature } from '../fields/viber';

/** A channel whose messages name a sender. */
export type SenderChannel = {
  [C in Channel]: 'signature' extends keyof (typeof stageSchemas)[C]['shape'] ? C : never;
}[Channel];

/** The sender of each channel that has one; the parameter is called `<channel>Signature`. */
const SENDERS: Record<SenderChannel, LabelledField> = {
  sms: smsSignature,
  viber: viberSignature,
  rcs: rcsSignature,
  whatsapp: whatsappSignature,
};

/** The channels whose messages name a sender, each of which carries any text. */
export const SENDER_CHANNELS = Object.keys(SENDERS) as SenderChannel[];

/** The form properties of the senders: each is shown, and required, where its channel is chosen. */
export const senderProperties: INodeProperties[] = SENDER_CHANNELS.flatMap((channel) =>
  SENDERS[channel]
    .properties('sms')
    .map((sender) => ({ ...sender, required: true, ...shownFor({ channels: [channel] }) })),
);

export const CHANNELS_LABEL = 'Channels';

/**
 * Returns channels in trial order.
 * @throws InvalidParameter, ending in `more`, for none, unknown and repeated ones
 */
export function readChannels<C extends Channel>(value: unknown, accepted: readonly C[], more = ''): C[] {
  const named = asEntries(value).map((one) => channelNamed(one) ?? one);
  const channels = accepted.filter((channel) => named.includes(channel));
  if (channels.length > 0 && channels.length === named.length) return named as C[];
  throw new InvalidParameter(
    quoted(CHANNELS_LABEL),
    `one or several of ${accepted.map(channelName).join(', ')}, each once${more}`,
    value,
    { reason: repeatedChannel(named) },
  );
}

export interface Wording {
  text: string;

  /** Where Viber has an operation of its own: a button, and the text beside it. */
  button?: { text: string; caption: string; link: string };

  /** The text as a voice reads it, for the channel "voice". */
  spoken?: string;

  /** The code, for the channel "telegram" (gateway-api.md, "Pipelines"). */
  code?: string;
}

interface ChannelMessage {
  type: WireType;
  id: number | string;
  phone: number;

  /** In trial order. */
  channels: readonly Channel[];
  wording: Wording;

  /** Optional wire fields; fields that the operation type lacks are left out. */
  optional: Partial<Record<WireField, unknown>>;
}

/** The operation type of codes and questions on each channel, and on channels with a type together (gateway-api.md, "Operation types"). */
const TYPES: Record<Channel, WireType> & Record<string, WireType> = {
  voice: 'voice',
  telegram: 'telegram',
  viber: 'viber',
  // Each type with RCS requires a picture.
  rcs: 'pipeline',
  sms: 'sms',
  whatsapp: 'pipeline',
  'viber,sms': 'viber+sms',
};

/** Returns the operation type of channels in trial order. */
export const wireTypeFor = (channels: readonly Channel[]): WireType => TYPES[channels.join()] ?? 'pipeline';

/**
 * Builds the operation of a message whose parts the contract accepts; `read` reads senders and voice.
 * @throws InvalidParameter for a sender or a voice that a channel needs, and the contract doesn't accept
 */
export function buildByChannels(message: ChannelMessage, read: Get): WireOperation {
  const { type, id, phone: number, channels, wording, optional } = message;
  const words =
    type === 'pipeline'
      ? pipelineOf(channels, (one) => stageOf(one, wording, read))
      : Object.fromEntries(channels.flatMap((one) => Object.entries(aloneOn(one, wording, read))));
  const known = Object.entries(optional).filter(([field]) => hasField(type, field));
  return { type, id, phone: number, ...words, ...Object.fromEntries(known) };
}

/** The wire fields of a channel outside a pipeline: `<channel>_signature` and `<channel>_message`, except on some channels. */
function aloneOn(
  channel: Channel,
  { text, button, spoken, code }: Wording,
  read: Get,
): Record<string, unknown> {
  if (channel === 'telegram') return { message: code };
  if (channel === 'voice')
    return { message: spoken, dtmf: false, ...readFields([voice], read, rulesOf('voice')) };
  const sender = hasSender(channel) && { [`${channel}_signature`]: senderOf(channel, read) };
  if (channel !== 'viber') return { ...sender, [`${channel}_message`]: text };
  return {
    ...sender,
    ...(button
      ? {
          viber_type: 'text+link',
          viber_message: button.text,
          viber_button: button.caption,
          viber_link: button.link,
        }
      : { viber_type: 'text', viber_message: text }),
  };
}

/** The object of a channel in a pipeline. */
function stageOf(channel: Channel, { text, spoken, code }: Wording, read: Get): Record<string, unknown> {
  if (channel === 'telegram') return { message: code };
  if (channel === 'voice') return { message: spoken, ...readFields(voiceFields, read, STAGE_RULES.voice) };
  const stage = { message: text, ...(hasSender(channel) && { signature: senderOf(channel, read) }) };
  return channel === 'viber' ? { ...stage, type: 'text' } : stage;
}

const hasSender = (channel: Channel): channel is SenderChannel => channel in SENDERS;

/**
 * Reads the sender of a channel.
 * @throws InvalidParameter for a sender that the contract doesn't accept (gateway-api.md, "Fields")
 */
export function senderOf(channel: SenderChannel, read: Get): unknown {
  const { displayName } = SENDERS[channel];
  const sender = asLocated(read(`${channel}Signature`), displayName);
  return checked(displayName, sender, STAGE_RULES[channel].signature);
}
