import type { IWebhookFunctions } from 'n8n-workflow';

import type { CallbackEvent } from '../gateway/callback/parse';
import { Slots } from '../gateway/callback/slots';
import type { Confirmation } from '../gateway/callback/verify-report';
import { compareReport, isRefusal } from '../gateway/callback/verify-report';
import type { StatusAnswer } from '../gateway/client/status-check';
import { askStatuses } from '../gateway/client/status-check';
import type { Transport } from '../gateway/client/transport';
import { CREDENTIAL, readConnection } from '../n8n/connection';
import { jsonTransport } from '../n8n/transports';

/** Milliseconds for one request to the gateway, which is waiting for an answer itself. */
const TIMEOUT = 8000;
/** Ids in one request. */
const BATCH = 100;

/** Verifications at the same time in this process. Each may cost several requests, whoever made the call. */
const slots = new Slots({ running: 8, waiting: 100 });

const CONFLICT = 409;
const UNAVAILABLE = 503;

/** The verified events, or how to answer a callback that wasn't verified: HTTP status and reason. */
export type VerifiedEvents =
  | { ok: true; events: CallbackEvent[] }
  | { ok: false; status: number; reason: string };

/** Whether a credential is chosen in the trigger. */
export const hasCredential = (context: { getNode: IWebhookFunctions['getNode'] }): boolean =>
  context.getNode().credentials?.[CREDENTIAL] !== undefined;

/**
 * Verifies events with the gateway, which is asked for the status of each of their messages (gateway-api.md,
 * `status`). What the gateway can't confirm without contradicting it gets `verified: false`. Where an event isn't
 * verified, returns how to answer the callback, with an error so that it comes again: 409 where the gateway's answer
 * doesn't match, 503 where it couldn't be asked or too many verifications are under way.
 */
export async function verifyEvents(
  context: IWebhookFunctions,
  events: CallbackEvent[],
): Promise<VerifiedEvents> {
  const ids = Array.from(new Set(events.map(({ id }) => id).filter((id) => id !== undefined)));
  if (events.some((event) => event.id === undefined && !isNamelessRefusal(event))) {
    return refuse(CONFLICT, 'No "id" to ask the gateway about');
  }
  const asked = ids.length === 0 ? { result: [] } : await slots.run(async () => await ask(context, ids));
  if (asked === undefined) return refuse(UNAVAILABLE, 'Too many callbacks are being verified');
  const { result: answers } = asked;
  if (answers === undefined || answers.some(({ kind }) => kind === 'unanswered')) {
    return refuse(UNAVAILABLE, 'The gateway could not be asked for the status');
  }
  const answerOf = new Map(ids.map((id, i) => [id, answers[i]]));
  const verdicts = events.map((event) =>
    verdictOn(event, event.id === undefined ? undefined : answerOf.get(event.id)),
  );
  if (verdicts.includes('contradicted')) {
    return refuse(CONFLICT, 'The callback does not match the status that the gateway reports');
  }
  return {
    ok: true,
    events: events.map((event, i) => (verdicts[i] === 'confirmed' ? event : { ...event, verified: false })),
  };
}

const refuse = (status: number, reason: string): VerifiedEvents => ({ ok: false, status, reason });

/** A refused request of the asynchronous endpoint, which may be known by its `request_id` alone. */
const isNamelessRefusal = (event: CallbackEvent): boolean =>
  isRefusal(event) && event.msg_id === undefined && event.request_id !== undefined;

function verdictOn(event: CallbackEvent, answer: StatusAnswer | undefined): Confirmation {
  const isUnknown = answer === undefined || answer.kind === 'absent';
  if (isUnknown) return isRefusal(event) ? 'unconfirmed' : 'contradicted';
  return compareReport(event, payloadOf(answer));
}

/** Asks about ids; undefined where the credential is missing or can't be used. */
async function ask(
  context: IWebhookFunctions,
  ids: Array<string | number>,
): Promise<StatusAnswer[] | undefined> {
  const transport = await connect(context);
  return transport && (await askStatuses(transport, ids, BATCH, 'stop'));
}

/** An unclear payload counts as well: its status UNKNOWN matches an event with an unknown outcome. */
const payloadOf = (answer: StatusAnswer): unknown => ('payload' in answer ? answer.payload : undefined);

/** The transport to the gateway; undefined where the credential is missing or can't be used. */
async function connect(context: IWebhookFunctions): Promise<Transport | undefined> {
  if (!hasCredential(context)) {
    context.logger.warn(
      "'Verify With Gateway' needs a credential: callbacks are refused until a credential is chosen",
    );
    return undefined;
  }
  try {
    const connection = await readConnection(context);
    const { sync } = connection.addresses;
    if (sync.ok) return jsonTransport(connection, TIMEOUT);
    context.logger.warn(sync.message);
  } catch (thrown) {
    context.logger.warn(`The credential of the trigger can't be read: ${(thrown as Error).message}`);
  }
  return undefined;
}
