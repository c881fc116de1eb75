import type { WireOperation } from '../contract/operations';
import type { Report } from '../delivery/reports';
import { isMessageNumber } from '../delivery/reports';
import { canonicalStatus, outcomeOfStatus } from '../delivery/statuses';
import { policyOf } from '../errors/catalogue';
import type { Unanswered } from './question-size';
import { NumberOfIds, unansweredBy } from './question-size';
import type { ItemVerdict } from './response';
import { judge } from './response';
import type { Transport } from './transport';

/**
 * What the gateway says of a message when it is asked by `id`.
 * - `known`: it has the message.
 * - `absent`: it says plainly that it doesn't have the message.
 * - `unclear`: its answer says neither; `payload` is set where it accepted the question.
 * - `unanswered`: the request failed, was refused as a whole, or its answer couldn't be read.
 */
export type QueuedAnswer =
  | { kind: 'known'; payload: Report }
  | { kind: 'absent' }
  | { kind: 'unclear'; payload?: unknown }
  | { kind: 'unanswered' };

/**
 * Asks the gateway about messages (gateway-api.md, "Asking for a status"; "Statuses"), in requests of `batchSize`
 * ids (1 or more), one after the other; a request that is refused is made again in smaller parts. Returns an answer for
 * each id, in order; after a request without an answer the rest is unanswered. Does not throw.
 */
export async function askStatusAnswers(
  transport: Transport,
  ids: ReadonlyArray<WireOperation['id']>,
  batchSize: number,
): Promise<QueuedAnswer[]> {
  const answers: QueuedAnswer[] = [];
  const size = new NumberOfIds(batchSize);
  while (answers.length < ids.length) {
    const asked = ids.slice(answers.length, answers.length + size.current);
    const batch = await askStatusBatch(transport, asked);
    if (batch.ok) answers.push(...batch.answers);
    else if (!size.allowsFewer(batch, asked.length)) break;
  }
  return ids.map((_, i) => answers[i] ?? { kind: 'unanswered' });
}

/** What came of one `status` request: an answer for each id, or why there is none. */
export type StatusBatch = { ok: true; answers: QueuedAnswer[] } | ({ ok: false } & Unanswered);

/** Asks the gateway about messages in one request (gateway-api.md, "Asking for a status"). Does not throw. */
export async function askStatusBatch(
  transport: Transport,
  ids: ReadonlyArray<WireOperation['id']>,
): Promise<StatusBatch> {
  const questions = ids.map((id): WireOperation => ({ type: 'status', id }));
  const verdict = judge('sync', await transport('sync', questions), questions);
  if (verdict.kind === 'results') return { ok: true, answers: verdict.items.map(toAnswer) };
  return { ok: false, ...unansweredBy(verdict) };
}

function toAnswer(verdict: ItemVerdict): QueuedAnswer {
  if (verdict.state === 'accepted') return fromPayload(verdict.payload);
  const { problem } = verdict;
  return { kind: problem.kind === 'item' && meansAbsent(problem.text) ? 'absent' : 'unclear' };
}

/** Reads the payload of an accepted question; without `msg_id` and without the name of a state, it is unclear. */
export function fromPayload(payload: unknown): QueuedAnswer {
  if (typeof payload !== 'object' || payload === null) return { kind: 'unclear', payload };
  const { status, msg_id: messageId } = payload as Report;
  const text = canonicalStatus(status);
  const isListed = outcomeOfStatus(text) !== undefined;
  // A wait reads tens of thousands of listed ones, so only others are compared with the wordings of the catalogue.
  if (!isListed && typeof status === 'string' && meansAbsent(status)) return { kind: 'absent' };
  // Gateways have other states than the listed ones.
  return isListed || !NO_STATE.test(text) || isMessageNumber(messageId)
    ? { kind: 'known', payload: payload as Report }
    : { kind: 'unclear', payload };
}

/** Statuses that name no state of a message: UNKNOWN, NO STATUS, NONE, a zero, or an empty one. */
export const NO_STATE = /^(0+|UNKNOWN|UNDEFINED|NONE|NULL|NO|NOT)?( |$)/;

/**
 * Whether a text plainly means "no such message". The contract lists no such text, so only the wordings of the
 * catalogue count. What is sent again doesn't depend on it (status-proof.ts).
 */
export const meansAbsent = (text: string): boolean =>
  policyOf({ kind: 'item', text, wireType: 'status' }).code === 'message-not-known';
