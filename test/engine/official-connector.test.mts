/** The assistant operations against a server of the official SDK of the Model Context Protocol, in place of the sandbox. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { IDataObject } from 'n8n-workflow';

import { credentialsFor, runNode } from '../support/engine.mts';

const KEY = 'key-of-the-connector';

/** What was called, and with which key. */
const called: Array<{ name: string; args: unknown; key?: string }> = [];

function makeServer(): Server {
  const server = new Server({ name: 'official', version: '1' }, { capabilities: { tools: {} } });
  const tool = (name: string, properties: object) => ({
    name,
    description: `Does ${name}`,
    inputSchema: { type: 'object' as const, properties: properties as Record<string, object> },
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [
      tool('balance', {}),
      tool('send_sms', { text: { type: 'string' }, confirm: { type: 'boolean' } }),
    ],
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { requestInfo }) => {
    const key = requestInfo?.headers.authorization as string | undefined;
    called.push({ name: params.name, args: params.arguments, key });
    return { content: [{ type: 'text', text: JSON.stringify({ amount: 31.17, currency: 'UAH' }) }] };
  });
  return server;
}

/** A server that holds sessions, or makes one transport for each request, as the SDK's examples do. */
async function listen(hasSessions: boolean, enableJsonResponse: boolean) {
  const open = new Map<string, StreamableHTTPServerTransport>();
  const http: HttpServer = createServer((request, response) => {
    void (async () => {
      const id = request.headers['mcp-session-id'] as string | undefined;
      let transport = id === undefined ? undefined : open.get(id);
      if (!transport) {
        transport = new StreamableHTTPServerTransport({
          sessionIdGenerator: hasSessions ? randomUUID : undefined,
          enableJsonResponse,
          onsessioninitialized: (session) => void open.set(session, transport!),
        });
        await makeServer().connect(transport);
      }
      await transport.handleRequest(request, response);
    })().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const close = () => {
    http.closeAllConnections();
    return new Promise((resolve) => http.close(resolve));
  };
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, close };
}

describe.each([
  ['sessions and event streams', true, false],
  ['sessions and JSON', true, true],
  ['no sessions and event streams', false, false],
  ['no sessions and JSON', false, true],
])('a server of the official SDK with %s', (_what, hasSessions, asJson) => {
  let server: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    server = await listen(hasSessions, asJson);
  });
  afterAll(async () => await server.close());

  const run = async (parameters: IDataObject) =>
    await runNode({
      parameters: { resource: 'assistant', ...parameters },
      credentials: credentialsFor({ baseUrl: server.url, asyncUrl: server.url, mcpUrl: server.url }, KEY),
    });

  it('has its tools listed, in its order', async () => {
    const { json } = await run({ operation: 'listTools' });
    expect(json.map(({ name }) => name)).toEqual(['balance', 'send_sms']);
  });

  it('has a tool called once, with the key', async () => {
    called.splice(0);
    const tool = { __rl: true, mode: 'name', value: 'balance' };
    const { json } = await run({ operation: 'callTool', tool, arguments: '{}' });
    expect(json).toEqual([expect.objectContaining({ amount: 31.17, currency: 'UAH' })]);
    expect(called).toEqual([{ name: 'balance', args: {}, key: `Bearer ${KEY}` }]);
  });
});
