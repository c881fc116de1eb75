import type { Report } from '../delivery/reports';
import type { Problem } from '../errors/problem';
import { asksForPatience, isDuplicateRefusal, isFault, isListedRefusal } from './refusal';
import type { Asking, NotAccepted, Past, Refusal, Row, RowState } from './row';
import type { Cause } from './rules';
import { RULES } from './rules';
import { showsNothing, type StatusProof } from './status-proof';
import { LAG_MS, nextPauseMs, TOGETHER_MS } from './timing';

/** What a row may learn. */
export type RowEvent =
  | { is: 'accepted'; payload?: unknown; requestId?: string }

  /** By a result of its own. */
  | { is: 'refused'; problem: Problem; leftAtMs: number; payload?: unknown }

  /** With its request of `size` operations: in words, by a code without words, or not at all. */
  | {
      is: 'refusedTogether' | 'turnedAway' | 'lost' | 'late';
      problem: Problem;
      leftAtMs: number;
      size: number;
    }

  /** `status` said something; `isProvable`: whether it would know such a row; `askedAtMs`: since when it was asked; now if left out. */
  | { is: 'told'; proof: StatusProof; isProvable: boolean; askedAtMs?: number }

  /** What its refusal says is true: for operations that `status` is not asked about. */
  | { is: 'believed' }

  /** The gateway was left alone, as it asked; `waitedEnough`: for as long as that is of use. */
  | { is: 'waited' | 'waitedEnough' }

  /** `status` is refused like everything else, so that nothing gets through. */
  | { is: 'shutOut'; problem: Problem }

  /** Its request certainly was not taken, nor is any other. */
  | { is: 'notSent'; problem: Problem }

  /** Nothing more is sent, or asked. */
  | { is: 'givenUp'; problem: Problem };

/** Answers that tell nothing, once the gateway's work is over, after which a row stays what it is. */
const MOST_UNCLEAR = 4;

/** Answers with a state that isn't listed, after which it isn't waited for a listed one. */
const MOST_SEEN = 3;

/** What has happened to a row that left for the first time: one object for all of them. */
const LEFT: Past = { left: true };

function afterDeparture(past: Past): Past {
  if (past.left) return { ...past, again: true };
  for (const _ in past) return { ...past, left: true };
  return LEFT;
}

/** Returns the state of a row after an event: the rules of rules.ts, and nothing else. Pure. */
export function next(row: Row, event: RowEvent): RowState {
  const { state } = row;
  const past = afterDeparture(state.past);
  switch (event.is) {
    case 'accepted': {
      const { payload, requestId } = event;
      return { is: 'accepted', payload, requestId, past };
    }
    case 'refused': {
      const { problem, payload } = event;
      if (isListedRefusal(problem)) return { is: 'refused', problem, payload, past };
      return asking(causeOfRefusal(row, problem), { ...event, past, size: 1 });
    }
    case 'refusedTogether':
    case 'turnedAway':
    case 'lost':
    case 'late':
      return asking(causeOfFailure(row, event), { ...event, past });
    case 'told':
      return state.is === 'asking' ? afterAnswer(row, state, event) : state;
    case 'believed':
      return state.is === 'asking' ? withoutStatus(state) : state;
    case 'waited':
      if (state.is !== 'ready' || !state.refusal) return state;
      return { ...state, refusal: { ...state.refusal, then: 'whole' } };
    case 'waitedEnough':
      return state.is === 'ready' && state.refusal ? sentInParts(state.past, state.refusal) : state;
    case 'shutOut':
      return state.is === 'asking' ? shutOut(state, event.problem) : state;
    case 'notSent':
      return { is: 'notSent', problem: event.problem, past: state.past };
    case 'givenUp':
      if (state.is === 'asking') return otherwise(state);
      if (state.is !== 'ready') return state;
      return { is: 'notSent', problem: state.refusal?.problem ?? event.problem, past: state.past };
  }
}

type Start = Pick<Asking, 'problem' | 'past' | 'leftAtMs' | 'size' | 'payload'>;

/** Returns the state of a row that is in question from now on. */
export function asking(cause: Cause, { problem, past, leftAtMs, size, payload }: Start): Asking {
  return {
    is: 'asking',
    cause,
    ...{ problem, past, leftAtMs, size, payload },
    waitedMs: 0,
    nextAtMs: RULES[cause].firstLookMs,
    pauseMs: RULES[cause].firstLookMs,
    unclear: 0,
  };
}

function causeOfRefusal({ hasOwnId, state }: Row, problem: Problem): Cause {
  // An older message may have an id of the user's own.
  if (isDuplicateRefusal(problem) && (!hasOwnId || state.past?.left)) return 'duplicate';
  return isFault(problem) ? 'fault' : 'refused';
}

function causeOfFailure(row: Row, { is, problem, size }: Extract<RowEvent, { size: number }>): Cause {
  if (is === 'late') return 'late';
  if (row.endpoint === 'async') {
    if (is === 'turnedAway') return 'turnedAwayByQueue';
    return is !== 'refusedTogether' || isFault(problem) ? 'queue' : 'refusedByQueue';
  }
  if (is !== 'refusedTogether') return is;
  if (size === 1 && !asksForPatience(problem)) return causeOfRefusal(row, problem);
  return isFault(problem) || isDuplicateRefusal(problem) ? 'faultTogether' : 'refusedTogether';
}

/** What a row is called as long as nothing more is known, and in the end if nothing more is found out. */
export function otherwise(state: Asking, report = state.seen): NotAccepted {
  const { cause, problem, past, payload } = state;
  const shown = report && { report };
  const is = report && RULES[cause].otherwise === 'notSent' ? 'unknown' : RULES[cause].otherwise;
  if (is === 'refused') return { is, problem, past, payload, ...shown };
  if (is === 'notSent') return { is, problem, past };
  return { is, problem, past, asking: report ? { ...state, seen: report } : state, ...shown };
}

/** A row that was refused in words, which `status` doesn't contradict. */
const refusedAs = ({ problem, past, payload }: Asking, report: Report): RowState => ({
  is: 'refused',
  problem,
  past,
  payload,
  report,
});

function afterAnswer(
  row: Row,
  asked: Asking,
  { proof, isProvable, askedAtMs = asked.waitedMs }: Extract<RowEvent, { is: 'told' }>,
): RowState {
  const { cause, past } = asked;
  const rule = RULES[cause];
  // Why nothing is known of a key.
  const problem = (cause === 'key' && 'problem' in proof && proof.problem) || asked.problem;
  const state = { ...asked, problem };
  // A REJECTED of the time before it left, or of another message or run with its id, proves no more than an absence.
  const mayBeOld = past.rejected || past.again || row.hasOwnId || row.sendOnce;
  // Nor is a queue's refusal borne out by a state of such a time.
  const isRefusal = rule.isRefusal && !(mayBeOld && rule.otherwise === 'unknown');
  switch (proof.is) {
    case 'notAsked':
      return state;
    case 'accepted':
      return acceptedBy(row, state, proof.report);
    case 'failed':
      // It was taken, and not delivered; of what was refused in words, that is no more than its being refused.
      return isRefusal ? refusedAs(state, proof.report) : acceptedBy(row, state, proof.report);
    case 'rejected':
      if (!leavesAgain(cause) && !mayBeOld) return rejected(row, state, proof.report);
      break;
    case 'seen':
      if (rule.otherwise !== 'unknown') return otherwise(state, proof.report);
  }
  // An exchange that broke is no question.
  if (rule.isAskedOnce && (proof.is !== 'unanswered' || state.unclear > 0))
    return otherwise(state, 'report' in proof ? proof.report : undefined);
  // A question about many takes long, and what it says of one is of the time when that was asked about.
  const isOver = askedAtMs >= rule.settlesMs;
  if (proof.is === 'absent' || proof.is === 'rejected') {
    const words = proof.is === 'absent' ? proof.words : 'REJECTED';
    const same = state.absence?.words === words ? state.absence : { sinceMs: asked.waitedMs, words };
    const isNothing = proof.is === 'absent' && state.seen && showsNothing(state.seen, proof.said);
    const seen = isNothing ? undefined : state.seen;
    if (!isOver || askedAtMs - same.sinceMs < LAG_MS) return later({ ...state, absence: same, seen });
    if (seen) return otherwise(state);
    if (proof.is === 'rejected') {
      // What the gateway may take at any time isn't refused by what it says of the time before.
      if (rule.ifAbsent === 'unknown') return otherwise(state);
      // Nor is what `status` may never have noted.
      if (mayBeOld && !isProvable && !isRefusal && cause !== 'key') return otherwise(state);
      return leavesAgain(cause)
        ? notTaken({
            ...state,
            past: { ...past, rejected: true, ...(cause === 'key' && { before: 'refused' }) },
          })
        : rejected(row, state, proof.report);
    }
    // A queue may take later what it was given, whatever it said of it.
    const isQueued = row.endpoint === 'async' && (cause === 'refusedBefore' || cause === 'notSentBefore');
    return (isProvable && !isQueued) || cause === 'key' ? notTaken(state) : otherwise(state);
  }
  const seen = proof.is === 'seen' ? proof.report : state.seen;
  const unclear = state.unclear + (isOver || proof.is === 'seen' ? 1 : 0);
  // An answer without controls takes nothing back.
  const absence = proof.is === 'unanswered' ? state.absence : undefined;
  const after: Asking = { ...state, unclear, absence, seen };
  return unclear < (after.seen ? MOST_SEEN : MOST_UNCLEAR) ? later(after) : otherwise(after);
}

/** A row that is asked about once more: after the usual pause, or as soon as one more answer decides. */
function later(state: Asking): Asking {
  const { cause, waitedMs, absence } = state;
  const leftMs = RULES[cause].settlesMs - waitedMs;
  const provenMs = absence ? absence.sinceMs + LAG_MS - waitedMs : 0;
  const decidesMs = Math.max(leftMs, provenMs);
  // What is there, and only wants a state, doesn't wait long for it.
  const pauseMs = state.seen ? LAG_MS : nextPauseMs(state.pauseMs);
  const waitMs = decidesMs > 0 ? Math.min(pauseMs, decidesMs) : pauseMs;
  // Else what may be asked about together with others would be due at once.
  return { ...state, nextAtMs: waitedMs + Math.max(absence ? 0 : 2 * TOGETHER_MS, waitMs), pauseMs };
}

const leavesAgain = (cause: Cause): boolean => ['leaves', 'splits'].includes(RULES[cause].ifAbsent);

/** A row that the gateway certainly didn't take, or, by the contract, did not send. */
function notTaken(state: Asking): RowState {
  const { cause, problem, past, size } = state;
  switch (RULES[cause].ifAbsent) {
    case 'leaves':
      return { is: 'ready', past };
    case 'splits': {
      const refusal = { problem, size, then: 'waits' } as const;
      return asksForPatience(problem) ? { is: 'ready', past, refusal } : sentInParts(past, refusal);
    }
    case 'resends':
      return sentOnceMore(past, cause) ?? { is: 'notSent', problem, past };
    case 'refused':
      return { is: 'refused', problem, past, payload: state.payload };
    case 'unknown':
      return otherwise(state);
  }
}

/** A row whose request was refused: in a smaller part, unless it was alone. */
function sentInParts(past: Past, refusal: Refusal): RowState {
  if (refusal.size > 1) return { is: 'ready', past, refusal: { ...refusal, then: 'parts' } };
  const { problem } = refusal;
  if (problem.kind !== 'http' || problem.status === 413) return { is: 'refused', problem, past };
  // A code without words may have been a chance. If it comes again while `status` gets through, it is about this row.
  const { status } = problem;
  const shown: Problem = status === 429 ? problem : { kind: 'filtered', status };
  return sentOnceMore(past, 'turnedAway') ?? { is: 'refused', problem: shown, past };
}

/** A row that leaves once more for a cause; undefined where it did. */
function sentOnceMore(past: Past, cause: Cause): RowState | undefined {
  const { resent = [] } = past;
  return resent.includes(cause) ? undefined : { is: 'ready', past: { ...past, resent: [...resent, cause] } };
}

/** A row about which `status` can't be asked any more than it could be sent. */
function shutOut(state: Asking, problem: Problem): RowState {
  const { cause, past, seen, absence, unclear } = state;
  // By the same code, at the first look: there may be no gateway at all.
  const isAlike = 'status' in problem && 'status' in state.problem && problem.status === state.problem.status;
  if (cause === 'turnedAway' && isAlike && !seen && !absence && unclear < 2)
    return { is: 'notSent', problem: state.problem, past };
  if (cause === 'key') return { is: 'notSent', problem, past };
  return RULES[cause].settlesMs === 0 ? otherwise(state) : state;
}

/** A row that `status` calls REJECTED, and that doesn't leave again for now. */
function rejected({ sendOnce }: Row, state: Asking, report: Report): RowState {
  const { cause, problem, past } = state;
  if (RULES[cause].isRefusal) return refusedAs(state, report);
  if (cause === 'duplicate' && (past.rejected || past.again))
    return { is: 'refused', problem: { kind: 'refusedBefore', hasKey: sendOnce === true }, past, report };
  // Words of the gateway say more than a state.
  if ('text' in problem) return refusedAs(state, report);
  const { error } = report;
  const text = typeof error === 'string' && error.trim() !== '' ? error : undefined;
  return { is: 'refused', problem: { kind: 'rejected', text }, past, report };
}

function acceptedBy({ hasOwnId, sendOnce }: Row, { cause, past }: Asking, report: Report): RowState {
  // With a key, what was refused and is there all the same was sent by another run.
  const isOlder = hasOwnId || cause === 'duplicate' || (sendOnce && RULES[cause].mayBeOlder);
  return {
    is: 'accepted',
    report,
    past: cause === 'key' ? { ...past, before: 'sent' } : past,
    ...(isOlder && { duplicate: true }),
  };
}

/** What becomes of a row that can't be asked about: what is said of it is believed, and what is lost stays unknown. */
const withoutStatus = (state: Asking): RowState =>
  ['lost', 'late', 'queue', 'refusedByQueue'].includes(state.cause) ? otherwise(state) : notTaken(state);
