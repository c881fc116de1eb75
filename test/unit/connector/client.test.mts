import fc from 'fast-check';

import { RPC_ANSWER_LIMIT } from '../../../nodes/gateway/connector/answer.ts';
import { ConnectorClient } from '../../../nodes/gateway/connector/client.ts';
import { explainConnector } from '../../../nodes/gateway/connector/explain.ts';
import { callTool, listTools } from '../../../nodes/gateway/connector/tools.ts';
import type { CallFailure, Result } from '../../../nodes/gateway/connector/transport.ts';
import type { Scripted, SentMessage } from '../../support/scripted-connector.mts';
import { KEY, result, rpcError, scriptedConnector, text } from '../../support/scripted-connector.mts';

const BALANCE = { amount: 12.5, currency: 'EUR' };

const isCall = ({ rpc }: SentMessage) => rpc === 'tools/call';

/** A connector that answers tool calls by the function and does the rest well. */
const onCall = (answer: (message: SentMessage, call: number) => Scripted) => {
  let calls = 0;
  return scriptedConnector((message) => (isCall(message) ? answer(message, calls++) : undefined));
};

function failure(outcome: Result<unknown>): CallFailure {
  if (outcome.ok) throw new Error(`It gave ${JSON.stringify(outcome.value)}`);
  return outcome;
}

describe('the handshake', () => {
  it('initialises, says so, and names the session and the version from then on', async () => {
    const connector = onCall(({ id }) => result(id, text(BALANCE)));
    const client = new ConnectorClient(connector.transport);
    expect(await callTool(client, 'balance', {})).toEqual({
      ok: true,
      value: { kind: 'value', value: BALANCE },
    });
    await callTool(client, 'balance', {});
    await client.close();
    expect(connector.methods()).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      'tools/call',
      'DELETE',
    ]);
    const [opening, ...later] = connector.sent;
    expect(opening.headers).toEqual({
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    });
    expect(opening.params).toMatchObject({ protocolVersion: '2025-06-18', capabilities: {} });
    for (const { headers } of later) {
      expect(headers).toMatchObject({ 'Mcp-Session-Id': 'session-1', 'MCP-Protocol-Version': '2025-06-18' });
    }
    expect(connector.sent[1].id).toBeUndefined();
    expect(connector.sent[2].params).toEqual({ name: 'balance', arguments: {} });
    expect(new Set([0, 2, 3].map((i) => connector.sent[i].id)).size).toBe(3);
    expect(connector.open()).toBe(0);
  });

  it('takes the version that the server speaks, and does without a session', async () => {
    const connector = scriptedConnector((message) => {
      if (message.rpc === 'initialize') return result(message.id, { protocolVersion: '2024-11-05' });
      return isCall(message) ? result(message.id, text(BALANCE)) : undefined;
    });
    const client = new ConnectorClient(connector.transport);
    await callTool(client, 'balance', {});
    await client.close();
    expect(connector.methods()).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
    expect(connector.sent[2].headers['MCP-Protocol-Version']).toBe('2024-11-05');
    expect(connector.sent[2].headers).not.toHaveProperty('Mcp-Session-Id');
  });

  it.each([
    [200, -32601],
    [404, -32601],
    [400, -32600],
  ])('does without, where the connector knows none (HTTP %i, %i)', async (status, code) => {
    const connector = scriptedConnector((message) => {
      if (message.rpc === 'initialize') return rpcError(message.id, code, 'Method not found', status);
      return isCall(message) ? result(message.id, text(BALANCE)) : undefined;
    });
    const client = new ConnectorClient(connector.transport);
    expect(await callTool(client, 'balance', {})).toMatchObject({ ok: true });
    await callTool(client, 'balance', {});
    await client.close();
    expect(connector.methods()).toEqual(['initialize', 'tools/call', 'tools/call']);
    expect(connector.sent[1].headers).not.toHaveProperty('MCP-Protocol-Version');
  });

  it.each([
    ['a page, with HTTP 404', { status: 404, type: 'text/html', body: ['<h1>Not found</h1>'] }],
    ['nothing, with HTTP 405', { status: 405 }],
    ['JSON that is no JSON-RPC', { body: ['{"error":"unknown method"}'] }],
    [
      'an error whose code is a text',
      { body: ['{"jsonrpc":"2.0","id":1,"error":{"code":"unknown","message":"?"}}'] },
    ],
  ])('does without, where the connector answers it with %s', async (_, answer) => {
    const connector = scriptedConnector((message) => {
      if (message.rpc === 'initialize') return answer;
      return isCall(message) ? result(message.id, text(BALANCE)) : undefined;
    });
    const client = new ConnectorClient(connector.transport);
    expect(await callTool(client, 'balance', {})).toMatchObject({ ok: true });
    expect(connector.methods()).toEqual(['initialize', 'tools/call']);
    expect(connector.open()).toBe(0);
  });

  it.each([401, 403])('ends where the key is refused (HTTP %i)', async (status) => {
    const connector = scriptedConnector(({ id }) => rpcError(id, -32001, 'Access denied', status));
    const outcome = failure(await callTool(new ConnectorClient(connector.transport), 'balance', {}));
    expect(outcome.mayHaveRun).toBe(false);
    expect(explainConnector(outcome.problem)).toMatchObject({
      message: 'The connector did not accept the API key ("Access denied")',
      failure: { cause: 'credential-invalid' },
    });
    expect(connector.sent).toHaveLength(1);
  });

  it('calls nothing when the connection breaks in it', async () => {
    const connector = scriptedConnector(({ rpc }) =>
      rpc === 'notifications/initialized' ? { lost: { mayHaveArrived: true } } : undefined,
    );
    const outcome = failure(await callTool(new ConnectorClient(connector.transport), 'send_sms', {}));
    expect(outcome.mayHaveRun).toBe(false);
    expect(connector.methods()).not.toContain('tools/call');
  });
});

describe('answers', () => {
  const answers: Array<[string, (id: number) => Scripted]> = [
    ['JSON', (id) => result(id, text(BALANCE))],
    [
      'JSON in pieces',
      (id) => ({ body: [...JSON.stringify({ jsonrpc: '2.0', id, result: text(BALANCE) })] }),
    ],
    [
      'events, with others before',
      (id) => ({
        type: 'text/event-stream; charset=utf-8',
        body: [
          ': hello\n\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n',
          `data: ${JSON.stringify({ jsonrpc: '2.0', id: id + 100, result: {} })}\n\n`,
          'data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n',
          `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: text(BALANCE) })}\n\n`,
        ],
      }),
    ],
  ];

  it.each(answers)('reads %s', async (_, answer) => {
    const connector = onCall(({ id }) => answer(id));
    expect(await callTool(new ConnectorClient(connector.transport), 'balance', {})).toEqual({
      ok: true,
      value: { kind: 'value', value: BALANCE },
    });
    expect(connector.open()).toBe(0);
  });

  it('stops reading an event stream at the answer', async () => {
    const event = (id: number) =>
      `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: text(BALANCE) })}\n\n`;
    const connector = onCall(({ id }) => ({
      type: 'text/event-stream',
      body: [event(id), ...Array.from({ length: 1000 }, () => ': still here\n\n')],
    }));
    await callTool(new ConnectorClient(connector.transport), 'balance', {});
    expect(connector.partsRead()).toBeLessThan(10);
    expect(connector.open()).toBe(0);
  });

  it('takes the key out of what comes back', async () => {
    const connector = onCall(({ id }) => rpcError(id, -32000, `Bearer ${KEY} is not valid`));
    const { problem } = failure(await callTool(new ConnectorClient(connector.transport), 'balance', {}));
    expect(JSON.stringify(problem)).not.toContain(KEY);
    expect(explainConnector(problem).message).toContain('[API key]');
  });
});

describe('a session that is gone', () => {
  const gone: Array<[string, (id: number) => Scripted]> = [
    ['HTTP 404', (id) => rpcError(id, -32001, 'Session not found', 404)],
    ['HTTP 404 with a page', () => ({ status: 404, type: 'text/html', body: ['<h1>404</h1>'] })],
  ];

  it.each(gone)('is renewed once: %s', async (_, answer) => {
    const connector = onCall(({ id }, call) => (call === 0 ? answer(id) : result(id, text(BALANCE))));
    const outcome = await callTool(new ConnectorClient(connector.transport), 'balance', {});
    expect(outcome).toMatchObject({ ok: true });
    const opening = ['initialize', 'notifications/initialized', 'tools/call'];
    expect(connector.methods()).toEqual([...opening, ...opening]);
    expect(connector.sent[5].headers['Mcp-Session-Id']).toBe('session-4');
  });

  it.each(gone)('ends in an error the second time: %s', async (_, answer) => {
    const connector = onCall(({ id }) => answer(id));
    const outcome = failure(await callTool(new ConnectorClient(connector.transport), 'send_sms', {}));
    expect(outcome).toEqual({ ok: false, problem: { kind: 'sessionLost' }, mayHaveRun: false });
    expect(connector.sent.filter(isCall)).toHaveLength(2);
  });

  it.each([
    ['an unknown method', (id: number) => rpcError(id, -32601, 'Method not found', 404), false],
    ['wrong arguments', (id: number) => rpcError(id, -32602, 'The session argument is missing', 400), false],
    ['HTTP 400 about a session', (id: number) => rpcError(id, -32000, 'Session expired', 400), false],
    [
      'HTTP 200 about a session elsewhere',
      (id: number) => rpcError(id, -32001, 'Upstream session timed out after the message was queued'),
      true,
    ],
    ['HTTP 200 about its own session', (id: number) => rpcError(id, -32001, 'Session expired'), true],
    ['an error of the tool', (id: number) => rpcError(id, -32603, 'Internal error'), true],
    ['a page with HTTP 502', () => ({ status: 502, type: 'text/html', body: ['<h1>'] }), true],
    ['HTTP 503', (id: number) => rpcError(id, -32000, 'No session storage', 503), true],
    ['HTTP 408', () => ({ status: 408, body: [] }), true],
    ['HTTP 429', () => ({ status: 429, body: [] }), false],
    ['an empty answer', () => ({ body: [] }), true],
    ['a web page', () => ({ type: 'text/html', body: ['<html>'] }), true],
    ['a broken connection', () => ({ lost: { mayHaveArrived: true } }), true],
    ['no connection', () => ({ lost: { mayHaveArrived: false } }), false],
    [
      'half an answer',
      () => ({ body: ['{"jsonrpc":', { kind: 'failure', problem: { kind: 'timeout' } }] }),
      true,
    ],
  ] as Array<[string, (id: number) => Scripted, boolean]>)(
    'is not seen in %s, and the call is not repeated',
    async (_, answer, mayHaveRun) => {
      const connector = onCall(({ id }) => answer(id));
      const outcome = failure(await callTool(new ConnectorClient(connector.transport), 'send_sms', {}));
      expect(connector.sent.filter(isCall)).toHaveLength(1);
      expect(outcome.mayHaveRun).toBe(mayHaveRun);
      const { message, description } = explainConnector(outcome.problem);
      expect(message).not.toMatch(/undefined|NaN|\[object/);
      expect(`${message} ${description}`).not.toMatch(/'(Base|Async) URL'/);
      expect(connector.open()).toBe(0);
    },
  );
});

describe('answers that are no answers', () => {
  it('are never believed, and end in an error with words', async () => {
    const garbage = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((json) => `data: ${json}\n\n`),
      fc
        .record(
          { id: fc.constantFrom(2, 3, '2', null), method: fc.jsonValue(), error: fc.jsonValue() },
          { requiredKeys: [] },
        )
        .map((message) => JSON.stringify({ jsonrpc: '2.0', ...message })),
    );
    const type = fc.constantFrom('application/json', 'text/event-stream', 'text/html', '');
    const status = fc.constantFrom(200, 202, 204, 302, 400, 404, 418, 429, 500, 599);
    await fc.assert(
      fc.asyncProperty(fc.array(garbage, { maxLength: 4 }), type, status, async (body, contentType, code) => {
        const connector = onCall(() => ({ body, type: contentType, status: code }));
        const outcome = failure(await callTool(new ConnectorClient(connector.transport), 'send_sms', {}));
        const { message, description } = explainConnector(outcome.problem);
        expect(message.length).toBeGreaterThan(10);
        expect(description.length).toBeGreaterThan(10);
        expect(connector.open()).toBe(0);
      }),
    );
  });

  it.each(['application/json', 'text/event-stream'])(
    'are cut off when they do not end (%s)',
    async (type) => {
      const part = type === 'text/event-stream' ? `: ${'x'.repeat(65_536)}\n` : 'x'.repeat(65_536);
      const connector = onCall(() => ({ type, body: Array.from({ length: 1000 }, () => part) }));
      const outcome = failure(await callTool(new ConnectorClient(connector.transport), 'balance', {}));
      expect(outcome).toEqual({
        ok: false,
        problem: { kind: 'tooLarge', limit: RPC_ANSWER_LIMIT },
        mayHaveRun: true,
      });
      expect(explainConnector(outcome.problem).message).toContain('8192 KB');
      expect(connector.partsRead()).toBeLessThan(140);
      expect(connector.open()).toBe(0);
    },
  );
});

describe('tools/list', () => {
  it('reads all pages, and skips what has no name', async () => {
    const connector = scriptedConnector(({ rpc, id, params }) => {
      if (rpc !== 'tools/list') return undefined;
      return params.cursor === undefined
        ? result(id, { tools: [{ name: 'a' }, { title: 'nameless' }, 7], nextCursor: 'next' })
        : result(id, { tools: [{ name: 'b', inputSchema: 'none' }] });
    });
    const tools = await listTools(new ConnectorClient(connector.transport));
    expect(tools).toMatchObject({ ok: true, value: [{ name: 'a' }, { name: 'b' }] });
  });

  it('ends, even if the list does not', async () => {
    const connector = scriptedConnector(({ rpc, id }) =>
      rpc === 'tools/list' ? result(id, { tools: [{ name: 'a' }], nextCursor: 'again' }) : undefined,
    );
    const tools = await listTools(new ConnectorClient(connector.transport));
    expect(tools.ok && tools.value).toHaveLength(50);
  });

  it('refuses what is no list', async () => {
    const connector = scriptedConnector(({ rpc, id }) =>
      rpc === 'tools/list' ? result(id, { tools: 7 }) : undefined,
    );
    expect(failure(await listTools(new ConnectorClient(connector.transport))).problem.kind).toBe(
      'notConnector',
    );
  });
});
