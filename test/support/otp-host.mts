/** The examples of one-time passwords in a real n8n. */
import type { IDataObject } from 'n8n-workflow';

import type { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import { readExamples, withCredential } from '../../tools/n8n-host/workflow.mts';
import type { NodeJson, WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { until } from '../../tools/until.mts';
import { CREDENTIAL_TYPE } from './real-n8n.mts';
import { untilPublished } from './publication.mts';

export interface ExampleChange {
  /** Parameters that replace those of nodes that send a code. */
  send?: IDataObject;
  /** Options that are added to them. */
  options?: IDataObject;
  /** Appended to the paths of forms and webhooks, which are unique in an n8n. */
  path: string;
}

/** An example with changes. */
export async function changedExample(
  file: string,
  credential: { id: string; name: string },
  change: ExampleChange,
): Promise<WorkflowJson> {
  const { [file]: example } = await readExamples();
  const workflow = withCredential(example, CREDENTIAL_TYPE, credential);
  const nodes = workflow.nodes.map((node) => changed(node, change));
  return { ...workflow, name: `${workflow.name} ${change.path}`, nodes };
}

/** Puts an example into n8n with changes, publishes it, and gives its id. */
export async function publishExample(
  client: N8nClient,
  file: string,
  credential: { id: string; name: string },
  change: ExampleChange,
): Promise<{ id: string; versionId: string }> {
  const created = await client.createWorkflow(await changedExample(file, credential, change));
  await client.activate(created);
  // n8n serves a form before it has finished publishing, and not at every moment until then.
  await untilPublished(client, created.id);
  return created;
}

function changed(node: NodeJson, { send, options, path }: ExampleChange): NodeJson {
  const { parameters } = node;
  const own = (parameters.options ?? {}) as IDataObject;
  const id = typeof node.webhookId === 'string' ? { webhookId: `${node.webhookId}-${path}` } : {};
  if (parameters.resource === 'otp' && parameters.operation === 'send') {
    return { ...node, parameters: { ...parameters, ...send, options: { ...own, ...options } } };
  }
  if (typeof own.path === 'string') {
    return {
      ...node,
      ...id,
      parameters: { ...parameters, options: { ...own, path: `${own.path}-${path}` } },
    };
  }
  if (node.type === 'n8n-nodes-base.webhook') {
    // The page finds the webhooks beside its own address.
    const renamed = String(parameters.path).replace('one-time-password', `one-time-password-${path}`);
    return { ...node, ...id, parameters: { ...parameters, path: renamed } };
  }
  return { ...node, ...id };
}

/** An answer of a webhook. */
export interface Reply extends IDataObject {
  status: number;
}

/** Posts to a webhook of n8n, waiting while a just published one still answers 404. */
export async function callHook(client: N8nClient, path: string, body: IDataObject): Promise<Reply> {
  const response = await client.postWebhook(path, body);
  return { status: response.status, ...((await response.json()) as IDataObject) };
}

/** Waits until n8n serves a form or a page that was just published; opening it sends nothing. */
export async function untilServed(url: string): Promise<void> {
  await until(`${url} to be served`, async () => {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.ok || undefined;
  });
}
