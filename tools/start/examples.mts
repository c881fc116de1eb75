import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CREDENTIAL_TYPE, TRIGGER } from '../../test/support/real-n8n.mts';
import type { N8nClient, WorkflowReference } from '../n8n-host/rest-client.mts';
import type { NodeJson, WorkflowJson } from '../n8n-host/workflow.mts';
import { withCredential } from '../n8n-host/workflow.mts';
import { ROOT } from '../paths.mts';
import { until } from '../until.mts';

const FOLDER = join(ROOT, 'examples');
const FORM_TRIGGER = 'n8n-nodes-base.formTrigger';
const WEBHOOK = 'n8n-nodes-base.webhook';

/** How long n8n may take to serve a form or webhook of a workflow that it has published. */
const PUBLISH_LIMIT_MS = 30_000;

/** An example that is in an n8n, with what starts it from outside. */
export interface Example extends WorkflowReference {
  /** Name of its file, without `.json`. */
  file: string;
  name: string;
  /** Path of its form, page or callback after the address of n8n; undefined where it is started by hand only. */
  path?: string;
}

/** The workflows in the folder `examples`, by file name without `.json`. */
export async function readExamples(): Promise<Record<string, WorkflowJson>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.json')).sort();
  const read = async (file: string) => JSON.parse(await readFile(join(FOLDER, file), 'utf8')) as WorkflowJson;
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file.slice(0, -'.json'.length), await read(file)] as const)),
  );
}

/** The path under which n8n serves the production form, page or callback of a node; undefined for any other node. */
function pathOf({ type, webhookId, parameters }: NodeJson): string | undefined {
  if (type === FORM_TRIGGER) return `form/${String((parameters.options as { path?: string }).path)}`;
  if (type === WEBHOOK && parameters.httpMethod === 'GET') return `webhook/${String(parameters.path)}`;
  if (type === TRIGGER) return `webhook/${webhookId}/callback`;
  return undefined;
}

/**
 * Puts all examples into an n8n with its credential filled in, publishes those that have a form
 * or a webhook, and waits until these answer at `publicUrl`, where n8n serves them.
 */
export async function importExamples(
  client: N8nClient,
  publicUrl: string,
  credential: { id: string; name: string },
): Promise<Record<string, Example>> {
  const imported: Record<string, Example> = {};
  for (const [file, workflow] of Object.entries(await readExamples())) {
    const reference = await client.createWorkflow(withCredential(workflow, CREDENTIAL_TYPE, credential));
    const path = workflow.nodes.map(pathOf).find((found) => found !== undefined);
    if (path !== undefined) {
      await client.activate(reference);
      await untilAnswered(`${publicUrl}/${path}`);
    }
    imported[file] = { ...reference, file, name: workflow.name, ...(path !== undefined && { path }) };
  }
  return imported;
}

/**
 * Waits until n8n serves a form, a page or a callback address, which it does a while after it has published the
 * workflow. Sends nothing: forms and pages are only opened, and the trigger refuses an empty object as no callback.
 */
async function untilAnswered(url: string): Promise<void> {
  const isCallback = url.endsWith('/callback');
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  await until(PUBLISH_LIMIT_MS, `${url} to be served`, async () => {
    const response = await fetch(url, isCallback ? post : {});
    await response.arrayBuffer();
    return response.status === (isCallback ? 400 : 200) ? true : undefined;
  });
}
