import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Round } from '../../gateway/client/rounds';
import { AccountQuestions, firstRound } from '../../gateway/client/rounds';
import type { Connection } from '../../n8n/connection';
import { CREDENTIAL, jsonTransport, readConnectionTo } from '../../n8n/connection';
import { isCredentialDeleted } from '../../n8n/undocumented';
import type { SelfCall } from './self-call';
import { callSelf, REACH_ADVICE } from './self-call';
import { sleepsOn } from './sleep';

/** Milliseconds that one request may take. */
export const QUESTION_MS = 15_000;

/** Milliseconds between two looks at all sleeps of an account, and requests of `status` that each look makes at most. */
const LOOK_MS = 1000;
const REQUESTS_A_LOOK = 2;

/** Milliseconds after which n8n's database is asked whether an execution still sleeps, and before the limit after which it isn't. */
const CHECK_MS = 540_000;
const UNCHECKED_MS = 600_000;

/** Executions that this process wakes at the same time: each has n8n load its data, and make an isolate. */
const MOST_WAKING = 4;

/** Milliseconds between two tries to wake an execution: at first; at most, and from its limit to the last try; after its limit. */
const FIRST_WAKE_MS = 1000;
const LONGEST_WAKE_MS = 300_000;
const LATE_WAKE_MS = 10_000;

/** Milliseconds in which n8n saves an execution that falls asleep; until then n8n calls the execution running. */
const SAVING_MS = 60_000;

type Context = IExecuteFunctions | IWebhookFunctions;

/** A sleep that ends by what becomes of its messages. Holds nothing of n8n's. */
interface MessageSleep extends Pick<Round, 'messages' | 'limitAt'> {
  key: string;

  /** The call that wakes the execution. */
  call: SelfCall;

  /** What this process does next: it asks on, wakes the execution, or has nothing left to do. */
  todo(now: number): 'ask' | 'wake' | 'forget';
}

/** A sleep that this process watches. Times are milliseconds since 1970. */
interface Watched extends MessageSleep, Round {
  executionId: string;

  /** When n8n has surely saved the execution that falls asleep. */
  savedAt: number;

  /** When n8n's database said last that the execution sleeps. */
  checkedAt: number;

  /** The next try to wake the execution: when, and the time after it. */
  wakeAt: number;
  wakePauseMs: number;
  hasWarned: boolean;
}

/** The sleeps that this process watches, by their keys. */
export const watches = new Map<string, Watched>();

/** The pollers of this process, by credential and account. */
const pollers = new Map<string, Poller>();

/** Executions that this process is waking. */
let waking = 0;

/** Ends the watch of a sleep. */
export const endWatch = (key: string): boolean => watches.delete(key);

/** Says that n8n has saved the execution of a sleep. */
export function noteSaved(key: string): void {
  const watched = watches.get(key);
  if (watched) watched.savedAt = Date.now();
}

const isWatched = (sleep: Watched): boolean => watches.get(sleep.key) === sleep;

const warn = ({ logger }: Context, message: string): void => logger.warn(`Messaging Gateway, ${message}`);

/**
 * Watches a sleep of this execution from now on, in the process that put it to sleep or, after a restart, that was called: the poller
 * of its account asks about its messages, and wakes the execution.
 */
export async function startWatching(context: Context, sleep: MessageSleep): Promise<void> {
  const round = firstRound(sleep.messages, sleep.limitAt);
  const watched: Watched = {
    ...{ ...sleep, ...round, checkedAt: round.startedAt, savedAt: round.startedAt + SAVING_MS },
    ...{ executionId: context.getExecutionId(), wakeAt: 0, wakePauseMs: FIRST_WAKE_MS, hasWarned: false },
  };
  // Before anything else: calls may come at the same time.
  watches.set(sleep.key, watched);
  let connection: Connection | undefined;
  try {
    connection = await readConnectionTo(context, 'sync');
  } catch (error) {
    const { message } = error as Error;
    warn(context, `execution ${watched.executionId}: could not request the status of messages: ${message}`);
    if (isCredentialDeleted(error)) {
      endWatch(sleep.key);
      return;
    }
  }
  const { id } = context.getNode().credentials?.[CREDENTIAL] ?? {};
  // A sleep whose account isn't known has a poller of its own.
  const name = JSON.stringify([id, connection?.account ?? sleep.key]);
  const poller = pollers.get(name) ?? new Poller(name, context, connection);
  poller.add(watched, context);
}

/** Rests, without keeping a process from its end that has nothing else to do. */
const rest = async (milliseconds: number): Promise<void> =>
  await new Promise((resolve) => {
    AbortSignal.timeout(milliseconds).addEventListener('abort', () => resolve(), { once: true });
  });

/**
 * Asks about all sleeps of an account in this process, together, and wakes. Holds n8n's context of the newest sleep, for its helpers,
 * with the data of that execution; and the credential, as it was read last.
 */
class Poller {
  private readonly sleeps = new Set<Watched>();
  private readonly questions = new AccountQuestions();
  private readonly name: string;
  private host: Context;
  private connection: Connection | undefined;
  private isAsking = false;

  constructor(name: string, host: Context, connection: Connection | undefined) {
    this.name = name;
    this.host = host;
    this.connection = connection;
    pollers.set(name, this);
    void this.look();
  }

  add(watched: Watched, host: Context): void {
    this.host = host;
    this.sleeps.add(watched);
    this.questions.resume();
  }

  /** Looks at all sleeps until none is left. */
  private async look(): Promise<void> {
    do {
      await rest(LOOK_MS);
      this.wakeAll();
      if (!this.isAsking) void this.askAll();
    } while (this.sleeps.size > 0);
    pollers.delete(this.name);
  }

  /** Forgets sleeps that nobody watches any more, and wakes executions, as many at a time as one process may. */
  private wakeAll(): void {
    const now = Date.now();
    for (const watched of this.sleeps) {
      const todo = watched.todo(now);
      if (todo === 'forget') endWatch(watched.key);
      if (!isWatched(watched)) this.sleeps.delete(watched);
      else if (todo === 'wake' && watched.wakeAt <= now && waking < MOST_WAKING) void this.wake(watched);
    }
  }

  /** Forgets executions that sleep no longer, and asks about messages whose time has come. Does not throw. */
  private async askAll(): Promise<void> {
    this.isAsking = true;
    await this.forgetGone();
    const connection = this.due().length > 0 ? await this.connect() : undefined;
    if (connection !== undefined) {
      // The run that sent may have been stopped; a sleep is ended otherwise.
      const transport = jsonTransport({ ...connection, cancelled: undefined }, QUESTION_MS);
      for (let i = 0; i < REQUESTS_A_LOOK; i += 1) await this.questions.ask(transport, this.due());
      this.wakeAll();
    }
    this.isAsking = false;
  }

  /** Returns the sleeps to ask about now. */
  private due(): Watched[] {
    const now = Date.now();
    return this.questions.due(this.sleeps).filter((one) => isWatched(one) && one.todo(now) === 'ask');
  }

  /** Forgets executions that were stopped, deleted or woken by another process. */
  private async forgetGone(): Promise<void> {
    const isLate = ({ checkedAt, limitAt }: Watched) =>
      Date.now() >= checkedAt + CHECK_MS && limitAt > checkedAt + UNCHECKED_MS;
    for (const watched of [...this.sleeps].filter(isLate)) {
      watched.checkedAt = Date.now();
      if (!(await sleepsOn(this.host, watched.executionId, watched.key))) endWatch(watched.key);
    }
  }

  /**
   * Reads the credential, which may change during a sleep. The last one that could be read stays in use: n8n evaluates no expression in
   * a credential after the run of a node.
   */
  private async connect(): Promise<Connection | undefined> {
    try {
      this.connection = await readConnectionTo(this.host, 'sync');
    } catch (error) {
      if (!isCredentialDeleted(error)) return this.connection;
      warn(this.host, `the credential of ${this.sleeps.size} waits was deleted: they go on at their limits`);
      for (const { key } of this.sleeps) endWatch(key);
    }
    return this.connection;
  }

  /** Calls an execution, again and again until n8n's or our own answer says that it has woken. Does not throw. */
  private async wake(watched: Watched): Promise<void> {
    waking += 1;
    watched.wakeAt = Infinity;
    const answer = await callSelf(this.host, watched.call);
    waking -= 1;
    const now = Date.now();
    const leftMs = watched.limitAt - now;
    const isAwake = answer.is === 'over' || (answer.is === 'awake' && now >= watched.savedAt);
    if (isAwake || leftMs <= -LONGEST_WAKE_MS) endWatch(watched.key);
    else if (answer.is === 'unreachable' && !watched.hasWarned) {
      watched.hasWarned = true;
      warn(
        this.host,
        `execution ${watched.executionId}: n8n can't reach this waiting execution at its own address (${answer.reason}), and tries again until its limit. ${REACH_ADVICE}`,
      );
    }
    watched.wakeAt = now + (leftMs > 0 ? Math.min(watched.wakePauseMs, leftMs) : LATE_WAKE_MS);
    watched.wakePauseMs = Math.min(2 * watched.wakePauseMs, LONGEST_WAKE_MS);
    this.wakeAll();
  }
}
