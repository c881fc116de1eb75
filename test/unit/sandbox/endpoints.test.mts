import fc from 'fast-check';

import { measureSms } from '../../../nodes/gateway/contract/sms-segments.ts';
import { startSandbox } from '../../../sandbox/server.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { smsParts } from '../../../sandbox/sms.mts';
import { GOOD, listenForCallbacks, post, queue, run, runOne } from './client.mts';
import { letTimeRun, pass, passUntil, stopTime, until } from '../../support/virtual-time.mts';

let sandbox: Sandbox;
const endpoint = (kind: 'sync' | 'async') =>
  kind === 'sync' ? `${sandbox.baseUrl}/api/json.php` : `${sandbox.asyncUrl}/v1/json`;

beforeAll(async () => {
  sandbox = await startSandbox({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

describe.each(['sync', 'async'] as const)('envelope, %s endpoint', (kind) => {
  const good = { auth: DEFAULT_KEY, data: [GOOD.sms] };

  test.each([
    ['no content type', good, {}],
    ['another content type', good, { 'content-type': 'text/plain' }],
    ['form fields', 'auth=x', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['no JSON', '{"auth":', undefined],
    ['a list', [good], undefined],
    ['null', 'null', undefined],
    ['no data', { auth: DEFAULT_KEY }, undefined],
    ['empty data', { auth: DEFAULT_KEY, data: [] }, undefined],
    ['data that is an object', { auth: DEFAULT_KEY, data: {} }, undefined],
  ])('%s is refused with HTTP 200 and takes nothing', async (_name, body, headers) => {
    const response = await post(endpoint(kind), body, headers);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ success: false, error: expect.any(String) });
    await sandbox.settled();
    expect(sandbox.messages.accepted).toBe(0);
  });

  test('a wrong key, or an account that may not: Access denied', async () => {
    const send = async (auth: unknown) => (await post(endpoint(kind), { auth, data: [GOOD.sms] })).json();
    const denied = { success: false, error: 'Access denied' };
    for (const auth of ['wrong', '', 5, undefined, null]) expect(await send(auth)).toEqual(denied);
    const account = sandbox.addAccount({ key: 'other', name: 'other' });
    for (const change of [{ enabled: false }, { apiEnabled: false }, { allowedIps: ['192.0.2.1'] }]) {
      Object.assign(account, { enabled: true, apiEnabled: true, allowedIps: null });
      expect(await send('other')).toMatchObject({ success: true });
      Object.assign(account, change);
      expect([change, await send('other')]).toEqual([change, denied]);
    }
  });

  test('GET is refused in the body, and a content type with a charset is fine', async () => {
    const response = await fetch(endpoint(kind));
    expect([response.status, await response.json()]).toMatchObject([200, { success: false }]);
    const taken = await post(endpoint(kind), good, { 'content-type': 'application/json; charset=UTF-8' });
    expect(await taken.json()).toMatchObject({ success: true });
  });
});

describe('synchronous endpoint', () => {
  test('one result for each operation, in order, whatever is in the list', async () => {
    const { success, data } = await run(sandbox, [
      { ...GOOD.sms, id: 11 },
      { ...GOOD.sms, id: 12, phone: 'x' },
      null,
      'sms',
      { ...GOOD.viber, id: 13 },
    ]);
    expect(success).toBe(true);
    expect(data.map((item) => [item.success, item.data.id])).toEqual([
      [true, 11],
      [false, 12],
      [false, null],
      [false, null],
      [true, 13],
    ]);
  });

  test('ten thousand operations in one request, within limits of memory', async () => {
    sandbox.configure({ keep: { messages: 100, requests: 5 } });
    const data = Array.from({ length: 10_000 }, (_, index) => ({ ...GOOD.sms, id: 1000 + index }));
    const answer = await run(sandbox, data);
    expect(answer.data).toHaveLength(10_000);
    expect(sandbox.messages.accepted).toBe(10_000);
    expect(sandbox.messages.distinct).toBe(10_000);
    expect(sandbox.messages.list()).toHaveLength(100);
    sandbox.configure({ keep: { messages: 20_000, requests: 2000 } });
  });

  test('latency delays the answer, not the acceptance', async () => {
    stopTime();
    sandbox.configure({ latencyMs: 80 });
    const start = Date.now();
    const answer = run(sandbox, [GOOD.sms]);
    await until(() => sandbox.messages.accepted === 1);
    expect(Date.now()).toBe(start);
    await passUntil(answer);
    expect(Date.now() - start).toBeGreaterThanOrEqual(80);
    letTimeRun();
    sandbox.configure({ latencyMs: 0 });
  });
});

describe('asynchronous endpoint', () => {
  test('answers with a request_id alone, and carries the operations out later', async () => {
    stopTime();
    sandbox.configure({ queueDelayMs: 60, outcomes: { afterMs: 10_000 } });
    const answer = await queue(sandbox, [{ ...GOOD.sms, id: 21 }]);
    expect(answer).toEqual({ success: true, request_id: expect.any(String) });
    expect((await runOne(sandbox, { type: 'status', id: 21 })).success).toBe(false);
    await pass(59);
    expect(sandbox.messages.accepted).toBe(0);
    await pass(1);
    expect(sandbox.messages.byId(21)[0].requestId).toBe(answer.request_id);
    expect((await runOne(sandbox, { type: 'status', id: 21 })).data.status).toBe('ACCEPTED');
    letTimeRun();
    sandbox.reset();
    sandbox.configure({ queueDelayMs: 1, outcomes: { afterMs: 1 } });
  });

  test('refused sends are reported as REJECTED to their hook, others not', async () => {
    const hook = await listenForCallbacks();
    const answer = await queue(sandbox, [
      { ...GOOD.sms, id: 31, hook: hook.url, sms_signature: 'Nobody' },
      { ...GOOD.viber, id: 32, hook: hook.url, viber_type: 'video' },
      { ...GOOD.sms, id: 33, hook: hook.url, type: 'whatsapp' },
      { ...GOOD.voice, id: 34, hook: hook.url, phone: 'x' },
      { ...GOOD.sms, id: 35, phone: 'x' },
    ]);
    await sandbox.settled();
    const bodies = hook.received.map(({ body }) => body).sort((a, b) => Number(a.id) - Number(b.id));
    const common = {
      success: false,
      status: 'REJECTED',
      updated: expect.any(String),
      request_id: answer.request_id,
    };
    expect(bodies).toEqual([
      { ...common, id: '31', type: 'sms', error: 'Error in Alpha-name' },
      { ...common, id: '32', type: 'viber', error: expect.stringContaining('viber_type') },
      { ...common, id: '33', error: 'Invalid message type' },
    ]);
    expect(sandbox.messages.accepted).toBe(0);
    await hook.close();
  });
});

describe('a request is recorded', () => {
  test('with body, headers and bytes, without the key', async () => {
    await run(sandbox, [{ ...GOOD.sms, sms_message: `text with ${DEFAULT_KEY}` }]);
    const [record] = sandbox.requests;
    expect(record).toMatchObject({
      endpoint: 'sync',
      method: 'POST',
      items: 1,
      keyIn: ['body'],
      status: 200,
    });
    expect(record.body).toMatchObject({ auth: '***', data: [{ id: 1, sms_message: 'text with ***' }] });
    expect(record.raw.toString()).not.toContain(DEFAULT_KEY);
    expect(record.raw.toString()).toContain('"id":1,"phone":380501234567');
    expect(JSON.stringify(record)).not.toContain(DEFAULT_KEY);
  });

  test('without a key that is written with other escapes', async () => {
    const escaped = [...DEFAULT_KEY]
      .map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
    const response = await post(endpoint('sync'), `{"auth":"${escaped}","data":[{"type":"balance"}]}`);
    expect(await response.json()).toMatchObject({ success: true });
    expect(sandbox.requests[0].raw.toString()).toBe('{"auth":"***","data":[{"type":"balance"}]}');
  });

  test('with the names of what has no place in it', async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${DEFAULT_KEY}` };
    await post(endpoint('sync'), { auth: DEFAULT_KEY, data: [{ type: 'balance' }], extra: 1 }, headers);
    expect(sandbox.requests[0]).toMatchObject({ keyIn: ['body', 'header'], undeclared: ['extra'] });
  });

  test('within a limit of bytes', async () => {
    sandbox.configure({ keep: { requestBytes: 2000 } });
    for (let i = 0; i < 10; i += 1) await run(sandbox, [{ ...GOOD.sms, sms_message: 'x'.repeat(700) }]);
    expect(sandbox.requests.length).toBeLessThan(3);
    expect(sandbox.counts().requests).toBe(10);
    sandbox.configure({ keep: { requestBytes: 32 * 1024 * 1024 } });
  });
});

test('other paths are no gateway', async () => {
  const response = await post(`${sandbox.baseUrl}/api/v2`, {});
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html']);
});

describe('what would be too much', () => {
  test('JSON that is nested too deeply is no JSON for any path, and leaves the lists readable', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    const body = (depth: number) => `{"auth":"${DEFAULT_KEY}","data":[{"type":"sms","x":${nested(depth)}}]}`;
    for (const kind of ['sync', 'async'] as const) {
      const response = await post(endpoint(kind), body(100_000));
      expect(await response.json()).toEqual({ success: false, error: 'Invalid JSON' });
    }
    expect((await post(`${sandbox.controlUrl}/config`, nested(100_000))).status).toBe(400);
    expect(await (await fetch(`${sandbox.controlUrl}/requests`)).json()).toHaveLength(2);
    expect(await (await post(endpoint('sync'), body(500))).json()).toMatchObject({ success: true });
  });

  test.each(['sync', 'async'] as const)(
    'a million operations and one, and a body too large: %s',
    async (kind) => {
      const many = `{"auth":"${DEFAULT_KEY}","data":[${'1,'.repeat(1_000_000)}1]}`;
      expect(await (await post(endpoint(kind), many)).json()).toEqual({
        success: false,
        error: 'Too many operations in one request: at most 1000000',
      });
      sandbox.configure({ rules: { maxBodyBytes: 10 } });
      const answer = (await post(endpoint(kind), { auth: DEFAULT_KEY, data: [GOOD.sms] })).json();
      expect(await answer).toEqual({ success: false, error: 'Request is too large' });
      sandbox.configure({ rules: { maxBodyBytes: 64 * 1024 * 1024 } });
    },
  );
});

test('counts the parts of an SMS as the node does, which shares no code with it', () => {
  const letter = fc.constantFrom(...'a€я😀çÇ^\n');
  fc.assert(
    fc.property(fc.array(fc.tuple(letter, fc.nat(170)), { maxLength: 4 }), (runs) => {
      const text = runs.map(([one, count]) => one.repeat(count)).join('');
      expect(smsParts(text)).toBe(measureSms(text).segments);
    }),
    { numRuns: 1000 },
  );
});
