/** Allowed Recipients in a real n8n: one agent with a tool for each operation that sends or looks up, whose scripted model tries them all. */
import { e2eHost } from '../support/e2e-host.mts';
import { AGENT_LOOKUP, AGENT_SENDS, FOREIGN } from '../support/agent-sends.mts';
import { agentWorkflow } from '../support/real-agent.mts';
import { ACTION, CREDENTIAL_TYPE, START } from '../support/real-n8n.mts';
import type { NodeJson } from '../support/real-n8n.mts';
import { startModel } from '../support/scripted-model.mts';
import type { Move } from '../support/scripted-model.mts';
import { senderNamed } from '../support/sends.mts';

const host = e2eHost({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });

const ALLOWED = 447700900001;
const CONNECTOR = 'callTool';
const LOOKUP = 'lookup';

const FORMS: Record<string, NodeJson['parameters']> = {
  ...AGENT_SENDS,
  [LOOKUP]: AGENT_LOOKUP,
  [CONNECTOR]: {
    resource: 'assistant',
    operation: 'callTool',
    tool: senderNamed('send_sms'),
    // Its tool takes a number, where the text is one.
    arguments: `={{ JSON.stringify({ phone: Number($fromAI('phone', 'Number', 'string')) || $fromAI('phone', 'Number', 'string'), text: 'Hi', sender: 'TestSender' }) }}`,
    confirm: true,
  },
};

it('sends to nobody else and looks up nobody else, in any spelling, by any operation and by the connector', async () => {
  const tools = Object.entries(FORMS).map(([name, form]): NodeJson => {
    const locks = [CONNECTOR, LOOKUP].includes(name) ? {} : { allowSending: true };
    return {
      name,
      type: `${ACTION}Tool`,
      parameters: { descriptionType: 'auto', ...form, ...locks, allowedRecipients: String(ALLOWED) },
      credentials: { [CREDENTIAL_TYPE]: host.credential },
    };
  });
  const names = Object.keys(FORMS);
  // Each tool tries each foreign number in some spelling, and at last the one that is allowed.
  const tries = names.flatMap((call) =>
    [...FOREIGN, '+447700900001'].map((phone): Move & { call: string } => ({
      call,
      with: { phone, text: 'Hello', confirm: true },
    })),
  );
  const model = await startModel([...tries, { say: 'Done' }]);
  const flow = await agentWorkflow(host.client, model, tools);
  const agent = flow.nodes.find(({ name }) => name === 'Agent')!;
  agent.parameters = { ...agent.parameters, options: { maxIterations: tries.length + 5 } };
  const execution = await host.client.runToEnd(flow, START);
  expect([execution.failure(), execution.json('Agent')]).toEqual(['', [{ output: 'Done' }]]);

  const answers = model.toolAnswers();
  expect(answers).toHaveLength(tries.length);
  for (const [i, answer] of answers.entries()) {
    const isAllowed = (i + 1) % (FOREIGN.length + 1) === 0;
    const refused = /isn't among the 'Allowed Recipients'|a phone number of digits only/.test(answer);
    expect([tries[i].call, JSON.stringify(tries[i]), refused]).toEqual([
      tries[i].call,
      JSON.stringify(tries[i]),
      !isAllowed,
    ]);
  }
  await host.sandbox.settled();
  expect([...new Set(host.sandbox.messages.list().map(({ phone }) => Number(phone)))]).toEqual([ALLOWED]);
  expect(host.sandbox.counts().accepted).toBe(names.length - 1);
  await model.close();
});
