/** The sandbox's connector, judged by the client of the official SDK of the Model Context Protocol. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { testSandbox } from '../../support/own-sandbox.mts';

const sandbox = testSandbox();

async function connect() {
  const transport = new StreamableHTTPClientTransport(new URL(`${sandbox.mcpUrl}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${DEFAULT_KEY}` } },
  });
  const client = new Client({ name: 'judge', version: '1' });
  await client.connect(transport);
  return { client, transport };
}

it.each([
  ['json', true],
  ['sse', true],
  ['json', false],
  ['sse', false],
] as const)('is understood with answers as %s and sessions %s', async (answers, sessions) => {
  sandbox.configure({ connector: { answers, sessions } });
  const { client, transport } = await connect();
  expect(client.getServerVersion()).toMatchObject({ name: 'messaging-gateway-sandbox' });
  expect(transport.sessionId === undefined).toBe(!sessions);
  expect((await client.listTools()).tools).toHaveLength(11);
  const { content } = (await client.callTool({ name: 'balance', arguments: {} })) as { content: unknown[] };
  expect(content).toEqual([{ type: 'text', text: expect.stringContaining('"amount"') }]);
  await client.ping();
  await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toThrow('Unknown tool');
  if (sessions) {
    await transport.terminateSession();
    expect(sandbox.sessions.size).toBe(0);
  }
  await client.close();
});
