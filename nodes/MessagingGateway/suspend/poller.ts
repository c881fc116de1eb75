import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Round } from '../../gateway/client/rounds';
import { AccountQuestions, firstRound } from '../../gateway/client/rounds';
import type { Connection } from '../../n8n/connection';
import { CREDENTIAL, jsonTransport, readConnectionTo } from '../../n8n/connection';
import { isCredentialDeleted } from '../../n8n/undocumented';
import type { SelfCall } from './self-call';
import { callSelf, REACH_ADVICE } from './self-call';
import { sleepsOn } from './sleep';

/** Milliseconds that one request of `status` may take. */
export const QUESTION_MS = 15_000;

/** A poller looks at all sleeps of its account each second, and makes so many requests of `status` each time at most. */
const LOOK_MS = 1000;
const REQUESTS_A_LOOK = 2;

/** A poller asks n8n's database every 9 minutes whether an execution still sleeps, unless its limit is less than 10 minutes after that. */
const CHECK_MS = 540_000;
const UNCHECKED_MS = 600_000;

/** This process wakes so many executions at the same time: n8n loads the data of each, and makes an isolate for it. */
const MOST_WAKING = 4;

/** The pauses between two tries to wake an execution: a second, then twice as long each time; after the limit 10 seconds, for 5 minutes. */
const FIRST_WAKE_MS = 1000;
const LONGEST_WAKE_MS = 300_000;
const LATE_WAKE_MS = 10_000;

/** n8n takes so many milliseconds at most to save an execution that falls asleep, and says until then that the execution runs. */
const SAVING_MS = 60_000;

type Context = IExecuteFunctions | IWebhookFunctions;

/** A sleep that ends by what becomes of its messages: a wait for delivery, or a question. Holds no object of n8n's. */
interface MessageSleep extends Pick<Round, 'messages' | 'limitAt'> {
  key: string;

  /** The call that wakes the execution. */
  call: SelfCall;

  /** Says what the poller does next: it asks on, wakes the execution, or forgets the sleep. */
  todo(now: number): 'ask' | 'wake' | 'forget';
}

/** A sleep that this process watches. Times are milliseconds since 1970. */
interface Watched extends MessageSleep, Round {
  executionId: string;

  /** When n8n has surely saved the execution that falls asleep. */
  savedAt: number;

  /** When n8n's database said last that the execution sleeps. */
  checkedAt: number;

  /** The next try to wake the execution, and the pause after that try. */
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

/** Ends the watch of a sleep, which its poller then forgets. */
export const endWatch = (key: string): boolean => watches.delete(key);

/** Notes that n8n has saved the execution of a sleep. */
export function noteSaved(key: string): void {
  const watched = watches.get(key);
  if (watched) watched.savedAt = Date.now();
}

const isWatched = (sleep: Watched): boolean => watches.get(sleep.key) === sleep;

const warn = ({ logger }: Context, message: string): void => logger.warn(`Messaging Gateway, ${message}`);

/**
 * Watches a sleep of this execution from now on: the poller of the account asks about the messages, and wakes the execution. Called in
 * the process that put the execution to sleep, or that got a callback after a restart of n8n.
 */
export async function startWatching(context: Context, sleep: MessageSleep): Promise<void> {
  const round = firstRound(sleep.messages, sleep.limitAt);
  const watched: Watched = {
    ...{ ...sleep, ...round, checkedAt: round.startedAt, savedAt: round.startedAt + SAVING_MS },
    ...{ executionId: context.getExecutionId(), wakeAt: 0, wakePauseMs: FIRST_WAKE_MS, hasWarned: false },
  };
  // Before the credential is read: a callback that comes meanwhile must find the sleep.
  watches.set(sleep.key, watched);
  let connection: Connection | undefined;
  try {
    connection = await readConnectionTo(context, 'sync');
  } catch (error) {
    const { message } = error as Error;
    warn(context, `execution ${watched.executionId}: could not request the status of messages: ${message}`);
    if (isCredentialDeleted(error)) endWatch(sleep.key);
  }
  const { id } = context.getNode().credentials?.[CREDENTIAL] ?? {};
  // A sleep whose account isn't known has a poller of its own.
  const name = JSON.stringify([id, connection?.account ?? sleep.key]);
  const poller = pollers.get(name) ?? new Poller(name, context, connection);
  poller.add(watched, context);
}

/** Rests. A process that has nothing else to do may end meanwhile. */
const rest = async (milliseconds: number): Promise<void> =>
  await new Promise((resolve) => {
    AbortSignal.timeout(milliseconds).addEventListener('abort', () => resolve(), { once: true });
  });

/**
 * The poller of an account in this process: asks about the messages of all its sleeps together, and wakes their executions. Holds one
 * context of n8n, that of the newest sleep, whose helpers serve all, with the data of that execution.
 */
class Poller {
  private readonly sleeps = new Set<Watched>();
  private readonly questions = new AccountQuestions();
  private readonly name: string;
  private host: Context;

  /** The credential, as n8n read it last. */
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

  /** Forgets sleeps whose watch has ended, and wakes executions, `MOST_WAKING` at a time. */
  private wakeAll(): void {
    const now = Date.now();
    for (const watched of this.sleeps) {
      const todo = watched.todo(now);
      if (todo === 'forget') endWatch(watched.key);
      if (!isWatched(watched)) this.sleeps.delete(watched);
      else if (todo === 'wake' && watched.wakeAt <= now && waking < MOST_WAKING) void this.wake(watched);
    }
  }

  /** Ends the watch of executions that sleep no longer, and asks about the messages that are due. Does not throw. */
  private async askAll(): Promise<void> {
    this.isAsking = true;
    await this.forgetGone();
    const connection = this.due().length > 0 ? await this.connect() : undefined;
    if (connection !== undefined) {
      // A stop of the newest run must not end the questions of the others.
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

  /** Ends the watch of executions that a person stopped or deleted, or that another process woke. */
  private async forgetGone(): Promise<void> {
    const isLate = ({ checkedAt, limitAt }: Watched) =>
      Date.now() >= checkedAt + CHECK_MS && limitAt > checkedAt + UNCHECKED_MS;
    for (const watched of [...this.sleeps].filter(isLate)) {
      watched.checkedAt = Date.now();
      if (!(await sleepsOn(this.host, watched.executionId, watched.key))) endWatch(watched.key);
    }
  }

  /**
   * Reads the credential, which a person may change or delete during a sleep. Where n8n can't read it, the last one stays in use: n8n
   * evaluates no expression in a credential after the run of a node.
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
    const answer = await callSelf(this.host, { ...watched.call, reports: watched.messages.reports });
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
