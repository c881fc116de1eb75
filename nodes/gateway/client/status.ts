import type { WireOperation, WireType } from '../contract/operations';
import type { Report } from '../delivery/reports';
import { meaningOf, reportOfStatus } from '../delivery/reports';
import { canonicalStatus, REFUSED_STATUS } from '../delivery/outcomes';
import type { Problem } from '../errors/problem';
import type { StatusVerdict } from './doubt';
import { FORGOTTEN_MS, STATUS_LAG_MS } from './doubt';
import { RequestSize } from './progress';
import type { FailedRequest, ItemVerdict } from './response';
import { judge } from './response';
import type { Row } from './row';
import type { Transport } from './transport';
import { asksToWait } from './words';

export type MessageId = WireOperation['id'];

/** How a run asks: at its own pace, and with patience where the gateway asks to wait. */
export interface Asking {
  size: RequestSize;

  /** Waits after a question that the gateway refused to wait for. Returns false where it isn't waited for any longer. */
  wait(refusal: Problem): Promise<boolean>;

  /** Called for each question that was answered. */
  answered(): void;

  /** Milliseconds since 1970, by which a quick answer lets the next question be larger. */
  now(): number;
}

/** Ids in the first question about rows in doubt. */
export const FIRST_IDS = 100;

/** Ids in any question: at most, and at least, however often a gateway fails. */
export const MAX_IDS = 1000;
export const MIN_IDS = 5;

/** Asks without any patience: whoever asks so asks again by itself. */
export const atOnce = (maxIds = FIRST_IDS): Asking => ({
  size: new RequestSize(maxIds, maxIds),
  wait: async () => await Promise.resolve(false),
  answered: () => undefined,
  now: () => 0,
});

/** The answer of `status` about a message: a payload, an answer without a payload, or nothing. */
export type StatusAnswer = { kind: 'known'; payload: Report } | { kind: 'noReport' } | { kind: 'unanswered' };

/**
 * Asks the gateway about messages by id (gateway-api.md, "Asking for a status"), in requests of `maxIds`, one after the other. A
 * refused request is made again with half as many ids, down to 5; any other failure ends the asking. Returns an answer for each
 * id, in order. Never throws.
 */
export async function askStatuses(
  transport: Transport,
  ids: readonly MessageId[],
  maxIds?: number,
): Promise<StatusAnswer[]> {
  const { requests } = await ask(transport, ids, atOnce(maxIds));
  const items = requests.flatMap((request) => request.items);
  return ids.map((_, i): StatusAnswer => {
    const item = items[i];
    if (item === undefined) return { kind: 'unanswered' };
    const isKnown = item.is === 'accepted' && isReport(item.payload);
    return isKnown ? { kind: 'known', payload: item.payload as Report } : { kind: 'noReport' };
  });
}

/** The results of one request: of the ids that were asked about, and of the ids that were added. */
interface AnsweredRequest {
  items: ItemVerdict[];
  added: ItemVerdict[];
}

/** Asks about ids, in order; `added` ones go along in each request. Returns why the last request failed, if it did. */
async function ask(
  transport: Transport,
  ids: readonly MessageId[],
  { size, wait, answered, now }: Asking,
  added: readonly MessageId[] = [],
): Promise<{ requests: AnsweredRequest[]; failure?: FailedRequest }> {
  const requests: AnsweredRequest[] = [];
  for (let done = 0; done < ids.length; ) {
    const part = ids.slice(done, done + size.max);
    const operations = [...part, ...added].map((id): WireOperation => ({ type: 'status', id }));
    const startMs = now();
    const verdict = judge('sync', await transport('sync', operations), operations);
    if (verdict.kind === 'results') {
      const { items } = verdict;
      requests.push({ items: items.slice(0, part.length), added: items.slice(part.length) });
      done += part.length;
      size.taken(part.length, now() - startMs);
      answered();
    } else if (verdict.kind === 'refused' && asksToWait(verdict.problem)) {
      // The limiter may count ids: a question that is too large for it has to wait for ever.
      size.askedToWait(part.length);
      if (!(await wait(verdict.problem))) return { requests, failure: verdict };
    } else if (verdict.kind === 'refused' && part.length > MIN_IDS) {
      size.halve(part.length, MIN_IDS);
    } else return { requests, failure: verdict };
  }
  return { requests };
}

/** The report in an answer of `status`, where it has a state that the node knows, or replies; else undefined. */
export function reportIn(
  item: ItemVerdict | undefined,
  type: WireType = 'sms',
): { report: Report; is: 'taken' | 'failed' | 'rejected' } | undefined {
  if (item?.is !== 'accepted' || !isReport(item.payload)) return undefined;
  const report = item.payload;
  const { outcome } = meaningOf(reportOfStatus(report), type);
  if (outcome === 'unknown') return undefined;
  if (outcome !== 'failed') return { report, is: 'taken' };
  return { report, is: canonicalStatus(report.status) === REFUSED_STATUS ? 'rejected' : 'failed' };
}

const isReport = (payload: unknown): payload is Report => typeof payload === 'object' && payload !== null;

const NOTHING: StatusVerdict = { is: 'nothing' };

/** Ids that are asked about beside rows, whose answers are certain. */
export interface Controls {
  /** Two ids that nobody has sent. */
  unused: readonly [MessageId, MessageId];

  /** A message that the gateway certainly has. */
  witness?: MessageId;
}

/**
 * Asks about rows together with two ids that nobody has sent and, where there is one, a message that was certainly taken
 * (docs/delivery-guarantees.md). Returns what is told of each row, why a request failed, if one did, and
 * whether the gateway denies the message that it took. Never throws.
 */
export async function askAbout(
  transport: Transport,
  rows: readonly Row[],
  { unused, witness }: Controls,
  asking: Asking,
): Promise<{ told: StatusVerdict[]; failure?: FailedRequest; isWitnessDenied: boolean }> {
  const ids = rows.map(({ operation }) => operation.id);
  const added = witness === undefined ? [...unused] : [...unused, witness];
  const { requests, failure } = await ask(transport, ids, asking, added);
  const told: StatusVerdict[] = [];
  let isWitnessDenied = false;
  for (const { items, added: others } of requests) {
    // The controls are read once a request, not once a row: 100 readings of an answer of 200 KB hold n8n for seconds.
    const controls = readControls(others, added);
    isWitnessDenied ||= controls?.isWitnessed === true && controls.denial === undefined;
    for (const item of items) told.push(read(rows[told.length].operation, item, controls));
  }
  return { told: rows.map((_, i) => told[i] ?? NOTHING), failure, isWitnessDenied };
}

/** The answers to the controls of a request. */
interface ControlAnswers {
  /** The masked answer to an id that the gateway doesn't know; undefined where that isn't clear. */
  denial?: string;
  isWitnessed: boolean;
}

/** Reads the answers to the controls: two unused ids, then a witness. Returns undefined where no answer of the request counts. */
function readControls(
  [first, second, witness]: readonly ItemVerdict[],
  ids: readonly MessageId[],
): ControlAnswers | undefined {
  // A gateway that knows ids which nobody sent, such as one that cuts them to 32 bits, proves nothing.
  if (reportIn(first) || reportIn(second)) return undefined;
  const denial = masked(first, ids[0]);
  const isShown = witness?.is !== 'refused' && !(witness && masked(witness, ids[2]) === denial);
  const isTold = masked(second, ids[1]) === denial;
  return { isWitnessed: witness !== undefined, ...(isShown && isTold && { denial }) };
}

/** Reads what an answer tells of a message. */
function read(
  { id, type }: WireOperation,
  item: ItemVerdict,
  controls: ControlAnswers | undefined,
): StatusVerdict {
  const found = controls && reportIn(item, type);
  if (found) return found;
  if (controls?.denial === undefined) return NOTHING;
  if (masked(item, id) === controls.denial) return { is: 'absent', isWitnessed: controls.isWitnessed };
  return item.is === 'accepted' && isReport(item.payload) ? { is: 'seen', report: item.payload } : NOTHING;
}

/** An answer as text, in which its id is a mark: the same for all ids of which the gateway says the same. */
function masked(item: ItemVerdict, id: MessageId): string {
  const words = item.is === 'refused' && item.problem.kind === 'operation' ? item.problem.text : '';
  const text = JSON.stringify([item.is, words, item.payload ?? null]);
  return text.replace(/\d+/g, (digits) => (digits === String(id) ? '#' : digits));
}

/** Milliseconds after which a known message that the gateway denies is forgotten: until then, `status` may be late. */
const DENIAL_COUNTS_MS = 300_000;

/** Messages that a gateway account certainly took, as far as this process knows. */
export class KnownMessages {
  private settled: { id: MessageId; atMs: number } | undefined;

  /** The next to settle, kept for its lag: replaced by each of a hundred messages a second, no candidate would ever settle. */
  private candidate: { id: MessageId; atMs: number } | undefined;

  /** Adds a message that was accepted at a time, in milliseconds since 1970. */
  add(id: MessageId, atMs: number): void {
    if (this.candidate && atMs - this.candidate.atMs < STATUS_LAG_MS) return;
    this.settled = this.candidate;
    this.candidate = { id, atMs };
  }

  /** Takes a known message that the gateway denies: a gateway that was emptied would otherwise keep rows unsent for hours. */
  forget(id: MessageId, nowMs: number): void {
    const isKept = (one: typeof this.settled) =>
      one === undefined || one.id !== id || nowMs - one.atMs < DENIAL_COUNTS_MS;
    if (!isKept(this.settled)) this.settled = undefined;
    if (!isKept(this.candidate)) this.candidate = undefined;
  }

  /** Returns the id of one that `status` has to show at a time; undefined where there is none. */
  at(nowMs: number): MessageId | undefined {
    const isUsable = (one: typeof this.settled) =>
      one !== undefined && nowMs - one.atMs >= STATUS_LAG_MS && nowMs - one.atMs < FORGOTTEN_MS;
    return [this.candidate, this.settled].find(isUsable)?.id;
  }
}
