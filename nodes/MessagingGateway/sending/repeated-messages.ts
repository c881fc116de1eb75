import { createHash } from 'crypto';
import type { INodeProperties } from 'n8n-workflow';

import { joined } from '../../gateway/text/phrases';
import { showHint } from '../../n8n/engine';
import { InvalidParameter, quoted } from '../fields/field';
import { phone } from '../fields/target';
import { isMessage } from '../run/description';
import { Item } from '../run/item';
import type { Run } from '../run/run';
import type { Numbered, Sending } from './row';

/**
 * Rows of a run that come to the same message to the same number are one message, unless the user gave them different ids,
 * or keys of their own: a fixed number behind a list is a mistake far more often than a wish. The first of them is sent; the
 * others have its result.
 */

export const REPEATED_MESSAGES: INodeProperties = {
  displayName: 'Repeated Messages',
  name: 'repeatedMessages',
  type: 'options',
  options: [
    {
      name: 'Refuse',
      value: 'refuse',
      description: 'Refuse a row that repeats the message and number of another one',
    },
    { name: 'Send All', value: 'sendAll', description: 'Send a message for each row' },
    {
      name: 'Send Once',
      value: 'sendOnce',
      description: 'Send the first of them, and give the others its result',
    },
  ],
  default: 'sendOnce',
  description: 'What to do with rows of a run that are the same message to the same number',
};

const MODES = ['sendOnce', 'sendAll', 'refuse'] as const;
type Mode = (typeof MODES)[number];

const LABEL = quoted(REPEATED_MESSAGES.displayName);

/** The messages of a run by their content. */
export class RepeatedMessages {
  private readonly run: Run;

  /** The index of the first row of each content, by its hash. */
  private readonly firsts = new Map<string, number>();

  /** By first row: how many rows have its content. */
  private readonly counts = new Map<number, number>();

  constructor(run: Run) {
    this.run = run;
  }

  /**
   * Returns the row before this one with the same content, whose result it takes; undefined where there is none, or the
   * user told the two apart.
   * @throws InvalidParameter for a row that repeats another one where that is refused, and for an unknown option
   */
  firstOf(item: Item, row: Numbered): number | undefined {
    const mode = readMode(item.options);
    if (mode === 'sendAll') return undefined;
    const first = this.take(item, row);
    if (first === row.index) return undefined;
    if (mode === 'refuse') throw repeated(row.operation.phone, first);
    this.counts.set(first, (this.counts.get(first) ?? 1) + 1);
    return first;
  }

  /** Takes a row whose result rows after it may take. Returns the index of the first row with its content, or its own. */
  take(item: Item, row: Numbered): number {
    // A key may stand for different texts, so keys are compared instead.
    if (row.hasKey) return row.index;
    const content = contentOf(item, row);
    const first = this.firsts.get(content) ?? row.index;
    this.firsts.set(content, first);
    return first;
  }

  /** Takes a row that an earlier try of the run settled: building the row again finds out its content. */
  takeSettled(index: number, sending: Sending): void {
    const item = new Item(this.run, index);
    try {
      this.take(item, Object.assign(sending.build(item), { index }));
    } catch {
      // The row has its result. Its content isn't known any more, so that no other row is taken for the same.
    }
  }

  /** Says in the editor which rows are one message. */
  showHint(): void {
    const { size } = this.counts;
    if (size === 0) return;
    const rows = [...this.counts.values()].reduce((sum, count) => sum + count, 0);
    const what =
      size === 1
        ? `${rows} rows are the same message to the same number: it is sent once`
        : `${rows} rows come to ${size} messages, since others are the same, to the same number: each is sent once`;
    // A one-time password for Telegram is a message too, and its form lacks the option.
    const advice = isMessage(this.run.definition)
      ? `. If each row should send, set ${LABEL} to Send All`
      : '';
    showHint(this.run.context, { message: `${what}${advice}`, type: 'info', location: 'outputPane' });
  }
}

/**
 * Returns the hash of what a row sends. Of its id and its callback address only what the user set is content: the node makes
 * a different id for each row, and an address for some of them, or one for each.
 */
function contentOf({ hasOwnId }: Item, { operation, endpoint, checkOnly, callbacks }: Numbered): string {
  const content = { ...operation, id: hasOwnId ? operation.id : undefined, hook: undefined };
  return createHash('sha256')
    .update(JSON.stringify([content, endpoint, checkOnly, callbacks]))
    .digest('base64');
}

function readMode({ repeatedMessages: given }: Record<string, unknown>): Mode {
  if (given === undefined) return 'sendOnce';
  const mode = MODES.find((known) => known === given);
  if (mode !== undefined) return mode;
  throw new InvalidParameter(LABEL, joined(MODES, 'or'), given);
}

const repeated = (number: unknown, first: number): InvalidParameter =>
  new InvalidParameter(
    quoted(phone.displayName),
    `different from item ${first}, which is the same message, while ${LABEL} is set to Refuse`,
    number,
    { advice: `Remove the repeats, or set ${LABEL} to Send Once,` },
  );
