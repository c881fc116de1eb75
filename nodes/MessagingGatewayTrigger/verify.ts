import type { IWebhookFunctions } from 'n8n-workflow';

import type { CallbackEvent } from '../gateway/callback/parse';
import type { Compared } from '../gateway/callback/verify-report';
import { compareReport, contractPart, isRefusal } from '../gateway/callback/verify-report';
import type { QueuedAnswer } from '../gateway/client/status-check';
import { askStatusAnswers } from '../gateway/client/status-check';
import { MOST_IDS, StatusQueue } from '../gateway/client/status-queue';
import type { Transport } from '../gateway/client/transport';
import { MAX_ID } from '../gateway/contract/limits';
import { Semaphore } from '../gateway/net/semaphore';
import { readConnectionTo } from '../n8n/connection';
import { jsonTransport } from '../n8n/transports';
import { sealedFields } from './callback-fields';

/** Milliseconds for one request to the gateway, which is waiting for an answer itself. */
const TIMEOUT_MS = 8000;

/**
 * Ids of lists that this process asks about at the same time, and that wait. They are counted, not calls, whoever makes these.
 * Single events have places of their own, so that those who send long lists don't shut them out.
 */
const lists = new Semaphore({ running: 2 * MOST_IDS, waiting: 10 * MOST_IDS });

/** Questions about single events, by workflow and node; only those that are open. */
const queues = new Map<string, StatusQueue>();

/** The verified events, or how to answer a callback that wasn't verified: HTTP status and reason. */
export type VerifiedEvents =
  | { ok: true; events: CallbackEvent[] }
  | { ok: false; status: number; reason: string };

/**
 * Verifies events with the gateway, which is asked for the status of each of their messages (gateway-api.md,
 * "Asking for a status"). Returns what the gateway's answers have of them; what it can't confirm without contradicting it
 * gets `verified: false`. Where an event isn't verified, returns how to answer the callback, with an error so that it comes
 * again: 409 where the gateway's answer doesn't match, 503 where it couldn't be asked or too many verifications are under
 * way.
 */
export async function verifyEvents(
  context: IWebhookFunctions,
  events: CallbackEvent[],
): Promise<VerifiedEvents> {
  const ids = Array.from(new Set(events.map(({ id }) => id).filter((id) => id !== undefined)));
  if (events.some((event) => event.id === undefined && !isNamelessRefusal(event))) {
    return refused(409, 'No "id" to ask the gateway about');
  }
  const answers = ids.length > 1 ? await askAboutList(context, ids) : await askAboutSingle(context, ids);
  if (answers === undefined) return refused(503, 'Too many callbacks are being verified');
  if (answers.some(({ kind }) => kind === 'unanswered')) {
    return refused(503, 'The gateway could not be asked for the status');
  }
  const answerOf = new Map<unknown, QueuedAnswer>(ids.map((id, i) => [id, answers[i]]));
  const compared = events.map((event) => compareWith(answerOf.get(event.id), event));
  if (compared.some(({ confirmation }) => confirmation === 'contradicted')) {
    return refused(409, 'The callback does not match the status that the gateway reports');
  }
  return {
    ok: true,
    events: compared.map(({ confirmation, event }, i) => ({
      ...event,
      ...(confirmation === 'unconfirmed' && { verified: false }),
      ...sealedFields(context, events[i]),
    })),
  };
}

const refused = (status: number, reason: string): VerifiedEvents => ({ ok: false, status, reason });

/** A refused request of the asynchronous endpoint, which may be known by its `request_id` alone. */
const isNamelessRefusal = (event: CallbackEvent): boolean =>
  isRefusal(event) && event.msg_id === undefined && event.request_id !== undefined;

function compareWith(answer: QueuedAnswer | undefined, event: CallbackEvent): Compared {
  const isUnknown = answer === undefined || answer.kind === 'absent';
  if (isUnknown) {
    return { confirmation: isRefusal(event) ? 'unconfirmed' : 'contradicted', event: contractPart(event) };
  }
  // An unclear payload counts as well: its status UNKNOWN matches an event with an unknown outcome.
  return compareReport(event, 'payload' in answer ? answer.payload : undefined);
}

type Ids = ReadonlyArray<string | number>;

/** Returns what the gateway says of each of several messages; undefined where too many wait already. */
async function askAboutList(context: IWebhookFunctions, ids: Ids): Promise<QueuedAnswer[] | undefined> {
  const asked = await lists.run(async () => {
    const transport = await transportOf(context);
    return transport && (await askStatusAnswers(transport, ids, MOST_IDS));
  }, ids.length);
  return asked && (asked.result ?? [UNANSWERED]);
}

/** The same for one message, or none, together with what other calls ask at the same time. */
async function askAboutSingle(context: IWebhookFunctions, [id]: Ids): Promise<QueuedAnswer[] | undefined> {
  if (id === undefined) return [];
  // No message has such an id (gateway-api.md, "Asking for a status").
  if (typeof id !== 'number' || id < 0 || id > MAX_ID) return [{ kind: 'absent' }];
  const key = `${context.getWorkflow().id ?? ''}/${context.getNode().id}`;
  if (queues.get(key)?.isFull) return undefined;
  const transport = await transportOf(context);
  if (transport === undefined) return [UNANSWERED];
  const queue = queues.get(key) ?? new StatusQueue();
  queues.set(key, queue);
  const answer = await queue.ask(id, transport);
  if (queue.isIdle) queues.delete(key);
  return answer && [answer];
}

const UNANSWERED: QueuedAnswer = { kind: 'unanswered' };

/** The way to the gateway; undefined, and a line in the log, where the credential can't be used. */
async function transportOf(context: IWebhookFunctions): Promise<Transport | undefined> {
  try {
    return jsonTransport(await readConnectionTo(context, 'sync'), TIMEOUT_MS);
  } catch (thrown) {
    context.logger.warn(`The credential of the trigger can't be used: ${(thrown as Error).message}`);
    return undefined;
  }
}
