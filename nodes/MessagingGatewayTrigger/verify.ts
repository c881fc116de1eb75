import type { IWebhookFunctions } from 'n8n-workflow';

import { isConfirmed } from '../gateway/callback/confirm';
import type { CallbackEvent } from '../gateway/callback/parse';
import type { SendResult } from '../gateway/client/send-result';
import { readAnswer } from '../gateway/client/read-answer';
import type { Transport } from '../gateway/client/transport';
import type { WireOperation } from '../gateway/contract/operations';
import { CREDENTIAL, httpTransport, readConnection } from '../n8n/json-transport';

/** Milliseconds that the gateway gets for its answer, while it waits for ours. */
const TIMEOUT = 8000;
const BATCH = 100;

const CONFLICT = 409;
const UNAVAILABLE = 503;

/** A refusal of a callback: HTTP status and reason. */
export interface Unconfirmed {
  status: number;
  reason: string;
}

export const hasCredential = (context: { getNode: IWebhookFunctions['getNode'] }): boolean =>
  context.getNode().credentials?.[CREDENTIAL] !== undefined;

/**
 * Asks the gateway for the status of each message that the events are about (gateway-api.md, `status`). Returns
 * undefined where it confirms them all, otherwise how to answer so that the callback comes again.
 */
export async function findUnconfirmed(
  context: IWebhookFunctions,
  events: CallbackEvent[],
): Promise<Unconfirmed | undefined> {
  const transport = await connect(context);
  if (transport === undefined) return cannotAsk;
  if (events.some(({ id }) => id === undefined))
    return { status: CONFLICT, reason: 'No "id" to ask the gateway about' };
  const ids = Array.from(new Set(events.map(({ id }) => id)));
  const answers = new Map<unknown, SendResult>();
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    const outcomes = await ask(
      transport,
      batch.map((id): WireOperation => ({ type: 'status', id })),
    );
    if (outcomes === undefined) return cannotAsk;
    batch.forEach((id, i) => answers.set(id, outcomes[i]));
  }
  const confirmed = events.every((event) => {
    const outcome = answers.get(event.id);
    return outcome?.state === 'accepted' && isConfirmed(event, outcome.payload);
  });
  return confirmed ? undefined : { status: CONFLICT, reason: 'The gateway does not confirm this status' };
}

const cannotAsk: Unconfirmed = {
  status: UNAVAILABLE,
  reason: 'The gateway could not be asked for the status',
};

/** The way to the gateway, or undefined where the credential is missing or not usable. */
async function connect(context: IWebhookFunctions): Promise<Transport | undefined> {
  if (!hasCredential(context)) {
    context.logger.warn(
      "'Verify With Gateway' needs a credential: callbacks are refused until one is chosen",
    );
    return undefined;
  }
  try {
    const connection = await readConnection(context);
    const { sync } = connection.addresses;
    if (sync.ok) return httpTransport(context, connection, TIMEOUT);
    context.logger.warn(sync.message);
  } catch (error) {
    context.logger.warn(`The credential of the trigger cannot be read: ${(error as Error).message}`);
  }
  return undefined;
}

async function ask(transport: Transport, questions: WireOperation[]): Promise<SendResult[] | undefined> {
  const answer = await transport('sync', questions);
  if (answer.kind === 'failure') return undefined;
  const reading = readAnswer('sync', answer, questions);
  return reading.kind === 'results' ? reading.outcomes : undefined;
}
