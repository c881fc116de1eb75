import type { Doubt } from './doubt';
import { decide, DOUBTS, isTimed } from './doubt';
import type { FinalState, NotAccepted, Row } from './row';
import type { KnownMessages, MessageId } from './status';
import { askAbout, questionSize } from './status';
import type { Transport } from './transport';

export interface InquiryTools {
  transport: Transport;

  /** Messages that the account certainly took. */
  knownMessages: KnownMessages;

  /** Two ids that nobody has sent; the first one just below those of the run, which shows a gateway that cuts ids. */
  unusedIds(): readonly [MessageId, MessageId];

  /** Milliseconds since 1970. */
  now(): number;

  /** Waits; resolves early when the execution is stopped. Doesn't reject. */
  sleep(milliseconds: number): Promise<void>;
  stopped(): boolean;
}

/** Asks `status` about rows in doubt until it is known what became of them. */
export class Inquiry<R extends Row> {
  private readonly tools: InquiryTools;
  private readonly end: (row: R, state: FinalState) => void;
  private readonly size = questionSize();

  /** `end` is called with each row that doesn't leave again, and its final state. */
  constructor(tools: InquiryTools, end: (row: R, state: FinalState) => void) {
    this.tools = tools;
    this.end = end;
  }

  /**
   * Asks until each row has a state, or the questions of the doubt are at their end. `waitedMs`: time since the exchange;
   * `delayMs`: time for which the gateway wants to be left alone. Returns the rows that may leave again.
   */
  async ask(rows: R[], doubt: Doubt, { waitedMs = 0, delayMs = 0 } = {}): Promise<R[]> {
    const { tools } = this;
    const times = timesOf(doubt, delayMs);
    const last = times[times.length - 1];
    const leaving: R[] = [];
    let open = rows;
    // Counted, not read from the clock: a clock may be set while a run waits.
    let atMs = Math.max(0, waitedMs);
    const due = times.filter((timeMs) => timeMs >= atMs);
    // Asked once even where all times are over.
    for (const timeMs of due.length > 0 ? due : [last]) {
      if (timeMs > atMs) {
        await tools.sleep(timeMs - atMs);
        atMs = timeMs;
      }
      if (tools.stopped()) break;
      const controls = { unused: tools.unusedIds(), witness: tools.knownMessages.at(tools.now()) };
      const { told, failure } = await askAbout(tools.transport, open, controls, this.size);
      // An address that isn't a gateway's tells nothing later either.
      const isShut = failure?.kind === 'closed' || failure?.problem.kind === 'notGateway';
      const isAnswered = failure === undefined && !isTimed(doubt);
      const isLast = isShut || isAnswered || timeMs === last;
      const atSeconds = timeMs / 1000;
      open = open.filter((row, i) => {
        const state = decide(row, doubt, told[i], { atSeconds, isLast });
        if (state === undefined) return true;
        if (state.is === 'ready') leaving.push(row);
        else this.end(row, state);
        return false;
      });
      if (isLast || open.length === 0) break;
    }
    for (const row of open) this.end(row, row.state as NotAccepted);
    return leaving;
  }
}

/** Milliseconds after the exchange at which a doubt is asked about, the first not before the gateway wants to be asked. */
function timesOf(doubt: Doubt, delayMs: number): number[] {
  const times = DOUBTS[doubt].askAt.map((seconds) => 1000 * seconds);
  const firstMs = Math.max(times[0], delayMs);
  return [firstMs, ...times.filter((timeMs) => timeMs > firstMs)];
}
