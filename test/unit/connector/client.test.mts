import fc from '../../support/generated.mts';

import { ConnectorClient } from '../../../nodes/gateway/connector/client.ts';
import { explainConnector } from '../../../nodes/gateway/connector/explain.ts';
import type { CallFailure, Result } from '../../../nodes/gateway/connector/client.ts';
import type { Scripted, SentMessage } from '../../support/scripted-connector.mts';
import { result, rpcError, scriptedConnector, text } from '../../support/scripted-connector.mts';

const BALANCE = { amount: 12.5, currency: 'EUR' };

const OPENING = ['initialize', 'notifications/initialized'];
const isCall = ({ rpc }: SentMessage) => rpc === 'tools/call';

/** A connector that answers tool calls by the function and does the rest well, and a client of it. */
function onCall(
  answer: (message: SentMessage, call: number) => Scripted,
  others: (message: SentMessage) => Scripted | undefined = () => undefined,
) {
  let calls = 0;
  const connector = scriptedConnector((message) =>
    isCall(message) ? answer(message, calls++) : others(message),
  );
  const client = new ConnectorClient(connector.transport);
  const call = async (name = 'balance') => await client.callTool(name, {});
  return { ...connector, client, call };
}
const balanceOf = ({ id }: SentMessage) => result(id, text(BALANCE));
const DONE = { ok: true, value: { kind: 'value', value: BALANCE } };

function failure(outcome: Result<unknown>): CallFailure {
  if (outcome.ok) throw new Error(`It gave ${JSON.stringify(outcome.value)}`);
  return outcome;
}

describe('the handshake', () => {
  it('initialises, says so, and names the session and the version from then on', async () => {
    const connector = onCall(balanceOf);
    expect(await connector.call()).toEqual(DONE);
    await connector.call();
    expect(connector.methods()).toEqual([...OPENING, 'tools/call', 'tools/call']);
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
  });

  it('takes the version that the server speaks, and does without a session', async () => {
    const connector = onCall(balanceOf, ({ rpc, id }) =>
      rpc === 'initialize' ? result(id, { protocolVersion: '2024-11-05' }) : undefined,
    );
    await connector.call();
    expect(connector.methods()).toEqual([...OPENING, 'tools/call']);
    expect(connector.sent[2].headers['MCP-Protocol-Version']).toBe('2024-11-05');
    expect(connector.sent[2].headers).not.toHaveProperty('Mcp-Session-Id');
  });

  const unknown = (code: number, status: number) => rpcError(1, code, 'Method not found', status);

  it.each<[string, Scripted]>([
    ['an unknown method', unknown(-32601, 200)],
    ['an unknown method, with HTTP 404', unknown(-32601, 404)],
    ['a bad request', unknown(-32600, 400)],
    ['a page, with HTTP 404', { status: 404, type: 'text/html', body: '<h1>Not found</h1>' }],
    ['nothing, with HTTP 405', { status: 405 }],
    ['JSON that is no JSON-RPC', { body: '{"error":"unknown method"}' }],
    ['a code in words', { body: '{"jsonrpc":"2.0","id":1,"error":{"code":"unknown","message":"?"}}' }],
  ])('does without, where the connector answers it with %s', async (_, answer) => {
    const connector = onCall(balanceOf, ({ rpc }) => (rpc === 'initialize' ? answer : undefined));
    for (let n = 0; n < 2; n += 1) expect(await connector.call()).toEqual(DONE);
    expect(connector.methods()).toEqual(['initialize', 'tools/call', 'tools/call']);
    expect(connector.sent[1].headers).not.toHaveProperty('MCP-Protocol-Version');
  });

  it.each([401, 403])('ends where the key is refused (HTTP %i)', async (status) => {
    const connector = scriptedConnector(({ id }) => rpcError(id, -32001, 'Access denied', status));
    const outcome = failure(await new ConnectorClient(connector.transport).callTool('balance', {}));
    expect(outcome.mayHaveRun).toBe(false);
    expect(explainConnector(outcome.problem)).toMatchObject({
      message: `The gateway did not accept the API key (HTTP ${status}): "Access denied"`,
      failure: { cause: 'credential-invalid' },
    });
    expect(connector.sent).toHaveLength(1);
  });

  it('calls nothing when the connection breaks in it', async () => {
    const connector = onCall(balanceOf, ({ rpc }) =>
      rpc === 'notifications/initialized' ? { broken: { kind: 'connectionLost' } } : undefined,
    );
    expect(failure(await connector.call()).mayHaveRun).toBe(false);
    expect(connector.methods()).not.toContain('tools/call');
  });
});

describe('answers', () => {
  const message = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, result: text(BALANCE) });

  it.each<[string, (id: number) => Scripted]>([
    ['JSON', (id) => ({ body: message(id) })],
    [
      'events, with others before',
      (id) => ({
        type: 'text/event-stream; charset=utf-8',
        body:
          ': hello\n\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n' +
          `data: ${JSON.stringify({ jsonrpc: '2.0', id: id + 100, result: {} })}\n\n` +
          'data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n' +
          `event: message\ndata: ${message(id)}\n\n`,
      }),
    ],
    ['events under the type of JSON', (id) => ({ body: `event: message\ndata: ${message(id)}\n\n` })],
    ['JSON under the type of events', (id) => ({ type: 'text/event-stream', body: message(id) })],
    ['events whose lines end with CR', (id) => ({ body: `: hi\rdata: ${message(id)}\r\r` })],
    ['an event without a blank line behind it', (id) => ({ body: `data: ${message(id)}` })],
    [
      'an event of several lines',
      (id) => ({ body: `data:${message(id).replace(',', '\n data: no field\r\ndata:,')}` }),
    ],
    ['an id as a fraction', (id) => ({ body: message(id).replace(`"id":${id}`, `"id":${id}.0`) })],
    ['an empty error beside a result', (id) => ({ body: message(id).replace('{', '{"error":null,') })],
  ])('an answer is read from %s', async (_, answer) => {
    const connector = onCall(({ id }) => answer(id));
    expect(await connector.call()).toEqual(DONE);
  });

  it.each<[unknown, object]>([
    ['boom', { message: 'boom' }],
    [{ message: 'boom' }, { message: 'boom' }],
    [['boom', 'bang'], { message: '["boom","bang"]' }],
    [{ code: '-32602', message: 'bad' }, { message: 'bad' }],
    [
      { code: -32000, message: { phone: 'required' } },
      { code: -32000, message: expect.stringContaining('{"phone":"required"}') },
    ],
    [{ code: -32000 }, { code: -32000, message: '' }],
  ])('reads the error %j, with an id and without', async (error, read) => {
    for (const hasId of [true, false]) {
      const connector = onCall(({ id }) => ({ body: JSON.stringify({ error, ...(hasId && { id }) }) }));
      expect(failure(await connector.call()).problem).toEqual({ kind: 'rpc', status: 200, ...read });
    }
  });

  it('puts nothing in quotes that the connector did not say', () => {
    const { message, description } = explainConnector({
      kind: 'rpc',
      status: 200,
      code: -32000,
      message: '',
    });
    expect(message).toBe('The connector refused the request and gave no reason (JSON-RPC code -32000)');
    expect(description).not.toContain("connector's own text");
  });
});

describe('a session that is gone', () => {
  const gone: Array<[string, (id: number) => Scripted]> = [
    ['in words', (id) => rpcError(id, -32001, 'Session not found', 404)],
    ['with a page', () => ({ status: 404, type: 'text/html', body: '<h1>404</h1>' })],
  ];

  it.each(gone)(
    'is an error of the call, and the next call opens a new one: HTTP 404 %s',
    async (_, answer) => {
      const connector = onCall((sent, call) => (call === 0 ? answer(sent.id) : balanceOf(sent)));
      const lost = await connector.call();
      expect(lost).toEqual({ ok: false, problem: { kind: 'sessionLost' }, mayHaveRun: false });
      expect(explainConnector({ kind: 'sessionLost' }).description).toContain('Run this row again');
      expect(await connector.call()).toEqual(DONE);
      expect(connector.methods()).toEqual([...OPENING, 'tools/call', ...OPENING, 'tools/call']);
      expect(connector.sent[5].headers['Mcp-Session-Id']).toBe('session-4');
    },
  );

  it.each([
    ['an unknown method', (id: number) => rpcError(id, -32601, 'Method not found', 404), false],
    ['HTTP 410', () => ({ status: 410, body: 'Gone' }), false],
    ['wrong arguments', (id: number) => rpcError(id, -32602, 'The session argument is missing', 400), false],
    ['HTTP 400 about a text', (id: number) => rpcError(id, -32000, 'The text is too long', 400), false],
    [
      'HTTP 200 about a session elsewhere',
      (id: number) => rpcError(id, -32001, 'Upstream session timed out after the message was queued'),
      true,
    ],
    ['HTTP 200 about its own session', (id: number) => rpcError(id, -32001, 'Session expired'), true],
    ['an error of the tool', (id: number) => rpcError(id, -32603, 'Internal error'), true],
    ['a page with HTTP 502', () => ({ status: 502, type: 'text/html', body: '<h1>' }), true],
    ['HTTP 503', (id: number) => rpcError(id, -32000, 'No session storage', 503), true],
    ['HTTP 408', () => ({ status: 408, body: '' }), true],
    ['HTTP 429', () => ({ status: 429, body: '' }), false],
    ['an empty answer', () => ({ body: '' }), true],
    ['a web page', () => ({ type: 'text/html', body: '<html>' }), true],
    ['a broken connection', () => ({ broken: { kind: 'connectionLost' } }), true],
    ['no connection', () => ({ broken: { kind: 'unreachable', code: 'ECONNREFUSED' } }), false],
    ['half an answer', () => ({ body: '{"jsonrpc":', broken: { kind: 'timeout' } }), true],
  ] as Array<[string, (id: number) => Scripted, boolean]>)(
    'is not seen in %s, and the call is not repeated',
    async (_, answer, mayHaveRun) => {
      const connector = onCall(({ id }) => answer(id));
      const outcome = failure(await connector.call('send_sms'));
      expect(connector.sent.filter(isCall)).toHaveLength(1);
      expect(outcome.mayHaveRun).toBe(mayHaveRun);
      const { message, description } = explainConnector(outcome.problem);
      expect(message).not.toMatch(/undefined|NaN|\[object/);
      expect(`${message} ${description}`).not.toMatch(/'(Base|Async) URL'/);
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
      fc.asyncProperty(
        fc.array(garbage, { maxLength: 4 }),
        type,
        status,
        async (texts, contentType, code) => {
          const connector = onCall(() => ({ body: texts.join(''), type: contentType, status: code }));
          const outcome = failure(await connector.call('send_sms'));
          const { message, description } = explainConnector(outcome.problem);
          expect(message.length).toBeGreaterThan(10);
          expect(description.length).toBeGreaterThan(10);
        },
      ),
    );
  });
});

describe('tools/list', () => {
  it('is asked for again after a failure, and once after an answer', async () => {
    const connector = scriptedConnector(({ rpc, id }) =>
      rpc === 'tools/list' ? answers.shift()?.(id) : undefined,
    );
    const answers = [
      (id: number) => ({ ...rpcError(id, -32603, 'Busy'), status: 503 }),
      (id: number) => result(id, { tools: [{ name: 'a' }] }),
    ];
    const client = new ConnectorClient(connector.transport);
    expect((await client.tools()).ok).toBe(false);
    for (let time = 0; time < 2; time++) expect(await client.tools()).toMatchObject({ ok: true });
  });

  const listed = async (tools: unknown) => {
    const connector = scriptedConnector(({ rpc, id }) =>
      rpc === 'tools/list' ? result(id, { tools }) : undefined,
    );
    return await new ConnectorClient(connector.transport).tools();
  };

  it('skips what has no name', async () => {
    const tools = await listed([{ name: 'a' }, { title: 'nameless' }, 7, { name: 'b', inputSchema: 'none' }]);
    expect(tools).toMatchObject({ ok: true, value: [{ name: 'a' }, { name: 'b' }] });
  });

  it.each<[string, unknown]>([
    ['by index', { 0: { name: 'a' }, 2: { name: 'b' } }],
    ['by name', { a: {}, b: { title: 'B' } }],
  ])('reads tools that are keyed %s', async (_, tools) =>
    expect(await listed(tools)).toMatchObject({ ok: true, value: [{ name: 'a' }, { name: 'b' }] }),
  );

  const paged = async (next: (cursor: unknown) => string | undefined) => {
    const connector = scriptedConnector(({ rpc, id, params }) =>
      rpc === 'tools/list'
        ? result(id, { tools: [{ name: `at ${String(params.cursor)}` }], nextCursor: next(params.cursor) })
        : undefined,
    );
    return await new ConnectorClient(connector.transport).tools();
  };

  it('asks for each page', async () => {
    const tools = await paged((cursor) =>
      cursor === undefined ? 'two' : cursor === 'two' ? 'three' : undefined,
    );
    expect(tools).toEqual({
      ok: true,
      value: [{ name: 'at undefined' }, { name: 'at two' }, { name: 'at three' }],
    });
  });

  it('refuses pages without end', async () => {
    expect(failure(await paged(() => 'more')).problem.kind).toBe('notGateway');
  });

  it('refuses what is no list', async () => {
    expect(failure(await listed(7)).problem.kind).toBe('notGateway');
  });
});

describe('the health of the connector', () => {
  const asked = async (answer: Scripted) =>
    await new ConnectorClient(scriptedConnector(() => answer).transport).health();
  const HEALTH = { ok: false, domain: 'example.com', send_enabled: false, since: 1 };

  it('is read whatever the HTTP code, with fields beyond the contract', async () => {
    const answer = { status: 503, body: JSON.stringify(HEALTH) };
    expect(await asked(answer)).toEqual({ ok: true, value: HEALTH });
  });

  it.each([
    [200, '{"ok":true}', 'notGateway'],
    [200, '<html>', 'notGateway'],
    [404, '<html>', 'request'],
  ])('is not read in what the contract does not describe (HTTP %i, %s)', async (status, body, kind) => {
    const { problem, mayHaveRun } = failure(await asked({ status, body }));
    expect(problem).toMatchObject({ kind, status });
    expect(mayHaveRun).toBe(false);
    expect(explainConnector(problem).description).toContain("'Assistant Connector Address'");
  });
});
