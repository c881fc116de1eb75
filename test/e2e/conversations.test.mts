/** The examples in which an agent of a real n8n answers replies on Viber, with a scripted model. */
import type { WorkflowJson } from '../../tools/n8n-host/workflow.mts';
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

/**
 * Publishes an example, whose agent has a model with this script, and whose credential allows few prefixes; `change` changes the
 * example as its user would.
 */
async function converse(
  file: string,
  script: Move[],
  change: (text: string) => string = (text) => text,
): Promise<Conversation> {
  const model = await startModel(script);
  const data = { ...credentialData(host.sandbox), allowedPrefixes: PREFIXES };
  const fenced = await host.client.createCredential('Fenced', CREDENTIAL_TYPE, data);
  const changed = JSON.parse(change(JSON.stringify(await host.example(file)))) as WorkflowJson;
  const example = withCredential(changed, CREDENTIAL_TYPE, fenced);
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
    conversation = await converse('viber-assistant', [
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

describe('a person who takes over from the agent', () => {
  const said: Conversation[] = [];
  afterAll(async () => await Promise.all(said.map(async ({ model }) => await model.close())));

  it('answers by replying, while the agent is silent for an hour, and no caller chooses who gets the words', async () => {
    await host.anew();
    const conversation = await converse('person-takes-over', [
      { say: 'Hello Ann' },
      { call: 'Call_a_Person', with: { summary: 'Ann asks for a person.', confirm: true } },
      { say: 'A colleague will write' },
      { say: 'The agent again' },
    ]);
    said.push(conversation);
    const { model } = conversation;
    await replyAndWait(conversation, ANN, 'Hello');
    await replyAndWait(conversation, ANN, 'A person, please');
    expect(textsTo(ANN).slice(1)).toEqual(['Hello Ann', 'A colleague will write']);
    expect(textsTo(BEN)).toEqual([
      expect.stringMatching(/^A customer, \+447700900001, .*Ann asks for a person\.$/s),
    ]);

    await replyAndWait(conversation, BEN, 'Ben here');
    await replyAndWait(conversation, ANN, 'Where is my order?');
    await replyAndWait(conversation, BEN, 'On its way');
    expect(textsTo(ANN).slice(3)).toEqual(['Ben here', 'On its way']);
    expect(textsTo(BEN).slice(1)).toEqual(['+447700900001: Where is my order?']);
    expect(model.turns).toHaveLength(3);

    // Ann's own callback address, with a customer that its caller makes up: the words are Ann's, to the colleague.
    const forged = {
      customer: CARLA,
      fields: { customer: CARLA },
      success: true,
      type: 'viber',
      status: 'REPLIED',
    };
    const replies = [{ datetime: new Date().toISOString(), message: 'Forged' }];
    const before = await host.client.listExecutions(conversation.id);
    const { id, operation } = sentTo(ANN).at(-1)!;
    const response = await fetch(String(operation.hook), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...forged, id, replies }),
    });
    expect(response.status).toBe(200);
    await host.client.untilExecutions(conversation.id, before.length + 1);
    expect(sentTo(CARLA)).toEqual([]);
    expect(textsTo(BEN).at(-1)).toBe('+447700900001: Forged');
    expect(textsTo(ANN)).toHaveLength(5);
    await host.client.deactivate(conversation);

    // The same table, and an hour that is over.
    const later = await converse('person-takes-over', [{ say: 'The agent again' }], (text) =>
      text.replaceAll("minus(1, 'hour')", "minus(0, 'hour')"),
    );
    said.push(later);
    await replyAndWait(later, ANN, 'Thank you');
    expect(textsTo(ANN).at(-1)).toBe('The agent again');
    const seen = JSON.stringify(later.model.turns[0].messages);
    for (const words of ['customer: Hello', 'agent: Hello Ann', 'person: On its way', 'customer: Thank you'])
      expect(seen).toContain(words);
  });
});

it('gives several quick replies one answer', async () => {
  await host.anew();
  const script: Move[] = [{ say: 'One answer' }, { say: 'Another' }, { say: 'Too much' }];
  const conversation = await converse('quick-replies', script, (text) =>
    text.replace('"amount":20', '"amount":8'),
  );
  const { model } = conversation;
  const { msgId } = sentTo(ANN).at(-1)!;
  for (const message of ['Hello', 'I have a question', 'Where is my order?']) {
    host.sandbox.act(msgId, 'reply', { message });
    await host.sandbox.settled();
  }
  const first = await host.client.waitForExecutions(conversation.id, 4);
  expect(first.map((execution) => execution.failure()).filter(Boolean)).toEqual([]);
  expect(textsTo(ANN).slice(1)).toEqual(['One answer']);
  // In whichever order n8n's executions noted them: all three came within a second.
  const asked = (model.turns[0].messages.at(-1) as { content: string }).content.split('\n');
  expect(asked.sort()).toEqual(['Hello', 'I have a question', 'Where is my order?']);
  await replyAndWait(conversation, ANN, 'Thank you');
  const executions = await host.client.waitForExecutions(conversation.id, 5);
  expect(executions.map((execution) => execution.failure()).filter(Boolean)).toEqual([]);
  expect(textsTo(ANN).slice(1)).toEqual(['One answer', 'Another']);
  expect(JSON.stringify(model.turns[1].messages.at(-1))).not.toContain('question');
  await model.close();
});
