import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { judge } from '../gateway/client/read-answer';
import type { WireOperation } from '../gateway/contract/operations';
import { explain } from '../gateway/errors/catalogue';
import { PLAIN_WORDS } from '../gateway/errors/words';
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
  // A form must not keep its user waiting: what fails is reported at once.
  const verdict = judge('sync', await httpTransport(context, connection, TIMEOUT)('sync', [operation]), [operation]);
  const outcome = verdict.kind === 'results' ? verdict.items[0] : verdict;
  if (outcome.kind === 'accepted') return outcome.payload;
  const { message, description } = explain(outcome.problem, { ...PLAIN_WORDS, addresses: ['baseUrl'] });
  throw new NodeOperationError(context.getNode(), message, { description });
}
