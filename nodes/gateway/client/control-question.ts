import { createHash } from 'crypto';

import type { WireOperation } from '../contract/operations';
import { isWireType } from '../contract/operations';
import type { Report } from '../delivery/reports';
import { canonicalStatus, outcomeOfStatus } from '../delivery/statuses';
import { policyOf } from '../errors/catalogue';
import type { Problem } from '../errors/problem';
import type { ItemVerdict } from './read-answer';
import { judge } from './read-answer';
import { fromPayload } from './status-check';
import type { Transport } from './transport';

type Id = WireOperation['id'];

/**
 * What `status` proves of an operation.
 *
 * - `known`: the gateway has it.
 * - `absent`: it is answered like an `id` that was never sent; `words` are that answer, ids and digits masked.
 * - `unclear`: neither.
 * - `unanswered`: there is no answer that could be read.
 * - `notAsked`: the gateway wanted to be left alone before it was asked.
 */
export type Standing =
  | { kind: 'known'; payload: Report }
  | { kind: 'absent'; words: string }
  | { kind: 'unclear' }
  | { kind: 'unanswered' | 'notAsked' };

export interface ControlQuestion {
  /** Ids in one request, 1 or more. */
  batchSize: number;
  /** The `id` of a message that was certainly taken, if there is one. */
  witness?: Id;
  /** Requests that may still be made for nothing; counted down. */
  budget: { left: number };
  /** Called before each request. */
  pause(): Promise<void>;
}

export interface ControlReply {
  /** One for each `id`, in order. */
  standings: Standing[];
  /** Seconds for which the gateway wants to be left alone. */
  retryAfter?: number;
  /** Whether a request was refused as a whole, for which its size may be the reason. */
  isRefused: boolean;
  /** Why a request had no answer that could be read. */
  problem?: Problem;
  /** Whether no other request will be answered either. */
  isRejected?: boolean;
}

/** Requests that one refused question may cost in the search for ids that the gateway knows. */
const SEARCH_LIMIT = 32;

/**
 * Asks `status` about operations that may have been taken (gateway-api.md, "Asking for a status"). What the gateway says
 * of an unknown `id` isn't documented, so it isn't recognised by words: each request carries a control, an `id` that
 * nobody has sent, and absent is what is answered in the same way. A gateway that answers a message which it
 * certainly took in that way too can't tell; nor can words that are known to mean a fault, or a state of a message. A request that is
 * refused is asked again without the control, which proves presence alone.
 *
 * Does not throw.
 */
export async function askWithControl(
  transport: Transport,
  ids: readonly Id[],
  question: ControlQuestion,
): Promise<ControlReply> {
  const { batchSize, witness, pause, budget } = question;
  const standings: Standing[] = [];
  let retryAfter: number | undefined;
  let isRefused = false;
  let problem: Problem | undefined;
  let isRejected: boolean | undefined;
  // The control and the witness travel in the same request, where there is room for them.
  const size = Math.max(1, batchSize - 2);
  for (let start = 0; start < ids.length; start += size) {
    const batch = ids.slice(start, start + size);
    if (retryAfter !== undefined || budget.left <= 0) {
      standings.push(...batch.map((): Standing => ({ kind: 'notAsked' })));
      continue;
    }
    const asked = [...batch, controlFor(batch)];
    if (witness !== undefined && !batch.includes(witness)) asked.push(witness);
    await pause();
    const answer = await ask(transport, asked);
    if (answer.items) {
      const found = compare(asked, batch.length, asked.indexOf(witness ?? ''), answer.items);
      if (!found.some(isUsable)) budget.left -= 1;
      standings.push(...found);
    } else {
      budget.left -= 1;
      ({ retryAfter, problem, isRejected } = answer);
      isRefused ||= answer.isRefused === true;
      const isWorthMore = answer.isRefused && retryAfter === undefined;
      const search = { ...question, left: SEARCH_LIMIT, retryAfter };
      standings.push(...(isWorthMore ? await findKnown(transport, batch, search) : unanswered(batch)));
      ({ retryAfter } = search);
    }
  }
  return { standings, isRefused, retryAfter, problem, isRejected };
}

interface StatusReply extends Partial<Omit<ControlReply, 'standings'>> {
  items?: ItemVerdict[];
}

async function ask(transport: Transport, ids: readonly Id[]): Promise<StatusReply> {
  const questions = ids.map((id): WireOperation => ({ type: 'status', id }));
  const verdict = judge('sync', await transport('sync', questions), questions);
  if (verdict.kind === 'results') {
    // A queue's receipt says nothing about what was asked.
    return verdict.items.some((item) => item.kind === 'accepted' && item.requestId !== undefined)
      ? {}
      : { items: verdict.items };
  }
  const { kind, problem } = verdict;
  const { retryAfter } = 'retryAfter' in verdict ? verdict : (problem as { retryAfter?: number });
  const isRefused = kind === 'refused' || kind === 'tooLarge';
  return { isRefused, retryAfter, problem, isRejected: kind === 'rejected' };
}

const UNCLEAR: Standing = { kind: 'unclear' };

const isUsable = ({ kind }: Standing): boolean => kind === 'known' || kind === 'absent';

const unanswered = (ids: readonly Id[]): Standing[] => ids.map(() => ({ kind: 'unanswered' }));

/** Asks without a control, and in ever smaller parts, which of the messages the gateway certainly has. */
async function findKnown(
  transport: Transport,
  ids: readonly Id[],
  search: ControlQuestion & { left: number; retryAfter?: number },
): Promise<Standing[]> {
  if (search.left <= 0) return unanswered(ids);
  search.left -= 1;
  await search.pause();
  const { items, isRefused, retryAfter } = await ask(transport, ids);
  const found = items?.map((item) => (isCertain(item) ? readKnown(item) : UNCLEAR));
  if (!found?.some(isUsable)) search.budget.left -= 1;
  if (found) return found;
  if (retryAfter !== undefined) Object.assign(search, { left: 0, retryAfter });
  if (!isRefused || ids.length === 1) return unanswered(ids);
  const half = Math.ceil(ids.length / 2);
  const first = await findKnown(transport, ids.slice(0, half), search);
  return [...first, ...(await findKnown(transport, ids.slice(half), search))];
}

/** An `id` of the form of those that the node makes. The same question has the same control, so that runs can be repeated. */
function controlFor(ids: readonly Id[]): number {
  const digest = createHash('sha256')
    .update(`control question\n${ids.join('\n')}`)
    .digest();
  return 2 ** 52 + digest.readUIntBE(0, 6);
}

/** Compares the answers about the first ids with that about the control, which comes after them. */
function compare(
  asked: readonly Id[],
  controlAt: number,
  witnessAt: number,
  items: readonly ItemVerdict[],
): Standing[] {
  const masked = (at: number): string => shapeOf(items[at], asked[at]);
  const ofControl = items[controlAt];
  const words = masked(controlAt);
  const tells = !meansSomethingElse(ofControl) && (witnessAt === -1 || masked(witnessAt) !== words);
  return asked.slice(0, controlAt).map((_, at): Standing => {
    if (masked(at) === words) return tells ? { kind: 'absent', words } : UNCLEAR;
    const item = items[at];
    // Where an unknown id is answered as a success too, what is answered otherwise is known.
    return isCertain(item) || ofControl.kind === 'accepted' ? readKnown(item) : UNCLEAR;
  });
}

function readKnown(item: ItemVerdict): Standing {
  if (item.kind === 'refused') return UNCLEAR;
  const answer = fromPayload(item.payload);
  return answer.kind === 'known' ? answer : UNCLEAR;
}

const isListed = (payload: unknown): boolean =>
  outcomeOfStatus(canonicalStatus((payload as Report | null)?.status)) !== undefined;

/** Whether an answer shows a message by itself: a listed state, the gateway's own number, or the type of the message. */
function isCertain({ payload }: ItemVerdict): boolean {
  const { msg_id: messageId, type } = (payload ?? {}) as Report;
  return isListed(payload) || Boolean(messageId) || (isWireType(type) && type !== 'status');
}

/** Whether the answer to a control is one that can't mean "no such message": words may veto, and never prove. */
function meansSomethingElse(item: ItemVerdict): boolean {
  if (item.kind === 'accepted') return isListed(item.payload);
  const { code, failure } = policyOf(item.problem);
  return code === 'gateway-fault' || failure !== undefined;
}

const DEEPEST = 3;
const MOST_FIELDS = 20;
const LOOKED_AT = 500;
/** A number with so many digits is a reference or a time; smaller ones may be the code of a state. */
const LONG_NUMBER = 5;

/** An answer as text that is the same for all ids of which the gateway says the same. */
function shapeOf(item: ItemVerdict, id: Id): string {
  const text = item.kind === 'refused' && item.problem.kind === 'item' ? item.problem.text : '';
  return `${item.kind} ${shapeOfValue(text, id, 0)} ${shapeOfValue(item.payload, id, 0)}`;
}

function shapeOfValue(value: unknown, id: Id, depth: number): string {
  if (typeof value === 'object' && value !== null) {
    if (depth === DEEPEST) return '…';
    const fields = Object.entries(value).slice(0, MOST_FIELDS);
    return `{${fields.map(([name, inner]) => `${name}:${shapeOfValue(inner, id, depth + 1)}`).join()}}`;
  }
  const text = String(value).slice(0, LOOKED_AT);
  if (text === String(id)) return '#';
  if (/^\d+$/.test(text)) return text.length >= LONG_NUMBER ? '#' : text;
  return text.replaceAll(String(id), '#').replace(/\d+/g, '#');
}
