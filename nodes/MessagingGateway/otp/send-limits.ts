import type { OtpKeys } from '../../gateway/otp/keys';
import { recordName } from '../../gateway/otp/keys';
import type { Limit } from '../../gateway/otp/places';
import { HOUR_MS, hourly } from '../../gateway/otp/places';
import { counted } from '../../gateway/text/phrases';
import { quoted } from '../fields/field';
import type { WholeNumber } from '../fields/property';
import type { FailedItem } from '../run/item-result';
import type { Run } from '../run/run';
import type { CodePlan } from './code-plan';
import * as fields from './fields';
import { places, takePlaces } from './record';

export type SendReason = 'cooldown' | 'number_limit' | 'workflow_limit';

/**
 * Takes the places of a code that is about to be sent, and returns their names; or returns the failure of its item, which the
 * cooldown, a limit or n8n's database keeps from being sent.
 */
export async function takeSendPlaces(
  run: Run,
  keys: OtpKeys,
  plan: CodePlan,
): Promise<string[] | FailedItem> {
  const { phone, earlier, cooldownMs, perNumber, perWorkflow } = plan;
  const now = run.now();
  const number = recordName(keys, 'number', phone);
  const lastAt = Math.max(places.heldAt(number), earlier?.issuedAt ?? -Infinity);
  const waitMs = lastAt + cooldownMs - now;
  if (waitMs > 0) return overLimit(run, plan, { reason: 'cooldown', most: 1, retryAfterMs: waitMs });

  const workflow = recordName(keys, 'workflow', run.context.getWorkflow().id ?? '');
  const limits: Array<Limit<SendReason>> = [
    { reason: 'number_limit', name: hourly(number, now), most: perNumber },
  ];
  if (perWorkflow !== undefined)
    limits.push({ reason: 'workflow_limit', name: hourly(workflow, now), most: perWorkflow });
  const failureOf = ({ reason, most }: Limit<SendReason>) =>
    overLimit(run, plan, { reason, most, retryAfterMs: HOUR_MS - (now % HOUR_MS) });
  const full = limits.find((limit) => places.left(limit) === 0);
  if (full) return failureOf(full);

  // Before the record answers: of two simultaneous codes to a number, the second finds the first.
  places.hold(number, now);
  const taken = await takePlaces(run, limits);
  if (Array.isArray(taken)) return [number, ...taken];
  places.release(number);
  return 'error' in taken ? taken : failureOf(taken);
}

const inWords = (seconds: number): string =>
  seconds < 120 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute');

/**
 * Returns the failure of an item that a limit kept from being sent. Its json has `reason` and, in seconds, `retry_after`, on
 * which a workflow can branch.
 */
export function overLimit(
  { stopsAtErrors, items }: Pick<Run, 'stopsAtErrors' | 'items'>,
  { phone, cooldownMs }: Pick<CodePlan, 'phone' | 'cooldownMs'>,
  { reason, most, retryAfterMs }: { reason: SendReason; most: number; retryAfterMs: number },
): FailedItem {
  const codes = `${counted(most, 'code')} an hour at most`;
  const about: Record<SendReason, [message: string, option: WholeNumber]> = {
    cooldown: [`This number gets one code in ${inWords(cooldownMs / 1000)} at most`, fields.COOLDOWN],
    number_limit: [`This number gets ${codes}`, fields.PER_NUMBER_LIMIT],
    workflow_limit: [`This workflow sends ${codes}`, fields.WORKFLOW_LIMIT],
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
  'The items of a run count for each other: have this node continue in Settings, and as many as the limit allows get their codes.';
