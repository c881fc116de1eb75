import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { StatusAnswer } from '../../gateway/client/status-check';
import { typedIdentifier } from '../../gateway/contract/envelope';
import { isFallbackType, isWireType } from '../../gateway/contract/operations';
import { replaces } from '../../gateway/delivery/outcomes';
import type { Classification, Report } from '../../gateway/delivery/reports';
import { classify, mayGoOn, reportOfStatus, withReport } from '../../gateway/delivery/reports';

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

  /**
   * Since when a channel of its fallback is said to have failed, in milliseconds since 1970, while nothing else was said.
   */
  failedSince?: number;
}

/** Milliseconds before a resumption that n8n did not carry out may be retried. */
const RESUMING_MS = 10_000;

/**
 * Milliseconds for which `status` has to say that a channel failed, and nothing else, until that is the end of a fallback.
 * The contract doesn't say when the next channel shows (gateway-api.md, "What the contract leaves open"). Too long a time
 * costs the user a wait; too short a one, a second message to somebody who gets the first one yet.
 */
const NOTHING_FOLLOWS_MS = 300_000;

/**
 * What one process knows about one waiting execution: the callbacks it received, and the answers of `status`. It may
 * lack callbacks that other processes received or that came before a restart: only `status` is complete.
 */
export class OpenWait {
  private readonly messages: WaitingMessage[] = [];

  /** Messages in the order in which they are asked about. */
  private queue: WaitingMessage[];

  /** When this process last returned the items of this wait to n8n, in milliseconds since 1970. */
  private resumedAt = -Infinity;

  /** What ended that, if it did: a callback, or a call of the node itself, whose caller makes sure that n8n has woken. */
  resumption: 'by a callback' | 'by a call' | undefined;

  /** Rings when there is news for whoever watches the wait. */
  private bell = new AbortController();

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

  /** Whether another channel may follow the failure of one. */
  get hasFallback(): boolean {
    return this.messages.some(isOfFallback);
  }

  /** Number of messages without a final outcome. */
  get open(): number {
    return this.queue.filter(isOpen).length;
  }

  /** Returns the open messages, `count` at most, that have not been in question for the longest time. */
  nextInQuestion(count: number): WaitingMessage[] {
    this.queue = this.queue.filter(isOpen);
    const found = this.queue.splice(0, count);
    this.queue.push(...found);
    return found;
  }

  /** Puts the last so many messages that `nextInQuestion` returned in front of all others. */
  askNext(count: number): void {
    this.queue.unshift(...this.queue.splice(-count));
  }

  /**
   * Takes the answers of `status` about messages. Returns how many of these are done with: all of them, unless it told of
   * some, and of none behind these.
   */
  learnAnswers(messages: WaitingMessage[], answers: StatusAnswer[]): number {
    messages.forEach((message, i) => {
      const answer = answers[i];
      if (answer.kind === 'known') this.learnStatus(message, reportOfStatus(answer.payload));
    });
    const isKnown = answers.map(({ kind }) => kind === 'known');
    const told = isKnown.lastIndexOf(true) + 1;
    return told === 0 || isKnown.slice(0, told).includes(false) ? messages.length : told;
  }

  /** Takes what `status` says: of a failure after which another channel may be tried, only time tells whether it is. */
  private learnStatus(message: WaitingMessage, report: Report): void {
    const { type, msg_id } = message;
    if (!mayGoOn({ msg_id, ...report }, type)) {
      message.failedSince = undefined;
      return this.learn(message, report);
    }
    message.failedSince ??= Date.now();
    const isEnd = Date.now() - message.failedSince >= NOTHING_FOLLOWS_MS;
    this.learn(message, report, isEnd ? FAILED : GOES_ON);
  }

  /**
   * Returns ids of messages of which nothing but the failure of a channel was said, each with the time since when; or with 0,
   * where that was the end of the fallback: a callback may have said so, and `status` can't.
   */
  failing(): FailingMessage[] {
    return this.messages.flatMap((message) => {
      const { id, failedSince, classified } = message;
      const isEnd = classified.final && classified.outcome === 'failed' && isOfFallback(message);
      const since = isEnd ? 0 : failedSince;
      return since === undefined ? [] : [[id, since] as const];
    });
  }

  /** Takes what another process has seen over time: what `status` says next decides. */
  learnFailing(failing: readonly FailingMessage[]): void {
    const since = new Map(failing);
    for (const message of this.messages) {
      const earliest = Math.min(message.failedSince ?? Infinity, since.get(message.id) ?? Infinity);
      if (earliest < Infinity) message.failedSince = earliest;
    }
  }

  /** Returns the items with which the execution fell asleep, each with what is known of its message. */
  withReports(items: INodeExecutionData[]): INodeExecutionData[] {
    const known = [...items];
    for (const { position, others = [], report, classified } of this.messages) {
      if (!report) continue;
      for (const one of [position, ...others]) {
        const item = items[one];
        known[one] = { ...item, json: withReport(item.json, report, classified) };
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
    found.forEach((message, i) => message && this.learnCallback(message, events[i]));
    return found.some((message) => message !== undefined);
  }

  /** Takes a callback; a failure after which another channel may be tried is left to `status`. */
  private learnCallback(message: WaitingMessage, report: Report): void {
    const { type, msg_id } = message;
    const classified = classify({ msg_id, ...report }, type);
    const goesOn = !classified.final && classify({ msg_id, ...report }).outcome === 'failed';
    message.failedSince = goesOn ? (message.failedSince ?? Date.now()) : undefined;
    this.learn(message, report, classified);
  }

  /** Stores the gateway's report on a message, unless a later outcome is known. */
  private learn(
    message: WaitingMessage,
    report: Report,
    classified = classify({ msg_id: message.msg_id, ...report }, message.type),
  ): void {
    if (!replaces(message.classified.outcome, classified.outcome)) return;
    message.report = report;
    message.classified = classified;
  }

  /** Returns true for the first caller only, so that simultaneous callbacks resume the execution once. */
  startResuming(now: number, resumption: NonNullable<OpenWait['resumption']>): boolean {
    if (now - this.resumedAt < RESUMING_MS) return false;
    this.resumedAt = now;
    this.resumption = resumption;
    return true;
  }

  /** Has whoever rests look at this wait again. */
  ring(): void {
    this.bell.abort();
  }

  /** Rests for some milliseconds, or until there is news. Returns whether there is. */
  async rest(milliseconds: number): Promise<boolean> {
    const { signal } = this.bell;
    await sleep(Math.max(0, milliseconds), signal).catch(() => undefined);
    if (signal.aborted) this.bell = new AbortController();
    return signal.aborted;
  }
}

/** The id of a message, and since when a channel of it is said to have failed, in milliseconds since 1970. */
export type FailingMessage = readonly [id: number | string, since: number];

/** What a failure is that may be followed by another channel, and one that is not. */
const GOES_ON: Classification = { outcome: 'pending', final: false };
const FAILED: Classification = { outcome: 'failed', final: true };

const isOfFallback = ({ type }: WaitingMessage): boolean => isWireType(type) && isFallbackType(type);

const isOpen = ({ classified }: WaitingMessage): boolean => !classified.final;

const namesIn = (names: Named): string[] =>
  NAMES.filter((field) => hasName(names[field])).map(
    (field) => `${field} ${String(typedIdentifier(names[field]))}`,
  );

const hasName = (value: unknown): boolean => value !== undefined && value !== null;
