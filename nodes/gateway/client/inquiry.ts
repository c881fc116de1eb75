import type { DepartedMessages, MessageFate } from './departed';
import type { Doubt } from './doubt';
import { decide, DOUBTS, isTimed } from './doubt';
import { RequestSize } from './progress';
import type { FinalState, NotAccepted, Row } from './row';
import type { Asking, KnownMessages, MessageId } from './status';
import { askAbout, FIRST_IDS, MOST_IDS } from './status';
import type { Transport } from './transport';
import type { Pace } from './wait';
import { Patience } from './wait';

export interface InquiryTools {
  transport: Transport;

  /** Messages that the account certainly took. */
  knownMessages: KnownMessages;

  /** Messages that left this process for the account, and the execution that asks. */
  departed: DepartedMessages;
  execution: string;

  /** Two ids that nobody has sent; the first one just below those of the run, which shows a gateway that cuts ids. */
  unusedIds(): readonly [MessageId, MessageId];

  /** Milliseconds since 1970. */
  now(): number;

  /** Waits; resolves early when the execution is stopped. Doesn't reject. */
  sleep(milliseconds: number): Promise<void>;
  stopped(): boolean;

  /** The pace of all requests of the run. */
  pace: Pace;
}

/** Milliseconds for which questions wait for a gateway that asks to wait, since it last took a message. */
const LEFT_ALONE_MS = 120_000;

/** Asks `status` about rows in doubt until it is known what became of them. */
export class Inquiry<R extends Row> {
  private readonly tools: InquiryTools;
  private readonly end: (row: R, state: FinalState) => void;
  private readonly patience = new Patience(LEFT_ALONE_MS);
  private readonly asking: Asking;

  /** Whether the gateway wanted questions to wait for longer than that: then each is asked once. */
  private isOut = false;

  /** `end` is called with each row that doesn't leave again, and its final state. */
  constructor(tools: InquiryTools, end: (row: R, state: FinalState) => void) {
    this.tools = tools;
    this.end = end;
    this.asking = {
      size: new RequestSize(FIRST_IDS, MOST_IDS),
      wait: async (refusal) => {
        const waitMs = this.patience.wait(refusal.kind === 'request' ? refusal.retryAfter : undefined);
        if (waitMs === undefined) {
          this.isOut = true;
          return false;
        }
        tools.pace.slowDown(0);
        await tools.sleep(waitMs);
        return !tools.stopped();
      },
      answered: () => this.patience.begin(),
      now: () => tools.now(),
    };
  }

  /** The gateway took a message, so that questions may wait for it anew. */
  renew(): void {
    this.isOut = false;
    this.patience.reset();
  }

  /**
   * Asks until each row has a state, or the questions of the doubt are at their end. `waitedMs`: time since the exchange;
   * `delayMs`: time for which the gateway wants to be left alone. Returns the rows that may leave again.
   */
  async ask(rows: R[], doubt: Doubt, { waitedMs = 0, delayMs = 0 } = {}): Promise<R[]> {
    const { tools } = this;
    const ids = new Set(rows.map(({ operation }) => operation.id));

    /** What this process knows of the messages that another execution may have sent. */
    const fates = () => tools.departed.fatesOf(ids, tools.execution, tools.now());
    const isElsewhere = doubt === 'elsewhere';
    const isUnderWay = isElsewhere && [...fates().values()].some((fate) => fate !== 'taken');
    const times = timesOf(isUnderWay ? 'broken' : doubt, delayMs);
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
      const witness = tools.knownMessages.at(tools.now());
      const controls = { unused: tools.unusedIds(), witness };
      const { told, failure, isWitnessDenied } = await askAbout(tools.transport, open, controls, this.asking);
      if (isWitnessDenied) tools.knownMessages.forget(witness, tools.now());
      // An address that isn't a gateway's tells nothing later either.
      const isShut = this.isOut || failure?.kind === 'closed' || failure?.problem.kind === 'notGateway';
      const isAnswered = failure === undefined && !isTimed(doubt);
      const isEnd = isShut || timeMs === last;
      const isLast = isEnd || isAnswered;
      const atSeconds = timeMs / 1000;
      const known = isElsewhere ? fates() : undefined;
      open = open.filter((row, i) => {
        const fate = known?.get(row.operation.id);
        const isOpen = fate === 'underWay' || fate === 'late';
        const said = decide(row, doubt, told[i], { atSeconds, isLast: isLast && (!isOpen || isEnd) });
        const state = fate === undefined || said?.is === 'accepted' ? said : stateByFate(row, fate);
        if (state === undefined || (isOpen && state.is !== 'accepted' && !isEnd)) return true;
        if (state.is === 'ready') {
          const answer = told[i];
          const isProven = answer.is === 'absent' && answer.isWitnessed;
          // If the run ends before the row leaves, the row wasn't sent.
          if (isProven && row.departures === undefined)
            row.state = { ...(row.state as NotAccepted), is: 'notSent' };
          leaving.push(row);
        } else this.end(row, state);
        return false;
      });
      if (isEnd || open.length === 0) break;
    }
    for (const row of open) this.end(row, row.state as NotAccepted);
    return leaving;
  }
}

/** The state of a row that `status` doesn't show, by what became of its message in another execution. */
export function stateByFate(row: Row, fate: MessageFate): FinalState {
  if (fate === 'taken') return { is: 'accepted', ...(row.hasKey && { duplicate: true as const }) };
  const problem = { kind: fate === 'late' ? 'notTold' : 'underWay' } as const;
  // Of a key, the row of another run says what became of the message; a Retry has no other row.
  return { is: row.hasKey && !row.mayBeSent ? 'notSent' : 'unknown', problem };
}

/** Milliseconds after the exchange at which a doubt is asked about, the first not before the gateway wants to be asked. */
function timesOf(doubt: Doubt, delayMs: number): number[] {
  const times = DOUBTS[doubt].askAt.map((seconds) => 1000 * seconds);
  const firstMs = Math.max(times[0], delayMs);
  return [firstMs, ...times.filter((timeMs) => timeMs > firstMs)];
}
