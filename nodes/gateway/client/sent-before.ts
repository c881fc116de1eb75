import type { Problem } from '../errors/problem';
import { backOff } from './back-off';
import type { ControlQuestions } from './control-question';
import type { Absence } from './parking';
import { absenceAt, LAG } from './parking';
import { asksForPatience } from './refusals';
import type { SendEntry, SendTools } from './send';

/** Questions about a batch after which it isn't sent, unless the gateway asks for patience. */
const MOST_QUESTIONS = 6;

/**
 * Finds out by `status` which operations were sent before under the same `id`. What the gateway has comes out as accepted
 * before. What it doesn't have leaves when it says so twice, in the same words and 2 s apart: a `status` that lags behind
 * an answer by no more recognizes all that was answered before the first question. So that this doesn't take 2 s for each
 * batch, the first question is about all operations of a run, and the second about a batch right before it leaves.
 */
export class SentBefore<E extends SendEntry> {
  /** Milliseconds that were waited; counted, since a clock may be set. */
  private waited = 0;
  /** What the gateway says that it doesn't have. */
  private readonly absences = new Map<E, Absence>();
  private readonly tools: SendTools<E>;
  private readonly questions: ControlQuestions;

  constructor(tools: SendTools<E>, questions: ControlQuestions) {
    this.tools = tools;
    this.questions = questions;
  }

  /** Asks about all operations of a run for the first time. Records what was sent before, and returns the others. */
  async begin(all: E[]): Promise<E[]> {
    const asking = all.filter(({ asksFirst }) => asksFirst);
    if (asking.length === 0) return all;
    const open = new Set(await this.ask(asking));
    return all.filter((entry) => !entry.asksFirst || open.has(entry));
  }

  /**
   * Asks about a batch that is to leave. Returns those that may, and records the others: what was sent before, and as not
   * sent that about which there is no usable answer; `problem` is why, where nothing is known of the whole batch.
   */
  async leave(batch: E[]): Promise<{ leaving: E[]; problem?: Problem }> {
    const asking = batch.filter(({ asksFirst }) => asksFirst);
    if (asking.length === 0) return { leaving: batch };
    const { record, stopped } = this.tools;
    const { questions } = this;
    const waiting = backOff();
    let open = asking;
    for (let tries = 0; open.length > 0; tries++) {
      const { kind, problem, retryAfter } = questions.failure ?? {};
      const isPatient = retryAfter !== undefined || (problem !== undefined && asksForPatience(problem));
      if (kind === 'rejected' || questions.left <= 0 || (tries >= MOST_QUESTIONS && !isPatient)) break;
      const pause = tries === 0 && !isPatient ? 0 : waiting({ retryAfter });
      if (pause === undefined) break;
      await this.wait(Math.max(pause, this.timeUntilProof(open)));
      if (stopped()) break;
      open = await this.ask(open);
    }
    const problem: Problem = stopped()
      ? { kind: 'cancelled' }
      : (questions.failure?.problem ?? { kind: 'notTold' });
    for (const entry of open) record(entry, { state: 'notSent', problem });
    return {
      leaving: batch.filter(({ asksFirst }) => !asksFirst),
      ...(open.length === asking.length && { problem }),
    };
  }

  /** Asks once. Returns those that are neither known nor proven to be absent; for the latter, `asksFirst` is over. */
  private async ask(entries: E[]): Promise<E[]> {
    const standings = await this.questions.ask(entries.map(({ operation }) => operation.id));
    return entries.filter((entry, i) => {
      const standing = standings[i];
      if (standing.kind === 'known') {
        this.tools.record(entry, { state: 'accepted', report: standing.payload, duplicate: true });
        return false;
      }
      if (standing.kind !== 'absent') return true;
      const absence = absenceAt(this.waited, standing.words, this.absences.get(entry));
      this.absences.set(entry, absence);
      entry.asksFirst = this.waited - absence.since < LAG;
      return entry.asksFirst;
    });
  }

  /** Milliseconds until one more answer proves the absence of all that is said to be absent. */
  private timeUntilProof(entries: E[]): number {
    const times = entries.map((entry) => (this.absences.get(entry)?.since ?? -Infinity) + LAG - this.waited);
    return Math.max(0, ...times);
  }

  private async wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    await this.tools.sleep(milliseconds);
    this.waited += milliseconds;
  }
}
