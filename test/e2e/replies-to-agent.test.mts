/** The recipe of docs/agents.md: an agent of a real n8n that answers replies, with Simple Memory for each person. */
import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { e2eHost } from '../support/e2e-host.mts';
import { viberForm } from '../support/operation-cases.mts';
import { agentWorkflow, connectedTo, extended } from '../support/real-agent.mts';
import type { NodeJson } from '../support/real-n8n.mts';
import { ACTION, action, CREDENTIAL_TYPE, listener, rows, START, workflow } from '../support/real-n8n.mts';
import { startModel } from '../support/scripted-model.mts';
import { grouped, smsForm } from '../support/sends.mts';

const host = e2eHost({ config: { outcomes: { afterMs: 20 } } });

const ANN = 380501230001;
const BEN = 380501230002;

it('remembers the person who replied across messages, nobody else, and answers that number alone', async () => {
  const model = await startModel([
    { call: 'Answer', with: { text: 'Hello Ann', confirm: true } },
    { say: 'Greeted' },
    { say: 'Ann' },
    { say: 'I do not know' },
  ]);
  const webhookId = randomUUID();
  const parameters = { outcomes: ['replied'], options: { secret: 'Gr8', forAgents: true } };
  const [trigger] = listener(webhookId, parameters, host.credential).nodes;
  const answer: NodeJson = {
    name: 'Answer',
    type: `${ACTION}Tool`,
    parameters: {
      descriptionType: 'auto',
      ...smsForm({ operation: 'sendViber', ...viberForm('text') }),
      phone: "={{ $('Callback').item.json.phone }}",
      viberMessage: "={{ $fromAI('text', 'Text of the message', 'string') }}",
      allowSending: true,
    },
    credentials: { [CREDENTIAL_TYPE]: host.credential },
  };
  const memory: NodeJson = {
    name: 'Memory',
    type: '@n8n/n8n-nodes-langchain.memoryBufferWindow',
    typeVersion: 1.3,
    parameters: { sessionIdType: 'customKey', sessionKey: '={{ $json.sessionId }}', contextWindowLength: 20 },
  };
  const flow = await agentWorkflow(host.client, model, [answer]);
  const nodes = flow.nodes.filter(({ name }) => name !== START && name !== 'Item');
  // The prompt comes from `chatInput`, as the agent has it by default.
  for (const node of nodes) if (node.name === 'Agent') node.parameters = { promptType: 'auto', options: {} };
  const { [START]: _start, Item: _item, ...connections } = flow.connections;
  const listening = await host.publish(
    extended({ ...flow, nodes: [trigger, ...nodes], connections }, [memory], {
      Callback: connectedTo('main', 'Agent'),
      Memory: connectedTo('ai_memory', 'Agent'),
    }),
  );

  const send = action('Send Viber', host.credential, {
    ...smsForm({ operation: 'sendViber', ...viberForm('text') }),
    phone: '={{ $json.phone }}',
    // Two messages to one person are meant here.
    options: grouped({
      repeatedMessages: 'sendAll',
      hook: `${host.url}/webhook/${webhookId}/callback?secret=Gr8`,
    }),
  });
  const sends = workflow([rows('Rows', [{ phone: ANN }, { phone: ANN }, { phone: BEN }]), send]);
  const run = await host.client.runToEnd(sends, START);
  expect([run.status, run.failure()]).toEqual(['success', '']);
  await host.sandbox.settled();
  const sent = host.sandbox.messages.list();
  expect(sent.map(({ phone }) => Number(phone)).sort()).toEqual([ANN, ANN, BEN]);

  const [first, second] = sent.filter(({ phone }) => Number(phone) === ANN);
  const other = sent.find(({ phone }) => Number(phone) === BEN)!;
  const said: Array<[typeof first, string]> = [
    [first, 'My name is Ann'],
    [second, 'What is my name?'],
    [other, 'And mine?'],
  ];
  for (const [i, [{ msgId }, message]] of said.entries()) {
    host.sandbox.act(msgId, 'reply', { message });
    await host.sandbox.settled();
    await host.client.untilExecutions(listening.id, i + 1);
  }
  const executions = await host.client.waitForExecutions(listening.id, said.length);
  expect(executions.map((execution) => execution.failure())).toEqual(['', '', '']);
  const heard = executions.flatMap((execution) => execution.json('Callback') as IDataObject[]);
  expect(new Set(heard.map(({ phone, sessionId }) => `${String(phone)} ${String(sessionId)}`)).size).toBe(2);
  expect(heard.map(({ chatInput }) => chatInput).sort()).toEqual(said.map(([, message]) => message).sort());

  const texts = model.turns.map(({ messages }) => JSON.stringify(messages));
  expect(texts).toHaveLength(4);
  expect(texts[2]).toContain('My name is Ann');
  expect(texts[2]).toContain('What is my name?');
  expect(texts[3]).toContain('And mine?');
  expect(texts[3]).not.toContain('Ann');
  await host.sandbox.settled();
  const answers = host.sandbox.messages
    .list()
    .filter(({ msgId }) => !sent.some((one) => one.msgId === msgId));
  expect(answers.map(({ phone }) => Number(phone))).toEqual([ANN]);
  await model.close();
});
