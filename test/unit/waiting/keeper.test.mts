import type { IExecuteFunctions, IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';

import type { WaitNote } from '../../../nodes/MessagingGateway/waiting/keeper.ts';
import { WaitKeeper } from '../../../nodes/MessagingGateway/waiting/keeper.ts';
import { OpenWait } from '../../../nodes/MessagingGateway/waiting/open-wait.ts';

/** A process that looks after a wait of its own sending, on fake timers, while others may be called for it. */

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

const NOTE: WaitNote = { key: 'sleep', limitAt: 3_600_000 };
const GATEWAY = 'https://gateway.example';

interface Setting {
  /** The keys that the gateway accepts; the credential has `old` first. */
  accepts: string;
  /** What n8n answers to calls of the execution. */
  called(todo: string, url: string): Promise<{ statusCode: number; body: object }>;
  /** What the gateway says of each message. */
  status?: string;
}

function setUp({ accepts, called, status = 'DELIVERED' }: Setting) {
  const keeper = new WaitKeeper();
  const warnings: string[] = [];
  /** The sleeps that were called. */
  const sleeps: string[] = [];
  const questions: string[] = [];
  const calls: string[] = [];
  const httpRequest = async ({ url, body }: IHttpRequestOptions): Promise<unknown> => {
    const { auth, todo, sleep, data } = body as {
      auth: string;
      todo: string;
      sleep: string;
      data: Array<{ id: number }>;
    };
    if (!url.startsWith(GATEWAY)) {
      calls.push(todo);
      sleeps.push(sleep);
      return await called(todo, url);
    }
    questions.push(auth);
    const results = data.map(({ id }) => ({ success: true, data: { id, status } }));
    const answer =
      auth === accepts ? { success: true, data: results } : { success: false, error: 'Access denied' };
    return await Promise.resolve({ statusCode: 200, headers: {}, body: JSON.stringify(answer) });
  };
  class NodeContext {
    readonly helpers = { httpRequest };
  }
  const contextWith = (apiKey: string) =>
    Object.assign(new NodeContext(), {
      workflow: {},
      node: {},
      additionalData: {},
      getNode: () => ({ id: 'node', name: 'Send' }),
      getExecutionId: () => '7',
      getRequestObject: () => ({}),
      evaluateExpression: () => 'https://n8n.example/webhook-waiting/7?signature=token',
      getCredentials: async () => await Promise.resolve({ apiKey, baseUrl: GATEWAY }),
      logger: { warn: (text: string) => warnings.push(text) },
    });
  const wait = new OpenWait([{ id: 1, type: 'sms', outcome: 'unknown', final: false }]);
  const lookAfter = async (note = NOTE) =>
    await keeper.lookAfter(contextWith('old') as unknown as IExecuteFunctions, note, wait);
  const adopt = async () =>
    await keeper.adopt(contextWith('new') as unknown as IWebhookFunctions, NOTE, wait);
  return { keeper, wait, questions, calls, sleeps, warnings, lookAfter, adopt };
}

const ASLEEP = { statusCode: 200, body: { sleeping: true } };
const WOKEN = { statusCode: 200, body: { sleeping: false } };

it('asks the gateway, and calls the execution once, when all outcomes are known', async () => {
  const { keeper, wait, questions, calls, lookAfter } = setUp({
    accepts: 'old',
    called: async () => await Promise.resolve(WOKEN),
  });
  expect(await lookAfter()).toBe(true);
  await jest.advanceTimersByTimeAsync(5000);
  expect([wait.complete, questions, calls, keeper.size]).toEqual([true, ['old'], ['resume'], 0]);
});

it('leaves the wait to the process that was called for it', async () => {
  const { keeper, questions, calls, lookAfter } = setUp({
    accepts: 'new',
    called: async () => await Promise.resolve(ASLEEP),
  });
  await lookAfter();
  await jest.advanceTimersByTimeAsync(60_000);
  expect([questions, calls, keeper.size]).toEqual([['old'], ['adopt'], 0]);
});

it('goes on with the credential as read anew where it was called itself', async () => {
  const process = setUp({
    accepts: 'new',
    called: async (todo) => {
      if (todo === 'resume') return WOKEN;
      await process.adopt();
      return ASLEEP;
    },
  });
  await process.lookAfter();
  await jest.advanceTimersByTimeAsync(60_000);
  const { wait, questions, calls, keeper } = process;
  expect([wait.complete, questions, calls]).toEqual([true, ['old', 'new'], ['adopt', 'resume']]);
  expect(keeper.size).toBe(0);
});

it('wakes the execution from inside n8n where its public address leads nowhere', async () => {
  const urls: string[] = [];
  const { keeper, calls, warnings, lookAfter } = setUp({
    accepts: 'old',
    called: async (_, url) => {
      urls.push(url);
      if (!url.startsWith('http://127.0.0.1:5678/')) throw new Error('self-signed certificate');
      return await Promise.resolve(WOKEN);
    },
  });
  await lookAfter();
  await jest.advanceTimersByTimeAsync(5000);
  expect([keeper.size, calls, warnings]).toEqual([0, ['resume', 'resume'], []]);
  expect(urls[1]).toBe('http://127.0.0.1:5678/webhook-waiting/7?signature=token/node');
});

it('says in the log why nothing wakes the execution, without its token', async () => {
  const { warnings, lookAfter } = setUp({
    accepts: 'old',
    called: async () => await Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })),
  });
  await lookAfter();
  await jest.advanceTimersByTimeAsync(600_000);
  expect(warnings).toEqual([
    expect.stringMatching(/execution 7: .*n8n\.example: ECONNREFUSED; 127\.0\.0\.1:5678: ECONNREFUSED.*WEBHOOK_URL/),
  ]);
  expect(warnings[0]).not.toContain('token');
});

it('looks whether executions sleep for a hundredth of the time, at each in turn', async () => {
  const { calls, sleeps, lookAfter } = setUp({
    accepts: 'old',
    status: 'SENT',
    called: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return ASLEEP;
    },
  });
  for (let i = 0; i < 5; i++) await lookAfter({ key: `sleep ${i}`, limitAt: 120 * 60_000 });
  await jest.advanceTimersByTimeAsync(100 * 60_000);
  expect(new Set(calls)).toEqual(new Set(['look']));
  expect(calls.length).toBeLessThanOrEqual(60);
  const counts = Array.from({ length: 5 }, (_, i) => sleeps.filter((key) => key === `sleep ${i}`).length);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
});

it('looks after nothing where n8n makes no context without data', async () => {
  const keeper = new WaitKeeper();
  const parts = { workflow: {}, node: {}, additionalData: {} };
  const helpers = { httpRequest: () => undefined };
  class Refusing {
    constructor() {
      throw new Error('Not like this');
    }
  }
  const refusing = Object.assign(Object.create(Refusing.prototype) as object, parts, { helpers });
  for (const context of [{ helpers }, { ...parts, helpers }, refusing]) {
    expect(await keeper.lookAfter(context as never, NOTE, new OpenWait([]))).toBe(false);
  }
  expect(keeper.size).toBe(0);
});
