/** What the phone page and tools in other processes ask of the sandbox: looking, deciding, changing, and what is refused. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxMessage } from '../../../sandbox/server.mts';
import { CHANNELS } from '../../../sandbox/operations/channels.mts';
import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { testSandbox } from '../../support/own-sandbox.mts';
import { PHONE } from '../../support/contract-samples.mts';
import { GOOD, listenForCallbacks, run, runOne } from './client.mts';
import type { Hook } from './client.mts';

const sandbox = testSandbox({ config: { outcomes: { fallback: { steps: [] } } } });
const PAGE = join(__dirname, '../../../sandbox/page');
let hook: Hook;

beforeEach(async () => {
  hook = await listenForCallbacks();
});
afterEach(() => hook.close());

/** Calls the control API; posts where there is a body. */
async function control(path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') {
  const headers = { 'content-type': 'application/json' };
  const url = `${sandbox.controlUrl}/${path}`;
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as any };
}

const bodies = () => hook.received.map(({ body }) => body);

async function sent(type: string): Promise<number> {
  const extra = type === 'voice' ? { dtmf: true } : { hook: hook.url };
  return (await runOne(sandbox, { ...GOOD[type], ...extra })).data.msg_id as number;
}

describe('what a person does on the phone', () => {
  test.each<[what: string, type: string, body: object, report: object]>([
    ['status', 'sms', { status: 'READ' }, { status: 'READ', success: true }],
    ['status', 'sms', { status: 'EXPIRED' }, { status: 'EXPIRED', success: false }],
    ['fail', 'sms', { error: 'Gone' }, { status: 'UNDELIVERABLE', success: false, error: 'Gone' }],
    ['dtmf', 'voice', { digit: '5', duration: 9 }, { status: 'DELIVERED', reply: '5', duration: 9 }],
  ])('reports a %s of a message of type %s, and changes its status: %j', async (what, type, body, report) => {
    // Voice calls report to the notification address alone.
    await control('accounts', { notificationUrl: hook.url });
    await control(`messages/${await sent(type)}/${what}`, body);
    await sandbox.settled();
    expect(bodies()).toMatchObject([{ id: '1', type, ...report }]);
    const { status } = bodies()[0];
    expect((await runOne(sandbox, { type: 'status', id: 1 })).data).toMatchObject({ status });
  });

  test('two answers of a person are reported one after the other', async () => {
    const msgId = await sent('viber');
    const media = { url: 'https://example.com/a.jpg', filename: 'a.jpg', filesize: 12 };
    await control(`messages/${msgId}/reply`, { message: 'Yes' });
    await control(`messages/${msgId}/reply`, { message: '<b>No</b>', media });
    await sandbox.settled();
    const last = bodies().sort((a, b) => (a.replies as []).length - (b.replies as []).length)[1];
    const replies = [{ message: 'Yes' }, { message: '<b>No</b>', media }];
    expect(last).toMatchObject({ success: true, status: 'REPLIED', type: 'viber', replies });
  });

  test('delivers all that wait', async () => {
    const four = [1, 2, 3, 4].map((id) => ({ ...GOOD.sms, id, phone: PHONE + (id % 2) }));
    await run(sandbox, four);
    sandbox.act(sandbox.messages.list()[0].msgId, 'fail');
    expect((await control('deliver', {})).body).toEqual({ delivered: 3 });
    const statuses = sandbox.messages.list().map(({ status }) => status);
    expect(statuses).toEqual(['UNDELIVERABLE', 'DELIVERED', 'DELIVERED', 'DELIVERED']);
  });

  test('is refused what does not fit, and that changes nothing', async () => {
    const msgId = await sent('sms');
    const deaf = (await runOne(sandbox, { ...GOOD.voice, id: 2, dtmf: false })).data.msg_id;
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

describe('looking', () => {
  test('finds messages by phone, id and type', async () => {
    await run(sandbox, [GOOD.sms, { ...GOOD.viber, id: 2 }, { ...GOOD.sms, id: 3, phone: PHONE + 1 }]);
    const ids = async (query: string) =>
      (await control(`messages?${query}`)).body.map((message: SandboxMessage) => message.id);
    const queries = ['', `phone=${PHONE}`, 'type=viber', 'id=3', 'limit=1'];
    expect(await Promise.all(queries.map(ids))).toEqual([[1, 2, 3], [1, 2], [2], [3], [3]]);
  });

  test('shows counts and requests with their answers, and nowhere the key', async () => {
    await run(sandbox, [GOOD.sms, GOOD.sms, { ...GOOD.sms, id: DEFAULT_KEY }]);
    const answers: Array<[path: string, body: unknown]> = [
      ['counts', { accepted: 2, distinctIds: 1, doubledIds: 1 }],
      ['requests', [{ seq: 1, endpoint: 'sync', items: 3 }]],
    ];
    for (const [path, body] of answers)
      expect([path, (await control(path)).body]).toMatchObject([path, body]);
    const { body } = await control('requests/1');
    expect(JSON.parse(body.raw)).toMatchObject({ auth: '***', data: [GOOD.sms, GOOD.sms, { id: '***' }] });
    expect(JSON.parse(body.answer)).toMatchObject({ success: true, data: { 2: { data: { id: '***' } } } });
    for (const path of ['requests', 'requests/1', 'config']) {
      expect(JSON.stringify((await control(path)).body)).not.toContain(DEFAULT_KEY);
    }
    // The one place where a person gets it.
    expect((await control('credential')).body).toMatchObject({ apiKey: DEFAULT_KEY });
  });
});

describe('changing', () => {
  test('adds accounts and changes them, and takes back the settings that it gave', async () => {
    const listed = Object.entries(CHANNELS).filter(([, { senders }]) => senders);
    const none = Object.fromEntries(listed.map(([channel]) => [channel, []]));
    await control('accounts', { senders: { ...none, sms: ['NewSender'] } });
    expect((await runOne(sandbox, GOOD.sms)).error).toBe('Error in Alpha-name');
    await control('accounts', { key: 'second', name: 'second' });
    expect((await run(sandbox, [{ type: 'balance' }], 'second')).success).toBe(true);
    const { body } = await control('config');
    expect(await control('config', body)).toEqual({ status: 200, body });
  });

  test('forgets all by a reset', async () => {
    await run(sandbox, [GOOD.sms, { type: 'template/create', template: 'x' }]);
    expect((await control('faults', { kind: 'slow' })).body.active).toEqual([{ kind: 'slow', struck: 0 }]);
    expect((await control('reset', {})).body).toMatchObject({ accepted: 0, requests: 0 });
    expect([sandbox.messages.list(), sandbox.faults.list(), sandbox.templates().sms]).toEqual([[], [], []]);
  });

  test.each<[path: string, body: unknown, words: string]>([
    ['config', { outcomes: { afterMs: [5, 1] } }, 'Settings: outcomes.afterMs: '],
    // The good value beside it is not taken either.
    ['config', { latencyMs: 9, keep: { counts: null } }, 'Settings: keep.counts: Expected boolean'],
    ['accounts', { colour: 1 }, "Account: Unrecognized key(s) in object: 'colour'"],
    ['faults', {}, 'Fault: kind: Required'],
    ['faults', { kind: 'slow', when: 'always' }, 'Fault: when: has to be a function'],
  ])('%s is refused for %j, and changes nothing', async (path, body, words) => {
    const state = () => JSON.stringify([sandbox.config, sandbox.account(), sandbox.faults.list()]);
    const before = state();
    const answer = await control(path, body);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(words)]);
    expect(state()).toBe(before);
  });
});

test('the page may load nothing from elsewhere, and is all that is served', async () => {
  const files = readdirSync(PAGE).filter((file) => file !== 'index.html');
  for (const path of ['', 'phone', ...files.map((file) => `page/${file}`)]) {
    const response = await fetch(`${sandbox.baseUrl}/${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  }
  expect((await fetch(`${sandbox.baseUrl}/page/../server.mts`)).status).toBe(404);
});
