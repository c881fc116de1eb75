import type { IWebhookFunctions } from 'n8n-workflow';

import { RefusedCall } from '../gateway/callback/refused-call';
import type { StatusAnswer } from '../gateway/client/status';
import { askStatuses } from '../gateway/client/status';
import { replyEntries } from '../gateway/contract/callback';
import type { Outcome } from '../gateway/delivery/outcomes';
import { canonicalStatus, follows, REFUSED_STATUS } from '../gateway/delivery/outcomes';
import { meaningOf, reportOfStatus } from '../gateway/delivery/reports';
import { isEmpty, isObject } from '../gateway/text/json';
import { jsonTransport, readConnectionTo } from '../n8n/connection';
import type { TriggerEvent } from './address-facts';

/** Milliseconds for one request: the gateway is waiting for the answer to its callback meanwhile. */
const TIMEOUT_MS = 8000;

/** A message as the gateway's answer shows it. */
interface Shown {
  outcome: Outcome;

  /** In canonical form. */
  status: string;
  digit: string;
  replies: ReadonlySet<string>;
}

/**
 * Verifies events with the gateway, which is asked for the status of each of their messages (gateway-api.md, "Asking for a
 * status"): the outcome has to be that of the event, or a later one. Returns the events that pass; an event whose reply or digit
 * the gateway's answer doesn't show gets `verified: false`. Logs how many others there are.
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
  const shownOf = new Map<unknown, Shown | undefined>(ids.map((id, i) => [id, shownIn(answers[i])]));
  const passed = events.flatMap((event) => {
    const verdict = verdictOn(event, shownOf.get(event.id));
    if (verdict === 'contradicted') return [];
    return verdict === 'confirmed' ? event : { ...event, verified: false };
  });
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

/** Returns the message in an answer of `status`; undefined where the gateway doesn't know the message. */
function shownIn(answer: StatusAnswer): Shown | undefined {
  if (answer.kind !== 'known') return undefined;
  const report = reportOfStatus(answer.payload);
  return {
    outcome: meaningOf(report).outcome,
    status: canonicalStatus(report.status),
    digit: String(report.reply),
    replies: new Set(replyKeys(report.replies)),
  };
}

/** Returns how far the gateway's answer shows an event. */
function verdictOn(
  event: TriggerEvent,
  shown: Shown | undefined,
): 'confirmed' | 'unconfirmed' | 'contradicted' {
  // The gateway need not know a request that it refused.
  if (shown === undefined) return saysRefused(event) ? 'unconfirmed' : 'contradicted';
  // A reply outweighs the delivery status that it comes with.
  const reported = event.outcome === 'replied' ? meaningOf({ status: event.status }).outcome : event.outcome;
  const isLater = follows(reported, shown.outcome);
  const isSame = shown.status !== '' && shown.status === canonicalStatus(event.status);
  if (!isLater && !isSame) return 'contradicted';
  const isDigitShown = isEmpty(event.reply) || event.reply === shown.digit;
  const isAnswered = isDigitShown && replyKeys(event.replies).every((key) => shown.replies.has(key));
  return isLater && isAnswered ? 'confirmed' : 'unconfirmed';
}

/** Returns the replies of a report as texts to compare: each reply's words and file, without its time. */
const replyKeys = (replies: unknown): string[] =>
  replyEntries(replies).map(({ message, media }) =>
    JSON.stringify([message ?? '', isObject(media) ? media.url : media]),
  );

const saysRefused = ({ outcome, status }: TriggerEvent): boolean =>
  outcome === 'failed' && canonicalStatus(status) === REFUSED_STATUS;
