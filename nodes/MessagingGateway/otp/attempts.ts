import { AttemptMemory, moveOn, release } from '../../gateway/otp/attempt-memory';
import type { AttemptClaim, Chain, Closed } from '../../gateway/otp/attempt-memory';
import type { Challenge } from '../../gateway/otp/challenge';
import type { OtpKeys } from '../../gateway/otp/keys';
import { recordName } from '../../gateway/otp/keys';
import type { RateLimit } from '../../gateway/otp/rate-limits';
import { HOUR_MS, RateLimits } from '../../gateway/otp/rate-limits';
import type { VerifyReason } from '../../gateway/otp/verify';
import { recordNames } from './record';
import type { Run } from '../run/run';

/** What this process knows, shared by all nodes and executions: attempts by chain, and wrong codes by number. */
const memory = new AttemptMemory();
const wrongCodes = new RateLimits();

/** The longest time that a challenge is valid, in milliseconds: another one of the chain may follow it. */
const LONGEST_VALID_MS = 3_600_000;

const nameOf = (keys: OtpKeys, { root, phone }: Challenge): string => recordName(keys, 'chain', root, phone);

const wrongCodesOf = (keys: OtpKeys, phone: number, limit: number): RateLimit => ({
  reason: 'number_limit',
  name: recordName(keys, 'wrong', phone),
  limit,
  periodMs: HOUR_MS,
});

/** Why no code of the chain of a challenge can be verified any more, as far as this process knows. */
export const closedBy = (keys: OtpKeys, challenge: Challenge): Closed | undefined =>
  memory.closedBy(nameOf(keys, challenge));

/** Keeps what is known of a chain while another challenge of it is valid. */
export const keepAttempts = (keys: OtpKeys, challenge: Challenge): void =>
  memory.keep(nameOf(keys, challenge), challenge.issuedAt, challenge.expiresAt + LONGEST_VALID_MS);

/** A code that was compared, and how many attempts its chain and wrong codes its number allow. */
export interface Attempt {
  challenge: Challenge;
  isRight: boolean;
  most: number;
  /** Within an hour, over all challenges of the number. */
  mostWrong: number;
}

/** What an attempt comes to. */
export interface AttemptResult {
  reason: Exclude<VerifyReason, 'expired' | 'invalid'>;
  /** How many more wrong codes can be tried: those that the chain allows, or the number where it allows less. */
  attemptsLeft: number;
}

/**
 * Counts an attempt, first in the memory of the process and then in the record, before anything is answered. A right
 * code counts as none of the wrong ones of its number, but passes their limit: otherwise guessing would go on behind it.
 * @throws the error of n8n's database; the attempt doesn't count then
 */
export async function countAttempt(run: Run, keys: OtpKeys, attempt: Attempt): Promise<AttemptResult> {
  const { challenge, isRight, most, mostWrong } = attempt;
  const name = nameOf(keys, challenge);
  const now = run.now();
  const record = async (names: readonly string[]) => await recordNames(run.context, names);
  // Nothing may be awaited before this: it decides between simultaneous verifications.
  const claim = memory.claim(name, {
    isRight,
    most,
    now,
    keepUntil: challenge.expiresAt + LONGEST_VALID_MS,
  });
  if ('refused' in claim) return { reason: claim.refused, attemptsLeft: 0 };
  const { chain } = claim;
  let undo = () => release(chain, isRight);
  try {
    const limit = wrongCodesOf(keys, challenge.phone, mostWrong);
    const passed = await wrongCodes.reserve([limit], now, record);
    if ('reason' in passed) return { reason: 'number_limit', attemptsLeft: 0 };
    undo = () => {
      release(chain, isRight);
      passed.release();
    };
    const reason = await recordAttempt(record, { name, isRight, most, ...claim });
    undo = reason.reason === 'wrong' ? () => undefined : () => passed.release();
    return { ...reason, attemptsLeft: Math.min(reason.attemptsLeft, wrongCodes.leftOf(limit, now)) };
  } finally {
    undo();
  }
}

interface Claimed {
  name: string;
  isRight: boolean;
  most: number;
  attempt: number;
  chain: Chain;
}

/** Records an attempt that the memory lets through, and moves it on behind those of other processes. */
async function recordAttempt(
  record: (names: readonly string[]) => Promise<ReadonlySet<string>>,
  { name, isRight, most, attempt, chain }: Claimed,
): Promise<AttemptResult> {
  const use = `${name} used`;
  let names = isRight ? [use] : [];
  let claim: AttemptClaim = { attempt };
  while ('attempt' in claim) {
    const count = `${name} attempt ${claim.attempt}`;
    const known = await record([...names, count]);
    if (known.has(use)) return { reason: 'used', attemptsLeft: 0 };
    if (!known.has(count)) {
      return isRight
        ? { reason: 'ok', attemptsLeft: 0 }
        : { reason: 'wrong', attemptsLeft: most - claim.attempt };
    }
    // Made in another process, or in one before a restart.
    names = [];
    claim = moveOn(chain, most);
  }
  return { reason: claim.refused, attemptsLeft: 0 };
}

/**
 * Returns in how many milliseconds this process would compare a code for a number again; 0 where it would now. Takes
 * what Verify allowed last.
 */
export const closedForMs = (keys: OtpKeys, phone: number, now: number): number =>
  wrongCodes.closedForMs(recordName(keys, 'wrong', phone), now);
