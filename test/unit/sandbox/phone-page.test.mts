/** What the phone page needs of the control API: looking back at requests, trying addresses, deciding for many. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { startSandbox } from '../../../sandbox/server.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import { callControl, GOOD, listenForCallbacks, PHONE, queue, run, runOne } from './client.mts';
import type { ControlCall, Hook } from './client.mts';

let sandbox: Sandbox;
let hook: Hook;

beforeEach(async () => {
  sandbox = await startSandbox({ config: { outcomes: { fallback: { steps: [] } } } });
  hook = await listenForCallbacks((before) => (before === 0 ? 200 : 404));
});
afterEach(async () => {
  await sandbox.close();
  await hook.close();
});

const control = async (...call: ControlCall) => await callControl(sandbox, ...call);

/** The first events of the stream that an open page gets. */
async function live(until: (text: string) => boolean, meanwhile: () => Promise<unknown>) {
  const response = await fetch(`${sandbox.controlUrl}/events`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value ?? '';
  await meanwhile();
  while (!until(text)) {
    const { done, value } = await reader.read();
    if (done) throw new Error('The stream ended');
    text += value;
  }
  await reader.cancel();
  return text
    .split('\n\n')
    .filter((event) => event.includes('data: '))
    .map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)) as any);
}

describe('looking back', () => {
  test('a request with what was sent and what was answered, without the key', async () => {
    await run(sandbox, [GOOD.sms, { ...GOOD.sms, id: DEFAULT_KEY }]);
    const { body } = await control('requests/1');
    expect(body).toMatchObject({ seq: 1, status: 200, items: 2, ms: expect.any(Number) });
    expect(JSON.parse(body.raw)).toEqual({ auth: '***', data: [GOOD.sms, { ...GOOD.sms, id: '***' }] });
    expect(JSON.parse(body.answer)).toMatchObject({
      success: true,
      data: [{ success: true }, { success: false, data: { id: '***' } }],
    });
    expect((await control('requests/2')).status).toBe(404);
    expect(JSON.stringify((await control('requests')).body)).not.toContain('"answer"');
  });

  test('a request that was refused as a whole, and one whose answer was lost', async () => {
    await run(sandbox, [GOOD.sms], 'wrong');
    sandbox.faults.add({ kind: 'drop-after' });
    await expect(run(sandbox, [GOOD.sms])).rejects.toThrow();
    expect(
      sandbox.requests.map(({ status, error, fault, answer }) => [status, error, fault, answer]),
    ).toEqual([
      [200, 'Access denied', undefined, expect.any(String)],
      [undefined, undefined, 'drop-after', undefined],
    ]);
  });

  test('refused operations and why, with their request', async () => {
    await run(sandbox, [GOOD.sms, { ...GOOD.sms, id: 2, sms_signature: 'Nobody' }]);
    await queue(sandbox, [{ ...GOOD.viber, id: { toString: 1 }, phone: '+1' }]);
    await sandbox.settled();
    expect((await control('refusals')).body).toEqual([
      expect.objectContaining({
        type: 'sms',
        id: '2',
        phone: String(PHONE),
        error: 'Error in Alpha-name',
        request: 1,
        index: 1,
      }),
      expect.objectContaining({ type: 'viber', id: '{"toString":1}', request: 2, index: 0 }),
    ]);
    await control('reset', {});
    expect((await control('refusals')).body).toEqual([]);
  });

  test('each try of a callback with its answer, or why there was none', async () => {
    sandbox.configure({ callbacks: { attempts: 2, retryDelayMs: 1 } });
    const gone = await listenForCallbacks();
    await gone.close();
    await run(sandbox, [
      { ...GOOD.sms, hook: hook.url },
      { ...GOOD.sms, id: 2, hook: gone.url },
    ]);
    for (const { msgId } of sandbox.messages.list()) sandbox.act(msgId, 'status', { status: 'READ' });
    await sandbox.settled();
    expect(sandbox.callbacks).toMatchObject([
      { state: 'acknowledged', msgId: expect.any(Number), attempts: [{ status: 200, answer: '' }] },
      { state: 'given-up', attempts: [{ problem: 'ECONNREFUSED' }, { status: 0, ms: expect.any(Number) }] },
    ]);
  });
});

describe('a test callback', () => {
  test('goes out once, with any body, and tells the answer', async () => {
    const body = { success: false, id: '5', status: 'NO ROUTE', anything: [1] };
    const taken = await control('callbacks', { url: hook.url, body });
    expect(taken.body).toMatchObject({ test: true, state: 'acknowledged', tries: [200] });
    const refused = await control('callbacks', { url: hook.url, body });
    expect(refused.body).toMatchObject({ test: true, state: 'given-up', tries: [404] });
    await sandbox.settled();
    expect(hook.received.map((one) => one.body)).toEqual([body, body]);
  });

  test('goes to no other machine, whatever the settings say', async () => {
    sandbox.configure({ callbacks: { allowRemoteHooks: true } });
    for (const url of ['https://example.com/hook', 'http://127.0.0.1.example.com/', 'http://192.0.2.1/']) {
      const { status, body } = await control('callbacks', { url, body: {} });
      expect([status, body.error]).toEqual([400, expect.stringContaining('on this machine')]);
    }
    expect(sandbox.callbacks).toEqual([]);
  });

  test.each([
    [{ url: 'hook', body: {} }, 'url has to be an http or https address'],
    [{ body: {} }, 'url has to be an http or https address'],
    [{ url: 'http://127.0.0.1:9/', body: [1] }, 'body has to be a JSON object'],
    [{ url: 'http://127.0.0.1:9/' }, 'body has to be a JSON object'],
  ])('%j is refused', async (input, error) => {
    expect(await control('callbacks', input)).toEqual({ status: 400, body: { error } });
  });

  test('about no message, however it names one', async () => {
    const body = { msg_id: { toString: 1, valueOf: 1 }, status: { toString: 1 } };
    const [snapshot] = await live(
      (text) => text.includes('"callbacks"'),
      () => control('callbacks', { url: hook.url, body }),
    );
    expect(snapshot.callbacks).toEqual([]);
    const [again] = await live(Boolean, () => Promise.resolve());
    expect(again.callbacks).toMatchObject([{ test: true, payload: body }]);
    expect(again.callbacks[0]).not.toHaveProperty('msgId');
  });
});

describe('deciding', () => {
  test('delivers all that wait, or those of one number', async () => {
    await run(
      sandbox,
      [1, 2, 3, 4].map((id) => ({ ...GOOD.sms, id, phone: PHONE + (id % 2), hook: hook.url })),
    );
    const [first] = sandbox.messages.list();
    sandbox.act(first.msgId, 'fail');
    expect((await control('deliver', { phone: PHONE })).body).toEqual({ delivered: 2 });
    expect((await control('deliver', {})).body).toEqual({ delivered: 1 });
    expect(sandbox.messages.list().map(({ status }) => status)).toEqual([
      'UNDELIVERABLE',
      ...['DELIVERED', 'DELIVERED', 'DELIVERED'],
    ]);
    expect((await control('deliver', { phone: 'x' })).status).toBe(400);
  });

  test('switches off one fault of several', async () => {
    await control('faults', { kind: 'slow' });
    await control('faults', { kind: 'refuse' });
    expect((await control('faults/1', undefined, 'DELETE')).body.active).toEqual([
      { kind: 'refuse', struck: 0 },
    ]);
    expect((await control('faults/1', undefined, 'DELETE')).status).toBe(404);
    expect(await run(sandbox, [GOOD.sms])).toMatchObject({ success: false, error: 'Internal error' });
  });
});

describe('an open page', () => {
  test('is told of requests, refusals, settings and faults, without any key', async () => {
    const events = await live(
      (text) => text.includes('"latencyMs":7') && text.includes('"kind":"slow"'),
      async () => {
        await run(sandbox, [
          { ...GOOD.sms, sms_message: '€'.repeat(80) },
          { ...GOOD.sms, phone: 'x' },
        ]);
        await control('faults', { kind: 'slow', endpoint: 'mcp' });
        await control('config', { latencyMs: 7 });
      },
    );
    const all = (name: string) => events.flatMap((event) => event[name] ?? []);
    expect(all('requests').at(-1)).toMatchObject({ seq: 1, status: 200, types: { sms: 2 } });
    expect(all('refusals')).toMatchObject([{ type: 'sms', phone: 'x' }]);
    expect(all('messages')[0].sms).toEqual({ encoding: 'GSM-7', units: 160, parts: 1, room: 160 });
    expect(all('situation').at(-1)).toMatchObject({
      faults: [{ number: 1, plan: { kind: 'slow' } }],
      notificationUrl: null,
    });
    expect(JSON.stringify(events)).not.toContain(DEFAULT_KEY);
  });

  test.each([
    ['a', { encoding: 'GSM-7', units: 1, parts: 1, room: 160 }],
    ['a'.repeat(161), { encoding: 'GSM-7', units: 161, parts: 2, room: 306 }],
    ['ж'.repeat(71), { encoding: 'UCS-2', units: 71, parts: 2, room: 134 }],
  ])('is told how an SMS is billed: %s', async (text, sms) => {
    await runOne(sandbox, { ...GOOD['viber+sms'], sms_message: text });
    const [{ messages }] = await live(Boolean, () => Promise.resolve());
    expect(messages[0].sms).toEqual(sms);
  });

  test('gets addresses and key for the credential', async () => {
    const { baseUrl, asyncUrl, mcpUrl } = sandbox;
    const credential = (await control('credential')).body;
    expect(credential).toMatchObject({ baseUrl, asyncUrl, mcpUrl, apiKey: DEFAULT_KEY });
  });

  test('is made of files that never build markup from text', async () => {
    const files = readdirSync(join(__dirname, '../../../sandbox/page')).filter(
      (file) => file !== 'index.html',
    );
    expect(files.length).toBeGreaterThan(20);
    for (const path of ['', 'phone', ...files.map((file) => `page/${file}`)]) {
      const response = await fetch(`${sandbox.baseUrl}/${path}`);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      const text = await response.text();
      expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(/);
    }
    expect((await fetch(`${sandbox.baseUrl}/page/../server.mts`)).status).toBe(404);
  });
});

test('a voice call reports to the notification address, where there is one', async () => {
  await control('accounts', { notificationUrl: hook.url });
  const msgId = (await runOne(sandbox, { ...GOOD.voice, dtmf: true })).data.msg_id as number;
  await control(`messages/${msgId}/dtmf`, { digit: '2', duration: 9 });
  await sandbox.settled();
  expect(hook.received.map(({ body }) => body)).toEqual([
    expect.objectContaining({ type: 'voice', status: 'DELIVERED', reply: '2', duration: 9 }),
  ]);
});
