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
/** The most executions that n8n may be starting for a trigger at the same time. */
const MAX_STARTING = 1000;
/** The lowest HTTP status of an error. */
const FIRST_ERROR = 400;

/** The answer to a call, which n8n gives once it has started the execution: a success, or an error if it couldn't. */
export interface CallReply {
  statusCode: number;
  writableEnded: boolean;
}

/** Claims of a call whose execution n8n has not started yet. */
interface Starting {
  reply: CallReply;
  claims: StatusClaim[];
}

interface Memory {
  recent: RecentStatuses;
  /** Calls that had no answer when last seen. */
  starting: Starting[];
  /** Whether something was claimed since static data were last written. */
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
    this.settle();
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
    const { recent } = this.memory;
    const now = seconds();
    const isNews = (event: CallbackEvent) => recent.isNews(event, now);
    const keys = this.keysBeingStarted();
    const isOpen = keys.size > 0 && events.some((event) => !isNews(event) && recent.concerns(event, keys));
    return isOpen ? undefined : events.filter(isNews);
  }

  /**
   * Remembers the events, unless the call ends with an error: then n8n could not start the execution, and the same event
   * has to start it when it comes again. Returns those that were still new; undefined, with nothing remembered, as
   * `withoutKnown` does, or while n8n is starting too many executions.
   */
  claim(events: CallbackEvent[], reply: CallReply): CallbackEvent[] | undefined {
    const { memory } = this;
    const candidates = this.withoutKnown(events);
    if (candidates === undefined || memory.starting.length >= MAX_STARTING) return undefined;
    const now = seconds();
    const claims: StatusClaim[] = [];
    const claimed = candidates.filter((event) => {
      const claim = memory.recent.claim(event, now);
      if (claim !== undefined) claims.push(claim);
      return claim !== undefined;
    });
    if (claimed.length > 0) {
      memory.unsaved = true;
      memory.starting.push({ reply, claims });
    }
    return claimed;
  }

  /**
   * Writes what has started the workflow to static data, once a second at most. For calls that start nothing: n8n (2.41)
   * saves static data after the answer, but takes them for unchanged once it has started an execution.
   */
  save(): void {
    const { memory } = this;
    if (!memory.unsaved || Date.now() - memory.savedAt < SAVE_EVERY_MS) return;
    const keys = this.keysBeingStarted();
    memory.savedAt = Date.now();
    memory.unsaved = keys.size > 0;
    memory.written = `${OWN} ${memory.recent.dump(SAVED, keys)}`;
    this.staticData[STATIC_KEY] = memory.written;
  }

  private keysBeingStarted(): Set<string> {
    const changes = this.memory.starting.flatMap(({ claims }) => claims.flat());
    return new Set(changes.map(({ key }) => key));
  }

  /** Keeps the claims of calls that have ended well, and forgets those of calls that have ended with an error. */
  private settle(): void {
    const { memory } = this;
    memory.starting = memory.starting.filter(({ reply, claims }) => {
      if (!reply.writableEnded) return true;
      const settled = reply.statusCode >= FIRST_ERROR ? 'release' : 'confirm';
      for (const claim of claims) memory.recent[settled](claim);
      return false;
    });
  }
}

const seconds = (): number => Math.floor(Date.now() / 1000);
