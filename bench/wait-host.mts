import { senderNamed, smsForm } from '../test/support/sends.mts';
import type { N8nProcess } from '../tools/n8n-host/n8n-process.mts';
import { OWNER } from '../tools/n8n-host/n8n-process.mts';
import { startAlone, startQueueMode } from '../tools/n8n-host/queue-mode.mts';
import type { Execution } from '../tools/n8n-host/rest-client.mts';
import { N8nClient } from '../tools/n8n-host/rest-client.mts';
import type { NodeJson, WorkflowJson } from '../tools/n8n-host/workflow.mts';
import { chainOf } from '../tools/n8n-host/workflow.mts';
import { packed } from '../tools/package.mts';
import { PACKAGE_NAME } from '../tools/paths.mts';
import { CREDENTIAL_TYPE } from './contestants.mts';
import type { BenchGateway } from './gateway.mts';
import { API_KEY, SENDER } from './gateway.mts';
import { INSPECTABLE } from './heap.mts';
import { extraEnv } from './in-n8n.mts';
import type { Pids } from './processor-time.mts';

export type WaitMode = 'regular' | 'queue';

/** A real n8n with the packed package. */
export interface Host {
  mode: WaitMode;
  client: N8nClient;
  /** Where production webhooks are served. */
  webhooks: N8nClient;
  processes: Record<string, N8nProcess>;
  pids: Pids;
  credential: { id: string; name: string };
}

/** Starts n8n in a mode, in a folder, with a credential of the gateway and more variables. Its heap can be measured (heap.mts). */
export async function startHost(
  mode: WaitMode,
  folder: string,
  gateway: Pick<BenchGateway, 'baseUrl' | 'asyncUrl'>,
  more: NodeJS.ProcessEnv = {},
): Promise<{ host: Host; stop(): Promise<void> }> {
  const tarball = await packed();
  const { NODE_OPTIONS = '' } = extraEnv();
  const env = { ...more, NODE_OPTIONS: `${INSPECTABLE} ${NODE_OPTIONS}` };
  const { main, webhooks, workers, stop } =
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
    processes,
    pids: Object.fromEntries(Object.entries(processes).map(([part, { pid }]) => [part, pid])),
    credential: { id, name },
  };
  return { host, stop };
}

/** Numbers that end in this are not reached. */
export const FAILING = '7';

const ENDED = ['success', 'error', 'crashed', 'canceled'];

/** Counts the ended executions of a workflow, without their data. */
export async function endedOf(client: N8nClient, workflowId: string): Promise<number> {
  const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ENDED }));
  const { count, results } = await client.call<{ count: number; results: unknown[] }>(
    'GET',
    `/executions?filter=${filter}&limit=1`,
  );
  return Math.max(count, results.length);
}

/** Gives the executions of a workflow, which have ended, once their data is whole. */
export async function* executionsOf(client: N8nClient, workflowId: string): AsyncGenerator<Execution> {
  const filter = encodeURIComponent(JSON.stringify({ workflowId }));
  let cursor: string | null | undefined;
  do {
    const page: { results: Array<{ id: string }>; nextCursor?: string | null } = await client.call(
      'GET',
      `/executions?filter=${filter}&limit=100${cursor ? `&cursor=${cursor}` : ''}`,
    );
    for (const { id } of page.results) yield await client.waitUntilAwake(id);
    cursor = page.nextCursor;
  } while (cursor);
}

/** Whether the outcome of an item is what the gateway decides. */
export const isRight = ({ phone, outcome, final }: Record<string, unknown>): boolean =>
  final === true && outcome === (String(phone).endsWith(FAILING) ? 'failed' : 'delivered');

/** The phones of as many messages of an execution as there are, from the first one on. */
export const phonesFrom = (first: number, messages: number): number[] =>
  Array.from({ length: messages }, (_, i) => FIRST_PHONE + first + i);
const FIRST_PHONE = 380_501_000_000;

/** Who waits behind a send: nobody, the node itself, or n8n's own Wait node, for as many seconds as the outcomes come in. */
export type Waiting = 'nobody' | 'node' | 'waitNode';

/** A workflow that sends messages to the `phones` in the body of a call in one execution, and waits then. */
export function workflowOf({ credential }: Host, path: string, waiting: Waiting, seconds = 0): WorkflowJson {
  const parameters = smsForm({
    phone: '={{ $json.phone }}',
    smsSignature: senderNamed(SENDER),
    ...(waiting === 'node' && { waitForDelivery: true, waitAmount: 2, waitUnit: 'hours' }),
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
      type: 'n8n-nodes-base.splitOut',
      parameters: { fieldToSplitOut: 'body.phones', options: { destinationFieldName: 'phone' } },
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
