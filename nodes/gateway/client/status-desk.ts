import type { WireOperation } from '../contract/operations';
import { controlPlaces, controlsFor, controlsIn } from './controls';
import type { Unanswered } from './question-size';
import { QuestionSize, unansweredBy } from './question-size';
import type { FailedRequest } from './response';
import { judge } from './response';
import type { ControlsSeen, MessageId, StatusProof, StatusQuestion, Told } from './status-proof';
import { doControlsAgree, hasListedState, proofsOf } from './status-proof';
import type { Transport } from './transport';

/** Ids in the first request, however few operations the user wants in one: some messages with three controls. */
const LEAST = 11;

/** Requests of a run that may bring nothing, and the time for which the gateway is left alone that counts as one. */
const MOST_FOR_NOTHING = 500;
const LEFT_ALONE_MS = 4000;

/** Requests that one refused question may cost in the search for ids that the gateway knows. */
const SEARCH_LIMIT = 32;

interface DeskTools {
  transport: Transport;

  /**
   * Returns an id beside those of the run, which nobody has sent: a gateway that knows it keeps only some digits of an id, and
   * says of each message what is true of another.
   */
  unusedId?(): number;
}

/** What holds from one question to the next, until something is told of a message. */
interface Kept {
  proofs: Map<StatusQuestion, StatusProof>;

  /** Where a request holds one id only: what was told of a control, and of the one before it. */
  alone?: Told;
  before?: Told;

  /** Such controls were answered otherwise, one than the other, so that a witness may have been compared with a fault. */
  isDoubtful?: true;
}

/**
 * Asks `status` about rows of one run (gateway-api.md, "Asking for a status"). Each request carries controls in different
 * places, ids that nobody has sent, where there is room for them (controls.ts, status-proof.ts). One that is refused is asked
 * again in smaller parts, and the size that is answered is kept. Where even the smallest is refused, it is asked without
 * controls, which proves presence alone.
 */
export class StatusDesk {
  /** The last request of the last question that failed. */
  failure: FailedRequest | undefined;

  /** Requests that may still be made for nothing. */
  left = MOST_FOR_NOTHING;

  private readonly tools: DeskTools;
  private readonly size: QuestionSize;

  private readonly seen: ControlsSeen = { noise: new Set(), states: new Set() };

  /** What was told of witnesses, and not of a message yet. */
  private kept: Kept = { proofs: new Map() };

  /** What the answers are worth: about some of the ids only, the last one; or in no known order, from one on. */
  private worth: 'whole' | 'partial' | 'none' = 'whole';

  /** Requests that were answered. */
  private answers = 0;

  /** Takes, besides its tools, the operations that the user wants in one request. */
  constructor(tools: DeskTools, batchSize?: number) {
    this.tools = tools;
    this.size = new QuestionSize(batchSize && Math.max(batchSize, LEAST));
  }

  /**
   * Asks about messages, at most `most` in a request.
   * @param witnesses messages that were certainly accepted: where one of them is answered like the controls, or not at
   *   all, nothing is absent
   * @returns a proof for each question, in order. Does not throw.
   */
  async ask(
    questions: readonly StatusQuestion[],
    witnesses: readonly StatusQuestion[] = [],
    most = Infinity,
  ): Promise<StatusProof[]> {
    this.failure = undefined;
    const known = new Set(questions.map(({ id }) => id));
    const beside = witnesses.filter(({ id }) => !known.has(id));
    const { proofs } = this.kept;
    const open = [...beside, ...questions].filter((question) => !proofs.has(question));
    while (open.length > 0) {
      const room = Math.min(this.size.current, most);
      const controls = controlsIn(room, open.length, this.size.most);
      const part = open.splice(0, controls > 0 ? room - controls : 1);
      const found = await this.askPart(part, controls);
      // Asked about alone, a witness may be answered otherwise than a control by a fault of that answer.
      if (controls === 0 && beside.includes(part[0]) && found[0]?.is === 'unclear') found[0] = UNANSWERED;
      part.forEach((question, i) => found[i] && proofs.set(question, found[i]));
      open.unshift(...part.filter((question) => !proofs.has(question)));
    }
    const ids = new Set(witnesses.map(({ id }) => id));
    const { isDoubtful, ...kept } = this.kept;
    const isKnown = isDoubtful ? isListed : isTold;
    const seen = [...proofs].flatMap(([{ id }, { is }]) => (ids.has(id) ? is : []));
    const isBlind = seen.includes('absent');
    const isMute = !seen.every(isKnown);
    const tells = questions.some((question) => isTold(proofs.get(question)?.is));
    // What holds until something is told of a message holds for no longer; that a witness is absent may be over at once.
    this.kept = tells
      ? { proofs: new Map() }
      : { ...kept, proofs: new Map([...proofs].filter(([, { is }]) => isKnown(is) && is !== 'absent')) };
    return questions.map((question) => {
      const proof = proofs.get(question) ?? UNANSWERED;
      if (proof.is !== 'absent') return proof;
      return isBlind ? UNCLEAR : isMute ? UNANSWERED : proof;
    });
  }

  /** Counts that the gateway is left alone. */
  leftAlone(milliseconds: number): void {
    this.left -= Math.floor(milliseconds / LEFT_ALONE_MS);
  }

  /** Asks about a part. Returns no proof for what the gateway may answer in a smaller one. */
  private async askPart(
    part: readonly StatusQuestion[],
    controls: number,
  ): Promise<Array<StatusProof | undefined>> {
    if (!this.mayAsk) return this.unanswered(part);
    const found = controls > 0 ? await this.request(part, controls) : await this.askOne(part);
    const { failure, size } = this;
    if (found && this.worth !== 'partial') {
      // Between the controls, some may have been answered otherwise.
      size.answered(part.length + controls, false);
      return found;
    }
    const why: Unanswered = found || !failure ? { reason: 'refused' } : unansweredBy(failure);
    const asked = part.length + controls;
    if (this.left > 0 && (found ? size.answeredInPart(asked) : size.allowsFewer(why, asked))) {
      this.failure = undefined;
      // A listed state is one wherever the answer ends.
      return part.map((_, i) => (found && isTaken(found[i]) ? found[i] : undefined));
    }
    if (found) return found;
    // Words that ask for patience whatever is asked may be those for an id that the gateway doesn't know, such as a control.
    const isForAny = why.reason === 'turnedAway' && size.isFutile && failure?.problem.kind === 'envelope';
    const proofs =
      why.reason === 'refused' || isForAny ? await this.findKnown(part, { left: SEARCH_LIMIT }) : undefined;
    const last = this.failure;
    // What is searched may fail in another way.
    if (last && unansweredBy(last).reason === 'turnedAway' && !proofs?.some(({ is }) => isTold(is)))
      this.failure = { ...last, retryAfter: last.retryAfter ?? 0 };
    return proofs ?? this.unanswered(part);
  }

  /** Asks without controls, and in ever smaller parts, which of the messages the gateway certainly has. */
  private async findKnown(
    part: readonly StatusQuestion[],
    searches: { left: number },
  ): Promise<StatusProof[]> {
    if (searches.left <= 0 || !this.mayAsk) return this.unanswered(part);
    searches.left -= 1;
    const found = await this.request(part, 0);
    if (found) {
      // It is told of an id that the gateway may not know: so it isn't such ids that it refuses, and it may be the number.
      if (found.some(({ is }) => is === 'unclear')) this.size.forgetFutility();
      return presences(found);
    }
    if (!this.isRefused || part.length === 1) return this.unanswered(part);
    const half = Math.ceil(part.length / 2);
    const first = await this.findKnown(part.slice(0, half), searches);
    return [...first, ...(await this.findKnown(part.slice(half), searches))];
  }

  /**
   * Asks about one message where a request holds one id only: about a control before, once in a question. Where that
   * exchange broke, the answer proves presence alone.
   */
  private async askOne(part: readonly StatusQuestion[]): Promise<StatusProof[] | undefined> {
    const ids = part.map(({ id }) => id);
    const { kept } = this;
    if (!kept.alone) {
      kept.alone = (await this.tell(controlsFor(ids).slice(0, 1)))?.[0];
      if (kept.alone) {
        // It tells something with the answer that comes next.
        this.left += 1;
        if (kept.before && !doControlsAgree([kept.before, kept.alone])) kept.isDoubtful = true;
        kept.before = kept.alone;
      }
    }
    if (!this.mayAsk || (!kept.alone && this.isRefused)) return undefined;
    const told = await this.tell(ids);
    if (!told) return undefined;
    // An answer about one id is about all of them.
    if (this.worth === 'partial') this.worth = 'whole';
    if (!kept.alone) return presences(this.proofs(part, told, []));
    const found = this.proofs(part, told, [kept.alone]);
    // Another control may show that what differs says nothing of a message.
    if (found[0].is === 'unclear') kept.alone = undefined;
    return found;
  }

  /** Makes one request. Returns undefined, and keeps the reason in `failure`, where its results can't be read. */
  private async request(
    part: readonly StatusQuestion[],
    controls: number,
  ): Promise<StatusProof[] | undefined> {
    const places = controlPlaces(controls, part.length, this.answers);
    const asked: MessageId[] = part.map(({ id }) => id);
    const [first, second, third] = controlsFor(asked);
    const made = [first, this.tools.unusedId?.() ?? second, third];
    places.forEach((place, i) => asked.splice(place + i, 0, made[i]));
    const told = await this.tell(asked);
    if (!told) return undefined;
    const isControl = ({ id }: Told) => made.includes(id as number);
    const beside = told.filter(isControl);
    if (this.worth !== 'none') this.worth = doControlsAgree(beside) ? 'whole' : 'partial';
    return this.proofs(
      part,
      told.filter((one) => !isControl(one)),
      beside,
    );
  }

  private proofs(
    part: readonly StatusQuestion[],
    told: readonly Told[],
    controls: readonly Told[],
  ): StatusProof[] {
    // Nobody has sent a control: what is said of it is said of another message.
    if (controls.some(hasListedState)) this.worth = 'none';
    if (this.worth === 'none') return part.map(() => UNCLEAR);
    const found = proofsOf(part, told, controls, this.seen);
    if (found.some(({ is }) => is !== 'unclear')) this.left += 1;
    return found;
  }

  private async tell(ids: readonly MessageId[]): Promise<Told[] | undefined> {
    this.left -= 1;
    const operations = ids.map((id): WireOperation => ({ type: 'status', id }));
    const verdict = judge('sync', await this.tools.transport('sync', operations), operations);
    if (verdict.kind !== 'results') this.failure = verdict;
    // A queue's receipt says nothing about what was asked.
    else if (verdict.items.some((item) => 'requestId' in item && item.requestId !== undefined))
      this.failure = { kind: 'lost', problem: { kind: 'notTold' } };
    else {
      this.answers += 1;
      return verdict.items.map((item, i) => ({ id: ids[i], item }));
    }
    return undefined;
  }

  private unanswered(part: readonly StatusQuestion[]): StatusProof[] {
    const is = this.mayAsk ? 'unanswered' : 'notAsked';
    return part.map(() => ({ is, problem: this.failure?.problem }));
  }

  private get mayAsk(): boolean {
    return this.left > 0 && this.failure?.retryAfter === undefined;
  }

  private get isRefused(): boolean {
    return this.failure !== undefined && unansweredBy(this.failure).reason === 'refused';
  }
}

const UNCLEAR: StatusProof = { is: 'unclear' };
export const UNANSWERED: StatusProof = { is: 'unanswered' };

const isTold = (is?: StatusProof['is']): boolean =>
  is !== undefined && is !== 'unanswered' && is !== 'notAsked';

const isTaken = ({ is }: StatusProof): boolean => is === 'accepted' || is === 'failed';

/** Whether a proof is one whatever controls are answered. */
const isListed = (is: StatusProof['is']): boolean => ['accepted', 'failed', 'rejected'].includes(is);

/** What answers without a control prove: an absence neither, nor that there is none. */
const presences = (proofs: StatusProof[]): StatusProof[] =>
  proofs.map((proof) => (proof.is === 'unclear' ? UNANSWERED : proof));
