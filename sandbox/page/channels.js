import { textOf } from './dom.js';

/** Channels: names as people write them, and whether a recipient can be seen to read there or can answer. */
const CHANNELS = {
  sms: { name: 'SMS', reads: false, answers: true },
  viber: { name: 'Viber', reads: true, answers: true },
  rcs: { name: 'RCS', reads: true, answers: true },
  telegram: { name: 'Telegram', reads: true, answers: true },
  whatsapp: { name: 'WhatsApp', reads: true, answers: true },
  voice: { name: 'Voice call', reads: false, answers: false },
  call: { name: 'Code call', reads: false, answers: false },
};

/** The name of a channel as people write it. */
export function channelName(channel) {
  return CHANNELS[channel]?.name ?? textOf(channel);
}

/** Whether a read receipt exists on a channel: not for SMS and calls. */
export function canBeRead(channel) {
  return CHANNELS[channel]?.reads ?? true;
}

/** Whether a recipient can write back on a channel: not in calls. */
export function canBeAnswered(channel) {
  return CHANNELS[channel]?.answers ?? true;
}

/**
 * What to know about an answer on a channel; nothing for Viber, on which gateways are known to pass answers on. The contract
 * lists "replies to the message" and says of no other channel that there are any.
 */
export function noteOnAnswers(channel) {
  if (channel === 'viber') return undefined;
  return `The contract doesn’t promise answers to ${channelName(channel)}: your provider may never report them.`;
}

/** The channel that is tried when the current one fails; undefined for the last one. */
export function nextChannel({ channels, channel }) {
  return channels[channels.indexOf(channel) + 1];
}

/** The sender's name on a channel of a message. */
export function senderOf({ operation, type }, channel) {
  const name = type === 'pipeline' ? operation[channel]?.signature : operation[`${channel}_signature`];
  return textOf(name);
}

/** The words of a message on the channel that it is on, in one line. */
export function wordsOf({ operation, type, channel, code }) {
  if (channel === 'call') return `Code ${code}`;
  const stage = type === 'pipeline' ? operation[channel] : undefined;
  const words = stage?.message ?? operation[`${channel}_message`] ?? operation.message;
  return textOf(words ?? operation.viber_type ?? channelName(channel));
}
