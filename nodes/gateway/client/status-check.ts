import type { WireOperation } from '../contract/operations';
import { explain } from '../errors/catalogue';
import { readAnswer } from './read-answer';
import type { Transport } from './transport';

/** What the gateway says of a message when it is asked by `id`. */
export type Knowledge = { known: true; payload: unknown } | { known: false } | undefined;

/**
 * Whether a text plainly means "no such message". The contract lists none, so the catalogue's wordings count and
 * any other refusal leaves the question open: a message sent twice costs money.
 */
const saysNotKnown = (text: string): boolean =>
  explain({ kind: 'item', text, wireType: 'status' }).code === 'message-not-known';

/**
 * Asks the gateway which of the operations it has (gateway-api.md, `status`; "States and transitions").
 * Takes operations with an `id`; returns for each, in order, whether the gateway knows it, or undefined where
 * it did not say. Does not throw.
 */
export async function askStatus(transport: Transport, operations: WireOperation[]): Promise<Knowledge[]> {
  const questions: WireOperation[] = operations.map(({ id }) => ({ type: 'status', id }));
  const answer = await transport('sync', questions);
  if (answer.kind === 'failure') return operations.map(() => undefined);
  const reading = readAnswer('sync', answer, questions);
  if (reading.kind !== 'results') return operations.map(() => undefined);
  return reading.outcomes.map((outcome): Knowledge => {
    if (outcome.state === 'accepted') return fromPayload(outcome.payload);
    if (outcome.state !== 'refused' || outcome.problem.kind !== 'item') return undefined;
    return saysNotKnown(outcome.problem.text) ? { known: false } : undefined;
  });
}

/** A successful answer that names no status, or the status UNKNOWN, says nothing about the message. */
function fromPayload(payload: unknown): Knowledge {
  if (typeof payload !== 'object' || payload === null) return undefined;
  const { status, msg_id: messageId } = payload as { status?: unknown; msg_id?: unknown };
  if (typeof status === 'string' && saysNotKnown(status)) return { known: false };
  const tells = typeof status === 'string' && status !== '' && status.toUpperCase() !== 'UNKNOWN';
  return tells || messageId !== undefined ? { known: true, payload } : undefined;
}
