/** The example in which an agent of a real n8n answers replies on Viber, with a scripted model. */
import { callbackPath, withCredential } from '../../tools/n8n-host/workflow.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { viberForm } from '../support/operation-cases.mts';
import { modelCredential } from '../support/real-agent.mts';
import { action, credentialData, CREDENTIAL_TYPE, rows, START, workflow } from '../support/real-n8n.mts';
import { startModel } from '../support/scripted-model.mts';
import type { Move, ScriptedModel } from '../support/scripted-model.mts';
import { grouped, smsForm } from '../support/sends.mts';

const host = e2eHost({ config: { outcomes: { afterMs: 20 } } });

const ANN = 447700900001;
const BEN = 447700900002;
/** Not among the recipients that the example allows. */
const CARLA = 380501230001;
/** Among them, but outside the prefixes of the credential. */
const DORA = 447911123456;
const PREFIXES = '44770, 380';

interface Conversation {
  id: string;
  model: ScriptedModel;
  /** Where callbacks of the published example go. */
  url: string;
}

/** Publishes the example, whose agent has a model with this script, and whose credential allows few prefixes. */
async function converse(script: Move[]): Promise<Conversation> {
  const model = await startModel(script);
  const data = { ...credentialData(host.sandbox), allowedPrefixes: PREFIXES };
  const fenced = await host.client.createCredential('Fenced', CREDENTIAL_TYPE, data);
  const example = withCredential(await host.example('viber-assistant'), CREDENTIAL_TYPE, fenced);
  const ready = withCredential(example, 'openAiApi', await modelCredential(host.client, model));
  const { id } = await host.publish(ready);
  const execution = await host.client.waitForExecution(await host.client.runManually(id, 'Start by Hand'));
  expect([execution.status, execution.failure()]).toEqual(['success', '']);
  return { id, model, url: `${host.url}/webhook/${callbackPath(ready)}` };
}

/** A message to a person from another workflow, which may write to everybody. */
async function write({ url }: Conversation, phone: number): Promise<void> {
  const options = grouped({ hook: url });
  const send = action('Send', host.credential, {
    ...smsForm({ operation: 'sendViber', ...viberForm('text'), options }),
    phone: '={{ $json.phone }}',
  });
  const run = await host.client.runToEnd(workflow([rows('Row', [{ phone }]), send]), START);
  expect([run.status, run.failure()]).toEqual(['success', '']);
}

const sentTo = (phone: number) =>
  host.sandbox.messages.list().filter((message) => Number(message.phone) === phone);
const textsTo = (phone: number) => sentTo(phone).map(({ operation }) => operation.viber_message);

/** Has a person reply to the newest message to them, and waits until the execution has ended. */
async function replyAndWait(conversation: Conversation, phone: number, message: string): Promise<void> {
  const before = await host.client.listExecutions(conversation.id);
  host.sandbox.act(sentTo(phone).at(-1)!.msgId, 'reply', { message });
  await host.sandbox.settled();
  await host.client.untilExecutions(conversation.id, before.length + 1);
}

const answering = (text: string): Move[] => [
  { call: 'Answer_on_Viber', with: { text, confirm: true } },
  { say: 'Answered' },
];

describe('an agent that answers on Viber', () => {
  let conversation: Conversation;
  beforeAll(async () => {
    conversation = await converse([
      ...answering('Hello Ann'),
      ...answering('You are Ann'),
      ...answering('Hello Ben'),
      ...answering('Hello Carla'),
      ...answering('Hello Dora'),
      ...Array.from({ length: 20 }, (_, i) => answering(`Answer ${i}`)).flat(),
    ]);
  });
  afterAll(async () => await conversation.model.close());

  it('remembers each person apart, answers nobody behind either lock, and no stop word', async () => {
    for (const phone of [BEN, CARLA, DORA]) await write(conversation, phone);
    const said: Array<[number, string]> = [
      [ANN, 'My name is Ann'],
      [ANN, 'What is my name?'],
      [BEN, 'And mine?'],
      [CARLA, 'Hello'],
      [DORA, 'Hello'],
      [BEN, 'stop'],
    ];
    for (const [phone, message] of said) await replyAndWait(conversation, phone, message);
    const { model } = conversation;
    const seen = model.turns.map(({ messages }) => JSON.stringify(messages));
    expect(seen).toHaveLength(10);
    expect(seen[2]).toContain('My name is Ann');
    expect(seen[4]).toContain('And mine?');
    expect(seen[4]).not.toContain('Ann');
    expect(textsTo(ANN).slice(1)).toEqual(['Hello Ann', 'You are Ann']);
    expect(textsTo(BEN).slice(1)).toEqual(['Hello Ben']);
    expect([sentTo(CARLA).length, sentTo(DORA).length]).toEqual([1, 1]);
    expect(seen[7]).toContain("'Allowed Recipients'");
    expect(seen[9]).toContain("'Allowed Number Prefixes'");
  });

  it('ends a loop with itself after ten answers', async () => {
    let answers = sentTo(BEN).length;
    for (let i = 0; i < 14; i += 1) await replyAndWait(conversation, BEN, `Automatic reply ${i}`);
    answers = sentTo(BEN).length - answers;
    // One was answered above.
    expect(answers).toBe(9);
    const executions = await host.client.waitForExecutions(conversation.id, 20);
    expect(executions.map((execution) => execution.failure()).filter(Boolean)).toEqual([]);
    expect(executions[0].json('Not Answered')).toHaveLength(1);
  });
});
