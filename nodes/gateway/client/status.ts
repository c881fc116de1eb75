import type { WireOperation, WireType } from '../contract/operations';
import type { Report } from '../delivery/reports';
import { classify, reportOfStatus } from '../delivery/reports';
import { canonicalStatus, REFUSED_STATUS } from '../delivery/statuses';
import type { Told } from './doubt';
import { FORGOTTEN_MS } from './doubt';
import type { FailedRequest, ItemVerdict } from './response';
import { judge } from './response';
import type { Row } from './row';
import type { Transport } from './transport';
import { asksToWait } from './words';

export type MessageId = WireOperation['id'];

/** How many ids a question holds at most; mutable, since a refused question halves it for the run. */
export interface QuestionSize {
  atMost: number;
}

/** Ids in one question, and the least to which refusals bring that number. */
const MOST_IDS = 100;
const LEAST_IDS = 5;

export const questionSize = (): QuestionSize => ({ atMost: MOST_IDS });

/** What `status` says of a message: a payload, an answer without one, or nothing. */
export type StatusAnswer = { kind: 'known'; payload: Report } | { kind: 'absent' } | { kind: 'unanswered' };

/**
 * Asks the gateway about messages by id (gateway-api.md, "Asking for a status"), in requests of at most `batchSize` ids, one
 * after the other. A refused request is made again with half as many ids, down to 5; any other failure ends the asking. Returns
 * an answer for each id, in order. Never throws.
 */
export async function askStatuses(
  transport: Transport,
  ids: readonly MessageId[],
  batchSize = MOST_IDS,
): Promise<StatusAnswer[]> {
  const { items } = await ask(transport, ids, { atMost: batchSize });
  return ids.map((_, i): StatusAnswer => {
    const item = items[i];
    if (item === undefined) return { kind: 'unanswered' };
    const isKnown = item.state === 'accepted' && isReport(item.payload);
    return isKnown ? { kind: 'known', payload: item.payload as Report } : { kind: 'absent' };
  });
}

/** What came of asking: a result for each id, undefined where there is none; and why the last request failed, if it did. */
interface StatusResults {
  items: ItemVerdict[];

  /** For each id, the results of the ids that were added to its request. */
  added: ItemVerdict[][];
  failure?: FailedRequest;
}

/** Asks about ids; `added` ones go along in each request. */
async function ask(
  transport: Transport,
  ids: readonly MessageId[],
  size: QuestionSize,
  added: readonly MessageId[] = [],
): Promise<StatusResults> {
  const asked: StatusResults = { items: [], added: [] };
  while (asked.items.length < ids.length) {
    const part = ids.slice(asked.items.length, asked.items.length + size.atMost);
    const operations = [...part, ...added].map((id): WireOperation => ({ type: 'status', id }));
    const verdict = judge('sync', await transport('sync', operations), operations);
    if (verdict.kind === 'results') {
      asked.items.push(...verdict.items.slice(0, part.length));
      asked.added.push(...part.map(() => verdict.items.slice(part.length)));
    } else if (verdict.kind === 'refused' && part.length > LEAST_IDS && !asksToWait(verdict.problem)) {
      size.atMost = Math.max(LEAST_IDS, Math.ceil(part.length / 2));
    } else return { ...asked, failure: verdict };
  }
  return asked;
}

/** The report in an answer of `status`, where it has a state that the node knows, or replies; else undefined. */
export function reportIn(
  item: ItemVerdict | undefined,
  type: WireType = 'sms',
): { report: Report; is: 'taken' | 'failed' | 'rejected' } | undefined {
  if (item?.state !== 'accepted' || !isReport(item.payload)) return undefined;
  const report = item.payload;
  const { outcome } = classify(reportOfStatus(report), type);
  if (outcome === 'unknown') return undefined;
  if (outcome !== 'failed') return { report, is: 'taken' };
  return { report, is: canonicalStatus(report.status) === REFUSED_STATUS ? 'rejected' : 'failed' };
}

const isReport = (payload: unknown): payload is Report => typeof payload === 'object' && payload !== null;

const NOTHING: Told = { is: 'nothing' };

/** What a question about rows needs beside them. */
export interface Witnesses {
  /** Two ids that nobody has sent. */
  unused: readonly [MessageId, MessageId];

  /** A message that the gateway certainly has. */
  known?: MessageId;
}

/**
 * Asks about rows together with two ids that nobody has sent and, where there is one, a message that was certainly taken
 * (docs/delivery-guarantees.md). Returns what is told of each row, and why a request failed, if one did. Never throws.
 */
export async function askAbout(
  transport: Transport,
  rows: readonly Row[],
  { unused, known }: Witnesses,
  size: QuestionSize,
): Promise<{ told: Told[]; failure?: FailedRequest }> {
  const ids = rows.map(({ operation }) => operation.id);
  const added = known === undefined ? [...unused] : [...unused, known];
  const { items, added: others, failure } = await ask(transport, ids, size, added);
  const told = rows.map(({ operation }, i) => read(operation, items[i], others[i] ?? [], added));
  return { told, failure };
}

/** Reads what one answer tells of a message beside the answers to the added ids: two unused ones, then a known one. */
function read(
  { id, type }: WireOperation,
  item: ItemVerdict | undefined,
  others: ReadonlyArray<ItemVerdict | undefined>,
  ids: readonly MessageId[],
): Told {
  const [first, second, known] = others;
  if (!item || !first || !second) return NOTHING;
  // A gateway that knows ids which nobody sent, such as one that cuts them to 32 bits, proves nothing.
  if (reportIn(first) || reportIn(second)) return NOTHING;
  const found = reportIn(item, type);
  if (found) return found;
  const unknown = masked(first, ids[0]);
  if (masked(second, ids[1]) !== unknown) return NOTHING;
  if (known && (known.state === 'refused' || masked(known, ids[2]) === unknown)) return NOTHING;
  if (masked(item, id) === unknown) return { is: 'absent', isWitnessed: known !== undefined };
  return item.state === 'accepted' && isReport(item.payload) ? { is: 'seen', report: item.payload } : NOTHING;
}

/** An answer as text, in which its id is a mark: the same for all ids of which the gateway says the same. */
function masked(item: ItemVerdict, id: MessageId): string {
  const words = item.state === 'refused' && item.problem.kind === 'item' ? item.problem.text : '';
  const text = JSON.stringify([item.state, words, item.payload ?? null]);
  return text.replace(/\d+/g, (digits) => (digits === String(id) ? '#' : digits));
}

/** Milliseconds after which `status` surely shows a message that was taken. */
const LAG_MS = 2000;

/** The last messages that a gateway account certainly took, as far as this process knows. */
export class KnownMessages {
  private latest: { id: MessageId; atMs: number } | undefined;
  private settled: { id: MessageId; atMs: number } | undefined;

  /** Adds a message that was accepted at a time, in milliseconds since 1970. */
  add(id: MessageId, atMs: number): void {
    if (this.latest && atMs - this.latest.atMs >= LAG_MS) this.settled = this.latest;
    this.latest = { id, atMs };
  }

  /** Returns the id of one that `status` has to show at a time; undefined where there is none. */
  at(nowMs: number): MessageId | undefined {
    const isUsable = (one: typeof this.latest) =>
      one !== undefined && nowMs - one.atMs >= LAG_MS && nowMs - one.atMs < FORGOTTEN_MS;
    return [this.latest, this.settled].find(isUsable)?.id;
  }
}
