import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { LEAST_IDS } from '../../gateway/client/status';
import type { Transport } from '../../gateway/client/transport';
import type { Connection } from '../../n8n/connection';
import { CREDENTIAL, jsonTransport, readConnectionTo } from '../../n8n/connection';
import { isCredentialDeleted } from '../../n8n/undocumented';
import { callSelf, REACH_ADVICE } from '../suspend/self-call';
import { resumeAddress, sleepsOn } from '../suspend/sleep';
import type { SleepNote } from '../suspend/sleep';
import { askTogether, MOST_TOGETHER } from '../../gateway/client/open-wait';
import type { OpenWait } from '../../gateway/client/open-wait';

/** Milliseconds that one request may take. */
export const QUESTION_MS = 15_000;

/** Milliseconds between two looks at all waits of an account, and requests of `status` that each look makes at most. */
const LOOK_MS = 1000;
const REQUESTS_A_LOOK = 2;

/** Answered requests after which a request may hold twice as many ids, where a failure has halved them. */
const CAREFUL = 8;

/** Milliseconds between two rounds of questions about a wait: at first, and at most. */
const FIRST_MS = 1000;
const LONGEST_MS = 600_000;

/** Milliseconds before its limit at which a wait is asked about last. */
const LAST_MS = 3000;

/**
 * While outcomes come, the next round follows after 8 seconds or, where that is longer, a fifteenth of the time so far: the last
 * outcome of a mailing over two minutes is noticed some 8 seconds later, at the cost of some 17 rounds.
 */
const WITH_NEWS_MS = 8000;
const WITH_NEWS_SHARE = 1 / 15;

/** Milliseconds after which n8n's database is asked whether an execution still sleeps. */
const CHECK_MS = 540_000;

/** Executions that this process wakes at the same time: each has n8n load its data, and make an isolate. */
const MOST_WAKING = 4;

/** Milliseconds between two tries to wake an execution before its limit: at first, and at most. */
const FIRST_WAKE_MS = 1000;
const LONGEST_WAKE_MS = 300_000;

/** Milliseconds between two tries after the limit, and from the limit until the last try. */
const LATE_WAKE_MS = 10_000;
const LAST_WAKE_MS = 300_000;

/** Milliseconds in which n8n saves an execution that falls asleep; until then n8n calls the execution running. */
const SAVING_MS = 60_000;

type Context = IExecuteFunctions | IWebhookFunctions;

/** A wait that this process watches: texts, numbers and open messages, so that it holds nothing of n8n's. Times are milliseconds since 1970. */
interface Watched {
  wait: OpenWait;
  key: string;
  executionId: string;
  address: string;
  startedAt: number;
  limitAt: number;

  /** When n8n has surely saved the execution that falls asleep. */
  savedAt: number;

  /** When n8n's database said last that the execution sleeps. */
  checkedAt: number;

  /** The next questions: when, the time after them, how many messages the round still has, and how many were open before it. */
  nextAt: number;
  intervalMs: number;
  unasked: number;
  openBefore: number;

  /** The next try to wake the execution: when, and the time after it. */
  wakeAt: number;
  wakePauseMs: number;
  hasWarned: boolean;
}

/** The waits that this process watches, by the keys of their sleeps. */
export const watches = new Map<string, Watched>();

/** The pollers of this process, by credential and account. */
const pollers = new Map<string, Poller>();

/** Executions that this process is waking. */
let waking = 0;

const warn = ({ logger }: Context, message: string): void => logger.warn(`Messaging Gateway, ${message}`);

/**
 * Watches a wait from now on, in the process that put the execution to sleep, or, after a restart, that was called: the poller of its
 * account asks until all outcomes are known or the limit has come, and then wakes the execution.
 */
export async function startWatching(
  context: Context,
  { key, limitAt }: SleepNote,
  wait: OpenWait,
): Promise<void> {
  const now = Date.now();
  const watched: Watched = {
    ...{ wait, key, limitAt, startedAt: now, checkedAt: now, savedAt: now + SAVING_MS },
    // Read at once: n8n evaluates no expression after the end of a run.
    ...{ executionId: context.getExecutionId(), address: resumeAddress(context) },
    ...{ nextAt: now + FIRST_MS, intervalMs: FIRST_MS, unasked: wait.open, openBefore: wait.open },
    ...{ wakeAt: 0, wakePauseMs: FIRST_WAKE_MS, hasWarned: false },
  };
  // Before anything else: calls may come at the same time.
  watches.set(key, watched);
  let connection: Connection | undefined;
  try {
    connection = await readConnectionTo(context, 'sync');
  } catch (error) {
    const { message } = error as Error;
    warn(context, `execution ${watched.executionId}: could not request the status of messages: ${message}`);
    if (isCredentialDeleted(error)) {
      watches.delete(key);
      return;
    }
  }
  const { id } = context.getNode().credentials?.[CREDENTIAL] ?? {};
  // A wait whose account isn't known has a poller of its own.
  const name = JSON.stringify([id, connection?.account ?? key]);
  const poller = pollers.get(name) ?? new Poller(name, context, connection);
  poller.add(watched, context);
}

const isOver = ({ wait, limitAt }: Watched, now: number): boolean => now >= limitAt || wait.open === 0;

/**
 * Asks about all waits of an account in this process, together, and wakes those that are over. Holds n8n's context of the newest wait, for
 * its helpers, with the data of that execution; and the credential, as it was read last.
 */
class Poller {
  private readonly waits = new Set<Watched>();
  private readonly name: string;
  private host: Context;
  private connection: Connection | undefined;
  private isAsking = false;

  /** Ids in the next request, and requests that were answered since their number changed. */
  private idsAtMost = MOST_TOGETHER;
  private answered = 0;

  constructor(name: string, host: Context, connection: Connection | undefined) {
    this.name = name;
    this.host = host;
    this.connection = connection;
    pollers.set(name, this);
    void this.look();
  }

  add(watched: Watched, host: Context): void {
    this.host = host;
    this.waits.add(watched);
  }

  /** Looks at all waits until none is left. */
  private async look(): Promise<void> {
    do {
      await sleep(LOOK_MS);
      this.wakeNext();
      if (!this.isAsking) void this.askAll();
    } while (this.waits.size > 0);
    pollers.delete(this.name);
  }

  /** Forgets executions that sleep no longer, and asks about messages whose time has come. Does not throw. */
  private async askAll(): Promise<void> {
    this.isAsking = true;
    await this.forgetGone();
    const connection = this.due().length > 0 ? await this.connect() : undefined;
    if (connection !== undefined) {
      // The run that sent may have been stopped; a sleep is ended otherwise.
      const transport = jsonTransport({ ...connection, cancelled: undefined }, QUESTION_MS);
      for (let request = 0; request < REQUESTS_A_LOOK; request += 1) await this.ask(transport);
      this.wakeNext();
    }
    this.isAsking = false;
  }

  /** Forgets waits whose executions were stopped, deleted or woken by another process. A wait that ends sooner isn't checked. */
  private async forgetGone(): Promise<void> {
    const isLate = ({ checkedAt, limitAt }: Watched) =>
      Date.now() >= checkedAt + CHECK_MS && limitAt > checkedAt + LONGEST_MS;
    for (const watched of [...this.waits].filter(isLate)) {
      watched.checkedAt = Date.now();
      if (!(await sleepsOn(this.host, watched.executionId, watched.key))) this.forget(watched);
    }
  }

  /**
   * Reads the credential, which may change during a wait. The last one that could be read stays in use: n8n evaluates no expression in
   * a credential after the run of a node.
   */
  private async connect(): Promise<Connection | undefined> {
    try {
      this.connection = await readConnectionTo(this.host, 'sync');
    } catch (error) {
      if (!isCredentialDeleted(error)) return this.connection;
      warn(this.host, `the credential of ${this.waits.size} waits was deleted: they go on at their limits`);
      for (const watched of this.waits) this.forget(watched);
    }
    return this.connection;
  }

  /** Returns the waits to ask about, those first that wait longest. */
  private due(): Watched[] {
    const now = Date.now();
    const due = [...this.waits].filter((one) => one.nextAt <= now && !isOver(one, now));
    return due.sort((a, b) => a.nextAt - b.nextAt);
  }

  /** Makes one request about messages of the waits whose time has come. */
  private async ask(transport: Transport): Promise<void> {
    let room = this.idsAtMost;
    const parts = this.due().flatMap((watched) => {
      const messages = watched.wait.next(Math.min(room, watched.unasked));
      room -= messages.length;
      return messages.length > 0 ? [{ watched, messages }] : [];
    });
    if (parts.length === 0) return;
    const messages = parts.flatMap((part) => part.messages);
    const isAnswered = await askTogether(transport, messages, this.idsAtMost);
    this.answered = isAnswered ? this.answered + 1 : 0;
    if (!isAnswered) this.idsAtMost = Math.max(LEAST_IDS, Math.ceil(this.idsAtMost / 2));
    else if (this.answered % CAREFUL === 0) this.idsAtMost = Math.min(MOST_TOGETHER, 2 * this.idsAtMost);
    // A gateway that doesn't answer isn't asked about the rest of the round.
    for (const part of parts) planNext(part.watched, isAnswered ? part.messages.length : Infinity);
  }

  /** Wakes waits that are over, as many at a time as one process may. */
  private wakeNext(): void {
    const now = Date.now();
    for (const watched of this.waits) {
      if (waking >= MOST_WAKING) return;
      if (isOver(watched, now) && watched.wakeAt <= now) void this.wake(watched);
    }
  }

  /** Wakes the execution, or makes sure that a callback did, until n8n's or our own answer says so. Does not throw. */
  private async wake(watched: Watched): Promise<void> {
    waking += 1;
    watched.wakeAt = Infinity;
    const answer = await callSelf(this.host, watched.address, watched.key);
    waking -= 1;
    const now = Date.now();
    const leftMs = watched.limitAt - now;
    const isAwake = answer.is === 'over' || (answer.is === 'awake' && now >= watched.savedAt);
    if (isAwake || leftMs <= -LAST_WAKE_MS) this.forget(watched);
    else if (answer.is === 'unreachable' && !watched.hasWarned) {
      watched.hasWarned = true;
      warn(
        this.host,
        `execution ${watched.executionId}: n8n can't reach this waiting execution at its own address (${answer.reason}), and tries again until its limit. ${REACH_ADVICE}`,
      );
    }
    watched.wakeAt = now + (leftMs > 0 ? Math.min(watched.wakePauseMs, leftMs) : LATE_WAKE_MS);
    watched.wakePauseMs = Math.min(2 * watched.wakePauseMs, LONGEST_WAKE_MS);
    this.wakeNext();
  }

  private forget(watched: Watched): void {
    this.waits.delete(watched);
    watches.delete(watched.key);
  }
}

/** Plans the next questions about a wait, of whose round so many messages were asked about. */
function planNext(watched: Watched, asked: number): void {
  const now = Date.now();
  const { open } = watched.wait;
  watched.unasked = Math.min(watched.unasked - asked, open);
  watched.nextAt = now;
  if (watched.unasked > 0) return;
  const soonMs = Math.max(WITH_NEWS_MS, WITH_NEWS_SHARE * (now - watched.startedAt));
  watched.intervalMs = Math.min(2 * watched.intervalMs, open < watched.openBefore ? soonMs : LONGEST_MS);
  const lastAt = watched.limitAt - LAST_MS;
  watched.nextAt = now < lastAt ? Math.min(now + watched.intervalMs, lastAt) : now + watched.intervalMs;
  watched.unasked = open;
  watched.openBefore = open;
}
