/** Sends status callbacks (gateway-api.md, "Callbacks"), with retries, repeats and a changed order where asked. */
import http from 'node:http';
import https from 'node:https';
import type { CallbackConfig } from './config.mts';
import { isLoopbackHost } from './loopback.mts';
import type { Random } from './random.mts';
import { guarded, reportError } from './report.mts';
import type { Schedule } from './schedule.mts';
import type { CallbackAttempt, CallbackPayload, CallbackRecord } from './types.mts';

interface Parts {
  config: () => CallbackConfig;
  keep: () => number;
  random: () => number;
  schedule: Schedule;
  onChange: (record: CallbackRecord) => void;
}

export interface SendOptions {
  /** How many times more the same callback is sent. */
  repeats?: number;
  /** The message that it is about. */
  msgId?: number;
}

/** Most characters of an answer that are kept. */
const MOST_ANSWER = 2000;

export class Callbacks {
  /** What was sent or tried, oldest first, up to the limit of `keep.callbacks`. */
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

  /** Sends a callback soon, with the configured shuffle and retries. */
  send(url: string, payload: CallbackPayload, { repeats = 0, msgId }: SendOptions = {}): void {
    const config = this.parts.config();
    const random: Random = this.parts.random;
    for (let copy = 0; copy <= repeats; copy += 1) {
      const record = this.record(url, payload, { msgId });
      if (!isReachable(url, config)) {
        record.state = 'not-allowed';
        this.parts.onChange(record);
        continue;
      }
      this.pendingCount += 1;
      // Whoever takes it may think for long, and until then a page would show that none was sent.
      this.parts.onChange(record);
      const delay = random() * config.shuffleMs;
      if (delay > 0) this.parts.schedule.after(delay, () => this.enqueue(record));
      else this.enqueue(record);
    }
  }

  /**
   * Sends a body to an address of this machine once, whatever the settings say of other addresses.
   * @returns the record, when the answer is there or there is none
   */
  async try(url: string, payload: CallbackPayload): Promise<CallbackRecord> {
    const record = this.record(url, payload, { test: true });
    const reachable = isReachable(url, { allowRemoteHooks: false });
    if (reachable) await this.post(record, this.parts.config());
    const taken = reachable && isTaken(record.tries[0]);
    record.state = taken ? 'acknowledged' : reachable ? 'given-up' : 'not-allowed';
    if (!this.closed) this.parts.onChange(record);
    return record;
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

  private record(url: string, payload: CallbackPayload, about: Partial<CallbackRecord>): CallbackRecord {
    this.serial += 1;
    const record: CallbackRecord = {
      seq: this.serial,
      url,
      payload,
      ...about,
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
    record.nextAt = undefined;
    await this.post(record, config);
    if (this.closed) return;
    if (isTaken(record.tries.at(-1))) {
      record.state = 'acknowledged';
      this.pendingCount -= 1;
    } else if (record.tries.length >= config.attempts) {
      record.state = 'given-up';
      this.pendingCount -= 1;
    } else {
      record.state = 'scheduled';
      const pause = Math.min(config.retryDelayMs * 2 ** (record.tries.length - 1), config.maxRetryDelayMs);
      record.nextAt = Date.now() + pause;
      this.parts.schedule.after(pause, () => this.enqueue(record));
    }
    this.parts.onChange(record);
  }

  /** One try, which is added to the record. */
  private async post(record: CallbackRecord, config: CallbackConfig): Promise<void> {
    const at = Date.now();
    const answer = await this.exchange(record, config).catch((error: unknown) => {
      reportError(error);
      return { status: 0, answer: '', problem: 'sandbox error' };
    });
    record.tries.push(answer.status);
    record.attempts.push({ at, ms: Date.now() - at, ...answer });
  }

  /** Status 0 when there was no answer. Redirects are not followed. */
  private async exchange(
    { url, payload }: CallbackRecord,
    config: CallbackConfig,
  ): Promise<Omit<CallbackAttempt, 'at' | 'ms'>> {
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
          timeout: config.timeoutMs,
        },
        (response) => {
          let answer = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            if (answer.length < MOST_ANSWER) answer = (answer + chunk).slice(0, MOST_ANSWER);
            // The rest is read and dropped; an answer without an end is judged by its beginning.
            else resolve({ status: response.statusCode ?? 0, answer });
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, answer }));
          response.on('error', () => none('the connection broke'));
        },
      );
      request.on('timeout', () => {
        none(`not within ${config.timeoutMs} ms`);
        request.destroy();
      });
      request.on('error', (error: NodeJS.ErrnoException) => none(error.code ?? error.message));
      request.on('close', () => none('the connection was closed'));
      request.end(body);
    });
  }
}

function isTaken(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Whether callbacks to an address are sent at all. */
function isReachable(url: string, { allowRemoteHooks }: Pick<CallbackConfig, 'allowRemoteHooks'>): boolean {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return false;
  return allowRemoteHooks || isLoopbackHost(new URL(url).hostname);
}
