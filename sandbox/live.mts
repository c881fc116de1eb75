import type { ServerResponse } from 'node:http';
import type { Gateway } from './gateway.mts';
import { guarded } from './report.mts';
import type { CallbackRecord, SandboxMessage } from './types.mts';

/** Messages in the snapshot that a page starts with, and in one update. */
const MOST = 500;

const FLUSH_MS = 60;

/** What a page needs to know about a callback. */
function callbackView({ url, payload, tries, state }: CallbackRecord) {
  return { url, msgId: Number(payload.msg_id), status: payload.status, tries, state };
}

/**
 * Keeps open pages up to date by server-sent events. Changes are collected for a moment and sent together, so
 * that ten thousand messages at once are some dozen updates and not ten thousand.
 * Events: `snapshot` (all), `update` (changed messages and callbacks), `reset`.
 */
export class Live {
  private readonly listeners = new Set<ServerResponse>();

  private readonly gateway: Gateway;

  private changed = new Set<SandboxMessage>();

  private callbacks: CallbackRecord[] = [];

  private timer: NodeJS.Timeout | undefined;

  private readonly onMessage = (message: SandboxMessage) => {
    this.changed.add(message);
    this.later();
  };

  private readonly onCallback = (record: CallbackRecord) => {
    this.callbacks.push(record);
    this.later();
  };

  private readonly onReset = () => {
    this.changed.clear();
    this.callbacks = [];
    this.send('reset', {});
  };

  constructor(gateway: Gateway) {
    this.gateway = gateway;
  }

  /** Opens an event stream on a response. */
  open(response: ServerResponse): void {
    const messages = this.gateway.messages.list().slice(-MOST);
    const callbacks = this.gateway.callbacks.records.slice(-MOST).map(callbackView);
    const snapshot = encode('snapshot', { messages, callbacks });
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
    const { events } = this.gateway;
    events[what]('message', this.onMessage);
    events[what]('status', this.onMessage);
    events[what]('callback', this.onCallback);
    events[what]('reset', this.onReset);
  }

  private later(): void {
    this.timer ??= setTimeout(() => guarded(() => this.flush()), FLUSH_MS);
  }

  private flush(): void {
    this.timer = undefined;
    const messages = [...this.changed].slice(-MOST);
    const callbacks = this.callbacks.slice(-MOST).map(callbackView);
    this.changed.clear();
    this.callbacks = [];
    this.send('update', { messages, callbacks });
  }

  private send(event: string, value: unknown): void {
    const text = encode(event, value);
    for (const response of this.listeners) response.write(text);
  }
}

function encode(event: string, value: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`;
}
