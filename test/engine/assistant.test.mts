/** The assistant connector in n8n's engine. The forms of its answers are in unit/connector, generated arguments in unit/assistant. */
import type { IDataObject, OnError } from 'n8n-workflow';

import { runAgent } from '../support/agent.mts';
import type { NodeRunOptions } from '../support/engine.mts';
import { credentialsFor, NODE_NAME, retry } from '../support/engine.mts';
import { previewGaps } from '../support/previews.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';
import { sendJson, startWebServer } from '../support/web-server.mts';

const sandbox = testSandbox({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });
beforeEach(() =>
  sandbox.configure({ connector: { sendEnabled: true, dropSessionAfter: null, answers: 'sse' } }),
);

const PHONE = 380501234567;
const SMS = { phone: PHONE, text: 'Hello', sender: 'TestSender' };
const isToolCall = ({ body }: { body: unknown }) =>
  (body as IDataObject | undefined)?.method === 'tools/call';
const calls = () => sandbox.requests.filter(isToolCall);
const accepted = async () => {
  await sandbox.settled();
  return sandbox.counts().accepted;
};

const run = async (parameters: IDataObject, more: Partial<NodeRunOptions> = {}) =>
  await runOn(sandbox, { parameters: { resource: 'assistant', ...parameters }, ...more });
/** Calls a tool; `args` is an object, or the text of the parameter Arguments. */
const call = async (
  value: string,
  args: unknown = {},
  parameters: IDataObject = {},
  more: Partial<NodeRunOptions> = {},
) => {
  const tool = { __rl: true, mode: 'name', value };
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  return await run({ operation: 'callTool', tool, arguments: text, ...parameters }, more);
};
/** A result of `tools/call` with one text. */
const textOf = (value: unknown, more: object = {}) => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  ...more,
});

/** Starts a connector with one tool, which answers by the arguments; `made` are those of its calls. */
async function startConnector(tool: object, resultOf: (args: IDataObject) => object) {
  const made: IDataObject[] = [];
  const { url, close } = await startWebServer((response, { url: path, body }) => {
    if (path?.endsWith('/health'))
      return sendJson(response, { ok: true, domain: 'example.com', send_enabled: true });
    const { id, method, params } = JSON.parse(body) as IDataObject & { params: { arguments: IDataObject } };
    const answerTo = (): object => {
      if (method === 'tools/list') return { result: { tools: [tool] } };
      if (method !== 'tools/call') return { error: { code: -32601, message: 'Method not found' } };
      made.push(params.arguments);
      return { result: resultOf(params.arguments) };
    };
    return sendJson(response, { jsonrpc: '2.0', id, ...answerTo() });
  });
  const credentials = credentialsFor({ ...sandbox, mcpUrl: url }) as Record<string, IDataObject>;
  return { made, credentials, close };
}

/** Message and description of the error that ended a run. */
const failureOf = ({ error }: { error?: { message: string; description?: string | null } }) =>
  `${error?.message} | ${error?.description}`;

it('says of each item how the connector is, and lists its tools', async () => {
  const { json, items } = await run({ operation: 'getHealth' }, { items: [{}, {}] });
  const health = { ok: true, domain: 'sandbox.example.com', send_enabled: true };
  expect(json).toEqual([health, health]);
  expect(previewGaps('assistant', 'getHealth', json)).toEqual([]);
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
  const asked = sandbox.requests.map(({ endpoint, headers }) => [endpoint, headers.authorization]);
  expect(asked).toEqual([['health', undefined]]);

  const tools = await run({ operation: 'listTools' });
  expect([true, false].map((sends) => tools.json.filter((one) => one.sends === sends).length)).toEqual([
    5, 6,
  ]);
  expect(tools.items.map(({ pairedItem }) => pairedItem)).toEqual(tools.json.map(() => ({ item: 0 })));
  expect(previewGaps('assistant', 'listTools', tools.json)).toEqual([]);
});

it.each([
  ['getHealth', [{ send_enabled: false }]],
  ['listTools', Array(6).fill({ sends: false })],
])('says in %s why sending tools are missing', async (operation, shown) => {
  sandbox.configure({ connector: { sendEnabled: false } });
  const { json, task } = await run({ operation });
  expect(json).toMatchObject(shown);
  expect(task?.hints?.[0].message).toContain('sending is switched off for sandbox.example.com');
});

it('calls a tool that only reads at once', async () => {
  expect((await call('balance')).json).toEqual([{ amount: expect.any(Number), currency: 'EUR' }]);
  expect((await call('lookup_number', { phone: PHONE })).json).toMatchObject([{ phone: PHONE }]);
});

describe('the two locks of the connector', () => {
  it.each([
    [false, false, 'switched off for sandbox.example.com'],
    [false, true, 'switched off for sandbox.example.com'],
    [true, false, "turn on 'Confirm' in this node; messages cost money. The connector's advice: "],
    [true, true, ''],
  ])('send_enabled %s, Confirm %s', async (sendEnabled, confirm, words) => {
    sandbox.configure({ connector: { sendEnabled } });
    const result = await call('send_sms', SMS, { confirm });
    const sends = sendEnabled && confirm;
    expect(await accepted()).toBe(sends ? 1 : 0);
    if (!sends) expect(failureOf(result)).toContain(words);
    if (!sends) return;
    expect(result.json).toEqual([{ success: true, request_id: expect.any(String), id: expect.any(Number) }]);
    const [{ id }] = result.json;
    expect((await call('message_status', { id })).json).toMatchObject([{ id, status: 'DELIVERED' }]);
  });

  describe.each([undefined, true])('for a tool that declares neither (other arguments: %s)', (more) => {
    const inputSchema = { type: 'object', properties: { phone: {} }, additionalProperties: more };
    const callUndeclared = async (args: IDataObject, allowedPrefixes: string) => {
      const connector = await startConnector({ name: 'send_sms', inputSchema }, ({ confirm }) =>
        textOf(confirm === true ? { request_id: 'r1' } : { refused: true, reason: 'Not confirmed' }),
      );
      Object.assign(connector.credentials.messagingGatewayApi, { allowedPrefixes });
      const result = await call('send_sms', args, { confirm: true }, connector);
      await connector.close();
      return { ...result, made: connector.made.map(({ confirm }) => confirm) };
    };

    it('are opened by Confirm', async () => {
      const { json, made } = await callUndeclared(SMS, '');
      expect(json).toEqual([{ request_id: 'r1' }]);
      expect(made).toEqual([true]);
    });

    it('stay closed without a recipient to compare with the allowed numbers', async () => {
      const { made, ...result } = await callUndeclared({ msisdn: 'everybody', text: 'Hello' }, '380');
      expect(failureOf(result)).toContain('was not called | Nothing was sent');
      expect(made).toEqual([]);
    });
  });

  it('stay closed to some numbers, with the reason, where the list of tools can not be had', async () => {
    const isList = ({ body }: { body: unknown }) =>
      (body as IDataObject | undefined)?.method === 'tools/list';
    sandbox.faults.add({ kind: 'status-before', status: 503, endpoint: 'mcp', when: isList });
    const credentials = credentialsFor(sandbox);
    Object.assign(credentials.messagingGatewayApi, { allowedPrefixes: '380' });
    const result = await call('send_sms', SMS, { confirm: true }, { credentials });
    expect(failureOf(result)).toMatch(
      /^The connector is unavailable .*Nothing was sent\. Run it again later/s,
    );
    expect(calls()).toEqual([]);
  });

  it('shows a refusal on the item with On Error set to continue', async () => {
    const { json } = await call('send_sms', SMS, {}, { onError: 'continueRegularOutput', items: [{}, {}] });
    const error = expect.stringMatching(/^The connector refused the tool [^[]*$/) as string;
    const reason = expect.stringContaining('not confirmed') as string;
    const how_to = expect.stringContaining('confirm: true') as string;
    expect(json).toMatchObject([{ refused: true }, { refused: true, reason, how_to, error }]);
  });
});

it('counts all rows where one ends the run, also those that it did not reach', async () => {
  const items = ['balance', 'balance', 'nothing', ...Array<string>(7).fill('balance')].map((tool) => ({
    tool,
  }));
  const { error } = await call('={{ $json.tool }}', {}, {}, { items });
  expect(error?.description).toMatch(/Of all rows: 2 of 10 accepted, 8 not sent\.$/);
  expect(calls()).toHaveLength(3);
});

describe('parameters', () => {
  it.each([
    ['no tool', '', {}, 'Tool'],
    ['arguments that are no JSON', 'balance', '{ nope', "'Arguments'"],
    ['a list of arguments', 'balance', '[1]', "'Arguments'"],
    ['a number that JSON rounds', 'balance', '{"a":{"b":12345678901234567891}}', 'Give "b" as text'],
    ['a confirmation', 'send_sms', { ...SMS, confirm: true }, "'Arguments' contains"],
    ['none', 'send_sms', { ...SMS, confirm: false }, "'Arguments' contains"],
  ])('%s in place of arguments: refused before a request leaves', async (_, tool, args, words) => {
    const more = { items: [{}, {}] };
    const result = await call(tool, args, { confirm: true }, more).catch((error: Error) => ({ error }));
    expect(failureOf(result)).toContain(words);
    expect(sandbox.requests).toHaveLength(0);
  });

  it('takes the arguments from fields, typed and without the empty ones', async () => {
    const field = { defaultMatch: false, display: true };
    const schema = ['phone', 'text', 'sender', 'id'].map((id) => {
      const type = id === 'phone' || id === 'id' ? 'number' : 'string';
      return { ...field, id, displayName: id, type, required: id !== 'id' };
    });
    const value = { ...SMS, phone: '={{ $json.phone }}', id: null };
    const argumentFields = { mappingMode: 'defineBelow', value, schema };
    const parameters = { specifyArguments: 'fields', argumentFields, confirm: true };
    const { json } = await call('send_sms', {}, parameters, { items: [{ phone: String(PHONE) }] });
    expect(json).toMatchObject([{ success: true }]);
    const { params } = calls()[0].body as { params: IDataObject };
    expect(params).toMatchObject({ name: 'send_sms' });
    expect(params.arguments).toEqual({ ...SMS, confirm: true });
  });

  it('says what the connector says of wrong arguments, and pairs what it returned before', async () => {
    const args = '={{ JSON.stringify({ phone: $json.phone }) }}';
    const items = [PHONE, 'x', PHONE].map((phone) => ({ phone }));
    const { outputs } = await call('lookup_number', args, {}, { items, onError: 'continueErrorOutput' });
    expect(outputs[0].map(({ json }) => json.phone)).toEqual([PHONE, PHONE]);
    const words = /^The connector did not accept the tool or its arguments/;
    const error = expect.stringMatching(words) as string;
    const what_to_do = "Row 2: check 'Tool' and 'Arguments'";
    expect(outputs[1]).toMatchObject([
      { json: { result: 'notSent', error, what_to_do }, pairedItem: { item: 1 } },
    ]);
  });
});

describe('a confirmed call', () => {
  const ITEMS = Array.from({ length: 4 }, (_, i) => ({ id: i + 1 }));
  const ARGS = `={{ JSON.stringify({ phone: ${PHONE}, text: 'Hello', sender: 'TestSender', id: $json.id }) }}`;
  const RETRY = { retryOnFail: true, maxTries: 3 };

  it.each(['drop-after', 'hang-after'] as const)(
    'that ends in %s is not made again, not even by Retry On Fail',
    async (kind) => {
      sandbox.faults.add({ kind, endpoint: 'mcp', when: isToolCall, times: 1 });
      const result = await call('send_sms', SMS, { options: { timeout: 2 }, confirm: true }, RETRY);
      expect(failureOf(result)).toMatch(/^The outcome of the tool "send_sms" is unknown/);
      expect(result.error?.description).not.toMatch(/run it again/i);
      expect(await accepted()).toBe(1);
    },
  );

  it('is made once where a session is dropped in the middle, or the first try of the node ended early', async () => {
    // The notification, the list of tools and two calls, then the session is gone.
    sandbox.configure({ connector: { dropSessionAfter: 4 } });
    const refusal = { kind: 'status-before', status: 429, endpoint: 'mcp', when: isToolCall } as const;
    sandbox.faults.add({ ...refusal, after: 2, times: 1 });
    const { json } = await call('send_sms', ARGS, { confirm: true }, { items: ITEMS, ...RETRY });
    expect(json.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    await sandbox.settled();
    expect(sandbox.counts()).toMatchObject({ accepted: 4, doubledIds: 0 });
  });

  it('is not made again by Retry On Fail where the tool passes on a fault of the gateway', async () => {
    const tool = { name: 'send_sms', inputSchema: { properties: { confirm: {} } } };
    const fault = textOf({ success: false, error: 'Internal server error' });
    const connector = await startConnector(tool, () => fault);
    const { credentials, made } = connector;
    const result = await call('send_sms', SMS, { confirm: true }, { credentials, ...RETRY });
    await connector.close();
    expect(failureOf(result)).toMatch(/^The outcome of the tool "send_sms" is unknown/);
    expect(made).toHaveLength(1);
  });

  it('is not made in an n8n Retry of an execution that was cut off in the node', async () => {
    const result = await call('send_sms', SMS, { confirm: true }, { mode: 'retry' });
    expect(failureOf(result)).toMatch(/^The outcome of the tool "send_sms" is unknown/);
    expect(calls()).toEqual([]);
    // A tool that only reads is called all the same.
    const { json } = await call('balance', {}, { confirm: true }, { mode: 'retry' });
    expect(json).toMatchObject([{ currency: 'EUR' }]);
  });

  it('that another n8n Retry of the same execution may have made is not made: nobody knows of the other one', async () => {
    const refusal = { kind: 'status-before', status: 429, endpoint: 'mcp', when: isToolCall } as const;
    sandbox.faults.add({ ...refusal, after: 1, times: 1 });
    const failed = await call('send_sms', ARGS, { confirm: true }, { items: ITEMS.slice(0, 2) });
    expect(failed.status).toBe('error');
    for (const executionId of ['first', 'second']) {
      const { error } = await retry(failed, NODE_NAME, executionId);
      expect(error?.message).toBe('The outcome of the tool "send_sms" is unknown [item 1]');
    }
    expect(calls()).toHaveLength(2);
    expect(await accepted()).toBe(1);
  });

  it('follows no other once the execution is stopped', async () => {
    sandbox.faults.add({ kind: 'slow', delayMs: 400, endpoint: 'mcp', when: isToolCall });
    const abortWhen = () => calls().length === 1;
    const { status } = await call('send_sms', ARGS, { confirm: true }, { items: ITEMS, abortWhen });
    expect(status).toBe('canceled');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(calls()).toHaveLength(1);
  });
});

it('says of a call that is not confirmed, and fails, that nothing was sent', async () => {
  const failed = textOf('No balance today', { isError: true });
  const { credentials, close } = await startConnector({ name: 'balance' }, () => failed);
  const { json, hints } = await call('balance', {}, {}, { credentials, onError: 'continueRegularOutput' });
  await close();
  const what_to_do = "Check the parameters that the gateway's text mentions";
  const error = 'The tool "balance" failed: "No balance today"';
  expect(json).toEqual([{ result: 'notSent', error, what_to_do }]);
  expect(hints[0]).toMatch(/not sent/);
});

it('says that the key is wrong, and shows it nowhere', async () => {
  const result = await call('balance', {}, {}, { credentials: credentialsFor(sandbox, 'wrong-key-000') });
  expect(failureOf(result)).toMatch(/Access denied.*'API Key'/s);
  expect(JSON.stringify(result.execution)).not.toContain('wrong-key-000');
});

it('ends in words within the time limit where the answer never does', async () => {
  sandbox.faults.add({ kind: 'endless-events', endpoint: 'mcp', when: isToolCall });
  const failure = failureOf(await call('balance', {}, { options: { timeout: 1 } }));
  expect(failure).toMatch(/^.{20,} \| .{20,}/);
  expect(failure).not.toMatch(/'(Base|Async) URL'|'Batch Size'|undefined/);
});

describe('as a tool of an agent', () => {
  const parameters = {
    resource: 'assistant',
    operation: 'callTool',
    tool: { __rl: true, mode: 'name', value: "={{ $fromAI('tool', '', 'string') }}" },
    arguments: "={{ $fromAI('Arguments', '', 'json') }}",
  };
  const runTool = async (more: IDataObject, input: IDataObject, onError?: OnError) => {
    const tool = { parameters: { ...parameters, ...more }, credentials: credentialsFor(sandbox) };
    return (await runAgent({ ...tool, calls: [input], settings: { onError } })).answers[0];
  };
  const input = { tool: 'send_sms', Arguments: SMS };

  it('calls what only reads, and sends with both locks open', async () => {
    const balance = { amount: expect.any(Number), currency: 'EUR' };
    expect(await runTool({}, { tool: 'balance', Arguments: {} })).toEqual([balance]);
    const [answer] = await runTool({ confirm: true }, { ...input, confirm: true });
    expect(answer).toMatchObject({ success: true, request_id: expect.any(String) });
    expect(await accepted()).toBe(1);
  });

  // Not to ask again where the model can open nothing.
  const CLOSED = /^(?!.*confirm: true).*Nothing was sent.*'Confirm'/s;
  const OWN = { confirm: "={{ $fromAI('sure', '', 'boolean') }}" };
  it.each<[string, IDataObject, IDataObject, RegExp]>([
    ['neither lock open', {}, { confirm: false }, CLOSED],
    ['the lock of the author closed', {}, { confirm: true }, CLOSED],
    ['no confirmation', { confirm: true }, { confirm: false }, /Nothing was sent.*confirm: true/s],
    [
      'a confirmation in the arguments',
      { confirm: true },
      { Arguments: { ...SMS, confirm: true } },
      /Confirm|"confirm"/,
    ],
    ['a switch of its own', OWN, { sure: true, confirm: true }, /Confirm|"confirm"/],
  ])('sends nothing with %s', async (_, more, given, words) => {
    for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
      const [answer] = await runTool(more, { ...input, ...given }, onError);
      expect(answer.success).toBe(false);
      expect(JSON.stringify(answer)).toMatch(words);
    }
    expect(await accepted()).toBe(0);
  });
});
