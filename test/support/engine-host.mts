/** What n8n's server gives to its engine: the loaded package, credentials, addresses. */
import type {
  ICredentialDataDecryptedObject,
  ICredentialsHelper,
  ICredentialType,
  IDataObject,
  INodeParameters,
  INodeType,
  INodeTypes,
  IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { Container, core, workflow as n8n } from './engine-parts.mts';

export const PACKAGE_NAME = 'n8n-nodes-messaging-gateway';

/** Types by name. */
export interface NodePackage {
  nodes: Record<string, INodeType>;
  credentials: Record<string, ICredentialType>;
}

let used: NodePackage | undefined;

/** Has runs from now on use this package, in place of the sources, which only jest can load. */
export function usePackage(given: NodePackage): void {
  used = given;
}

/** The package that runs use. */
export async function nodePackage(): Promise<NodePackage> {
  if (used === undefined) {
    const { actionNode, credentialType, triggerNode } = await import('./node-types.mts');
    const nodes = [actionNode(), triggerNode()].map((node) => [
      `${PACKAGE_NAME}.${node.description.name}`,
      node,
    ]);
    const credential = credentialType();
    used = {
      nodes: Object.fromEntries(nodes) as NodePackage['nodes'],
      credentials: { [credential.name]: credential },
    };
  }
  return used;
}

/** The types as n8n's engine asks for them. */
export function nodeTypesOf(types: Record<string, INodeType>): INodeTypes {
  const find = (name: string): INodeType => {
    if (!Object.hasOwn(types, name)) throw new Error(`No node type "${name}"`);
    return types[name];
  };
  return { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
}

/** Credentials from memory; authentication by function works as in n8n's own helper. */
export function credentialsHelper(
  types: Record<string, ICredentialType>,
  data: Record<string, IDataObject>,
): ICredentialsHelper {
  const typeOf = (name: string): ICredentialType => {
    if (!Object.hasOwn(types, name)) throw new Error(`No credential type "${name}"`);
    return types[name];
  };
  const helper: Partial<ICredentialsHelper> = {
    getParentTypes: () => [],
    isCredentialUsableByNode: () => true,
    async authenticate(credentials, typeName, requestOptions) {
      const { authenticate } = typeOf(typeName);
      if (typeof authenticate === 'object') throw new Error('The harness authenticates by function only');
      const request = requestOptions as Parameters<NonNullable<typeof authenticate>>[1];
      return authenticate ? await authenticate(credentials, request) : request;
    },
    preAuthentication: () => Promise.resolve(undefined),
    getDecrypted(_, __, typeName) {
      const { properties } = typeOf(typeName);
      const given = data[typeName] as INodeParameters;
      const filled = n8n.NodeHelpers.getNodeParameters(properties, given, true, false, null, null);
      return Promise.resolve({ ...filled } as ICredentialDataDecryptedObject);
    },
  };
  return helper as ICredentialsHelper;
}

/** What runs of these nodes take from n8n; `base` is the address under which n8n would be reached. */
export const additionalData = (base: string, executionId: string, credentialsHelper: ICredentialsHelper) =>
  ({
    credentialsHelper,
    externalSecretsProxy: Container.get(core.ExternalSecretsProxy),
    executionId,
    currentNodeExecutionIndex: 0,
    instanceBaseUrl: base,
    formWaitingBaseUrl: `${base}/form-waiting`,
    webhookBaseUrl: `${base}/webhook`,
    webhookWaitingBaseUrl: `${base}/webhook-waiting`,
    variables: {},
  }) as Partial<IWorkflowExecuteAdditionalData> as IWorkflowExecuteAdditionalData;
