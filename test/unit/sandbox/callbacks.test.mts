import { CHANNELS } from '../../../sandbox/operations/channels.mts';
import { isDeclared } from '../../../sandbox/operations/extras.mts';
import { testSandbox } from '../../support/own-sandbox.mts';
import { GOOD, listenForCallbacks, queue, run, runOne } from './client.mts';
import type { Hook } from './client.mts';

const sandbox = testSandbox({
  config: { queueDelayMs: 1, outcomes: { afterMs: 1 }, callbacks: { retryDelayMs: 5 } },
});
let hook: Hook;
let answers: (before: number) => number;

beforeEach(async () => {
  answers = () => 200;
  hook = await listenForCallbacks((before) => answers(before));
});
afterEach(() => hook.close());

const bodies = () => hook.received.map(({ body }) => body);

test('a delivered message is reported once, with the payload of the contract', async () => {
  const { data } = await runOne(sandbox, { ...GOOD.sms, id: 5, hook: hook.url });
  await sandbox.settled();
  const updated = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  const names = { id: '5', msg_id: String(data.msg_id), type: 'sms' };
  expect(bodies()).toEqual([{ success: true, ...names, status: 'DELIVERED', updated }]);
  expect(sandbox.callbacks).toMatchObject([{ state: 'acknowledged', tries: [200] }]);
});

test('sends but voice calls, codes by call and pipelines have a hook, which the type is named to', async () => {
  const all = Object.values(GOOD).map((good, id) => ({ ...good, id, hook: hook.url }));
  await run(sandbox, all);
  await sandbox.settled();
  const withHook = Object.keys(GOOD).filter((type) => isDeclared(type, 'hook'));
  const channels = withHook.map((type) => type.split('+')[0]);
  const named = channels.map((channel) => (CHANNELS[channel].isNamed ? channel : undefined));
  // What is due at once happens in the order in which it was sent.
  expect(sandbox.callbacks.map(({ payload }) => payload.type)).toEqual(named);
  expect(hook.received).toHaveLength(named.length);

  const own = await listenForCallbacks();
  sandbox.account().notificationUrl = own.url;
  const pipeline = { ...GOOD.sms, type: 'pipeline', sms: { message: 'Hi', signature: 'TestSender' } };
  await runOne(sandbox, { ...pipeline, id: 9, pipeline: ['sms'], hook: hook.url });
  // But one that the queue refuses is reported to its hook.
  const { request_id } = await queue(sandbox, [
    { ...pipeline, id: 10, pipeline: ['pigeon'], hook: hook.url },
  ]);
  await sandbox.settled();
  expect(own.received.map(({ body }) => body)).toMatchObject([{ id: '9', status: 'DELIVERED', type: 'sms' }]);
  expect(bodies().slice(named.length)).toMatchObject([{ id: '10', status: 'REJECTED', request_id }]);
  await own.close();
});

test('rules choose the outcome by phone and type, or a function with all that happens', async () => {
  const rules = [
    { phoneSuffix: '99', outcome: { steps: [{ status: 'EXPIRED', error: 'Too late', afterMs: 60 }] } },
    { type: 'viber', outcome: { steps: [{ status: 'DELIVERED' }, { status: 'READ', afterMs: 20 }] } },
  ];
  sandbox.configure({ outcomes: { rules } });
  const digit = { reply: '7', duration: 12 };
  sandbox.decideOutcome(({ id }) =>
    id === 4 ? { steps: [{ status: 'DELIVERED', type: 'sms', ...digit }] } : undefined,
  );
  await run(sandbox, [
    { ...GOOD.viber, id: 1, phone: 380501234599, hook: hook.url },
    { ...GOOD.viber, id: 2, hook: hook.url },
    { ...GOOD.sms, id: 3, hook: hook.url },
    { ...GOOD['viber+sms'], id: 4, hook: hook.url },
  ]);
  await sandbox.settled();
  const seen = bodies().map(({ id, status, type, error = '' }) => `${id} ${status} ${type} ${error}`);
  expect(seen.sort()).toEqual([
    '1 EXPIRED viber Too late',
    ...['2 DELIVERED viber ', '2 READ viber ', '3 DELIVERED sms ', '4 DELIVERED sms '],
  ]);
  expect((await runOne(sandbox, { type: 'status', id: 4 })).data).toMatchObject(digit);
});

test('tried again while the target refuses, with growing pauses, and given up in the end', async () => {
  answers = (before) => [409, 204, 500, 200][before];
  sandbox.configure({ callbacks: { retryDelayMs: 30 } });
  await runOne(sandbox, { ...GOOD.sms, hook: hook.url });
  await sandbox.settled();
  expect(sandbox.callbacks[0]).toMatchObject({ tries: [409, 204, 500, 200], state: 'acknowledged' });
  const at = hook.received.map((one) => one.at);
  const pauses = at.slice(1).map((time, index) => time - at[index]);
  // 30 ms, 60 ms, 120 ms; never shorter, since timers are only ever late.
  expect(pauses.map((pause, index) => pause >= [29, 59, 119][index])).toEqual([true, true, true]);

  answers = () => 500;
  sandbox.configure({ callbacks: { attempts: 3, retryDelayMs: 5 } });
  await runOne(sandbox, { ...GOOD.sms, hook: hook.url });
  await sandbox.settled();
  expect(sandbox.callbacks[1]).toMatchObject({ tries: [500, 500, 500], state: 'given-up' });
});

test('only this machine is ever contacted', async () => {
  const remote = ['http://example.com/hook', 'http://10.0.0.1/', 'http://[2001:db8::1]/'];
  for (const url of remote) await runOne(sandbox, { ...GOOD.sms, hook: url });
  await sandbox.settled();
  const refused = sandbox.callbacks.map(({ state, tries }) => [state, tries]);
  expect(refused).toEqual(remote.map(() => ['not-allowed', []]));
  await runOne(sandbox, { ...GOOD.sms, id: 50, hook: hook.url.replace('127.0.0.1', 'localhost') });
  await sandbox.settled();
  expect(sandbox.callbacks.at(-1)?.state).toBe('acknowledged');
});

test('a fallback send goes on to the next channel when one fails', async () => {
  sandbox.configure({ outcomes: { fallback: { steps: [] } } });
  const sent = await runOne(sandbox, { ...GOOD['rcs+viber+sms'], hook: hook.url });
  const msgId = sent.data.msg_id as number;
  sandbox.act(msgId, 'fail');
  expect(sandbox.messages.get(msgId)).toMatchObject({ channel: 'viber', status: 'ROUTING' });
  sandbox.act(msgId, 'fail');
  sandbox.act(msgId, 'status', { status: 'DELIVERED' });
  await sandbox.settled();
  const seen = bodies().map(({ status, type, success }) => `${status} ${type} ${success}`);
  expect(seen).toEqual(['DELIVERED sms true']);
});
