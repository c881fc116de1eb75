/** Allowed Recipients of an agent's tool, in n8n's engine: whatever the agent says, nothing leaves to anybody else. */
import type { IDataObject } from 'n8n-workflow';

import { AGENT_LOOKUP as LOOKUP, AGENT_SENDS, AGENT_SMS as SMS, FOREIGN } from '../support/agent-sends.mts';
import { runAgent } from '../support/agent.mts';
import { credentialsFor } from '../support/engine.mts';
import { senderNamed, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });

const TOOL = {
  resource: 'assistant',
  operation: 'callTool',
  tool: senderNamed('send_sms'),
  confirm: true,
  arguments:
    "={{ JSON.stringify({ phone: $fromAI('phone', '', 'json'), text: 'Hi', sender: 'TestSender' }) }}",
};

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
    expect(error).toMatch(
      /^'Phone Number' (isn't among the 'Allowed Recipients'|holds more than one number)/,
    );
  }
  expect([...new Set(sentPhones())]).toEqual([447700900001]);
});

it('takes beginnings of numbers, and allows all where the author has left it empty', async () => {
  await call(SMS, '380, 4477', ['+380501234567', '+48600100200']);
  expect(sentPhones()).toEqual([380501234567]);
  await call(SMS, '', ['+48600100200']);
  expect(sentPhones()).toContain(48600100200);
});

describe('people by name', () => {
  const PEOPLE = 'Anna: +44 7700 900011, Олена: +380 50 123 45 67';

  it.each(Object.entries({ ...AGENT_SENDS, lookup: LOOKUP }))(
    '%s takes a name, answers with the name, and lists names for a name of nobody',
    async (_, form) => {
      const answers = await call(form, PEOPLE, [' ANNA', 'Bob', '+44 7700 900002', 'олена']);
      for (const answer of answers) expect(JSON.stringify(answer)).not.toMatch(/447700900011|380501234567/);
      const [anna, nobody, foreign, olena] = answers;
      expect([anna.error, olena.error]).toEqual([undefined, undefined]);
      expect([anna.phone, olena.phone]).toEqual(['Anna', 'Олена']);
      expect(nobody.error).toContain(
        "'Phone Number' names nobody among the 'Allowed Recipients' of this tool: Bob. It must be one of these names: Anna, Олена",
      );
      expect(foreign.error).toContain("isn't among the 'Allowed Recipients' of this tool");
      expect(foreign.error).toContain('Use one of these names: Anna, Олена');
      expect(JSON.stringify([nobody, foreign])).not.toMatch(/7700 ?900011|50 ?123/);
      if (form !== LOOKUP) expect([...new Set(sentPhones())].sort()).toEqual([380501234567, 447700900011]);
    },
  );

  it('are taken by a tool of the connector', async () => {
    const answers = await call(TOOL, PEOPLE, ['anna', 'Bob', ['Anna', 'Bob'], 447700900002]);
    expect(answers[0]).not.toHaveProperty('error');
    for (const { error } of answers.slice(1, 3)) expect(error).toContain('one of these names: Anna, Олена');
    expect(answers[3].error).toContain("isn't among");
    await sandbox.settled();
    expect(sentPhones()).toEqual([447700900011]);
  });

  it.each([
    ['is there twice', 'Anna: +44 7700 900001, ANNA: +44 7700 900002', 'the name "ANNA" twice'],
    ['lacks a digit', 'Anna: +380 50 123 45 6', 'no whole number behind the name "Anna"'],
    ['is in an expression', '={{ true ? "Anna: 1" : "Anna: +44 7700 900001" }}', 'is an expression'],
  ])('are nobody where a name %s', async (_, list, words) => {
    for (const form of [SMS, LOOKUP, TOOL]) {
      const [answer] = await call(form, list, ['Anna']);
      expect(answer.error).toContain(words);
      expect(answer.error).not.toMatch(/\d{5}/);
    }
    expect(sandbox.counts().requests).toBe(0);
  });
});

it.each<[what: string, value: unknown]>([
  ['the agent fills in', "={{ $fromAI('allowed', '', 'string') }}"],
  ['comes from the call', '={{ $json.phone }}'],
  ['comes from a node before the agent', "={{ $('Start').first().json.allowed }}"],
  ['names nobody', ' , '],
  ['has a word in it', '380, everybody'],
])('allows no number where the list %s', async (_, value) => {
  for (const form of [SMS, LOOKUP, TOOL]) {
    const [answer] = await call(form, value, ['+380501234567']);
    expect(answer).toMatchObject({
      success: false,
      error: expect.stringContaining("'Allowed Recipients' of this tool "),
    });
    expect(answer.error).toContain("Write the numbers themselves into 'Allowed Recipients' of this tool");
    expect(answer.error).not.toContain('to Expression');
  }
  expect(sandbox.counts().requests).toBe(0);
});

it('holds for look-ups, by the operation and by the connector', async () => {
  const byTool = {
    ...TOOL,
    tool: senderNamed('lookup_number'),
    arguments: "={{ JSON.stringify({ phone: $fromAI('phone', '', 'json') }) }}",
  };
  for (const [form, phones] of [
    [LOOKUP, ['447700900002', '447700900001']],
    [byTool, [447700900002, 447700900001]],
  ] as const) {
    const answers = await call(form, '447700900001', [...phones]);
    expect(answers[0].error).toContain("isn't among the 'Allowed Recipients' of this tool");
    expect(answers[1]).not.toHaveProperty('error');
  }
  expect(sandbox.requests.filter(({ endpoint }) => endpoint === 'sync')).toHaveLength(1);
});

it.each<[phone: unknown, words: string]>([
  ['447700900002', "isn't among the 'Allowed Recipients' of this tool"],
  [447700900002, "isn't among the 'Allowed Recipients' of this tool"],
  [['447700900001', '+447700900002'], "isn't among the 'Allowed Recipients' of this tool"],
  ['+44 7700 900001', 'must be a phone number of digits only'],
  ['447700900001, 447700900002', 'must be a phone number of digits only'],
  [{ number: '447700900001' }, 'must be a phone number of digits only'],
  [[], 'Send with an operation of the resource Message'],
])('lets a connector tool send to no %j', async (phone, words) => {
  const [answer] = await call(TOOL, '447700900001', [phone]);
  expect(answer.error).toContain(words);
  await sandbox.settled();
  expect(sandbox.messages.list()).toEqual([]);
});

it.each([
  { phone: 447700900001, phone_number: '+44 7700 900002' },
  { to: '447700900001', cc: '447700900001; 447700900002' },
  { phone: '447700900001', messages: [{ phone: 447700900002 }] },
  { phone: '447700900001', texts: { 447700900002: 'Hello' } },
])('lets a connector tool write to no second number beside an allowed one: %j', async (args) => {
  const form = { ...TOOL, arguments: JSON.stringify({ text: 'Call +44 7700 900002', ...args }) };
  const [answer] = await call(form, '447700900001', ['447700900001']);
  expect(answer.error).toContain("isn't among the 'Allowed Recipients' of this tool");
  expect(sandbox.counts().requests).toBe(0);
});

it('takes the id of a message for no recipient where the call sends nothing', async () => {
  const form = { ...TOOL, tool: senderNamed('message_status'), arguments: '{"id":447700900002}' };
  const [answer] = await call({ ...form, confirm: false }, '447700900001', ['447700900001']);
  expect(JSON.stringify(answer)).not.toContain("isn't among");
  expect(JSON.stringify(sandbox.requests)).toContain('tools/call');
});

it('is nothing to a node that no agent calls', async () => {
  const { error } = await runOn(sandbox, {
    parameters: smsForm({ phone: '380501234567', allowSending: true, allowedRecipients: '447700900001' }),
  });
  expect(error).toBeUndefined();
  expect(sentPhones()).toEqual([380501234567]);
});
