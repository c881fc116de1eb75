import type { IncomingMessage } from 'node:http';
import type { SandboxConfig } from './config.mts';
import { parseJson } from './http.mts';

export type Endpoint = 'sync' | 'async' | 'mcp' | 'health' | 'other';

/** A request that the sandbox received. */
export interface RecordedRequest {
  /** Counts from 1 over all endpoints. */
  seq: number;
  at: number;
  endpoint: Endpoint;
  method: string;
  /** Path and query as they came. */
  url: string;
  /** Lower-case names; the key is `***`. */
  headers: Record<string, string | string[] | undefined>;
  /** The bytes of the body; the key is `***`. */
  raw: Buffer;
  /** Where the request carried an API key: in the body's `auth`, in the Authorization header, or both. */
  keyIn: Array<'body' | 'header'>;
  /** The parsed body, or undefined when it is not JSON. Parsed anew each time it is read. */
  readonly body: unknown;
  /** Operations in the envelope. */
  items: number;
  /** Properties that the contract does not declare, as `data[0].colour`. */
  undeclared: string[];
  /** Kind of the injected fault, if there was one. */
  fault?: string;
  /** HTTP status of the answer; undefined while there is none, or when the connection was dropped. */
  status?: number;
  /** The body of the answer, masked like the request's. */
  answer?: string;
  /** Milliseconds until the answer left. */
  ms?: number;
  /** Notes the answer that leaves now. */
  answered(status: number, body: string): void;
  requestId?: string;
}

const MASK = '***';

/** Keeps the latest requests within a number and a total size. */
export class Requests {
  readonly list: RecordedRequest[] = [];

  private readonly keep: () => SandboxConfig['keep'];

  private seq = 0;

  private bytes = 0;

  private readonly onChange: (record: RecordedRequest) => void;

  /** @param onChange called with each request when it comes and when it is answered */
  constructor(
    keep: () => SandboxConfig['keep'],
    onChange: (record: RecordedRequest) => void = () => undefined,
  ) {
    this.keep = keep;
    this.onChange = onChange;
  }

  /** Requests received since the start or the last reset, also those no longer kept. */
  get total(): number {
    return this.seq;
  }

  /**
   * Records a request.
   * @param auth the key found in the body, if there was one
   */
  add(request: IncomingMessage, endpoint: Endpoint, raw: Buffer, auth?: unknown): RecordedRequest {
    const header = request.headers.authorization;
    const keyIn: RecordedRequest['keyIn'] = [];
    if (auth !== undefined) keyIn.push('body');
    if (header !== undefined) keyIn.push('header');
    this.seq += 1;
    const record: RecordedRequest = {
      seq: this.seq,
      at: Date.now(),
      endpoint,
      method: request.method ?? '',
      url: request.url ?? '',
      headers: {
        ...request.headers,
        ...(header === undefined ? {} : { authorization: header.replace(/\S+$/, MASK) }),
      },
      raw: typeof auth !== 'string' ? raw : masked(raw, auth),
      keyIn,
      get body() {
        return parsed(this.raw);
      },
      items: 0,
      undeclared: [],
      answered: (status, body) => {
        record.status = status;
        record.ms = Date.now() - record.at;
        record.answer = typeof auth !== 'string' ? body : withoutKey(body, auth);
        if (this.list.lastIndexOf(record) >= 0) this.trim(record.answer.length);
        this.onChange(record);
      },
    };
    this.list.push(record);
    this.trim(record.raw.length);
    this.onChange(record);
    return record;
  }

  /** The kept request of a number, with what was sent and what was answered. */
  get(seq: number): RecordedRequest | undefined {
    return this.list.find((record) => record.seq === seq);
  }

  private trim(added: number): void {
    const { requests, requestBytes } = this.keep();
    this.bytes += added;
    let drop = 0;
    while (this.list.length - drop > requests || (this.bytes > requestBytes && drop < this.list.length)) {
      this.bytes -= this.list[drop].raw.length + (this.list[drop].answer?.length ?? 0);
      drop += 1;
    }
    if (drop > 0) this.list.splice(0, drop);
  }

  /** Forgets all requests and counts from 1 again. */
  clear(): void {
    this.list.length = 0;
    this.seq = 0;
    this.bytes = 0;
  }
}

function withoutKey(body: string, key: string): string {
  return key === '' ? body : body.replaceAll(JSON.stringify(key).slice(1, -1), MASK);
}

function parsed(raw: Buffer): unknown {
  try {
    return parseJson(raw);
  } catch {
    // Not JSON: the record says so by having no body; the bytes are there.
    return undefined;
  }
}

function masked(raw: Buffer, key: string): Buffer {
  const needle = Buffer.from(JSON.stringify(key).slice(1, -1));
  if (needle.length === 0) return raw;
  // As text of one character for each byte, whatever the bytes are: a short key may be in there millions of times.
  if (raw.includes(needle)) {
    return Buffer.from(raw.toString('latin1').replaceAll(needle.toString('latin1'), MASK), 'latin1');
  }
  // The key was written with other escapes than ours: bytes as they came would give it away.
  return Buffer.from(JSON.stringify(parsed(raw), (_name, value) => (value === key ? MASK : value)));
}
