import type { INode } from 'n8n-workflow';

import type { Connection } from '../../n8n/connection';
import { keyError } from '../../n8n/connection';

/**
 * Returns keys that the connection derived from its API key.
 * @param undone what wasn't done without them, such as "Nothing was sent"
 * @throws NodeOperationError where the API key is missing or wrong by itself: anybody could derive keys from nothing
 */
export function requireKeys<Keys>(
  node: INode,
  { keyFault }: Connection,
  keys: Keys | undefined,
  undone: string,
): Keys {
  if (keyFault) throw keyError(node, keyFault, undone);
  // Without a fault, they were derived.
  return keys as Keys;
}
