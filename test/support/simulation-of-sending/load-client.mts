import { registerHooks } from 'node:module';

import type { Client } from './node.mts';

/** Loads the client from its sources, which leave out how the names of files end. */
export async function loadClient(): Promise<Client> {
  registerHooks({
    resolve(name, context, next) {
      const isWhole = !name.startsWith('.') || !context.parentURL?.includes('/nodes/');
      const resolved = next(isWhole ? name : `${name}.ts`, context);
      return resolved.url.includes('/nodes/') ? { ...resolved, format: 'module-typescript' } : resolved;
    },
  });
  const { sendOperations } = await import('../../../nodes/gateway/client/send.ts');
  const { KnownMessages } = await import('../../../nodes/gateway/client/status.ts');
  return { sendOperations, KnownMessages };
}
