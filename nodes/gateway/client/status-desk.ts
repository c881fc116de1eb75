import { createHash } from 'crypto';

import type { WireOperation } from '../contract/operations';
import { isRefusalOfQuestion, QuestionSize } from './question-size';
import type { FailedRequest, ItemVerdict } from './read-answer';
import { judge } from './read-answer';
import type { Question, Standing, Told } from './standing';
import { standingsOf } from './standing';
import type { Transport } from './transport';

/** The fewest ids that are of use: a message and a control; and those of the first question, with two controls. */
const SMALLEST = 2;
const LEAST = 3;
/** Requests of a run that may bring nothing. */
const MOST_FOR_NOTHING = 500;
/** Requests that one refused question may cost in the search for ids that the gateway knows. */
const SEARCH_LIMIT = 32;

/**
 * Asks `status` about rows of one run (gateway-api.md, "Events", rule 4). Each request carries two controls in different
 * places, ids that nobody has sent, where there is room for them (standing.ts). One that is refused is asked again in
 * smaller parts, and the size that is answered is kept. Where even the smallest is refused, it is asked without controls,
 * which proves presence alone.
 */
export class StatusDesk {
  /** The last request of the last question that failed. */
  failure: FailedRequest | undefined;

  /** Requests that may still be made for nothing. */
  left = MOST_FOR_NOTHING;

  private readonly transport: Transport;
  private readonly size: QuestionSize;

  /** Fields of an answer that differ from control to control. */
  private readonly noise = new Set<string>();

  private requests = 0;
  private searches = 0;

  constructor(transport: Transport, batchSize?: number) {
    this.transport = transport;
    this.size = new QuestionSize(batchSize && Math.max(batchSize, LEAST), SMALLEST);
  }

  /**
   * Asks about messages, at most `most` in a request.
   * @param witnesses messages that were certainly accepted: where one of them is answered like the controls, nothing
   *   is absent
   * @returns a standing for each question, in order. Does not throw.
   */
  async ask(
    questions: readonly Question[],
    witnesses: readonly Question[] = [],
    most = Infinity,
  ): Promise<Standing[]> {
    this.failure = undefined;
    const known = new Set(questions.map(({ id }) => id));
    const beside = witnesses.filter(({ id }) => !known.has(id));
    const all = [...beside, ...questions];
    const standings: Standing[] = [];
    while (standings.length < all.length) {
      const room = Math.min(this.size.current, most);
      const controls = Math.min(2, room - 1);
      const part = all.slice(standings.length, standings.length + Math.max(1, room - controls));
      standings.push(...(await this.askPart(part, controls)));
    }
    const ids = new Set(witnesses.map(({ id }) => id));
    const isBlind = standings.some((standing, i) => standing.is === 'absent' && ids.has(all[i].id));
    return standings
      .slice(beside.length)
      .map((standing) => (isBlind && standing.is === 'absent' ? { is: 'unclear' } : standing));
  }

  /** Asks about a part; about none of it where the gateway may take a smaller one. */
  private async askPart(part: readonly Question[], controls: number): Promise<Standing[]> {
    if (!this.mayAsk) return part.map(() => ({ is: 'notAsked' }));
    const found = await this.request(part, controls);
    if (found) {
      this.size.answered();
      return found;
    }
    if (!this.isRefused) return this.unanswered(part);
    if (this.mayAsk && this.size.refused(part.length + controls)) return [];
    this.searches = SEARCH_LIMIT;
    return await this.findKnown(part);
  }

  /** Asks without controls, and in ever smaller parts, which of the messages the gateway certainly has. */
  private async findKnown(part: readonly Question[]): Promise<Standing[]> {
    if (this.searches <= 0 || !this.mayAsk) return this.unanswered(part);
    this.searches -= 1;
    const found = await this.request(part, 0);
    if (found) return found.map((one) => (one.is === 'unclear' ? { is: 'unanswered' as const } : one));
    if (!this.isRefused || part.length === 1) return this.unanswered(part);
    const half = Math.ceil(part.length / 2);
    const first = await this.findKnown(part.slice(0, half));
    return [...first, ...(await this.findKnown(part.slice(half)))];
  }

  /** Makes one request. Returns undefined, and keeps the reason in `failure`, where its results can't be read. */
  private async request(part: readonly Question[], controls: number): Promise<Standing[] | undefined> {
    this.requests += 1;
    // Not always in the same place: what depends on the place is found to be noise.
    const places = [0, this.requests % 2 === 0 ? part.length : Math.ceil(part.length / 2)].slice(0, controls);
    const asked: Array<Question['id']> = part.map(({ id }) => id);
    const made = controlsFor(asked);
    places.forEach((place, i) => asked.splice(place + i, 0, made[i]));
    const operations = asked.map((id): WireOperation => ({ type: 'status', id }));
    const verdict = judge('sync', await this.transport('sync', operations), operations);
    const found = verdict.kind === 'results' ? this.read(part, made, { asked, items: verdict.items }) : undefined;
    if (verdict.kind !== 'results') this.failure = verdict;
    else if (!found) this.failure = { kind: 'lost', problem: { kind: 'notTold' } };
    if (!found?.some(({ is }) => is !== 'unclear')) this.left -= 1;
    return found;
  }

  private read(
    part: readonly Question[],
    made: readonly number[],
    { asked, items }: { asked: ReadonlyArray<Question['id']>; items: readonly ItemVerdict[] },
  ): Standing[] | undefined {
    // A queue's receipt says nothing about what was asked.
    if (items[0].state === 'accepted' && items[0].requestId !== undefined) return undefined;
    const told = asked.map((id, i): Told => ({ id, item: items[i] }));
    const isControl = ({ id }: Told) => made.includes(id as number);
    return standingsOf(
      part,
      told.filter((one) => !isControl(one)),
      told.filter(isControl),
      this.noise,
    );
  }

  private unanswered(part: readonly Question[]): Standing[] {
    return part.map(() => ({ is: 'unanswered', problem: this.failure?.problem }));
  }

  private get mayAsk(): boolean {
    return this.left > 0 && this.failure?.retryAfter === undefined;
  }

  private get isRefused(): boolean {
    return this.failure !== undefined && isRefusalOfQuestion(this.failure);
  }
}

/** Two ids of the form of those that the node makes. The same question has the same, so that runs can be repeated. */
function controlsFor(ids: ReadonlyArray<Question['id']>): [number, number] {
  const digest = createHash('sha256')
    .update(`control question\n${ids.join('\n')}`)
    .digest();
  return [2 ** 52 + digest.readUIntBE(0, 6), 2 ** 52 + digest.readUIntBE(6, 6)];
}
