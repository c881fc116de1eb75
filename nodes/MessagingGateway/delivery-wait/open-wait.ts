import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { askStatuses, LEAST_IDS } from '../../gateway/client/status';
import type { Transport } from '../../gateway/client/transport';
import { typedIdentifier } from '../../gateway/contract/envelope';
import { replaces } from '../../gateway/delivery/outcomes';
import type { Meaning, Report } from '../../gateway/delivery/reports';
import { meaningOf, reportOfStatus, withReport } from '../../gateway/delivery/reports';

/** The identifiers by which a callback names a message, the deciding one first. */
const NAMES = ['id', 'msg_id', 'request_id'] as const;
type Named = Partial<Record<(typeof NAMES)[number], unknown>>;

/** A message whose outcome the execution waits for. */
interface WaitingMessage extends Named {
  /** Indices of its items in the output of the node: several where rows are the same message. */
  positions: number[];
  id: number | string;
  type: unknown;
  report?: Report;
  meaning: Meaning;
}

/** Ids in one `status` request at most. */
const MOST_IDS = 1000;

const OUT_OF_TIME = { kind: 'failure', problem: { kind: 'cancelled' } } as const;

/**
 * Knowledge of one process about the messages of one waiting execution: callbacks that came to the process, and answers of
 * `status`. Callbacks to other processes, or before a restart, are missing: only `status` is complete.
 */
export class OpenWait {
  private readonly messages: WaitingMessage[] = [];

  /** Messages without a final outcome, in the order in which they are asked about. */
  private queue: WaitingMessage[];

  /**
   * Ids in the next question: half as many after a round that a failure cut short, since the gateway may break on large questions;
   * twice as many after any other.
   */
  private idsAtMost = MOST_IDS;

  /** Takes the json of the items with which the execution fell asleep; waits for the items without a final outcome. */
  constructor(items: IDataObject[]) {
    const byId = new Map<unknown, WaitingMessage>();
    items.forEach((json, position) => {
      const { id, msg_id, request_id, type } = json;
      if (json.final !== false || id === undefined) return;
      const same = byId.get(id);
      if (same) return void same.positions.push(position);
      const meaning = meaningOf({});
      const message = { positions: [position], id: id as number | string, msg_id, request_id, type, meaning };
      byId.set(id, message);
      this.messages.push(message);
    });
    this.queue = [...this.messages];
  }

  /** Number of messages without a final outcome. */
  get open(): number {
    this.queue = this.queue.filter(isOpen);
    return this.queue.length;
  }

  /** Whether a few requests ask about all open messages: an execution that runs, or is called, has the time for that. */
  get isSmall(): boolean {
    return this.open <= MOST_IDS;
  }

  /** Asks `status` once about all open messages, until a time in milliseconds since 1970. Does not throw. */
  async ask(transport: Transport, until: number): Promise<void> {
    const asked = this.queue.filter(isOpen);
    const ids = asked.map(({ id }) => id);
    const inTime: Transport = async (...request) =>
      Date.now() < until ? await transport(...request) : OUT_OF_TIME;
    const answers = await askStatuses(inTime, ids, { atMost: this.idsAtMost });
    asked.forEach((message, i) => {
      const answer = answers[i];
      if (answer.kind === 'known') this.learn(message, reportOfStatus(answer.payload));
    });
    // Messages that a failed request left out come first in the next round.
    const left = asked.filter((_, i) => answers[i].kind === 'unanswered');
    this.queue = [...left, ...asked.filter((_, i) => answers[i].kind !== 'unanswered')];
    const next = left.length > 0 ? Math.ceil(this.idsAtMost / 2) : 2 * this.idsAtMost;
    this.idsAtMost = Math.min(MOST_IDS, Math.max(LEAST_IDS, next));
  }

  /** Takes the callbacks of one body. Returns whether any of them names a message of this execution. */
  takeAll(events: Report[]): boolean {
    const named = new Map<string, WaitingMessage | undefined>();
    for (const message of this.messages) {
      // A name that several messages share, such as the request of a batch, identifies none of them.
      for (const name of namesIn(message)) named.set(name, named.has(name) ? undefined : message);
    }
    const found = events.map((event) => {
      const names = namesIn(event);
      // The `id` is this node's own: other names count only in a callback without it.
      const deciding = names[0]?.startsWith('id ') ? names.slice(0, 1) : names;
      return deciding.map((name) => named.get(name)).find((message) => message !== undefined);
    });
    found.forEach((message, i) => message && this.learn(message, events[i]));
    return found.some((message) => message !== undefined);
  }

  /** Stores the gateway's report on a message, unless a later outcome is known. */
  private learn(message: WaitingMessage, report: Report): void {
    const meaning = meaningOf({ msg_id: message.msg_id, ...report }, message.type);
    if (!replaces(message.meaning.outcome, meaning.outcome)) return;
    message.report = report;
    message.meaning = meaning;
  }

  /** Returns the items with which the execution fell asleep, each with the newest report on its message. */
  withReports(items: INodeExecutionData[]): INodeExecutionData[] {
    const known = [...items];
    for (const { positions, report } of this.messages) {
      for (const position of positions) {
        const json = { ...items[position].json };
        // Written by `asLeft`, for n8n alone.
        delete json.reason;
        known[position] = { ...items[position], json: report ? withReport(json, report) : json };
      }
    }
    return known;
  }

  /**
   * Returns the items for n8n to pass on where nothing wakes the execution: of a message without a final outcome, nothing is
   * known by then, and `reason` says why.
   */
  asLeft(items: INodeExecutionData[], reason: string): INodeExecutionData[] {
    const left = [...items];
    for (const { positions, meaning } of this.messages) {
      if (meaning.final) continue;
      for (const position of positions) {
        const { json } = items[position];
        left[position] = { ...items[position], json: { ...json, outcome: 'unknown', reason } };
      }
    }
    return left;
  }
}

const isOpen = ({ meaning }: WaitingMessage): boolean => !meaning.final;

const namesIn = (named: Named): string[] =>
  NAMES.flatMap((field) => {
    const name = named[field] ?? undefined;
    return name === undefined ? [] : `${field} ${String(typedIdentifier(name))}`;
  });
