import { askStatus } from '../../gateway/client/status-check';
import type { Transport } from '../../gateway/client/transport';
import type { WireOperation } from '../../gateway/contract/operations';
import type { Statement } from '../../gateway/delivery/reports';

/**
 * Asks the gateway what became of messages, in requests of `batchSize`. Calls `tell` for each message of which it
 * says something; a message that it does not know (yet), or a question that fails, tells nothing.
 */
export async function askOutcomes<T extends { id: unknown }>(
  transport: Transport,
  messages: T[],
  batchSize: number,
  tell: (message: T, statement: Statement) => void,
): Promise<void> {
  for (let start = 0; start < messages.length; start += batchSize) {
    const batch = messages.slice(start, start + batchSize);
    const questions = batch.map(({ id }): WireOperation => ({ type: 'status', id: id as number | string }));
    const answers = await askStatus(transport, questions);
    batch.forEach((message, i) => {
      const answer = answers[i];
      if (answer?.known !== true || typeof answer.payload !== 'object' || answer.payload === null) return;
      tell(message, answer.payload as Statement);
    });
  }
}
