import type { IWebhookFunctions } from 'n8n-workflow';

import { RefusedCall } from '../gateway/callback/refused-call';
import { replyKeys } from '../gateway/callback/replies';
import type { StatusAnswer } from '../gateway/client/status';
import { askStatuses } from '../gateway/client/status';
import { canonicalStatus, REFUSED_STATUS, replaces } from '../gateway/delivery/outcomes';
import { meaningOf, reportOfStatus } from '../gateway/delivery/reports';
import { isEmpty } from '../gateway/text/json';
import { jsonTransport, readConnectionTo } from '../n8n/connection';
import type { TriggerEvent } from './address-facts';

/** Milliseconds for one request, while the gateway waits for the answer to its callback. */
const TIMEOUT_MS = 8000;

/**
 * Verifies events with the gateway, which is asked for the status of each of their messages (gateway-api.md, "Asking for a
 * status"): the gateway's outcome has to be that of the event, or a later one. Returns the events that pass, with
 * `verified: false` where the gateway's answer can't show all of the event. Logs how many events don't pass.
 * @throws RefusedCall, so that the callback comes again: 409 where no event passes, 503 where there is no answer;
 *   what `readConnectionTo` throws
 */
export async function verifyEvents(
  context: IWebhookFunctions,
  events: TriggerEvent[],
): Promise<TriggerEvent[]> {
  const ids = [...new Set(events.map(({ id }) => id).filter((id) => id !== undefined))];
  const transport = jsonTransport(await readConnectionTo(context, 'sync'), TIMEOUT_MS);
  const answers = await askStatuses(transport, ids);
  if (answers.some(({ kind }) => kind === 'unanswered')) {
    throw new RefusedCall(503, 'The gateway could not be asked for the status');
  }
  const shownOf = new Map<unknown, Shown>(ids.map((id, i) => [id, shownIn(answers[i])]));
  const passed = events.flatMap((event) => verified(event, shownOf.get(event.id)));
  const contradicted = events.length - passed.length;
  if (contradicted === 0) return passed;
  if (passed.length === 0) {
    throw new RefusedCall(409, 'Asked by "id", the gateway does not confirm the callback');
  }
  context.logger.warn(
    `"${context.getNode().name}": the gateway does not confirm ${contradicted} of ${events.length} callbacks and replies of a call`,
  );
  return passed;
}

type Shown = ReturnType<typeof shownIn>;

/** Returns the report in an answer of `status`, and its replies as `replyKeys` has them; undefined where there is no report. */
function shownIn(answer: StatusAnswer) {
  if (answer.kind !== 'known') return undefined;
  const report = reportOfStatus(answer.payload);
  return { report, replies: new Set(replyKeys(report.replies)) };
}

/** Returns an event, marked where the gateway's answer doesn't show all of the event; no event where the answer contradicts. */
function verified(event: TriggerEvent, shown: Shown): TriggerEvent[] {
  const unconfirmed = [{ ...event, verified: false }];
  // A gateway need not know the status of a message that it refused.
  if (shown === undefined) return saysRefused(event) ? unconfirmed : [];
  const { report, replies } = shown;
  // Of an event with a reply, the delivery status beside the reply is compared.
  const reported = event.outcome === 'replied' ? meaningOf({ status: event.status }).outcome : event.outcome;
  const current = meaningOf(report).outcome;
  // Only a failure confirms a failure, although other outcomes may replace it.
  const isLater = replaces(reported, current) && (reported !== 'failed' || current === 'failed');
  // A status that nobody knows is confirmed by the very same status.
  const status = canonicalStatus(report.status);
  const isSame = current === 'unknown' && status !== '' && status === canonicalStatus(event.status);
  if (!isLater && !isSame) return [];
  const isDigitShown = isEmpty(event.reply) || event.reply === String(report.reply ?? '');
  const isAnswered = isDigitShown && replyKeys(event.replies).every((key) => replies.has(key));
  return isLater && isAnswered ? [event] : unconfirmed;
}

const saysRefused = ({ outcome, status }: TriggerEvent): boolean =>
  outcome === 'failed' && canonicalStatus(status) === REFUSED_STATUS;
