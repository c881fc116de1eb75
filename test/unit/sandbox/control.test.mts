import { startSandbox } from '../../../sandbox/server.mts';
import type { Sandbox, SandboxMessage } from '../../../sandbox/server.mts';
import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { callControl, GOOD, listenForCallbacks, PHONE, run, runOne } from './client.mts';
import type { ControlCall, Hook } from './client.mts';

let sandbox: Sandbox;
let hook: Hook;

beforeEach(async () => {
  sandbox = await startSandbox({ config: { outcomes: { fallback: { steps: [] } } } });
  hook = await listenForCallbacks();
});
afterEach(async () => {
  await sandbox.close();
  await hook.close();
});

const control = async (...call: ControlCall) => await callControl(sandbox, ...call);

async function sent(type: string): Promise<number> {
  const extra = type === 'voice' ? { dtmf: true } : { hook: hook.url };
  return (await runOne(sandbox, { ...GOOD[type], ...extra })).data.msg_id as number;
}

const bodies = () => hook.received.map(({ body }) => body);

describe('what a person does on the phone', () => {
  test.each([
    ['DELIVERED', true],
    ['READ', true],
    ['UNDELIVERABLE', false],
    ['PARTIALLY DELIVERED', true],
    ['EXPIRED', false],
  ])('marks a message %s', async (status, success) => {
    const msgId = await sent('sms');
    expect((await control(`messages/${msgId}/status`, { status })).body).toMatchObject({ status });
    await sandbox.settled();
    expect(bodies()).toEqual([expect.objectContaining({ status, success, id: '1' })]);
    expect((await runOne(sandbox, { type: 'status', id: 1 })).data.status).toBe(status);
  });

  test('lets it fail', async () => {
    const msgId = await sent('sms');
    await control(`messages/${msgId}/fail`, { error: 'No such number' });
    await sandbox.settled();
    expect(bodies()).toEqual([
      expect.objectContaining({ success: false, status: 'UNDELIVERABLE', error: 'No such number' }),
    ]);
  });

  test('answers, twice', async () => {
    const msgId = await sent('viber');
    await control(`messages/${msgId}/reply`, { message: 'Yes' });
    const media = { url: 'https://example.com/a.jpg', filename: 'a.jpg', filesize: 12 };
    await control(`messages/${msgId}/reply`, { message: '<b>No</b>', media });
    await sandbox.settled();
    const last = bodies().sort((a, b) => (a.replies as []).length - (b.replies as []).length)[1];
    expect(last).toMatchObject({ success: true, status: 'REPLIED', type: 'viber' });
    expect(last.replies).toEqual([
      { datetime: expect.any(String), message: 'Yes' },
      { datetime: expect.any(String), message: '<b>No</b>', media },
    ]);
  });

  test('presses a digit of a voice call, which has no hook but a status', async () => {
    const msgId = await sent('voice');
    await control(`messages/${msgId}/dtmf`, { digit: '5', duration: 9 });
    await sandbox.settled();
    expect(hook.received).toHaveLength(0);
    expect((await runOne(sandbox, { type: 'status', id: 1 })).data).toMatchObject({
      type: 'voice',
      status: 'DELIVERED',
      reply: '5',
      duration: 9,
    });
  });

  test('what does not fit is refused and changes nothing', async () => {
    const msgId = await sent('sms');
    const deaf = (await runOne(sandbox, { ...GOOD.voice, id: 2 })).data.msg_id;
    const voice = await sent('voice');
    const refused: Array<[status: number, path: string, body: object]> = [
      [409, `${msgId}/dtmf`, { digit: '5' }],
      [400, `${msgId}/status`, {}],
      [400, `${msgId}/reply`, { message: 5 }],
      [400, `${msgId}/reply`, { message: 'x', media: {} }],
      [404, `${msgId}/dance`, {}],
      [404, '1/status', { status: 'READ' }],
      [409, `${deaf}/dtmf`, { digit: '5' }],
      [400, `${voice}/dtmf`, { digit: '55' }],
    ];
    for (const [status, path, body] of refused) {
      expect([path, (await control(`messages/${path}`, body)).status]).toEqual([path, status]);
    }
    expect(sandbox.messages.get(msgId)?.status).toBe('ACCEPTED');
  });
});

describe('looking and changing', () => {
  test('messages by phone, id and type', async () => {
    await run(sandbox, [GOOD.sms, { ...GOOD.viber, id: 2 }, { ...GOOD.sms, id: 3, phone: PHONE + 1 }]);
    const ids = async (query: string) =>
      (await control(`messages?${query}`)).body.map((message: SandboxMessage) => message.id);
    expect(await ids('')).toEqual([1, 2, 3]);
    expect(await ids(`phone=${PHONE}`)).toEqual([1, 2]);
    expect(await ids('type=viber')).toEqual([2]);
    expect(await ids('id=3')).toEqual([3]);
    expect(await ids('limit=1')).toEqual([3]);
    const msgId = sandbox.messages.byId(2)[0].msgId;
    expect((await control(`messages/${msgId}`)).body).toMatchObject({ id: 2, type: 'viber' });
    expect((await control('messages/5')).status).toBe(404);
  });

  test('requests, counts and acceptances, without any key', async () => {
    await run(sandbox, [GOOD.sms, GOOD.sms]);
    const { body } = await control('requests');
    expect(body).toEqual([expect.objectContaining({ seq: 1, endpoint: 'sync', items: 2 })]);
    expect((await control('requests?after=1')).body).toEqual([]);
    expect((await control('requests?endpoint=async')).body).toEqual([]);
    expect((await control('counts')).body).toMatchObject({ accepted: 2, distinctIds: 1, doubledIds: 1 });
    const totals = { accepted: 2, distinct: 1, doubled: [[1, 2]] };
    expect((await control('acceptances')).body).toEqual(totals);
    expect((await control('acceptances?all=true')).body).toEqual({ ...totals, times: { 1: 2 } });
    expect((await control('acceptances?id=1')).body).toEqual({ id: 1, times: 2 });
    for (const path of ['requests', 'state', 'accounts', 'config']) {
      expect(JSON.stringify((await control(path)).body)).not.toContain(DEFAULT_KEY);
    }
  });

  test('accounts', async () => {
    await control('accounts', { senders: { sms: ['NewSender'], viber: [], rcs: [] } });
    expect((await runOne(sandbox, GOOD.sms)).error).toBe('Error in Alpha-name');
    expect((await runOne(sandbox, { ...GOOD.sms, sms_signature: 'NewSender' })).success).toBe(true);
    await control('accounts', { key: 'second', name: 'second' });
    expect((await run(sandbox, [{ type: 'balance' }], 'second')).success).toBe(true);
  });

  test('reset', async () => {
    await run(sandbox, [GOOD.sms, { type: 'template/create', template: 'x' }]);
    await control('faults', { kind: 'status-before' });
    expect((await control('reset', {})).body).toMatchObject({ accepted: 0, requests: 0 });
    expect(sandbox.messages.list()).toEqual([]);
    expect(sandbox.templates().sms).toEqual([]);
    expect(sandbox.faults.list()).toEqual([]);
    expect((await control('templates')).body).toEqual({ main: { sms: [], viber: [] } });
  });

  test('unknown paths and bodies that are no JSON objects', async () => {
    expect((await control('nothing')).status).toBe(404);
    expect((await control('config', [1])).status).toBe(400);
    const response = await fetch(`${sandbox.controlUrl}/reset`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(415);
  });
});

test('changes are pushed to open pages', async () => {
  await runOne(sandbox, GOOD.sms);
  const response = await fetch(`${sandbox.controlUrl}/events`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (what: string) => {
    while (!text.includes(what)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`The stream ended without ${what}`);
      text += value;
    }
  };
  await until('event: snapshot');
  await until('"id":1');
  await runOne(sandbox, { ...GOOD.sms, id: 2, hook: hook.url });
  await until('event: update');
  await until('"id":2');
  sandbox.act(sandbox.messages.byId(2)[0].msgId, 'status', { status: 'READ' });
  await until('"status":"READ"');
  await until('"state":"acknowledged"');
  await control('reset', {});
  await until('event: reset');
  await reader.cancel();
});
