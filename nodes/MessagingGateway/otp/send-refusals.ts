import type { LimitRefusal } from '../../gateway/otp/rate-limits';
import { counted } from '../../gateway/text/phrases';
import { quoted } from '../fields/field';
import type { WholeNumber } from '../fields/whole-number';
import type { FailedItem } from '../run/item-result';
import type { Run } from '../run/run';
import type { CodePlan } from './code-plan';
import * as fields from './fields';
import type { SendReason } from './send-limits';

const inWords = (seconds: number): string =>
  seconds < 120 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute');

/**
 * Returns the failure of an item that a limit kept from being sent. Its json has `reason` and, in seconds, `retry_after`, on
 * which a workflow can branch.
 */
export function refused(
  { stopsAtErrors, items }: Pick<Run, 'stopsAtErrors' | 'items'>,
  { phone, cooldownMs }: Pick<CodePlan, 'phone' | 'cooldownMs'>,
  { reason, limit, retryAfterMs }: LimitRefusal<SendReason>,
): FailedItem {
  const most = `${counted(limit, 'code')} an hour at most`;
  const about: Record<SendReason, [message: string, option: WholeNumber]> = {
    cooldown: [`This number gets one code in ${inWords(cooldownMs / 1000)} at most`, fields.COOLDOWN],
    number_limit: [`This number gets ${most}`, fields.PER_NUMBER_LIMIT],
    workflow_limit: [`This workflow sends ${most}`, fields.WORKFLOW_LIMIT],
  };
  const [message, { displayName }] = about[reason];
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const description = [
    `Nothing was sent${stopsAtErrors ? '' : ' for this item'}, since strangers could have codes sent at your cost.`,
    `Another code can be sent in ${inWords(seconds)}.`,
    ...(items.length > 1 ? [ITEMS_COUNT] : []),
    `The option ${quoted(displayName)} sets the limit.`,
  ].join(' ');
  return {
    error: { kind: 'input', message, description },
    state: 'notSent',
    json: { phone, state: 'notSent', reason, retry_after: seconds },
  };
}

const ITEMS_COUNT =
  'The items of a run count for each other: with On Error set to continue, as many as the limit allows get their codes.';
