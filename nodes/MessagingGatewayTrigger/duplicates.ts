import { randomBytes } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import type { CallbackEvent } from '../gateway/callback/parse';
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

interface Memory {
  recent: RecentStatuses;
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

  /** Whether static data was changed and n8n has to save it. */
  changed = false;

  constructor(context: IWebhookFunctions) {
    const key = `${context.getWorkflow().id ?? ''}/${context.getNode().id}`;
    this.memory = memories.get(key) ?? {
      recent: new RecentStatuses({ entries: IN_MEMORY, seconds: WINDOW_SECONDS }),
      savedAt: 0,
    };
    memories.delete(key);
    memories.set(key, this.memory);
    for (const oldest of memories.keys()) {
      if (memories.size <= TRIGGERS) break;
      memories.delete(oldest);
    }
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
    const claimed = events.filter((event) => this.memory.recent.claim(event, now));
    if (claimed.length > 0 && Date.now() - this.memory.savedAt >= SAVE_EVERY_MS) {
      this.memory.savedAt = Date.now();
      this.changed = true;
      this.staticData[STATIC_KEY] = `${OWN} ${this.memory.recent.dump(SAVED)}`;
    }
    return claimed;
  }
}

const seconds = (): number => Math.floor(Date.now() / 1000);
