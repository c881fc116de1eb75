import type { INodeProperties } from 'n8n-workflow';

import { PIPELINE_CHANNELS } from '../../gateway/contract/channels';
import type { WireOperation, WireType } from '../../gateway/contract/operations';
import { smsTextOf } from '../../gateway/contract/operations';
import { measureSms } from '../../gateway/sms/segments';
import type { ShorteningWay } from '../../gateway/sms/shorten';
import { SHORTENING_WAYS, shortenSms } from '../../gateway/sms/shorten';
import { joined } from '../../gateway/text/phrases';
import type { Field, Get } from '../fields/field';
import { InvalidParameter, placeOf, quoted, readFields } from '../fields/field';
import { choice, readChoice } from '../fields/property';
import type { Gap } from '../parameters/gaps';
import type { Item } from '../run/item';
import type { Run } from '../run/run';

/** The parameters, and the fields on the wire, that hold what a recipient reads, sees or opens. */
const TEXT_NAME = new RegExp(
  `^(?:(?:${PIPELINE_CHANNELS.join('|')})_?)?(?:message|image|link|caption|(?:button|url)2?)$`,
  'i',
);

/** Whether a parameter, or a field on the wire, holds a text for a recipient, by its name. */
export const isTextName = (name: string): boolean => TEXT_NAME.test(name);

/** A text of an operation that a recipient reads, sees or opens. */
interface SentText {
  /** The keys that lead from the operation to the text. */
  path: Array<string | number>;
  text: string;
}

/** Returns the first text of an operation, at any depth, of which `isMeant` is true. */
function findText(value: object, isMeant: (text: string) => boolean): SentText | undefined {
  for (const key in value) {
    const entry = (value as Record<string, unknown>)[key];
    const found =
      typeof entry === 'string'
        ? isTextName(key) && isMeant(entry) && { path: [], text: entry }
        : typeof entry === 'object' && entry !== null && findText(entry, isMeant);
    if (found) return { ...found, path: [Array.isArray(value) ? Number(key) : key, ...found.path] };
  }
  return undefined;
}

/** "null" counts as a whole text only: German and Norwegian have the word. */
const LEFTOVER = /\{\{[^]*?\}\}|\[object Object\]|Invalid DateTime|\b(?:undefined|NaN)\b|^\s*null\s*$/;

/** Returns the leftover of an expression in a text, such as "undefined", or a placeholder that nothing filled in. */
export const leftoverIn = (text: string): string | undefined => LEFTOVER.exec(text)?.[0].trim();

export const EMPTY_PLACEHOLDERS = choice(
  'Gaps in Texts',
  'emptyPlaceholders',
  "What to do where a text takes an empty field of its row. Add || '' to an expression that may be empty.",
  [
    ['warn', 'Warn', 'Send the message, and say so above the output'],
    ['refuse', 'Refuse', 'Send nothing for the row'],
    ['allow', 'Allow', 'Send the message, and say nothing'],
  ],
);

export const SHORTEN_SMS: INodeProperties = {
  displayName: 'Avoid Expensive Characters',
  name: 'shortenSms',
  type: 'multiOptions',
  options: [
    { name: 'Accents', value: 'accents', description: 'Latin letters with accents, and Greek letters' },
    { name: 'Punctuation', value: 'punctuation', description: 'Curly quotes, dashes and special blanks' },
    { name: 'Transliterate', value: 'transliterate', description: 'Cyrillic letters' },
  ],
  default: ['punctuation'],
  description: 'Characters to replace by plain ones where the SMS then has fewer parts',
};

/** The longest text that can't be more than three parts, whatever its alphabet, and a longer one in plain characters. */
const SHORT_PARTS = 3;
const SHORT = 201;
const SHORT_PLAIN = /^[\n -Z_a-z]{0,459}$/;

/**
 * Returns the step that refuses leftovers of expressions in the texts of a message, and counts or refuses empty placeholders, as
 * its options say; `fields` are those of the form. The step throws InvalidParameter.
 */
export function watchTexts(
  { texts }: Run,
  fields: Field[],
): (message: { operation: WireOperation }, item: Item) => undefined {
  return ({ operation }, item) => {
    const mode = readChoice(EMPTY_PLACEHOLDERS, item.options.emptyPlaceholders);
    refuseLeftovers(operation, fields);
    if (mode === 'allow' || item.gaps.length === 0) return;
    const read = parametersOf(item, fields, operation.type);
    const gaps = item.gaps.filter(({ parameter }) => {
      const names = parameter.split('.');
      // A field that this item doesn't read, such as the picture of another Viber type, may be empty.
      return read.has(names[0]) && isTextName(names[names.length - 1]);
    });
    if (gaps.length === 0) return;
    if (mode === 'refuse') throw refusalOf(gaps[0], item, fields, operation);
    const empty = new Set(gaps.flatMap(({ sources }) => sources));
    texts.countEmpty(item.index, empty, item.json);
  };
}

/** Returns the names of the parameters from which the fields of an item are read, by reading all fields once more. */
function parametersOf({ options, read }: Item, fields: Field[], type: WireType): ReadonlySet<string> {
  const names = new Set<string>();
  const noting: Get = (name) => {
    names.add(name);
    return read(name);
  };
  readFields(fields, noting, type, options);
  return names;
}

const EMPTY_IS_MEANT = "where it may be empty, add an empty text to it, as in {{ $json.name || '' }}";

function refusalOf(
  { parameter, sources }: Gap,
  { read, run }: Item,
  fields: Field[],
  operation: WireOperation,
): InvalidParameter {
  const received = read(parameter);
  // In a list of stages or slides, only the text itself tells where the parameter went.
  const sent = findText(operation, (text) => text === received);
  const place = sent ? placeOf(sent.path, fields, operation) : quoted(run.form.label(parameter) ?? parameter);
  const reason = `has an empty ${sources[0]}; ${EMPTY_IS_MEANT}`;
  return new InvalidParameter(place, 'text without empty placeholders', received, reason);
}

const hasLeftover = (text: string): boolean => leftoverIn(text) !== undefined;

/** @throws InvalidParameter for a text with the leftover of an expression */
function refuseLeftovers(operation: WireOperation, fields: Field[]): void {
  const found = findText(operation, hasLeftover);
  if (found === undefined) return;
  const { path, text } = found;
  const accepted = 'text in which each expression came to a value';
  throw new InvalidParameter(
    placeOf(path, fields, operation),
    accepted,
    text,
    `contains "${leftoverIn(text)}"`,
  );
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
export function shortenText(message: Shortened, { options }: Item): undefined {
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
  // Measured only where the text may have more parts than allowed: measuring is slow for 10,000 messages.
  if (allowed >= SHORT_PARTS && (text.length <= SHORT || SHORT_PLAIN.test(text))) return 0;
  const parts = measureSms(text).segments;
  texts.countParts(index, parts);
  return parts;
}

function readShortening({ shortenSms: given = [] }: Record<string, unknown>): readonly ShorteningWay[] {
  const ways = (Array.isArray(given) ? given : [given]) as ShorteningWay[];
  if (ways.every((way) => SHORTENING_WAYS.includes(way))) return ways;
  const accepted = `a list of ${joined(SHORTENING_WAYS, 'and')}`;
  throw new InvalidParameter(quoted(SHORTEN_SMS.displayName), accepted, given);
}
