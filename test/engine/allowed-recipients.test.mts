/** Allowed Recipients of an agent's tool, in n8n's engine: whatever the agent says, nothing leaves to anybody else. */
import type { IDataObject } from 'n8n-workflow';

import { AGENT_SENDS, AGENT_SMS as SMS, FOREIGN } from '../support/agent-sends.mts';
import { runAgent } from '../support/agent.mts';
import { credentialsFor } from '../support/engine.mts';
import { smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });

const call = async (form: IDataObject, allowedRecipients: unknown, phones: unknown[]) => {
  const { answers, error } = await runAgent({
    parameters: { ...form, allowSending: true, allowedRecipients } as IDataObject,
    calls: phones.map((phone) => ({ phone, text: 'Hello', confirm: true }) as IDataObject),
    credentials: credentialsFor(sandbox),
  });
  expect(error).toBeUndefined();
  return answers.map(([answer]) => answer as IDataObject);
};
const sentPhones = () => sandbox.messages.list().map(({ phone }) => phone);

it.each(Object.entries(AGENT_SENDS))('%s sends to the author’s numbers alone', async (_, form) => {
  const answers = await call(form, '+44 7700 900001', [
    '+44 7700-900001',
    ...FOREIGN,
    '447700900001, 447700900002',
  ]);
  expect(answers[0]).not.toHaveProperty('error');
  for (const { success, error } of answers.slice(1)) {
    expect(success).toBe(false);
    expect(error).toContain("'Phone Number' must be");
  }
  expect([...new Set(sentPhones())]).toEqual([447700900001]);
});

it('takes beginnings of numbers, and allows all where the author has left it empty', async () => {
  await call(SMS, '380, 4477', ['+380501234567', '+48600100200']);
  expect(sentPhones()).toEqual([380501234567]);
  await call(SMS, '', ['+48600100200']);
  expect(sentPhones()).toContain(48600100200);
});

it.each<[what: string, value: unknown]>([
  ['the agent fills in', "={{ $fromAI('allowed', '', 'string') }}"],
  ['comes from the call', '={{ $json.phone }}'],
  ['comes from a variable that does not exist', '={{ $vars.nobody }}'],
  ['names nobody', ' , '],
  ['has a word in it', '380, everybody'],
])('closes the lock where the list %s', async (_, value) => {
  const [answer] = await call(SMS, value, ['+380501234567']);
  expect(answer).toMatchObject({
    refused: true,
    reason: expect.stringContaining("Nothing was sent: the author's list of recipients"),
    how_to: expect.stringContaining("'Allowed Recipients'"),
  });
  expect(sandbox.counts().requests).toBe(0);
});

it.each<[field: unknown, sent: number[]]>([
  [['+44 7700 900001', '380'], [447700900001]],
  ['447700900001', [447700900001]],
  [[], []],
  [undefined, []],
  [{ error: 'The table was not found' }, []],
])('takes the list from a node before the agent: %j', async (allowed, sent) => {
  const { answers } = await runAgent({
    parameters: { ...SMS, allowSending: true, allowedRecipients: "={{ $('Start').first().json.allowed }}" },
    item: { allowed } as IDataObject,
    calls: ['447700900001', '447700900002'].map((phone) => ({ phone, text: 'Hi', confirm: true })),
    credentials: credentialsFor(sandbox),
  });
  expect(sentPhones()).toEqual(sent);
  expect(answers.flat().filter(({ refused, success }) => refused === true || success === false)).toHaveLength(
    2 - sent.length,
  );
});

it.each(['The Tool', 'AI Agent', 'Nowhere'])('closes the lock for a list of the node "%s"', async (node) => {
  const [answer] = await call(SMS, `={{ $('${node}').first().json.allowed }}`, ['+380501234567']);
  expect(answer).toMatchObject({ refused: true });
  expect(sandbox.counts().requests).toBe(0);
});

it('is on the call of a connector tool, whatever the notation in its arguments', async () => {
  const tool = {
    resource: 'assistant',
    operation: 'callTool',
    tool: { __rl: true, mode: 'name', value: 'send_sms' },
  };
  for (const phone of ['447700900002', 447700900002, ['+44 7700 900002'], '4.47700900002e11']) {
    const { answers } = await runAgent({
      parameters: {
        ...tool,
        confirm: true,
        allowedRecipients: '447700900001',
        arguments: JSON.stringify({ phone, message: 'Hi' }),
      },
      calls: [{ confirm: true }],
      credentials: credentialsFor(sandbox),
    });
    expect(JSON.stringify(answers)).toContain("isn't among the 'Allowed Recipients' of this tool");
  }
  expect(sandbox.messages.list()).toEqual([]);
});

it('is nothing to a node that no agent calls', async () => {
  const { error } = await runOn(sandbox, {
    parameters: smsForm({ phone: '380501234567', allowSending: true, allowedRecipients: '447700900001' }),
  });
  expect(error).toBeUndefined();
  expect(sentPhones()).toEqual([380501234567]);
});
