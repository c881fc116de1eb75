import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { receiveWhileWaiting } from '../../../nodes/MessagingGateway/router.ts';

/** The webhook of a waiting execution in a process that did not send: after a restart, or a webhook processor. */

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

let serial = 0;

interface Waiting {
  items?: IDataObject[];
  /** What `status` says of each message; a message left out is not known. */
  statuses?: Record<string, string>;
  broken?: boolean;
}

function waiting({ items = sent(3), statuses = {}, broken = false }: Waiting = {}) {
  const key = `wait-${++serial}`;
  const note = { key, limitAt: Date.now() + 3_600_000, batchSize: 2, timeout: 1000 };
  const questions: unknown[][] = [];
  const refusals: Array<{ status: number; error: string }> = [];
  const warnings: string[] = [];

  const answer = ({ body }: { body: { data: Array<{ id: number }> } }) => {
    questions.push(body.data.map(({ id }) => id));
    const data = body.data.map(({ id }) =>
      statuses[id] === undefined
        ? { success: false, error: 'Message not found' }
        : { success: true, data: { id, status: statuses[id] } },
    );
    return { statusCode: 200, headers: {}, body: JSON.stringify({ success: true, data }) };
  };

  const post = async (body: unknown): Promise<IWebhookResponseData> => {
    const context = {
      getNodeParameter: (name: string) => ({ resource: 'message', operation: 'sendSms' })[name],
      getRequestObject: () => ({ method: 'POST' }),
      getBodyData: () => body,
      getNode: () => ({ id: 'n', name: 'Send "}}" it' }),
      getExecutionId: () => '7',
      evaluateExpression: (expression: string) => {
        if (expression.includes('resumeUrl')) return 'http://127.0.0.1:1/webhook-waiting/7';
        if (expression.includes('$input')) return items.map((json, item) => ({ json, pairedItem: { item } }));
        expect(expression).not.toContain('"}}"');
        return note;
      },
      getCredentials: async () => {
        if (broken) throw new Error('The credential is gone');
        return await Promise.resolve({ apiKey: 'k', baseUrl: 'http://127.0.0.1:1' });
      },
      getResponseObject: () => ({
        status: (status: number) => ({
          json: ({ error }: { error: string }) => refusals.push({ status, error }),
        }),
      }),
      logger: { warn: (text: string) => warnings.push(text) },
      helpers: {
        httpRequest: async () => await Promise.resolve({ statusCode: 404, body: {} }),
        httpRequestWithAuthentication: async (_: string, options: never) =>
          await Promise.resolve(answer(options)),
      },
    };
    return await receiveWhileWaiting(context as unknown as IWebhookFunctions);
  };
  const outcomes = ({ workflowData }: IWebhookResponseData) =>
    workflowData?.[0].map(({ json, pairedItem }) => [json.id, json.outcome, json.final, pairedItem]);
  return { key, post, outcomes, questions, refusals, warnings };
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
  expect(broken.warnings).toEqual([expect.stringContaining('The credential is gone')]);
});

it('resumes once when callbacks come at the same time', async () => {
  const { post } = waiting();
  const answers = await Promise.all([1, 2, 3, 3, 2, 1].map(async (id) => await post(callback(id))));
  expect(answers.filter(({ workflowData }) => workflowData !== undefined)).toHaveLength(1);
  expect(answers.filter(({ webhookResponse }) => webhookResponse === undefined)).toEqual([]);
});

it('answers a check with what it is, and resumes when the gateway knows all outcomes', async () => {
  const statuses: Record<string, string> = { 1: 'DELIVERED' };
  const { key, post, outcomes, questions } = waiting({ statuses });
  expect(await post({ check: key })).toEqual({ webhookResponse: { waiting: true } });
  Object.assign(statuses, { 2: 'DELIVERED', 3: 'DELIVERED' });
  expect(outcomes(await post({ check: key }))?.map(([, outcome]) => outcome)).toEqual(
    Array.from({ length: 3 }, () => 'delivered'),
  );
  expect(questions).toEqual([[1, 2], [3], [2, 3]]);
});

it.each([false, true])(
  'resumes at the limit with what is known (gateway out of reach: %s)',
  async (broken) => {
    const { key, post, outcomes } = waiting({ statuses: { 2: 'SENT' }, broken });
    await post(callback(1));
    expect(outcomes(await post({ check: key, limit: true }))).toEqual([
      [1, 'delivered', true, { item: 0 }],
      [2, 'pending', false, { item: 1 }],
      [3, 'pending', false, { item: 2 }],
    ]);
  },
);

it.each([
  ['no callback', 400, { hello: 'world' }],
  ['a callback of another message', 404, callback(99)],
  ['the check of another wait', 410, { check: 'other', limit: true }],
])('refuses %s with %i and sleeps on', async (_, status, body) => {
  const { post, refusals, questions } = waiting({ statuses: { 1: 'DELIVERED', 2: 'READ', 3: 'READ' } });
  expect(await post(body)).toEqual({ noWebhookResponse: true });
  expect(refusals).toEqual([{ status, error: expect.stringMatching(/\w+ \w+/) }]);
  expect(questions).toEqual([]);
});

it('never throws, since n8n would go on with an empty item', async () => {
  const { post, refusals } = waiting({ items: null as never });
  expect(await post(callback(1))).toEqual({ noWebhookResponse: true });
  expect(refusals).toEqual([{ status: 503, error: expect.any(String) }]);
});
