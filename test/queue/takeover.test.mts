/**
 * A worker that stops, or is killed, in the middle of a send: n8n takes its job for stalled once its lock has run out, and n8n 1 then has
 * another worker run the job from its beginning, unless `QUEUE_WORKER_MAX_STALLED_COUNT` is 0, as it always is in n8n 2. Locks and
 * checks are short here; n8n's own are a minute and half a minute.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { Line } from '../../tools/n8n-host/installations.mts';
import { installationOf } from '../../tools/n8n-host/installations.mts';
import type { N8nProcess } from '../../tools/n8n-host/n8n-process.mts';
import type { QueueMode } from '../../tools/n8n-host/queue-mode.mts';
import { startQueueMode } from '../../tools/n8n-host/queue-mode.mts';
import { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import { packed } from '../../tools/package.mts';
import { until } from '../../tools/until.mts';
import { recipients } from '../support/fates.mts';
import { LEAN } from '../support/lean-n8n.mts';
import {
  action,
  credentialData,
  CREDENTIAL_TYPE,
  OWNER,
  rows,
  START,
  workflow,
} from '../support/real-n8n.mts';
import { retried } from '../support/retry-pressed.mts';
import { grouped, smsForm } from '../support/sends.mts';

const SHORT_LOCKS = {
  QUEUE_WORKER_LOCK_DURATION: '8000',
  QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
  QUEUE_WORKER_STALLED_INTERVAL: '3000',
};
const COUNT = 300;

describe.each<[Line, NodeJS.ProcessEnv]>([
  ['oldest', { QUEUE_WORKER_MAX_STALLED_COUNT: '0' }],
  ['newest', LEAN],
])('n8n %s', (line, env) => {
  let folder: string;
  let sandbox: Sandbox;
  let queue: QueueMode;
  let client: N8nClient;
  let credential: { id: string; name: string };

  beforeAll(async () => {
    // Outside of the project, below which the package would find the project's n8n-workflow and zod.
    folder = await mkdtemp(join(tmpdir(), 'n8n-takeover-'));
    sandbox = await startSandbox({ config: { latencyMs: 500, outcomes: { fallback: { steps: [] } } } });
    const options = { env: { ...SHORT_LOCKS, ...env }, installation: installationOf(line) };
    queue = await startQueueMode(folder, await packed(), options);
    client = await N8nClient.connect(queue.main.url, OWNER);
    credential = await client.createCredential('Queue', CREDENTIAL_TYPE, credentialData(sandbox));
  });
  beforeEach(() => sandbox.reset());
  afterAll(async () => {
    await queue?.stop();
    await sandbox?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const signal = ({ pid }: N8nProcess, name: NodeJS.Signals) => process.kill(pid, name);

  /** Starts a send, and waits until it is under way; returns its worker too. */
  async function sending() {
    const send = action('Send', credential, smsForm({ options: grouped({ batchSize: 10 }) }));
    const { id } = await client.createWorkflow(workflow([rows('Rows', recipients(COUNT)), send]));
    const execution = await client.runManually(id, START);
    await until('the first batches', () => sandbox.messages.accepted >= 50 || undefined);
    const logs = await Promise.all(queue.workers.map(async ({ logFile }) => await readFile(logFile, 'utf8')));
    const found = queue.workers.filter((_, i) => new RegExp(`execution ${execution}\\b`, 'i').test(logs[i]));
    expect(found).toHaveLength(1);
    return { execution, worker: found[0] };
  }

  /** The state of an execution, once n8n has noticed that its worker is gone. */
  const noticed = async (execution: string): Promise<string> =>
    await until('n8n to notice', async () => {
      const { status } = await client.call<{ status: string }>('GET', `/executions/${execution}`);
      return status === 'running' || status === 'new' ? undefined : status;
    });

  it('sends nothing twice when a worker stands still in the middle of a send and goes on after a Retry', async () => {
    const { execution, worker } = await sending();
    signal(worker, 'SIGSTOP');
    await noticed(execution);
    await retried(client, { id: execution });
    signal(worker, 'SIGCONT');
    await until('the rest of the send', () => sandbox.messages.accepted >= COUNT || undefined);
    const numbers = sandbox.messages.list().map(({ phone }) => phone);
    expect([numbers.length, new Set(numbers).size]).toEqual([COUNT, COUNT]);
  });

  it('sends nothing twice when a worker is killed in the middle of a send, and Retry is pressed', async () => {
    const { execution, worker } = await sending();
    await worker.kill();
    await noticed(execution);
    await retried(client, { id: execution });
    const numbers = sandbox.messages.list().map(({ phone }) => phone);
    expect(numbers.length).toBeLessThan(COUNT);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  if (line === 'oldest')
    it('sends all twice by default: what the tests above would see, and n8n has that setting for', async () => {
      // The only worker left is killed, and another starts then: Redis may hand a new job to a worker that stands still.
      const { worker } = await sending();
      await worker.kill();
      await queue.addWorker({ QUEUE_WORKER_MAX_STALLED_COUNT: '1' });
      await until('another worker to send all', () => sandbox.messages.accepted >= COUNT + 50 || undefined);
    });
});
