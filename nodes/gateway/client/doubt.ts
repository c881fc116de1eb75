import { statusKnows } from '../contract/operations';
import type { Report } from '../delivery/reports';
import type { Problem } from '../errors/problem';
import type { FailedRequest, Verdict } from './response';
import { saysNo } from './response';
import type { Departures, NotAccepted, Row, RowState } from './row';
import { READY } from './row';
import { asksToWait, isDuplicateRefusal, isFault } from './words';

/** When `status` is asked about a doubt, and when an absence counts. */
interface Rule {
  /**
   * Seconds at which the run asks `status`. Where the gateway may still take the row (`mayStillTake`), they count from the exchange, even
   * if an earlier try made that exchange, and the run asks until an answer decides, or the last time has come. In any other doubt, they
   * count from the moment at which the run came to this doubt, and the run asks until `status` answers: only a question without an answer
   * is asked again at the later times.
   */
  askAt: readonly number[];

  /** Seconds, counted as those of `askAt`. From then on, the absence of an id may prove that the gateway doesn't have the row (`isProof`). */
  absenceCountsAt: number;
}

/** A proxy may report a failure while the gateway behind it takes the request, up to so many seconds after the broken exchange. */
const BROKEN_SETTLES_AT = 120;
export const BROKEN_SETTLES_MS = 1000 * BROKEN_SETTLES_AT;
const UNTIL_SETTLED = [1, 5, 15, 30, 60, BROKEN_SETTLES_AT];

/** The doubts: why it isn't known whether the gateway has a row, or an older message under its id; each with its rule. */
export const DOUBTS = {
  /** Another run, or another Retry, may have sent the message. */
  elsewhere: { askAt: [0, 2, 5, 15], absenceCountsAt: 0 },

  /** An earlier try of this execution, or the retried execution, sent the row, and nothing of that exchange can still arrive. */
  earlier: { askAt: [0, 2, 5, 15], absenceCountsAt: 0 },

  /** The gateway refused the whole request, perhaps because of another row, or asked this row to wait: it took nothing of the row. */
  together: { askAt: [2, 5, 15, 30, 60, 120], absenceCountsAt: 2 },

  /** The gateway refused the row alone, and may have its message all the same: refused by a fault, as a duplicate, or under a used id. */
  contested: { askAt: [2], absenceCountsAt: 2 },

  /** The exchange broke. */
  broken: { askAt: UNTIL_SETTLED, absenceCountsAt: BROKEN_SETTLES_AT },

  /** The exchange timed out, or broke on its way to the queue: the gateway may take the row at any time. */
  late: { askAt: UNTIL_SETTLED, absenceCountsAt: Infinity },
} satisfies Record<string, Rule>;

export type Doubt = keyof typeof DOUBTS;

/** Whether the gateway may still take the row of a doubt, for a while (`broken`) or for ever (`late`): an absence proves nothing until then. */
export const mayStillTake = (doubt: Doubt): boolean => doubt === 'broken' || doubt === 'late';

/** Milliseconds after which `status` surely shows a message that was taken. */
export const STATUS_LAG_MS = 2000;

/** Milliseconds after which a gateway may have forgotten a message, so that an absence proves nothing. */
export const FORGOTTEN_MS = 12 * 3_600_000;

/** Whether `status` shows the message of a row soon after the gateway took it: it never shows some types, and a queued message late. */
export const isKnownToStatus = ({ operation, endpoint }: Row): boolean =>
  endpoint === 'sync' && statusKnows(operation.type);

/** Whether another run, or another Retry, may have sent a message of its own under the id of a row. */
export const isShared = ({ hasKey, mayHaveBeenSent }: Row): boolean =>
  hasKey === true || mayHaveBeenSent === true;

/**
 * The answer of one question about a row.
 * - `taken`: a listed state of a message that is on its way or arrived, or a reply.
 * - `failed`, `rejected`: a listed state of a message that did not arrive; REJECTED.
 * - `seen`: the gateway has something under its id, in words that aren't listed.
 * - `absent`: the same answer as for ids that nobody has sent. `isWitnessed`: a message that the gateway
 *   certainly has, asked about in the same request, got another answer.
 * - `nothing`: none of these.
 */
export type StatusVerdict =
  | { is: 'taken' | 'failed' | 'rejected' | 'seen'; report: Report }
  | { is: 'absent'; isWitnessed: boolean }
  | { is: 'nothing' };

/** The state that a row gets, and the doubt about it, if there is one. */
export interface Transition {
  state: RowState;
  doubt?: Doubt;
}

/** The state of a row at the start of a try, and the doubt to settle before the row leaves. */
export function stateAtStart(row: Row, nowMs: number): Transition {
  const { state, departures, hasKey, mayHaveBeenSent, wasBegun, endpoint } = row;
  const isUnknown = state.is === 'unknown';
  const problem: Problem = isUnknown || state.is === 'refused' ? state.problem : { kind: 'notTold' };
  const unknown: NotAccepted = { is: 'unknown', problem };
  // The retried execution, or another Retry of it, may have queued the row, and `status` doesn't show what is in the queue.
  if (mayHaveBeenSent && wasBegun && endpoint === 'async') return { state: unknown, doubt: 'late' };
  // In a Retry, another Retry may have sent any row. A row that is unknown already goes by what is known of
  // that row itself, further down.
  if (mayHaveBeenSent && !isUnknown) return { state: unknown, doubt: 'elsewhere' };
  if (departures === undefined) {
    // The row never left here. An earlier question has left its message in doubt.
    if (isUnknown) return { state: unknown, doubt: 'elsewhere' };
    if (!hasKey) return { state: READY };
    // A row with a key: this execution has not sent the row, which stays so where `status` tells nothing.
    return { state: { is: 'notSent', problem: { kind: 'notTold' } }, doubt: 'elsewhere' };
  }
  const agoMs = nowMs - departures.lastAtMs;
  // The gateway may still take the row, or may have forgotten its message: either way, no absence counts.
  if (departures.mayComeLate || agoMs > FORGOTTEN_MS) return { state: unknown, doubt: 'late' };
  // After a clear no, or two minutes after a broken exchange, nothing of that exchange can still arrive.
  const isSettled = !isUnknown || saysNo(state.problem) || agoMs >= BROKEN_SETTLES_MS;
  return { state: isUnknown ? unknown : state, doubt: isSettled ? 'earlier' : 'broken' };
}

/** The departures of a row after one more; the rows of a batch that leave for the first time share one object. */
export const afterDeparture = (before: Departures | undefined, latest: Departures): Departures =>
  before === undefined ? latest : { ...latest, count: before.count + 1 };

/** The next states of the rows of a batch, in order, by the verdict on their request. Takes the rows as they were before it. */
export const afterExchange = (batch: readonly Row[], verdict: Verdict, recovery: Recovery): Transition[] =>
  batch.map((row, i) => {
    if (verdict.kind !== 'results')
      return settleWithoutStatus(afterFailure(row, verdict, batch.length), recovery);
    const item = verdict.items[i];
    if (item.is === 'accepted') return { state: item };
    const { problem } = item;
    // Where `status` is asked, a row that has to wait leaves again only once `status` says that the gateway doesn't have the row. A type
    // that `status` doesn't know never leaves again.
    const mayWait = asksToWait(problem) && (recovery !== 'status' || isKnownToStatus(row));
    return settleWithoutStatus(mayWait ? refusedTogether(problem) : refusedAlone(row, problem), recovery);
  });

/** The next state of a row that was refused together with others, or in words that ask to wait. */
const refusedTogether = (problem: Problem): Transition => ({
  state: { is: isRefusalInWords(problem) ? 'refused' : 'unknown', problem },
  doubt: 'together',
});

/** The next state of a row whose request, with `size` rows, has failed. */
function afterFailure(row: Row, { kind, problem }: FailedRequest, size: number): Transition {
  switch (kind) {
    case 'notReached':
    case 'closed':
      // The gateway took nothing of this request. An earlier request may have left the row unknown: it stays so.
      return { state: row.state.is === 'unknown' ? row.state : { is: 'notSent', problem } };
    case 'refused':
      if (size === 1 && !asksToWait(problem)) return refusedAlone(row, problem);
      return refusedTogether(problem);
    case 'timedOut':
      return { state: { is: 'unknown', problem }, doubt: 'late' };
    case 'broken':
      return { state: { is: 'unknown', problem }, doubt: row.endpoint === 'async' ? 'late' : 'broken' };
  }
}

/**
 * How it is found out what became of an operation without an answer.
 * - `status`: it is asked about by `id`.
 * - `repeat`: it only reads, so it is made again.
 * - `none`: it stays unknown, such as a look-up, which is billed, or the creation of a template.
 */
export type Recovery = 'repeat' | 'status' | 'none';

/**
 * Settles the doubt about an operation that isn't asked about (`repeat` or `none`): the gateway's word is believed, and a lost answer
 * stays lost.
 */
function settleWithoutStatus(transition: Transition, recovery: Recovery): Transition {
  const { state, doubt } = transition;
  if (recovery === 'status' || doubt === undefined || !('problem' in state)) return transition;
  if (doubt === 'together') return { state: READY };
  const { problem } = state;
  if (doubt === 'contested')
    return { state: recovery === 'repeat' || saysNo(problem) ? { is: 'refused', problem } : state };
  // A read that got no answer in the end counts as not sent: it was made again while there was time, and changes nothing.
  return { state: recovery === 'repeat' ? { is: 'notSent', problem } : state };
}

/** Whether a problem is a refusal in words that are neither those of a fault nor for a duplicate. */
const isRefusalInWords = (problem: Problem): boolean =>
  !isFault(problem) && saysNo(problem) && !isDuplicateRefusal(problem);

/** A refusal of one row: by a result of its own, or with a request that held no other row. */
function refusedAlone(row: Row, problem: Problem): Transition {
  // The gateway may have the message from another run or another Retry, and refuse this one as a repeat in words that nobody listed.
  if (isShared(row) || !isRefusalInWords(problem))
    return { state: { is: 'unknown', problem }, doubt: 'contested' };
  // The user, or an earlier departure, used the id before: the message of that use may be there.
  const mayBeOlder = row.hasOwnId || row.departures !== undefined;
  return { state: { is: 'refused', problem }, ...(mayBeOlder && { doubt: 'contested' }) };
}

/** The place of a question among those about a doubt. */
export interface DoubtQuestion {
  /** The time of the question, counted as those of `askAt`. */
  atSeconds: number;

  /** Whether the run asks no more after this answer: always, where the gateway can't take the row any more (`Rule.askAt`). */
  isLast: boolean;
}

/**
 * The state of a row in doubt after a question, `ready` where it may leave again; undefined where it stays in doubt and
 * is asked about again. If nothing is told, the row keeps its state. Pure.
 */
export function decide(
  row: Row,
  doubt: Doubt,
  told: StatusVerdict,
  question: DoubtQuestion,
): RowState | undefined {
  const current = row.state as NotAccepted;
  const { problem } = current;
  // No other request had the id: no other run, no other Retry, no person and no second departure.
  const isOnlyUse = !isShared(row) && !row.hasOwnId && !hasLeftAgain(row);
  switch (told.is) {
    case 'taken':
      // The gateway refused this message, and has an older one under the id that the user chose.
      if (row.hasOwnId && !hasLeftAgain(row) && isRefusalInWords(problem))
        return { ...current, report: told.report };
      return acceptedBy(row, doubt, told.report);
    case 'failed':
      // A message that failed was taken before.
      if (!isRefusalInWords(problem)) return acceptedBy(row, doubt, told.report);
      // After a refusal, the failure may be that refusal, as the gateway logs it. With a shared id, another run's message may have failed.
      return { is: isShared(row) ? 'unknown' : 'refused', problem, report: told.report };
    case 'seen':
      return { ...current, is: current.is === 'notSent' ? 'unknown' : current.is, report: told.report };
    case 'rejected':
      // REJECTED may be the refusal that this run knows, or that of another run's message: either way, the gateway has nothing of the row.
      if (isRefusalInWords(problem) || doubt === 'elsewhere')
        return decideByAbsence(row, doubt, told, question);
      if (isOnlyUse) return { is: 'refused', problem: rejectedBy(told.report), report: told.report };
      return question.isLast ? { ...current, is: 'unknown', report: told.report } : undefined;
    case 'absent':
      return decideByAbsence(row, doubt, told, question);
    case 'nothing':
      return question.isLast ? current : undefined;
  }
}

/** Decides as `decide` does, where the gateway has nothing of the row, or says REJECTED of another message. */
function decideByAbsence(
  row: Row,
  doubt: Doubt,
  told: StatusVerdict,
  { atSeconds, isLast }: DoubtQuestion,
): RowState | undefined {
  const current = row.state as NotAccepted;
  const { problem } = current;
  const isProven = atSeconds >= DOUBTS[doubt].absenceCountsAt && isProof(row, doubt, told);
  if (!isProven) return isLast ? current : undefined;
  // Refused as a duplicate of a message that isn't there: the row stays unknown.
  if (doubt === 'contested') return isDuplicateRefusal(problem) ? current : { is: 'refused', problem };
  // A row leaves again after its first broken exchange, and not after the second: a gateway that takes broken requests after more than two
  // minutes would send the message as often as the exchange broke.
  if (doubt === 'broken' && hasLeftAgain(row)) return current;
  return READY;
}

const hasLeftAgain = ({ departures }: Row): boolean => (departures?.count ?? 0) > 1;

/** Whether an absence, or a state REJECTED that counts as one, proves that the gateway doesn't have a row. */
function isProof(row: Row, doubt: Doubt, told: StatusVerdict): boolean {
  // The gateway said itself that it took nothing of the request, or that the row has to wait.
  if (doubt === 'together') return true;
  const { problem } = row.state as NotAccepted;
  // `status` doesn't show what is in the queue, and some types never, so that an absence proves something only of rows that `status` knows.
  // An absence counts all the same for a row with a key, although the queue may hold the message of another run
  // (docs/delivery-guarantees.md), and where the retried execution had not begun the run: then only other Retries can have sent the row,
  // and this process remembers what they sent.
  if (doubt === 'elsewhere') return row.hasKey === true || !row.wasBegun || isKnownToStatus(row);
  return isKnownToStatus(row) && (saysNo(problem) || (told.is === 'absent' && told.isWitnessed));
}

/** Returns the state of a row whose message `status` shows. */
function acceptedBy(row: Row, doubt: Doubt, report: Report): RowState {
  const { problem } = row.state as NotAccepted;
  const ofOtherRun = row.hasKey && (doubt === 'elsewhere' || saysNo(problem));
  const isOlder = row.hasOwnId || ofOtherRun || isDuplicateRefusal(problem);
  return { is: 'accepted', report, ...(isOlder && { duplicate: true as const }) };
}

/** Returns why a row was refused of which `status` says REJECTED. */
function rejectedBy({ error }: Report): Problem {
  return { kind: 'rejected', text: typeof error === 'string' && error.trim() !== '' ? error : undefined };
}
