import type { IWebhookFunctions } from 'n8n-workflow';

import { RefusedCall } from '../gateway/callback/refused-call';
import type { StatusAnswer } from '../gateway/client/status';
import { askStatuses } from '../gateway/client/status';
import { canonicalStatus, follows, REFUSED_STATUS } from '../gateway/delivery/outcomes';
import { meaningOf, reportOfStatus, withReply } from '../gateway/delivery/reports';
import { jsonTransport, readConnectionTo } from '../n8n/connection';
import type { TriggerEvent } from './address-facts';

/** Milliseconds for one request: the gateway is waiting for the answer to its callback meanwhile. */
const TIMEOUT_MS = 8000;

/**
 * Verifies events with the gateway, which is asked for the status of each of their messages (gateway-api.md, "Asking for a
 * status"): the outcome has to be that of the event, or a later one. An event whose reply or digit the gateway's answer doesn't
 * show gets `verified: false`.
 * @throws RefusedCall, so that the callback comes again: 409 where the gateway's answer doesn't match, 503 where there is no answer;
 *   what `readConnectionTo` throws
 */
export async function verifyEvents(
  context: IWebhookFunctions,
  events: TriggerEvent[],
): Promise<TriggerEvent[]> {
  if (events.some((event) => event.id === undefined && !saysRefused(event))) {
    throw new RefusedCall(409, 'No "id" to ask the gateway about');
  }
  const ids = [...new Set(events.map(({ id }) => id).filter((id) => id !== undefined))];
  const transport = jsonTransport(await readConnectionTo(context, 'sync'), TIMEOUT_MS);
  const answers = await askStatuses(transport, ids);
  if (answers.some(({ kind }) => kind === 'unanswered')) {
    throw new RefusedCall(503, 'The gateway could not be asked for the status');
  }
  const answerOf = new Map<unknown, StatusAnswer>(ids.map((id, i) => [id, answers[i]]));
  const verdicts = events.map((event) => verdictOn(event, answerOf.get(event.id)));
  if (verdicts.includes('contradicted')) {
    throw new RefusedCall(409, 'The callback does not match the status that the gateway reports');
  }
  return events.map((event, i) => (verdicts[i] === 'confirmed' ? event : { ...event, verified: false }));
}

/** Returns how far the gateway's answer shows an event; without an `id`, there is no answer. */
function verdictOn(
  event: TriggerEvent,
  answer: StatusAnswer | undefined,
): 'confirmed' | 'unconfirmed' | 'contradicted' {
  // The gateway need not know a request that it refused.
  if (answer?.kind !== 'known') return saysRefused(event) ? 'unconfirmed' : 'contradicted';
  const payload = reportOfStatus(answer.payload);
  // A reply outweighs the delivery status that it comes with.
  const reported = event.outcome === 'replied' ? meaningOf({ status: event.status }).outcome : event.outcome;
  const isLater = follows(reported, meaningOf(payload).outcome);
  const status = canonicalStatus(payload.status);
  const isSame = status !== '' && status === canonicalStatus(event.status);
  if (!isLater && !isSame) return 'contradicted';
  const said = withReply(event).reply;
  const isAnswered = !said || String(withReply(payload).reply) === said;
  return isLater && isAnswered ? 'confirmed' : 'unconfirmed';
}

const saysRefused = ({ outcome, status }: TriggerEvent): boolean =>
  outcome === 'failed' && canonicalStatus(status) === REFUSED_STATUS;
