/** The tools of the connector, its key and its sessions; its two locks are tested with the nodes' assistant. */
import { testSandbox } from '../../support/own-sandbox.mts';
import { PHONE } from '../../support/contract-samples.mts';
import { MCP_HEADERS } from './client.mts';

interface Rpc {
  result?: { tools?: unknown[]; content?: Array<{ text: string }> };
}

const sandbox = testSandbox();

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

async function raw(body: unknown, headers: Record<string, string> = {}, method = 'POST') {
  const all = Object.entries({ ...MCP_HEADERS, ...headers }).filter(([, value]) => value !== '');
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  return await fetch(`${sandbox.mcpUrl}/mcp`, { method, headers: all, body: text });
}

async function rpc(method: string, params?: object, headers?: Record<string, string>): Promise<Rpc> {
  return (await (await raw({ ...PING, method, params }, headers)).json()) as Rpc;
}

async function open(): Promise<Record<string, string>> {
  const response = await raw({ ...PING, method: 'initialize', params: {} });
  const headers = { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
  expect((await raw({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers)).status).toBe(202);
  return headers;
}

test('demands the key at once, has it refused by the API when a tool needs it, and masks it', async () => {
  const none = await raw({ ...PING, method: 'initialize' }, { authorization: '' });
  expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  const headers = { ...(await open()), authorization: 'Bearer wrong' };
  expect((await rpc('tools/list', {}, headers)).result?.tools).toHaveLength(11);
  const { result } = await rpc('tools/call', { name: 'balance' }, headers);
  const text = expect.stringContaining('Access denied');
  expect(result).toMatchObject({ isError: true, content: [{ text }] });
  const { endpoint, keyIn, headers: recorded } = sandbox.requests.at(-1)!;
  expect([endpoint, keyIn, recorded.authorization]).toEqual(['mcp', ['header'], 'Bearer ***']);
});

const SMS = { phone: PHONE, text: 'Hello', sender: 'TestSender' };

test.each<[tool: string, args: object, type?: string]>([
  ['balance', {}],
  ['list_senders', {}],
  ['lookup_number', { phone: PHONE }],
  ['list_sms_templates', {}],
  ['list_viber_templates', {}],
  ['message_status', { id: 5 }],
  ['send_sms', SMS, 'sms'],
  ['send_viber', SMS, 'viber'],
  ['send_telegram_code', { phone: PHONE, code: '1234' }, 'telegram'],
  ['send_voice', { phone: PHONE, text: 'Hi', gender: 'male', language: 'en-US', voice: 'Tom' }, 'voice'],
  ['send_pipeline', { ...SMS, channels: ['viber', 'rcs', 'sms'] }, 'pipeline'],
])('%s with %j does what an operation of the API does, with the type %s', async (...[name, args, type]) => {
  const sending = type !== undefined && { confirm: true, id: 77 };
  const call = { name, arguments: { ...args, ...sending } };
  const { result } = await rpc('tools/call', call, await open());
  await sandbox.settled();
  expect(JSON.parse(result?.content?.[0].text ?? '')).toEqual(
    sending ? { success: true, request_id: expect.any(String), id: 77 } : expect.any(Object),
  );
  const sent = sandbox.messages.list().map((message) => [message.type, message.id, message.undeclared]);
  expect(sent).toEqual(sending ? [[type, 77, []]] : []);
});
