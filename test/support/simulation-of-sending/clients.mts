/** The client, and the one before it, behind the interface of node.mts. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { buildSync } from 'esbuild';

import type { Operation } from './gateway.mts';
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

/** Compiles modules of a checkout into one, which is faster than many. */
export function load(root: string, files: readonly string[]): Exports {
  const contents = files.map((file) => `export * from './nodes/gateway/client/${file}';`).join('\n');
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    external: ['n8n-workflow', 'lodash', 'luxon', 'p-limit', 'zod'],
    absWorkingDir: root,
  });
  const module = { exports: {} as Exports };
  const require = createRequire(join(root, 'package.json'));
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the code of this project
  new Function('module', 'exports', 'require', outputFiles[0].text)(module, module.exports, require);
  return module.exports;
}

/** The client of a checkout. */
export function clientOf(root: string): Client<any> {
  const isFormer = existsSync(join(root, 'nodes', 'gateway', 'client', 'begin.ts'));
  return isFormer
    ? former(load(root, ['begin', 'send', 'witnesses']))
    : present(load(root, ['send', 'status']));
}
