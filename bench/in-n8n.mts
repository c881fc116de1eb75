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
  latencies: number[];
  repeat: number;
  only?: string[];
}

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
    await new Bench(gateway, client, plan, tell).run();
  } finally {
    await n8n.stop();
    await rm(join(folder, '.n8n', 'database.sqlite'), { force: true });
  }
}

/** Flags for the Node that runs n8n, to look into a slow run: BENCH_NODE_OPTIONS="--cpu-prof". */
export const extraEnv = (): NodeJS.ProcessEnv =>
  process.env.BENCH_NODE_OPTIONS ? { NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS } : {};

type Ready = BenchWorkflow & { id: string; contestant: Contestant };

class Bench {
  private readonly gateway: BenchGateway;

  private readonly client: N8nClient;

  private readonly plan: Plan;

  private readonly tell: (cell: Cell) => void;

  constructor(gateway: BenchGateway, client: N8nClient, plan: Plan, tell: (cell: Cell) => void) {
    this.gateway = gateway;
    this.plan = plan;
    this.tell = tell;
    this.client = client;
  }

  async run(): Promise<void> {
    const ready = await this.setUp();
    for (let pass = 0; pass < PASSES_FOR_WARM_UP; pass++) {
      for (const workflow of ready)
        await this.once(workflow, Math.min(WARM_UP_ITEMS, workflow.contestant.most));
    }
    for (const latencyMs of this.plan.latencies) {
      await this.gateway.setLatency(latencyMs);
      for (const items of this.plan.sizes) await this.round(ready, items, latencyMs);
    }
  }

  private async setUp(): Promise<Ready[]> {
    const { client, gateway, plan } = this;
    const { id, name } = await client.createCredential('Gateway', CREDENTIAL_TYPE, {
      apiKey: API_KEY,
      baseUrl: gateway.baseUrl,
      asyncUrl: gateway.asyncUrl,
      mcpUrl: gateway.mcpUrl,
    });
    const ready: Ready[] = [];
    for (const contestant of CONTESTANTS) {
      if (plan.only && !plan.only.includes(contestant.key)) continue;
      const workflow = workflowOf(contestant, gateway, { id, name });
      const reference = await client.createWorkflow(workflow.json);
      await client.activate(reference);
      await client.untilRegistered(`webhook/${workflow.path}`);
      ready.push({ ...workflow, id: reference.id, contestant });
    }
    return ready;
  }

  /** All contestants with one number of items, one after another and then again, so that all see the same weather. */
  private async round(ready: Ready[], items: number, latencyMs: number): Promise<void> {
    const cells = ready
      .filter(({ contestant }) => items <= contestant.most)
      .map((workflow): [Ready, Cell] => [
        workflow,
        { contestant: workflow.contestant.key, items, latencyMs, runs: [] },
      ]);
    for (let repeat = 0; repeat < this.plan.repeat; repeat++) {
      for (const [workflow, cell] of cells) {
        const spent = cell.runs.reduce((sum, time) => sum + time, 0);
        if (cell.failure === undefined && spent <= ENOUGH_MS) await this.measure(workflow, cell);
      }
    }
    for (const [, cell] of cells) {
      if (cell.runs.length > 0) cell.medianMs = median(cell.runs);
      this.tell(cell);
    }
  }

  private async measure(workflow: Ready, cell: Cell): Promise<void> {
    const before = await this.gateway.accepted();
    const execution = await this.once(workflow, cell.items);
    const accepted = (await this.gateway.accepted()) - before;
    if (execution.status !== 'success') {
      cell.failure = execution.failure() || execution.status;
    } else if (accepted !== cell.items) {
      cell.failure = `the gateway took ${accepted} of ${cell.items} messages`;
    } else {
      const runs = workflow.measured.flatMap((name) => execution.runs(name));
      cell.runs.push(runs.reduce((sum, { executionTime }) => sum + executionTime, 0));
    }
  }

  private async once({ id, path }: Ready, count: number): Promise<Execution> {
    await again(async () => await this.client.listExecutions(id));
    // It answers when the last node has ended, be it well or not; the execution tells.
    await (await this.client.postWebhook(path, { count })).arrayBuffer();
    const [newest] = await again(async () => await this.client.listExecutions(id));
    if (!newest) throw new Error(`n8n shows no execution of ${path}`);
    const execution = await again(async () => await this.client.waitForExecution(newest.id));
    const ids = [newest.id];
    await again(async () => await this.client.call('POST', '/executions/delete', { ids }));
    return execution;
  }
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
