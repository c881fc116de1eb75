import { createHash } from 'crypto';

import type { WireOperation } from '../contract/operations';
import { isWireType } from '../contract/operations';
import type { Report } from '../delivery/reports';
import { canonicalStatus, outcomeOfStatus } from '../delivery/statuses';
import { policyOf } from '../errors/catalogue';
import type { FailedRequest, ItemVerdict } from './read-answer';
import { judge } from './read-answer';
import type { SendEntry, SendSettings, SendTools } from './send';
import { fromPayload } from './status-check';

type Id = WireOperation['id'];

/**
 * What `status` proves of an operation.
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

/** Ids in one request unless the user says otherwise, and the fewest: one with its control and a witness. */
const LARGEST = 500;
const SMALLEST = 3;
/** Requests of a run that may bring nothing. */
const MOST_FOR_NOTHING = 500;
/** Requests that one refused question may cost in the search for ids that the gateway knows. */
const SEARCH_LIMIT = 32;

/**
 * Asks `status` about operations that may have been taken (gateway-api.md, "Asking for a status"). What the gateway says
 * of an unknown `id` isn't documented, so it isn't recognised by words: each request carries a control, an `id` that
 * nobody has sent, and absent is what is answered in the same way. A gateway that answers a message which it
 * certainly took in that way too can't tell; nor can words that are known to mean a fault, or a state of a message. A request that is
 * refused is asked again without the control, which proves presence alone.
 */
export class ControlQuestions {
  /** The last request of the last question that failed. */
  failure: FailedRequest | undefined;
  /** Requests that may still be made for nothing. */
  left = MOST_FOR_NOTHING;
  /** Ids in one request. */
  private size: number;
  /** Requests that the search may still make. */
  private searches = 0;
  private readonly settings: SendSettings;
  private readonly tools: Pick<SendTools<SendEntry>, 'transport' | 'sleep'>;

  constructor(settings: SendSettings, tools: Pick<SendTools<SendEntry>, 'transport' | 'sleep'>) {
    this.settings = settings;
    this.tools = tools;
    this.size = settings.batchSize ?? LARGEST;
  }

  /**
   * Asks about ids, at most `most` in a request. `witness` is the `id` of a message that was certainly taken, if there is
   * one. Returns a standing for each `id`, in order. Does not throw.
   */
  async ask(ids: readonly Id[], witness?: Id, most = Infinity): Promise<Standing[]> {
    const standings: Standing[] = [];
    this.failure = undefined;
    while (standings.length < ids.length) {
      // The control and the witness travel in the same request, where there is room for them.
      const size = Math.min(this.size, most);
      const batch = ids.slice(standings.length, standings.length + Math.max(1, size - 2));
      standings.push(...(this.mayAsk ? await this.askBatch(batch, witness) : allOf(batch, 'notAsked')));
    }
    return standings;
  }

  /** Asks about more ids at once again: a refusal may have been about one of them. */
  grow(): void {
    this.size = Math.min(2 * this.size, this.settings.batchSize ?? LARGEST);
  }

  private async askBatch(batch: readonly Id[], witness: Id | undefined): Promise<Standing[]> {
    const asked = [...batch, controlFor(batch)];
    if (witness !== undefined && !batch.includes(witness)) asked.push(witness);
    const found = await this.request(asked, (items) =>
      compare(asked, batch.length, asked.indexOf(witness ?? ''), items),
    );
    if (found) return found;
    if (!this.isRefused) return allOf(batch, 'unanswered');
    this.size = Math.max(SMALLEST, Math.ceil(asked.length / 2));
    this.searches = SEARCH_LIMIT;
    return await this.findKnown(batch);
  }

  /** Asks without a control, and in ever smaller parts, which of the messages the gateway certainly has. */
  private async findKnown(ids: readonly Id[]): Promise<Standing[]> {
    if (this.searches <= 0 || !this.mayAsk) return allOf(ids, 'unanswered');
    this.searches -= 1;
    const found = await this.request(ids, (items) =>
      items.map((item) => (isCertain(item) ? readKnown(item) : UNCLEAR)),
    );
    if (found) return found;
    if (!this.isRefused || ids.length === 1) return allOf(ids, 'unanswered');
    const half = Math.ceil(ids.length / 2);
    const first = await this.findKnown(ids.slice(0, half));
    return [...first, ...(await this.findKnown(ids.slice(half)))];
  }

  /** Makes one request. Returns what `read` makes of its results; undefined, and the reason in `failure`, without any. */
  private async request(
    ids: readonly Id[],
    read: (items: readonly ItemVerdict[]) => Standing[],
  ): Promise<Standing[] | undefined> {
    const { pause } = this.settings;
    if (pause > 0) await this.tools.sleep(pause);
    const questions = ids.map((id): WireOperation => ({ type: 'status', id }));
    const verdict = judge('sync', await this.tools.transport('sync', questions), questions);
    let found: Standing[] | undefined;
    if (verdict.kind !== 'results') this.failure = verdict;
    // A queue's receipt says nothing about what was asked.
    else if ('requestId' in verdict.items[0]) this.failure = { kind: 'lost', problem: { kind: 'notTold' } };
    else found = read(verdict.items);
    if (!found?.some(({ kind }) => kind === 'known' || kind === 'absent')) this.left -= 1;
    return found;
  }

  private get mayAsk(): boolean {
    return this.left > 0 && this.failure?.retryAfter === undefined;
  }

  private get isRefused(): boolean {
    return this.failure?.kind === 'refused' || this.failure?.kind === 'tooLarge';
  }
}

const UNCLEAR: Standing = { kind: 'unclear' };

const allOf = (ids: readonly Id[], kind: 'unanswered' | 'notAsked'): Standing[] => ids.map(() => ({ kind }));

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
    return isCertain(item) || ofControl.state === 'accepted' ? readKnown(item) : UNCLEAR;
  });
}

function readKnown(item: ItemVerdict): Standing {
  if (item.state === 'refused') return UNCLEAR;
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
  if (item.state === 'accepted') return isListed(item.payload);
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
  const text = item.state === 'refused' && item.problem.kind === 'item' ? item.problem.text : '';
  return `${item.state} ${shapeOfValue(text, id, 0)} ${shapeOfValue(item.payload, id, 0)}`;
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
