import { startSandbox } from '../../sandbox/server.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { callTool, failureOf, isToolCall, PHONE, SMS } from '../support/assistant.mts';
import { credentialsFor } from '../support/engine.mts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });
});
afterEach(() => sandbox.close());

const call = async (...args: Parameters<typeof callTool> extends [unknown, ...infer Rest] ? Rest : never) =>
  await callTool(sandbox, ...args);
const requests = (endpoint: string) => sandbox.requests.filter((request) => request.endpoint === endpoint);
const calls = () => requests('mcp').filter(isToolCall);

describe('the key', () => {
  it('goes to /mcp as a bearer token alone, and nowhere else', async () => {
    sandbox.configure({ keep: { keys: true } });
    await call('send_sms', SMS, { confirm: true });
    for (const { body, headers } of requests('mcp')) {
      expect(headers.authorization).toBe(`Bearer ${sandbox.account().key}`);
      expect(body ?? {}).not.toHaveProperty('auth');
    }
    expect(requests('health')[0].headers.authorization).toBeUndefined();
  });

  it.each(['check', 'forward'] as const)('is said to be wrong (%s)', async (auth) => {
    sandbox.configure({ connector: { auth } });
    const result = await call('balance', {}, {}, { credentials: credentialsFor(sandbox, 'wrong-key-000') });
    expect(failureOf(result)).toContain('Access denied');
    expect(failureOf(result)).toContain("'API Key'");
    expect(JSON.stringify(result.execution)).not.toContain('wrong-key-000');
  });
});

describe('sessions', () => {
  it('opens one for a run, and ends it', async () => {
    await call('balance', {}, {}, { items: [{}, {}, {}] });
    expect(sandbox.sessions.opened).toBe(1);
    expect(sandbox.sessions.size).toBe(0);
  });

  it('does without where there are none', async () => {
    sandbox.configure({ connector: { sessions: false } });
    expect((await call('balance')).json).toEqual([{ amount: 1000, currency: 'EUR' }]);
    expect(sandbox.sessions.opened).toBe(0);
  });

  it('renews one that the server drops in the middle, and sends each message once', async () => {
    // The notification and two calls, then it is gone.
    sandbox.configure({ connector: { dropSessionAfter: 4 } });
    const items = Array.from({ length: 6 }, (_, i) => ({ id: i + 1 }));
    const args = `={{ JSON.stringify({ phone: ${PHONE}, text: 'Hello', sender: 'TestSender', id: $json.id }) }}`;
    const { json, error } = await call('send_sms', args, { confirm: true }, { items });
    expect(error).toBeUndefined();
    expect(json.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
    await sandbox.settled();
    expect(sandbox.counts()).toMatchObject({ accepted: 6, distinctIds: 6, doubledIds: 0 });
    expect(sandbox.sessions.opened).toBeGreaterThan(1);
  });

  it('gives up on a connector that drops each session at once', async () => {
    sandbox.configure({ connector: { dropSessionAfter: 1 } });
    const result = await call('send_sms', SMS);
    expect(failureOf(result)).toContain('dropped its session, and the new one as well');
    expect(sandbox.sessions.opened).toBe(2);
  });
});

describe('answers that go wrong', () => {
  const LIMIT = { options: { timeout: 2 } };

  it.each([
    'garbage-before',
    'html-before',
    'empty-after',
    'truncated',
    'huge',
    'endless',
    'endless-events',
    'hang-before',
  ] as const)('%s ends in words within the time limit', async (kind) => {
    sandbox.faults.add({ kind, endpoint: 'mcp', when: isToolCall });
    const start = Date.now();
    const result = await call('balance', {}, LIMIT);
    expect(Date.now() - start).toBeLessThan(20_000);
    expect(result.status).toBe('error');
    expect(failureOf(result)).toMatch(/^.{20,} \| .{20,}/);
    expect(failureOf(result)).not.toMatch(/'(Base|Async) URL'|undefined/);
  });

  it('names the option of the form that may help', async () => {
    sandbox.faults.add({ kind: 'hang-before', endpoint: 'mcp', when: isToolCall });
    const failure = failureOf(await call('balance', {}, { options: { timeout: 1 } }));
    expect(failure).toContain('The connector did not answer in time');
    expect(failure).toContain("raise 'Timeout (Seconds)' in 'Options'.");
    expect(failure).not.toContain("'Batch Size'");
  });

  it.each(['drop-after', 'garbage-after', 'hang-after', 'status-after'] as const)(
    'a confirmed call that ends in %s is not made again, not even by Retry On Fail',
    async (kind) => {
      sandbox.faults.add({ kind, endpoint: 'mcp', when: isToolCall, times: 1 });
      const result = await call(
        'send_sms',
        SMS,
        { ...LIMIT, confirm: true },
        { retryOnFail: true, maxTries: 3 },
      );
      expect(failureOf(result)).toMatch(/^The outcome of the tool "send_sms" is unknown/);
      await sandbox.settled();
      expect(sandbox.counts().accepted).toBe(1);
    },
  );

  it('Retry On Fail goes on where it stopped', async () => {
    sandbox.faults.add({
      kind: 'status-before',
      status: 429,
      endpoint: 'mcp',
      when: isToolCall,
      after: 2,
      times: 1,
    });
    const items = Array.from({ length: 4 }, (_, i) => ({ id: i + 1 }));
    const args = `={{ JSON.stringify({ phone: ${PHONE}, text: 'Hello', sender: 'TestSender', id: $json.id }) }}`;
    const { json } = await call(
      'send_sms',
      args,
      { confirm: true },
      { items, retryOnFail: true, maxTries: 3 },
    );
    expect(json.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    await sandbox.settled();
    expect(sandbox.counts()).toMatchObject({ accepted: 4, doubledIds: 0 });
  });

  it('a cancelled execution calls nothing more', async () => {
    sandbox.faults.add({ kind: 'slow', delayMs: 400, endpoint: 'mcp', when: isToolCall });
    const result = await call(
      'balance',
      {},
      {},
      { items: [{}, {}, {}], abortWhen: () => calls().length === 1 },
    );
    expect(result.status).toBe('canceled');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(calls().length).toBeLessThanOrEqual(1);
  });
});
