import { z } from 'zod/v3';
import { InputError } from '../input-error.mts';
import { checked, milliseconds, share } from '../input.mts';
import type { Endpoint, RecordedRequest } from '../requests.mts';

/** What a kind of fault does with the batch of the request that it strikes. */
interface Kind {
  /** Whether the batch is taken before the answer. */
  takes: boolean;
  /** Whether the batch can be taken late instead (`commitDelay`). */
  late: boolean;
}

const before: Kind = { takes: false, late: true };
const after: Kind = { takes: true, late: true };

/** `-before`: nothing of the request was taken. `-after`: all of it was, only the answer is bad. */
export const KINDS = {
  'drop-before': before,
  'drop-after': after,
  'status-before': before,
  'status-after': after,
  'html-after': after,
  slow: after,
  'hang-after': after,
  refuse: before,
  'refuse-after': after,
  'refuse-items': before,
  acknowledged: after,
  'endless-events': before,
  // Its answer is that to a copy of the request, so there is none without the batch.
  repeated: { takes: true, late: false },
  // Somebody in front of the gateway refuses what never gets to it.
  'rate-limit': { takes: false, late: false },
} as const satisfies Record<string, Kind>;

export type FaultKind = keyof typeof KINDS;

export const FAULT_KINDS = Object.keys(KINDS) as readonly FaultKind[];

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
  kind: FaultKind;
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
  endpoint?: Endpoint;
  /** Only requests that are not made of `status` operations alone. Default true. */
  sparesStatus?: boolean;
  /** How many requests it strikes; default: all. */
  times?: number;
  /** How many matching requests pass before it starts. */
  after?: number;
  /** HTTP status of `status-*`; default 502. */
  status?: number;
  /** Seconds in the `Retry-After` of `rate-limit`; default 1. */
  retryAfter?: number;
  /** Milliseconds of `slow`; default 5000. Without `commitDelay` the batch is taken at once. */
  delayMs?: number;
  /** Error text of the `refuse` kinds. Makes the body of `status-*` JSON with this error instead of an HTML page. */
  error?: string;
}

const count = z.number().int().min(0).optional();

const PLAN: z.ZodType<FaultPlan> = z
  .object({
    kind: z.enum(FAULT_KINDS as [FaultKind, ...FaultKind[]]),
    commitDelay: milliseconds.optional(),
    takes: share.optional(),
    holdMs: milliseconds.optional(),
    when: z
      .custom<NonNullable<FaultPlan['when']>>((value) => typeof value === 'function', 'has to be a function')
      .optional(),
    endpoint: z.enum(['sync', 'async', 'mcp', 'health']).optional(),
    sparesStatus: z.boolean().optional(),
    times: count,
    after: count,
    // Answers below 200 are not the last word, so a client would wait for one that never comes.
    status: z.number().int().min(200).max(599).optional(),
    retryAfter: z.number().min(0).optional(),
    delayMs: milliseconds.optional(),
    error: z.string().optional(),
  })
  .strict();

/** @throws InputError for a kind or an option that doesn't exist, or options that don't go together */
export function checkFault(plan: FaultPlan): void {
  const { kind, commitDelay } = checked(PLAN, plan, 'Fault');
  if (commitDelay !== undefined && !KINDS[kind].late) {
    throw new InputError(`Fault: commitDelay does not go with the kind ${kind}`);
  }
}
