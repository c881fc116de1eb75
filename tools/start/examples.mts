import { CREDENTIAL_TYPE, TRIGGER } from '../../test/support/real-n8n.mts';
import type { WorkflowReference } from '../n8n-host/rest-client.mts';
import { N8nClient } from '../n8n-host/rest-client.mts';
import type { NodeJson, WorkflowJson } from '../n8n-host/workflow.mts';
import { readExamples, setUp } from '../n8n-host/workflow.mts';

const FORM_TRIGGER = 'n8n-nodes-base.formTrigger';
const WEBHOOK = 'n8n-nodes-base.webhook';

/** An example that is in an n8n, with what starts it from outside. */
export interface Example extends WorkflowReference {
  name: string;

  /** Path of its form, page or callback after the address of n8n; undefined where it is started by hand only. */
  path?: string;
}

/** The path under which n8n serves the production form, page or callback of a node; undefined for any other node. */
function pathOf({ type, webhookId, parameters }: NodeJson): string | undefined {
  if (type === FORM_TRIGGER) return `form/${String((parameters.options as { path?: string }).path)}`;
  if (type === WEBHOOK && parameters.httpMethod === 'GET') return `webhook/${String(parameters.path)}`;
  if (type === TRIGGER) return `webhook/${webhookId}/callback`;
  return undefined;
}

/** Whether no node waits for the account of another service, without which n8n publishes nothing. */
const isReady = ({ nodes }: WorkflowJson): boolean =>
  nodes.every(({ credentials = {} }) => Object.values(credentials).every(({ id }) => id !== ''));

/**
 * Puts all examples into an n8n with its credential filled in, publishes those that have a form
 * or a webhook and need no other account, and waits until these answer at `publicUrl`, where n8n serves them.
 */
export async function importExamples(
  client: N8nClient,
  publicUrl: string,
  credential: { id: string; name: string },
): Promise<Record<string, Example>> {
  const imported: Record<string, Example> = {};
  for (const [file, workflow] of Object.entries(await readExamples())) {
    const ready = setUp(workflow, CREDENTIAL_TYPE, credential);
    const reference = await client.createWorkflow(ready);
    const path = isReady(ready) ? ready.nodes.map(pathOf).find((found) => found !== undefined) : undefined;
    if (path !== undefined) {
      await client.activate(reference);
      await new N8nClient(publicUrl).untilRegistered(path);
    }
    imported[file] = { ...reference, name: workflow.name, ...(path !== undefined && { path }) };
  }
  return imported;
}
