import type { IDataObject } from 'n8n-workflow';

import { senderNamed, smsForm } from '../test/support/sends.mts';
import type { NodeJson, WorkflowJson } from '../tools/n8n-host/workflow.mts';
import { PACKAGE_NAME } from '../tools/paths.mts';
import { SENDER } from './gateway.mts';

export const CREDENTIAL_TYPE = 'messagingGatewayApi';

/** What a user gets by dragging the fields of an item into the boxes. */
const PHONE = '={{ $json.phone }}';
const TEXT = '=Hello {{ $json.name }}';

export type ContestantKey = 'node' | 'nodeHundred' | 'aggregate' | 'perItem' | 'loop' | 'editFields';

export interface Contestant {
  key: ContestantKey;
  title: string;
  /** Whether it talks to the gateway, so that its latency matters. */
  sends: boolean;
  /** Most items of a measured run; more is calculated from the largest measured number of items. */
  most: number;
  /** The nodes under test behind the one that makes the items, and how they are wired. */
  build(gateway: { baseUrl: string }, credential: IDataObject): Chain;
}

interface Chain {
  nodes: NodeJson[];
  /** From, to, output of `from`; left out, the nodes follow each other. */
  wires?: Array<[from: string, to: string, output: number]>;
}

/** Names of the nodes that only serve the measurement. */
const HOOK = 'Webhook';
export const ITEMS = 'Items';

const httpRequest = (baseUrl: string, credential: IDataObject, jsonBody: string): NodeJson => ({
  name: 'HTTP Request',
  type: 'n8n-nodes-base.httpRequest',
  typeVersion: 4.2,
  parameters: {
    method: 'POST',
    url: `${baseUrl}/api/json.php`,
    authentication: 'predefinedCredentialType',
    nodeCredentialType: CREDENTIAL_TYPE,
    sendBody: true,
    specifyBody: 'json',
    jsonBody,
    options: {},
  },
  credentials: { [CREDENTIAL_TYPE]: credential as { id: string; name: string } },
});

/** One message, with the references inside the text as the editor writes them. */
const ONE = `={ "data": [{ "type": "sms", "id": {{ $json.id }}, "phone": {{ $json.phone }}, "sms_signature": "${SENDER}", "sms_message": "Hello {{ $json.name }}" }] }`;

/** All messages by one expression over the aggregated items: the fastest way by hand. */
const ALL = `={{ JSON.stringify({ data: $json.data.map((item) => ({ type: 'sms', id: item.id, phone: Number(item.phone), sms_signature: '${SENDER}', sms_message: 'Hello ' + item.name })) }) }}`;

const messagingGateway = (credential: IDataObject, options: IDataObject = {}): NodeJson => ({
  name: 'Messaging Gateway',
  type: `${PACKAGE_NAME}.messagingGateway`,
  typeVersion: 1,
  parameters: smsForm({ phone: PHONE, smsSignature: senderNamed(SENDER), smsMessage: TEXT, options }),
  credentials: { [CREDENTIAL_TYPE]: credential as { id: string; name: string } },
});

const field = (name: string, value: string) => ({ id: name, name, value, type: 'string' });

export const CONTESTANTS: Contestant[] = [
  {
    key: 'node',
    title: 'This node',
    sends: true,
    most: Infinity,
    build: (_gateway, credential) => ({ nodes: [messagingGateway(credential)] }),
  },
  {
    key: 'nodeHundred',
    title: 'This node, batches of 100',
    sends: true,
    most: Infinity,
    build: (_gateway, credential) => ({ nodes: [messagingGateway(credential, { batchSize: 100 })] }),
  },
  {
    key: 'aggregate',
    title: 'Aggregate + HTTP Request',
    sends: true,
    most: Infinity,
    build: ({ baseUrl }, credential) => ({
      nodes: [
        {
          name: 'Aggregate',
          type: 'n8n-nodes-base.aggregate',
          typeVersion: 1,
          parameters: { aggregate: 'aggregateAllItemData', options: {} },
        },
        httpRequest(baseUrl, credential, ALL),
      ],
    }),
  },
  {
    key: 'perItem',
    title: 'HTTP Request per item',
    sends: true,
    most: 10_000,
    build: ({ baseUrl }, credential) => ({ nodes: [httpRequest(baseUrl, credential, ONE)] }),
  },
  {
    key: 'loop',
    title: 'Loop + HTTP Request',
    sends: true,
    most: 1000,
    build: ({ baseUrl }, credential) => ({
      nodes: [
        { name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3, parameters: { options: {} } },
        httpRequest(baseUrl, credential, ONE),
      ],
      wires: [
        ['Loop', 'HTTP Request', 1],
        ['HTTP Request', 'Loop', 0],
      ],
    }),
  },
  {
    key: 'editFields',
    title: 'Edit Fields',
    sends: false,
    most: Infinity,
    build: () => ({
      nodes: [
        {
          name: 'Edit Fields',
          type: 'n8n-nodes-base.set',
          typeVersion: 3.4,
          parameters: {
            assignments: { assignments: [field('phone', PHONE), field('text', TEXT)] },
            options: {},
          },
        },
      ],
    }),
  },
];

/** An item of the input, by its number. */
export const itemOf = (i: number) => ({ id: i + 1, phone: String(380500000000 + i), name: `Person ${i}` });

/** The same in a Code node; `count` comes with the webhook. */
const MAKE_ITEMS = `const { count } = $input.first().json.body;
return Array.from({ length: count }, (_, i) => (
  { json: { id: i + 1, phone: String(380500000000 + i), name: \`Person \${i}\` } }
));`;

export interface BenchWorkflow {
  json: WorkflowJson;
  path: string;
  /** Nodes whose time counts. */
  measured: string[];
}

/** Webhook, items, and the contestant's nodes. The webhook answers when all of them have ended. */
export function workflowOf(
  contestant: Contestant,
  gateway: { baseUrl: string },
  credential: IDataObject,
): BenchWorkflow {
  const { nodes: tested, wires } = contestant.build(gateway, credential);
  const path = `bench-${contestant.key}`;
  const nodes = [
    {
      name: HOOK,
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      webhookId: path,
      parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'noData', options: {} },
    },
    { name: ITEMS, type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode: MAKE_ITEMS } },
    ...tested,
  ].map((node, i) => ({ id: `node-${i}`, position: [i * 200, 0], ...node }));
  const inOrder = tested.slice(1).map(({ name }, i): [string, string, number] => [tested[i].name, name, 0]);
  const all: Array<[string, string, number]> = [
    [HOOK, ITEMS, 0],
    [ITEMS, tested[0].name, 0],
    ...(wires ?? inOrder),
  ];
  const connections: Record<string, { main: IDataObject[][] }> = {};
  for (const [from, to, output] of all) {
    const { main } = (connections[from] ??= { main: [] });
    while (main.length <= output) main.push([]);
    main[output].push({ node: to, type: 'main', index: 0 });
  }
  return {
    json: { name: contestant.title, nodes, connections, settings: { executionOrder: 'v1' } },
    path,
    measured: tested.map(({ name }) => name),
  };
}
