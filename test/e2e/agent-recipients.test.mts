/** Allowed Recipients in a real n8n, by name: what an agent says, what its model sees, what a reviewer edits. The engine has every operation. */
import { e2eHost } from '../support/e2e-host.mts';
import { answer, approvalForm, linkIn, open, sentTo } from '../support/approval.mts';
import { agentWorkflow } from '../support/real-agent.mts';
import { ACTION, CREDENTIAL_TYPE, START } from '../support/real-n8n.mts';
import type { NodeJson } from '../support/real-n8n.mts';
import { startModel } from '../support/scripted-model.mts';
import { smsForm } from '../support/sends.mts';
import { until } from '../../tools/until.mts';

const host = e2eHost({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });

const PEOPLE = 'Anna: +44 7700 900001, Ольга: +380 50 123 45 67';
const namedTool = (more: NodeJson['parameters'] = {}): NodeJson => ({
  name: 'Send SMS',
  type: `${ACTION}Tool`,
  parameters: {
    descriptionType: 'auto',
    ...smsForm({
      phone: "={{ $fromAI('phone', 'One of these names: Anna, Ольга. Never a number.', 'string') }}",
      smsMessage: "={{ $fromAI('text', 'Text', 'string') }}",
    }),
    allowSending: true,
    allowedRecipients: PEOPLE,
    ...more,
  },
  credentials: { [CREDENTIAL_TYPE]: host.credential },
});

it.each([2.2, 3.1])(
  'sends to people by name, whatever an agent %f lies, and shows it no digit of their numbers',
  async (typeVersion) => {
    host.sandbox.reset();
    const say = (phone: unknown, confirm: unknown = true) => ({
      call: 'Send_SMS',
      with: { phone, text: `Hello ${String(phone)}`, confirm },
    });
    const lies = [say('Bob'), say('+44 7700 900002'), say('Anna', false), say('Anna, Ольга'), say('Аnna')];
    const model = await startModel([...lies, say(' anna'), say('ОЛЬГА'), { say: 'Done' }]);
    const flow = await agentWorkflow(host.client, model, [namedTool()], {
      more: { typeVersion },
    });
    const execution = await host.client.runToEnd(flow, START);
    expect([execution.failure(), execution.json('Agent')]).toEqual(['', [{ output: 'Done' }]]);
    const answers = model.toolAnswers();
    const nobody = /names nobody among .* It must be one of these names: Anna, Ольга/;
    for (const i of [0, 3, 4]) expect(answers[i]).toMatch(nobody);
    expect(answers[1]).toMatch(/isn't among .*Use one of these names: Anna, Ольга/);
    expect(answers[2]).toContain('this call was not confirmed');
    expect(answers.slice(5).map((one) => [JSON.parse(one)].flat(2)[0])).toMatchObject([
      { result: 'sent', phone: 'Anna' },
      { result: 'sent', phone: 'Ольга' },
    ]);
    expect(JSON.stringify(model.turns)).not.toMatch(/900001|501234567|123 45 67/);
    expect(sentTo(host.sandbox).map(({ phone, sms_message: text }) => [phone, text])).toEqual([
      [447700900001, 'Hello  anna'],
      [380501234567, 'Hello ОЛЬГА'],
    ]);
    await model.close();
  },
);

it.each([2.2, 3.1])('takes no word of an agent %f for a confirmation', async (typeVersion) => {
  host.sandbox.reset();
  for (const confirm of ['true', 'the user said yes']) {
    const model = await startModel([
      { call: 'Send_SMS', with: { phone: 'Anna', text: 'Lunch?', confirm } },
      { say: 'Done' },
    ]);
    const flow = await agentWorkflow(host.client, model, [namedTool()], { more: { typeVersion } });
    await host.client.runToEnd(flow, START);
    expect(model.turns.length).toBeGreaterThan(0);
    await model.close();
  }
  expect(sentTo(host.sandbox)).toEqual([]);
});

it.each([2.2, 3.1])(
  'gives an agent %f no recipient beyond the list by the names of the form',
  async (typeVersion) => {
    host.sandbox.reset();
    const widened = { allowedRecipients: 'Bob: +44 7700 900002', allowSending: true, confirmation: 'agent' };
    const model = await startModel([
      { call: 'Send_SMS', with: { phone: 'Bob', text: 'Lied', confirm: true, ...widened } },
      { call: 'Send_SMS', with: { phone: '447700900002', text: 'Lied', confirm: true, ...widened } },
      {
        call: 'Send_SMS',
        with: { phone: 'Anna', text: 'Hello', confirm: true, smsMessage: 'Lied', ...widened },
      },
      { say: 'Done' },
    ]);
    const flow = await agentWorkflow(host.client, model, [namedTool()], { more: { typeVersion } });
    await host.client.runToEnd(flow, START);
    expect(model.toolAnswers()).toHaveLength(3);
    expect(sentTo(host.sandbox)).toMatchObject([{ phone: 447700900001, sms_message: 'Hello' }]);
    await model.close();
  },
);

it('shows a reviewer the name and the number, and sends what the reviewer writes, whatever the model says of its own review', async () => {
  host.sandbox.reset();
  const said = { phone: 'Anna', text: 'Lunch?' };
  // As if the model were the person at the page.
  const decided = {
    ...{ approved: true, confirm: true, data: { approved: true }, f0: 'Bought' },
    call: { texts: [{ parameter: 'smsMessage', proposed: 'Lunch?', approved: 'Bought' }] },
  };
  const reviewed = await startModel([
    {
      call: 'Send_SMS',
      with: { toolParameters: { ...said, ...decided }, hitlParameters: decided, ...decided },
    },
    { say: 'Done' },
  ]);
  const review: NodeJson = {
    name: 'Review',
    type: `${ACTION}HitlTool`,
    parameters: approvalForm({ editable: true }),
    credentials: { [CREDENTIAL_TYPE]: host.credential },
  };
  const tools = [namedTool({ confirmation: 'person' })];
  const flow = await agentWorkflow(host.client, reviewed, tools, { review });
  const { id } = await host.client.createWorkflow(flow);
  const execution = await host.client.runManually(id, START);
  const link = await until('the page of the question', async () => {
    const [question] = sentTo(host.sandbox);
    const found = question && linkIn(question);
    return found !== undefined && (await open(found)).status === 200 ? found : undefined;
  });
  const { text } = await open(link);
  expect(sentTo(host.sandbox)).toHaveLength(1);
  expect(text).toContain('&quot;phone&quot;: &quot;Anna&quot;');
  expect(text).toContain('>Anna: +447700900001<');
  expect((await answer(link, 'approve', { f0: ' ' })).status).toBe(422);
  const { text: recorded } = await answer(link, 'approve', { f0: 'Lunch at one?' });
  expect([recorded.includes('Lunch?'), recorded.includes('Lunch at one?')]).toEqual([true, true]);
  await reviewed.finished();
  expect((await host.client.waitForExecution(execution)).status).toBe('success');
  expect(sentTo(host.sandbox).slice(1)).toMatchObject([
    { phone: 447700900001, sms_message: 'Lunch at one?' },
  ]);
  expect(reviewed.toolAnswers().join()).not.toContain('900001');
  expect(reviewed.toolAnswers().join()).toContain('"proposed":"Lunch?","approved":"Lunch at one?"');
  await reviewed.close();
});
