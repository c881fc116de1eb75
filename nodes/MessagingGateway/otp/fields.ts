import type { INodeProperties } from 'n8n-workflow';

import { channelOptions, PIPELINE_CHANNELS } from '../../gateway/contract/channels';
import type { Channel } from '../../gateway/contract/channels';
import { OTP_DIGITS } from '../../gateway/contract/limits';
import { CALL_DIGITS } from '../../gateway/otp/code';
import type { Field, FieldProperty, Get } from '../fields/field';
import { InvalidParameter, quoted } from '../fields/field';
import { phone } from '../fields/target';
import { asText } from '../fields/values';
import { voice } from '../fields/voice';
import type { WholeNumber } from '../fields/whole-number';
import { readWhole, wholeProperty } from '../fields/whole-number';
import { SENDERS } from '../sending/by-channels';

/** A channel of a code: one that takes a message, or the call from a number that ends in the code. */
export type CodeChannel = Channel | 'call';

const CHANNEL_VALUES: readonly CodeChannel[] = [...PIPELINE_CHANNELS, 'call'];
const CHANNELS_LABEL = 'Channels';

/** The channels whose message has words besides the code. */
const WITH_TEXT = PIPELINE_CHANNELS.filter((channel) => channel !== 'telegram');

export const hasText = (channel: CodeChannel): boolean => WITH_TEXT.some((one) => one === channel);

const CODE_LENGTH: WholeNumber = {
  displayName: 'Code Length',
  name: 'codeLength',
  default: 6,
  ...OTP_DIGITS,
  description: `Number of digits: ${OTP_DIGITS.min} to ${OTP_DIGITS.max}`,
};
const EXPIRES_IN: WholeNumber = {
  displayName: 'Expires In (Seconds)',
  name: 'expiresIn',
  default: 300,
  min: 30,
  max: 3600,
  description: 'How long the code is valid: 30 to 3600',
};
export const COOLDOWN: WholeNumber = {
  displayName: 'Cooldown (Seconds)',
  name: 'cooldown',
  default: 30,
  min: 0,
  max: 3600,
  description: 'Seconds before the same number gets another code',
};
export const PER_NUMBER_LIMIT: WholeNumber = {
  displayName: 'Limit per Number',
  name: 'perNumberLimit',
  default: 5,
  min: 1,
  max: 100,
  description: 'How many codes a number gets within an hour at most',
};
export const WORKFLOW_LIMIT: WholeNumber = {
  displayName: 'Limit per Workflow',
  name: 'workflowLimit',
  default: 100,
  min: 1,
  max: 2000,
  description:
    'How many codes all nodes of this workflow send within an hour at most. Their smallest limit holds.',
};
export const MAX_ATTEMPTS: WholeNumber = {
  displayName: 'Max Attempts',
  name: 'maxAttempts',
  default: 5,
  min: 1,
  max: 10,
  description: 'How many codes may be tried for a challenge and its resends',
};
export const MAX_ATTEMPTS_PER_NUMBER: WholeNumber = {
  displayName: 'Max Attempts per Number',
  name: 'maxAttemptsPerNumber',
  default: 10,
  min: 1,
  max: 100,
  description: 'How many wrong codes may be tried for a number within an hour, over all its challenges',
};

const CHALLENGE_LABEL = 'Challenge';
/** The name that n8n suggests for the node that sends. Behind a form page, `$json` is that page's output. */
const SENT = "$('Send one-time password').item.json";

/** What Verify takes, by parameter: its label, an expression that works behind a form page, and where to get it. */
export const VERIFIED_FIELDS = {
  challenge: {
    label: CHALLENGE_LABEL,
    placeholder: `e.g. {{ ${SENT}.challenge }}`,
    drag: 'Drag "challenge" from the output of the node that sent the code, and not from the form page between them.',
  },
  phone: {
    label: phone.displayName,
    placeholder: `e.g. {{ ${SENT}.phone }}`,
    drag: 'Drag "phone" from the output of the node that sent the code, and not from the form page between them.',
  },
  code: {
    label: 'Code',
    placeholder: 'e.g. {{ $json.code }}',
    drag: 'Drag the field that the person filled in from the output of the form or the webhook before this node, and make it a required field.',
  },
} as const;

/** The option that makes a send a resend. */
export const RESEND_OPTION: INodeProperties = {
  displayName: CHALLENGE_LABEL,
  name: 'challenge',
  type: 'string',
  default: '',
  placeholder: VERIFIED_FIELDS.challenge.placeholder,
  description: 'For a resend: the challenge of the earlier send',
};

export const MESSAGE_LABEL = 'Message';
export const CODE_MARK = '{code}';
export const MINUTES_MARK = '{minutes}';

const shownFor = (properties: FieldProperty[], channels: readonly CodeChannel[]): INodeProperties[] =>
  properties.map((property) => ({
    ...property,
    required: true,
    displayOptions: { show: { channels: [...channels] } },
  }));

/** The form of a send, besides the phone number: each field is shown for the channels that need it. */
export const codeProperties: INodeProperties[] = [
  {
    displayName: CHANNELS_LABEL,
    name: 'channels',
    type: 'multiOptions',
    options: [
      ...channelOptions(PIPELINE_CHANNELS),
      {
        name: 'Call From a Number That Ends in the Code',
        value: 'call',
        description: `The last ${CALL_DIGITS} digits of the caller's number are the code. Only alone.`,
      },
    ].sort((a, b) => a.name.localeCompare(b.name)),
    default: ['sms'],
    required: true,
    description: 'Where the code is sent. Several are tried in this order.',
  },
  ...shownFor(
    [
      {
        displayName: MESSAGE_LABEL,
        name: 'message',
        type: 'string',
        typeOptions: { rows: 2 },
        default: `Your code is ${CODE_MARK}. It is valid for ${MINUTES_MARK} minutes.`,
        description: `Text with ${CODE_MARK} and, if wanted, ${MINUTES_MARK}. Telegram gets the code alone.`,
      },
    ],
    WITH_TEXT,
  ),
  ...Object.entries(SENDERS).flatMap(([channel, field]: [string, Field]) =>
    shownFor(field.properties('sms'), [channel as CodeChannel]),
  ),
  ...shownFor(voice.properties('voice'), ['voice']),
  { ...wholeProperty(CODE_LENGTH), displayOptions: { show: { channels: [...PIPELINE_CHANNELS] } } },
  wholeProperty(EXPIRES_IN),
];

/**
 * Returns the channels of an item, in trial order.
 * @throws InvalidParameter for anything but a list of different channels, with `call` alone
 */
export function readChannels(get: Get): CodeChannel[] {
  const value = get('channels') ?? ['sms'];
  const list: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  const channels = list.map((one) => (typeof one === 'string' ? one.trim() : one));
  const isKnown = (one: unknown): one is CodeChannel => CHANNEL_VALUES.some((known) => known === one);
  const isAlone = !channels.includes('call') || channels.length === 1;
  if (
    channels.length > 0 &&
    channels.every(isKnown) &&
    isAlone &&
    new Set(channels).size === channels.length
  ) {
    return channels;
  }
  const accepted = `a list of ${PIPELINE_CHANNELS.join(', ')}, each at most once, or call alone`;
  throw new InvalidParameter(quoted(CHANNELS_LABEL), accepted, value);
}

/** Returns the number of digits of an item's code; the gateway chooses that of a call. */
export const readCodeLength = (get: Get, channels: readonly CodeChannel[]): number =>
  channels.includes('call') ? CALL_DIGITS : readWhole(CODE_LENGTH, get);

/** Returns how long an item's code is valid, in seconds. */
export const readExpiresIn = (get: Get): number => readWhole(EXPIRES_IN, get);

/**
 * Returns the text of an item; empty where no channel has one.
 * @throws InvalidParameter for a text without the place of the code
 */
export function readMessage(get: Get, channels: readonly CodeChannel[]): string {
  if (!channels.some(hasText)) return '';
  const text = asText(get('message'), MESSAGE_LABEL);
  if (text?.includes(CODE_MARK)) return text;
  throw new InvalidParameter(quoted(MESSAGE_LABEL), `text that contains ${CODE_MARK}`, text);
}
