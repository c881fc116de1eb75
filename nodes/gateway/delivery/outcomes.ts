/**
 * What becomes of a message, in six outcomes (gateway-api.md, "States and transitions"). `order` says how much an
 * outcome tells and, from `delivered` on, how far the message got; `final` whether delivery is decided: a message
 * that arrived may still be read or answered.
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

/** Whether delivery is decided. */
export const isFinal = (outcome: Outcome): boolean => OUTCOMES[outcome].final;

/** Whether `after` takes the place of `before`: an outcome is never taken back by one that tells less. */
export const replaces = (before: Outcome | undefined, after: Outcome): boolean =>
  before === undefined || OUTCOMES[after].order >= OUTCOMES[before].order;

/**
 * Whether the gateway, asked about a message that was reported as `reported`, may answer `current`: the same outcome
 * or a later one. Nothing follows a failure, and after an unknown outcome everything is possible.
 */
export const follows = (reported: Outcome, current: Outcome): boolean =>
  reported === 'failed' ? current === 'failed' : replaces(reported, current);

/**
 * How far a message got: 0 where it didn't arrive, then 1, 2 and 3 for delivered, read and replied. A report of a
 * lower rank than an earlier one comes late.
 */
export const arrivalRank = (outcome: Outcome): number =>
  Math.max(0, OUTCOMES[outcome].order - OUTCOMES.failed.order);
