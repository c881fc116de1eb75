/** The nodes of the examples, as n8n's editor saves them after any change: it leaves out what it takes for not added. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import type { INodeParameters } from 'n8n-workflow';

import type { WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { ROOT } from '../../tools/paths.mts';
import { filledIn, savedByEditor } from '../support/form.mts';
import { actionNode, triggerNode } from '../support/node-types.mts';

const FOLDER = join(ROOT, 'examples');

/** What n8n makes of the node for agents has its name with one of these behind it. */
const NAME = /\.(messagingGateway(?:Trigger)?)(Tool|HitlTool)?$/;

/** Fields that n8n adds to the form of a tool and of a human review. */
const OF_N8N: Record<string, string[]> = {
  Tool: ['descriptionType', 'toolDescription'],
  HitlTool: ['descriptionType', 'toolDescription', 'message'],
};

const nodes = readdirSync(FOLDER).flatMap((file) => {
  const workflow = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowJson;
  return workflow.nodes.flatMap(({ name, type, parameters }) => {
    const [, base, suffix = ''] = NAME.exec(type) ?? [];
    if (base === undefined) return [];
    const { description } = base.endsWith('Trigger') ? triggerNode() : actionNode();
    const form = { ...description, name: `${description.name}${suffix}` };
    const own = Object.entries(parameters).filter(([field]) => !OF_N8N[suffix]?.includes(field));
    return [{ file, name, form, parameters: Object.fromEntries(own) as INodeParameters }];
  });
});

it('knows the nodes of all examples', () => expect(nodes.length).toBeGreaterThan(40));

it.each(nodes)('the editor saves all that is set: $file, $name', ({ form, parameters }) => {
  const whole = filledIn(form, parameters);
  expect(whole).toMatchObject(parameters);
  expect(filledIn(form, savedByEditor(form, parameters))).toEqual(whole);
});

it.each<[what: string, text: unknown]>([
  ['a text', '{'.repeat(1_000_000)],
  ['a list', ['{'.repeat(1_000_000), 'a']],
  ['a number', 17],
])('the text of an alert, which anybody may send, is cut: %s', (_, text) => {
  const { nodes: all } = JSON.parse(readFileSync(join(FOLDER, 'on-call-alert.json'), 'utf8')) as WorkflowJson;
  const [value = '', ...others] =
    JSON.stringify(all).match(/(?<="=\{\{ )[^"]*body\?\.text[^"]*(?= \}\}")/g) ?? [];
  expect(others).toEqual([]);
  const cut: unknown = runInNewContext(value, { $json: { body: { text } } });
  expect(cut).toBe(String(text).slice(0, 120));
});
