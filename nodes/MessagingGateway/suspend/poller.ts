import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Round } from '../../gateway/client/rounds';
import { AccountQuestions, firstRound } from '../../gateway/client/rounds';
import type { Connection } from '../../n8n/connection';
import { CREDENTIAL, jsonTransport, readConnectionTo } from '../../n8n/connection';
import { isCredentialDeleted } from '../../n8n/undocumented';
import type { SelfAnswer, SelfCall } from './self-call';
import { callSelf, REACH_ADVICE } from './self-call';
import { sleepsOn } from './sleep';

/** Milliseconds that one request of `status` may take. */
export const QUESTION_MS = 15_000;

type Context = IExecuteFunctions | IWebhookFunctions;

/**
 * A sleep that ends by what becomes of its messages: a wait for delivery, or a question to a person, which is watched until a message
 * of the question has arrived. Holds no object of n8n's.
 */
interface MessageSleep extends Pick<Round, 'messages' | 'limitAt'> {
  key: string;

  /** The call that wakes the execution. */
  call: SelfCall;

  /** Says what the poller does next: it asks about the messages, wakes the execution, or forgets the sleep. */
  todo(now: number): 'ask' | 'wake' | 'forget';
}

/** A sleep that this process watches. Times are milliseconds since 1970. */
interface Watched extends MessageSleep, Round {
  executionId: string;

  /** From this time on, n8n has surely saved the execution. Before, n8n says of a sleeping execution that it runs. */
  savedAt: number;

  /** When n8n's database said last that the execution sleeps. */
  checkedAt: number;

  /** From this time on, the poller may call the execution to wake it. */
  callAt: number;

  /** Milliseconds until the next call, where the execution sleeps on after a call. */
  pauseMs: number;
  hasWarned: boolean;
}

/** n8n takes so many milliseconds at most to save an execution that falls asleep. */
const SAVING_MS = 60_000;

/** The pause after the first call that didn't wake an execution; each further pause is twice as long. */
const FIRST_PAUSE_MS = 1000;

/** The sleeps that this process watches, by their keys. */
export const watches = new Map<string, Watched>();

/** Ends the watch of a sleep, which its poller then forgets. */
export const endWatch = (key: string): boolean => watches.delete(key);

const isWatched = (sleep: Watched): boolean => watches.get(sleep.key) === sleep;

/** Notes that n8n has saved the execution of a sleep. */
export function noteSaved(key: string): void {
  const watched = watches.get(key);
  if (watched) watched.savedAt = Date.now();
}

/** The pollers of this process, by credential and account. After a new key, new sleeps get a poller of their own. */
const pollers = new Map<string, Poller>();

/**
 * Watches a sleep of this execution from now on: the poller of the account asks about the messages, and wakes the execution. Called in
 * the process that put the execution to sleep, or that got a callback after a restart of n8n.
 */
export async function startWatching(context: Context, sleep: MessageSleep): Promise<void> {
  const round = firstRound(sleep.messages, sleep.limitAt);
  const watched: Watched = {
    ...sleep,
    ...round,
    executionId: context.getExecutionId(),
    savedAt: round.startedAt + SAVING_MS,
    checkedAt: round.startedAt,
    callAt: round.startedAt,
    pauseMs: FIRST_PAUSE_MS,
    hasWarned: false,
  };
  // Before the credential is read: a callback that comes meanwhile must find the sleep.
  watches.set(sleep.key, watched);
  const connection = await connectionFor(context, watched);
  const { id } = context.getNode().credentials?.[CREDENTIAL] ?? {};
  // A sleep whose account isn't known has a poller of its own.
  const name = JSON.stringify([id, connection?.account ?? sleep.key]);
  const running = pollers.get(name);
  const poller = running ?? new Poller(name, context, connection);
  poller.add(watched, context);
  if (running === undefined) void poller.run();
}

/** Reads the credential of a sleep; undefined, with a warning in the log, where n8n can't read it. */
async function connectionFor(
  context: Context,
  { key, executionId }: Watched,
): Promise<Connection | undefined> {
  try {
    return await readConnectionTo(context, 'sync');
  } catch (error) {
    const { message } = error as Error;
    warn(context, `execution ${executionId}: could not request the status of messages: ${message}`);
    if (isCredentialDeleted(error)) endWatch(key);
    return undefined;
  }
}

const warn = ({ logger }: Context, message: string): void => logger.warn(`Messaging Gateway, ${message}`);

/** A poller looks at all sleeps of its account each second. */
const LOOK_MS = 1000;

/** Requests of `status` that a poller makes at most in one look. */
const REQUESTS_A_LOOK = 2;

/** The executions that this process is waking, of all accounts. */
const waking = new Set<Watched>();

/** Executions that a process wakes at the same time at most: n8n loads the data of each, and makes an isolate for it. */
const MAX_WAKING = 4;

/** The poller of an account in this process: asks about the messages of all its sleeps together, and wakes their executions. */
class Poller {
  private readonly name: string;
  private readonly sleeps = new Set<Watched>();
  private readonly questions = new AccountQuestions();

  /** The context of the newest sleep, whose helpers serve all sleeps: each context holds the data of its execution. */
  private host: Context;

  /** The credential, as n8n read it last. */
  private connection: Connection | undefined;
  private isAsking = false;

  constructor(name: string, host: Context, connection: Connection | undefined) {
    this.name = name;
    this.host = host;
    this.connection = connection;
  }

  add(watched: Watched, host: Context): void {
    this.host = host;
    this.sleeps.add(watched);
    this.questions.resume();
  }

  /** Looks at all sleeps, each second until none is left. */
  async run(): Promise<void> {
    pollers.set(this.name, this);
    try {
      do {
        await rest(LOOK_MS);
        this.wakeAll();
        void this.askAll();
      } while (this.sleeps.size > 0);
    } finally {
      pollers.delete(this.name);
    }
  }

  /** Forgets sleeps whose watch has ended, and begins to wake executions. */
  private wakeAll(): void {
    const now = Date.now();
    for (const watched of this.sleeps) {
      const todo = watched.todo(now);
      // The next line then drops the sleep.
      if (todo === 'forget') endWatch(watched.key);
      if (!isWatched(watched)) this.sleeps.delete(watched);
      else if (todo === 'wake' && mayCall(watched, now)) void this.wake(watched);
    }
  }

  /** Calls an execution, and then others that waited for their turn. Does not throw. */
  private async wake(watched: Watched): Promise<void> {
    waking.add(watched);
    try {
      const answer = await callSelf(this.host, { ...watched.call, reports: watched.messages.reports });
      if (isOver(watched, answer)) endWatch(watched.key);
      else this.planNextCall(watched, answer);
    } finally {
      waking.delete(watched);
    }
    this.wakeAll();
  }

  private planNextCall(watched: Watched, answer: SelfAnswer): void {
    if (answer.is === 'unreachable' && !watched.hasWarned) {
      watched.hasWarned = true;
      warn(
        this.host,
        `execution ${watched.executionId}: n8n can't reach this waiting execution at its own address (${answer.reason}), and tries again until its limit. ${REACH_ADVICE}`,
      );
    }
    const now = Date.now();
    const leftMs = watched.limitAt - now;
    watched.callAt = now + (leftMs > 0 ? Math.min(watched.pauseMs, leftMs) : LATE_PAUSE_MS);
    watched.pauseMs = Math.min(2 * watched.pauseMs, MAX_PAUSE_MS);
  }

  /** Asks about messages, unless the requests of an earlier look are still under way. Does not throw. */
  private async askAll(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      await this.forgetGone();
      await this.askDue();
    } finally {
      this.isAsking = false;
    }
  }

  /** Ends the watch of executions that a person stopped or deleted, or that another process woke. */
  private async forgetGone(): Promise<void> {
    const now = Date.now();
    const due = [...this.sleeps].filter((one) => isCheckDue(one, now));
    due.sort((a, b) => a.checkedAt - b.checkedAt);
    for (const watched of due.slice(0, CHECKS_A_LOOK)) {
      watched.checkedAt = Date.now();
      if (!(await sleepsOn(this.host, watched.executionId, watched.key))) endWatch(watched.key);
    }
  }

  private async askDue(): Promise<void> {
    if (this.due().length === 0) return;
    const connection = await this.connect();
    if (connection === undefined) return;
    // A stop of the newest run must not end the questions of the others.
    const transport = jsonTransport({ ...connection, cancelled: undefined }, QUESTION_MS);
    for (let i = 0; i < REQUESTS_A_LOOK; i += 1) await this.questions.ask(transport, this.due());
    this.wakeAll();
  }

  /** Returns the sleeps to ask about now. */
  private due(): Watched[] {
    const now = Date.now();
    return this.questions.due(this.sleeps).filter((one) => isWatched(one) && one.todo(now) === 'ask');
  }

  /**
   * Reads the credential, which a person may change during a sleep, such as to a new key of the account. Where n8n can't read the
   * credential, this poller goes on with what n8n read last: n8n evaluates the expressions of a credential only while a node runs. Where
   * a person deleted the credential, returns undefined, and ends all watches.
   */
  private async connect(): Promise<Connection | undefined> {
    try {
      this.connection = await readConnectionTo(this.host, 'sync');
      return this.connection;
    } catch (error) {
      if (!isCredentialDeleted(error)) return this.connection;
    }
    warn(this.host, `the credential of ${this.sleeps.size} waits was deleted: they go on at their limits`);
    for (const { key } of this.sleeps) endWatch(key);
    return undefined;
  }
}

/** Rests. A process that has nothing else to do may end meanwhile. */
const rest = async (milliseconds: number): Promise<void> =>
  await new Promise((resolve) => {
    AbortSignal.timeout(milliseconds).addEventListener('abort', () => resolve(), { once: true });
  });

const mayCall = (watched: Watched, now: number): boolean =>
  watched.callAt <= now && !waking.has(watched) && waking.size < MAX_WAKING;

/** The longest pause between two calls before the limit of a sleep. */
const MAX_PAUSE_MS = 300_000;

/** The pause between two calls after the limit. */
const LATE_PAUSE_MS = 10_000;

/** So many milliseconds after its limit, an execution that can't be woken is called no more. */
const GIVE_UP_MS = 300_000;

/** Whether an execution is to be called no more, by the answer to the last call. Until n8n has saved an execution, it seems awake. */
function isOver({ savedAt, limitAt }: Watched, answer: SelfAnswer): boolean {
  const now = Date.now();
  const isAwake = answer.is === 'over' || (answer.is === 'awake' && now >= savedAt);
  return isAwake || now >= limitAt + GIVE_UP_MS;
}

/**
 * n8n's database is asked every six minutes whether an execution still sleeps. An answer costs n8n 4 to 10 ms of processor time, since n8n
 * loads the execution. So no check falls into the four minutes before the limit, at which the sleep ends anyway, and a look checks five at
 * most, those first that were checked longest ago.
 */
const CHECK_MS = 360_000;
const UNCHECKED_MS = 240_000;
const CHECKS_A_LOOK = 5;

function isCheckDue({ checkedAt, limitAt }: Watched, now: number): boolean {
  const checkAt = checkedAt + CHECK_MS;
  return checkAt <= now && checkAt + UNCHECKED_MS < limitAt;
}
