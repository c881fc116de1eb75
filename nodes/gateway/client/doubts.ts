import type { Problem } from '../errors/problem';
import type { ControlQuestions } from './control-question';
import type { Parked, RefusedPart } from './parking';
import { decide, FIRST_QUESTION, isDue, LAG, nextPause, SETTLING, timeUntilQuestion } from './parking';
import { refusesRepeat } from './refusals';
import type { Doubt, SendEntry, SendResult, SendSettings, SendTools } from './send';
import type { BatchSender } from './sender';

/** Milliseconds after which a gateway may have forgotten a message, so that its not knowing it proves nothing. */
const FORGOTTEN = 12 * 3_600_000;
/** Ids in one question unless the user says otherwise: where a larger one is refused, the search ends before it finds all. */
const MOST_IN_DOUBT = 100;
/** Milliseconds for which a gateway that wants to be left alone is waited for. */
const MOST_PATIENCE = 120_000;

/** What the gateway may have taken, and finding out by `status` whether it did. */
export class Doubts<E extends SendEntry> {
  /** A message of which the gateway itself said that it took it. */
  witness: E | undefined;
  private parked: Array<Parked<E>> = [];
  /** Types of which the gateway has shown that its `status` knows them. */
  private readonly knownTypes = new Set<string>();
  /** What was sent again after a broken exchange. */
  private readonly resent = new Set<E>();
  private readonly settings: SendSettings;
  private readonly tools: SendTools<E>;
  private readonly questions: ControlQuestions;
  private readonly sender: BatchSender<E>;

  constructor(
    settings: SendSettings,
    tools: SendTools<E>,
    questions: ControlQuestions,
    sender: BatchSender<E>,
  ) {
    this.settings = settings;
    this.tools = tools;
    this.questions = questions;
    this.sender = sender;
  }

  /** What an earlier try left unknown. */
  takeOver(entry: E, doubt: Doubt): void {
    const isForgotten = this.tools.now() - doubt.leftAt > FORGOTTEN;
    this.add(entry, isForgotten ? { ...doubt, kind: 'late' } : doubt, { kind: 'unknownOutcome' });
  }

  /** Records that an entry may have been taken, and has `status` asked about it where that is possible. */
  add(entry: E, doubt: Doubt, problem: Problem, part?: RefusedPart<E>): void {
    const isRepeat = refusesRepeat(problem, entry);
    const mayBeOlder = this.mayBeOlder(entry, problem, doubt);
    const result = { state: 'unknown', problem, doubt } as const;
    entry.doubt = doubt;
    this.tools.record(entry, result);
    if (this.settings.recovery !== 'status') return;
    // A queue goes on working after its answer.
    const settlesAt = doubt.kind === 'answered' && this.settings.endpoint === 'sync' ? 0 : SETTLING;
    const waited = doubt.waited ?? 0;
    this.parked.push({ entry, result, part, settlesAt, waited, mayBeOlder, isRepeat, unanswered: 0 });
  }

  /** Has `status` asked once about an entry that was refused by a result of its own. */
  addRefused(entry: E, result: SendResult & { state: 'refused' }): void {
    const mayBeOlder = this.mayBeOlder(entry, result.problem);
    this.parked.push({
      entry,
      result,
      settlesAt: LAG,
      waited: 0,
      mayBeOlder,
      isRepeat: false,
      unanswered: 0,
    });
  }

  private mayBeOlder({ hasOwnId, asksFirst, doubt }: E, { kind }: Problem, newDoubt?: Doubt): boolean {
    if (hasOwnId) return true;
    const isRefused = kind === 'item';
    // Where a key was asked about before, a refusal may mean that another run has sent it since.
    return asksFirst === undefined ? isRefused && !doubt : isRefused || newDoubt?.kind === 'answered';
  }

  /** Asks `status` until nothing is in doubt, and has sent again what a broken exchange certainly lost. */
  async settle(): Promise<void> {
    const { questions, tools } = this;
    let patience = await this.leaveAlone();
    for (let pause = FIRST_QUESTION; this.parked.length > 0; pause = nextPause(pause)) {
      if (questions.left <= 0) {
        this.parked = this.parked.filter(({ result }) => result.state === 'refused');
        // What was refused is asked about once all the same.
        questions.left = this.parked.length;
      }
      const isHopeless = this.parked.length === 0 || patience > MOST_PATIENCE;
      if (!isHopeless) await this.wait(timeUntilQuestion(this.parked, Math.max(0, pause - patience)));
      // Each of them is recorded already, as unknown or as refused.
      if (isHopeless || tools.stopped()) return void this.parked.splice(0);
      await this.question();
      // Also where nothing is left to ask about: other operations may be in doubt next.
      patience = await this.leaveAlone();
    }
  }

  /** Waits while the gateway wants to be left alone, two minutes at most. Returns the milliseconds that it wants. */
  private async leaveAlone(): Promise<number> {
    const patience = 1000 * (this.questions.failure?.retryAfter ?? 0);
    this.questions.failure = undefined;
    if (patience <= MOST_PATIENCE) await this.wait(patience);
    return patience;
  }

  /** Waits, and counts what was waited: a clock may be set. */
  private async wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    const waiting = [...this.parked];
    await this.tools.sleep(milliseconds);
    for (const parked of waiting) {
      parked.waited += milliseconds;
      if (parked.result.state === 'unknown') parked.result.doubt.waited = parked.waited;
    }
  }

  /** Asks `status` once about what is parked, and acts on what is found out. */
  private async question(): Promise<void> {
    const { questions, resent, sender } = this;
    const asked = this.parked.filter(isDue);
    this.parked = this.parked.filter((parked) => !isDue(parked));
    const ids = asked.map(({ entry }) => entry.operation.id);
    const most = this.settings.batchSize ?? MOST_IN_DOUBT;
    const standings = await questions.ask(ids, this.witness?.operation.id, most);
    if (!questions.failure) questions.grow();
    asked.forEach(({ entry }, i) => {
      // What is known under an id of the user may be an older message of another type.
      if (standings[i].kind === 'known' && !entry.hasOwnId) this.knownTypes.add(entry.operation.type);
    });
    const again: E[] = [];
    asked.forEach((parked, i) => {
      const { entry, part, result } = parked;
      const decision = decide(parked, standings[i], this.isProvable(entry));
      if (decision === 'wait') {
        // Those that were left out come first next time.
        if (standings[i].kind === 'notAsked') this.parked.unshift(parked);
        else this.parked.push(parked);
      } else if (decision !== 'notTaken') sender.conclude(entry, decision);
      else if (part) sender.notTaken(entry, part);
      else if (resent.has(entry)) sender.conclude(entry, { state: 'notSent', problem: result.problem });
      else {
        resent.add(entry);
        again.push(entry);
      }
    });
    await sender.sendAgain(again);
  }

  /** Whether `status` can prove that an operation was not taken. */
  private isProvable({ operation: { type }, doubt }: E): boolean {
    if (this.settings.endpoint === 'async' && doubt?.kind !== 'answered') return false;
    // The contract doesn't say that `status` knows these.
    if (type === 'call/otp') return false;
    return type !== 'pipeline' || this.knownTypes.has(type);
  }
}
