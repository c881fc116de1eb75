import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { PACKAGE_NAME, ROOT } from '../paths.mts';

const EXAMPLES = join(ROOT, 'examples');

type Reference = { id: string; name: string };

/** A node of a workflow, as far as tools and tests look at it. */
export interface NodeJson {
  name: string;
  type: string;
  parameters: IDataObject;
  credentials?: Record<string, Reference>;
  [setting: string]: unknown;
}

/** A workflow as the editor exports and imports it. */
export interface WorkflowJson {
  name: string;
  nodes: NodeJson[];
  connections: IDataObject;
  settings?: IDataObject;
}

/** A workflow of nodes that follow each other, the first of which starts it. */
export function chainOf(name: string, nodes: NodeJson[]): WorkflowJson {
  const connections: IDataObject = {};
  for (const [i, { name: next }] of nodes.slice(1).entries()) {
    connections[nodes[i].name] = { main: [[{ node: next, type: 'main', index: 0 }]] };
  }
  const placed = nodes.map((node, i) => ({
    id: `node-${i}`,
    typeVersion: 1,
    position: [i * 200, 0],
    ...node,
  }));
  return { name, nodes: placed, connections };
}

/** Gives each node that asks for a credential of this type the one of this n8n. Changes nothing in place. */
export function withCredential(workflow: WorkflowJson, type: string, { id, name }: Reference): WorkflowJson {
  const nodes = workflow.nodes.map((node) => {
    if (!node.credentials?.[type]) return node;
    return { ...node, credentials: { ...node.credentials, [type]: { id, name } } };
  });
  return { ...workflow, nodes };
}

const isTrigger = ({ type }: NodeJson): boolean => type === `${PACKAGE_NAME}.messagingGatewayTrigger`;

/** Does what an example asks of its user: chooses the credential of this type, and writes a secret into its trigger. */
export function setUp(example: WorkflowJson, type: string, credential: Reference): WorkflowJson {
  const workflow = withCredential(example, type, credential);
  const nodes = workflow.nodes.map((node) => {
    if (!isTrigger(node)) return node;
    const options = { ...(node.parameters.options as IDataObject), secret: randomUUID() };
    return { ...node, parameters: { ...node.parameters, options } };
  });
  return { ...workflow, nodes };
}

/** The callback address of a workflow's trigger, below that of all webhooks, with its secret. */
export function callbackPath({ nodes }: WorkflowJson): string {
  const { webhookId, parameters } = nodes.find(isTrigger) as NodeJson & {
    parameters: { options: IDataObject };
  };
  return `${webhookId as string}/callback?secret=${parameters.options.secret as string}`;
}

/** The workflows in the folder `examples`, by file name without `.json`. */
export async function readExamples(): Promise<Record<string, WorkflowJson>> {
  const files = (await readdir(EXAMPLES)).filter((file) => file.endsWith('.json')).sort();
  const read = async (file: string) =>
    JSON.parse(await readFile(join(EXAMPLES, file), 'utf8')) as WorkflowJson;
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file.slice(0, -'.json'.length), await read(file)] as const)),
  );
}
