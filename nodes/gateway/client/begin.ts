import { asking } from './next';
import { isListedRefusal } from './refusal';
import type { Row, RowState } from './row';
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
  const fresh = {
    problem: { kind: 'unknownOutcome' } as const,
    past: state?.past ?? {},
    leftAtMs: nowMs,
    size: 1,
  };
  // A queue may take what it accepted long after that: until then `status` doesn't know it.
  if (mayBeSent && row.endpoint === 'async') return asking('late', fresh);
  switch (state?.is) {
    case 'unknown':
    case 'asking': {
      const before = state.is === 'asking' ? state : state.asking;
      const isForgotten = nowMs - before.leftAtMs > FORGOTTEN_MS;
      const cause = isForgotten ? 'late' : before.cause;
      const { seen, waitedMs } = before;
      const start = asking(cause, before);
      return { ...start, waitedMs, nextAtMs: waitedMs + start.nextAtMs, ...(seen && { seen }) };
    }
    case 'refused':
      if (isListedRefusal(state.problem) && !mayBeSent && !row.sendOnce)
        return { is: 'ready', past: state.past };
      return asking('refusedBefore', { ...fresh, problem: state.problem, payload: state.payload });
    case 'notSent':
      if (state.past.left) return asking('notSentBefore', { ...fresh, problem: state.problem });
  }
  if (mayBeSent) return asking('repeated', fresh);
  return row.sendOnce ? asking('key', { ...fresh, problem: { kind: 'notTold' } }) : NEW;
}
