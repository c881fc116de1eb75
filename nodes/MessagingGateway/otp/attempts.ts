import type { Challenge, Comparison } from '../../gateway/otp/challenge';
import type { OtpKeys } from '../../gateway/otp/keys';
import { recordName } from '../../gateway/otp/keys';
import type { Limit } from '../../gateway/otp/places';
import { hourly } from '../../gateway/otp/places';
import type { FailedItem } from '../run/item-result';
import type { Run } from '../run/run';
import { giveBack, places, takePlaces } from './record';

/** How many attempts are allowed. */
export interface AttemptLimits {
  /** For a challenge and its resends. */
  most: number;

  /** Wrong ones for a number, within an hour of the clock, over all its challenges. */
  mostWrong: number;
}

type ClosedReason = 'used' | 'too_many_attempts' | 'number_limit';

export interface VerifyAnswer {
  valid: boolean;
  reason: 'ok' | 'wrong' | 'expired' | 'invalid' | ClosedReason;

  /** How many more wrong codes can be tried, by the chain or, where fewer are left, by the number. */
  attempts_left: number;
}

export const answerOf = (reason: VerifyAnswer['reason'], left = 0): VerifyAnswer => ({
  valid: reason === 'ok',
  reason,
  attempts_left: left,
});

/**
 * Answers a code that was compared with its challenge. The attempt is counted before the answer, right or wrong; a text that
 * can't be a code is no attempt. Returns the failure of the item where n8n's database can't be written to.
 */
export async function answerCode(
  run: Run,
  keys: OtpKeys,
  compared: Comparison,
  allowed: AttemptLimits,
): Promise<VerifyAnswer | FailedItem> {
  const { kind } = compared;
  if (kind === 'invalid' || kind === 'expired') return answerOf(kind);
  const { used, chain, wrong } = limitsOf(run, keys, compared.challenge, allowed);
  const full = [used, chain, wrong].find((limit) => places.left(limit) === 0);
  if (full) return answerOf(full.reason);
  if (kind === 'compared') {
    // A right code passes the limit of wrong ones too: guessing would go on behind the limit otherwise.
    const attempt = await takePlaces(run, [chain, wrong]);
    if ('error' in attempt) return attempt;
    if ('reason' in attempt) return answerOf(attempt.reason);
    if (compared.isRight) return await answerRight(run, used, attempt[1]);
  }
  return answerOf('wrong', Math.min(places.left(chain), places.left(wrong)));
}

/** Answers a right code, `ok` for the first one, and gives its place among the wrong codes of its number back. */
async function answerRight(
  run: Run,
  used: Limit<ClosedReason>,
  wrongPlace: string,
): Promise<VerifyAnswer | FailedItem> {
  const first = await takePlaces(run, [used]);
  await giveBack(run, [wrongPlace]);
  if ('error' in first) return first;
  return answerOf('reason' in first ? first.reason : 'ok');
}

function limitsOf(run: Run, keys: OtpKeys, { root, phone }: Challenge, { most, mostWrong }: AttemptLimits) {
  const wrong = hourly(recordName(keys, 'wrong', phone), run.now());
  return {
    used: { reason: 'used', name: recordName(keys, 'used', root, phone), most: 1 },
    chain: { reason: 'too_many_attempts', name: recordName(keys, 'chain', root, phone), most },
    wrong: { reason: 'number_limit', name: wrong, most: mostWrong },
  } as const;
}
