import type { Report } from '../delivery/reports';
import { canonicalStatus, REFUSED_STATUS } from '../delivery/statuses';
import { asking } from './next';
import { isListedRefusal } from './refusal';
import type { Past, Row, RowState } from './row';
import { RULES } from './rules';
import { FORGOTTEN_MS } from './timing';

/** What is known of a row before a run; `mayBeSent`: whether another Retry of the execution may have sent it. */
export interface Before {
  state?: RowState;
  mayBeSent: boolean;
  nowMs: number;
}

/** The state of a row that never left: one object for all of them, since a run may have very many. */
const NEW: RowState = { is: 'ready', past: {} };

/**
 * Returns the state in which a row enters a try. Every try asks first: what an earlier one left refused, unless the
 * contract lists the words, not sent or unknown leaves only after `status` has been asked about it.
 */
export function begin(row: Omit<Row, 'state'>, { state, mayBeSent, nowMs }: Before): RowState {
  if (!state && !mayBeSent && !row.sendOnce) return NEW;
  // Each try sends once more what an earlier one did; what `status` says may be of the time before another Retry sent it.
  const past: Past = { ...state?.past, resent: undefined, ...(mayBeSent && { again: true as const }) };
  const fresh = {
    problem: { kind: 'unknownOutcome' } as const,
    past,
    leftAtMs: nowMs,
    size: 1,
  };
  // A queue may take what it accepted long after that: until then `status` doesn't know it.
  if (mayBeSent && row.endpoint === 'async') return asking('late', fresh);
  // What the last try that was saved said of it, another Retry may have changed.
  const isSettled = state?.is === 'refused' || state?.is === 'notSent';
  const seen = state?.is === 'refused' && isThere(state.report) ? { seen: state.report } : {};
  if (mayBeSent && (!state || isSettled)) return { ...asking('repeated', fresh), ...seen };
  switch (state?.is) {
    case 'unknown':
    case 'asking': {
      const before = state.is === 'asking' ? state : state.asking;
      // What never left can't have been forgotten.
      const isForgotten = before.cause !== 'key' && nowMs - before.leftAtMs > FORGOTTEN_MS;
      const isOpen = !mayBeSent || RULES[before.cause].otherwise === 'unknown';
      // Only the first look at it could show that nothing gets through.
      const open = before.cause === 'turnedAway' ? 'faultTogether' : before.cause;
      const cause = isForgotten ? 'late' : isOpen ? open : 'repeated';
      const start = asking(cause, { ...before, past });
      const { waitedMs } = before;
      return {
        ...start,
        waitedMs,
        nextAtMs: waitedMs + start.nextAtMs,
        ...(before.seen && { seen: before.seen }),
      };
    }
    case 'refused': {
      if (isListedRefusal(state.problem) && !row.sendOnce) return { is: 'ready', past };
      const { problem, payload } = state;
      return { ...asking('refusedBefore', { ...fresh, problem, payload }), ...seen };
    }
    case 'notSent':
      if (state.past.left) return asking('notSentBefore', { ...fresh, problem: state.problem });
  }
  return row.sendOnce ? asking('key', { ...fresh, problem: { kind: 'notTold' } }) : NEW;
}

/** Whether `status` has said of a message that it is there, and not that it was rejected, after which it may leave again. */
const isThere = (report: Report | undefined): report is Report =>
  report !== undefined && canonicalStatus(report.status) !== REFUSED_STATUS;
