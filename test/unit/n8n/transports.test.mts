import { connectorTransport, jsonTransport, readConnection } from '../../../nodes/n8n/connection.ts';
import { runContext } from '../../support/contexts.mts';
import { testServer } from '../../support/web-server.mts';

const KEY = 'key-for-tests';
const QUESTION = [{ type: 'balance' as const }];

const server = testServer();

const connect = async (apiKey = KEY) =>
  await readConnection(runContext({ apiKey, baseUrl: server.url, asyncUrl: server.url, mcpUrl: server.url }));

describe('the transport of the JSON API', () => {
  const ask = async (endpoint: 'sync' | 'async' = 'sync', apiKey = KEY) =>
    await jsonTransport(await connect(apiKey), 60_000)(endpoint, QUESTION);

  it.each([
    ['sync', '/api/json.php'],
    ['async', '/v1/json'],
  ] as const)(
    'sends the envelope to the %s endpoint and returns the answer as text',
    async (endpoint, path) => {
      server.answer = (response) =>
        // With a mark of the byte order, which is no JSON.
        response
          .writeHead(202, { 'content-type': 'application/json', 'retry-after': '3' })
          .end('\uFEFF{"a":1}');
      expect(await ask(endpoint)).toEqual({
        kind: 'answer',
        status: 202,
        contentType: 'application/json',
        retryAfter: 3,
        body: '{"a":1}',
      });
      const [{ body, ...others }] = server.received;
      expect(others).toMatchObject({ method: 'POST', url: path });
      expect(JSON.parse(body)).toEqual({ auth: KEY, data: QUESTION });
      expect(JSON.stringify(others)).not.toContain(KEY);
    },
  );

  it.each([[KEY], [`${KEY}\n`], [` ${KEY} `]])(
    'returns nothing of the key that the server repeats: %j',
    async (pasted) => {
      server.answer = (response, { body }) => {
        const { auth } = JSON.parse(body) as { auth: string };
        response.setHeader('content-type', `text/x-${auth}`);
        const cut = body.indexOf(auth) + 4;
        response.write(body.slice(0, cut));
        const rest = `${body.slice(cut)} ${auth}\n ${encodeURIComponent(`${auth}\n`)}`;
        setTimeout(() => response.end(rest), 20);
      };
      const text = JSON.stringify(await ask('sync', pasted));
      expect(JSON.parse(server.received[0].body)).toMatchObject({ auth: KEY });
      expect(text).toContain('text/x-[API key]');
      expect(text).toContain(String.raw`\"auth\":\"[API key]\"`);
      expect(text).not.toContain(KEY);
    },
  );
});

describe('the transport of the connector', () => {
  const send = async () => {
    const transport = connectorTransport(await connect(), 60_000);
    return await transport({ endpoint: 'connector', method: 'POST', headers: {}, body: { id: 1 } });
  };

  it('sends the key as a bearer token, and keeps the session as the server named it', async () => {
    server.answer = (response, { headers }) =>
      response.setHeader('mcp-session-id', 's-1').end(String(headers.authorization));
    expect(await send()).toMatchObject({
      kind: 'answer',
      status: 200,
      sessionId: 's-1',
      body: 'Bearer [API key]',
    });
    expect(server.received[0]).toMatchObject({ url: '/mcp', headers: { authorization: `Bearer ${KEY}` } });
    expect(JSON.parse(server.received[0].body)).toEqual({ id: 1 });
  });

  it('reads answers of 2 MB, and no longer ones', async () => {
    const lengthRead = async (length: number) => {
      server.answer = (response) => response.writeHead(200).end(`"${'x'.repeat(length - 2)}"`);
      const reply = await send();
      return reply.kind === 'answer' ? reply.body.length : reply.problem;
    };
    expect(await lengthRead(2_000_000)).toBe(2_000_000);
    expect(await lengthRead(2_000_001)).toMatchObject({ isTooLong: true });
  });
});
