import type { ResponseEnvelope, ResultItem } from '../contract/envelope';
import { readEnvelope, typedIdentifier } from '../contract/envelope';
import { fromForeignJson } from '../text/json';
import type { WireOperation } from '../contract/operations';
import type { Problem } from '../errors/problem';
import type { Answer, Endpoint, NoAnswer } from './transport';

/** What an answer says about one operation: the `data` of its result, or a queue's receipt, or why it is refused. */
export type ItemVerdict =
  | { state: 'accepted'; payload?: unknown; requestId?: string }
  | { state: 'refused'; problem: Problem; payload?: unknown };

/** What became of a request: one verdict for each operation, in the order of the request, or why there are none. */
export type Verdict = { kind: 'results'; items: ItemVerdict[] } | FailedRequest;

/**
 * A request without results. Only `notReached` and `rejected` prove that nothing was taken.
 * - `notReached`: it did not leave.
 * - `rejected`: the key is refused in the words of the contract, and so is everything else.
 * - `refused`: the gateway answered, and refuses the request in words. Its work is over.
 * - `turnedAway`: a code that by its meaning comes before any work, without words: somebody on the way may say so after it.
 * - `lost`: the exchange broke, so somebody may still be at work on it.
 * - `late`: the gateway certainly was at work on it when the time limit was over.
 */
export interface FailedRequest {
  kind: 'notReached' | 'rejected' | 'refused' | 'turnedAway' | 'lost' | 'late';
  problem: Problem;

  /** Seconds for which the gateway wants to be left alone. */
  retryAfter?: number;
}

/** Codes of a server on the way, or of the gateway, that stopped waiting while somebody was still at work. */
const LATE_STATUSES = [408, 504, 524];

/** Codes that by their meaning come before any work: where to call instead, who calls, for what, how, how much, how often. */
const BEFORE_ALL_WORK = [301, 307, 308, 401, 403, 404, 405, 407, 413, 415, 429];

/** The refusal of a whole request that the contract lists (gateway-api.md, "Refusals"), which stands for all requests. */
const KEY_REFUSED = /^\s*access denied\W*$/i;

/**
 * Judges what came back for a request of `operations` (gateway-api.md, "Synchronous answers", "Asynchronous answers",
 * "Refusals"). The body decides, not the HTTP code: results that fit are results under any code. Never throws, and never
 * guesses a result into place: results are matched by position and checked by `id`; where the positions disagree but
 * every `id` of the request is unique and present, the `id` decides; anything else is `lost`.
 */
export function judge(endpoint: Endpoint, answer: Answer | NoAnswer, operations: WireOperation[]): Verdict {
  if (answer.kind === 'failure') {
    const { problem, mayHaveArrived } = answer;
    if (!mayHaveArrived) return { kind: 'notReached', problem };
    return { kind: problem.kind === 'timeout' ? 'late' : 'lost', problem };
  }
  const { status, contentType, retryAfter } = answer;
  const envelope = readEnvelope(fromForeignJson(answer.body));
  const isOk = status >= 200 && status < 300;
  if (envelope?.success === true) {
    const found = itemsOf(endpoint, envelope, operations);
    if (Array.isArray(found)) return { kind: 'results', items: found };
    if (found) return { kind: kindOfFailure(found, status), problem: found, retryAfter };
  }
  const problem: Problem =
    envelope?.success === false
      ? {
          kind: 'envelope',
          text: envelope.error ?? '',
          ...(!isOk && { status }),
          ...(retryAfter !== undefined && { retryAfter }),
        }
      : isOk
        ? { kind: 'notGateway', contentType, status }
        : { kind: 'http', status, retryAfter };
  const kind = kindOfFailure(problem, status);
  // What looks like an answer of the gateway comes from nobody on the way, whatever code it has.
  const isGateways = /"success"/.test(answer.body);
  return { kind: kind === 'turnedAway' && isGateways ? 'lost' : kind, problem, retryAfter };
}

function kindOfFailure(problem: Problem, status: number): FailedRequest['kind'] {
  // Whatever a 5xx says, it may come from in front of a gateway that is still at work.
  if (LATE_STATUSES.includes(status)) return 'late';
  if (status >= 500) return 'lost';
  if (problem.kind === 'envelope') return KEY_REFUSED.test(problem.text) ? 'rejected' : 'refused';
  return problem.kind === 'http' && BEFORE_ALL_WORK.includes(status) ? 'turnedAway' : 'lost';
}

/** The verdicts on the operations, or why the results don't fit them; undefined for what isn't an answer of the endpoint. */
function itemsOf(
  endpoint: Endpoint,
  { data, requestId }: ResponseEnvelope,
  operations: WireOperation[],
): ItemVerdict[] | Problem | undefined {
  // A gateway may queue what was meant to be sent at once: it is taken all the same.
  if (!data?.length && (endpoint === 'async' || requestId !== undefined)) {
    return operations.map(() => ({ state: 'accepted', payload: undefined, requestId }));
  }
  if (data === undefined) return undefined;
  if (endpoint === 'async' && data.length !== operations.length) {
    return itemsBeside(data, operations, requestId) ?? lengthMismatch(data, operations);
  }
  if (data.length !== operations.length) return lengthMismatch(data, operations);
  const items = inRequestOrder(data, operations)?.map((item, i) => judgeItem(item, operations[i]));
  if (!items) return { kind: 'idMismatch' };
  if (endpoint === 'sync') return items;
  return items.map((item) => (item.state === 'accepted' ? { ...item, requestId } : item));
}

const lengthMismatch = (data: ResultItem[], operations: WireOperation[]): Problem => ({
  kind: 'lengthMismatch',
  sent: operations.length,
  received: data.length,
});

/** What a queue says that lists some of its operations: those that it doesn't list are in it. */
function itemsBeside(
  data: ResultItem[],
  operations: WireOperation[],
  requestId: string | undefined,
): ItemVerdict[] | undefined {
  const listed = new Map(data.map((item) => [idOf(item), item]));
  const known = new Set(operations.map(({ id }) => id));
  if (listed.size !== data.length || [...listed.keys()].some((id) => !known.has(id as never)))
    return undefined;
  return operations.map((operation) => {
    const item = listed.get(operation.id);
    if (item && !item.success) return judgeItem(item, operation);
    return { state: 'accepted', payload: item?.data, requestId };
  });
}

function judgeItem({ success, error, data }: ResultItem, { type }: WireOperation): ItemVerdict {
  if (success) return { state: 'accepted', payload: data };
  const problem: Problem = { kind: 'item', text: error ?? '', wireType: type };
  return { state: 'refused', problem, payload: data };
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
