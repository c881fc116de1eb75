import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Execution, N8nClient } from '../tools/n8n-host/rest-client.mts';
import { N8nRefusal } from '../tools/n8n-host/rest-client.mts';
import { startWithOwner } from '../tools/n8n-host/n8n-process.mts';
import { packed } from '../tools/package.mts';
import { TMP } from '../tools/paths.mts';
import type { BenchWorkflow, Contestant } from './contestants.mts';
import { CONTESTANTS, CREDENTIAL_TYPE, workflowOf } from './contestants.mts';
import type { BenchGateway } from './gateway.mts';
import { API_KEY } from './gateway.mts';
import { median } from './statistics.mts';

/** A contestant that used up this time with one number of items is not repeated. */
const ENOUGH_MS = 60_000;
const WARM_UP_ITEMS = 1000;
const ASKS = 60;
const PASSES_FOR_WARM_UP = 2;

/** What one contestant took for one number of items. */
export interface Cell {
  contestant: Contestant['key'];
  items: number;
  latencyMs: number;
  /** Milliseconds of the nodes under test in each run. */
  runs: number[];
  medianMs?: number;
  /** What n8n said instead of finishing. */
  failure?: string;
}

interface Plan {
  sizes: number[];
  repeat: number;
}

/** How long the gateway takes to answer. */
const LATENCIES_MS = [0, 50];

/**
 * Runs every contestant in one real n8n, in turns. Gives a cell for each contestant, number of items and latency to
 * `tell`, as soon as it is known.
 */
export async function benchInN8n(
  gateway: BenchGateway,
  plan: Plan,
  tell: (cell: Cell) => void,
): Promise<void> {
  const folder = join(TMP, 'bench', 'n8n');
  const { n8n, client } = await startWithOwner({ folder, tarball: await packed(), env: extraEnv() });
  try {
    const ready = await setUp(gateway, client);
    for (let pass = 0; pass < PASSES_FOR_WARM_UP; pass++)
      for (const one of ready) await once(client, one, WARM_UP_ITEMS);
    for (const latencyMs of LATENCIES_MS) {
      await gateway.setLatency(latencyMs);
      for (const items of plan.sizes) {
        const running = ready.filter(({ contestant }) => items <= contestant.most);
        const cells = running.map(
          ({ contestant }): Cell => ({ contestant: contestant.key, items, latencyMs, runs: [] }),
        );
        // One after another and then again, so that all see the same weather.
        for (let repeat = 0; repeat < plan.repeat; repeat++) {
          for (const [i, cell] of cells.entries()) {
            const spent = cell.runs.reduce((sum, time) => sum + time, 0);
            if (cell.failure !== undefined || spent > ENOUGH_MS) continue;
            const measured = await measure(gateway, client, running[i], items);
            if (typeof measured === 'string') cell.failure = measured;
            else cell.runs.push(measured);
          }
        }
        for (const cell of cells) {
          if (cell.runs.length > 0) cell.medianMs = median(cell.runs);
          tell(cell);
        }
      }
    }
  } finally {
    await n8n.stop();
    await rm(join(folder, '.n8n', 'database.sqlite'), { force: true });
  }
}

/** Flags for the Node that runs n8n, to look into a slow run: BENCH_NODE_OPTIONS="--cpu-prof". */
export const extraEnv = (): NodeJS.ProcessEnv =>
  process.env.BENCH_NODE_OPTIONS ? { NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS } : {};

type Ready = BenchWorkflow & { id: string; contestant: Contestant };

async function setUp(gateway: BenchGateway, client: N8nClient): Promise<Ready[]> {
  const { baseUrl, asyncUrl, mcpUrl } = gateway;
  const data = { apiKey: API_KEY, baseUrl, asyncUrl, mcpUrl };
  const { id, name } = await client.createCredential('Gateway', CREDENTIAL_TYPE, data);
  const ready: Ready[] = [];
  for (const contestant of CONTESTANTS) {
    const workflow = workflowOf(contestant, gateway, { id, name });
    const reference = await client.createWorkflow(workflow.json);
    await client.activate(reference);
    await client.untilRegistered(`webhook/${workflow.path}`);
    ready.push({ ...workflow, id: reference.id, contestant });
  }
  return ready;
}

/** Sends so many items through a contestant. Returns the milliseconds of its nodes, or what went wrong. */
async function measure(gateway: BenchGateway, client: N8nClient, ready: Ready, items: number) {
  const before = await gateway.accepted();
  const execution = await once(client, ready, items);
  const accepted = (await gateway.accepted()) - before;
  if (execution.status !== 'success') return execution.failure() || execution.status;
  if (accepted !== items) return `the gateway took ${accepted} of ${items} messages`;
  const runs = ready.measured.flatMap((name) => execution.runs(name));
  return runs.reduce((sum, { executionTime }) => sum + executionTime, 0);
}

async function once(client: N8nClient, { id, path }: Ready, count: number): Promise<Execution> {
  await again(async () => await client.listExecutions(id));
  // It answers when the last node has ended, be it well or not; the execution tells.
  await (await client.postWebhook(path, { count })).arrayBuffer();
  const [newest] = await again(async () => await client.listExecutions(id));
  if (!newest) throw new Error(`n8n shows no execution of ${path}`);
  const execution = await again(async () => await client.waitForExecution(newest.id));
  await again(async () => await client.call('POST', '/executions/delete', { ids: [newest.id] }));
  return execution;
}

/**
 * n8n, busy with a large execution, drops idle connections at the moment they are used again, and believes for a
 * while that its database is gone.
 */
async function again<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const isBusy = error instanceof TypeError || (error instanceof N8nRefusal && error.status === 503);
      if (!isBusy || attempt === ASKS) throw error;
      await sleep(1000);
    }
  }
}

/** A cell as a line of text. */
export function describe({ contestant, items, latencyMs, runs, medianMs, failure }: Cell): string {
  const took = failure ?? `${Math.round(medianMs ?? NaN)} ms (${runs.join(', ')})`;
  return `  ${latencyMs} ms  ${String(items).padStart(7)}  ${contestant.padEnd(11)}  ${took}`;
}
