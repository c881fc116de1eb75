import { senderNamed, smsForm } from '../test/support/sends.mts';
import type { N8nProcess } from '../tools/n8n-host/n8n-process.mts';
import { OWNER } from '../tools/n8n-host/n8n-process.mts';
import { startAlone, startQueueMode } from '../tools/n8n-host/queue-mode.mts';
import { N8nClient } from '../tools/n8n-host/rest-client.mts';
import type { NodeJson, WorkflowJson } from '../tools/n8n-host/workflow.mts';
import { chainOf } from '../tools/n8n-host/workflow.mts';
import { packed } from '../tools/package.mts';
import { PACKAGE_NAME } from '../tools/paths.mts';
import { CREDENTIAL_TYPE } from './contestants.mts';
import type { BenchGateway } from './gateway.mts';
import { API_KEY, SENDER } from './gateway.mts';
import { extraEnv } from './in-n8n.mts';
import type { Pids } from './processor-time.mts';

export type WaitMode = 'regular' | 'queue';

/** A real n8n with the packed package. */
export interface Host {
  mode: WaitMode;
  client: N8nClient;
  /** Where production webhooks are served. */
  webhooks: N8nClient;
  /** n8n's processes, and those of the services that its queue mode needs. */
  pids: Pids;
  services: Pids;
  credential: { id: string; name: string };
}

/** Starts n8n in a mode, in a folder, with a credential of the gateway. */
export async function startHost(
  mode: WaitMode,
  folder: string,
  gateway: Pick<BenchGateway, 'baseUrl' | 'asyncUrl'>,
): Promise<{ host: Host; stop(): Promise<void> }> {
  const tarball = await packed();
  const env = extraEnv();
  const { main, webhooks, workers, services, stop } =
    mode === 'queue'
      ? await startQueueMode(folder, tarball, { env })
      : await startAlone({ folder, tarball, env });
  const processes: Record<string, N8nProcess> =
    workers.length === 0
      ? { n8n: main }
      : { main, 'worker 1': workers[0], 'worker 2': workers[1], 'webhook processor': webhooks };
  const client = new N8nClient(main.url);
  await client.setUpOwner(OWNER);
  const { id, name } = await client.createCredential('Gateway', CREDENTIAL_TYPE, {
    apiKey: API_KEY,
    baseUrl: gateway.baseUrl,
    asyncUrl: gateway.asyncUrl,
    mcpUrl: '',
  });
  const host: Host = {
    mode,
    client,
    webhooks: new N8nClient(webhooks.url),
    pids: pidsOf(processes),
    services: pidsOf(services),
    credential: { id, name },
  };
  return { host, stop };
}

const pidsOf = (processes: Record<string, { pid: number }>): Pids =>
  Object.fromEntries(Object.entries(processes).map(([name, { pid }]) => [name, pid]));

const FIRST_PHONE = 380501000000;

/** Who waits behind a send: nobody, the node itself, or n8n's own Wait node, for as many seconds as the outcomes come in. */
export type Waiting = 'nobody' | 'node' | 'waitNode';

/** A workflow that sends `count` messages in one execution, and waits then. */
export function workflowOf(
  { credential }: Host,
  path: string,
  { messages: count, seconds }: { messages: number; seconds: number },
  waiting: Waiting,
): WorkflowJson {
  const parameters = smsForm({
    phone: '={{ $json.phone }}',
    smsSignature: senderNamed(SENDER),
    ...(waiting === 'node' && { waitForDelivery: true, waitAmount: 20, waitUnit: 'minutes' }),
  });
  const nodes: NodeJson[] = [
    {
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2.1,
      webhookId: path,
      parameters: { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} },
    },
    {
      name: 'Items',
      type: 'n8n-nodes-base.code',
      typeVersion: 2,
      parameters: {
        jsCode: `const n = Number($input.first().json.body.n); return Array.from({ length: ${count} }, (_, i) => ({ json: { phone: ${FIRST_PHONE} + (n + i) % 900000 } }));`,
      },
    },
    {
      name: 'Send',
      type: `${PACKAGE_NAME}.messagingGateway`,
      typeVersion: 1,
      parameters,
      credentials: { [CREDENTIAL_TYPE]: credential },
    },
    ...(waiting === 'waitNode' ? [waitNode(seconds)] : []),
    { name: 'After', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
  ];
  return chainOf(path, nodes);
}

const waitNode = (amount: number): NodeJson => ({
  name: 'Wait',
  type: 'n8n-nodes-base.wait',
  typeVersion: 1.1,
  webhookId: 'bench-wait-node',
  parameters: { resume: 'timeInterval', amount, unit: 'seconds' },
});
