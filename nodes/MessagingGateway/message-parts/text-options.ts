import type { INodeProperties } from 'n8n-workflow';

import type { WireOperation } from '../../gateway/contract/operations';
import { smsTextOf } from '../../gateway/contract/operations';
import { measureSms } from '../../gateway/sms/segments';
import type { ShorteningWay } from '../../gateway/sms/shorten';
import { SHORTENING_WAYS, shortenSms } from '../../gateway/sms/shorten';
import { joined } from '../../gateway/text/phrases';
import { smsMessage } from '../fields/channels';
import type { Field } from '../fields/field';
import { InvalidParameter, quoted } from '../fields/field';
import { pipeline } from '../fields/pipeline';
import type { Item } from '../run/item';
import type { Run } from '../run/run';

const EMPTY_PLACEHOLDERS: INodeProperties = {
  displayName: 'Empty Placeholders',
  name: 'emptyPlaceholders',
  type: 'options',
  options: [
    { name: 'Allow', value: 'allow' },
    { name: 'Refuse', value: 'refuse' },
    { name: 'Warn', value: 'warn' },
  ],
  default: 'warn',
  description:
    "Whether to warn where an expression in a text comes to nothing, to refuse the item, or to say nothing. Add || '' to an expression that may.",
};

export const SHORTEN_SMS: INodeProperties = {
  displayName: 'Shorten SMS',
  name: 'shortenSms',
  type: 'multiOptions',
  options: [
    { name: 'Accents', value: 'accents', description: 'Latin letters with accents, and Greek letters' },
    { name: 'Punctuation', value: 'punctuation', description: 'Curly quotes, dashes and special blanks' },
    { name: 'Transliterate', value: 'transliterate', description: 'Cyrillic letters' },
  ],
  default: ['punctuation'],
  description: 'What to write in plain characters where that makes an SMS fewer parts',
};

/** Returns the options of a message with these fields that concern its texts. */
export const textOptions = (fields: Field[]): INodeProperties[] => [
  EMPTY_PLACEHOLDERS,
  ...(fields.includes(smsMessage) || fields.includes(pipeline) ? [SHORTEN_SMS] : []),
];

const EMPTY_MODES = ['warn', 'refuse', 'allow'] as const;

/** The longest text that can't be more than three parts, whatever its alphabet, and a longer one in plain characters. */
const SHORT_PARTS = 3;
const SHORT = 201;
const SHORT_PLAIN = /^[\n -Z_a-z]{0,459}$/;

/**
 * Returns what builds operations with empty placeholders as the options say. It throws InvalidParameter, also for refused
 * placeholders.
 */
export function watchPlaceholders(
  { texts }: Run,
  build: (item: Item) => WireOperation,
): (item: Item) => WireOperation {
  const { placeholders } = texts;
  return (item) => {
    const mode = readEmptyMode(item.options);
    placeholders.refuse = mode === 'refuse';
    if (placeholders.found.size > 0) placeholders.found.clear();
    const operation = build(item);
    if (mode === 'warn' && placeholders.found.size > 0)
      texts.countEmpty(item.index, item.run.items[item.index]?.json);
    return operation;
  };
}

/** A message; `unshortened` is the text of its SMS, where that was shortened. */
interface Shortened {
  operation: WireOperation;
  unshortened?: string;
}

/**
 * Shortens the text of the SMS of a message, where the options say so.
 * @throws InvalidParameter
 */
export function shortenText(message: Shortened, { options }: Item): void {
  const { operation } = message;
  const ways = readShortening(options);
  const text = smsTextOf(operation);
  if (text === undefined) return;
  const short = shortenSms(text, ways);
  if (short === text) return;
  const sms =
    'sms_message' in operation
      ? { sms_message: short }
      : { sms: { ...(operation.sms as object), message: short } };
  message.operation = { ...operation, ...sms };
  message.unshortened = text;
}

/**
 * Returns the parts of the SMS of a message, and notes them where they are many; 0 for a message without an SMS, and for one
 * that can't have more parts than are allowed.
 */
export function countParts(
  operation: WireOperation,
  { index, run: { texts } }: Item,
  allowed: number,
): number {
  const text = smsTextOf(operation);
  if (text === undefined) return 0;
  // A shortcut on the path of each message.
  if (allowed >= SHORT_PARTS && (text.length <= SHORT || SHORT_PLAIN.test(text))) return 0;
  const parts = measureSms(text).segments;
  texts.countParts(index, parts);
  return parts;
}

function readEmptyMode({ emptyPlaceholders: given }: Record<string, unknown>): (typeof EMPTY_MODES)[number] {
  if (given === undefined) return 'warn';
  const mode = EMPTY_MODES.find((known) => known === given);
  if (mode !== undefined) return mode;
  throw new InvalidParameter(quoted(EMPTY_PLACEHOLDERS.displayName), joined(EMPTY_MODES, 'or'), given);
}

function readShortening({ shortenSms: given = [] }: Record<string, unknown>): readonly ShorteningWay[] {
  const ways = (Array.isArray(given) ? given : [given]) as ShorteningWay[];
  if (ways.every((way) => SHORTENING_WAYS.includes(way))) return ways;
  const accepted = `a list of ${joined(SHORTENING_WAYS, 'and')}`;
  throw new InvalidParameter(quoted(SHORTEN_SMS.displayName), accepted, given);
}
