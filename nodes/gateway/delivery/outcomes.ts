/**
 * The six outcomes of a message (gateway-api.md, "Statuses"). `order` ranks them by how much is known
 * and, from `delivered` on, by how far the message got. `final` means that delivery is decided; a message that arrived
 * may still be read or answered.
 */
const OUTCOMES = {
  unknown: { order: 0, final: false },
  pending: { order: 1, final: false },
  failed: { order: 2, final: true },
  delivered: { order: 3, final: true },
  read: { order: 4, final: true },
  replied: { order: 5, final: true },
} as const satisfies Record<string, { order: number; final: boolean }>;

export type Outcome = keyof typeof OUTCOMES;

export const OUTCOME_NAMES = Object.keys(OUTCOMES) as Outcome[];

export const isFinal = (outcome: Outcome): boolean => OUTCOMES[outcome].final;

/** Whether `after` takes the place of `before`: no outcome is replaced by one of a lower order. */
export const replaces = (before: Outcome | undefined, after: Outcome): boolean =>
  before === undefined || OUTCOMES[after].order >= OUTCOMES[before].order;

/**
 * Whether a message that was reported as `reported` may be at `current` by now: the same outcome or a later one. A
 * failure stays a failure, and after an unknown outcome everything is possible.
 */
export const follows = (reported: Outcome, current: Outcome): boolean =>
  reported === 'failed' ? current === 'failed' : replaces(reported, current);

/**
 * How far a message got: 0 where it didn't arrive, and 1, 2 or 3 where it was delivered, read or replied to. A report
 * with a lower rank than an earlier one is late.
 */
export const arrivalRank = (outcome: Outcome): number =>
  Math.max(0, OUTCOMES[outcome].order - OUTCOMES.failed.order);
