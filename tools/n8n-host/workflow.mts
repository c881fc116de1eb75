import type { IDataObject } from 'n8n-workflow';

type Reference = { id: string; name: string };

/** One node of a workflow, as far as tools and tests look at it. */
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

/** Gives each node that asks for a credential of this type the one of this n8n. Changes nothing in place. */
export function withCredential(workflow: WorkflowJson, type: string, { id, name }: Reference): WorkflowJson {
  const nodes = workflow.nodes.map((node) => {
    if (!node.credentials?.[type]) return node;
    return { ...node, credentials: { ...node.credentials, [type]: { id, name } } };
  });
  return { ...workflow, nodes };
}
