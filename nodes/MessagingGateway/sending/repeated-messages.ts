import { createHash } from 'crypto';
import type { INodeProperties } from 'n8n-workflow';

import type { WireType } from '../../gateway/contract/operations';
import { sendsMessage } from '../../gateway/contract/operations';
import { joined } from '../../gateway/text/phrases';
import { showHint } from '../../n8n/engine';
import { InvalidParameter, quoted } from '../fields/field';
import { phone } from '../fields/target';
import { Item } from '../run/item';
import type { Run } from '../run/run';
import type { Numbered, RepeatRule, Sending } from './sending';

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
const SEND_ALL = `If each row should send, set ${LABEL} to Send All`;
const EXECUTE_ONCE = "If one was meant, turn on 'Execute Once' in the settings of this node";

const MESSAGES: RepeatRule = {
  taken: 'chosen',
  one: (rows) => `${rows} rows are the same message to the same number: it is sent once. ${SEND_ALL}`,
  several: (rows, contents) =>
    `${rows} rows come to ${contents} messages, since others are the same, to the same number: each is sent once. ${SEND_ALL}`,
};

const PASSWORDS: RepeatRule = {
  taken: 'once',
  one: (rows) => `${rows} rows are the same message to the same number: it is sent once`,
  several: (rows, contents) =>
    `${rows} rows come to ${contents} messages, since others are the same, to the same number: each is sent once`,
};

const CALLS: RepeatRule = {
  taken: 'each',
  one: (rows) =>
    `${rows} rows call the same number, each with a one-time password of its own. ${EXECUTE_ONCE}`,
  several: (rows, contents) =>
    `${rows} rows call ${contents} numbers, each with a one-time password of its own. ${EXECUTE_ONCE}`,
};

const LOOKUPS: RepeatRule = {
  taken: 'once',
  one: (rows) => `${rows} rows ask about the same number: it is looked up once`,
  several: (rows, contents) => `${rows} rows ask about ${contents} numbers: each is looked up once`,
};

const TEMPLATES: RepeatRule = {
  taken: 'once',
  one: (rows) => `${rows} rows are the same template: it is created once`,
  several: (rows, contents) => `${rows} rows come to ${contents} templates: each is created once`,
};

/** The rules of operation types that aren't messages of a user. */
const RULES: Partial<Record<WireType, RepeatRule>> = {
  telegram: PASSWORDS,
  'call/otp': CALLS,
  hlr: LOOKUPS,
  'template/create': TEMPLATES,
  'template/viber/create': TEMPLATES,
};

/** Returns how rows of this type with the same content are taken; undefined where each is an operation of its own. */
export const repeatRule = (type: WireType): RepeatRule | undefined =>
  RULES[type] ?? (sendsMessage(type) ? MESSAGES : undefined);

/** To one number: the only row, or the index of the first row of each content, by its hash. */
type RowsToNumber = Numbered | Map<string, number>;

/** The rows of a run by their content. It is only compared, and its hash only made, where a number comes again. */
export class RepeatedRows {
  private readonly run: Run;
  private readonly rule: RepeatRule;

  /** By number. What is only checked is apart from what is sent. */
  private readonly sent = new Map<unknown, RowsToNumber>();
  private readonly checked = new Map<unknown, RowsToNumber>();

  /** By first row: how many rows have its content. */
  private readonly counts = new Map<number, number>();

  constructor(run: Run, rule: RepeatRule) {
    this.run = run;
    this.rule = rule;
  }

  /**
   * Returns the row before this one with the same content, whose result it takes; undefined where there is none, or the
   * user told the two apart.
   * @throws InvalidParameter for a row that repeats another one where that is refused, and for an unknown option
   */
  firstOf(item: Item, row: Numbered): number | undefined {
    const mode = this.rule.taken === 'chosen' ? readMode(item.options) : 'sendOnce';
    if (mode === 'sendAll' || row.sendOnce) return undefined;
    const index = this.find(item, row);
    if (index === row.index) return undefined;
    if (mode === 'refuse') throw repeated(row.operation.phone, this.run.form.inputOf(index));
    this.counts.set(index, (this.counts.get(index) ?? 1) + 1);
    return this.rule.taken === 'each' ? undefined : index;
  }

  /** Takes a row that is a message of its own, whose result rows after it may take. */
  take(item: Item, row: Numbered): undefined {
    if (!row.sendOnce) this.find(item, row);
  }

  /** Takes a row that an earlier try of the run settled: what it was is found out by building it again. */
  takeSettled(index: number, sending: Sending): void {
    const item = new Item(this.run, index);
    try {
      this.take(item, Object.assign(sending.build(item), { index }));
    } catch {
      // It has its result. What it was isn't known any more, so that no other row is taken for the same.
    }
  }

  /** Says in the editor which rows are one message. */
  showHint(): void {
    const { size } = this.counts;
    if (size === 0) return;
    const rows = [...this.counts.values()].reduce((sum, count) => sum + count, 0);
    const message = size === 1 ? this.rule.one(rows) : this.rule.several(rows, size);
    showHint(this.run.context, { message, type: 'info', location: 'outputPane' });
  }

  /** Returns the index of the first row with the content of this one: of a row before, or its own. */
  private find({ hasOwnId }: Item, row: Numbered): number {
    if (hasOwnId) row.ownId = row.operation.id;
    const rows = row.checkOnly ? this.checked : this.sent;
    const { index, operation } = row;
    const known = rows.get(operation.phone);
    if (known === undefined) {
      rows.set(operation.phone, row);
      return index;
    }
    const byContent = known instanceof Map ? known : new Map([[contentOf(known), known.index]]);
    rows.set(operation.phone, byContent);
    const content = contentOf(row);
    const same = byContent.get(content);
    if (same === undefined) byContent.set(content, index);
    return same ?? index;
  }
}

/**
 * Returns the hash of what a row sends. Of its id and its callback address only what the user set is content: the node makes
 * a different id for each row, and an address for some of them, or one for each.
 */
function contentOf({ operation, endpoint, callbacks, ownId }: Numbered): string {
  const content = { ...operation, id: ownId, hook: undefined };
  return createHash('sha256')
    .update(JSON.stringify([content, endpoint, callbacks]))
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
