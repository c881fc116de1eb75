import type { IWebhookFunctions } from 'n8n-workflow';

import type { CallbackEvent } from '../gateway/callback/parse';
import { isVerified } from '../gateway/callback/verify-report';
import type { StatusAnswer } from '../gateway/client/status-check';
import { askStatuses } from '../gateway/client/status-check';
import type { Transport } from '../gateway/client/transport';
import { CREDENTIAL, readConnection } from '../n8n/connection';
import { jsonTransport } from '../n8n/transports';

/** Milliseconds for one request to the gateway, which is waiting for an answer itself. */
const TIMEOUT = 8000;
/** Ids in one request. */
const BATCH = 100;

const CONFLICT = 409;
const UNAVAILABLE = 503;

/** The answer to a callback that wasn't verified: HTTP status and reason. */
export interface Unverified {
  status: number;
  reason: string;
}

/** Whether a credential is chosen in the trigger. */
export const hasCredential = (context: { getNode: IWebhookFunctions['getNode'] }): boolean =>
  context.getNode().credentials?.[CREDENTIAL] !== undefined;

/**
 * Verifies events with the gateway, which is asked for the status of each of their messages (gateway-api.md,
 * `status`). Returns undefined where all events are verified. Otherwise returns how to answer the callback, with an
 * error so that it comes again: 409 where the gateway's answer doesn't match, 503 where it couldn't be asked.
 */
export async function findUnverified(
  context: IWebhookFunctions,
  events: CallbackEvent[],
): Promise<Unverified | undefined> {
  const transport = await connect(context);
  if (transport === undefined) return UNANSWERED;
  const ids = Array.from(new Set(events.map(({ id }) => id)));
  if (ids.includes(undefined)) return { status: CONFLICT, reason: 'No "id" to ask the gateway about' };
  const answers = await askStatuses(transport, ids, BATCH, 'stop');
  if (answers.some(({ kind }) => kind === 'unanswered')) return UNANSWERED;
  const payloads = new Map(ids.map((id, i) => [id, payloadOf(answers[i])]));
  if (events.every((event) => isVerified(event, payloads.get(event.id)))) return undefined;
  return { status: CONFLICT, reason: 'The callback does not match the status that the gateway reports' };
}

const UNANSWERED: Unverified = {
  status: UNAVAILABLE,
  reason: 'The gateway could not be asked for the status',
};

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
