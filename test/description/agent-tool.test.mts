import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { OPERATIONS as ALL } from '../../nodes/MessagingGateway/operations/index.ts';
import { actionNode } from '../support/node-types.mts';
import { optionNames, shownFields } from '../support/form.mts';

const node = actionNode().description;
/** What n8n makes of the node for agents: the same form under a name that ends with "Tool". */
const tool = { ...node, name: `${node.name}Tool` };

const OPERATIONS = ALL.map(({ resource, operation }) => ({ resource, operation }));
const names = (description: typeof node, parameters: INodeParameters) =>
  shownFields(description, parameters).map(({ name }) => name);

const LOCKS = ['allowSending', 'confirmation', 'confirmedByAgent'];
const locks = (...form: Parameters<typeof names>) => names(...form).filter((name) => LOCKS.includes(name));
/** The approval refuses to be a tool: n8n makes a human review of it. */
const isLocked = ({ resource, operation }: { resource: string; operation: string }) =>
  !['assistant', 'approval'].includes(resource) && /^(send|call|delete)/.test(operation);

describe.each(OPERATIONS)('$resource $operation as a tool', (parameters) => {
  const locked = isLocked(parameters);

  it('has the locks exactly where it sends or deletes, closed by default, and only as a tool', () => {
    const open = { ...parameters, allowSending: true };
    expect(locks(tool, parameters)).toEqual(locked ? ['allowSending'] : []);
    expect(locks(node, open)).toEqual([]);
    expect(locks(tool, open)).toEqual(locked ? LOCKS : []);
    expect(locks(tool, { ...open, confirmation: 'person' })).not.toContain('confirmedByAgent');
  });

  it('offers one to ten options, and none for lists', () => {
    const names = optionNames(shownFields(tool, { ...parameters, channels: ['viber', 'sms'] }));
    const offered = new Set(names.map((name) => name.split('.')[0]));
    expect([offered.size > 0, offered.size <= 10]).toEqual([true, true]);
    for (const name of ['checkOnly', 'delivery', 'messageId', 'senders', 'speed'])
      expect(offered).not.toContain(name);
  });

  it('is described to a model by a sentence of its own', () => {
    const describe = (one: INodeParameters) =>
      NodeHelpers.getToolDescriptionForNode(
        { parameters: { ...one, descriptionType: 'auto' } } as never,
        { description: tool } as never,
      );
    const own = describe(parameters);
    expect(own).toMatch(/^[A-Z][\w-]+(,? [\w-]+)+ in Messaging Gateway$/);
    expect(OPERATIONS.filter((other) => describe(other) === own)).toEqual([parameters]);
  });
});

it('lets no agent fill in a switch, a limit or the numbers that it may write to', () => {
  expect(OPERATIONS.filter(isLocked).length).toBeGreaterThanOrEqual(10);
  const switches = node.properties.filter(({ name }) =>
    ['allowSending', 'allowedRecipients', 'confirmation', 'confirm'].includes(name),
  );
  const options = node.properties.find(({ name }) => name === 'options')?.options as INodeProperties[];
  const [{ values: limits }] = options.find(({ name }) => name === 'limits')
    ?.options as INodePropertyCollection[];
  expect([switches.length > 2, limits.length]).toEqual([true, 3]);
  expect([...switches, ...limits].filter(({ noDataExpression }) => noDataExpression !== true)).toEqual([]);
});

it('says that anyone may be written to, or looked up, until numbers are entered', () => {
  const notice = (form: INodeParameters) =>
    shownFields(tool, form).find(({ name }) => name === 'recipientsNotice')?.displayName;
  const sms = { resource: 'message', operation: 'sendSms' };
  for (const form of [
    { ...sms, allowSending: true },
    { resource: 'number', operation: 'lookup' },
    { resource: 'assistant', operation: 'callTool' },
  ]) {
    expect(notice(form)).toMatch(/^Anyone: /);
    expect(notice({ ...form, allowedRecipients: '380' })).toBeUndefined();
  }
  expect(notice(sms)).toBeUndefined();
});

it('has the switch Confirm in place of Allow Sending for the call of a connector tool', () => {
  const parameters = { resource: 'assistant', operation: 'callTool' };
  const switches = (description: typeof node, more: INodeParameters) =>
    names(description, { ...parameters, ...more }).filter((name) => [...LOCKS, 'confirm'].includes(name));
  expect(switches(tool, {})).toEqual(['confirm']);
  expect(switches(tool, { confirm: true }).sort()).toEqual(['confirm', 'confirmation', 'confirmedByAgent']);
  expect(switches(node, { confirm: true })).toEqual(['confirm']);
});
