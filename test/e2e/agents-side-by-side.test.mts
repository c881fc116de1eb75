/**
 * AI Agents with five customers, whose calls of a tool of this node n8n makes at once (*Batch Size* 5) or in turn, and the Retries of
 * such executions. All agents of a test run side by side, each with numbers of its own.
 */
import type { IDataObject } from 'n8n-workflow';

import type { Execution } from '../../tools/n8n-host/rest-client.mts';
import type { NodeJson } from '../../tools/n8n-host/workflow.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { agentWorkflow, connectedTo, extended } from '../support/real-agent.mts';
import { ACTION, CREDENTIAL_TYPE, rows } from '../support/real-n8n.mts';
import { retried, savedWorkflow } from '../support/retry-pressed.mts';
import type { ScriptedModel } from '../support/scripted-model.mts';
import { startModel } from '../support/scripted-model.mts';
import { grouped, smsForm } from '../support/sends.mts';

const host = e2eHost({ config: { latencyMs: 100, outcomes: { fallback: { steps: [] } } } });

/** Version and Batch Size, which version 1 doesn't have: it makes the calls of one item after the other, in its own run. */
const AGENTS = [
  ...[1.7, 1.9].map((version) => [version, 1] as const),
  ...[2.2, 3, 3.1].flatMap((version) => [1, 5].map((batch) => [version, batch] as const)),
];

/** Whether the model is out of order for a customer, before or after their call, by the agent. */
let broken: Array<(customer: number, isCalled: boolean) => boolean>;
const NEVER = () => false;

const textFor = (agent: number, customer: number): string => `Order ${agent}${customer} is ready`;
const phoneOf = (agent: number, customer: number): number => 380501234500 + 10 * agent + customer;
const customersOf = (agent: number) =>
  Array.from({ length: 5 }, (_, customer) => ({ agent, customer, order: `A-${agent}${customer}` }));

let model: ScriptedModel;
beforeAll(async () => {
  model = await startModel(({ messages }) => {
    const asked = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content);
    const [agent, customer] = /customer (\d)(\d)/.exec(asked)!.slice(1).map(Number);
    const last = messages.at(-1)!;
    const isCalled = last.role === 'tool';
    if (broken[agent](customer, isCalled)) return undefined;
    if (isCalled) return { say: String(last.content) };
    const call = { phone: String(phoneOf(agent, customer)), text: textFor(agent, customer), confirm: true };
    return { call: 'Send_SMS', with: call };
  });
});
afterAll(async () => await model.close());
beforeEach(async () => {
  broken = AGENTS.map(() => NEVER);
  await host.anew();
});
afterEach(() => host.sandbox.configure({ duplicateIds: 'accept' }));

const THROWS = { jsCode: "throw new Error('closed');" };
const PASSES = { jsCode: 'return $input.all();' };

/** A workflow of an agent with an item for each customer, and a node behind it that throws. */
async function agentOf(index: number, options: IDataObject = {}, more: Partial<NodeJson> = {}) {
  const [typeVersion, batchSize] = AGENTS[index];
  const tool: NodeJson = {
    name: 'Send SMS',
    type: `${ACTION}Tool`,
    parameters: {
      descriptionType: 'auto',
      ...smsForm({
        phone: "={{ $fromAI('phone', 'Number', 'string') }}",
        smsMessage: "={{ $fromAI('text', 'Text', 'string') }}",
        options,
      }),
      allowSending: true,
    },
    credentials: { [CREDENTIAL_TYPE]: host.credential },
  };
  const parameters = {
    promptType: 'define',
    text: '=Write to customer {{ $json.agent }}{{ $json.customer }}',
    options: { batching: { batchSize } },
  };
  const flow = await agentWorkflow(host.client, model, [tool], {
    items: customersOf(index),
    more: { typeVersion, parameters, ...more },
  });
  const last: NodeJson = { ...rows('Last', []), parameters: THROWS };
  return await savedWorkflow(host.client, extended(flow, [last], { Agent: connectedTo('main', 'Last') }));
}

const retry = async (execution: Execution) => await retried(host.client, execution);

/** What the gateway took of an agent: each number with its text. */
const takenOf = (agent: number) =>
  host.sandbox.messages
    .list()
    .map(({ phone, operation }) => [Number(phone), operation.sms_message])
    .filter(([phone]) => Math.floor((Number(phone) - 380501234500) / 10) === agent)
    .sort();
const allOf = (agent: number) =>
  customersOf(agent).map(({ customer }) => [phoneOf(agent, customer), textFor(agent, customer)]);

/** The answers of the tool to the customers, in order, as the agent passes them on. */
const answersOf = (execution: Execution) =>
  execution.json('Agent').map(({ output }) => (JSON.parse(String(output)) as IDataObject[])[0]);

/** Tells of each agent, by version and Batch Size. */
async function ofEach<T>(tell: (agent: number) => Promise<T>): Promise<Record<string, T>> {
  const told = await Promise.all(AGENTS.map(async (_, agent) => await tell(agent)));
  return Object.fromEntries(AGENTS.map(([version, batch], agent) => [`${version}, ${batch}`, told[agent]]));
}
const everyone = async () => await ofEach(async (agent) => await Promise.resolve(allOf(agent)));

describe.each(['accept', 'refuse'] as const)('at a gateway that would %s an id again', (duplicateIds) => {
  beforeEach(() => host.sandbox.configure({ duplicateIds }));

  it('each agent writes to each customer once, and its Retries to nobody again', async () => {
    const took = await ofEach(async (agent) => {
      const flow = await agentOf(agent);
      const first = await flow.run();
      const own = customersOf(agent).map(({ customer }) => ({ phone: phoneOf(agent, customer) }));
      expect([first.failure(), answersOf(first)]).toMatchObject(['closed [line 1]', own]);
      const again = await retry(first);
      expect(answersOf(again).map(({ id }) => id)).toEqual(answersOf(first).map(({ id }) => id));
      await flow.edit('Last', PASSES);
      expect((await retry(first)).status).toBe('success');
      return takenOf(agent);
    });
    expect(took).toEqual(await everyone());
  });

  it('each agent whose model failed before and between the calls writes to each customer once in all Retries', async () => {
    const took = await ofEach(async (agent) => {
      const flow = await agentOf(agent);
      broken[agent] = () => true;
      const first = await flow.run();
      expect([first.status, takenOf(agent)]).toEqual(['error', []]);
      broken[agent] = (customer, isCalled) => customer === 3 && isCalled;
      const second = await retry(first);
      expect([second.status, takenOf(agent)]).toContainEqual('error');
      expect(takenOf(agent).length).toBeGreaterThanOrEqual(4);
      broken[agent] = NEVER;
      const third = await retry(first);
      const own = customersOf(agent).map(({ customer }) => ({ phone: phoneOf(agent, customer) }));
      expect([third.failure(), answersOf(third)]).toMatchObject(['closed [line 1]', own]);
      expect(takenOf(agent)).toEqual(allOf(agent));
      await retry(second);
      await retry(third);
      return takenOf(agent);
    });
    expect(took).toEqual(await everyone());
  });
});

it('each agent that n8n runs again, since its model failed before or after a call, writes to each customer once', async () => {
  const took = await ofEach(async (agent) => {
    const flow = await agentOf(agent, {}, { retryOnFail: true, maxTries: 4, waitBetweenTries: 100 });
    const failing = [false, true];
    broken[agent] = (customer, isCalled) => {
      if (customer !== 3 || isCalled !== failing[0]) return false;
      failing.shift();
      return true;
    };
    const first = await flow.run();
    expect([first.failure(), failing]).toEqual(['closed [line 1]', []]);
    return takenOf(agent);
  });
  expect(took).toEqual(await everyone());
});

it('a key that reads the item works from version 3 on, and is refused where it would be that of the first item', async () => {
  const took = await ofEach(async (agent) => {
    const flow = await agentOf(agent, grouped({ sendOnceKey: '={{ $json.order }}-x' }));
    await flow.edit('Last', PASSES);
    const isOld = AGENTS[agent][0] < 3;
    const refused = { refused: true, reason: expect.stringContaining('reads its item') };
    for (const more of [{}, { result: 'duplicate' }]) {
      const execution = await flow.run();
      expect(execution.failure()).toBe('');
      expect(answersOf(execution)).toMatchObject(
        customersOf(agent).map(({ customer }) =>
          isOld ? refused : { phone: phoneOf(agent, customer), ...more },
        ),
      );
    }
    return isOld ? allOf(agent).filter(() => takenOf(agent).length === 0) : takenOf(agent);
  });
  expect(took).toEqual(await everyone());
});
