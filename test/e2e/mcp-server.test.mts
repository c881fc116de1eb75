/** Tools of this node behind n8n's MCP Server Trigger, called by the client of the official SDK of the Model Context Protocol. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { IDataObject } from 'n8n-workflow';

import type { NodeJson } from '../../tools/n8n-host/workflow.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { connectedTo } from '../support/real-agent.mts';
import { ACTION, CREDENTIAL_TYPE } from '../support/real-n8n.mts';
import { grouped, smsForm } from '../support/sends.mts';

const host = e2eHost({ config: { latencyMs: 100, outcomes: { fallback: { steps: [] } } } });
const TOKEN = 'token-of-the-assistant';
const TYPE = '@n8n/n8n-nodes-langchain.mcpTrigger';
const clients: Client[] = [];
afterAll(async () => await Promise.all(clients.map(async (client) => await client.close())));

const tool = (name: string, parameters: IDataObject): NodeJson => ({
  ...{ id: name, name, type: `${ACTION}Tool`, typeVersion: 1, position: [0, 300] },
  parameters: { descriptionType: 'auto', ...parameters },
  credentials: { [CREDENTIAL_TYPE]: host.credential },
});
const fromAI = (key: string) => `={{ $fromAI('${key}', '${key}', 'string') }}`;
const send = (name: string, more: IDataObject = {}) =>
  tool(name, {
    allowSending: true,
    allowedRecipients: '38050',
    ...smsForm({ phone: fromAI('phone'), smsMessage: fromAI('text'), ...more }),
  });
const TOOLS = () => [
  tool('Balance', { resource: 'account', operation: 'getBalance' }),
  tool('Check Number', { resource: 'number', operation: 'check', phone: fromAI('phone') }),
  send('Send SMS'),
  send('Send Once', {
    options: grouped({ sendOnceKey: "={{ $fromAI('order', 'order', 'string') }}-shipped" }),
  }),
  send('Send Reviewed', { confirmation: 'person' }),
  send('Send Named', { allowedRecipients: 'Anna: +380 50 123 45 69' }),
];

/** Publishes the tools at a path, and returns the address for clients. */
async function published(path: string): Promise<URL> {
  const bearer = await host.client.createCredential('Assistant', 'httpBearerAuth', { token: TOKEN });
  const trigger: NodeJson = {
    ...{ id: 'server', name: 'Gateway', type: TYPE, position: [0, 0], webhookId: path },
    typeVersion: await host.client.latestVersion(TYPE),
    parameters: { authentication: 'bearerAuth', path },
    credentials: { httpBearerAuth: bearer },
  };
  const tools = TOOLS();
  await host.publish({
    name: 'Assistant',
    settings: { executionOrder: 'v1' },
    nodes: [trigger, ...tools],
    connections: Object.fromEntries(tools.map(({ name }) => [name, connectedTo('ai_tool', 'Gateway')])),
  });
  return new URL(`${host.url}/mcp/${path}`);
}

async function connect(url: URL, token = TOKEN): Promise<Client> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const client = new Client({ name: 'assistant', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  clients.push(client);
  return client;
}

/** Calls a tool; returns the first row of its answer. */
async function call(client: Client, name: string, given: IDataObject = {}): Promise<IDataObject> {
  const { content } = (await client.callTool({ name, arguments: given })) as {
    content: Array<{ text: string }>;
  };
  return [JSON.parse(content[0].text) as IDataObject | IDataObject[]].flat()[0];
}

const CUSTOMERS = Array.from({ length: 5 }, (_, n) => ({
  phone: `38050123456${n}`,
  text: `Order ${n} is ready`,
}));
const taken = () =>
  host.sandbox.messages
    .list()
    .map(({ phone, operation }) => [Number(phone), operation.sms_message])
    .sort();

it('reads, checks and sends for five calls at once, each with its own number, text and confirmation', async () => {
  const url = await published('gateway-tools');
  await expect(connect(url, 'another')).rejects.toThrow();
  const one = await connect(url);
  const { tools } = await one.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(
    TOOLS()
      .map(({ name }) => name.replace(' ', '_'))
      .sort(),
  );
  expect(tools.find(({ name }) => name === 'Send_SMS')?.inputSchema.properties).toHaveProperty('confirm');

  const reads = Promise.all([
    call(one, 'Balance'),
    call(one, 'Check_Number', { phone: '+44 7700 900001' }),
    call(one, 'Check_Number', { phone: '12' }),
  ]);
  const answers = await Promise.all(
    CUSTOMERS.map(async (customer, n) => await call(one, 'Send_SMS', { ...customer, confirm: n !== 2 })),
  );
  const refused = { refused: true, reason: expect.stringContaining('not confirmed') };
  expect(answers).toMatchObject(
    CUSTOMERS.map(({ phone }, n) => (n === 2 ? refused : { phone: Number(phone) })),
  );
  const own = CUSTOMERS.map(({ phone, text }) => [Number(phone), text]);
  expect(taken()).toEqual(own.filter((_, n) => n !== 2));
  expect(await reads).toMatchObject([
    { amount: expect.any(Number) },
    { valid: true, phone: 447700900001 },
    { valid: false },
  ]);

  // Five assistants, with the same customers: each call is a message.
  const others = await Promise.all(CUSTOMERS.map(async () => await connect(url)));
  await Promise.all(
    others.map(async (client, n) => await call(client, 'Send_SMS', { ...CUSTOMERS[n], confirm: true })),
  );
  expect(taken()).toEqual([...own.filter((_, n) => n !== 2), ...own].sort());
  expect(await call(one, 'Send_SMS', { phone: '447700900001', text: 'Hello', confirm: true })).toMatchObject({
    error: expect.stringContaining("'Allowed Recipients'"),
  });
  const named = async (phone: string, confirm = true) =>
    JSON.stringify(await call(one, 'Send_Named', { phone, text: 'Hello', confirm }));
  expect(await named('Bob')).toContain('one of these names: Anna');
  expect(await named('+380501234568')).toContain("isn't among the 'Allowed Recipients'");
  expect(await named('ANNA', false)).toContain('not confirmed');
  // The server may refuse such a call before the tool sees it.
  for (const confirm of ['true', 'the user said yes'])
    await one
      .callTool({ name: 'Send_Named', arguments: { phone: 'Anna', text: 'Lied', confirm } })
      .catch((refusal: unknown) => expect(refusal).toBeInstanceOf(Error));
  const widened = { allowedRecipients: '380', allowSending: true, confirm: true };
  const beyond = await call(one, 'Send_Named', { phone: '+380501234568', text: 'Lied', ...widened }).catch(
    String,
  );
  expect(JSON.stringify(beyond)).toMatch(/isn't among the 'Allowed Recipients'|Error/);
  const toAnna = await named('ANNA');
  expect([toAnna.includes('"phone":"Anna"'), toAnna.includes('380501234569')]).toEqual([true, false]);
  expect(taken().filter(([phone]) => phone === 380501234569)).toEqual([[380501234569, 'Hello']]);
  const confirmed = { ...CUSTOMERS[0], order: 'A-1', confirm: true };
  expect(await call(one, 'Send_Reviewed', confirmed)).toMatchObject({
    refused: true,
    reason: expect.stringContaining('a person has to approve'),
  });
  await call(one, 'Send_Once', confirmed);
  expect(await call(one, 'Send_Once', confirmed)).toMatchObject({ result: 'duplicate' });
  expect(host.sandbox.counts()).toMatchObject({ accepted: 11, distinctIds: 11 });
});
