import type { Problem } from '../errors/problem';
import { backOff } from './back-off';
import { askWithControl } from './control-question';
import { asksForPatience } from './refusals';
import type { SendEntry, SendSettings, SendTools } from './send';

/** Ids in a question unless the user says otherwise, and the fewest: one with its control. */
const LARGEST = 500;
const SMALLEST = 3;

/** Questions without a usable answer about an entry after which it isn't sent, unless the gateway asks for patience. */
const MOST_QUESTIONS = 5;

/** Requests of a run that may bring nothing. */
const MOST_FOR_NOTHING = 500;

/** Asks `status`, right before operations leave, which of them were sent before under the same `id`. */
export class SentBefore<E extends SendEntry> {
  /** Ids in one request. */
  private size: number;

  private readonly budget = { left: MOST_FOR_NOTHING };

  private readonly settings: SendSettings;

  private readonly tools: SendTools<E>;

  constructor(settings: SendSettings, tools: SendTools<E>) {
    this.settings = settings;
    this.tools = tools;
    this.size = settings.batchSize ?? LARGEST;
  }

  /**
   * Returns those of a batch that may leave: one answer that the gateway doesn't have an operation suffices. Records the
   * others: those that it has as accepted before, and those about which there is no usable answer as not sent. Returns
   * `problem` too where it told nothing of the whole batch, so that nothing is to be learned about the next one either.
   */
  async leave(batch: E[]): Promise<{ leaving: E[]; problem?: Problem }> {
    const { sleep, stopped, record } = this.tools;
    const asking = batch.filter(({ asksFirst }) => asksFirst);
    if (asking.length === 0) return { leaving: batch };
    const waiting = backOff();
    let open = asking;
    let problem: Problem | undefined;
    for (let tries = 1; open.length > 0 && !stopped(); tries++) {
      const reply = await this.question(open);
      open = open.filter((entry, i) => {
        const standing = reply.standings[i];
        if (standing.kind === 'known')
          record(entry, { state: 'accepted', payload: standing.payload, duplicate: true });
        if (standing.kind === 'absent') delete entry.asksFirst;
        return standing.kind !== 'known' && standing.kind !== 'absent';
      });
      const { retryAfter, isRejected } = reply;
      ({ problem } = reply);
      const isPatient = retryAfter !== undefined || (problem !== undefined && asksForPatience(problem));
      const isWorthMore = !isRejected && this.budget.left > 0 && (isPatient || tries < MOST_QUESTIONS);
      const wait = isWorthMore ? waiting.afterRateLimit(retryAfter) : undefined;
      if (wait === undefined) break;
      if (open.length > 0) await sleep(wait);
    }
    const why: Problem = stopped() ? { kind: 'cancelled' } : (problem ?? { kind: 'notTold' });
    for (const entry of open) record(entry, { state: 'notSent', problem: why });
    return {
      leaving: batch.filter((entry) => !entry.asksFirst),
      ...(open.length > 0 && open.length === asking.length && { problem: why }),
    };
  }

  private async question(entries: E[]) {
    const { pause } = this.settings;
    const reply = await askWithControl(
      this.tools.transport,
      entries.map(({ operation }) => operation.id),
      {
        batchSize: this.size,
        budget: this.budget,
        pause: async () => (pause > 0 ? await this.tools.sleep(pause) : undefined),
      },
    );
    if (reply.isRefused)
      this.size = Math.max(SMALLEST, Math.ceil(Math.min(this.size, entries.length + 1) / 4));
    return reply;
  }
}
