/** n8n's own contexts around the source of the package, whose requests really leave: no execution is run. */
import type {
  ICredentialTestFunctions,
  IDataObject,
  IExecuteFunctions,
  ILoadOptionsFunctions,
  INode,
  INodeParameters,
} from 'n8n-workflow';

import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials.ts';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node.ts';
import { additionalData, credentialsHelper, nodeTypesOf, PACKAGE_NAME } from './engine-host.mts';
import { core, workflow as n8n } from './engine-parts.mts';

const TYPE = `${PACKAGE_NAME}.messagingGateway`;
const CREDENTIAL = 'messagingGatewayApi';

/** What n8n's contexts of the node are made of. */
export function contextParts(credential: IDataObject, executionId = '1') {
  const node: INode = {
    id: 'node',
    name: 'Messaging Gateway',
    type: TYPE,
    typeVersion: 1,
    position: [0, 0],
    parameters: {},
    credentials: { [CREDENTIAL]: { id: '1', name: 'Test' } },
  };
  const nodeTypes = nodeTypesOf({ [TYPE]: new MessagingGateway() });
  const graph = new n8n.Workflow({ id: 'w', nodes: [node], connections: {}, active: false, nodeTypes });
  const helper = credentialsHelper({ [CREDENTIAL]: new MessagingGatewayApi() }, { [CREDENTIAL]: credential });
  return { node, graph, extra: additionalData('http://127.0.0.1:9', executionId, helper) };
}

/** What a form gives to the list of the field at `path`; `filledIn` are the values of the form. */
export function formContext(
  credential: IDataObject,
  path = 'smsSignature',
  filledIn: INodeParameters = {},
): ILoadOptionsFunctions {
  const { node, graph, extra } = contextParts(credential);
  const data = { ...extra, currentNodeParameters: filledIn };
  return new core.LoadOptionsContext(graph, node, data, `parameters.${path}`);
}

/** What an execution gives to the node; the signal stops the execution. */
export function runContext(credential: IDataObject, cancelled?: AbortSignal): IExecuteFunctions {
  const { node, graph, extra } = contextParts(credential);
  const execution = n8n.createRunExecutionData({});
  const items = [{ json: {} }];
  const data = { main: [items] };
  const step = { node, data, source: null };
  const run = [graph, node, extra, 'manual', execution, 0, items, data, step] as const;
  return new core.ExecuteContext(...run, [], cancelled);
}

/** What the test of a credential gets. */
export const credentialTestContext = (): ICredentialTestFunctions =>
  new core.CredentialTestContext(contextParts({}).extra) as ICredentialTestFunctions;
