import { InvalidParameter, quoted } from '../fields/field';
import { choice, choiceReader } from '../fields/property';
import { PHONE_LABEL } from '../fields/target';
import type { DoneItem, ItemResult } from '../run/item-result';
import { repeatedResult } from '../run/item-result';
import type { RowChange, RowComparison, OutgoingRow, RowOrResult } from '../run/row';
import { isRow } from '../run/row';
import { showOnly } from './check-only';

/**
 * Rows of a run that come to the same message to the same number are one message, unless the user gave them different ids,
 * or keys of their own: a fixed number behind a list is a mistake far more often than a wish. The first of them is sent; the
 * others have its result.
 */

export const REPEATED_MESSAGES = choice(
  'Repeated Messages',
  'repeatedMessages',
  'What to do with rows of a run that are the same message to the same number',
  [
    ['sendOnce', 'Send Once', 'Send the first of them, and give the others its result'],
    ['sendAll', 'Send All', 'Send a message for each row'],
    ['refuse', 'Refuse', 'Refuse a row that repeats the message and number of another one'],
  ],
);

const LABEL = quoted(REPEATED_MESSAGES.displayName);

const readMode = choiceReader(REPEATED_MESSAGES);

/** @throws InvalidParameter for an unknown option */
export const readIfRepeated: RowChange = (row, { options }): undefined => {
  const mode = readMode(options);
  if (mode !== REPEATED_MESSAGES.default) row.ifRepeated = mode as OutgoingRow['ifRepeated'];
};

/**
 * Ends a row with the content of another one, whose result it takes. The decision throws InvalidParameter for such a row where the
 * option refuses it.
 */
export const sameContent: RowComparison = (rows) => {
  const repeated = repeatedNumbers(rows);
  const firsts = new Map<string, number>();
  return (row) => {
    const { index, operation, hasKey, ifRepeated, state } = row;
    // A key may stand for different texts, so keys are compared instead.
    if (hasKey || ifRepeated === 'sendAll' || !repeated.has(operation.phone)) return undefined;
    const content = contentOf(row);
    const first = firsts.get(content);
    if (first === undefined) firsts.set(content, index);
    // A row in doubt has a result of its own.
    if (first === undefined || state.is === 'unknown') return undefined;
    if (ifRepeated === 'refuse') throw repeatsRow(operation.phone, first);
    return repeatOf(row, { item: first, by: 'content' });
  };
};

/** Returns the numbers that several rows have. Few have any, so that sorted numbers take a tenth of the time of a set of all of them. */
function repeatedNumbers(rows: readonly RowOrResult[]): ReadonlySet<unknown> {
  const numbers = new Float64Array(rows.length);
  rows.forEach((row, place) => {
    numbers[place] = isRow(row) ? (row.operation.phone ?? NaN) : NaN;
  });
  numbers.sort();
  return new Set(numbers.filter((number, place) => number === numbers[place + 1]));
}

/** Returns the result of a row that repeats another one: empty until that has its own, or the preview of a row that is only checked. */
export function repeatOf(row: Readonly<OutgoingRow>, repeats: DoneItem['repeats']): ItemResult {
  const preview = showOnly(row);
  return preview ? { ...repeatedResult(preview, repeats), checked: true } : { jsons: [], repeats };
}

/**
 * Returns what a row sends, as text. Of its id and its callback address only what the user set is content: the node makes a
 * different id for each row, and an address for some of them, or one for each.
 */
function contentOf({ hasOwnId, operation, endpoint, checkOnly, callbacks }: OutgoingRow): string {
  const content = { ...operation, id: hasOwnId ? operation.id : undefined, hook: undefined };
  return JSON.stringify([content, endpoint, checkOnly, callbacks], (_, value: unknown) =>
    typeof value === 'string' ? withoutSpareBlanks(value) : value,
  );
}

/** "Hello Anna , how are you?" and "Hello  Anna, how are you? " are one message: a cell ends in a blank easily. */
const withoutSpareBlanks = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/^ | (?=\p{P}|$)/gu, '');

const repeatsRow = (number: unknown, first: number): InvalidParameter =>
  new InvalidParameter(
    quoted(PHONE_LABEL),
    `different from row ${first + 1} while ${LABEL} is set to Refuse`,
    number,
    {
      reason: `repeats row ${first + 1}, with the same message`,
      advice: `Remove the repeats, or set ${LABEL} in 'Avoid Doubles' to Send Once,`,
    },
  );
