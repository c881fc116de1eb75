/** Stands in for nodes of other services in an example, whose accounts a test doesn't have. */
import type { IDataObject } from 'n8n-workflow';

import type { NodeJson, WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { rows, START } from './real-n8n.mts';

const changed = (
  workflow: WorkflowJson,
  name: string,
  change: (node: NodeJson) => NodeJson,
): WorkflowJson => {
  if (!workflow.nodes.some((node) => node.name === name)) throw new Error(`The example has no node ${name}`);
  return { ...workflow, nodes: workflow.nodes.map((node) => (node.name === name ? change(node) : node)) };
};

/** In place of a node that reads, or of a trigger: the items that it would give. */
export const withItems = (workflow: WorkflowJson, name: string, items: IDataObject[]): WorkflowJson =>
  changed(workflow, name, ({ id, position }) => ({ ...rows(name, items), id, position }));

/** In place of a node that writes: one that puts out what would be written, by the node's own expressions. */
export const withEcho = (workflow: WorkflowJson, name: string): WorkflowJson =>
  changed(workflow, name, ({ id, position, parameters }) => {
    const { eventId, updateFields, columns } = parameters as Record<string, IDataObject | undefined>;
    const written: IDataObject = {
      ...(eventId && { eventId }),
      ...updateFields,
      ...(columns?.value as IDataObject | undefined),
    };
    const assignments = Object.entries(written).map(([field, value]) => ({
      ...{ id: field, name: field, type: 'string', value },
    }));
    const options = { ignoreConversionErrors: true };
    return {
      ...{ id, name, position, type: 'n8n-nodes-base.set', typeVersion: 3.4 },
      parameters: { assignments: { assignments }, options },
    };
  });

/** A workflow that starts by hand, before these nodes. */
export const withStart = (workflow: WorkflowJson, ...next: string[]): WorkflowJson => ({
  ...workflow,
  nodes: [
    ...workflow.nodes,
    {
      id: START,
      name: START,
      type: 'n8n-nodes-base.manualTrigger',
      typeVersion: 1,
      position: [-300, 0],
      parameters: {},
    },
  ],
  connections: {
    ...workflow.connections,
    [START]: { main: [next.map((node) => ({ node, type: 'main', index: 0 }))] },
  },
});

/** A workflow with other values of some parameters of a node. */
export const withParameters = (workflow: WorkflowJson, name: string, parameters: IDataObject): WorkflowJson =>
  changed(workflow, name, (node) => ({ ...node, parameters: { ...node.parameters, ...parameters } }));
