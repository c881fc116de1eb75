import { InvalidParameter, quoted } from '../fields/field';
import { choice, readChoice } from '../fields/property';
import { phone } from '../fields/target';
import type { OutgoingRow } from './row';

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

/** The messages of a run by their content. Lives until all rows are built: it holds what they send. */
export class RepeatedMessages {
  /** By number: its first row, or the first row of each content where the number came again. Most numbers come once. */
  private readonly byPhone = new Map<number | undefined, OutgoingRow | Map<string, number>>();

  /**
   * Returns the row before this one with the same content, whose result it takes; undefined where there is none, or the
   * user told the two apart.
   * @throws InvalidParameter for a row that repeats another one where that is refused, and for an unknown option
   */
  firstOf(options: Record<string, unknown>, row: OutgoingRow): number | undefined {
    const mode = readChoice(REPEATED_MESSAGES, options.repeatedMessages);
    if (mode === 'sendAll') return undefined;
    const first = this.take(row);
    if (first === row.index) return undefined;
    if (mode === 'refuse') throw repeated(row.operation.phone, first);
    return first;
  }

  /** Takes a row whose result rows after it may take. Returns the index of the first row with its content, or its own. */
  take(row: OutgoingRow): number {
    const { phone: number } = row.operation;
    // A key may stand for different texts, so keys are compared instead.
    if (row.hasKey) return row.index;
    const before = this.byPhone.get(number);
    if (before === undefined) {
      this.byPhone.set(number, row);
      return row.index;
    }
    const firsts = before instanceof Map ? before : new Map([[contentOf(before), before.index]]);
    this.byPhone.set(number, firsts);
    const content = contentOf(row);
    const first = firsts.get(content) ?? row.index;
    firsts.set(content, first);
    return first;
  }
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

const repeated = (number: unknown, first: number): InvalidParameter =>
  new InvalidParameter(
    quoted(phone.displayName),
    `different from item ${first} while ${LABEL} is set to Refuse`,
    number,
    {
      reason: `repeats item ${first}, with the same message`,
      advice: `Remove the repeats, or set ${LABEL} in 'Avoid Doubles' to Send Once,`,
    },
  );
