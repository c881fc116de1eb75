/** Workflows that 0.1.0 saved: they must open in the form of today with the same fields and the same values. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeParameters, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import type { NodeJson, WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { actionNode, triggerNode } from '../support/built-package.mts';
import { shownFields } from '../support/form.mts';
import { SAVED_WORKFLOWS } from '../support/saved-workflows.mts';

const FOLDER = join(import.meta.dirname, '..', 'fixtures', '0.1.0');
/** What the form of 0.1.0 showed, by file and node: names of the fields in their order, and the values that weren't entered. */
const SHOWN = JSON.parse(readFileSync(join(FOLDER, 'shown', 'forms.json'), 'utf8')) as Record<
  string,
  { fields: string[]; defaults: INodeParameters }
>;

const DESCRIPTIONS: Record<string, INodeTypeDescription> = {
  messagingGateway: actionNode().description,
  messagingGatewayTrigger: triggerNode().description,
};
const descriptionOf = ({ type }: NodeJson) => DESCRIPTIONS[type.replace(/^.*\./, '')];

const nodes = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => {
    const { nodes: all } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowJson;
    return all.filter((node) => descriptionOf(node)).map((node) => [`${file}: ${node.name}`, node] as const);
  });

const valuesOf = (node: NodeJson) => {
  const description = descriptionOf(node);
  const parameters = node.parameters as INodeParameters;
  return NodeHelpers.getNodeParameters(
    description.properties,
    parameters,
    true,
    false,
    { typeVersion: 1 } as never,
    description,
  );
};

it.each(nodes)('%s opens with the same fields and values', (title, node) => {
  const fields = shownFields(descriptionOf(node), node.parameters as INodeParameters).map(({ name }) => name);
  expect(fields).toEqual(SHOWN[title].fields);
  expect(valuesOf(node)).toEqual({ ...node.parameters, ...SHOWN[title].defaults });
});

it('covers the same workflows as the checks on each version of n8n do', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
  expect(files.map((file) => file.replace('.json', '')).sort()).toEqual(Object.keys(SAVED_WORKFLOWS).sort());
  expect(nodes.map(([title]) => title).sort()).toEqual(Object.keys(SHOWN).sort());
});
