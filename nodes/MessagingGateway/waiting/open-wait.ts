import type { IDataObject } from 'n8n-workflow';

import { typedIdentifier } from '../../gateway/contract/envelope';
import { replaces } from '../../gateway/delivery/outcomes';
import type { Classification, Report } from '../../gateway/delivery/reports';
import { classify } from '../../gateway/delivery/reports';

/** A message whose outcome the execution waits for. */
export interface Awaited {
  /** Index of its item in the output of the node. */
  position: number;
  id: unknown;
  type: unknown;
  report?: Report;
  classified?: Classification;
}

/**
 * Number of callbacks that triggers a `status` request for the open messages, as a share of these. Each request leaves
 * fewer open, so all requests together cover a few times the number of messages, not its square.
 */
const CALLBACKS_PER_QUESTION = 0.25;

/** Milliseconds before a resumption that n8n did not carry out may be retried. */
const RESUMING = 10_000;

/**
 * What one process knows about one waiting execution: the callbacks it received, and the answers of `status`. It may
 * lack callbacks that other processes received or that came before a restart: only `status` is complete.
 */
export class OpenWait {
  /** The `status` request in flight, if any. */
  asking: Promise<void> | undefined;

  /** Whether this process has requested `status` at all. */
  asked = false;

  private readonly messages: Awaited[] = [];

  private readonly names = new Map<string, Awaited | undefined>();

  private open = 0;

  private callbacks = 0;

  private resumedAt = -Infinity;

  /** Takes the json of the items with which the execution fell asleep; waits for those without a final outcome. */
  constructor(items: IDataObject[]) {
    items.forEach((json, position) => {
      if (typeof json?.final !== 'boolean' || json.id === undefined) return;
      const message: Awaited = { position, id: json.id, type: json.type };
      if (json.final) message.classified = { outcome: json.outcome, final: true } as Classification;
      else this.open += 1;
      this.messages.push(message);
      this.names.set(nameOf('id', json.id), message);
      if (json.msg_id !== undefined) this.name(nameOf('msg_id', json.msg_id), message);
      if (json.request_id !== undefined) this.name(nameOf('request_id', json.request_id), message);
    });
  }

  /** An identifier that several messages share, such as the request of a batch, identifies none of them. */
  private name(name: string, message: Awaited): void {
    this.names.set(name, this.names.has(name) ? undefined : message);
  }

  get size(): number {
    return this.messages.length;
  }

  /** Whether every message has its final outcome. */
  get complete(): boolean {
    return this.open === 0;
  }

  /** Messages without a final outcome. */
  missing(): Awaited[] {
    return this.messages.filter(({ classified }) => classified?.final !== true);
  }

  /** The reports received so far, by position of the item. */
  reports(): Map<number, Report> {
    const known = this.messages.filter((message) => message.report !== undefined);
    return new Map(known.map(({ position, report }) => [position, report as Report]));
  }

  /** Takes a callback. Returns whether it belongs to a message of this execution. */
  take(event: Report): boolean {
    const message = this.find(event);
    if (message === undefined) return false;
    const before = message.classified?.final === true;
    this.learn(message, event);
    if (!before && message.classified?.final === true) this.callbacks += 1;
    return true;
  }

  /** Takes the callbacks of one body. Returns whether any of them names a message of this execution. */
  takeAll(events: Report[]): boolean {
    let isAnyOurs = false;
    for (const event of events) isAnyOurs = this.take(event) || isAnyOurs;
    return isAnyOurs;
  }

  private find(event: Report): Awaited | undefined {
    for (const field of ['id', 'msg_id', 'request_id']) {
      if (event[field] === undefined || event[field] === null) continue;
      const found = this.names.get(nameOf(field, event[field]));
      // The `id` is chosen by the sender, so it alone decides.
      if (found !== undefined || field === 'id') return found;
    }
    return undefined;
  }

  /** Stores the gateway's report on a message, unless a later outcome is known. */
  learn(message: Awaited, report: Report): void {
    const classified = classify(report, message.type);
    if (!replaces(message.classified?.outcome, classified.outcome)) return;
    if (message.classified?.final !== true && classified.final) this.open -= 1;
    message.report = report;
    message.classified = classified;
  }

  /**
   * Whether a callback should trigger a `status` request for the missing outcomes: if this process hasn't made one yet,
   * or if enough callbacks came since the last one.
   */
  shouldAsk(): boolean {
    if (this.asking !== undefined) return false;
    return !this.asked || this.callbacks >= Math.max(1, this.open * CALLBACKS_PER_QUESTION);
  }

  /** Notes that `status` is being requested, and restarts the count of callbacks. */
  questionStarts(): void {
    this.asked = true;
    this.callbacks = 0;
  }

  /** Returns true for the first caller only, so that simultaneous callbacks resume the execution once. */
  claimResumption(now: number): boolean {
    if (now - this.resumedAt < RESUMING) return false;
    this.resumedAt = now;
    return true;
  }
}

const nameOf = (field: string, value: unknown): string => `${field} ${String(typedIdentifier(value))}`;
