import type { IDataObject } from 'n8n-workflow';

import { senderNamed, smsForm } from '../test/support/sends.mts';
import type { NodeJson, WorkflowJson } from '../tools/n8n-host/workflow.mts';
import { chainOf } from '../tools/n8n-host/workflow.mts';
import { PACKAGE_NAME } from '../tools/paths.mts';
import { SENDER } from './gateway.mts';

export const CREDENTIAL_TYPE = 'messagingGatewayApi';

/** What a user gets by dragging the fields of an item into the boxes. */
const PHONE = '={{ $json.phone }}';
const TEXT = '=Hello {{ $json.name }}';

export type ContestantKey = 'node' | 'aggregate' | 'perItem';

export interface Contestant {
  key: ContestantKey;
  title: string;
  /** Most items of a run. */
  most: number;
  /** The nodes under test, one after the other, behind the one that makes the items. */
  build(gateway: { baseUrl: string }, credential: IDataObject): NodeJson[];
}

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

const messagingGateway = (credential: IDataObject): NodeJson => ({
  name: 'Messaging Gateway',
  type: `${PACKAGE_NAME}.messagingGateway`,
  typeVersion: 1,
  parameters: smsForm({
    phone: PHONE,
    smsSignature: senderNamed(SENDER),
    smsMessage: TEXT,
  }),
  credentials: { [CREDENTIAL_TYPE]: credential as { id: string; name: string } },
});

export const CONTESTANTS: Contestant[] = [
  {
    key: 'node',
    title: 'This node',
    most: Infinity,
    build: (_gateway, credential) => [messagingGateway(credential)],
  },
  {
    key: 'aggregate',
    title: 'Aggregate + HTTP Request',
    most: Infinity,
    build: ({ baseUrl }, credential) => [
      {
        name: 'Aggregate',
        type: 'n8n-nodes-base.aggregate',
        typeVersion: 1,
        parameters: { aggregate: 'aggregateAllItemData', options: {} },
      },
      httpRequest(baseUrl, credential, ALL),
    ],
  },
  {
    key: 'perItem',
    title: 'HTTP Request per item',
    most: 10_000,
    build: ({ baseUrl }, credential) => [httpRequest(baseUrl, credential, ONE)],
  },
];

/** An item of the input, by its number. */
export const itemOf = (i: number) => ({ id: i + 1, phone: String(380500123456 + i), name: `Person ${i}` });

/** The same in a Code node; `count` comes with the webhook. */
const MAKE_ITEMS = `const { count } = $input.first().json.body;
return Array.from({ length: count }, (_, i) => (
  { json: { id: i + 1, phone: String(380500123456 + i), name: \`Person \${i}\` } }
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
  const tested = contestant.build(gateway, credential);
  const path = `bench-${contestant.key}`;
  const nodes = [
    {
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      webhookId: path,
      parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'noData', options: {} },
    },
    { name: 'Items', type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode: MAKE_ITEMS } },
    ...tested,
  ];
  return {
    json: { ...chainOf(contestant.title, nodes), settings: { executionOrder: 'v1' } },
    path,
    measured: tested.map(({ name }) => name),
  };
}
