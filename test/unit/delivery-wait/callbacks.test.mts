import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { receiveWhileWaiting } from '../../../nodes/MessagingGateway/router.ts';
import { streamed } from '../../support/streamed.mts';
import { stopAbortTimers } from '../../support/virtual-time.mts';

/** The webhook of a waiting execution in a process that did not send: after a restart, or a webhook processor. */

beforeEach(() => {
  jest.useFakeTimers();
  stopAbortTimers();
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

let serial = 0;

interface Waiting {
  items?: IDataObject[];
  /** What the request has beside its method. */
  request?: object;
  /** What `status` says of each message; a message left out is not known. */
  statuses?: Record<string, string>;
  broken?: boolean;
  /** What n8n answers when the node calls its own execution. */
  self?: { statusCode: number; body: object };
}

const OVER = { statusCode: 410, body: { error: 'The execution does not wait for this' } };

function waiting({
  items = sent(3),
  statuses = {},
  broken = false,
  request = {},
  self = OVER,
}: Waiting = {}) {
  const key = `wait-${++serial}`;
  const note = { key, limitAt: Date.now() + 3_600_000, limitMs: 3_600_000 };
  const questions: unknown[][] = [];
  const refusals: Array<{ status: number; error: string }> = [];
  const warnings: string[] = [];
  const loads: string[] = [];
  const selfCalls: unknown[] = [];

  const answer = ({ body }: { body: { data: Array<{ id: number }> } }) => {
    questions.push(body.data.map(({ id }) => id));
    const data = body.data.map(({ id }) =>
      statuses[id] === undefined
        ? { success: false, error: 'Message not found' }
        : { success: true, data: { id, status: statuses[id] } },
    );
    return streamed({ statusCode: 200, headers: {}, body: JSON.stringify({ success: true, data }) });
  };

  const post = async (body: unknown): Promise<IWebhookResponseData> => {
    const context = {
      getNodeParameter: (name: string) => ({ resource: 'message', operation: 'sendSms' })[name],
      getRequestObject: () => ({ method: 'POST', ...request }),
      getBodyData: () => body,
      getNode: () => ({ id: 'n', name: 'Send "}}" it' }),
      getExecutionId: () => '7',
      evaluateExpression: (expression: string) => {
        if (expression.includes('resumeUrl')) return 'http://127.0.0.1:1/webhook-waiting/7';
        loads.push(expression);
        if (expression.includes('$input')) return items.map((json, item) => ({ json, pairedItem: { item } }));
        expect(expression).not.toContain('"}}"');
        return note;
      },
      getCredentials: async () => {
        if (broken) throw new Error('The credential is gone');
        return await Promise.resolve({ apiKey: key, baseUrl: 'http://127.0.0.1:1' });
      },
      getResponseObject: () => ({
        status: (status: number) => ({
          json: ({ error }: { error: string }) => refusals.push({ status, error }),
        }),
      }),
      logger: { warn: (text: string) => warnings.push(text), error: () => undefined },
      helpers: {
        httpRequest: async ({ body: call }: { body: unknown }) => {
          selfCalls.push(call);
          return await Promise.resolve(self);
        },
        httpRequestWithAuthentication: async (_: string, options: unknown) =>
          await Promise.resolve(answer(options as never)),
      },
    };
    return await receiveWhileWaiting(context as unknown as IWebhookFunctions);
  };
  const outcomes = ({ workflowData }: IWebhookResponseData) =>
    workflowData?.[0].map(({ json, pairedItem }) => [json.id, json.outcome, json.final, pairedItem]);
  return { key, note, post, outcomes, questions, refusals, warnings, loads, selfCalls };
}

function sent(count: number): IDataObject[] {
  return Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    type: 'sms',
    outcome: 'pending',
    final: false,
  }));
}

const callback = (id: number, status = 'DELIVERED') => ({
  success: status === 'DELIVERED',
  id: String(id),
  type: 'sms',
  status,
});
const ACKNOWLEDGED = { webhookResponse: { received: true } };

it('asks for all messages at the first callback, since others may have come to another process', async () => {
  const { post, outcomes, questions } = waiting({ statuses: { 2: 'READ', 3: 'REJECTED' } });
  const answer = await post(callback(1));
  expect(outcomes(answer)).toEqual([
    [1, 'delivered', true, { item: 0 }],
    [2, 'read', true, { item: 1 }],
    [3, 'failed', true, { item: 2 }],
  ]);
  expect(questions).toEqual([[2, 3]]);
});

it('acknowledges and sleeps on while a message has no final outcome, whatever keeps it from being asked', async () => {
  const known = waiting({ statuses: { 2: 'SENT' } });
  expect(await known.post(callback(1))).toEqual(ACKNOWLEDGED);
  const broken = waiting({ broken: true });
  expect(await broken.post(callback(1))).toEqual(ACKNOWLEDGED);
  expect(broken.warnings[0]).toContain('The credential is gone');
});

it('resumes once when callbacks come at the same time', async () => {
  const { post } = waiting();
  const answers = await Promise.all([1, 2, 3, 3, 2, 1].map(async (id) => await post(callback(id))));
  expect(answers.filter(({ workflowData }) => workflowData !== undefined)).toHaveLength(1);
  expect(answers.filter(({ webhookResponse }) => webhookResponse === undefined)).toEqual([]);
});

it.each([OVER, { statusCode: 409, body: { code: 409 } }])(
  'makes sure once that what a callback woke has woken (%j)',
  async (self) => {
    const { key, post, selfCalls } = waiting({ statuses: { 2: 'READ', 3: 'READ' }, self });
    expect((await post(callback(1))).workflowData).toBeDefined();
    await jest.advanceTimersByTimeAsync(30_000);
    const reports = [1, 2, 3].map((id) => expect.objectContaining({ id }) as object);
    expect(selfCalls).toEqual([{ wake: key, reports }]);
  },
);

it('resumes once when the node itself calls twice and a callback comes at the same time', async () => {
  const { key, post } = waiting({ statuses: { 1: 'READ', 2: 'READ', 3: 'READ' } });
  const bodies = [{ wake: key }, { wake: key }, callback(1)];
  const answers = await Promise.all(bodies.map(async (body) => await post(body)));
  expect(answers.filter(({ workflowData }) => workflowData !== undefined)).toHaveLength(1);
});

it('takes the outcomes that the calling process knows, and asks only about others', async () => {
  const reports = [1, 2, 3].map((id) => ({ id, status: 'READ' }));
  const all = waiting();
  const answer = await all.post({ wake: all.key, reports });
  expect(all.outcomes(answer)?.map(([, outcome]) => outcome)).toEqual(['read', 'read', 'read']);
  expect(all.questions).toEqual([]);
  const some = waiting({ statuses: { 3: 'READ' } });
  await some.post({ wake: some.key, reports: reports.slice(0, 2) });
  expect(some.questions).toEqual([[3]]);
  const foreign = waiting();
  await foreign.post({ wake: 'other', reports });
  expect(await foreign.post(callback(1))).toEqual(ACKNOWLEDGED);
});

it('asks for what is missing in a call after the limit too, since n8n may not have started what an earlier call woke', async () => {
  const { key, post, outcomes } = waiting({ statuses: { 1: 'READ', 2: 'READ', 3: 'READ' } });
  jest.setSystemTime(Date.now() + 3_600_000 + 30_000);
  const answer = await post({ wake: key });
  expect(outcomes(answer)?.map(([, outcome]) => outcome)).toEqual(['read', 'read', 'read']);
});

it.each([false, true])(
  'resumes at the limit with what is known (gateway out of reach: %s)',
  async (broken) => {
    const { key, note, post, outcomes } = waiting({ statuses: { 2: 'SENT' }, broken });
    await post(callback(1));
    jest.setSystemTime(note.limitAt);
    const answer = await post({ wake: key });
    expect(outcomes(answer)).toEqual([
      [1, 'delivered', true, { item: 0 }],
      [2, 'pending', false, { item: 1 }],
      [3, 'pending', false, { item: 2 }],
    ]);
    const reason =
      'The limit of 1 hour was reached: 2 of 3 have no outcome yet. Get Status asks for it later.';
    expect(answer.workflowData?.[0].map(({ json }) => json.reason)).toEqual([undefined, reason, reason]);
  },
);

it('asks for nothing but the missing outcomes, and for thousands not during a call', async () => {
  const few = waiting();
  await few.post(callback(2));
  expect(few.questions).toEqual([[1, 3]]);
  const many = waiting({ items: sent(1001 + 1) });
  expect(await many.post(callback(2))).toEqual(ACKNOWLEDGED);
  expect(many.questions).toEqual([]);
  await jest.advanceTimersByTimeAsync(32_000);
  expect(many.questions.length).toBeGreaterThan(0);
});

it.each([
  ['a body of more than a megabyte', 413, { rawBody: Buffer.alloc(1024 * 1024 + 1) }, callback(1), true],
  ['another method', 405, { method: 'PUT' }, callback(1), true],
  ['no callback', 400, {}, { hello: 'world' }, true],
  ['a callback of another message', 404, {}, callback(99), false],
  ['the call of another sleep', 410, {}, { wake: 'other' }, false],
])('refuses %s with %i and sleeps on', async (_, status, request, body, isUnread) => {
  const { post, refusals, questions, loads } = waiting({ request });
  expect(await post(body)).toEqual({ noWebhookResponse: true });
  expect(refusals).toEqual([{ status, error: expect.stringMatching(/\w+ \w+/) }]);
  expect(questions).toEqual([]);
  // Before anything of the execution is looked at.
  if (isUnread) expect(loads).toEqual([]);
});

it('never throws, since n8n would go on with an empty item', async () => {
  const { post, refusals } = waiting({ items: null as never });
  expect(await post(callback(1))).toEqual({ noWebhookResponse: true });
  expect(refusals).toEqual([{ status: 503, error: expect.any(String) }]);
});
