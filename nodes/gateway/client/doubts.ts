import type { Problem } from '../errors/problem';
import { askWithControl } from './control-question';
import type { Parked, RefusedPart } from './parking';
import { decide, FIRST_QUESTION, isDue, LAG, nextPause, SETTLING, timeUntilQuestion } from './parking';
import type { SendEntry, SendSettings, SendTools } from './send';
import type { Doubt, SendResult } from './send-result';

/** Milliseconds after which a gateway may have forgotten a message, so that its not knowing it proves nothing. */
const FORGOTTEN = 12 * 3_600_000;

/** Ids in a question unless the user says otherwise, and the fewest: one with its control and a witness. */
const LARGEST = 100;
const SMALLEST = 3;

/** Requests of a run that may bring nothing: after that, what is in doubt stays unknown. */
const MOST_FOR_NOTHING = 500;

/** Milliseconds for which a gateway that wants to be left alone is waited for. */
const MOST_PATIENCE = 120_000;

/** What the owner of the doubts does with what is found out. */
export interface Findings<E extends SendEntry> {
  /** Takes the final result of an entry. */
  conclude(entry: E, result: SendResult): void;
  /** Takes what was refused together and certainly not taken. */
  notTaken(part: RefusedPart<E>): void;
  /** Sends again what a broken exchange certainly lost. */
  sendAgain(entries: E[]): Promise<void>;
}

/** What the gateway may have taken, and finding out by `status` whether it did. */
export class Doubts<E extends SendEntry> {
  /** Milliseconds for which the gateway wants to be left alone, as it answered to somebody else. */
  patience = 0;

  private parked: Array<Parked<E>> = [];

  /** A message that was certainly taken. */
  private witness: E | undefined;

  /** Types of which the gateway has shown that its `status` knows them. */
  private readonly knownTypes = new Set<string>();

  /** What was sent again after a broken exchange. */
  private readonly resent = new Set<E>();

  /** What was ever in doubt. */
  private readonly doubted = new Set<E>();

  /** Ids in one request, and the most. */
  private size: number;

  private readonly largest: number;

  private readonly budget = { left: MOST_FOR_NOTHING };

  private readonly settings: SendSettings;

  private readonly tools: SendTools<E>;

  private readonly findings: Findings<E>;

  constructor(settings: SendSettings, tools: SendTools<E>, findings: Findings<E>) {
    this.settings = settings;
    this.tools = tools;
    this.findings = findings;
    this.size = this.largest = settings.batchSize ?? LARGEST;
  }

  /** What an earlier try left unknown. */
  takeOver(entry: E, doubt: Doubt): void {
    const isForgotten = this.tools.now() - doubt.leftAt > FORGOTTEN;
    this.add(entry, isForgotten ? { ...doubt, kind: 'late' } : doubt, { kind: 'unknownOutcome' });
  }

  /** Records that an entry may have been taken, and has `status` asked about it where that is possible. */
  add(entry: E, doubt: Doubt, problem: Problem, part?: RefusedPart<E>): void {
    entry.doubt = doubt;
    this.tools.record(entry, { state: 'unknown', problem, doubt });
    if (this.settings.recovery !== 'status') return;
    this.doubted.add(entry);
    // A queue goes on working after its answer.
    const settlesAt = doubt.kind === 'answered' && this.settings.endpoint === 'sync' ? 0 : SETTLING;
    const waited = doubt.waited ?? 0;
    this.parked.push({ ...parkedOf(entry, problem), isDoubt: true, part, settlesAt, waited });
  }

  /** Has `status` asked once about an entry that was refused by a result of its own. */
  addRefused(entry: E, problem: Problem, payload: unknown): void {
    this.parked.push({ ...parkedOf(entry, problem), isRepeated: this.doubted.has(entry), payload });
  }

  /** Takes a message of which the gateway itself said that it took it. */
  addWitness(entry: E): void {
    this.witness ??= entry;
  }

  /** Asks `status` until nothing is in doubt, and has sent again what a broken exchange certainly lost. */
  async settle(): Promise<void> {
    let { patience } = this;
    this.patience = 0;
    if (patience <= MOST_PATIENCE) await this.wait(patience);
    for (let pause = FIRST_QUESTION; this.parked.length > 0; pause = nextPause(pause)) {
      if (this.budget.left <= 0) {
        this.parked = this.parked.filter(({ isDoubt }) => !isDoubt);
        // What was refused is asked about once all the same.
        this.budget.left = this.parked.length;
      }
      const isHopeless = this.parked.length === 0 || patience > MOST_PATIENCE;
      if (!isHopeless) {
        await this.wait(timeUntilQuestion(this.parked, Math.max(0, pause - patience)));
      }
      // Each of them is recorded already, as unknown or as refused.
      if (isHopeless || this.tools.stopped()) return void this.parked.splice(0);
      const { again, retryAfter = 0 } = await this.question();
      await this.findings.sendAgain(again);
      patience = 1000 * retryAfter;
      // Also where nothing is left to ask about: other operations may be in doubt next.
      if (patience <= MOST_PATIENCE) await this.wait(patience);
    }
  }

  /** Waits, and counts what was waited: a clock may be set. */
  private async wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    const waiting = [...this.parked];
    await this.tools.sleep(milliseconds);
    for (const parked of waiting) {
      parked.waited += milliseconds;
      if (parked.entry.doubt) parked.entry.doubt.waited = parked.waited;
    }
  }

  /** Asks `status` once about what is parked. Returns what is to be sent again. */
  private async question(): Promise<{ again: E[]; retryAfter?: number }> {
    const { conclude, notTaken } = this.findings;
    const asked: Array<Parked<E>> = [];
    const later: Array<Parked<E>> = [];
    for (const parked of this.parked) (isDue(parked) ? asked : later).push(parked);
    this.parked = later;
    const { pause } = this.settings;
    const { standings, retryAfter, isRefused } = await askWithControl(
      this.tools.transport,
      asked.map(({ entry }) => entry.operation.id),
      {
        batchSize: this.size,
        witness: this.witness?.operation.id,
        budget: this.budget,
        pause: async () => (pause > 0 ? await this.tools.sleep(pause) : undefined),
      },
    );
    this.size = isRefused
      ? Math.max(SMALLEST, Math.ceil(this.size / 2))
      : Math.min(2 * this.size, this.largest);
    asked.forEach(({ entry }, i) => {
      // What is known under an id of the user may be an older message of another type.
      if (standings[i].kind === 'known' && !entry.hasOwnId) this.knownTypes.add(entry.operation.type);
    });
    const again: E[] = [];
    const absent = new Map<RefusedPart<E>, E[]>();
    asked.forEach((parked, i) => {
      const { entry, part, problem } = parked;
      const decision = decide(parked, standings[i], this.isProvable(entry));
      if (decision.kind === 'wait') {
        // Those that were left out come first next time.
        return void (standings[i].kind === 'notAsked'
          ? this.parked.unshift(parked)
          : this.parked.push(parked));
      }
      if (decision.kind === 'settled') {
        if (decision.result.state === 'accepted') this.addWitness(entry);
        return conclude(entry, decision.result);
      }
      delete entry.doubt;
      if (part)
        absent
          .set(part, absent.get(part) ?? [])
          .get(part)
          ?.push(entry);
      else if (this.resent.has(entry)) conclude(entry, { state: 'notSent', problem });
      else {
        this.resent.add(entry);
        again.push(entry);
      }
    });
    for (const [part, entries] of absent) notTaken({ ...part, entries });
    return { again, retryAfter };
  }

  /** Whether `status` can prove that an operation was not taken. */
  private isProvable({ operation: { type }, doubt }: E): boolean {
    if (this.settings.endpoint === 'async' && doubt?.kind !== 'answered') return false;
    // The contract doesn't say that `status` knows these.
    if (type === 'call/otp') return false;
    return type !== 'pipeline' || this.knownTypes.has(type);
  }
}

const parkedOf = <E extends SendEntry>(entry: E, problem: Problem): Parked<E> => ({
  entry,
  problem,
  isDoubt: false,
  isRepeated: false,
  settlesAt: LAG,
  waited: 0,
  unanswered: 0,
});
