import type { ResultItem, SyncResponse } from '../contract/envelope';
import { asyncResponseSchema, syncResponseSchema, typedIdentifier } from '../contract/envelope';
import type { WireOperation } from '../contract/operations';
import { policyOf } from '../errors/catalogue';
import type { Problem } from '../errors/problem';
import { parseExactJson } from './exact-json';
import type { Answer, Endpoint, NoAnswer } from './transport';

/** What an answer says about one operation. */
export type ItemVerdict =
  | { kind: 'accepted'; payload: unknown; requestId?: string }
  | { kind: 'refused'; problem: Problem; payload: unknown };

/**
 * What became of a request as a whole.
 *
 * - `results`: the gateway took it; one verdict for each operation, in the order of the request.
 * - `refused`: nothing of it was taken, in the gateway's words.
 * - `tooLarge`, `tryLater`: nothing was taken; smaller, or later, it may be.
 * - `rejected`: a real HTTP refusal before the gateway looked at it.
 * - `notReached`: it did not leave.
 * - `unclear`: it may have been taken. `isLate`: the gateway was still at work on it when the time limit was over.
 */
export type Verdict =
  | { kind: 'results'; items: ItemVerdict[] }
  | { kind: 'refused'; problem: Problem }
  | { kind: 'tooLarge'; problem: Problem }
  | { kind: 'tryLater'; problem: Problem; retryAfter?: number }
  | { kind: 'rejected'; problem: Problem }
  | { kind: 'notReached'; problem: Problem }
  | { kind: 'unclear'; problem: Problem; isLate: boolean };

/** Codes of a server on the way, or of the gateway, that stopped waiting while somebody was still at work. */
const LATE_STATUSES = [408, 504, 524];

/**
 * Judges what came back for a request of `operations` (gateway-api.md, "Response envelope", "Asynchronous response",
 * "Errors"). Never throws, and never guesses a result into place: results are matched by position and checked by `id`;
 * where the positions disagree but every `id` of the request is unique and present, the `id` decides; anything else is
 * `unclear`.
 */
export function judge(endpoint: Endpoint, answer: Answer | NoAnswer, operations: WireOperation[]): Verdict {
  if (answer.kind === 'failure') {
    const { problem, mayHaveArrived } = answer;
    return mayHaveArrived ? unclear(problem, problem.kind === 'timeout') : { kind: 'notReached', problem };
  }
  const body = parseExactJson(answer.body);
  const byStatus = judgeStatus(answer, body);
  if (byStatus) return byStatus;
  return endpoint === 'sync' ? judgeSync(answer, body, operations) : judgeAsync(answer, body, operations);
}

const unclear = (problem: Problem, isLate = false): Verdict => ({ kind: 'unclear', problem, isLate });

function judgeStatus(answer: Answer, body: unknown): Verdict | undefined {
  const { status, retryAfter } = answer;
  if (status >= 200 && status < 300) return undefined;
  const refusal = refusalText(body);
  const problem: Problem =
    refusal === undefined
      ? { kind: 'http', status, retryAfter }
      : { kind: 'envelope', text: refusal, status };
  if (LATE_STATUSES.includes(status)) return unclear(problem, true);
  // Whatever a 5xx says, it may come from behind a gateway that took the request.
  if (status >= 500) return unclear(problem);
  if (status === 413) return { kind: 'tooLarge', problem };
  if (status === 429) return { kind: 'tryLater', problem: { kind: 'http', status, retryAfter }, retryAfter };
  // The gateway's own words about the request: one bad operation may be the cause, so it is worth splitting.
  if (status === 400 && refusal !== undefined) return refused(refusal, retryAfter);
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

function judgeSync(answer: Answer, body: unknown, operations: WireOperation[]): Verdict {
  const response = plainAnswer(body) ?? syncResponseSchema.safeParse(body).data;
  if (!response) return foreign(answer);
  const { success, error, data } = response;
  if (!success && data === undefined) return refused(error, answer.retryAfter);
  if (data === undefined) return foreign(answer);
  if (data.length !== operations.length) {
    return unclear({ kind: 'lengthMismatch', sent: operations.length, received: data.length });
  }
  const ordered = inRequestOrder(data, operations);
  if (!ordered) return unclear({ kind: 'idMismatch' });
  return { kind: 'results', items: ordered.map((item, i) => judgeItem(item, operations[i])) };
}

function judgeAsync(answer: Answer, body: unknown, operations: WireOperation[]): Verdict {
  const parsed = asyncResponseSchema.safeParse(body);
  if (!parsed.success) return foreign(answer);
  const { success, error, request_id: requestId } = parsed.data;
  if (!success) return refused(error, answer.retryAfter);
  if (requestId === undefined) return foreign(answer);
  return {
    kind: 'results',
    items: operations.map((): ItemVerdict => ({ kind: 'accepted', payload: undefined, requestId })),
  };
}

function judgeItem({ success, error, data }: ResultItem, { type }: WireOperation): ItemVerdict {
  if (success) return { kind: 'accepted', payload: data };
  return {
    kind: 'refused',
    problem: { kind: 'item', text: error ?? '', wireType: type },
    payload: data,
  };
}

/** Whether the gateway reports a fault of its own for every operation, which says no more than a lost answer. */
export const saysNothing = (items: ItemVerdict[]): boolean =>
  items.every((item) => item.kind === 'refused' && policyOf(item.problem).retry === 'afterStatusCheck');

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

/** What a refusal of the whole request means: later or smaller, one bad operation, or a fault that hides the truth. */
function refused(error: string | undefined, retryAfter: number | undefined): Verdict {
  const problem: Problem = { kind: 'envelope', text: error ?? '' };
  const { code, failure, retry } = policyOf(problem);
  if (code === 'too-many-operations') return { kind: 'tooLarge', problem };
  if (PASSING.has(failure?.cause)) {
    return { kind: 'tryLater', problem, ...(retryAfter !== undefined && { retryAfter }) };
  }
  return retry === 'afterStatusCheck' ? unclear(problem) : { kind: 'refused', problem };
}

const foreign = ({ contentType, status }: Answer): Verdict =>
  unclear({ kind: 'notGateway', contentType, status });

/** The gateway's own words in a body that refuses the whole request. */
function refusalText(body: unknown): string | undefined {
  const parsed = asyncResponseSchema.safeParse(body);
  return parsed.success && !parsed.data.success ? parsed.data.error : undefined;
}
