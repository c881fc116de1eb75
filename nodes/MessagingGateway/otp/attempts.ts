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
  reason: 'ok' | 'wrong' | 'expired' | 'invalid' | 'used' | 'too_many_attempts' | 'number_limit';

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
  const attempt = { ...compared, ...limits };
  return kind === 'notACode' ? answerNoCode(run, keys, attempt) : await countAttempt(run, keys, attempt);
}

/** Answers a text that can't be a code without counting it: nobody guesses a code in this way. */
function answerNoCode(run: Run, keys: OtpKeys, attempt: Attempt): VerifyAnswer {
  const { wrong, used, tried } = triedLimits(keys, attempt);
  const closed = counts.refusalOf([used], run.now()) ?? counts.refusalOf([wrong, tried], run.now());
  return closed ? answerOf(closed.reason) : answerOf('wrong', leftOf(run, keys, attempt));
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
