import { InputError } from '../input-error.mts';
import {
  boolean,
  milliseconds,
  number,
  object,
  oneOf,
  orNull,
  share,
  string,
  whole,
} from '../input-rules.mts';
import type { Rule } from '../input-rules.mts';
import type { Endpoint, RecordedRequest } from '../requests.mts';
import { FAULT_KINDS, KINDS } from './kinds.mts';
import type { FaultKind } from './kinds.mts';

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
  /**
   * The batch is taken this many milliseconds after the request, while the answer is the kind's as ever: a
   * gateway that fails now and sends later. The same for `-before` and `-after`; 0 is right after the answer.
   */
  commitDelay?: number;
  /** Which part of the batch is taken, from 0 to 1, where any is: the first operations. Default 1. */
  takes?: number;
  /** Milliseconds before the answer, or the break. A batch without `commitDelay` is taken before that. */
  holdMs?: number;
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
  /** Milliseconds of `slow`; default 5000. Without `commitDelay` the batch is taken at once. */
  delayMs?: number;
  /**
   * Error text of `refuse`, `refuse-after`, `refuse-items` and `refuse-large`. Makes the body of `status-*` JSON
   * with this error instead of an HTML page.
   */
  error?: string;
  /** Size of `huge`; default 64 MiB. */
  bytes?: number;
}

const kind = oneOf(FAULT_KINDS);

const kinds: Rule = (value, path) => {
  if (!Array.isArray(value)) return kind(value, path);
  if (value.length === 0) return `${path} has to name a kind`;
  return value.map((one) => kind(one, path)).find((problem) => problem !== undefined);
};

const PLAN_RULES: Record<keyof FaultPlan, Rule> = {
  kind: kinds,
  commitDelay: milliseconds,
  takes: share,
  holdMs: milliseconds,
  when: (value, path) => (typeof value === 'function' ? undefined : `${path} has to be a function`),
  endpoint: oneOf(['sync', 'async', 'mcp', 'health', 'any']),
  type: string,
  sparesStatus: boolean,
  over: whole(0),
  times: whole(0),
  after: whole(0),
  share,
  seed: whole(0),
  // Answers below 200 are not the last word, so a client would wait for one that never comes.
  status: whole(200, 599),
  retryAfter: orNull(number(0, Number.MAX_SAFE_INTEGER)),
  delayMs: milliseconds,
  error: string,
  bytes: whole(0),
};

export function kindsOf(plan: FaultPlan): readonly FaultKind[] {
  return typeof plan.kind === 'string' ? [plan.kind] : plan.kind;
}

/** @throws InputError for a kind or an option that doesn't exist, or options that don't go together */
export function checkFault(plan: FaultPlan): void {
  const problem = object(PLAN_RULES, ['kind'])(plan, '');
  if (problem) throw new InputError(`Fault: ${problem}`);
  if (plan.commitDelay === undefined) return;
  for (const one of kindsOf(plan)) {
    if (!KINDS[one].late) throw new InputError(`Fault: commitDelay does not go with the kind ${one}`);
  }
}
