import { askStatuses } from '../../gateway/client/status-check';
import type { Transport } from '../../gateway/client/transport';
import type { Report } from '../../gateway/delivery/reports';

/** Ids in one `status` request where the user set no batch size. */
export const STATUS_BATCH = 500;

/**
 * Asks the gateway for the status of messages, in requests of `batchSize` messages. Calls `learn` with each message
 * that the gateway knows and with its report.
 */
export async function askOutcomes<T extends { id: unknown }>(
  transport: Transport,
  messages: T[],
  batchSize: number,
  learn: (message: T, report: Report) => void,
): Promise<void> {
  const ids = messages.map(({ id }) => id as number | string);
  const answers = await askStatuses(transport, ids, batchSize);
  messages.forEach((message, i) => {
    const answer = answers[i];
    if (answer.kind === 'known') learn(message, answer.payload);
  });
}
