import type { ServerResponse } from 'node:http';
import type { Gateway } from './gateway.mts';
import { guarded } from './report.mts';
import type { RecordedRequest, Requests } from './requests.mts';
import type { CallbackRecord, JsonObject, SandboxMessage } from './types.mts';
import { messageView, requestView, situationOf } from './views.mts';

/** Entries of each kind in the snapshot that a page starts with, and in one update. */
const MOST = 500;

const FLUSH_MS = 60;

interface LiveParts {
  gateway: Gateway;
  requests: Requests;
}

/** Changes since the last update. */
class Changes {
  readonly messages = new Set<SandboxMessage>();

  readonly requests = new Set<RecordedRequest>();

  readonly callbacks = new Set<CallbackRecord>();

  /** As the page gets them: the latest of each kind. */
  views(): JsonObject {
    const latest = <T,>(list: Set<T>) => [...list].slice(-MOST);
    return {
      messages: latest(this.messages).map(messageView),
      requests: latest(this.requests).map(requestView),
      callbacks: latest(this.callbacks),
    };
  }
}

/**
 * Keeps open pages up to date by server-sent events. Changes are collected for a moment and sent together, so
 * that ten thousand messages at once are some dozen updates and not ten thousand.
 * Events: `snapshot` (all), `update` (what changed), `reset`.
 */
export class Live {
  private readonly listeners = new Set<ServerResponse>();

  private readonly parts: LiveParts;

  private changes = new Changes();

  private timer: NodeJS.Timeout | undefined;

  /** The situation that was sent last, as JSON. */
  private situation = '';

  private readonly on: Record<string, (changed: never) => void> = {
    message: (message: SandboxMessage) => this.note(this.changes.messages, message),
    status: (message: SandboxMessage) => this.note(this.changes.messages, message),
    callback: (record: CallbackRecord) => this.note(this.changes.callbacks, record),
    request: (record: RecordedRequest) => this.note(this.changes.requests, record),
    settings: () => this.later(),
    reset: () => {
      this.changes = new Changes();
      this.send('reset', {});
      this.later();
    },
  };

  constructor(parts: LiveParts) {
    this.parts = parts;
  }

  /** Opens an event stream on a response. */
  open(response: ServerResponse): void {
    const { gateway, requests } = this.parts;
    const messages = gateway.kept.messages.list().slice(-MOST);
    const kept = new Set(messages.map(({ msgId }) => msgId));
    const { records } = gateway.delivery.callbacks;
    const recent = records.length - MOST;
    const snapshot = encode('snapshot', {
      messages: messages.map(messageView),
      requests: requests.list.slice(-MOST).map(requestView),
      callbacks: records.filter(
        ({ msgId }, index) => index >= recent || (msgId !== undefined && kept.has(msgId)),
      ),
      situation: situationOf(gateway),
    });
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    response.write(snapshot);
    // Nothing is listened to while no page is open: the events cost time in bulk runs.
    if (this.listeners.size === 0) this.listen('on');
    this.listeners.add(response);
    response.once('close', () => {
      this.listeners.delete(response);
      if (this.listeners.size === 0) this.listen('off');
    });
  }

  /** Ends all streams. */
  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const response of this.listeners) response.end();
  }

  private listen(what: 'on' | 'off'): void {
    for (const [event, listener] of Object.entries(this.on))
      this.parts.gateway.events[what](event, listener as () => void);
  }

  private note<T>(list: Set<T>, changed: T): void {
    list.add(changed);
    this.later();
  }

  private later(): void {
    this.timer ??= setTimeout(() => guarded(() => this.flush()), FLUSH_MS);
  }

  private flush(): void {
    this.timer = undefined;
    const update = this.changes.views();
    this.changes = new Changes();
    const situation = situationOf(this.parts.gateway);
    const text = JSON.stringify(situation);
    if (text !== this.situation) update.situation = situation;
    this.situation = text;
    this.send('update', update);
  }

  private send(event: string, value: unknown): void {
    const text = encode(event, value);
    for (const response of this.listeners) response.write(text);
  }
}

function encode(event: string, value: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`;
}
