import { AttemptMemory } from '../../gateway/otp/attempt-memory';
import type { Challenge } from '../../gateway/otp/challenge';
import type { OtpKeys } from '../../gateway/otp/keys';
import { recordName } from '../../gateway/otp/keys';
import type { VerifyReason } from '../../gateway/otp/verify';
import { recordNames } from './record';
import type { Run } from '../run/run';

/** The attempts that this process knows, shared by all nodes and executions. */
const memory = new AttemptMemory();

/** The longest time that a challenge is valid, in milliseconds: another one of the chain may follow it. */
const LONGEST_VALID_MS = 3_600_000;

const nameOf = (keys: OtpKeys, { root, phone }: Challenge): string => recordName(keys, 'chain', root, phone);

/** Whether a code of the chain of a challenge has been verified, as far as this process knows. */
export const isUsed = (keys: OtpKeys, challenge: Challenge): boolean =>
  memory.closedBy(nameOf(keys, challenge)) === 'used';

/** Keeps what is known of a chain while another challenge of it is valid. */
export const keepAttempts = (keys: OtpKeys, challenge: Challenge): void =>
  memory.keep(nameOf(keys, challenge), challenge.expiresAt + LONGEST_VALID_MS);

/** A code that was compared, and how many attempts its chain allows. */
export interface Attempt {
  challenge: Challenge;
  isRight: boolean;
  most: number;
}

/** What an attempt comes to. */
export interface AttemptResult {
  reason: Exclude<VerifyReason, 'expired' | 'invalid'>;
  attemptsLeft: number;
}

/**
 * Counts an attempt, first in the memory of the process and then in the record, before anything is answered.
 * @throws the error of n8n's database; the attempt doesn't count then
 */
export async function countAttempt(run: Run, keys: OtpKeys, attempt: Attempt): Promise<AttemptResult> {
  const { challenge, isRight, most } = attempt;
  const name = nameOf(keys, challenge);
  // Nothing may be awaited before this: it decides between simultaneous verifications.
  let claim = memory.claim(name, {
    isRight,
    most,
    now: run.now(),
    keepUntil: challenge.expiresAt + LONGEST_VALID_MS,
  });
  const use = `${name} used`;
  let names = isRight ? [use] : [];
  while ('attempt' in claim) {
    const count = `${name} attempt ${claim.attempt}`;
    const known = await record(run, [...names, count], () => memory.release(name, isRight));
    if (known.has(use)) return { reason: 'used', attemptsLeft: 0 };
    if (!known.has(count)) {
      return isRight
        ? { reason: 'ok', attemptsLeft: 0 }
        : { reason: 'wrong', attemptsLeft: most - claim.attempt };
    }
    // Made in another process, or in one before a restart.
    names = [];
    claim = memory.moveOn(name, most);
  }
  return { reason: claim.refused, attemptsLeft: 0 };
}

async function record({ context }: Run, names: string[], undo: () => void): Promise<Set<string>> {
  try {
    return await recordNames(context, names);
  } catch (thrown) {
    undo();
    const error = thrown as Error;
    throw error;
  }
}
