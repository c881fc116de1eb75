import type { INodeProperties } from 'n8n-workflow';

import type { Channel } from '../../gateway/contract/channels';
import { channelOptions, PIPELINE_CHANNELS } from '../../gateway/contract/channels';
import { rulesOf } from '../../gateway/contract/operations';
import { OTP_DIGITS } from '../../gateway/contract/wire-fields';
import type { OtpKeys } from '../../gateway/otp/code';
import { CALL_DIGITS, purposeName } from '../../gateway/otp/code';
import { asEntries } from '../../gateway/text/json';
import { voice } from '../fields/channels';
import type { Get } from '../fields/field';
import { checked, InvalidParameter, quoted } from '../fields/field';
import { property, shownFor, wholeProperty } from '../fields/property';
import { PHONE_LABEL } from '../fields/target';
import { asMessage, asText } from '../fields/values';
import type { WholeNumber } from '../fields/property';
import { CHANNELS_LABEL, readChannels, senderProperties } from '../message-parts/by-channels';
import type { Run } from '../run/run';

/** How a code is sent: by a message on a channel, or by a call from a number that ends in the code. */
export type CodeChannel = Channel | 'call';

/** The channels whose message has words besides the code. */
const WITH_TEXT: readonly CodeChannel[] = PIPELINE_CHANNELS.filter((channel) => channel !== 'telegram');

const whole = (
  displayName: string,
  name: string,
  [usual, min, max]: [usual: number, min: number, max: number],
  description: string,
): WholeNumber => ({ displayName, name, default: usual, min, max, description });

export const CODE_LENGTH = whole(
  'Code Length',
  'codeLength',
  [6, OTP_DIGITS.min, OTP_DIGITS.max],
  `Number of digits: ${OTP_DIGITS.min} to ${OTP_DIGITS.max}`,
);
export const EXPIRES_IN = whole(
  'Expires In (Seconds)',
  'expiresIn',
  [300, 30, 3600],
  'How long the code is valid: 30 to 3600',
);
export const COOLDOWN = whole(
  'Cooldown (Seconds)',
  'cooldown',
  [30, 0, 3600],
  'Seconds before the same number gets another code',
);
export const PER_NUMBER_LIMIT = whole(
  'Limit per Number',
  'perNumberLimit',
  [5, 1, 100],
  'How many codes a number gets at most from one full hour to the next',
);
export const WORKFLOW_LIMIT = whole(
  'Limit per Workflow',
  'workflowLimit',
  [100, 1, 2000],
  'How many codes this workflow sends at most from one full hour to the next. Add it to each node that sends.',
);
export const MAX_ATTEMPTS = whole(
  'Max Attempts',
  'maxAttempts',
  [5, 1, 10],
  'How many codes may be tried for a challenge and its resends',
);
export const MAX_ATTEMPTS_PER_NUMBER = whole(
  'Max Attempts per Number',
  'maxAttemptsPerNumber',
  [10, 1, 100],
  'How many wrong codes may be tried for a number from one full hour to the next, over all its challenges',
);

/** SMS that a code is billed as: a stranger's name in the text may be of any length. */
export const MAX_PARTS = 3;

/** A field of the node that sent the code, by the name that n8n suggests for this node: behind a form page, `$json` holds the form. */
const ofSent = (label: string, field: string) => ({
  label,
  placeholder: `e.g. {{ $('Send one-time password').item.json.${field} }}`,
  drag: `Drag "${field}" from the output of the node that sent the code, and not from the form page between them.`,
});

/** The fields of Verify, by parameter: the label, an expression that works behind a form page, and where to get the value. */
export const VERIFIED_FIELDS = {
  challenge: ofSent('Challenge', 'challenge'),
  phone: ofSent(PHONE_LABEL, 'phone'),
  code: {
    label: 'Code',
    placeholder: 'e.g. {{ $json.code }}',
    drag: 'Drag the field that the person filled in from the output of the form or the webhook before this node, and make it a required field.',
  },
} as const;

export const RESEND_OPTION = property(
  VERIFIED_FIELDS.challenge.label,
  'challenge',
  'For a resend: the challenge of the earlier send',
  { placeholder: VERIFIED_FIELDS.challenge.placeholder },
);

export const PURPOSE_OPTION = property(
  'Purpose',
  'purpose',
  'What the code is for, in the same words in Send and Verify. A code for one purpose confirms no other. Empty: this workflow, so codes of other workflows are invalid.',
  { placeholder: 'e.g. login' },
);

/**
 * Returns the name of the purpose in the options of a node.
 * @throws InvalidParameter for a value that isn't text
 */
export const readPurpose = (keys: OtpKeys, { purpose }: Record<string, unknown>, { context }: Run): string =>
  purposeName(keys, asText(purpose, PURPOSE_OPTION.displayName), context.getWorkflow().id ?? '');

export const MESSAGE_LABEL = 'Message';
export const CODE_MARK = '{code}';
export const MINUTES_MARK = '{minutes}';
const CALL = {
  name: 'Call From a Number That Ends in the Code',
  value: 'call',
  description: `The last ${CALL_DIGITS} digits of the caller's number are the code. Only alone.`,
};

/** The form of a send, besides the phone number: each field is shown for the channels that need it. */
export const codeProperties: INodeProperties[] = [
  property(CHANNELS_LABEL, 'channels', 'Where the code is sent. Several are tried in this order.', {
    type: 'multiOptions',
    options: [...channelOptions(PIPELINE_CHANNELS), CALL].sort((a, b) => a.name.localeCompare(b.name)),
    default: ['sms'],
    required: true,
  }),
  property(
    MESSAGE_LABEL,
    'message',
    `Text with ${CODE_MARK} and, if wanted, ${MINUTES_MARK}. Telegram gets the code alone.`,
    {
      typeOptions: { rows: 2 },
      default: `Your code is ${CODE_MARK}. It is valid for ${MINUTES_MARK} minutes.`,
      required: true,
      ...shownFor({ channels: [...WITH_TEXT] }),
    },
  ),
  ...senderProperties,
  ...voice
    .properties('voice')
    .map((part) => ({ ...part, required: true, ...shownFor({ channels: ['voice'] }) })),
  { ...wholeProperty(CODE_LENGTH), ...shownFor({ channels: [...PIPELINE_CHANNELS] }) },
  wholeProperty(EXPIRES_IN),
];

/**
 * Returns the channels in trial order.
 * @throws InvalidParameter for all but different channels, or `call` alone
 */
export function readCodeChannels(get: Get): CodeChannel[] {
  const value = get('channels') ?? ['sms'];
  return asEntries(value).join() === 'call'
    ? ['call']
    : readChannels(value, PIPELINE_CHANNELS, ', or call alone');
}

/**
 * Returns the text with the marks of the code and of the minutes; empty where no channel has a text.
 * @throws InvalidParameter for a text without the mark of the code, and for one that the contract doesn't accept
 */
export function readMessage(get: Get, channels: readonly CodeChannel[]): string {
  if (!channels.some((channel) => WITH_TEXT.includes(channel))) return '';
  const text = asMessage(get('message'), MESSAGE_LABEL) ?? '';
  if (text.includes(CODE_MARK)) return checked(MESSAGE_LABEL, text, rulesOf('sms').sms_message);
  throw new InvalidParameter(quoted(MESSAGE_LABEL), `text that contains ${CODE_MARK}`, text);
}
