import { NodeOperationError } from 'n8n-workflow';

import type { Run } from './run';

/**
 * Returns keys that were derived from the API key.
 * @param undone what wasn't done without them, such as "Nothing was sent"
 * @throws NodeOperationError where there is no API key: anybody could derive keys from nothing
 */
export function requireKeys<Keys>({ node }: Run, keys: Keys | undefined, undone: string): Keys {
  if (keys !== undefined) return keys;
  throw new NodeOperationError(node, "'API Key' of the credential is empty", {
    description: `${undone}. Enter the API key in the credential; if it is an expression there, see that it returns the key.`,
  });
}
