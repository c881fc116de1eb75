import { randomBytes } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import type { CallbackEvent } from '../gateway/callback/parse';
import type { Marks } from '../gateway/callback/recent';
import { leaveMarks, RecentStatuses } from '../gateway/callback/recent';

const WINDOW_SECONDS = 24 * 60 * 60;
/** Entries in memory; an event takes up to four. */
const IN_MEMORY = 30_000;
/** Entries in static data. */
const SAVED = 2_000;
const SAVE_EVERY_MS = 1000;
/** The most triggers that one n8n process remembers. */
const TRIGGERS = 200;
const STATIC_KEY = 'recentStatuses';
/** The most executions that n8n may be starting for a trigger at the same time. */
const MAX_STARTING = 1000;
/** The lowest HTTP status of an error. */
const FIRST_ERROR = 400;

/** The answer to a call, which n8n gives once it has started the execution: a success, or an error if it couldn't. */
export interface CallReply {
  statusCode: number;
  writableEnded: boolean;
}

/** Events whose execution n8n is starting: nothing is known of them until it has answered their call. */
interface Starting {
  reply: CallReply;
  marks: Marks;
  /** When the call came, in seconds since 1970. */
  at: number;
}

interface Memory {
  recent: RecentStatuses;
  /** Calls that had no answer when last seen. */
  starting: Starting[];
  /** Whether something was learnt since static data were last written. */
  unsaved: boolean;
  /** When they were last written, in milliseconds since 1970. */
  savedAt: number;
  /** What was last read from static data, so that each state of another process is read once. */
  loaded?: string;
  /** What was last written to them; another execution may have overwritten it. */
  written?: string;
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

  constructor(context: IWebhookFunctions) {
    const key = `${context.getWorkflow().id ?? ''}/${context.getNode().id}`;
    this.memory = memories.get(key) ?? {
      recent: new RecentStatuses({ entries: IN_MEMORY, seconds: WINDOW_SECONDS }),
      starting: [],
      unsaved: false,
      savedAt: 0,
    };
    memories.delete(key);
    memories.set(key, this.memory);
    for (const oldest of memories.keys()) {
      if (memories.size <= TRIGGERS) break;
      memories.delete(oldest);
    }
    this.staticData = context.getWorkflowStaticData('node');
    const { memory } = this;
    const { [STATIC_KEY]: saved } = this.staticData;
    if (typeof saved !== 'string' || saved.startsWith(`${OWN} `)) {
      memory.unsaved ||= saved !== memory.written;
    } else if (saved !== memory.loaded) {
      memory.recent.load(saved);
      memory.loaded = saved;
    }
  }

  /**
   * Returns the events that are new. Undefined where one repeats what n8n is still starting: whether it is new shows only
   * when n8n has answered that call, so nobody may acknowledge it before.
   */
  withoutKnown(events: CallbackEvent[]): CallbackEvent[] | undefined {
    this.settle();
    const { recent, starting } = this.memory;
    const now = seconds();
    const fresh = events.filter((event) => recent.isNews(event, now));
    const open: Marks = new Map();
    for (const [key, rank] of starting.flatMap(({ marks }) => Array.from(marks))) {
      open.set(key, Math.max(rank, open.get(key) ?? rank));
    }
    const isOpen = fresh.some((event) => !recent.isNews(event, now, open));
    return isOpen ? undefined : fresh;
  }

  /**
   * Remembers the events once n8n has started their execution; where the call ends with an error, it could not, and the
   * same event has to start it when it comes again. Returns those that are still new, each once; undefined, with nothing
   * remembered, as `withoutKnown` does, or while n8n is starting too many executions.
   */
  claim(events: CallbackEvent[], reply: CallReply): CallbackEvent[] | undefined {
    const candidates = this.withoutKnown(events);
    const { recent, starting } = this.memory;
    if (candidates === undefined || starting.length >= MAX_STARTING) return undefined;
    const at = seconds();
    const marks: Marks = new Map();
    const claimed = candidates.filter((event) => {
      const isNews = recent.isNews(event, at, marks);
      if (isNews) leaveMarks(event, marks);
      return isNews;
    });
    if (claimed.length > 0) starting.push({ reply, marks, at });
    return claimed;
  }

  /**
   * Writes what has started the workflow to static data, once a second at most. For calls that start nothing: n8n (2.41)
   * saves static data after the answer, but takes them for unchanged once it has started an execution.
   */
  save(): void {
    this.settle();
    const { memory } = this;
    if (!memory.unsaved || Date.now() - memory.savedAt < SAVE_EVERY_MS) return;
    memory.savedAt = Date.now();
    memory.unsaved = false;
    memory.written = `${OWN} ${memory.recent.dump(SAVED)}`;
    this.staticData[STATIC_KEY] = memory.written;
  }

  /** Remembers the events of calls that have ended well. */
  private settle(): void {
    const { memory } = this;
    memory.starting = memory.starting.filter(({ reply, marks, at }) => {
      if (!reply.writableEnded) return true;
      const hasStarted = reply.statusCode < FIRST_ERROR;
      if (hasStarted) memory.recent.add(marks, at);
      memory.unsaved ||= hasStarted;
      return false;
    });
  }
}

const seconds = (): number => Math.floor(Date.now() / 1000);
