import type { Problem } from '../gateway/errors/problem';
import { abortableSleep } from './engine';

/** Why an exchange was cut off. */
export interface Cut {
  kind: 'cut';
  problem: Problem;
}

/** The limits of one exchange: its time, and the execution that it belongs to. */
export interface Deadline {
  /** Aborts when the exchange is cut off. */
  signal: AbortSignal;
  /** Resolves to what the work resolves to, or at once when the exchange is cut off. The work must not reject. */
  race<T>(work: Promise<T>): Promise<T | Cut>;
  /** Cuts the exchange off before its time; does nothing after `lift`. */
  abandon(): void;
  /** Ends the deadline: the exchange came to its own end. */
  lift(): void;
}

/**
 * A reason of our own, made once: an error is made for each other reason, whose stack costs more than the rest of the
 * deadline.
 */
const LIFTED = new Error('The deadline was lifted');
const STOPPED: Problem = { kind: 'connectionLost', code: 'ERR_CANCELED' };

/**
 * Starts the deadline of an exchange that is about to begin. Takes its time limit in milliseconds and, where there is
 * one, the signal that aborts when the execution is stopped.
 */
export function startDeadline(timeout: number, cancelled?: AbortSignal): Deadline {
  const over = new AbortController();
  const clock = new AbortController();
  let cut: Cut | undefined;

  const cutOff = (problem: Problem) => {
    if (clock.signal.aborted) return;
    cut = { kind: 'cut', problem };
    lift();
    over.abort();
  };
  const abandon = () => cutOff(STOPPED);
  const lift = () => {
    clock.abort(LIFTED);
    cancelled?.removeEventListener('abort', abandon);
  };

  cancelled?.addEventListener('abort', abandon);
  void abortableSleep(timeout, clock.signal).then(
    () => cutOff({ kind: 'timeout' }),
    // Lifted in time: nobody waits any more.
    () => undefined,
  );
  return {
    signal: over.signal,
    abandon,
    lift,
    // Not Promise.race: each part of a long answer would leave a reaction behind on the promise of the time limit.
    race: async (work) =>
      await new Promise((resolve) => {
        if (cut) return resolve(cut);
        const onCut = () => resolve(cut as Cut);
        over.signal.addEventListener('abort', onCut, { once: true });
        void work.then((value) => {
          over.signal.removeEventListener('abort', onCut);
          resolve(value);
        });
      }),
  };
}
