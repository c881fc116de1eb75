/** n8n's Retry of one execution, pressed as often as somebody likes: each message is taken once, and each row's word is true. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runAgent } from '../support/agent.mts';
import type { WorkflowRun } from '../support/engine.mts';
import { ACTION_NODE, credentialsFor, retry, runWorkflow, SOURCE_NODE, stand } from '../support/engine.mts';
import { grouped, smsForm } from '../support/sends.mts';
import { testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

const LIST: IDataObject[] = Array.from({ length: 5 }, (_, i) => ({ phone: 447700900000 + i }));

/** Which of the nodes around the send fail. */
const failing = { before: false, behind: false };

const passUnless = (name: keyof typeof failing) =>
  stand(name, ['main'], {
    async execute() {
      if (failing[name]) throw new Error(`The node ${name} fails`);
      return await Promise.resolve([this.getInputData()]);
    },
  });

/** Runs an execution that sends to the list, between two nodes that may fail. */
const begin = async (
  credentials = credentialsFor(sandbox),
  parameters: IDataObject = smsForm(),
  settings: IDataObject = {},
): Promise<WorkflowRun> =>
  await runWorkflow({
    credentials,
    mode: 'trigger',
    items: LIST,
    nodeTypes: { 'harness.before': passUnless('before'), 'harness.behind': passUnless('behind') },
    nodes: [
      { name: 'Source', type: SOURCE_NODE },
      { name: 'Before', type: 'harness.before' },
      { name: 'Send', type: ACTION_NODE, parameters, ...settings },
      { name: 'Behind', type: 'harness.behind' },
    ],
  });

/** What the box above the output of the send says. */
const boxOf = (run: WorkflowRun): unknown => run.runData.Send.at(-1)!.hints?.[0]?.message;

const failsIn = (run: WorkflowRun): unknown => run.execution.resultData.lastNodeExecuted;

it('an execution that never reached the send, retried twice, sends each message once', async () => {
  Object.assign(failing, { before: true, behind: true });
  const first = await begin();
  expect(failsIn(first)).toBe('Before');
  failing.before = false;
  const one = await retry(first, 'Before', '2');
  expect([failsIn(one), sandbox.messages.accepted]).toEqual(['Behind', 5]);
  failing.behind = false;
  expect(boxOf(one)).toBeUndefined();
  const two = await retry(first, 'Before', '3');
  expect([two.status, sandbox.messages.accepted]).toEqual(['success', 5]);
  expect(boxOf(two)).toBe('5 of 5 were sent before, nothing was sent now');
  const rows = two.outputs('Send')[0].map(({ json }) => [json.phone, 'outcome' in json]);
  expect(rows).toEqual(LIST.map(({ phone }) => [phone, true]));
  // Another execution with the same rows is no Retry.
  await begin();
  expect(sandbox.messages.accepted).toBe(10);
}, 60_000);

it('an execution that failed in the send with nothing to send, corrected and retried twice, sends each message once', async () => {
  Object.assign(failing, { before: false, behind: true });
  const { smsMessage, ...incomplete } = smsForm();
  const first = await begin(undefined, { ...incomplete, smsMessage: '{{ $json.name }}' });
  expect([failsIn(first), sandbox.messages.accepted]).toEqual(['Send', 0]);
  const correct = (text: unknown) => {
    const { parameters } = first.parts.graph.nodes.Send;
    parameters.smsMessage = text as INodeParameters[string];
    for (const { node } of first.execution.executionData!.nodeExecutionStack) node.parameters = parameters;
  };
  correct(smsMessage);
  const one = await retry(first, 'Send', '2');
  expect([failsIn(one), sandbox.messages.accepted]).toEqual(['Behind', 5]);
  failing.behind = false;
  correct('Another text');
  const two = await retry(first, 'Send', '3');
  expect([two.status, sandbox.messages.accepted]).toEqual(['success', 5]);
}, 60_000);

it('a corrected number is another message: it is sent, and its row is not called sent before', async () => {
  Object.assign(failing, { before: true, behind: true });
  const first = await begin();
  failing.before = false;
  await retry(first, 'Before', '2');
  expect(sandbox.messages.accepted).toBe(5);
  failing.behind = false;
  const { data } = first.execution.executionData!.nodeExecutionStack[0];
  data.main[0]![3].json.phone = 447700900777;
  const two = await retry(first, 'Before', '3');
  const rows = two.outputs('Send')[0].map(({ json }) => [json.phone, 'outcome' in json]);
  const phones = LIST.map(({ phone }) => phone);
  expect(rows).toEqual(phones.map((phone, i) => (i === 3 ? [447700900777, false] : [phone, true])));
  expect(sandbox.messages.accepted).toBe(6);
  expect(boxOf(two)).toBe('4 of 5 were sent before, 1 was sent now');
}, 60_000);

/** Refuses the whole second request once, which ends a try. */
const closeOnce = (): void =>
  sandbox.faults.add({ kind: 'refuse', error: 'Access denied', after: 1, times: 1 });

const TRY_TWICE = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
const TWO_A_REQUEST = { options: grouped({ batchSize: 2 }) };

it('what an earlier try of the same Retry has sent was sent now, and what another Retry has sent was sent before', async () => {
  Object.assign(failing, { before: true, behind: true });
  const first = await begin(undefined, smsForm(TWO_A_REQUEST), TRY_TWICE);
  failing.before = false;
  closeOnce();
  const one = await retry(first, 'Before', '2');
  expect([failsIn(one), sandbox.messages.accepted]).toEqual(['Behind', 5]);
  expect(boxOf(one)).toBeUndefined();
  failing.behind = false;
  const two = await retry(first, 'Before', '3');
  expect([boxOf(two), sandbox.messages.accepted]).toEqual([
    '5 of 5 were sent before, nothing was sent now',
    5,
  ]);
}, 60_000);

it('the rows of the failed execution were sent before, in each try of its Retry', async () => {
  Object.assign(failing, { before: false, behind: false });
  closeOnce();
  const first = await begin(undefined, smsForm(TWO_A_REQUEST));
  expect([failsIn(first), sandbox.messages.accepted]).toEqual(['Send', 2]);
  closeOnce();
  const { node } = first.execution.executionData!.nodeExecutionStack[0];
  Object.assign(node, TRY_TWICE);
  Object.assign(first.parts.graph.nodes.Send, TRY_TWICE);
  const one = await retry(first, 'Send', '2');
  expect([one.status, sandbox.messages.accepted]).toEqual(['success', 5]);
  expect(boxOf(one)).toBe('2 of 5 were sent before, 3 were sent now');
}, 60_000);

it('a Retry says of no look-up that it was sent', async () => {
  Object.assign(failing, { before: false, behind: true });
  const lookUp = { resource: 'number', operation: 'lookup', phone: '={{ $json.phone }}' };
  closeOnce();
  const first = await begin(undefined, { ...lookUp, ...TWO_A_REQUEST });
  expect(failsIn(first)).toBe('Send');
  const one = await retry(first, 'Send', '2');
  expect([failsIn(one), boxOf(one)]).toEqual(['Behind', undefined]);
}, 60_000);

describe('a confirmed call of the connector, in Retries of an execution that never reached the node', () => {
  const callTool = (args: string) => ({
    resource: 'assistant',
    operation: 'callTool',
    tool: { __rl: true, mode: 'name', value: 'send_sms' },
    arguments: args,
    confirm: true,
  });
  const SMS = "={{ JSON.stringify({ phone: $json.phone, text: 'Hello', sender: 'TestSender' }) }}";

  /** Both Retries of one execution, with what the second one says; how many messages the gateway took. */
  async function retriedTwice(betweenThem: () => void) {
    Object.assign(failing, { before: true, behind: true });
    const first = await begin(undefined, callTool(SMS));
    failing.before = false;
    const one = await retry(first, 'Before', '2');
    betweenThem();
    const two = await retry(first, 'Before', '3');
    await sandbox.settled();
    return { one, two, accepted: sandbox.messages.accepted };
  }

  it('is made once, and the second Retry says that the outcome is unknown', async () => {
    sandbox.configure({ connector: { sendEnabled: true } });
    const { one, two, accepted } = await retriedTwice(() => undefined);
    expect([failsIn(one), failsIn(two), accepted]).toEqual(['Behind', 'Send', 5]);
    expect(two.error?.message).toMatch(/^The outcome of the tool "send_sms" is unknown/);
  }, 60_000);

  it('is made by the second Retry where the connector certainly carried out none', async () => {
    sandbox.configure({ connector: { sendEnabled: false } });
    const { one, accepted } = await retriedTwice(() =>
      sandbox.configure({ connector: { sendEnabled: true } }),
    );
    expect([failsIn(one), accepted]).toEqual(['Send', 5]);
  }, 60_000);
});

it('an agent whose Retry writes in new words first sends no message again, and says of no words that they were sent', async () => {
  const failing = {
    get phone(): string {
      throw new Error('The model fails');
    },
  };
  const old = { phone: '447700900001', text: 'Old words', confirm: true };
  const calls: IDataObject[] = [old, failing];
  const parameters = {
    ...smsForm({ phone: "={{ $fromAI('phone') }}", smsMessage: "={{ $fromAI('text') }}" }),
    allowSending: true,
  };
  const first = await runAgent({ parameters, calls, credentials: credentialsFor(sandbox), direct: true });
  expect([failsIn(first), sandbox.messages.accepted]).toEqual(['Agent', 1]);
  const [{ id }] = sandbox.messages.list();
  calls.splice(0, 2, { ...old, text: 'New words' }, old, { ...old, text: 'More words' });
  const again = await retry(first, 'Agent', '2');
  const { answers } = again.outputs('Agent')[0][0].json;
  expect(answers).toMatchObject([
    [{ id, result: 'duplicate', reason: 'sent_in_other_words' }],
    [{ id, result: 'sent' }],
    [{ result: 'sent' }],
  ]);
  expect(sandbox.messages.list().map(({ operation }) => operation.sms_message)).toEqual([
    'Old words',
    'More words',
  ]);
}, 60_000);
