import type { INodeProperties } from 'n8n-workflow';

import type { Channel } from '../../gateway/contract/channels';
import { channelNamed, channelOptions, CHANNELS, PIPELINE_CHANNELS } from '../../gateway/contract/channels';
import type { WireOperation } from '../../gateway/contract/operations';
import { triedChannels } from '../../gateway/contract/operations';
import type { FieldRules } from '../../gateway/contract/wire-fields';
import { rulesIn, stageSchemas } from '../../gateway/contract/wire-fields';
import { telegramMessage, voiceFields } from './channels';
import type { Field } from './field';
import { checked, InvalidParameter, quoted, readEntry } from './field';
import { messageField, senderField } from './make-field';
import { entriesIn, property, shownFor } from './property';
import { asText } from './values';
import { VIBER_TYPE_LABEL } from './viber';

export const PREFERRED_CHANNEL: INodeProperties = {
  displayName: 'Preferred Channel',
  name: 'preferredChannel',
  type: 'options',
  options: channelOptions(PIPELINE_CHANNELS),
  default: 'viber',
  description:
    'Channel to try first, for example from a column of each row. The others keep their order. Empty, or a channel that is not among those above: the order above.',
};

/**
 * Returns the channels of a pipeline with the preferred one of the options in front, where it is among them.
 * @throws InvalidParameter for a text that is no channel
 */
export function preferredFirst(
  channels: readonly Channel[],
  { [PREFERRED_CHANNEL.name]: given }: Record<string, unknown>,
): Channel[] {
  if (asText(given, PREFERRED_CHANNEL.displayName) === undefined) return [...channels];
  const preferred = channelNamed(given);
  if (preferred === undefined)
    throw new InvalidParameter(
      quoted(PREFERRED_CHANNEL.displayName),
      `one of ${PIPELINE_CHANNELS.join(', ')}, or empty`,
      given,
    );
  if (!channels.includes(preferred)) return [...channels];
  return [preferred, ...channels.filter((channel) => channel !== preferred)];
}

const PIPELINE_LABEL = 'Channels';
const CHANNEL_LABEL = 'Channel';

/** The channel of a stage that names none. Never change this channel: n8n saves workflows without defaults. */
export const USUAL_CHANNEL = 'sms' satisfies Channel;

const TEXT = messageField('Text', 'message', 'Text of the message on this channel', {
  placeholder: 'e.g. Your order is ready',
  typeOptions: { rows: 3 },
});

const SENDER = senderField('Sender', 'signature', 'searchStageSenders');

const SPEECH = messageField(
  'Text to Speak',
  'message',
  'Text to read aloud. Leave empty if your gateway takes the text from another channel.',
  { typeOptions: { rows: 3 } },
);

/**
 * The contract's stage has no fields for more than text, so the form doesn't ask for the type; a workflow that names
 * another is refused.
 */
const VIBER_TYPE: Field<string> = {
  wire: 'type',
  properties: () => [{ displayName: VIBER_TYPE_LABEL, name: 'viberType', type: 'hidden', default: 'text' }],
  fill(stage, get) {
    stage.type = get('viberType') ?? 'text';
    if (stage.type === 'text') return;
    throw new InvalidParameter(quoted(VIBER_TYPE_LABEL), '"text"', stage.type);
  },
};

/** The fields of a stage by channel, in form order. */
const STAGES: Record<Channel, ReadonlyArray<Field<string>>> = {
  voice: [...voiceFields, SPEECH],
  telegram: [telegramMessage],
  viber: [SENDER, TEXT, VIBER_TYPE],
  rcs: [SENDER, TEXT],
  sms: [SENDER, TEXT],
  whatsapp: [SENDER, TEXT],
};

/** The rules of the contract for the objects of the channels. */
export const STAGE_RULES = Object.fromEntries(
  PIPELINE_CHANNELS.map((channel) => [channel, rulesIn(stageSchemas[channel])]),
) as Record<Channel, FieldRules>;

const stageFields = Array.from(new Set(PIPELINE_CHANNELS.flatMap((channel) => STAGES[channel])));

const stageProperties: INodeProperties[] = [
  property(CHANNEL_LABEL, 'channel', 'Channel to try at this position. Each channel can be used once.', {
    type: 'options',
    options: channelOptions(PIPELINE_CHANNELS),
    default: USUAL_CHANNEL,
  }),
  ...stageFields.flatMap((field) => {
    const channel = PIPELINE_CHANNELS.filter((name) => STAGES[name].includes(field));
    const required = channel.every((name) => STAGE_RULES[name][field.wire].isRequired);
    const shown = { ...(required && { required }), ...shownFor({ channel }) };
    return field.properties('pipeline').map((property): INodeProperties => ({ ...property, ...shown }));
  }),
];

/** The stages of a new node. */
const USUAL_STAGES = [{ channel: 'viber' }, { channel: USUAL_CHANNEL }];

/** The name of the stage's channel, where n8n's editor has titles for such entries. */
const STAGE_TITLE =
  '={{ $collection.item.properties[0].options.find((one) => one.value === $collection.item.value.channel)?.name }}';

/** The stages of a pipeline, in the order of the attempts: `pipeline`, and one object for each of its channels. */
export const pipeline: Field = {
  wire: 'pipeline',
  properties: () => [
    property(
      PIPELINE_LABEL,
      'pipeline',
      'Channels in the order in which they are tried. Drag to reorder. Voice is recommended for one-time passwords alone; SMS and Viber are for these and for transactional messages.',
      {
        type: 'fixedCollection',
        typeOptions: {
          multipleValues: true,
          sortable: true,
          multipleValueButtonText: 'Add Channel',
          fixedCollection: { itemTitle: STAGE_TITLE },
        },
        default: { stages: USUAL_STAGES },
        placeholder: 'Add Channel',
        options: [{ displayName: CHANNEL_LABEL, name: 'stages', values: stageProperties }],
      },
    ),
  ],
  fill(operation, get, rules, options = {}) {
    const stages = entriesIn(get('pipeline') ?? [], 'stages', PIPELINE_LABEL, 'a list of channels');
    const read = stages.map(readStage);
    const channels = read.map(([channel]) => channel);
    const order = preferredFirst(checked(PIPELINE_LABEL, channels, rules.pipeline), options);
    const stageOf = new Map(read);
    Object.assign(
      operation,
      pipelineOf(order, (channel) => stageOf.get(channel)),
    );
  },
};

/** Returns the fields of a pipeline: its channels in trial order, and the object of each channel (gateway-api.md, "Pipelines"). */
export const pipelineOf = (
  channels: readonly Channel[],
  stageOf: (channel: Channel) => unknown,
): Record<string, unknown> => ({
  pipeline: channels,
  ...Object.fromEntries(channels.map((channel) => [channel, stageOf(channel)])),
});

/** Returns the senders of an operation, each with its channel; none where only its id, number and type are known any more. */
export const sendersOf = (operation: WireOperation): string[] =>
  triedChannels(operation).flatMap((channel) => {
    const { signature } = (operation[channel] ?? {}) as { signature?: unknown };
    const name = operation[`${channel}_signature`] ?? signature;
    return typeof name === 'string' ? [`"${name}" (${CHANNELS[channel]})`] : [];
  });

function readStage(
  stage: Record<string, unknown>,
  index: number,
): [channel: Channel, object: Record<string, unknown>] {
  const given = stage.channel ?? USUAL_CHANNEL;
  const channel = channelNamed(given);
  if (channel === undefined) {
    const place = `at position ${index + 1} of ${quoted(PIPELINE_LABEL)}`;
    const accepted = `one of ${PIPELINE_CHANNELS.join(', ')}`;
    throw new InvalidParameter(`${quoted(CHANNEL_LABEL)} ${place}`, accepted, given);
  }
  const place = `of channel ${index + 1} (${CHANNELS[channel]}) in ${quoted(PIPELINE_LABEL)}`;
  return [
    channel,
    readEntry(STAGES[channel], stage, STAGE_RULES[channel], [place, `pipeline.stages.${index}.`]),
  ];
}
