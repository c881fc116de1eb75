import type { IDataObject } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/server.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { runAgent } from '../support/agent.mts';
import { callTool, failureOf, isToolCall, PHONE, runAssistant, SMS } from '../support/assistant.mts';
import type { NodeRunOptions } from '../support/engine.mts';
import { credentialsFor } from '../support/engine.mts';
import { previewGaps } from '../support/previews.mts';
import { startWebServer } from '../support/web-server.mts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });
});
afterEach(() => sandbox.close());

const run = async (parameters: IDataObject, more: Partial<NodeRunOptions> = {}) =>
  await runAssistant(sandbox, parameters, more);
const call = async (...args: Parameters<typeof callTool> extends [unknown, ...infer Rest] ? Rest : never) =>
  await callTool(sandbox, ...args);
const requests = (endpoint: string) => sandbox.requests.filter((request) => request.endpoint === endpoint);
const calls = () => requests('mcp').filter(isToolCall);

const SENDS: Record<string, object> = {
  send_sms: SMS,
  send_viber: SMS,
  send_telegram_code: { phone: PHONE, code: '1234' },
  send_voice: { phone: PHONE, text: 'Hi', gender: 'male', language: 'en-US', voice: 'Tom' },
  send_pipeline: { ...SMS, channels: ['viber', 'sms'] },
};
const READS: Record<string, object> = {
  balance: {},
  list_senders: {},
  list_sms_templates: {},
  list_viber_templates: {},
  lookup_number: { phone: PHONE },
};

describe('Get Health', () => {
  it('gives what the connector says, for each item', async () => {
    const { json, items } = await run({ operation: 'getHealth' }, { items: [{}, {}] });
    const health = { ok: true, domain: 'sandbox.example.com', send_enabled: true };
    expect(json).toEqual([health, health]);
    expect(previewGaps('assistant', 'getHealth', json)).toEqual([]);
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
    expect(requests('health')).toHaveLength(1);
    expect(requests('health')[0].headers.authorization).toBeUndefined();
  });

  it('says why sending tools are missing', async () => {
    sandbox.configure({ connector: { sendEnabled: false } });
    const { json, task } = await run({ operation: 'getHealth' });
    expect(json).toMatchObject([{ send_enabled: false }]);
    expect(task?.hints?.[0].message).toContain('sending is switched off for sandbox.example.com');
  });
});

describe('List Tools', () => {
  it('lists all eleven, one item for each', async () => {
    const { json, items } = await run({ operation: 'listTools' });
    expect(json).toHaveLength(11);
    expect(new Set(items.map(({ pairedItem }) => JSON.stringify(pairedItem)))).toEqual(
      new Set(['{"item":0}']),
    );
    const sending = json.filter(({ sends }) => sends === true).map(({ name }) => name);
    expect(sending.sort()).toEqual(Object.keys(SENDS).sort());
    expect(previewGaps('assistant', 'listTools', json)).toEqual([]);
  });

  it('offers no sending tools where sending is switched off, and says why', async () => {
    sandbox.configure({ connector: { sendEnabled: false } });
    const { json, task } = await run({ operation: 'listTools' });
    expect(json).toHaveLength(6);
    expect(json.some(({ sends }) => sends === true)).toBe(false);
    expect(task?.hints?.[0].message).toContain('sending is switched off for sandbox.example.com');
  });
});

// Other forms of answers are in unit/connector.
describe('Call Tool', () => {
  beforeEach(() => sandbox.configure({ connector: { answers: 'sse-noisy' } }));

  it.each(Object.entries(READS))('calls %s at once', async (tool, args) => {
    const { json, error } = await call(tool, args);
    expect(error).toBeUndefined();
    expect(json).toHaveLength(1);
    if (tool === 'balance') expect(json).toEqual([{ amount: 1000, currency: 'EUR' }]);
    if (tool === 'lookup_number') expect(json).toMatchObject([{ phone: PHONE }]);
  });

  it.each(Object.entries(SENDS))(
    '%s is refused without confirmation, and sends once with it',
    async (tool, args) => {
      const refused = await call(tool, args);
      expect(refused.status).toBe('error');
      expect(failureOf(refused)).toMatch(/^The connector refused the tool ".*not confirmed/);
      expect(failureOf(refused)).toContain("'Confirm'");
      expect(failureOf(refused)).toContain('call the tool again with confirm: true');
      await sandbox.settled();
      expect(sandbox.counts().accepted).toBe(0);

      const { json } = await call(tool, args, { confirm: true });
      expect(json).toEqual([{ success: true, request_id: expect.any(String), id: expect.any(Number) }]);
      await sandbox.settled();
      expect(sandbox.counts().accepted).toBe(1);
      const status = await call('message_status', { id: json[0].id });
      expect(status.json).toMatchObject([{ id: json[0].id, status: 'DELIVERED' }]);
    },
  );
});

describe('the two locks of the connector', () => {
  it.each([
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ])('send_enabled %s, Confirm %s', async (sendEnabled, confirm) => {
    sandbox.configure({ connector: { sendEnabled } });
    const result = await call('send_sms', SMS, { confirm });
    await sandbox.settled();
    const sends = sendEnabled && confirm;
    expect(sandbox.counts().accepted).toBe(sends ? 1 : 0);
    expect(result.status).toBe(sends ? 'success' : 'error');
    if (!sendEnabled) expect(failureOf(result)).toContain('switched off for sandbox.example.com');
    if (!sendEnabled && confirm) expect(calls()).toHaveLength(0);
  });

  it.each([true, false])(
    'confirm to a tool that does not declare it, once it has refused (other arguments allowed: %s)',
    async (additionalProperties) => {
      const inputSchema = { type: 'object', properties: { phone: {} }, additionalProperties };
      const made: IDataObject[] = [];
      const connector = await startWebServer((response, { url, body }) => {
        response.setHeader('content-type', 'application/json');
        if (url?.endsWith('/health')) {
          response.end(JSON.stringify({ ok: true, domain: 'example.com', send_enabled: true }));
          return;
        }
        const { id, method, params } = JSON.parse(body) as {
          id: number;
          method: string;
          params: IDataObject;
        };
        const args = params?.arguments as IDataObject;
        if (method === 'tools/call') made.push(args);
        const outcome =
          args?.confirm === true ? { request_id: 'r1' } : { refused: true, reason: 'Not confirmed' };
        const results: Record<string, object> = {
          'tools/list': { tools: [{ name: 'send_sms', inputSchema }] },
          'tools/call': { content: [{ type: 'text', text: JSON.stringify(outcome) }] },
        };
        const unknown = { error: { code: -32601, message: 'Method not found' } };
        const answer = method in results ? { result: results[method] } : unknown;
        response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      });
      const { json } = await callTool({ ...sandbox, mcpUrl: connector.url }, 'send_sms', SMS, {
        confirm: true,
      });
      await connector.close();
      expect(json).toEqual([{ request_id: 'r1' }]);
      expect(made.map(({ confirm }) => confirm)).toEqual([undefined, true]);
    },
  );

  it('shows a refusal on the item with On Error set to continue', async () => {
    const { json } = await call('send_sms', SMS, {}, { onError: 'continueRegularOutput', items: [{}, {}] });
    expect(json).toHaveLength(2);
    expect(json[1]).toMatchObject({
      refused: true,
      reason: expect.stringContaining('not confirmed'),
      how_to: expect.stringContaining('confirm: true'),
      error: expect.stringMatching(/ \[item 1\]$/),
    });
  });

  it.each([
    { ...SMS, confirm: true },
    { ...SMS, confirm: false },
  ])('takes no confirmation in the arguments', async (args) => {
    const result = await call('send_sms', args, { confirm: true });
    expect(failureOf(result)).toMatch(/^'Arguments' must be a JSON object without "confirm"/);
    expect(sandbox.requests).toHaveLength(0);
  });
});

describe('parameters', () => {
  it.each([
    ['no tool', '', {}, 'Tool'],
    ['arguments that are no JSON', 'balance', '{ nope', "'Arguments'"],
    ['a list of arguments', 'balance', '[1]', "'Arguments'"],
  ])('%s: refused before a request leaves', async (_, tool, args, words) => {
    const result = await call(tool, args, {}, { items: [{}, {}] }).catch((error: unknown) => ({ error }));
    expect(failureOf(result as { error: unknown })).toContain(words);
    expect(sandbox.requests).toHaveLength(0);
  });

  it('takes the arguments from fields, typed and without the empty ones', async () => {
    const schema = ['phone', 'text', 'sender', 'id'].map((id) => ({
      id,
      displayName: id,
      required: id !== 'id',
      defaultMatch: false,
      display: true,
      type: id === 'phone' || id === 'id' ? 'number' : 'string',
    }));
    const value = { phone: '={{ $json.phone }}', text: 'Hello', sender: 'TestSender', id: null };
    const { json, error } = await call(
      'send_sms',
      {},
      {
        specifyArguments: 'fields',
        argumentFields: { mappingMode: 'defineBelow', value, schema },
        confirm: true,
      },
      { items: [{ phone: String(PHONE) }] },
    );
    expect(error).toBeUndefined();
    expect(json).toMatchObject([{ success: true }]);
    expect(calls()[0].body).toMatchObject({
      params: {
        name: 'send_sms',
        arguments: { phone: PHONE, text: 'Hello', sender: 'TestSender', confirm: true },
      },
    });
    expect((calls()[0].body as { params: { arguments: object } }).params.arguments).not.toHaveProperty('id');
  });

  it('says what the connector says of wrong arguments, and pairs what it gave before', async () => {
    const items = [{ phone: PHONE }, { phone: 'x' }, { phone: PHONE }];
    const { json, outputs } = await call(
      'lookup_number',
      '={{ JSON.stringify({ phone: $json.phone }) }}',
      {},
      { items, onError: 'continueErrorOutput' },
    );
    expect(json).toMatchObject([{ phone: PHONE }, { phone: PHONE }]);
    expect(outputs[1][0].json.error).toMatch(
      /^The connector did not accept the tool or its arguments.* \[item 1\]$/,
    );
    expect(outputs[1][0].pairedItem).toMatchObject({ item: 1 });
  });
});

describe('a confirmed call', () => {
  const ITEMS = Array.from({ length: 4 }, (_, i) => ({ id: i + 1 }));
  const ARGS = `={{ JSON.stringify({ phone: ${PHONE}, text: 'Hello', sender: 'TestSender', id: $json.id }) }}`;

  it.each(['drop-after', 'garbage-after', 'hang-after', 'status-after'] as const)(
    'that ends in %s is not made again, not even by Retry On Fail',
    async (kind) => {
      sandbox.faults.add({ kind, endpoint: 'mcp', when: isToolCall, times: 1 });
      const parameters = { options: { timeout: 2 }, confirm: true };
      const result = await call('send_sms', SMS, parameters, { retryOnFail: true, maxTries: 3 });
      expect(failureOf(result)).toMatch(/^The outcome of the tool "send_sms" is unknown/);
      await sandbox.settled();
      expect(sandbox.counts().accepted).toBe(1);
    },
  );

  it('is made once where a session is dropped in the middle, or the first try of the node ended early', async () => {
    // The notification and two calls, then it is gone.
    sandbox.configure({ connector: { dropSessionAfter: 4 } });
    sandbox.faults.add({
      kind: 'status-before',
      status: 429,
      endpoint: 'mcp',
      when: isToolCall,
      after: 2,
      times: 1,
    });
    const { json } = await call(
      'send_sms',
      ARGS,
      { confirm: true },
      { items: ITEMS, retryOnFail: true, maxTries: 3 },
    );
    expect(json.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    await sandbox.settled();
    expect(sandbox.counts()).toMatchObject({ accepted: 4, doubledIds: 0 });
    expect(sandbox.sessions.opened).toBeGreaterThan(1);
  });

  it('follows no other once the execution is stopped', async () => {
    sandbox.faults.add({ kind: 'slow', delayMs: 400, endpoint: 'mcp', when: isToolCall });
    const abortWhen = () => calls().length === 1;
    expect((await call('send_sms', ARGS, { confirm: true }, { items: ITEMS, abortWhen })).status).toBe(
      'canceled',
    );
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(calls()).toHaveLength(1);
  });
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
  const runTool = async (more: IDataObject, input: IDataObject) =>
    (
      await runAgent({
        parameters: { ...parameters, ...more },
        calls: [input],
        credentials: credentialsFor(sandbox),
      })
    ).answers[0];
  const input = { tool: 'send_sms', Arguments: SMS };

  it('calls what only reads', async () => {
    expect(await runTool({}, { tool: 'balance', Arguments: {} })).toEqual([
      { amount: 1000, currency: 'EUR' },
    ]);
  });

  it.each([
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ])('sends with both locks open only: Confirm %s, confirmed %s', async (confirm, confirmed) => {
    const [answer] = await runTool({ confirm }, { ...input, confirm: confirmed });
    await sandbox.settled();
    expect(sandbox.counts().accepted).toBe(confirm && confirmed ? 1 : 0);
    if (confirm && confirmed) {
      expect(answer).toMatchObject({ success: true, request_id: expect.any(String) });
    } else {
      expect(answer).toMatchObject({
        success: false,
        error: expect.stringContaining('Nothing was sent'),
      });
      expect(answer.error).toContain(confirm ? 'confirm: true' : "'Confirm'");
      if (!confirm) expect(answer.error).not.toContain('confirm: true');
    }
  });

  it.each([
    ['in the arguments', { confirm: true }, { ...input, Arguments: { ...SMS, confirm: true } }],
    [
      'by a switch of its own',
      { confirm: "={{ $fromAI('sure', '', 'boolean') }}" },
      { ...input, sure: true, confirm: true },
    ],
  ])('cannot confirm %s', async (_, more, given) => {
    const [answer] = await runTool(more, given);
    await sandbox.settled();
    expect(sandbox.counts().accepted).toBe(0);
    expect(answer.error).toMatch(/Confirm|"confirm"/);
  });
});
