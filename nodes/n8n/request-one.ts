import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { sendOperations } from '../gateway/client/send';
import type { WireOperation } from '../gateway/contract/operations';
import { explain } from '../gateway/errors/catalogue';
import { httpTransport, readConnection } from './json-transport';

const TIMEOUT = 15_000;

/**
 * Sends one operation that only reads, for the lists of the form, and returns the payload of its result.
 * @throws NodeOperationError with the gateway's words and what to do about them
 */
export async function requestOne(context: ILoadOptionsFunctions, operation: WireOperation): Promise<unknown> {
  const connection = await readConnection(context);
  const { sync } = connection.addresses;
  if (!sync.ok) {
    const { message, description } = sync;
    throw new NodeOperationError(context.getNode(), message, { description });
  }
  const [outcome] = await sendOperations(
    [operation],
    { endpoint: 'sync', batchSize: 1, parallel: 1, pause: 0, recovery: 'none' },
    {
      transport: httpTransport(context, connection, TIMEOUT),
      // A form must not keep its user waiting: what fails is said at once.
      sleep: async () => await Promise.resolve(),
      stopped: () => false,
      record: () => undefined,
    },
  );
  if (outcome.state === 'accepted') return outcome.payload;
  const { message, description } = explain(outcome.problem);
  throw new NodeOperationError(context.getNode(), message, { description });
}
