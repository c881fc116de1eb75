import type { INodeProperties } from 'n8n-workflow';

import type { WireOperation, WireType } from '../../gateway/contract/operations';
import { hasField } from '../../gateway/contract/operations';
import { SHORTENING_WAYS, shortenSms } from '../../gateway/sms/shorten';
import type { ShorteningWay } from '../../gateway/sms/shorten';
import { measureSms } from '../../gateway/sms/segments';
import { joined } from '../../gateway/text/phrases';
import { InvalidParameter, quoted } from '../fields/field';
import type { Item } from '../run/item';
import { smsTextOf } from '../../gateway/contract/operations';

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

const SHORTEN_SMS: INodeProperties = {
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

const hasSms = (type: WireType): boolean => type === 'pipeline' || hasField(type, 'sms_message');

/** Returns the options of a message of this type that concern its texts. */
export const textOptions = (type: WireType): INodeProperties[] => [
  EMPTY_PLACEHOLDERS,
  ...(hasSms(type) ? [SHORTEN_SMS] : []),
];

const EMPTY_MODES = ['warn', 'refuse', 'allow'] as const;

/** A text that can't be more than three SMS, whatever its alphabet, or because it is in plain characters. */
const SHORT_TEXT = /^(?:[^]{0,201}|[\n -Z_a-z]{0,459})$/;

/**
 * Builds the operation with its texts as the options say; `unshortened` is the text of an SMS that was shortened.
 * @throws InvalidParameter, also for refused placeholders
 */
export function buildWithTexts(
  item: Item,
  build: (item: Item) => WireOperation,
): { operation: WireOperation; unshortened?: string } {
  const { texts } = item.run;
  const mode = readEmptyMode(item.options);
  const ways = readShortening(item.options);
  texts.placeholders.refuse = mode === 'refuse';
  if (texts.placeholders.found.size > 0) texts.placeholders.found.clear();
  const operation = build(item);
  if (mode === 'warn') texts.countEmpty(item.index);
  const text = smsTextOf(operation);
  if (text === undefined) return { operation };
  const short = shortenSms(text, ways);
  if (!SHORT_TEXT.test(short)) texts.countParts(measureSms(short).segments);
  if (short === text) return { operation };
  const sms =
    'sms_message' in operation
      ? { sms_message: short }
      : { sms: { ...(operation.sms as object), message: short } };
  return { operation: { ...operation, ...sms }, unshortened: text };
}

function readEmptyMode({ emptyPlaceholders: given }: Record<string, unknown>): (typeof EMPTY_MODES)[number] {
  const mode = EMPTY_MODES.find((known) => known === (given ?? EMPTY_PLACEHOLDERS.default));
  if (mode !== undefined) return mode;
  throw new InvalidParameter(quoted(EMPTY_PLACEHOLDERS.displayName), joined(EMPTY_MODES, 'or'), given);
}

function readShortening({ shortenSms: given = [] }: Record<string, unknown>): readonly ShorteningWay[] {
  const ways = (Array.isArray(given) ? given : [given]) as ShorteningWay[];
  if (ways.every((way) => SHORTENING_WAYS.includes(way))) return ways;
  const accepted = `a list of ${joined(SHORTENING_WAYS, 'and')}`;
  throw new InvalidParameter(quoted(SHORTEN_SMS.displayName), accepted, given);
}
