import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { StatusAnswer } from '../../gateway/client/status-check';
import { typedIdentifier } from '../../gateway/contract/envelope';
import { replaces } from '../../gateway/delivery/outcomes';
import type { Classification, Report } from '../../gateway/delivery/reports';
import { classify, reportOfStatus, withReport } from '../../gateway/delivery/reports';

/** The identifiers by which a callback names a message, the deciding one first. */
const NAMES = ['id', 'msg_id', 'request_id'] as const;
type Named = Partial<Record<(typeof NAMES)[number], unknown>>;

/** A message whose outcome the execution waits for. */
export interface WaitingMessage extends Named {
  /** Index of its item in the output of the node. */
  position: number;
  /** Indices of the items that are the same message. */
  others?: number[];
  id: number | string;
  type: unknown;
  report?: Report;
  classified: Classification;
}

/** Milliseconds before a resumption that n8n did not carry out may be retried. */
const RESUMING = 10_000;

/**
 * What one process knows about one waiting execution: the callbacks it received, and the answers of `status`. It may
 * lack callbacks that other processes received or that came before a restart: only `status` is complete.
 */
export class OpenWait {
  private readonly messages: WaitingMessage[] = [];
  /** Messages in the order in which they are asked about. */
  private queue: WaitingMessage[];
  private resumedAt = -Infinity;

  /** Takes the json of the items with which the execution fell asleep; waits for those without a final outcome. */
  constructor(items: IDataObject[]) {
    const byId = new Map<unknown, WaitingMessage>();
    items.forEach((json, position) => {
      if (typeof json?.final !== 'boolean' || json.id === undefined) return;
      const same = byId.get(json.id);
      if (same) return void (same.others ??= []).push(position);
      const { id, msg_id, request_id, type, outcome, final } = json;
      const classified = { outcome, final } as Classification;
      const message = { position, id: id as number | string, msg_id, request_id, type, classified };
      byId.set(id, message);
      this.messages.push(message);
    });
    this.queue = this.messages.filter(isOpen);
  }

  /** Number of messages without a final outcome. */
  get open(): number {
    return this.queue.filter(isOpen).length;
  }

  /** Whether this process has returned the items of this wait to n8n. */
  get isResumed(): boolean {
    return this.resumedAt > -Infinity;
  }

  /** Returns the open messages, `count` at most, that have not been in question for the longest time. */
  nextInQuestion(count: number): WaitingMessage[] {
    this.queue = this.queue.filter(isOpen);
    const found = this.queue.splice(0, count);
    this.queue.push(...found);
    return found;
  }

  /** Takes the answers of `status` about messages. Returns how many of these now have their final outcome. */
  learnAnswers(messages: WaitingMessage[], answers: StatusAnswer[]): number {
    messages.forEach((message, i) => {
      const answer = answers[i];
      if (answer.kind === 'known') this.learn(message, reportOfStatus(answer.payload));
    });
    return messages.filter(({ classified }) => classified.final).length;
  }

  /** Returns the items with which the execution fell asleep, each with what is known of its message. */
  withReports(items: INodeExecutionData[]): INodeExecutionData[] {
    const known = [...items];
    for (const { position, others = [], report } of this.messages) {
      if (!report) continue;
      for (const one of [position, ...others]) {
        const item = items[one];
        known[one] = { ...item, json: withReport(item.json, report) };
      }
    }
    return known;
  }

  /** Takes the callbacks of one body. Returns whether any of them names a message of this execution. */
  takeAll(events: Report[]): boolean {
    const named = new Map<string, WaitingMessage | undefined>();
    for (const message of this.messages) {
      // A name that several share, such as the request of a batch, identifies none of them.
      for (const name of namesIn(message)) named.set(name, named.has(name) ? undefined : message);
    }
    const found = events.map((event) => {
      const names = namesIn(event);
      // The `id` is chosen by the sender, so it alone decides.
      const deciding = hasName(event.id) ? names.slice(0, 1) : names;
      return deciding.map((name) => named.get(name)).find((message) => message !== undefined);
    });
    found.forEach((message, i) => message && this.learn(message, events[i]));
    return found.some((message) => message !== undefined);
  }

  /** Stores the gateway's report on a message, unless a later outcome is known. */
  private learn(message: WaitingMessage, report: Report): void {
    const classified = classify({ msg_id: message.msg_id, ...report }, message.type);
    if (!replaces(message.classified.outcome, classified.outcome)) return;
    message.report = report;
    message.classified = classified;
  }

  /** Returns true for the first caller only, so that simultaneous callbacks resume the execution once. */
  startResuming(now: number): boolean {
    if (now - this.resumedAt < RESUMING) return false;
    this.resumedAt = now;
    return true;
  }
}

const isOpen = ({ classified }: WaitingMessage): boolean => !classified.final;

const namesIn = (names: Named): string[] =>
  NAMES.filter((field) => hasName(names[field])).map(
    (field) => `${field} ${String(typedIdentifier(names[field]))}`,
  );

const hasName = (value: unknown): boolean => value !== undefined && value !== null;
