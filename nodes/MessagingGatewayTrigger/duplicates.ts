import { randomBytes } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import type { CallbackEvent } from '../gateway/callback/parse';
import type { StatusClaim } from '../gateway/callback/recent';
import { RecentStatuses } from '../gateway/callback/recent';

const WINDOW_SECONDS = 24 * 60 * 60;
/** Entries in memory; an event takes up to four. */
const IN_MEMORY = 30_000;
/** Entries in static data. */
const SAVED = 2_000;
const SAVE_EVERY_MS = 1000;
/** The most triggers that one n8n process remembers. */
const TRIGGERS = 200;
const STATIC_KEY = 'recentStatuses';
/** The most executions that a trigger follows while n8n starts them. */
const MAX_STARTING = 1000;
/** The lowest HTTP status of an error. */
const FIRST_ERROR = 400;

/** The answer to a call, which n8n gives once it has started the execution: a success, or an error if it couldn't. */
export interface CallReply {
  statusCode: number;
  writableEnded: boolean;
}

/** Claims that count as long as n8n has not failed to start their execution. */
interface Starting {
  reply: CallReply;
  claims: StatusClaim[];
}

interface Memory {
  recent: RecentStatuses;
  /** Executions that n8n was starting when last seen. */
  starting: Starting[];
  /** Whether n8n was able to start the execution whose answer was seen last. */
  starts: boolean;
  /** Whether there are claims that static data lack. */
  unsaved: boolean;
  /** When it was last written to static data, in milliseconds since 1970. */
  savedAt: number;
  /** What was last read from static data, so that each state of another process is read once. */
  loaded?: string;
}

/**
 * Memories by workflow and node. Simultaneous callbacks each load the workflow separately, so they don't see each
 * other's changes to static data; they share the memory of the process.
 */
const memories = new Map<string, Memory>();

/** Prefix that marks the state written by this process, which it needn't read again. */
const OWN = randomBytes(6).toString('base64url');

/**
 * The statuses that have recently started a trigger's workflow. The memory of this process decides; a copy in the static
 * data of the node serves other processes and the time after a restart. n8n saves static data as a whole after a
 * production webhook and the last writer wins, so across processes this is a best effort.
 */
export class Duplicates {
  private readonly memory: Memory;

  private readonly staticData: Record<string, unknown>;

  private claims: StatusClaim[] = [];

  constructor(context: IWebhookFunctions) {
    const key = `${context.getWorkflow().id ?? ''}/${context.getNode().id}`;
    this.memory = memories.get(key) ?? {
      recent: new RecentStatuses({ entries: IN_MEMORY, seconds: WINDOW_SECONDS }),
      starting: [],
      starts: false,
      unsaved: false,
      savedAt: 0,
    };
    memories.delete(key);
    memories.set(key, this.memory);
    for (const oldest of memories.keys()) {
      if (memories.size <= TRIGGERS) break;
      memories.delete(oldest);
    }
    this.settle();
    this.staticData = context.getWorkflowStaticData('node');
    const saved = this.staticData[STATIC_KEY];
    if (typeof saved === 'string' && saved !== this.memory.loaded && !saved.startsWith(`${OWN} `)) {
      this.memory.recent.load(saved);
      this.memory.loaded = saved;
    }
  }

  /** Returns the events that are new. */
  withoutKnown(events: CallbackEvent[]): CallbackEvent[] {
    const now = seconds();
    return events.filter((event) => this.memory.recent.isNews(event, now));
  }

  /** Remembers the events. Returns those that were still new. */
  claim(events: CallbackEvent[]): CallbackEvent[] {
    const now = seconds();
    return events.filter((event) => {
      const claim = this.memory.recent.claim(event, now);
      if (claim === undefined) return false;
      this.claims.push(claim);
      this.memory.unsaved = true;
      return true;
    });
  }

  /**
   * Gives up what was claimed if the call ends with an error: n8n could not start the execution, so the same event has
   * to start it when it comes again.
   */
  follow(reply: CallReply): void {
    const { starting } = this.memory;
    starting.push({ reply, claims: this.claims });
    // A call whose answer never ends isn't followed for ever.
    if (starting.length > MAX_STARTING) starting.shift();
  }

  /**
   * Whether n8n seems able to start executions, so that a call may be answered first. n8n then saves the static data,
   * but a failure to start would be seen by nobody.
   */
  get mayAnswerFirst(): boolean {
    return this.memory.starts;
  }

  /** Writes what is new to static data, once a second at most. Returns whether n8n has anything to save. */
  save(): boolean {
    const { memory } = this;
    if (!memory.unsaved || Date.now() - memory.savedAt < SAVE_EVERY_MS) return false;
    memory.savedAt = Date.now();
    memory.unsaved = false;
    this.staticData[STATIC_KEY] = `${OWN} ${memory.recent.dump(SAVED)}`;
    return true;
  }

  private settle(): void {
    const { memory } = this;
    memory.starting = memory.starting.filter(({ reply, claims }) => {
      if (!reply.writableEnded) return true;
      memory.starts = reply.statusCode < FIRST_ERROR;
      if (!memory.starts) claims.forEach((claim) => memory.recent.release(claim));
      return false;
    });
  }
}

const seconds = (): number => Math.floor(Date.now() / 1000);
