/** What is counted of one-time passwords: simultaneous, over restarts, in repeated tries, and under faults. */
import type { IDataObject, INodeType } from 'n8n-workflow';

import { credentialsFor, PACKAGE_NAME } from '../support/engine.mts';
import { workflow } from '../support/engine-parts.mts';
import type { NodeRunOptions } from '../support/engine.mts';
import { shortOrLong } from '../support/long-form.mts';
import { codeIn, sendForm, startQuotingGateway, verifyForm, wrongFor } from '../support/otp.mts';
import { processedData } from '../support/processed-data.mts';
import type { ProcessedData } from '../support/processed-data.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const NODE = `${PACKAGE_NAME}.started`;

const sandbox = testSandbox();
let store: ProcessedData;
let node: INodeType;
let phone = 447700910000;
/** The ids of messages follow from it. */
let execution = 0;

/** A process that has just started: its memory is empty. */
async function restart(): Promise<void> {
  jest.resetModules();
  // n8n's own part keeps nothing of the node, and takes longest to load.
  jest.doMock('n8n-workflow', () => workflow);
  const { MessagingGateway } = await import('../../nodes/MessagingGateway/MessagingGateway.node.ts');
  node = new MessagingGateway();
}

beforeAll(async () => {
  store = await processedData();
  await restart();
});
beforeEach(() => {
  store.clear();
  phone += 1;
});
afterEach(() => jest.restoreAllMocks());

const run = async (parameters: IDataObject, more: Partial<NodeRunOptions> = {}) =>
  await runOn(sandbox, {
    type: NODE,
    nodeTypes: { [NODE]: node },
    parameters,
    items: [{ phone }],
    executionId: String((execution += 1)),
    ...more,
  });

const send = async (overrides: IDataObject = {}, more: Partial<NodeRunOptions> = {}) => {
  const { json } = await run(sendForm(overrides), { onError: 'continueRegularOutput', ...more });
  return json[0];
};
const verify = async (challenge: unknown, code: string, more: Partial<NodeRunOptions> = {}) => {
  const { json } = await run(verifyForm, { items: [{ challenge, code, phone } as IDataObject], ...more });
  return json[0];
};
const messages = () => sandbox.messages.list().filter((message) => message.phone === phone);
const COUNT = shortOrLong(200, 1000);

it('wrong codes that come at once are counted exactly, and then the right one comes too late', async () => {
  const { challenge } = await send();
  const code = codeIn(sandbox, phone);
  store.delayMs = 5;
  const all = Array.from({ length: COUNT }, async (_, n) => await verify(challenge, wrongFor(code, n)));
  const answers = await Promise.all(all);
  expect(answers.filter(({ reason }) => reason === 'wrong')).toHaveLength(5);
  expect(answers.filter(({ reason }) => reason === 'too_many_attempts')).toHaveLength(COUNT - 5);
  // Those that are being compared at the same moment are counted.
  for (const { attempts_left: left } of answers) expect(left).toBe(0);
  expect(await verify(challenge, code)).toMatchObject({ reason: 'too_many_attempts' });
});

describe('after a restart', () => {
  it('a used code stays used', async () => {
    const { challenge } = await send();
    const code = codeIn(sandbox, phone);
    expect(await verify(challenge, code)).toMatchObject({ reason: 'ok' });
    await restart();
    expect(await verify(challenge, code)).toEqual({ valid: false, reason: 'used', attempts_left: 0, phone });
  });

  it('attempts go on from where they were', async () => {
    const { challenge } = await send();
    const code = codeIn(sandbox, phone);
    for (const left of [4, 3, 2, 1, 0]) {
      expect(await verify(challenge, wrongFor(code))).toMatchObject({ reason: 'wrong', attempts_left: left });
      await restart();
    }
    expect(await verify(challenge, code)).toMatchObject({ reason: 'too_many_attempts' });
  });
});

describe('repeated tries', () => {
  const RETRY = { retryOnFail: true, maxTries: 3 };
  const TWO = () => [{ phone }, { phone: phone + 5000 }];

  // What else may break is in engine/retries and unit/client.
  it.each([{ kind: 'drop-after' }, { kind: 'drop-before', commitDelay: 300 }] as const)(
    'send one message, whose code fits the challenge, after %j',
    async (fault) => {
      sandbox.faults.add({ ...fault, times: 1 });
      const { json } = await run(sendForm(), RETRY);
      const sent = messages();
      expect(sent).toHaveLength(1);
      expect(json[0].id).toBe(sent[0].id);
      expect(await verify(json[0].challenge, codeIn(sandbox, phone))).toMatchObject({ reason: 'ok' });
    },
  );

  it('return what was accepted, and send the same code again to the others', async () => {
    sandbox.faults.add({ kind: 'refuse', error: 'Access denied', after: 1, times: 1 });
    const { json } = await run(sendForm({ options: { batchSize: 1 } }), { ...RETRY, items: TWO() });
    expect(json).toHaveLength(2);
    for (const item of json) {
      const { challenge, phone: to } = item;
      const answer = await run(verifyForm, {
        items: [{ challenge, phone: to, code: codeIn(sandbox, Number(to)) } as IDataObject],
      });
      expect(answer.json[0]).toMatchObject({ reason: 'ok' });
    }
    const bodies = sandbox.requests.flatMap(({ body }) => (body as { data: IDataObject[] }).data);
    const texts = bodies.filter((one) => one.phone === phone + 5000).map(({ sms_message }) => sms_message);
    expect(texts).toHaveLength(2);
    expect(new Set(texts).size).toBe(1);
    expect(sandbox.counts().accepted).toBe(2);
  });

  it('never call twice: a call whose answer is lost has an unknown code', async () => {
    sandbox.faults.add({ kind: 'drop-after', times: 1 });
    const { error, execution } = await run(sendForm({ channels: ['call'] }), RETRY);
    expect(error?.message).toContain('its one-time password is unknown');
    expect(messages()).toHaveLength(1);
    expect(JSON.stringify(execution.resultData.runData)).not.toContain(`"${codeIn(sandbox, phone)}"`);
  });

  it('do not count a verification twice', async () => {
    const first = await send();
    const code = codeIn(sandbox, phone);
    const number = phone;
    phone += 1;
    const second = await send();
    const items = [
      { challenge: first.challenge, phone: number, code: wrongFor(code) },
      { challenge: second.challenge, phone, code: codeIn(sandbox, phone) },
    ] as IDataObject[];
    // The second item fails in the first try, after the first one was answered.
    store.passes = 1;
    store.failures = 5;
    const { json } = await run(verifyForm, { ...RETRY, items });
    expect(store.failures).toBe(0);
    expect(json).toEqual([
      { valid: false, reason: 'wrong', attempts_left: 4, phone: number },
      { valid: true, reason: 'ok', attempts_left: 0, phone },
    ]);
    phone = number;
    expect(await verify(first.challenge, wrongFor(code, 2))).toMatchObject({ attempts_left: 3 });
    phone += 1;
  });
});

it('A resend waits for the cooldown, may take another channel, keeps the count, and one success uses up both.', async () => {
  const first = await send({ options: { cooldown: 60 } });
  const code = codeIn(sandbox, phone);
  expect(await verify(first.challenge, wrongFor(code))).toMatchObject({ attempts_left: 4 });
  const options = { challenge: first.challenge as string, cooldown: 60 };
  expect(await send({ options })).toMatchObject({ reason: 'cooldown' });
  const clock = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => clock() + 61_000);
  const second = await send({ options, channels: ['call'] });
  expect(second).toMatchObject({ type: 'call/otp', channel: 'call' });
  const called = codeIn(sandbox, phone);
  expect(await verify(second.challenge, wrongFor(called))).toMatchObject({
    reason: 'wrong',
    attempts_left: 3,
  });
  expect(await verify(second.challenge, called)).toMatchObject({ reason: 'ok' });
  expect(await verify(first.challenge, code)).toMatchObject({ reason: 'used' });
  expect((await send({ options })).error).toContain("'Challenge' must be");
});

it('The code is kept out of errors, where the gateway repeats the message.', async () => {
  const quoting = await startQuotingGateway();
  for (const onError of ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const) {
    phone += 1;
    const result = await run(sendForm({ channels: ['voice'] }), {
      onError,
      credentials: credentialsFor({ baseUrl: quoting.url, asyncUrl: '', mcpUrl: '' }),
    });
    const code = quoting.codes.at(-1) ?? '';
    expect(code).toMatch(/^\d{6}$/);
    const { execution, error } = result;
    const all = JSON.stringify([execution, error?.message, error?.description, error?.stack]);
    expect(all).toContain('Rejected text');
    expect(all).not.toContain(code);
    expect(all).not.toContain([...code].join(', '));
  }
  await quoting.close();
});
