/** Sends status callbacks (gateway-api.md, "Callbacks"), with retries, repeats and a changed order where asked. */
import http from 'node:http';
import https from 'node:https';
import type { CallbackConfig } from './config.mts';
import { isLoopbackHost } from './loopback.mts';
import { guarded, reportError } from './report.mts';
import type { Schedule } from './schedule.mts';
import type { CallbackAttempt, CallbackPayload, CallbackRecord } from './types.mts';

interface Parts {
  config: () => CallbackConfig;
  keep: () => number;
  schedule: Schedule;
  onChange: (record: CallbackRecord) => void;
}

interface SendOptions {
  /** How many times more the same callback is sent. */
  repeats?: number;
  /** The message that it is about. */
  msgId?: number;
}

/** Most characters of an answer that are kept. */
const MAX_ANSWER = 2000;

/** Callbacks under way at once. */
const MAX_AT_ONCE = 32;
const LONGEST_PAUSE_MS = 5000;
const TIMEOUT_MS = 10_000;

export class Callbacks {
  /** Callbacks that were sent or tried, oldest first, up to the limit of `keep.callbacks`. */
  readonly records: CallbackRecord[] = [];

  private readonly parts: Parts;

  private waiting: CallbackRecord[] = [];

  private busy = 0;

  private serial = 0;

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

  /** Sends a callback soon, with the configured shuffle and retries; nothing but addresses of this machine is contacted. */
  send(url: string, payload: CallbackPayload, { repeats = 0, msgId }: SendOptions = {}): void {
    for (let copy = 0; copy <= repeats; copy += 1) {
      const record = this.record(url, payload, msgId);
      if (!URL.canParse(url) || !isLoopbackHost(new URL(url).hostname)) {
        record.state = 'not-allowed';
        this.parts.onChange(record);
        continue;
      }
      this.pendingCount += 1;
      // Whoever takes it may think for long, and until then a page would show that none was sent.
      this.parts.onChange(record);
      const delay = Math.random() * this.parts.config().shuffleMs;
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

  private record(url: string, payload: CallbackPayload, msgId?: number): CallbackRecord {
    this.serial += 1;
    const record: CallbackRecord = {
      seq: this.serial,
      url,
      payload,
      msgId,
      tries: [],
      attempts: [],
      state: 'scheduled',
      at: Date.now(),
    };
    this.records.push(record);
    const most = this.parts.keep();
    // Trimmed in blocks, since taking single entries off the front of a long list is slow.
    if (this.records.length > most + 1000) this.records.splice(0, this.records.length - most);
    return record;
  }

  private enqueue(record: CallbackRecord): void {
    if (this.closed) return;
    this.waiting.push(record);
    if (this.waiting.length === 1) setImmediate(() => guarded(() => this.pump()));
  }

  private pump(): void {
    if (this.closed) return;
    for (const record of this.waiting.splice(0, MAX_AT_ONCE - this.busy)) {
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
    record.state = 'sending';
    record.nextAt = undefined;
    const at = Date.now();
    const answer = await this.exchange(record);
    record.tries.push(answer.status);
    record.attempts.push({ at, ms: Date.now() - at, ...answer });
    if (this.closed) return;
    const { attempts, retryDelayMs } = this.parts.config();
    // The contract's acknowledgement is 200 alone.
    if (answer.status === 200) {
      record.state = 'acknowledged';
      this.pendingCount -= 1;
    } else if (record.tries.length >= attempts) {
      record.state = 'given-up';
      this.pendingCount -= 1;
    } else {
      record.state = 'scheduled';
      const pause = Math.min(retryDelayMs * 2 ** (record.tries.length - 1), LONGEST_PAUSE_MS);
      record.nextAt = Date.now() + pause;
      this.parts.schedule.after(pause, () => this.enqueue(record));
    }
    this.parts.onChange(record);
  }

  /** Status 0 when there was no answer. Redirects are not followed. */
  private async exchange({ url, payload }: CallbackRecord): Promise<Omit<CallbackAttempt, 'at' | 'ms'>> {
    const body = JSON.stringify(payload);
    const target = new URL(url);
    const transport = target.protocol === 'https:' ? https : http;
    return await new Promise((resolve) => {
      const none = (problem: string) => resolve({ status: 0, answer: '', problem });
      const request = transport.request(
        target,
        {
          method: 'POST',
          agent: this.agents[target.protocol as 'http:' | 'https:'],
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
          timeout: TIMEOUT_MS,
        },
        (response) => {
          let answer = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            if (answer.length < MAX_ANSWER) answer = (answer + chunk).slice(0, MAX_ANSWER);
            // The rest is read and dropped; an answer without an end is judged by its beginning.
            else resolve({ status: response.statusCode ?? 0, answer });
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, answer }));
          response.on('error', () => none('the connection broke'));
        },
      );
      request.on('timeout', () => {
        none(`not within ${TIMEOUT_MS} ms`);
        request.destroy();
      });
      request.on('error', (error: NodeJS.ErrnoException) => none(error.code ?? error.message));
      request.on('close', () => none('the connection was closed'));
      request.end(body);
    });
  }
}
