import type { Challenge, Comparison } from '../../gateway/otp/challenge';
import type { OtpKeys } from '../../gateway/otp/keys';
import { recordName } from '../../gateway/otp/keys';
import { HOUR_MS } from '../../gateway/otp/rate-limits';
import type { FailedItem } from '../run/item-result';
import type { Run } from '../run/run';
import { counts, reserveCode } from './counted';

/** What is counted of tried codes: those of a chain of resends, the right one of it, the wrong ones of a number. */
const triedNames = (keys: OtpKeys, { root, phone }: Pick<Challenge, 'root' | 'phone'>) => ({
  chain: recordName(keys, 'chain', root, phone),
  used: recordName(keys, 'used', root, phone),
  wrong: recordName(keys, 'wrong', phone),
});

export type Closed = 'used' | 'too_many_attempts';

/** Returns why no code of the chain of a challenge can be verified any more, as far as this process knows. */
export function closedBy(keys: OtpKeys, challenge: Challenge, now: number): Closed | undefined {
  const { chain, used } = triedNames(keys, challenge);
  return counts.closedFor([used, chain], now)?.reason as Closed | undefined;
}

/** Milliseconds until this process would compare a code for a number again, by what Verify allowed last; 0 for now. */
export const lockoutMs = (keys: OtpKeys, phone: number, now: number): number =>
  counts.closedFor([triedNames(keys, { root: 0, phone }).wrong], now)?.retryAfterMs ?? 0;

/** A code that was compared, and how many attempts its chain and wrong codes its number allow. */
export interface Attempt {
  challenge: Challenge;
  isRight: boolean;
  most: number;

  /** Within an hour, over all challenges of the number. */
  mostWrong: number;
}

export interface VerifyAnswer {
  valid: boolean;
  reason: 'ok' | 'wrong' | 'expired' | 'invalid' | 'number_limit' | Closed;

  /** How many more wrong codes can be tried: those that the chain allows, or the number where it allows less. */
  attempts_left: number;
}

export const answerOf = (reason: VerifyAnswer['reason'], left = 0): VerifyAnswer => ({
  valid: reason === 'ok',
  reason,
  attempts_left: left,
});

/**
 * Answers a code by what its challenge says about it, and counts it where it was compared; or returns the failure of its item.
 */
export async function answerCode(
  run: Run,
  keys: OtpKeys,
  compared: Comparison,
  limits: Pick<Attempt, 'most' | 'mostWrong'>,
): Promise<VerifyAnswer | FailedItem> {
  const { kind } = compared;
  if (kind === 'invalid' || kind === 'expired') return answerOf(kind);
  const count = kind === 'compared' ? countAttempt : answerNoCode;
  return await count(run, keys, { ...compared, ...limits });
}

/** How many texts that can't be a code, within an hour, a chain takes before each counts as an attempt. */
const NO_CODES = 20;

/**
 * Answers a text that can't be a code without counting it, up to a limit; from then on it is an attempt like any other. Kept
 * in the memory of this process alone, since nobody guesses a code in this way.
 */
async function answerNoCode(run: Run, keys: OtpKeys, attempt: Attempt): Promise<VerifyAnswer | FailedItem> {
  const { wrong, used, tried } = triedLimits(keys, attempt);
  const { root, phone } = attempt.challenge;
  const closed = counts.refusalOf([used], run.now()) ?? counts.refusalOf([wrong, tried], run.now());
  if (closed) return answerOf(closed.reason);
  const name = recordName(keys, 'no code', root, phone);
  const limit = { reason: 'no_code', name, limit: NO_CODES, periodMs: HOUR_MS } as const;
  const passed = await counts.reserve([limit], run.now(), async () => await Promise.resolve(new Set()));
  return 'reason' in passed
    ? await countAttempt(run, keys, attempt)
    : answerOf('wrong', leftOf(run, keys, attempt));
}

/**
 * Counts an attempt before it is answered, or returns the failure of its item. A right code counts as none of the wrong
 * ones of its number, but passes their limit: otherwise guessing would go on behind it.
 */
async function countAttempt(run: Run, keys: OtpKeys, attempt: Attempt): Promise<VerifyAnswer | FailedItem> {
  const { isRight } = attempt;
  const { wrong, used, tried } = triedLimits(keys, attempt);
  const passed =
    counts.refusalOf([used], run.now()) ??
    (await reserveCode(run, isRight ? [wrong, used, tried] : [wrong, tried]));
  if ('error' in passed) return passed;
  if ('reason' in passed) return answerOf(passed.reason);
  if (isRight) passed.release(wrong.name);
  return isRight ? answerOf('ok') : answerOf('wrong', leftOf(run, keys, attempt));
}

function triedLimits(keys: OtpKeys, { challenge, most, mostWrong }: Attempt) {
  const names = triedNames(keys, challenge);
  return {
    wrong: { reason: 'number_limit', name: names.wrong, limit: mostWrong, periodMs: HOUR_MS },
    used: { reason: 'used', name: names.used, limit: 1, periodMs: Infinity },
    tried: { reason: 'too_many_attempts', name: names.chain, limit: most, periodMs: Infinity },
  } as const;
}

function leftOf(run: Run, keys: OtpKeys, attempt: Attempt): number {
  const { wrong, tried } = triedLimits(keys, attempt);
  return Math.min(...[wrong, tried].map((limit) => counts.leftOf(limit, run.now())));
}
