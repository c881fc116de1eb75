import type { IWebhookFunctions } from 'n8n-workflow';

import type { CallbackEvent } from '../gateway/callback/parse';
import { Slots } from '../gateway/callback/slots';
import type { Confirmation } from '../gateway/callback/verify-report';
import { compareReport, isRefusal } from '../gateway/callback/verify-report';
import type { StatusAnswer } from '../gateway/client/status-check';
import { askStatuses } from '../gateway/client/status-check';
import { readConnectionTo } from '../n8n/connection';
import { jsonTransport } from '../n8n/transports';

/** Milliseconds for one request to the gateway, which is waiting for an answer itself. */
const TIMEOUT = 8000;
/** Ids in one request. */
const BATCH = 100;
/** Verifications at the same time in this process. Each may cost several requests, whoever made the call. */
const slots = new Slots({ running: 8, waiting: 100 });

/** The verified events, or how to answer a callback that wasn't verified: HTTP status and reason. */
export type VerifiedEvents =
  | { ok: true; events: CallbackEvent[] }
  | { ok: false; status: number; reason: string };

/**
 * Verifies events with the gateway, which is asked for the status of each of their messages (gateway-api.md,
 * "Asking for a status"). What the gateway can't confirm without contradicting it gets `verified: false`. Where an
 * event isn't verified, returns how to answer the callback, with an error so that it comes again: 409 where the
 * gateway's answer doesn't match, 503 where it couldn't be asked or too many verifications are under way.
 */
export async function verifyEvents(
  context: IWebhookFunctions,
  events: CallbackEvent[],
): Promise<VerifiedEvents> {
  const ids = Array.from(new Set(events.map(({ id }) => id).filter((id) => id !== undefined)));
  if (events.some((event) => event.id === undefined && !isNamelessRefusal(event))) {
    return refused(409, 'No "id" to ask the gateway about');
  }
  const asked = await slots.run(async () => await ask(context, ids));
  if (asked === undefined) return refused(503, 'Too many callbacks are being verified');
  const { result: answers } = asked;
  if (answers.some(({ kind }) => kind === 'unanswered')) {
    return refused(503, 'The gateway could not be asked for the status');
  }
  const answerOf = new Map<unknown, StatusAnswer>(ids.map((id, i) => [id, answers[i]]));
  const verdicts = events.map((event) => verdictOn(event, answerOf.get(event.id)));
  if (verdicts.includes('contradicted')) {
    return refused(409, 'The callback does not match the status that the gateway reports');
  }
  return {
    ok: true,
    events: events.map((event, i) => (verdicts[i] === 'confirmed' ? event : { ...event, verified: false })),
  };
}

const refused = (status: number, reason: string): VerifiedEvents => ({ ok: false, status, reason });

/** A refused request of the asynchronous endpoint, which may be known by its `request_id` alone. */
const isNamelessRefusal = (event: CallbackEvent): boolean =>
  isRefusal(event) && event.msg_id === undefined && event.request_id !== undefined;

function verdictOn(event: CallbackEvent, answer: StatusAnswer | undefined): Confirmation {
  const isUnknown = answer === undefined || answer.kind === 'absent';
  if (isUnknown) return isRefusal(event) ? 'unconfirmed' : 'contradicted';
  // An unclear payload counts as well: its status UNKNOWN matches an event with an unknown outcome.
  return compareReport(event, 'payload' in answer ? answer.payload : undefined);
}

async function ask(context: IWebhookFunctions, ids: Array<string | number>): Promise<StatusAnswer[]> {
  try {
    const transport = jsonTransport(await readConnectionTo(context, 'sync'), TIMEOUT);
    return await askStatuses(transport, ids, BATCH);
  } catch (thrown) {
    context.logger.warn(`The credential of the trigger can't be used: ${(thrown as Error).message}`);
    return [{ kind: 'unanswered' }];
  }
}
