/** What the form and the canvas say, beyond n8n's rules for names: what keeps people from a wrong step. */
import type { INodeParameters } from 'n8n-workflow';

import { measureSms } from '../../nodes/gateway/sms/segments.ts';
import { actionNode } from '../support/node-types.mts';
import { workflow as n8n } from '../support/engine-parts.mts';
import { filledIn, shownFields } from '../support/form.mts';

const { description } = actionNode();
const CODE = { resource: 'otp', operation: 'send' };
const tool = { ...description, name: `${description.name}Tool` };

/** What the editor shows for a text of the node type that may be an expression. */
function evaluated(text: string, parameters: INodeParameters): unknown {
  const place = { typeVersion: 1, position: [0, 0] as [number, number] };
  const node = { id: '1', name: 'Node', type: 'test.node', ...place, parameters };
  const nodeTypes = { getByName: actionNode, getByNameAndVersion: actionNode, getKnownTypes: () => ({}) };
  const workflow = new n8n.Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
  return workflow.expression.getSimpleParameterValue(workflow.getNode('Node')!, text, 'internal', {});
}

it.each<[line: string, parameters: INodeParameters]>([
  ['Message', { operation: 'sendSms' }],
  ['Check Only: sends nothing', { operation: 'sendSms', options: { checkOnly: true } }],
  ['One-Time Password', CODE],
  ['SMS Template', { resource: 'smsTemplate', operation: 'getAll' }],
])('says in the line below the node what its name leaves out: %s', (line, parameters) => {
  const form = filledIn(description, { resource: 'message', ...parameters });
  expect(evaluated(description.subtitle ?? '', form)).toBe(line);
});

it('says what a waiting node waits for, and how long', () => {
  const tooltip = (parameters: INodeParameters) =>
    evaluated(description.waitingNodeTooltip ?? '', parameters);
  const sms = { resource: 'message', operation: 'sendSms', waitForDelivery: true };
  expect(tooltip(sms)).toBe('Waiting for delivery, 10 minutes at most');
  expect(tooltip({ ...sms, waitAmount: 2, waitUnit: 'hours' })).toBe('Waiting for delivery, 2 hours at most');
  const approval = { resource: 'approval', operation: 'sendAndWait' };
  expect(tooltip({ ...approval, options: {} })).toBe('Waiting until someone answers, without a limit');
  const limits = [
    { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' },
    { limitType: 'atSpecifiedTime', maxDateAndTime: '2026-12-01T17:30:00' },
  ];
  expect(limits.map((values) => tooltip({ ...approval, options: { limitWaitTime: { values } } }))).toEqual([
    'Waiting until someone answers, 45 minutes at most',
    'Waiting until someone answers, 2026-12-01T17:30:00 at most',
  ]);
});

it('says in the form of an approval what its SMS costs', () => {
  const hints = description.properties.flatMap(({ name, hint }) => (name === 'text' ? [hint] : []));
  expect(hints).toContainEqual(
    expect.stringContaining('2 parts up to 129 Latin letters, 4 up to 91 of others'),
  );
  const parts = (text: string) => measureSms(`${text} ${'x'.repeat(176)}`).segments;
  expect([129, 130].map((length) => parts('a'.repeat(length)))).toEqual([2, 3]);
  expect([91, 92].map((length) => parts('я'.repeat(length)))).toEqual([4, 5]);
});

describe('the channels of a pipeline', () => {
  const stagesOf = (parameters: INodeParameters) => {
    const form = { resource: 'message', operation: 'sendPipeline', ...parameters };
    return (filledIn(description, form).pipeline as { stages: INodeParameters[] }).stages;
  };

  it('begin with Viber, then SMS', () => {
    const text = { message: '', signature: { __rl: true, mode: 'list', value: '' } };
    expect(stagesOf({})).toEqual([
      { channel: 'viber', ...text, viberType: 'text' },
      { channel: 'sms', ...text },
    ]);
  });

  it('stay SMS where a workflow was saved without the channel, which n8n leaves out as a default', () => {
    const [stage] = stagesOf({ pipeline: { stages: [{ message: 'Hi', signature: 'TestSender' }] } });
    expect(stage).toEqual({ channel: 'sms', message: 'Hi', signature: 'TestSender' });
  });
});

it("says at the top of an agent's tool that it sends nothing yet, and later how a person is put between", () => {
  const notices = (parameters: INodeParameters, type = tool) =>
    shownFields(type, { resource: 'message', operation: 'sendSms', ...parameters })
      .filter(({ property }) => property.type === 'notice')
      .map(({ displayName }) => displayName);
  const open = { allowSending: true, allowedRecipients: '380' };
  expect(notices({})).toEqual([expect.stringContaining('sends nothing')]);
  expect(notices({ ...open, confirmation: 'person' })).toEqual([
    expect.stringMatching(/human review.*<i>Human review<\/i>/),
  ]);
  expect(notices(open)).toEqual([]);
  expect(notices({}, description)).toEqual([]);
  expect(notices({ operation: 'getStatus' })).toEqual([]);
});
