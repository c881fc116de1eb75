/** Values that programs trip over, and bodies that would be too much for the sandbox. */
import { startSandbox } from '../../../sandbox/server.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { GOOD, post, queue, runOne } from './client.mts';

let sandbox: Sandbox;
let said: jest.SpyInstance;

beforeEach(async () => {
  sandbox = await startSandbox({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });
  said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(async () => {
  await sandbox.settled();
  await sandbox.close();
  const errors = said.mock.calls.map(([text]) => text);
  said.mockRestore();
  expect(errors).toEqual([]);
});

/** An object that can't be made a text or a number. */
const STUBBORN = { toString: 1, valueOf: 1 };

test.each([[STUBBORN], [[STUBBORN]], [null], ['__proto__']])(
  'an id that is %j, with ids as texts',
  async (id) => {
    sandbox.configure({ shapes: { id: 'string' } });
    for (const type of ['sms', 'status', 'hlr', 'nothing']) {
      expect(await runOne(sandbox, { ...GOOD.sms, type, id })).toMatchObject({
        success: false,
        data: { id },
      });
      expect((await queue(sandbox, [{ ...GOOD.sms, type, id }])).success).toBe(true);
    }
  },
);

test.each([['constructor'], ['__proto__'], [STUBBORN], [[STUBBORN]]])(
  'a viber_type that is %j',
  async (type) => {
    const item = await runOne(sandbox, { ...GOOD.viber, viber_type: type, viber_message: 'x' });
    expect(item).toMatchObject({ success: false, error: expect.stringContaining('viber_type') });
  },
);

test.each([
  ['tools/call', { name: STUBBORN }],
  ['tools/list', { cursor: STUBBORN }],
  ['tools/list', { cursor: '-1' }],
])('connector: %s with %j', async (method, params) => {
  sandbox.configure({ connector: { sessions: false } });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${DEFAULT_KEY}`,
  };
  const response = await post(`${sandbox.mcpUrl}/mcp`, { jsonrpc: '2.0', id: 1, method, params }, headers);
  expect([response.status, await response.json()]).toMatchObject([200, { error: { code: -32602 } }]);
});

test('JSON that is nested too deeply is no JSON for any path, and leaves the lists readable', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const body = (depth: number) => `{"auth":"${DEFAULT_KEY}","data":[{"type":"sms","x":${nested(depth)}}]}`;
  for (const path of ['/api/json.php', '/v1/json']) {
    const response = await post(sandbox.baseUrl + path, body(100_000));
    expect(await response.json()).toEqual({ success: false, error: 'Invalid JSON' });
  }
  expect((await post(`${sandbox.controlUrl}/config`, nested(100_000))).status).toBe(400);
  const listed = await (await fetch(`${sandbox.controlUrl}/requests`)).json();
  expect(listed).toHaveLength(2);
  const answer = await post(`${sandbox.baseUrl}/api/json.php`, body(500));
  expect(await answer.json()).toMatchObject({ success: true });
});

test('more operations than results fit into memory are refused as a whole', async () => {
  const body = `{"auth":"${DEFAULT_KEY}","data":[${'1,'.repeat(1_000_000)}1]}`;
  const answer = await (await post(`${sandbox.baseUrl}/api/json.php`, body)).text();
  expect(answer.slice(0, 100)).toBe(
    '{"success":false,"error":"Too many operations in one request: at most 1000000"}',
  );
});
