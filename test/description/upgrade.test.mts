/** Workflows that 0.1.0 saved: they must open in the form of today with the same fields and the same values. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeParameters, INodeTypeDescription } from 'n8n-workflow';

import type { NodeJson, WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { actionNode, triggerNode } from '../support/built-package.mts';
import { filledIn } from '../support/form.mts';
import { SAVED_WORKFLOWS } from '../support/saved-workflows.mts';

const FOLDER = join(import.meta.dirname, '..', 'fixtures', '0.1.0');
const SEND = { messageId: '', delivery: 'now' };
/** The values that weren't entered in the form of 0.1.0, by file and node. A field that it didn't show has none. */
const NOT_ENTERED: Record<string, INodeParameters> = {
  'bulk-sms.json: Send SMS': { ...SEND, waitForDelivery: false },
  'delivery-callbacks.json: When a Message Changes': { urlNotice: '', options: {} },
  'delivery-callbacks.json: Send a Test SMS': { ...SEND, waitForDelivery: false },
  'dtmf-routing.json: When a Call Ends': { urlNotice: '' },
  'dtmf-routing.json: Call With a Question': SEND,
  'pipeline-fallback.json: Send by Pipeline': SEND,
  'pipeline-fallback.json: Ask What Became of It': {},
  'two-way-replies.json: When Somebody Replies': {
    urlNotice: '',
    options: { removeDuplicates: true, splitReplies: true },
  },
  'two-way-replies.json: Send a Question': { ...SEND, waitForDelivery: false },
  'wait-and-branch.json: Send and Wait': SEND,
};

const DESCRIPTIONS: Record<string, INodeTypeDescription> = {
  messagingGateway: actionNode().description,
  messagingGatewayTrigger: triggerNode().description,
};
const descriptionOf = ({ type }: NodeJson) => DESCRIPTIONS[type.replace(/^.*\./, '')];

const files = readdirSync(FOLDER);
const nodes = files.flatMap((file) => {
  const { nodes: all } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowJson;
  return all.filter((node) => descriptionOf(node)).map((node) => [`${file}: ${node.name}`, node] as const);
});

it.each(nodes)('%s opens with the same fields and values', (title, node) => {
  const parameters = node.parameters as INodeParameters;
  expect(filledIn(descriptionOf(node), parameters)).toEqual({ ...parameters, ...NOT_ENTERED[title] });
});

it('covers the same workflows as the checks on each version of n8n do', () => {
  expect(files.map((file) => file.replace('.json', '')).sort()).toEqual(Object.keys(SAVED_WORKFLOWS).sort());
  expect(nodes.map(([title]) => title).sort()).toEqual(Object.keys(NOT_ENTERED).sort());
});
