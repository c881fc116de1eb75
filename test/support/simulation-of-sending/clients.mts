/** The client, and the one before it, behind the interface of node.mts. */
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

import type { Client, Entering, Result } from './node.mts';

type Exports = Record<string, any>;

/** The rows of each endpoint that has some. */
const groupsOf = <Row extends Pick<Entering, 'endpoint'>>(rows: Row[]) =>
  (['sync', 'async'] as const)
    .map((endpoint) => [endpoint, rows.filter((row) => row.endpoint === endpoint)] as const)
    .filter(([, list]) => list.length > 0);

/** The client of one `begin` and fourteen causes, from its modules. */
export const former = ({ begin, sendOperations, Witnesses }: Exports): Client<undefined> => ({
  newProcess: () => undefined,
  async send(_, rows, settings, tools) {
    const entered = rows.map(({ kept, mayBeSent, hasKey, ...row }) => {
      const one = { ...row, sendOnce: hasKey };
      return { ...one, state: begin(one, { state: kept, mayBeSent, nowMs: tools.now() }) as Exports };
    });
    const witnesses = new Witnesses();
    for (const [endpoint, list] of groupsOf(entered)) {
      await sendOperations(
        list,
        { endpoint, pauseMs: 0, recovery: 'status', ...settings },
        {
          ...tools,
          witnesses,
          record({ state, record }: (typeof entered)[number]) {
            const isOpen = state.is === 'ready' || state.is === 'asking';
            const isKept = state.past.left || state.is === 'asking' || state.is === 'unknown';
            record({
              kept: isKept ? state : undefined,
              result: isOpen ? undefined : { is: state.is, isDuplicate: state.duplicate },
            });
          },
        },
      );
    }
  },
});

/** The client, from its modules. */
export const present = ({ sendOperations, KnownMessages }: Exports): Client<Exports> => ({
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

/** The client of a checkout, from its sources, which leave out how the names of files end. */
export async function clientOf(root: string): Promise<Client<any>> {
  registerHooks({
    resolve(name, context, next) {
      const isWhole = !name.startsWith('.') || !context.parentURL?.includes('/nodes/');
      const resolved = next(isWhole ? name : `${name}.ts`, context);
      return resolved.url.includes('/nodes/') ? { ...resolved, format: 'module-typescript' } : resolved;
    },
  });
  const folder = join(root, 'nodes', 'gateway', 'client');
  const load = async (...files: string[]): Promise<Exports> =>
    Object.assign(
      {},
      ...(await Promise.all(files.map(async (file) => await import(join(folder, file))))),
    ) as Exports;
  if (existsSync(join(folder, 'begin.ts'))) return former(await load('begin.ts', 'send.ts', 'witnesses.ts'));
  return present(await load('send.ts', 'status.ts'));
}
