import type { INodeProperties } from 'n8n-workflow';

import type { PipelineChannel } from '../../gateway/contract/channels';
import { PIPELINE_CHANNELS, VIBER_TYPES } from '../../gateway/contract/channels';
import { OTP_DIGITS } from '../../gateway/contract/limits';
import type { Field, FieldProperty } from './field';
import { InvalidParameter, quoted } from './field';
import { asText } from './values';
import { viberTypeOptions } from './viber';
import { readVoice, voiceLabel, voiceProperties } from './voice';

const PIPELINE_LABEL = 'Channels';
const CHANNEL_LABEL = 'Channel';
const CHANNEL_NAMES: Record<PipelineChannel, string> = {
  voice: 'Voice Call',
  telegram: 'Telegram',
  viber: 'Viber',
  rcs: 'RCS',
  sms: 'SMS',
  whatsapp: 'WhatsApp',
};
const LABELS: Record<string, string> = {
  message: 'Text',
  signature: 'Sender',
  type: 'Viber Message Type',
};
const TELEGRAM_LABEL = 'One-Time Password';
const SPEECH_LABEL = 'Text to Speak';

type Stage = Record<string, unknown>;

/** What a stage takes from its parameters, by channel; undefined values are left out of the wire object. */
const READERS: Record<PipelineChannel, (get: (name: string) => unknown) => Stage> = {
  sms: textAndSender,
  rcs: textAndSender,
  whatsapp: textAndSender,
  telegram: (get) => ({ message: asText(get('message'), TELEGRAM_LABEL) }),
  viber: (get) => ({ ...textAndSender(get), type: asText(get('viberType') ?? 'text', LABELS.type) }),
  voice: (get) => ({ ...readVoice(get), message: asText(get('message'), SPEECH_LABEL) }),
};

function textAndSender(get: (name: string) => unknown): Stage {
  return {
    message: asText(get('message'), LABELS.message),
    signature: asText(get('signature'), LABELS.signature)?.trim(),
  };
}

const shownFor = (channels: PipelineChannel[], property: FieldProperty, required: boolean): INodeProperties => ({
  ...property,
  ...(required && { required }),
  displayOptions: { show: { channel: channels } },
});

const text = (displayName: string, name: string, rest: Partial<FieldProperty>): FieldProperty => ({
  displayName,
  name,
  type: 'string',
  default: '',
  ...rest,
});

const stageProperties: INodeProperties[] = [
  {
    displayName: CHANNEL_LABEL,
    name: 'channel',
    type: 'options',
    options: PIPELINE_CHANNELS.map((value) => ({ name: CHANNEL_NAMES[value], value })).sort((a, b) =>
      a.name.localeCompare(b.name),
    ),
    default: 'sms',
    description: 'The channel that is tried at this place. Each channel can be used once.',
  },
  shownFor(
    ['sms', 'viber', 'rcs', 'whatsapp'],
    text(LABELS.message, 'message', {
      typeOptions: { rows: 3 },
      placeholder: 'e.g. Your order is ready',
      description: 'Text of the message on this channel',
    }),
    true,
  ),
  shownFor(
    ['telegram'],
    text(TELEGRAM_LABEL, 'message', {
      placeholder: 'e.g. 482913',
      description: `The password to send: ${OTP_DIGITS.min} to ${OTP_DIGITS.max} digits, without other text`,
    }),
    true,
  ),
  shownFor(
    ['sms', 'viber', 'rcs', 'whatsapp'],
    text(LABELS.signature, 'signature', {
      placeholder: 'e.g. TestSender',
      description: 'Sender name that the recipient sees. It must be approved for your account.',
    }),
    true,
  ),
  shownFor(
    ['viber'],
    {
      displayName: LABELS.type,
      name: 'viberType',
      type: 'options',
      options: viberTypeOptions(VIBER_TYPES),
      default: 'text',
      description: 'What the Viber message consists of',
    },
    true,
  ),
  ...voiceProperties.map((property) => shownFor(['voice'], property, true)),
  shownFor(
    ['voice'],
    text(SPEECH_LABEL, 'message', {
      typeOptions: { rows: 3 },
      description: 'Text that is read out. Leave empty where your gateway takes the text from another channel.',
    }),
    false,
  ),
];

/** The stages of a pipeline, in trial order: `pipeline` and one object for each of its channels. */
export const pipeline: Field = {
  wire: 'pipeline',
  displayName: PIPELINE_LABEL,
  properties: () => [
    {
      displayName: PIPELINE_LABEL,
      name: 'pipeline',
      type: 'fixedCollection',
      typeOptions: { multipleValues: true, sortable: true, multipleValueButtonText: 'Add Channel' },
      default: {},
      placeholder: 'Add Channel',
      description: 'The channels in the order in which they are tried. Drag them to change the order.',
      options: [{ displayName: CHANNEL_LABEL, name: 'stages', values: stageProperties }],
    },
  ],
  read(get) {
    const collection = get('pipeline') as { stages?: unknown } | undefined;
    const stages = collection?.stages ?? [];
    if (!Array.isArray(stages)) {
      throw new InvalidParameter(quoted(PIPELINE_LABEL), 'a list of channels', stages);
    }
    const channels = stages.map((stage) => readChannel(stage as Stage));
    const objects = stages.map((stage, i) => [channels[i], readStage(channels[i], stage as Stage)]);
    return { pipeline: channels, ...Object.fromEntries(objects) };
  },
  describe([channel, key]) {
    if (typeof channel !== 'string') return undefined;
    const place = CHANNEL_NAMES[channel as PipelineChannel] ?? channel;
    return key === undefined
      ? `The channel ${place} in ${quoted(PIPELINE_LABEL)}`
      : `${quoted(stageLabel(channel, key))} of the channel ${place} in ${quoted(PIPELINE_LABEL)}`;
  },
};

function stageLabel(channel: string, key: string | number): string {
  if (channel === 'telegram') return TELEGRAM_LABEL;
  if (channel === 'voice') return voiceLabel(key) ?? SPEECH_LABEL;
  return LABELS[key] ?? String(key);
}

function readChannel(stage: Stage): PipelineChannel {
  const channel = stage?.channel ?? 'sms';
  const known = PIPELINE_CHANNELS.find((value) => value === channel);
  if (known) return known;
  throw new InvalidParameter(
    `${quoted(CHANNEL_LABEL)} in ${quoted(PIPELINE_LABEL)}`,
    `one of ${PIPELINE_CHANNELS.join(', ')}`,
    channel,
  );
}

function readStage(channel: PipelineChannel, stage: Stage): Stage {
  const values = READERS[channel]((name) => stage[name]);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
