import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { startN8n } from '../tools/n8n-host/n8n-process.mts';
import { N8nClient } from '../tools/n8n-host/rest-client.mts';
import type { NodeJson } from '../tools/n8n-host/workflow.mts';
import { packed } from '../tools/package.mts';
import { PACKAGE_NAME, TMP } from '../tools/paths.mts';
import { callAll, callbackOf, untilServed } from './calls.mts';
import { extraEnv, OWNER } from './in-n8n.mts';
import { median, percentile } from './statistics.mts';

const SECRET = 'bench-secret';
const WARM_UP_CALLS = 200;
/** Calls under way at the same time, as a gateway with many messages makes them. */
const CONNECTIONS = 8;
/** Time that n8n gets to end the executions that a round has started. */
const SETTLE_MS = 500;

/**
 * How n8n evaluates expressions. With its default engine it makes an isolate of V8 for every call of a trigger, needed or
 * not, and leaves that out for its own Webhook node alone (`webhookPhaseNeedsIsolate` in live-webhooks.js, 2.41).
 */
export const N8N_SETTINGS = {
  default: { title: "n8n's defaults", env: {} },
  sameIsolate: {
    title: 'the Webhook node gets its isolate too',
    env: { N8N_EXPRESSION_ENGINE_ALLOW_WEBHOOK_ISOLATE_SKIP: 'false' },
  },
  legacy: { title: 'legacy expression engine', env: { N8N_EXPRESSION_ENGINE: 'legacy' } },
} satisfies Record<string, { title: string; env: NodeJS.ProcessEnv }>;
export type N8nSetting = keyof typeof N8N_SETTINGS;

export interface CallbackRate {
  contestant: 'trigger' | 'webhook';
  setting: N8nSetting;
  /** Calls answered in a second, of each round. */
  rounds: number[];
  perSecond: number;
  /** Milliseconds until the answer. */
  p50: number;
  p99: number;
}

export interface CallbackPlan {
  /** Calls in a round. */
  calls: number;
  rounds: number;
}

interface Contestant {
  key: CallbackRate['contestant'];
  node: NodeJson;
  query: string;
}

/** The trigger with a secret and without duplicates, and n8n's own Webhook node with nothing of the kind. */
const CONTESTANTS: Contestant[] = [
  {
    key: 'trigger',
    node: {
      name: 'Callback',
      type: `${PACKAGE_NAME}.messagingGatewayTrigger`,
      parameters: {
        outcomes: ['delivered', 'failed', 'read', 'replied'],
        options: { secret: SECRET, removeDuplicates: true },
      },
      webhookId: 'bench-trigger',
    },
    query: `/callback?secret=${SECRET}`,
  },
  {
    key: 'webhook',
    node: {
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2.1,
      parameters: { path: 'bench-webhook', httpMethod: 'POST', responseMode: 'onReceived', options: {} },
      webhookId: 'bench-webhook',
    },
    query: '',
  },
];

/**
 * Calls the trigger and n8n's own Webhook node in one real n8n, in turns, each call with a callback of its own that
 * starts a workflow. Gives a rate for each contestant and setting to `tell`.
 */
export async function benchCallbacks(plan: CallbackPlan, tell: (rate: CallbackRate) => void): Promise<void> {
  for (const setting of Object.keys(N8N_SETTINGS) as N8nSetting[]) await withSetting(setting, plan, tell);
}

async function withSetting(
  setting: N8nSetting,
  { calls, rounds }: CallbackPlan,
  tell: (rate: CallbackRate) => void,
): Promise<void> {
  const folder = join(TMP, 'bench', 'n8n-callbacks');
  await rm(folder, { recursive: true, force: true });
  const env = { ...N8N_SETTINGS[setting].env, ...extraEnv() };
  const n8n = await startN8n({ folder, tarball: await packed(), env });
  try {
    const client = new N8nClient(n8n.url);
    await client.setUpOwner(OWNER);
    const rates = await publish(client, setting);
    for (const { rate, url } of rates) {
      await round(url, WARM_UP_CALLS);
      await sleep(SETTLE_MS);
      rate.rounds.length = 0;
    }
    const times = new Map(rates.map(({ rate }) => [rate, [] as number[]]));
    for (let turn = 0; turn < rounds; turn++) {
      for (const { rate, url } of rates) {
        const { seconds, milliseconds } = await round(url, calls);
        rate.rounds.push(calls / seconds);
        times.get(rate)?.push(...milliseconds);
        await sleep(SETTLE_MS);
      }
    }
    for (const { rate } of rates) {
      const all = times.get(rate) ?? [];
      tell({
        ...rate,
        rounds: rate.rounds.map(Math.round),
        perSecond: median(rate.rounds),
        p50: percentile(all, 50),
        p99: percentile(all, 99),
      });
    }
  } finally {
    await n8n.stop();
    await rm(join(folder, '.n8n', 'database.sqlite'), { force: true });
  }
}

async function publish(client: N8nClient, setting: N8nSetting) {
  const rates: Array<{ rate: CallbackRate; url: string }> = [];
  for (const { key, node, query } of CONTESTANTS) {
    const path = `${String(node.webhookId)}${query.split('?')[0]}`;
    const reference = await client.createWorkflow({
      name: key,
      nodes: [{ id: 'n', typeVersion: 1, position: [0, 0], ...node }],
      connections: {},
      // What n8n's database takes would be the same for both, and hide what differs.
      settings: { saveDataSuccessExecution: 'none' } as IDataObject,
    });
    await client.activate(reference);
    await untilServed(`${client.url}/webhook/${path}`);
    const rate: CallbackRate = { contestant: key, setting, rounds: [], perSecond: 0, p50: 0, p99: 0 };
    rates.push({ rate, url: `${client.url}/webhook/${String(node.webhookId)}${query}` });
  }
  return rates;
}

let serial = 1_000_000;

/** Makes so many calls, each with a callback that was never sent before. */
async function round(url: string, count: number): Promise<{ seconds: number; milliseconds: number[] }> {
  const start = performance.now();
  const body = () => callbackOf(++serial);
  const milliseconds = await callAll(url, { count, connections: CONNECTIONS, body });
  return { seconds: (performance.now() - start) / 1000, milliseconds };
}
