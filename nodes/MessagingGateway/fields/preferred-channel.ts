import type { INodeProperties } from 'n8n-workflow';

import type { Channel } from '../../gateway/contract/channels';
import { channelOptions, CHANNELS, PIPELINE_CHANNELS } from '../../gateway/contract/channels';
import { InvalidParameter, quoted } from './field';
import { asTrimmed } from './values';

export const PREFERRED_CHANNEL: INodeProperties = {
  displayName: 'Preferred Channel',
  name: 'preferredChannel',
  type: 'options',
  options: channelOptions(PIPELINE_CHANNELS),
  default: 'viber',
  description:
    'Channel to try first, for example from a column of each row. The others keep their order. Empty, or none of the channels above: the order above.',
};

/** Returns the channel that a text means, by its word or its label, in any case; undefined where it means none. */
const channelNamed = (text: string): Channel | undefined => {
  const word = text.trim().toLowerCase();
  return PIPELINE_CHANNELS.find((channel) => [channel, CHANNELS[channel].toLowerCase()].includes(word));
};

/**
 * Returns the channels of a pipeline with the preferred one of the options in front, where it is among them.
 * @throws InvalidParameter for a text that is no channel
 */
export function preferredFirst(
  channels: readonly Channel[],
  { [PREFERRED_CHANNEL.name]: given }: Record<string, unknown>,
): Channel[] {
  const text = asTrimmed(given, PREFERRED_CHANNEL.displayName);
  if (text === undefined) return [...channels];
  const preferred = channelNamed(text);
  if (preferred === undefined)
    throw new InvalidParameter(
      quoted(PREFERRED_CHANNEL.displayName),
      `one of ${PIPELINE_CHANNELS.join(', ')}, or empty`,
      given,
    );
  if (!channels.includes(preferred)) return [...channels];
  return [preferred, ...channels.filter((channel) => channel !== preferred)];
}
