/**
 * Things that go wrong between a client and the gateway, on purpose. A fault is chosen when a request arrives,
 * by a predicate or by a seeded share; whether the batch was taken before it struck is part of its kind.
 */
import type { ServerResponse } from 'node:http';
import type { Answer } from './api.mts';
import { htmlPage, pause, send, sendJson } from './http.mts';
import { InputError } from './input-error.mts';
import { seededRandom, shuffled } from './random.mts';
import type { Random } from './random.mts';
import type { Endpoint, RecordedRequest } from './requests.mts';
import type { JsonObject } from './types.mts';

/** `-before`: nothing of the request was taken. `-after`: all of it was, only the answer is bad. */
export type FaultKind =
  | 'drop-before'
  | 'drop-after'
  | 'status-before'
  | 'status-after'
  | 'html-before'
  | 'html-after'
  | 'truncated'
  | 'short-data'
  | 'long-data'
  | 'reordered'
  | 'foreign-ids'
  | 'garbage-before'
  | 'garbage-after'
  | 'empty-after'
  | 'slow'
  | 'hang-before'
  | 'hang-after'
  | 'rate-limit'
  | 'too-large'
  | 'refuse-large'
  | 'refuse'
  | 'refuse-items'
  | 'huge'
  | 'endless'
  | 'endless-events';

export const FAULT_KINDS: readonly FaultKind[] = [
  'drop-before',
  'drop-after',
  'status-before',
  'status-after',
  'html-before',
  'html-after',
  'truncated',
  'short-data',
  'long-data',
  'reordered',
  'foreign-ids',
  'garbage-before',
  'garbage-after',
  'empty-after',
  'slow',
  'hang-before',
  'hang-after',
  'rate-limit',
  'too-large',
  'refuse-large',
  'refuse',
  'refuse-items',
  'huge',
  'endless',
  'endless-events',
];

/** What a predicate sees of a request. */
export interface FaultContext {
  endpoint: Endpoint;
  /** Operations in the envelope; 0 for the connector. */
  items: number;
  /** `data` of the envelope, or the JSON-RPC request of the connector. */
  body: unknown;
  record: RecordedRequest;
}

export interface FaultPlan {
  /** One kind, or several to draw from. */
  kind: FaultKind | readonly FaultKind[];
  /** Only requests for which this is true (not available over the control API). */
  when?: (context: FaultContext) => boolean;
  /** Only this endpoint; default: `sync` and `async`. */
  endpoint?: Endpoint | 'any';
  /** Only requests with an operation of this type, for example `sms`. */
  type?: string;
  /** Only requests that are not made of `status` operations alone. Default true. */
  sparesStatus?: boolean;
  /** Only requests with more operations than this (`too-large`, `refuse-large`: the limit itself). */
  over?: number;
  /** How many requests it strikes; default: all. */
  times?: number;
  /** How many matching requests pass before it starts. */
  after?: number;
  /** Share (0..1) of matching requests, drawn with `seed`. */
  share?: number;
  seed?: number;
  /** HTTP status of `status-*`; default 502. */
  status?: number;
  /** Seconds in the `Retry-After` of `rate-limit`; `null` leaves the header out. Default 1. */
  retryAfter?: number | null;
  /** Milliseconds of `slow`; default 5000. The batch is taken at once. */
  delayMs?: number;
  /** Error text of `refuse`, `refuse-items` and `refuse-large`. */
  error?: string;
  /** Size of `huge`; default 64 MiB. */
  bytes?: number;
}

interface Active {
  plan: FaultPlan;
  random: Random;
  passed: number;
  struck: number;
}

/** A fault that struck a request. */
export interface ChosenFault {
  kind: FaultKind;
  plan: FaultPlan;
}

export class Faults {
  private active: Active[] = [];

  /** Faults that struck, by kind. */
  readonly struck: Partial<Record<FaultKind, number>> = {};

  /**
   * Adds a fault; plans are asked in the order in which they were added.
   * @returns a function that takes it away again
   * @throws Error for a kind that does not exist
   */
  add(plan: FaultPlan): () => void {
    for (const kind of kindsOf(plan)) {
      if (!FAULT_KINDS.includes(kind)) throw new InputError(`Unknown fault: ${String(kind)}`);
    }
    const active = { plan, random: seededRandom(plan.seed ?? 1), passed: 0, struck: 0 };
    this.active.push(active);
    return () => {
      this.active = this.active.filter((one) => one !== active);
    };
  }

  /** Takes all faults away and forgets what struck. */
  clear(): void {
    this.active = [];
    for (const kind of Object.keys(this.struck)) delete this.struck[kind as FaultKind];
  }

  /** Plans that are active, with how often each struck. */
  list(): Array<Omit<FaultPlan, 'when'> & { struck: number }> {
    return this.active.map(({ plan: { when: _when, ...plan }, struck }) => ({ ...plan, struck }));
  }

  /** Chooses the fault for a request, or none. */
  choose(context: FaultContext): ChosenFault | undefined {
    for (const active of this.active) {
      const { plan } = active;
      if (!applies(plan, context)) continue;
      if (plan.times !== undefined && active.struck >= plan.times) continue;
      active.passed += 1;
      if (active.passed <= (plan.after ?? 0)) continue;
      if (plan.share !== undefined && active.random() >= plan.share) continue;
      active.struck += 1;
      const kinds = kindsOf(plan);
      const kind = kinds[Math.floor(active.random() * kinds.length)];
      this.struck[kind] = (this.struck[kind] ?? 0) + 1;
      return { kind, plan };
    }
    return undefined;
  }
}

function kindsOf(plan: FaultPlan): readonly FaultKind[] {
  return typeof plan.kind === 'string' ? [plan.kind] : plan.kind;
}

function applies(plan: FaultPlan, { endpoint, items, body, record }: FaultContext): boolean {
  if (plan.endpoint === undefined ? endpoint !== 'sync' && endpoint !== 'async' : false) return false;
  if (plan.endpoint !== undefined && plan.endpoint !== 'any' && plan.endpoint !== endpoint) return false;
  const operations = Array.isArray(body) ? (body as Array<JsonObject | null>) : [];
  if (plan.type !== undefined && !operations.some((one) => one?.type === plan.type)) return false;
  const spares = plan.sparesStatus ?? true;
  if (spares && operations.length > 0 && operations.every((one) => one?.type === 'status')) return false;
  if (plan.over !== undefined && items <= plan.over) return false;
  return plan.when ? plan.when({ endpoint, items, body, record }) : true;
}

/** What is needed to answer badly. */
export interface FaultScene {
  response: ServerResponse;
  record: RecordedRequest;
  /** Carries the request out and gives the good answer. */
  take: () => Answer | Promise<Answer>;
  /** Whether the endpoint uses real HTTP codes. */
  codes: boolean;
  random: Random;
}

/** Answers a request with a fault. Resolves when the answer is under way or the connection is gone. */
export async function answerWithFault({ kind, plan }: ChosenFault, scene: FaultScene): Promise<void> {
  const { response, record } = scene;
  const drop = () => response.socket?.destroy();
  const answer = (status: number, type: string, body: string, headers: Record<string, string> = {}) => {
    record.status = status;
    send(response, status, type, body, headers);
  };
  const good = async (change: (body: JsonObject) => JsonObject = (body) => body) => {
    const taken = await scene.take();
    record.status = scene.codes ? taken.code : 200;
    sendJson(response, record.status, change(taken.body));
  };
  const changed = (change: (data: JsonObject[]) => JsonObject[]) =>
    good((body) => (Array.isArray(body.data) ? { ...body, data: change(body.data as JsonObject[]) } : body));
  switch (kind) {
    case 'drop-before':
      return void drop();
    case 'drop-after':
      await scene.take();
      return void drop();
    case 'status-before':
    case 'status-after': {
      if (kind === 'status-after') await scene.take();
      const status = plan.status ?? 502;
      return answer(status, 'text/html', htmlPage(`${status} Gateway error`));
    }
    case 'html-before':
    case 'html-after':
      if (kind === 'html-after') await scene.take();
      return answer(200, 'text/html; charset=utf-8', htmlPage('Sign in'));
    case 'garbage-before':
    case 'garbage-after':
      if (kind === 'garbage-after') await scene.take();
      return answer(200, 'application/json', '\u0000\u0001 not json }{');
    case 'empty-after':
      await scene.take();
      return answer(200, 'application/json', '');
    case 'truncated': {
      const whole = JSON.stringify((await scene.take()).body);
      return answer(200, 'application/json', whole.slice(0, Math.floor(whole.length / 2)));
    }
    case 'short-data':
      return changed((data) => data.slice(0, -1));
    case 'long-data':
      return changed((data) => [...data, ...data.slice(-1)]);
    case 'reordered':
      return changed((data) => reordered(data, scene.random));
    case 'foreign-ids':
      return changed((data) =>
        data.map((item) => ({ ...item, data: { ...(item.data as JsonObject), id: 999_999_999_999 } })),
      );
    case 'slow':
      return slow(scene, plan.delayMs ?? 5000);
    case 'hang-before':
      return undefined;
    case 'hang-after':
      await scene.take();
      return undefined;
    case 'rate-limit': {
      const seconds = plan.retryAfter === undefined ? 1 : plan.retryAfter;
      const headers: Record<string, string> = seconds === null ? {} : { 'retry-after': String(seconds) };
      return answer(429, 'application/json', '{"success":false,"error":"Too many requests"}', headers);
    }
    case 'too-large':
      return answer(413, 'text/html', htmlPage('413 Request Entity Too Large'));
    case 'refuse-items': {
      const error = plan.error ?? 'Internal error';
      const operations = (record.body as { data?: JsonObject[] } | null)?.data ?? [];
      const data = operations.map((operation) => ({
        success: false,
        error,
        data: { id: operation.id },
      }));
      return answer(200, 'application/json', JSON.stringify({ success: true, data }));
    }
    case 'refuse-large':
    case 'refuse': {
      const error =
        plan.error ?? (kind === 'refuse' ? 'Internal error' : 'Too many operations in one request');
      return answer(200, 'application/json', JSON.stringify({ success: false, error }));
    }
    case 'huge':
      record.status = 200;
      return stream(response, plan.bytes ?? 64 * 1024 * 1024);
    case 'endless':
      record.status = 200;
      return stream(response, Infinity);
    case 'endless-events':
      record.status = 200;
      return comments(response);
  }
}

async function slow(scene: FaultScene, delayMs: number): Promise<void> {
  const taken = await scene.take();
  await pause(delayMs);
  scene.record.status = scene.codes ? taken.code : 200;
  sendJson(scene.response, scene.record.status, taken.body);
}

/** Another order for sure, where there are two items to exchange. */
function reordered<T>(list: T[], random: Random): T[] {
  const mixed = shuffled(list, random);
  return mixed.every((item, index) => item === list[index]) ? [...list.slice(1), ...list.slice(0, 1)] : mixed;
}

/** Sends well-formed beginnings of JSON until the size is reached or the client goes away. */
function stream(response: ServerResponse, bytes: number): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  let left = bytes;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"padding":"');
  const more = () => {
    for (; left > 0; left -= chunk.length) {
      if (response.destroyed) return;
      if (!response.write(chunk)) {
        response.once('drain', more);
        left -= chunk.length;
        return;
      }
    }
    response.end('"}');
  };
  more();
}

/** An event stream that stays open with comments and never brings the answer. */
function comments(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const timer = setInterval(() => response.write(': still working\n\n'), 50);
  response.once('close', () => clearInterval(timer));
}
