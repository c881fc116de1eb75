import type { ResponseEnvelope, ResultItem } from '../contract/envelope';
import { readEnvelope, typedIdentifier } from '../contract/envelope';
import type { WireOperation } from '../contract/operations';
import { mayHaveArrived } from '../errors/classify';
import { statusEntry, WITHOUT_REASON } from '../errors/entries';
import type { Problem } from '../errors/problem';
import { fromForeignJson } from '../text/json';
import type { Answer, Endpoint, NoAnswer } from './transport';
import type { AcceptedState } from './row';
import { isFault, isKeyRefused } from './words';

/** The word of an answer about one operation: the `data` of its result or the receipt of a queue, or why it is refused. */
export type ItemVerdict = AcceptedState | { is: 'refused'; problem: Problem; payload?: unknown };

/** The outcome of a request: one verdict for each operation, in the order of the request, or why there are none. */
export type Verdict = { kind: 'results'; items: ItemVerdict[] } | FailedRequest;

/**
 * A request without results.
 * - `notReached`: it did not leave.
 * - `closed`: nobody behind this address takes anything: the key is refused, or there is no gateway.
 * - `refused`: the gateway, or somebody in front of it, refuses the request.
 * - `broken`: there is no answer that makes sense, so that somebody may still be at work on the request.
 * - `timedOut`: the time limit was over, or the execution was stopped, while somebody was at work on the request.
 */
export interface FailedRequest {
  kind: 'notReached' | 'closed' | 'refused' | 'broken' | 'timedOut';
  problem: Problem;
}

/**
 * Judges what came back for a request of `operations` (gateway-api.md, "Synchronous answers", "Asynchronous answers" and
 * "Refusals"). The body decides, not the HTTP code: results that fit are results under any code. Results belong to the
 * operations by position; an answer with another number of results, or with other ids, makes no sense. Never throws.
 */
export function judge(endpoint: Endpoint, answer: Answer | NoAnswer, operations: WireOperation[]): Verdict {
  if (answer.kind === 'failure') return { kind: kindOfSilence(answer.problem), problem: answer.problem };
  const { status } = answer;
  const envelope = readEnvelope(fromForeignJson(answer.body));
  const items = envelope?.success === true ? itemsIn(endpoint, envelope, operations) : undefined;
  if (items === 'mismatch') {
    const isTimedOut = statusEntry(status).request === 'timedOut';
    return { kind: isTimedOut ? 'timedOut' : 'broken', problem: { kind: 'mismatch' } };
  }
  if (items !== undefined) return { kind: 'results', items };
  const problem = problemOf(answer, envelope);
  return { kind: kindOf(problem, status), problem };
}

/** Says what became of a request to which no whole answer came. */
function kindOfSilence(problem: Problem): FailedRequest['kind'] {
  if (!mayHaveArrived(problem)) return 'notReached';
  // People stop an execution that hangs: its gateway is as slow as one whose time limit is over.
  const isCutOff = problem.kind === 'connectionLost' && problem.code === 'ERR_CANCELED';
  return problem.kind === 'timeout' || isCutOff ? 'timedOut' : 'broken';
}

/**
 * Returns the verdicts on the operations; `mismatch` for results of other operations, undefined for what isn't an answer of the
 * endpoint.
 */
function itemsIn(
  endpoint: Endpoint,
  { data, requestId }: ResponseEnvelope,
  operations: WireOperation[],
): ItemVerdict[] | 'mismatch' | undefined {
  // A gateway may queue an operation of the synchronous endpoint: its receipt means that it took that operation.
  if (!data?.length && (endpoint === 'async' || requestId !== undefined))
    return operations.map(() => ({ is: 'accepted', requestId }));
  if (data === undefined) return undefined;
  if (data.length !== operations.length || !data.every((item, i) => idFits(item, operations[i])))
    return 'mismatch';
  return data.map(({ success, error, data: payload }) =>
    success
      ? { is: 'accepted', payload, requestId }
      : { is: 'refused', problem: { kind: 'operation', text: error ?? '' }, payload },
  );
}

/** Whether the `id` of a result is that of its operation, or missing. */
function idFits({ data }: ResultItem, operation: WireOperation): boolean {
  // Payloads of template and account operations carry ids of their own, or none.
  if (operation.phone === undefined && operation.type !== 'status') return true;
  const id = typeof data === 'object' && data !== null ? (data as { id?: unknown }).id : undefined;
  return id === undefined || id === null || typedIdentifier(id) === operation.id;
}

/** Returns why an answer holds no results. */
function problemOf(
  { status, contentType, retryAfter }: Answer,
  envelope: ResponseEnvelope | undefined,
): Problem {
  const isOk = status >= 200 && status < 300;
  const isRefusal = envelope?.success === false;
  if (isOk && !isRefusal) return { kind: 'notGateway', contentType, status };
  return {
    kind: 'request',
    text: (isRefusal && envelope.error) || '',
    ...(!isOk && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

/** Says what became of a request that got this answer: its words decide, and its HTTP status where they say nothing. */
function kindOf(problem: Problem, status: number): FailedRequest['kind'] {
  const { request = 'broken' } = statusEntry(status);
  // A front answers 5xx for a gateway that may go on: the words of a 502 decide nothing.
  if (status >= 500 || request === 'timedOut' || request === 'closed') return request;
  if (problem.kind === 'request' && !WITHOUT_REASON.test(problem.text)) {
    if (isKeyRefused(problem)) return 'closed';
    return isFault(problem) ? 'broken' : 'refused';
  }
  return request;
}

/** Whether a problem is a refusal: words of the gateway that are no fault, or a code that refuses before any work. */
export function saysNo(problem: Problem): boolean {
  if (problem.kind === 'request') return kindOf(problem, problem.status ?? 200) === 'refused';
  return problem.kind === 'operation' && !isFault(problem);
}
