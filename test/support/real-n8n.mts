import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.mts';
import { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import type { Session, WorkflowJson } from '../../tools/n8n-host/rest-client.mts';
import type { NodeJson } from '../../tools/n8n-host/workflow.mts';
import { chainOf } from '../../tools/n8n-host/workflow.mts';
import { PACKAGE_NAME } from '../../tools/paths.mts';

export { OWNER } from '../../tools/n8n-host/n8n-process.mts';

export const CREDENTIAL_TYPE = 'messagingGatewayApi';
export const ACTION = `${PACKAGE_NAME}.messagingGateway`;
export const TRIGGER = `${PACKAGE_NAME}.messagingGatewayTrigger`;

export interface RealN8n {
  client: N8nClient;
  url: string;
  folder: string;
  logFile: string;
}

/** What the set-up leaves for the tests, as JSON in the environment variable `E2E_STATE`. */
export type State = Omit<RealN8n, 'client'> & { session: Session; version: string };

/** The n8n of the end-to-end tests, logged in as its owner. */
export async function realN8n(): Promise<RealN8n> {
  const { session, version, ...state } = JSON.parse(process.env.E2E_STATE ?? '') as State;
  return await Promise.resolve({ ...state, client: new N8nClient(state.url, session, version) });
}

/** The data of a credential for a sandbox. */
export const credentialData = (sandbox: Sandbox): IDataObject => ({
  apiKey: sandbox.account().key,
  baseUrl: sandbox.baseUrl,
  asyncUrl: sandbox.asyncUrl,
  mcpUrl: sandbox.mcpUrl,
});

export type { NodeJson };

export const START = 'Start';
let serial = 0;

/** A node of the action type with the sandbox's credential. */
export const action = (
  name: string,
  credential: { id: string; name: string },
  parameters: IDataObject,
  settings: IDataObject = {},
): NodeJson => ({
  name,
  type: ACTION,
  parameters,
  credentials: { [CREDENTIAL_TYPE]: credential },
  ...settings,
});

/** A node that outputs what an expression returns for each item. */
export const reshape = (name: string, jsonOutput: string): NodeJson => ({
  name,
  type: 'n8n-nodes-base.set',
  typeVersion: 3.4,
  parameters: { mode: 'raw', jsonOutput, includeOtherFields: false, options: {} },
});

/** A workflow of a trigger alone, at the address `<webhookId>/callback`. */
export const listener = (
  webhookId: string,
  parameters: IDataObject = {},
  credential?: { id: string; name: string },
): WorkflowJson => {
  const credentials = credential && { credentials: { [CREDENTIAL_TYPE]: credential } };
  const trigger = { name: 'Callback', type: TRIGGER, typeVersion: 1.1, webhookId, parameters };
  return chainOf('Listener', [{ ...trigger, ...credentials }]);
};

/** Items as a node that makes them. */
export const rows = (name: string, items: IDataObject[]): NodeJson => ({
  name,
  type: 'n8n-nodes-base.code',
  typeVersion: 2,
  parameters: { jsCode: `return ${JSON.stringify(items.map((json) => ({ json })))};` },
});

/** A workflow that starts by hand; `branches` are chains of nodes that all begin at the trigger. */
export function workflow(...branches: NodeJson[][]): WorkflowJson {
  const start = { name: START, type: 'n8n-nodes-base.manualTrigger', parameters: {} };
  const { name, nodes } = chainOf(`Test ${++serial}`, [start, ...branches.flat()]);
  const connections: IDataObject = Object.assign(
    { [START]: { main: [branches.map(([first]) => ({ node: first.name, type: 'main', index: 0 }))] } },
    ...branches.map((branch) => chainOf('', branch).connections),
  );
  return { name, nodes, connections };
}
