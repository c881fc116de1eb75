/**
 * Things that go wrong between a client and the gateway, on purpose. A fault is chosen when a request arrives, by its
 * number or a predicate; whether the batch was taken before it struck is part of its kind, and `commitDelay` makes it late.
 */
import type { ServerResponse } from 'node:http';
import { z } from 'zod/v3';
import { isObject } from './checks.mts';
import { answerJson, htmlPage, pause, send } from './http.mts';
import { checked, milliseconds } from './input.mts';
import type { Endpoint, RecordedRequest } from './requests.mts';
import type { Schedule } from './schedule.mts';
import type { Answer, JsonObject } from './types.mts';

/** Whether the batch of the request is taken before the answer. */
const TAKES = {
  'drop-before': false,
  'drop-after': true,
  'status-before': false,
  slow: true,
  'hang-after': true,
  refuse: false,
  'refuse-items': false,
  'endless-events': true,
} as const;

export type FaultKind = keyof typeof TAKES;

export const FAULT_KINDS = Object.keys(TAKES) as [FaultKind, ...FaultKind[]];

/** The part of a request that a predicate sees. */
export interface FaultContext {
  endpoint: Endpoint;
  /** Operations in the envelope; 0 for the connector. */
  items: number;
  /** `data` of the envelope, or the JSON-RPC request of the connector. */
  body: unknown;
}

const count = z.number().int().min(0).optional();

const PLAN = z
  .object({
    kind: z.enum(FAULT_KINDS),
    /** The batch is taken so many milliseconds after the request, in place of never or at once; the answer is the kind's as ever. */
    commitDelay: milliseconds.optional(),
    /** Only requests for which this is true (not available over the control API). */
    when: z
      .custom<
        (context: FaultContext) => boolean
      >((value) => typeof value === 'function', 'has to be a function')
      .optional(),
    /** Only this endpoint; default: `sync` and `async`. */
    endpoint: z.enum(['sync', 'async', 'mcp', 'health']).optional(),
    /** Only requests that are not made of `status` operations alone. Default true. */
    sparesStatus: z.boolean().optional(),
    /** How many requests it strikes; default: all. */
    times: count,
    /** How many matching requests pass before it starts. */
    after: count,
    /** HTTP status of `status-before`; default 502. Below 200 it would not be the last word. */
    status: z.number().int().min(200).max(599).optional(),
    /** Milliseconds of `slow`; default 5000. */
    delayMs: milliseconds.optional(),
    /** Error text of the `refuse` kinds. Makes the body of `status-before` JSON with this error instead of an HTML page. */
    error: z.string().optional(),
  })
  .strict();

export type FaultPlan = z.infer<typeof PLAN>;

interface Active {
  plan: FaultPlan;
  passed: number;
  struck: number;
}

export class Faults {
  private active: Active[] = [];

  /**
   * Adds a fault; plans are asked in the order in which they were added.
   * @throws InputError for a kind or an option that doesn't exist
   */
  add(plan: FaultPlan): void {
    this.active.push({ plan: checked(PLAN, plan, 'Fault'), passed: 0, struck: 0 });
  }

  /** Takes all faults away. */
  clear(): void {
    this.active = [];
  }

  /** Plans that are active, with how often each struck. */
  list(): Array<Omit<FaultPlan, 'when'> & { struck: number }> {
    return this.active.map(({ plan: { when: _when, ...plan }, struck }) => ({ ...plan, struck }));
  }

  /** Chooses the fault for a request, or none. */
  choose(context: FaultContext): FaultPlan | undefined {
    for (const active of this.active) {
      const { plan } = active;
      if (!applies(plan, context) || active.struck >= (plan.times ?? Infinity)) continue;
      active.passed += 1;
      if (active.passed <= (plan.after ?? 0)) continue;
      active.struck += 1;
      return plan;
    }
    return undefined;
  }
}

function applies(plan: FaultPlan, context: FaultContext): boolean {
  const { endpoint, body } = context;
  const endpoints = plan.endpoint === undefined ? ['sync', 'async'] : [plan.endpoint];
  if (!endpoints.includes(endpoint)) return false;
  const operations = Array.isArray(body) ? (body as Array<JsonObject | null>) : [];
  const spares = plan.sparesStatus ?? true;
  if (spares && operations.length > 0 && operations.every((one) => one?.type === 'status')) return false;
  return plan.when?.(context) ?? true;
}

/** The parts of the sandbox with which a fault answers. */
interface FaultScene {
  response: ServerResponse;
  record: RecordedRequest;
  /** Carries the request out, and gives the good answer to it. */
  take: () => Answer;
  /** For what is carried out later. */
  schedule: Schedule;
}

/** Answers a request with a fault. Resolves when the answer is under way or the connection is gone. */
export async function answerWithFault(plan: FaultPlan, scene: FaultScene): Promise<void> {
  const { kind, commitDelay, error = 'Internal error' } = plan;
  const { response, record, take, schedule } = scene;
  record.fault = kind;
  const taken = TAKES[kind] && commitDelay === undefined ? take() : undefined;
  if (commitDelay !== undefined) schedule.after(commitDelay, take);
  switch (kind) {
    case 'drop-before':
    case 'drop-after':
      return void response.socket?.destroy();
    case 'status-before': {
      const status = plan.status ?? 502;
      if (plan.error !== undefined) return answerJson(response, record, status, { success: false, error });
      const page = htmlPage(`${status} Gateway error`);
      record.answered(status, page);
      return send(response, status, 'text/html', page);
    }
    case 'slow':
      await pause(plan.delayMs ?? 5000);
      if (!taken) return void response.socket?.destroy();
      return answerJson(response, record, taken.code, taken.body);
    case 'hang-after':
      return undefined;
    case 'refuse-items': {
      const sent = isObject(record.body) && Array.isArray(record.body.data) ? record.body.data : [];
      const ids = sent.map((operation: unknown) => (isObject(operation) ? operation.id : null));
      const data = ids.map((id) => ({ success: false, error, data: { id } }));
      return answerJson(response, record, 200, { success: true, data });
    }
    case 'refuse':
      return answerJson(response, record, 200, { success: false, error });
    case 'endless-events': {
      record.answered(200, ': still working …');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write(': still working\n\n'), 50);
      response.once('close', () => clearInterval(timer));
    }
  }
}
