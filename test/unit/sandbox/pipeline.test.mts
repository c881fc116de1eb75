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

const takes = async (...given: Parameters<typeof pipeline>) =>
  (await runOne(sandbox, pipeline(...given))).success;

test.each([[[]], [['sms', 'sms']], [['sms', 'fax']], ['sms'], [undefined], [[1]]])(
  'pipeline %j is refused',
  async (channels) => expect(await takes(channels)).toBe(false),
);

test.each(Object.keys(STAGES))('the %s stage needs its object and what it consists of', async (channel) => {
  expect(await takes([channel])).toBe(true);
  for (const name of ['id', 'phone']) expect(await takes([channel], { [name]: undefined })).toBe(false);
  for (const stage of [undefined, 'text']) expect(await takes([channel], { [channel]: stage })).toBe(false);
  for (const name of Object.keys(STAGES[channel])) {
    // Of WhatsApp nothing is looked at.
    const stage = { ...STAGES[channel], [name]: undefined };
    expect(await takes([channel], { [channel]: stage })).toBe(channel === 'whatsapp');
  }
});

test('stages are checked: known signatures, and a one-time password for Telegram', async () => {
  for (const channel of ['sms', 'viber', 'rcs']) {
    const stage = { ...STAGES[channel], signature: 'Nobody' };
    const answer = await runOne(sandbox, pipeline([channel], { [channel]: stage }));
    expect(answer.error).toBe('Error in Alpha-name');
  }
  expect(await takes(['telegram'], { telegram: { message: 'Your code is 1234' } })).toBe(false);
});

test('a text in the voice stage is recorded as undeclared, and an object that nobody names as unused', async () => {
  const voice = { ...STAGES.voice, message: 'Hello' };
  expect(await takes(['voice'], { voice, sms: STAGES.sms })).toBe(true);
  expect(sandbox.requests.at(-1)?.undeclared).toEqual(['data[0].voice.message']);
  expect(sandbox.messages.list().at(-1)?.unused).toEqual(['sms']);
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
