import { startSandbox } from '../../../sandbox/server.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import { MCP_HEADERS, PHONE } from './client.mts';

interface Tool {
  name: string;
  inputSchema: { type: string; properties: Record<string, unknown>; required: string[] };
}

interface Rpc {
  jsonrpc: string;
  id: unknown;
  result?: {
    tools?: Tool[];
    nextCursor?: string;
    content?: Array<{ type: string; text: string }>;
    isError?: boolean;
    protocolVersion?: string;
  };
  error?: { code: number; message: string };
}

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });
});
afterEach(() => sandbox.close());

function raw(body: unknown, headers: Record<string, string> = {}, method = 'POST') {
  const all: Record<string, string> = { ...MCP_HEADERS, ...headers };
  for (const [name, value] of Object.entries(all)) if (value === '') delete all[name];
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  return fetch(`${sandbox.mcpUrl}/mcp`, { method, headers: all, body: text });
}

let rpcId = 0;
async function rpc(method: string, params?: object, headers?: Record<string, string>): Promise<Rpc> {
  const response = await raw({ jsonrpc: '2.0', id: (rpcId += 1), method, params }, headers);
  const answer = (await response.json()) as Rpc;
  return answer;
}

async function open(): Promise<Record<string, string>> {
  const response = await raw({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} });
  const session = response.headers.get('mcp-session-id') ?? '';
  const headers = { 'mcp-session-id': session };
  expect((await raw({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers)).status).toBe(202);
  return headers;
}

async function call(headers: Record<string, string>, name: string, args: object = {}) {
  const { result, error } = await rpc('tools/call', { name, arguments: args }, headers);
  if (error) return { error };
  const value = JSON.parse(result!.content![0].text) as Record<string, unknown>;
  return { value, isError: result!.isError ?? false };
}

const SMS = { phone: PHONE, text: 'Hello', sender: 'TestSender' };

test('/health needs no key', async () => {
  const health = async () => (await fetch(`${sandbox.mcpUrl}/health`)).json();
  expect(await health()).toEqual({ ok: true, domain: 'sandbox.example.com', send_enabled: true });
  sandbox.configure({ connector: { sendEnabled: false, domain: 'other.example.com' } });
  expect(await health()).toEqual({ ok: true, domain: 'other.example.com', send_enabled: false });
});

describe('tools', () => {
  test('eleven of them, balance among them, each with a schema; six when sending is off', async () => {
    const headers = await open();
    const { result } = await rpc('tools/list', {}, headers);
    const tools = result?.tools ?? [];
    expect(tools).toHaveLength(11);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(11);
    for (const { inputSchema, name } of tools) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(inputSchema.type).toBe('object');
    }
    expect(tools.find(({ name }) => name === 'balance')?.inputSchema.properties).toEqual({});
    const sending = tools.filter(({ inputSchema }) => 'confirm' in inputSchema.properties);
    expect(sending).toHaveLength(5);
    sandbox.configure({ connector: { sendEnabled: false } });
    const offered = (await rpc('tools/list', {}, headers)).result?.tools ?? [];
    expect(offered.map(({ name }) => name)).toEqual(
      tools.filter((tool) => !sending.includes(tool)).map(({ name }) => name),
    );
  });

  test('every reading tool runs at once', async () => {
    const headers = await open();
    const answers: Array<[name: string, args: object, answer: object]> = [
      ['balance', {}, { value: { amount: 1000, currency: 'EUR' }, isError: false }],
      ['list_senders', {}, { value: { sms: expect.any(Array) } }],
      ['lookup_number', { phone: PHONE }, { value: { phone: PHONE } }],
      ['list_sms_templates', {}, { value: { templates: [] } }],
      ['list_viber_templates', {}, { value: { templates: [] } }],
      ['message_status', { id: 5 }, { isError: true }],
    ];
    for (const [name, args, answer] of answers) expect(await call(headers, name, args)).toMatchObject(answer);
    expect(sandbox.messages.accepted).toBe(0);
  });

  test.each([
    ['send_sms', SMS, 'sms'],
    ['send_viber', SMS, 'viber'],
    ['send_telegram_code', { phone: PHONE, code: '1234' }, 'telegram'],
    ['send_voice', { phone: PHONE, text: 'Hi', gender: 'male', language: 'en-US', voice: 'Tom' }, 'voice'],
    ['send_pipeline', { ...SMS, channels: ['viber', 'rcs', 'sms'] }, 'pipeline'],
  ])('%s sends through the queue, once', async (name, args, type) => {
    const headers = await open();
    const { value } = await call(headers, name, { ...args, confirm: true, id: 77 });
    expect(value).toEqual({ success: true, request_id: expect.any(String), id: 77 });
    await sandbox.settled();
    expect(sandbox.messages.list()).toEqual([
      expect.objectContaining({ type, id: 77, requestId: value?.request_id, undeclared: [] }),
    ]);
    expect((await call(headers, 'message_status', { id: 77 })).value).toMatchObject({ status: 'DELIVERED' });
  });
});

test('sending has two locks: the switch, and a confirmation that is true', async () => {
  const send = async (sendEnabled: boolean, confirm: unknown) => {
    sandbox.configure({ connector: { sendEnabled } });
    return (await call(await open(), 'send_sms', { ...SMS, confirm })).value;
  };
  const refusal = { refused: true, reason: expect.any(String), how_to: expect.any(String) };
  expect(await send(false, true)).toEqual(refusal);
  for (const confirm of [false, undefined, 'true', 1, null])
    expect(await send(true, confirm)).toEqual(refusal);
  expect(await send(true, true)).toHaveProperty('request_id');
  await sandbox.settled();
  expect(sandbox.messages.accepted).toBe(1);
});

describe('the key', () => {
  test('is demanded at once (401), and refused by the API when a tool needs it', async () => {
    const none = await raw({ jsonrpc: '2.0', id: 1, method: 'initialize' }, { authorization: '' });
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const headers = { ...(await open()), authorization: 'Bearer wrong' };
    expect((await rpc('tools/list', {}, headers)).result?.tools).toHaveLength(11);
    expect(await call(headers, 'balance')).toEqual({
      value: { success: false, error: 'Access denied' },
      isError: true,
    });
    expect(await call(headers, 'send_sms', { ...SMS, confirm: true })).toMatchObject({ isError: true });
    await sandbox.settled();
    expect(sandbox.messages.accepted).toBe(0);
  });

  test('can be checked at the door, and is masked in what is recorded', async () => {
    sandbox.configure({ connector: { auth: 'check' } });
    const response = await raw({ jsonrpc: '2.0', id: 1, method: 'ping' }, { authorization: 'Bearer wrong' });
    expect(response.status).toBe(401);
    expect(sandbox.requests[0]).toMatchObject({ endpoint: 'mcp', keyIn: ['header'] });
    expect(sandbox.requests[0].headers.authorization).toBe('Bearer ***');
  });
});

describe('sessions', () => {
  test('are demanded, found, dropped and ended', async () => {
    expect((await raw({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(400);
    const headers = await open();
    expect((await rpc('ping', {}, headers)).result).toEqual({});
    sandbox.sessions.dropAll();
    const lost = await raw({ jsonrpc: '2.0', id: 1, method: 'ping' }, headers);
    expect(lost.status).toBe(404);
    const again = await open();
    expect((await rpc('ping', {}, again)).result).toEqual({});
    expect((await raw(undefined, again, 'DELETE')).status).toBe(204);
    expect((await raw({ jsonrpc: '2.0', id: 1, method: 'ping' }, again)).status).toBe(404);
    expect(sandbox.sessions.opened).toBe(2);
  });

  test('are not needed when they are off', async () => {
    sandbox.configure({ connector: { sessions: false } });
    const response = await raw({ jsonrpc: '2.0', id: 1, method: 'initialize' });
    expect(response.headers.has('mcp-session-id')).toBe(false);
    expect(await call({}, 'balance')).toMatchObject({ value: { currency: 'EUR' } });
  });
});

describe('JSON-RPC', () => {
  test('errors have the codes of the protocol', async () => {
    const headers = await open();
    const code = async (method: string, params?: object) => (await rpc(method, params, headers)).error?.code;
    expect(await code('nothing')).toBe(-32601);
    for (const params of [
      { name: 'nothing' },
      { name: { toString: 1 } },
      { name: 'balance', arguments: { colour: 1 } },
      { name: 'balance', arguments: [] },
      { name: 'lookup_number', arguments: {} },
      { name: 'lookup_number', arguments: { phone: 'x' } },
    ]) {
      expect([params, await code('tools/call', params)]).toEqual([params, -32602]);
    }
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const answers: Array<[status: number, body: unknown, more?: Record<string, string>]> = [
      [400, '{'],
      [400, [ping]],
      [400, { ...ping, jsonrpc: '1.0' }],
      [406, ping, { accept: 'application/json' }],
      [415, ping, { 'content-type': 'text/plain' }],
      [400, ping, { 'mcp-protocol-version': '1999-01-01' }],
      [200, ping, { 'mcp-protocol-version': '2025-06-18' }],
    ];
    for (const [status, body, more] of answers) {
      expect([body, more, (await raw(body, { ...headers, ...more })).status]).toEqual([body, more, status]);
    }
    expect((await raw(undefined, headers, 'GET')).status).toBe(405);
  });

  test('the protocol version is agreed on', async () => {
    const version = async (protocolVersion: string) =>
      (await rpc('initialize', { protocolVersion })).result?.protocolVersion;
    expect(await version('2024-11-05')).toBe('2024-11-05');
    expect(await version('1999-01-01')).toBe('2025-06-18');
  });

  test('faults reach the connector only when they are meant for it', async () => {
    const headers = await open();
    sandbox.faults.add({ kind: 'garbage-before' });
    expect((await rpc('ping', {}, headers)).result).toEqual({});
    sandbox.faults.add({ kind: 'garbage-before', endpoint: 'mcp', times: 1 });
    await expect(rpc('ping', {}, headers)).rejects.toThrow();
    sandbox.faults.add({ kind: 'html-before', endpoint: 'health', times: 1 });
    expect(await (await fetch(`${sandbox.mcpUrl}/health`)).text()).toContain('<h1>');
  });
});
