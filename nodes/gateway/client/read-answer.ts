import type { ResponseEnvelope, ResultItem } from '../contract/envelope';
import { readEnvelope, typedIdentifier } from '../contract/envelope';
import { exactFromJson } from '../contract/json';
import type { WireOperation } from '../contract/operations';
import type { Problem } from '../errors/problem';
import type { Answer, Endpoint, NoAnswer } from './transport';

/** What an answer says about one operation. */
export type ItemVerdict =
  | { kind: 'accepted'; payload: unknown; requestId?: string }
  | { kind: 'refused'; problem: Problem; payload: unknown };

/**
 * What became of a request as a whole. Only the first five prove anything.
 *
 * - `results`: one verdict for each operation, in the order of the request.
 * - `tooLarge`, `tryLater`: refused before the gateway saw it; smaller, or later, it may be taken.
 * - `rejected`: nothing was taken, and nothing else will be: the key is refused, or something in front of the gateway
 *   refuses the caller.
 * - `notReached`: it did not leave.
 * - `refused`: the gateway answered, and says in words that nothing was taken. Its work is over.
 * - `unclear`: the exchange broke, so somebody may still be at work on it. `isLate`: the gateway certainly was when
 *   the time limit was over.
 */
export type Verdict =
  | { kind: 'results'; items: ItemVerdict[] }
  | { kind: 'tooLarge'; problem: Problem }
  | { kind: 'tryLater'; problem: Problem; retryAfter?: number }
  | { kind: 'rejected'; problem: Problem }
  | { kind: 'notReached'; problem: Problem }
  | { kind: 'refused'; problem: Problem; retryAfter?: number }
  | { kind: 'unclear'; problem: Problem; isLate: boolean };

/** Codes of a server on the way, or of the gateway, that stopped waiting while somebody was still at work. */
const LATE_STATUSES = [408, 504, 524];

/** Codes that by their meaning come before any work on a request: who calls, for what, with which method or form. */
const BEFORE_ALL_WORK = [401, 403, 404, 405, 407, 415];

/** The refusal of a whole request that the contract lists (gateway-api.md, "Refusals"), which stands for all requests. */
const KEY_REFUSED = /^\s*access denied\W*$/i;

/**
 * Judges what came back for a request of `operations` (gateway-api.md, "Synchronous answers", "Asynchronous answers",
 * "Refusals"). Never throws, and never guesses a result into place: results are matched by position and checked by `id`;
 * where the positions disagree but every `id` of the request is unique and present, the `id` decides; anything else is
 * `unclear`.
 */
export function judge(endpoint: Endpoint, answer: Answer | NoAnswer, operations: WireOperation[]): Verdict {
  if (answer.kind === 'failure') {
    const { problem, mayHaveArrived } = answer;
    return mayHaveArrived ? unclear(problem, problem.kind === 'timeout') : { kind: 'notReached', problem };
  }
  const { status, retryAfter } = answer;
  const envelope = readEnvelope(exactFromJson(answer.body));
  if (status < 200 || status >= 300) return judgeStatus(answer, envelope);
  if (!envelope) return foreign(answer);
  if (!envelope.success) return refused({ kind: 'envelope', text: envelope.error ?? '' }, retryAfter);
  return judgeSuccess(endpoint, envelope, operations) ?? foreign(answer);
}

const unclear = (problem: Problem, isLate = false): Verdict => ({ kind: 'unclear', problem, isLate });

const foreign = ({ contentType, status }: Answer): Verdict =>
  unclear({ kind: 'notGateway', contentType, status });

function refused(problem: Problem & { kind: 'envelope' }, retryAfter: number | undefined): Verdict {
  if (KEY_REFUSED.test(problem.text)) return { kind: 'rejected', problem };
  return { kind: 'refused', problem, retryAfter };
}

function judgeStatus({ status, retryAfter }: Answer, envelope: ResponseEnvelope | undefined): Verdict {
  const words = envelope?.success === false ? (envelope.error ?? '') : undefined;
  const problem: Problem =
    words === undefined ? { kind: 'http', status, retryAfter } : { kind: 'envelope', text: words, status };
  // Whatever a 5xx says, it may come from in front of a gateway that is still at work.
  if (LATE_STATUSES.includes(status)) return unclear(problem, true);
  if (status >= 500) return unclear(problem);
  if (problem.kind === 'envelope') return refused(problem, retryAfter);
  if (status === 413) return { kind: 'tooLarge', problem };
  if (status === 429) return { kind: 'tryLater', problem, retryAfter };
  return BEFORE_ALL_WORK.includes(status) ? { kind: 'rejected', problem } : unclear(problem);
}

function judgeSuccess(
  endpoint: Endpoint,
  { data, requestId }: ResponseEnvelope,
  operations: WireOperation[],
): Verdict | undefined {
  // A gateway may queue what was meant to be sent at once: it is taken all the same.
  const isQueued = requestId !== undefined && (endpoint === 'async' || !data?.length);
  if (isQueued) {
    return {
      kind: 'results',
      items: operations.map((): ItemVerdict => ({ kind: 'accepted', payload: undefined, requestId })),
    };
  }
  if (endpoint === 'async' || data === undefined) return undefined;
  if (data.length !== operations.length) {
    return unclear({ kind: 'lengthMismatch', sent: operations.length, received: data.length });
  }
  const ordered = inRequestOrder(data, operations);
  if (!ordered) return unclear({ kind: 'idMismatch' });
  return { kind: 'results', items: ordered.map((item, i) => judgeItem(item, operations[i])) };
}

function judgeItem({ success, error, data }: ResultItem, { type }: WireOperation): ItemVerdict {
  if (success) return { kind: 'accepted', payload: data };
  return {
    kind: 'refused',
    problem: { kind: 'item', text: error ?? '', wireType: type },
    payload: data,
  };
}

/** The results in the order of the request, or undefined where that order can't be known. */
function inRequestOrder(items: ResultItem[], operations: WireOperation[]): ResultItem[] | undefined {
  if (items.every((item, i) => idFits(item, operations[i]))) return items;
  const byId = new Map(items.map((item) => [idOf(item), item]));
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
