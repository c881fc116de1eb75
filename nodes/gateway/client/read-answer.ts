import type { ResultItem, SyncResponse } from '../contract/envelope';
import { asyncResponseSchema, syncResponseSchema, typedIdentifier } from '../contract/envelope';
import type { WireOperation } from '../contract/operations';
import { explain } from '../errors/catalogue';
import type { Problem } from '../errors/problem';
import type { SendResult } from './send-result';
import type { Answer, Endpoint } from './transport';

/**
 * What an answer says about the request as a whole.
 *
 * - `results`: one outcome for each operation, in the order of the request.
 * - `envelopeRefused`: nothing of the request was taken, in the gateway's words.
 * - `tooLarge`, `tryLater`: nothing was taken; smaller, or later, it may be.
 * - `rejected`: a real HTTP refusal before the gateway looked at the request.
 * - `unclear`: it cannot be told whether the request was taken.
 */
export type Reading =
  | { kind: 'results'; outcomes: SendResult[] }
  | { kind: 'envelopeRefused'; problem: Problem; text: string }
  | { kind: 'tooLarge'; problem: Problem }
  | { kind: 'tryLater'; problem: Problem; retryAfter?: number }
  | { kind: 'rejected'; problem: Problem }
  | { kind: 'unclear'; problem: Problem };

const NO_REASON = 'no reason given';

/**
 * Reads the answer of an endpoint to a request of `operations` (gateway-api.md, "Response envelope",
 * "Asynchronous response", "Errors"). Never throws, and never guesses a result into place: results are matched
 * by position and checked by `id`; where the positions disagree but every `id` of the request is unique and
 * present, the `id` decides; anything else is `unclear`.
 */
export function readAnswer(endpoint: Endpoint, answer: Answer, operations: WireOperation[]): Reading {
  const body = parseJson(answer.body);
  const byStatus = readStatus(answer, body);
  if (byStatus) return byStatus;
  return endpoint === 'sync' ? readSync(answer, body, operations) : readAsync(answer, body, operations);
}

function readStatus(answer: Answer, body: unknown): Reading | undefined {
  const { status, retryAfter } = answer;
  if (status >= 200 && status < 300) return undefined;
  const refusal = refusalText(body);
  const problem: Problem =
    refusal === undefined
      ? { kind: 'http', status, retryAfter }
      : { kind: 'envelope', text: refusal, status };
  if (status === 413) return { kind: 'tooLarge', problem };
  if (status === 429) return { kind: 'tryLater', problem: { kind: 'http', status, retryAfter }, retryAfter };
  if (status === 400 && refusal !== undefined) {
    // The gateway's own words about the request: one bad operation may be the cause, so it is worth splitting.
    return { kind: 'envelopeRefused', problem: { kind: 'envelope', text: refusal }, text: refusal };
  }
  if (status >= 500) {
    // An answer of the gateway itself that says "refused" is believed; a bare 5xx may come from a proxy
    // in front of a gateway that took the request.
    if (refusal !== undefined) return { kind: 'envelopeRefused', problem, text: refusal };
    return { kind: 'unclear', problem };
  }
  return { kind: 'rejected', problem };
}

/** An answer in exactly the form of the contract, which needs no conversion; undefined for any other. */
function plainAnswer(body: unknown): SyncResponse | undefined {
  if (!isPlainResult(body) || !('data' in body) || !Array.isArray(body.data)) return undefined;
  return body.data.every(isPlainResult) ? (body as unknown as SyncResponse) : undefined;
}

function isPlainResult(value: unknown): value is Pick<ResultItem, 'success' | 'error'> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { success, error } = value as Partial<ResultItem>;
  return typeof success === 'boolean' && (error === undefined || typeof error === 'string');
}

function readSync(answer: Answer, body: unknown, operations: WireOperation[]): Reading {
  const response = plainAnswer(body) ?? syncResponseSchema.safeParse(body).data;
  if (!response) return unclearAnswer(answer);
  const { success, error, data } = response;
  if (!success && data === undefined) return envelopeRefused(error);
  if (data === undefined) return unclearAnswer(answer);
  if (data.length !== operations.length) {
    const problem: Problem = { kind: 'lengthMismatch', sent: operations.length, received: data.length };
    return { kind: 'unclear', problem };
  }
  const ordered = inRequestOrder(data, operations);
  if (!ordered) return { kind: 'unclear', problem: { kind: 'idMismatch' } };
  return { kind: 'results', outcomes: ordered.map((item, i) => itemOutcome(item, operations[i])) };
}

function readAsync(answer: Answer, body: unknown, operations: WireOperation[]): Reading {
  const parsed = asyncResponseSchema.safeParse(body);
  if (!parsed.success) return unclearAnswer(answer);
  const { success, error, request_id: requestId } = parsed.data;
  if (!success) return envelopeRefused(error);
  if (requestId === undefined) return unclearAnswer(answer);
  return {
    kind: 'results',
    outcomes: operations.map(() => ({ state: 'accepted', payload: undefined, requestId })),
  };
}

function itemOutcome(item: ResultItem, operation: WireOperation): SendResult {
  if (item.success) return { state: 'accepted', payload: item.data };
  const problem: Problem = { kind: 'item', text: item.error ?? NO_REASON, wireType: operation.type };
  if (explain(problem).accepted) return { state: 'accepted', payload: item.data, duplicate: true };
  return { state: 'refused', problem, payload: item.data };
}

/** The results in the order of the request, or undefined where that order can't be known. */
function inRequestOrder(items: ResultItem[], operations: WireOperation[]): ResultItem[] | undefined {
  if (items.every((item, i) => idFits(item, operations[i]))) return items;
  const byId = new Map(items.map((item) => [idOf(item), item]));
  if (byId.size !== items.length || byId.has(undefined)) return undefined;
  const ordered = operations.map((operation) => byId.get(operation.id));
  const complete = new Set(ordered).size === operations.length && !ordered.includes(undefined);
  return complete ? (ordered as ResultItem[]) : undefined;
}

function idOf(item: ResultItem): unknown {
  const { data } = item;
  return typeof data === 'object' && data !== null
    ? typedIdentifier((data as { id?: unknown }).id)
    : undefined;
}

function idFits(item: ResultItem, operation: WireOperation): boolean {
  // Payloads of template and account operations carry ids of their own, or none.
  if (operation.phone === undefined && operation.type !== 'status') return true;
  const id = idOf(item);
  return id === undefined || id === operation.id;
}

/** Causes that pass by themselves, so that the same request is worth another try. */
const PASSING = new Set<string | undefined>(['rate-limited', 'temporarily-unavailable']);

function envelopeRefused(error: string | undefined): Reading {
  const text = error ?? NO_REASON;
  const problem: Problem = { kind: 'envelope', text };
  if (PASSING.has(explain(problem).failure?.cause)) return { kind: 'tryLater', problem };
  return { kind: 'envelopeRefused', problem, text };
}

function unclearAnswer({ contentType, status }: Answer): Reading {
  return { kind: 'unclear', problem: { kind: 'notGateway', contentType, status } };
}

/** The gateway's own words in a body that refuses the whole request. */
function refusalText(body: unknown): string | undefined {
  const parsed = asyncResponseSchema.safeParse(body);
  return parsed.success && !parsed.data.success ? parsed.data.error : undefined;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    // Not JSON: the schemas of the caller refuse undefined, which makes the answer "unclear".
    return undefined;
  }
}
