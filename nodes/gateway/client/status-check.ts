import type { WireOperation } from '../contract/operations';
import { readAnswer } from './read-answer';
import type { Transport } from './transport';

/** What the gateway says of a message when it is asked by `id`. */
export type Knowledge = { known: true; payload: unknown } | { known: false } | undefined;

/**
 * Wordings by which a gateway says that it has no message with that `id`. The contract lists none, so only an
 * answer that plainly means "no such message" counts; any other refusal leaves the question open, because
 * a message sent twice costs money.
 */
const NO_SUCH_MESSAGE = new RegExp(
  [
    /\bnot\s+(been\s+)?(found|known|exists?|sent|registered)\b/,
    /\bno\s+(such|data|messages?|records?|results?|status)\b/,
    /\b(unknown|undefined|wrong|invalid|incorrect|bad|missing)\s+(message\s*)?(id|identifier|message)\b/,
    /\bdo(es)?(\s+not|n't)\s+exist\b/,
    /\b(id|message|identifier)\b.*\b(unknown|missing|absent)\b/,
    /\bnonexist|\bnon-exist/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);

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
    return NO_SUCH_MESSAGE.test(outcome.problem.text) ? { known: false } : undefined;
  });
}

/** A successful answer that names no status, or the status UNKNOWN, says nothing about the message. */
function fromPayload(payload: unknown): Knowledge {
  if (typeof payload !== 'object' || payload === null) return undefined;
  const { status, msg_id: messageId } = payload as { status?: unknown; msg_id?: unknown };
  if (typeof status === 'string' && NO_SUCH_MESSAGE.test(status)) return { known: false };
  const tells = typeof status === 'string' && status !== '' && status.toUpperCase() !== 'UNKNOWN';
  return tells || messageId !== undefined ? { known: true, payload } : undefined;
}
