import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { testSandbox } from '../../support/own-sandbox.mts';
import { GOOD, listenForCallbacks, post, queue, run } from './client.mts';

const sandbox = testSandbox({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });
const endpoint = (kind: 'sync' | 'async') =>
  kind === 'sync' ? `${sandbox.baseUrl}/api/json.php` : `${sandbox.asyncUrl}/v1/json`;

describe.each(['sync', 'async'] as const)('envelope, %s endpoint', (kind) => {
  const good = { auth: DEFAULT_KEY, data: [GOOD.sms] };
  const send = async (body: unknown, headers?: Record<string, string>) => {
    const response = await post(endpoint(kind), body, headers);
    expect(response.status).toBe(200);
    return (await response.json()) as object;
  };

  test.each<[string, body: unknown, contentType?: string]>([
    ['no content type', good, ''],
    ['form fields', 'auth=x', 'application/x-www-form-urlencoded'],
    ['no JSON', '{"auth":'],
    ['JSON that is nested too deeply', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['a list', [good]],
    ['no data', { auth: DEFAULT_KEY }],
    ['empty data', { auth: DEFAULT_KEY, data: [] }],
    ['data that is an object', { auth: DEFAULT_KEY, data: {} }],
    ['too many operations', `{"auth":"${DEFAULT_KEY}","data":[${'1,'.repeat(1_000_000)}1]}`],
  ])('%s is refused with HTTP 200 and takes nothing', async (_, body, contentType = 'application/json') => {
    const headers: Record<string, string> = contentType === '' ? {} : { 'content-type': contentType };
    expect(await send(body, headers)).toEqual({ success: false, error: expect.any(String) });
    await sandbox.settled();
    expect(sandbox.messages.accepted).toBe(0);
  });

  test('a wrong key, or an account that may not: Access denied', async () => {
    const denied = { success: false, error: 'Access denied' };
    for (const auth of ['wrong', '', 5, undefined, null])
      expect(await send({ ...good, auth })).toEqual(denied);
    const account = sandbox.account();
    for (const change of [{ enabled: false }, { apiEnabled: false }, { allowedIps: ['192.0.2.1'] }]) {
      Object.assign(account, { enabled: true, apiEnabled: true, allowedIps: null });
      expect(await send(good, { 'content-type': 'application/json; charset=UTF-8' })).toMatchObject({
        success: true,
      });
      Object.assign(account, change);
      expect([change, await send(good)]).toEqual([change, denied]);
    }
  });

  test('GET and another path are no requests', async () => {
    expect(await (await fetch(endpoint(kind))).json()).toMatchObject({ success: false });
    expect((await post(`${endpoint(kind)}/v2`, {})).status).toBe(404);
  });
});

test('sends that the queue refuses are reported as REJECTED to their hook, others not', async () => {
  const hook = await listenForCallbacks();
  const answer = await queue(sandbox, [
    { ...GOOD.sms, id: 31, hook: hook.url, sms_signature: 'Nobody' },
    { ...GOOD.sms, id: 33, hook: hook.url, type: 'whatsapp' },
    { ...GOOD.voice, id: 34, hook: hook.url, phone: 'x' },
    { ...GOOD.sms, id: 35, phone: 'x' },
  ]);
  await sandbox.settled();
  const bodies = hook.received.map(({ body }) => body).sort((a, b) => Number(a.id) - Number(b.id));
  const { request_id } = answer;
  const common = { success: false, status: 'REJECTED', updated: expect.any(String), request_id };
  expect(bodies).toEqual([
    { ...common, id: '31', type: 'sms', error: 'Error in Alpha-name' },
    { ...common, id: '33', error: 'Invalid message type' },
  ]);
  expect(sandbox.messages.accepted).toBe(0);
  await hook.close();
});

describe('a request is recorded', () => {
  test('the record has body, headers, bytes and the names of what has no place in it, and not the key, however that is written', async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${DEFAULT_KEY}` };
    const data = [{ ...GOOD.sms, sms_message: `text with ${DEFAULT_KEY}` }];
    await post(endpoint('sync'), { auth: DEFAULT_KEY, data, extra: 1 }, headers);
    const [record] = sandbox.requests;
    expect(record).toMatchObject({ endpoint: 'sync', method: 'POST', items: 1, status: 200 });
    expect(record).toMatchObject({ keyIn: ['body', 'header'], undeclared: ['extra'] });
    expect(record.body).toMatchObject({ auth: '***', data: [{ id: 1, sms_message: 'text with ***' }] });
    expect(record.raw.toString()).toContain('"id":1,"phone":380501234567');
    expect(`${JSON.stringify(record)} ${record.raw.toString()}`).not.toContain(DEFAULT_KEY);
    const escaped = [...DEFAULT_KEY]
      .map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
    await post(endpoint('sync'), `{"auth":"${escaped}","data":[{"type":"balance"}]}`);
    expect(sandbox.requests[1].raw.toString()).toBe('{"auth":"***","data":[{"type":"balance"}]}');
  });

  test('records stay within limits of memory, and are counted beyond them', async () => {
    sandbox.configure({ keep: { messages: 100, requestBytes: 2000 } });
    for (let i = 0; i < 10; i += 1)
      await run(sandbox, Array(20).fill({ ...GOOD.sms, sms_message: 'x'.repeat(35) }));
    expect(sandbox.requests.length).toBeLessThan(3);
    expect([sandbox.counts().requests, sandbox.counts().accepted]).toEqual([10, 200]);
    expect(sandbox.messages.list()).toHaveLength(100);
  });
});
