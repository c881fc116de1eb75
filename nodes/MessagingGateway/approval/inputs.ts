import type { INodeProperties } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import type { Channel } from '../../gateway/contract/channels';
import type { Country } from '../../gateway/contract/countries';
import { parsePhone } from '../../gateway/contract/phone';
import { InvalidParameter, quoted } from '../fields/field';
import { asNumber } from '../fields/values';
import { LIMIT_UNITS } from '../waiting/settings';
import { inValues } from './parts';

/** What the parameters of an approval say: whom to ask, on which channels, for how long, and which replies decide. */

export const RECIPIENTS_LABEL = 'Phone Number';

/** Most people to ask at once: each of them costs a message. */
const MOST_RECIPIENTS = 50;
const ACCEPTED = 'one or several phone numbers in international format, separated by commas';

/** The entries of a list, or of text with commas, semicolons or line breaks. */
function entriesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(entriesOf);
  if (typeof value !== 'string') return value === undefined || value === null ? [] : [value];
  return value
    .split(/[,;\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/**
 * Reads the numbers of the people to ask: text or a list, of numbers as people write them in the country `home`. Returns
 * each number once, in order (gateway-api.md: digits only).
 * @throws InvalidParameter for a number that can't be one, for none, and for too many
 */
export function readRecipients(value: unknown, home?: Country): number[] {
  const phones = entriesOf(value).map((entry) => {
    const result = parsePhone(entry, home);
    if (result.ok) return result.phone;
    throw new InvalidParameter(quoted(RECIPIENTS_LABEL), ACCEPTED, entry, result.reason);
  });
  const unique = [...new Set(phones)];
  if (unique.length > 0 && unique.length <= MOST_RECIPIENTS) return unique;
  const reason = unique.length === 0 ? 'is empty' : `holds more than ${MOST_RECIPIENTS} numbers`;
  throw new InvalidParameter(quoted(RECIPIENTS_LABEL), ACCEPTED, value, reason);
}

/** The channels on which a person can be asked: those that carry a text with a link. */
export const APPROVAL_CHANNELS = ['viber', 'sms', 'rcs', 'whatsapp'] as const satisfies readonly Channel[];
export type ApprovalChannel = (typeof APPROVAL_CHANNELS)[number];

export const APPROVAL_CHANNELS_LABEL = 'Channels';

/**
 * Reads the channels in trial order.
 * @throws InvalidParameter for none, an unknown one and a repeated one
 */
export function readApprovalChannels(value: unknown): ApprovalChannel[] {
  const given: unknown[] = Array.isArray(value) ? value : [value];
  const channels = APPROVAL_CHANNELS.filter((channel) => given.includes(channel));
  if (channels.length > 0 && channels.length === given.length) return given as ApprovalChannel[];
  throw new InvalidParameter(
    quoted(APPROVAL_CHANNELS_LABEL),
    `one or several of ${APPROVAL_CHANNELS.join(', ')}, each once`,
    value,
  );
}

export const APPROVE_WORDS_LABEL = 'Approve by Reply';
export const DECLINE_WORDS_LABEL = 'Decline by Reply';

/** The words that decide by reply, as `normalWord` returns them. */
export interface ReplyWords {
  approve: string[];
  decline: string[];
}

/** A reply without what people and phones add: case, blanks, punctuation around it. */
function normalWord(reply: string): string {
  const word = reply.normalize('NFKC').trim().toLowerCase();
  return word.replace(/^[\p{P}\p{Z}]+|[\p{P}\p{Z}]+$/gu, '') || word;
}

function readWords(value: unknown, label: string): string[] {
  const entries = Array.isArray(value) ? (value as unknown[]) : [value ?? ''];
  const words = entries.flatMap((entry) => {
    if (typeof entry === 'string') return entry.split(/[,;\n]/);
    throw new InvalidParameter(quoted(label), 'words separated by commas', entry);
  });
  return [...new Set(words.map(normalWord))].filter((word) => word !== '');
}

/**
 * Reads the words that decide by reply; undefined where there are none.
 * @throws InvalidParameter for a value that isn't text, and for a word that would both approve and decline
 */
export function readReplyWords(options: Record<string, unknown>): ReplyWords | undefined {
  const approve = readWords(options.approveWords, APPROVE_WORDS_LABEL);
  const decline = readWords(options.declineWords, DECLINE_WORDS_LABEL);
  const both = approve.find((word) => decline.includes(word));
  if (both !== undefined) {
    throw new InvalidParameter(
      quoted(DECLINE_WORDS_LABEL),
      `without the words of ${quoted(APPROVE_WORDS_LABEL)}`,
      both,
    );
  }
  return approve.length + decline.length > 0 ? { approve, decline } : undefined;
}

/** Returns what a reply decides: true to approve, false to decline, undefined for any other reply. */
export function decisionOf(reply: string, { approve, decline }: ReplyWords): boolean | undefined {
  const word = normalWord(reply);
  if (approve.includes(word)) return true;
  return decline.includes(word) ? false : undefined;
}

const AMOUNT_LABEL = 'Amount';
const UNIT_LABEL = 'Unit';
const DATE_LABEL = 'Max Date and Time';

/** The limit on waiting, under the names of n8n's own nodes that send and wait. */
export const limitOption: INodeProperties = {
  displayName: 'Limit Wait Time',
  name: 'limitWaitTime',
  type: 'fixedCollection',
  description:
    'How long to wait for an answer. The workflow then goes on with its input and "by": "limit". Without a limit, it waits until someone answers.',
  default: { values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
  options: inValues([
    {
      displayName: 'Limit Type',
      name: 'limitType',
      type: 'options',
      default: 'afterTimeInterval',
      description: 'Whether the limit is a time span or a date',
      options: [
        { name: 'After Time Interval', value: 'afterTimeInterval', description: 'Waits for a time span' },
        {
          name: 'At Specified Time',
          value: 'atSpecifiedTime',
          description: 'Waits until a date and time',
        },
      ],
    },
    {
      displayName: AMOUNT_LABEL,
      name: 'resumeAmount',
      type: 'number',
      typeOptions: { minValue: 0, numberPrecision: 2 },
      default: 1,
      description: 'How many units to wait',
      displayOptions: { show: { limitType: ['afterTimeInterval'] } },
    },
    {
      displayName: UNIT_LABEL,
      name: 'resumeUnit',
      type: 'options',
      default: 'hours',
      description: 'Unit of the amount',
      options: LIMIT_UNITS.map(({ name, value }) => ({ name, value })),
      displayOptions: { show: { limitType: ['afterTimeInterval'] } },
    },
    {
      displayName: DATE_LABEL,
      name: 'maxDateAndTime',
      type: 'dateTime',
      default: '',
      description: 'When to stop waiting',
      displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
    },
  ]),
};

/**
 * Returns the limit from the collection "Options", in milliseconds since 1970; without one, n8n's date for waits without
 * end.
 * @throws InvalidParameter for a limit that isn't in the future
 */
export function readAnswerLimit(options: Record<string, unknown>, now: number): number {
  const given = (options.limitWaitTime as { values?: Record<string, unknown> } | undefined)?.values;
  const endless = WAIT_INDEFINITELY.getTime();
  if (given === undefined) return endless;
  const { limitType = 'afterTimeInterval', resumeAmount = 1, resumeUnit = 'hours', maxDateAndTime } = given;
  if (limitType === 'afterTimeInterval') {
    const unit = LIMIT_UNITS.find(({ value }) => value === resumeUnit);
    if (unit === undefined) {
      throw new InvalidParameter(quoted(UNIT_LABEL), 'Minutes, Hours or Days', resumeUnit);
    }
    const left = (asNumber(resumeAmount, AMOUNT_LABEL) ?? 0) * unit.length;
    if (left > 0) return Math.min(now + left, endless);
    throw new InvalidParameter(quoted(AMOUNT_LABEL), 'a number above 0', resumeAmount);
  }
  const date = new Date(String(maxDateAndTime)).getTime();
  if (date > now) return Math.min(date, endless);
  throw new InvalidParameter(quoted(DATE_LABEL), 'a date and time in the future', maxDateAndTime);
}
