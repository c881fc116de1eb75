import type { LimitRefusal, Reservation } from '../../gateway/otp/rate-limits';
import { counted } from '../../gateway/text/phrases';
import { InvalidParameter, quoted } from '../fields/field';
import { phone as phoneField } from '../fields/target';
import type { WholeNumber } from '../fields/whole-number';
import type { FailedItem } from '../run/item-result';
import type { CodePlan } from './code-plan';
import * as fields from './fields';
import type { SendReason } from './send-limits';

/** The numbers that get a code in a run: each gets one, as far as there is a cooldown at all. */
export class NumbersOfRun {
  /** The item of each number: in Check Only the one that was read first, else the one whose code may be sent. */
  private readonly items = new Map<number, number>();

  /**
   * Refuses a number that an item before this one has.
   * @throws InvalidParameter
   */
  check({ phone, cooldownMs }: CodePlan, index: number): void {
    const first = this.items.get(phone);
    if (first !== undefined && cooldownMs > 0) {
      const accepted = `different for each item: ${ONCE}`;
      throw new InvalidParameter(
        quoted(phoneField.displayName),
        accepted,
        phone,
        `is the same as for item ${first}`,
      );
    }
    this.items.set(phone, index);
  }

  /** Returns the failure of a number that has its code; `endsRun`: whether that keeps all others from getting theirs. */
  refusalOf({ phone, cooldownMs }: CodePlan, endsRun: boolean): FailedItem | undefined {
    const first = this.items.get(phone);
    if (first === undefined || cooldownMs === 0) return undefined;
    return notSent(phone, { reason: 'cooldown', retryAfterMs: cooldownMs }, [
      `Item ${first} has the same number, and ${ONCE}`,
      `Nothing was sent for ${endsRun ? 'any' : 'this'} item. Remove the repeats before this node, or have it continue in Settings, so that the first item of each number gets its code.`,
    ]);
  }

  /** Returns what limits have to know of the run: whether codes of it have passed them, and whether a failure takes these back. */
  passedBefore(endsRun: boolean): RunOfCodes {
    return { endsRun, hasPassed: this.items.size > 0 };
  }

  /** Remembers the item whose code passed its limits. */
  take<T extends Reservation | FailedItem>(passed: T, { phone }: CodePlan, index: number): T {
    if (!('error' in passed)) this.items.set(phone, index);
    return passed;
  }
}

/** What the refusal of one code means to the others of its run. */
export interface RunOfCodes {
  /** Whether it keeps all others from being sent, as On Error says. */
  endsRun: boolean;

  /** Whether codes of the run count under the limit already. */
  hasPassed: boolean;
}

const ONCE = 'a number gets one code in a run';

const inWords = (seconds: number): string =>
  seconds < 120 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute');

/**
 * Returns the failure of an item that a limit kept from being sent, or that would be paid for though nobody could verify
 * its code. Its json has `reason` and, in seconds, `retry_after`, on which a workflow can branch.
 */
export function refused(
  { phone, cooldownMs }: Pick<CodePlan, 'phone' | 'cooldownMs'>,
  { reason, limit, retryAfterMs }: LimitRefusal<SendReason | 'wrong_codes'>,
  { endsRun, hasPassed }: RunOfCodes,
): FailedItem {
  const most = `${counted(limit, 'code')} within an hour`;
  const about: Record<typeof reason, [message: string, option: WholeNumber]> = {
    cooldown: [`This number got a code less than ${inWords(cooldownMs / 1000)} ago`, fields.COOLDOWN],
    number_limit: [`This number gets ${most} at most`, fields.PER_NUMBER_LIMIT],
    workflow_limit: [`This workflow sends ${most} at most`, fields.WORKFLOW_LIMIT],
    wrong_codes: ['Too many wrong codes were tried for this number', fields.MAX_ATTEMPTS_PER_NUMBER],
  };
  const [message, { displayName }] = about[reason];
  const areWrong = reason === 'wrong_codes';
  const why = areWrong
    ? ': a code could not be verified before it expires'
    : ', since strangers could have codes sent at your cost';
  const where = `${quoted(displayName)}${areWrong ? ' of the operation Verify' : ''}`;
  // A limit of the workflow may be full of items before this one, which a run that ends doesn't send either.
  const isOfRun = reason === 'workflow_limit' && endsRun && hasPassed;
  const then = isOfRun
    ? 'Run fewer items at once, or have this node continue in Settings: then as many items as the limit lets through get their codes.'
    : `Another code can be sent in ${inWords(secondsOf(retryAfterMs))}.`;
  return notSent(phone, { reason: areWrong ? 'number_limit' : reason, retryAfterMs }, [
    message,
    `Nothing was sent${endsRun ? '' : ' for this item'}${why}. ${then} The option ${where} sets the limit.`,
  ]);
}

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

const notSent = (
  phone: number,
  { reason, retryAfterMs }: Pick<LimitRefusal<SendReason>, 'reason' | 'retryAfterMs'>,
  [message, description]: [message: string, description: string],
): FailedItem => ({
  error: { kind: 'input', message, description },
  state: 'notSent',
  json: { phone, state: 'notSent', reason, retry_after: secondsOf(retryAfterMs) },
});
