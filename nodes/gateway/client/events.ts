import type { Departures, FinalState, NotAccepted, Row } from './row';

/** A row of which nobody knows whether the gateway has it, or a row at its end. */
export type DoubtedRow<R extends Row> = R & { state: NotAccepted };
export type EndedRow<R extends Row> = R & { state: FinalState };

/**
 * What becomes of rows, in order of time. Whoever asks for the next event has dealt with this one:
 * - `leaving`: these rows are in the request that is made when the next event is asked for, and not before. Rows that the reader takes
 *   out of `rows` don't leave, and come in no later event.
 * - `doubted`: nobody knows whether the gateway has these rows; a later try goes on from the states that they have now.
 * - `settled`: these rows have their final states. Each row comes in one such event.
 */
export type DeliveryEvent<R extends Row> =
  | { is: 'leaving'; rows: R[]; departure: Departures }
  | { is: 'doubted'; rows: ReadonlyArray<DoubtedRow<R>> }
  | { is: 'settled'; rows: ReadonlyArray<EndedRow<R>> };

/** Events, with what is returned behind the last of them. */
export type DeliveryEvents<R extends Row, T = void> = AsyncGenerator<DeliveryEvent<R>, T, undefined>;

/** Yields the event of rows in doubt; none without rows. */
export function* doubted<R extends Row>(rows: readonly R[]): Generator<DeliveryEvent<R>, void, undefined> {
  if (rows.length > 0) yield { is: 'doubted', rows: rows as ReadonlyArray<DoubtedRow<R>> };
}

/** Yields the event of rows at their end; none without rows. */
export function* settled<R extends Row>(rows: readonly R[]): Generator<DeliveryEvent<R>, void, undefined> {
  if (rows.length > 0) yield { is: 'settled', rows: rows as ReadonlyArray<EndedRow<R>> };
}
