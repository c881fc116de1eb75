/** The client behind the interface of node.mts. */
import { registerHooks } from 'node:module';

import type { Client, Entering, Result } from './node.mts';

type Exports = Record<string, any>;

/** The rows of each endpoint that has some. */
const groupsOf = <Row extends Pick<Entering, 'endpoint'>>(rows: Row[]) =>
  (['sync', 'async'] as const)
    .map((endpoint) => [endpoint, rows.filter((row) => row.endpoint === endpoint)] as const)
    .filter(([, list]) => list.length > 0);

/** The client, from its modules. */
export const clientOf = ({ sendOperations, KnownMessages }: Exports): Client<Exports> => ({
  newProcess(known) {
    const messages = new KnownMessages();
    if (known) messages.add(known.id, known.atMs);
    return messages;
  },
  async send(known, rows, settings, { unusedId, ...tools }) {
    const entered = rows.map(
      ({ kept, ...row }) => ({ state: { is: 'ready' }, ...row, ...(kept as object) }) as any,
    );
    const keep = ({ departures, state }: Exports) => ({ departures, state });
    for (const [endpoint, list] of groupsOf(entered)) {
      await sendOperations(
        list,
        { endpoint, pauseMs: 0, recovery: 'status', ...settings },
        {
          ...tools,
          known,
          unusedIds: () => [unusedId(), 2 ** 52 + 2 ** 51 + (tools.now() % 1e9)],
          record: (row: Exports) => row.record({ kept: keep(row) }),
          settle(row: Exports) {
            const { is, duplicate } = row.state;
            const isKept = row.departures !== undefined || row.mayBeSent;
            const result: Result = { is, isDuplicate: duplicate };
            row.record({ kept: isKept ? keep(row) : undefined, result });
          },
        },
      );
    }
  },
});

/** Loads the client from its sources, which leave out how the names of files end. */
export async function loadClient(): Promise<ReturnType<typeof clientOf>> {
  registerHooks({
    resolve(name, context, next) {
      const isWhole = !name.startsWith('.') || !context.parentURL?.includes('/nodes/');
      const resolved = next(isWhole ? name : `${name}.ts`, context);
      return resolved.url.includes('/nodes/') ? { ...resolved, format: 'module-typescript' } : resolved;
    },
  });
  const files = ['send', 'status'].map((name) => `../../../nodes/gateway/client/${name}.ts`);
  return clientOf(Object.assign({}, ...(await Promise.all(files.map(async (file) => await import(file))))));
}
