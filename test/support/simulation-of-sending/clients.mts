/** The client, and the one before it, behind the interface of node.mts. */
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

import type { Operation } from './protocol.mts';
import type { Client, Entering, NodeRow, Result } from './node.mts';

interface AnyRow {
  operation: Operation;
  endpoint: string;
  state: { is: string; duplicate?: boolean; past?: { left?: boolean } };
  departures?: unknown;
  mayBeSent?: boolean;
  row: NodeRow;
}

type Exports = Record<string, (...values: any[]) => any>;

const resultOf = ({ is, duplicate }: AnyRow['state']): Result | undefined =>
  is === 'ready' || is === 'asking' ? undefined : { is: is as Result['is'], isDuplicate: duplicate === true };

/** The client of one `begin` and fourteen causes, from its modules. */
export const former = (modules: Exports): Client<undefined> => ({
  newProcess: () => undefined,
  teach: () => undefined,
  async send(_, groups, batchSize, { now, record, ...tools }) {
    const { begin, sendOperations, Witnesses } = modules as Exports & { Witnesses: new () => object };
    const enter = ({ kept, mayBeSent, ...row }: Entering): AnyRow => {
      const { operation, endpoint, hasOwnId, hasKey } = row;
      const one = { operation, endpoint, hasOwnId, sendOnce: hasKey, row };
      const state = begin(one, { state: kept, mayBeSent, nowMs: now() }) as AnyRow['state'];
      return { ...one, state };
    };
    const witnesses = new Witnesses();
    const entered = groups.map(([endpoint, rows]) => [endpoint, rows, rows.map(enter)] as const);
    for (const [endpoint, rows, list] of entered) {
      const origin = new Map(list.map((one, i) => [one, rows[i]]));
      const settings = { endpoint, batchSize, pauseMs: 0, recovery: 'status' };
      await sendOperations(list, settings, {
        ...tools,
        now,
        witnesses,
        record(one: AnyRow) {
          const { state } = one;
          const isKept = state.past?.left === true || state.is === 'asking' || state.is === 'unknown';
          record(origin.get(one)!, isKept ? state : undefined, resultOf(state));
        },
      });
    }
  },
});

/** The client, from its modules. */
export const present = (modules: Exports): Client<{ add(id: number, atMs: number): void }> => {
  const { sendOperations, KnownMessages } = modules as Exports & {
    KnownMessages: new () => { add(id: number, atMs: number): void };
  };
  return {
    newProcess: () => new KnownMessages(),
    teach: (known, { id }, atMs) => known.add(id, atMs),
    async send(known, groups, batchSize, { record, unusedId, ...tools }) {
      for (const [endpoint, rows] of groups) {
        const list = rows.map(({ kept, mayBeSent, kind: _, ...row }) => ({
          state: { is: 'ready' },
          ...row,
          mayBeSent,
          ...(kept as object),
        }));
        const origin = new Map(list.map((one, i) => [one as object, rows[i]]));
        const keep = ({ departures, state, mayBeSent }: AnyRow, result?: Result): object | undefined =>
          result && departures === undefined && mayBeSent !== true ? undefined : { departures, state };
        await sendOperations(
          list,
          { endpoint, batchSize, pauseMs: 0, recovery: 'status' },
          {
            ...tools,
            known,
            unusedIds: () => [unusedId(), 2 ** 52 + 2 ** 51 + (tools.now() % 1e9)],
            record: (one: AnyRow) => record(origin.get(one)!, keep(one), undefined),
            settle(one: AnyRow) {
              const result = resultOf(one.state);
              record(origin.get(one)!, keep(one, result), result);
            },
          },
        );
      }
    },
  };
};

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
