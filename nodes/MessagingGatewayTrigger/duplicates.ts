import { randomBytes } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import type { CallbackEvent } from '../gateway/callback/parse';
import { RecentStatuses } from '../gateway/callback/recent';

const WINDOW_SECONDS = 24 * 60 * 60;
/** One event takes up to four entries. */
const IN_MEMORY = 30_000;
const SAVED = 2_000;
const SAVE_EVERY_MS = 1000;
/** Triggers of one n8n process whose memory is kept. */
const TRIGGERS = 200;
const STATIC_KEY = 'recentStatuses';

interface Memory {
  recent: RecentStatuses;
  /** When it was last put into static data, in milliseconds. */
  savedAt: number;
  /** What was last read from static data, so that each text of another process is read once. */
  loaded?: string;
}

/**
 * Callbacks that come at once each load the workflow afresh, so they do not see in static data what the others put
 * there; the memory of the process does.
 */
const memories = new Map<string, Memory>();

/** Begins what this process writes, so that it need not read it again. */
const OWN = randomBytes(6).toString('base64url');

/**
 * What has started a trigger's workflow lately: in the memory of this process, which decides, and in the static data
 * of the node, for the time after a restart and for other processes. n8n saves static data after a production
 * webhook as a whole, and the last writer wins, so across processes this is a best effort.
 */
export class Duplicates {
  private readonly memory: Memory;

  private readonly staticData: Record<string, unknown>;

  /** Whether static data was written, which n8n has to save. */
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

  /** The events that say something new. */
  withoutKnown(events: CallbackEvent[]): CallbackEvent[] {
    const now = seconds();
    return events.filter((event) => this.memory.recent.isNews(event, now));
  }

  /** Remembers the events and gives those that were still new. */
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
