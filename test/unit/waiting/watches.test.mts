import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { OpenWait } from '../../../nodes/MessagingGateway/waiting/open-wait.ts';
import type { WaitNote } from '../../../nodes/MessagingGateway/waiting/watches.ts';
import { Watches } from '../../../nodes/MessagingGateway/waiting/watches.ts';

/** A process that watches a wait of its own sending, on fake timers, while others may be called for it. */

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

const NOTE: WaitNote = { key: 'sleep', limitAt: 3_600_000 };
const GATEWAY = 'https://gateway.example';

interface Setting {
  /** The key of the credential, which is read anew now and then, and that which the gateway accepts. */
  key?(): string;
  accepts?: string;
  /** What n8n answers to calls of the execution. */
  called(todo: string, url: string): Promise<{ statusCode: number; body: object }>;
  /** What the gateway says of each message. */
  status?: string;
}

function setUp({ key = () => 'old', accepts = 'old', called, status = 'DELIVERED' }: Setting) {
  const watches = new Watches();
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
  const context = {
    getNode: () => ({ id: 'node', name: 'Send' }),
    getExecutionId: () => '7',
    evaluateExpression: () => 'https://n8n.example/webhook-waiting/7?signature=token',
    getCredentials: async () => await Promise.resolve({ apiKey: key(), baseUrl: GATEWAY }),
    logger: { warn: (text: string) => warnings.push(text) },
    helpers: {
      httpRequest,
      httpRequestWithAuthentication: async (
        _: string,
        { body, ...rest }: IHttpRequestOptions,
        { credentialsDecrypted }: { credentialsDecrypted: { data: { apiKey: string } } },
      ) =>
        await httpRequest({ ...rest, body: { ...(body as object), auth: credentialsDecrypted.data.apiKey } }),
    },
  } as unknown as IExecuteFunctions;
  const wait = new OpenWait([{ id: 1, type: 'sms', outcome: 'unknown', final: false }]);
  const start = async (note = NOTE) => await watches.start(context, note, wait);
  return { watches, wait, questions, calls, sleeps, warnings, start };
}

const ASLEEP = { statusCode: 200, body: { sleeping: true } };
const WOKEN = { statusCode: 200, body: { sleeping: false } };

it('goes on with a key that was changed, without a call of the execution', async () => {
  const { watches, wait, questions, calls, start } = setUp({
    key: () => (Date.now() < 2000 ? 'old' : 'new'),
    accepts: 'new',
    called: async () => await Promise.resolve(WOKEN),
  });
  await start();
  await jest.advanceTimersByTimeAsync(60_000);
  expect([wait.complete, questions, calls]).toEqual([true, ['old', 'new'], ['resume']]);
  expect(watches.size).toBe(0);
});

it('wakes the execution from inside n8n where its public address leads nowhere', async () => {
  const urls: string[] = [];
  const { watches, calls, warnings, start } = setUp({
    called: async (_, url) => {
      urls.push(url);
      if (!url.startsWith('http://127.0.0.1:5678/')) throw new Error('self-signed certificate');
      return await Promise.resolve(WOKEN);
    },
  });
  await start();
  await jest.advanceTimersByTimeAsync(5000);
  expect([watches.size, calls, warnings]).toEqual([0, ['resume', 'resume'], []]);
  expect(urls[1]).toBe('http://127.0.0.1:5678/webhook-waiting/7?signature=token/node');
});

it('says in the log why nothing wakes the execution, without its token', async () => {
  const { warnings, start } = setUp({
    called: async () => await Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })),
  });
  await start();
  await jest.advanceTimersByTimeAsync(600_000);
  expect(warnings).toEqual([
    expect.stringMatching(
      /execution 7: .*n8n\.example: ECONNREFUSED; 127\.0\.0\.1:5678: ECONNREFUSED.*WEBHOOK_URL/,
    ),
  ]);
  expect(warnings[0]).not.toContain('token');
});

it('looks whether executions sleep for a hundredth of the time, at each in turn', async () => {
  const { calls, sleeps, start } = setUp({
    status: 'SENT',
    called: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return ASLEEP;
    },
  });
  for (let i = 0; i < 5; i++) await start({ key: `sleep ${i}`, limitAt: 120 * 60_000 });
  await jest.advanceTimersByTimeAsync(100 * 60_000);
  expect(new Set(calls)).toEqual(new Set(['look']));
  expect(calls.length).toBeLessThanOrEqual(60);
  const counts = Array.from({ length: 5 }, (_, i) => sleeps.filter((key) => key === `sleep ${i}`).length);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
});
