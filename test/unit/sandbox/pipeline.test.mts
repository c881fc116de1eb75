import { startSandbox } from '../../../sandbox/server.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import { listenForCallbacks, PHONE, queue, runOne } from './client.mts';
import type { Operation } from './client.mts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ config: { outcomes: { afterMs: 1 }, queueDelayMs: 1 } });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const STAGES: Record<string, Operation> = {
  voice: { gender: 'male', language: 'en-US', name: 'Tom' },
  telegram: { message: '1234' },
  viber: { message: 'Hi', signature: 'TestSender', type: 'text' },
  rcs: { message: 'Hi', signature: 'TestSender' },
  sms: { message: 'Hi', signature: 'TestSender' },
  whatsapp: { message: 'Hi', signature: 'TestSender' },
};
const pipeline = (channels: unknown, extra: Operation = {}): Operation => ({
  type: 'pipeline',
  id: 9,
  phone: PHONE,
  pipeline: channels,
  ...(Array.isArray(channels) ? Object.fromEntries(channels.map((one) => [one, STAGES[one as string]])) : {}),
  ...extra,
});

test('all six channels in any order, tried in that order', async () => {
  const order = ['whatsapp', 'sms', 'rcs', 'viber', 'telegram', 'voice'];
  const { success, data } = await runOne(sandbox, pipeline(order));
  expect({ success, data }).toEqual({ success: true, data: { id: 9, msg_id: expect.any(Number), parts: 1 } });
  expect(sandbox.messages.byId(9)[0].channels).toEqual(order);
  expect(sandbox.requests.at(-1)?.undeclared).toEqual([]);
});

test.each([[[]], [['sms', 'sms']], [['sms', 'fax']], ['sms'], [undefined], [[1]]])(
  'pipeline %j is refused',
  async (channels) => {
    expect((await runOne(sandbox, pipeline(channels))).success).toBe(false);
  },
);

test.each(['id', 'phone'])('%s is required', async (name) => {
  const operation = pipeline(['sms']);
  delete operation[name];
  expect((await runOne(sandbox, operation)).success).toBe(false);
});

test.each(Object.keys(STAGES).filter((channel) => channel !== 'whatsapp'))(
  'the %s stage needs its object and each of its properties',
  async (channel) => {
    expect((await runOne(sandbox, pipeline([channel]))).success).toBe(true);
    expect((await runOne(sandbox, pipeline([channel], { [channel]: undefined }))).success).toBe(false);
    expect((await runOne(sandbox, pipeline([channel], { [channel]: 'text' }))).success).toBe(false);
    for (const name of Object.keys(STAGES[channel])) {
      const stage = { ...STAGES[channel], [name]: undefined };
      expect((await runOne(sandbox, pipeline([channel], { [channel]: stage }))).success).toBe(false);
    }
  },
);

test('the whatsapp stage needs its object, but nothing in it is looked at', async () => {
  expect((await runOne(sandbox, pipeline(['whatsapp'], { whatsapp: {} }))).success).toBe(true);
  expect((await runOne(sandbox, pipeline(['whatsapp'], { whatsapp: { message: 5 } }))).success).toBe(true);
  expect((await runOne(sandbox, pipeline(['whatsapp'], { whatsapp: undefined }))).success).toBe(false);
});

test('signatures of sms, viber and rcs stages are checked', async () => {
  for (const channel of ['sms', 'viber', 'rcs']) {
    const stage = { ...STAGES[channel], signature: 'Nobody' };
    const answer = await runOne(sandbox, pipeline([channel], { [channel]: stage }));
    expect(answer.error).toBe('Error in Alpha-name');
  }
});

test('the telegram stage takes a one-time password, or any text where that is allowed', async () => {
  const operation = pipeline(['telegram'], { telegram: { message: 'Your code is 1234' } });
  expect((await runOne(sandbox, operation)).success).toBe(false);
  sandbox.configure({ rules: { pipelineTelegramDigits: false } });
  expect((await runOne(sandbox, operation)).success).toBe(true);
  sandbox.configure({ rules: { pipelineTelegramDigits: true } });
});

test('a text in the voice stage is tolerated and recorded as undeclared', async () => {
  const voice = { ...STAGES.voice, message: 'Hello' };
  expect((await runOne(sandbox, pipeline(['voice'], { voice }))).success).toBe(true);
  expect(sandbox.requests.at(-1)?.undeclared).toEqual(['data[0].voice.message']);
});

test('read to the letter, five stage objects are demanded whatever the pipeline names', async () => {
  sandbox.configure({ rules: { strictPipeline: true } });
  expect((await runOne(sandbox, pipeline(['sms']))).success).toBe(false);
  const { rcs: _rcs, ...five } = STAGES;
  expect((await runOne(sandbox, pipeline(['sms'], five))).success).toBe(true);
  expect(sandbox.messages.list().at(-1)?.unused).toEqual(['voice', 'telegram', 'viber', 'whatsapp']);
  sandbox.configure({ rules: { strictPipeline: false } });
});

test('hook is not stored: the status goes to the address of the account', async () => {
  const hook = await listenForCallbacks();
  const own = await listenForCallbacks();
  sandbox.account().notificationUrl = own.url;
  await runOne(sandbox, pipeline(['sms'], { hook: hook.url }));
  await sandbox.settled();
  expect(hook.received).toHaveLength(0);
  expect(own.received.map(({ body }) => body)).toEqual([
    expect.objectContaining({ success: true, id: '9', status: 'DELIVERED', type: 'sms' }),
  ]);
  sandbox.account().notificationUrl = null;
  await Promise.all([hook.close(), own.close()]);
});

test('but a refused pipeline of the queue is reported to its hook', async () => {
  const hook = await listenForCallbacks();
  const answer = await queue(sandbox, [pipeline(['sms', 'sms'], { hook: hook.url })]);
  await sandbox.settled();
  expect(hook.received.map(({ body }) => body)).toEqual([
    {
      success: false,
      id: '9',
      status: 'REJECTED',
      error: expect.stringContaining('twice'),
      updated: expect.any(String),
      request_id: answer.request_id,
    },
  ]);
  await hook.close();
});
