/** Sends status callbacks (gateway-api.md, "Events"), with retries, repeats and a changed order where asked. */
import http from 'node:http';
import https from 'node:https';
import type { CallbackConfig } from './config.mts';
import { isLoopbackHost } from './loopback.mts';
import type { Random } from './random.mts';
import { guarded, reportError } from './report.mts';
import type { Schedule } from './schedule.mts';
import type { CallbackPayload, CallbackRecord } from './types.mts';

interface Parts {
  config: () => CallbackConfig;
  keep: () => number;
  random: () => number;
  schedule: Schedule;
  onChange: (record: CallbackRecord) => void;
}

export class Callbacks {
  /** What was sent or tried, oldest first, up to the limit of `keep.callbacks`. */
  readonly records: CallbackRecord[] = [];

  private readonly parts: Parts;

  private waiting: CallbackRecord[] = [];

  private busy = 0;

  private pendingCount = 0;

  private closed = false;

  private readonly agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  };

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Callbacks that are neither acknowledged nor given up. */
  get pending(): number {
    return this.pendingCount;
  }

  /**
   * Sends a callback soon, with the configured shuffle and retries.
   * @param repeats how many times more the same callback is sent
   */
  send(url: string, payload: CallbackPayload, repeats = 0): void {
    const config = this.parts.config();
    const random: Random = this.parts.random;
    for (let copy = 0; copy <= repeats; copy += 1) {
      const record: CallbackRecord = { url, payload, tries: [], state: 'scheduled', at: Date.now() };
      this.remember(record);
      if (!isReachable(url, config)) {
        record.state = 'not-allowed';
        this.parts.onChange(record);
        continue;
      }
      this.pendingCount += 1;
      const delay = random() * config.shuffleMs + copy * config.duplicateDelayMs;
      if (delay > 0) this.parts.schedule.after(delay, () => this.enqueue(record));
      else this.enqueue(record);
    }
  }

  /** Forgets records and everything that has not left yet. */
  clear(): void {
    this.records.length = 0;
    this.waiting = [];
    this.pendingCount = this.busy;
  }

  close(): void {
    this.closed = true;
    this.clear();
    this.agents['http:'].destroy();
    this.agents['https:'].destroy();
  }

  private remember(record: CallbackRecord): void {
    this.records.push(record);
    const most = this.parts.keep();
    // Trimmed in blocks, since taking single entries off the front of a long list is slow.
    if (this.records.length > most + 1000) this.records.splice(0, this.records.length - most);
  }

  private enqueue(record: CallbackRecord): void {
    if (this.closed) return;
    this.waiting.push(record);
    if (this.waiting.length === 1) setImmediate(() => guarded(() => this.pump()));
  }

  private pump(): void {
    const room = this.parts.config().concurrency - this.busy;
    if (room <= 0 || this.waiting.length === 0 || this.closed) return;
    const now = this.waiting.splice(0, room);
    for (const record of now) {
      this.busy += 1;
      void this.attempt(record)
        .catch(reportError)
        .finally(() => {
          this.busy -= 1;
          guarded(() => this.pump());
        });
    }
  }

  private async attempt(record: CallbackRecord): Promise<void> {
    const config = this.parts.config();
    record.state = 'sending';
    const status = await this.post(record.url, record.payload, config).catch((error: unknown) => {
      reportError(error);
      return 0;
    });
    record.tries.push(status);
    if (this.closed) return;
    if (status >= 200 && status < 300) {
      record.state = 'acknowledged';
      this.pendingCount -= 1;
    } else if (record.tries.length >= config.attempts) {
      record.state = 'given-up';
      this.pendingCount -= 1;
    } else {
      record.state = 'scheduled';
      const pause = config.retryDelayMs * 2 ** (record.tries.length - 1);
      this.parts.schedule.after(Math.min(pause, config.maxRetryDelayMs), () => this.enqueue(record));
    }
    this.parts.onChange(record);
  }

  /** One try; 0 when there was no answer. Redirects are not followed. */
  private async post(url: string, payload: CallbackPayload, config: CallbackConfig): Promise<number> {
    const { body, contentType } = encodeCallback(payload, config.shape);
    const target = new URL(url);
    const transport = target.protocol === 'https:' ? https : http;
    return await new Promise((resolve) => {
      const request = transport.request(
        target,
        {
          method: 'POST',
          agent: this.agents[target.protocol as 'http:' | 'https:'],
          headers: { 'content-type': contentType, 'content-length': Buffer.byteLength(body) },
          timeout: config.timeoutMs,
        },
        (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
          response.on('error', () => resolve(0));
        },
      );
      request.on('timeout', () => request.destroy());
      request.on('error', () => resolve(0));
      request.on('close', () => resolve(0));
      request.end(body);
    });
  }
}

/** Whether callbacks to an address are sent at all. */
function isReachable(url: string, { allowRemoteHooks }: CallbackConfig): boolean {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return false;
  return allowRemoteHooks || isLoopbackHost(new URL(url).hostname);
}

/** The body of a callback in one of the shapes seen in the wild; `object` is the contract's. */
export function encodeCallback(
  payload: CallbackPayload,
  shape: CallbackConfig['shape'],
): { body: string; contentType: string } {
  if (shape === 'form') {
    const fields = new URLSearchParams();
    addFields(fields, '', payload);
    return { body: fields.toString(), contentType: 'application/x-www-form-urlencoded' };
  }
  const value = shape === 'array' ? [payload] : shape === 'data' ? { data: [payload] } : payload;
  return { body: JSON.stringify(value), contentType: 'application/json' };
}

function addFields(fields: URLSearchParams, path: string, value: unknown): void {
  if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      addFields(fields, path === '' ? name : `${path}[${name}]`, inner);
    }
  } else if (value !== undefined) fields.append(path, String(value));
}
