/** What one process does with answers that come at once, before n8n has woken the execution for any of them. */
import { Readable } from 'node:stream';

import fc from '../../support/generated.mts';
import type { IDataObject } from 'n8n-workflow';

import { deriveQuestionKey, questionSecret } from '../../../nodes/gateway/keys/question.ts';
import type { Holder, SecretPurpose } from '../../../nodes/gateway/keys/question.ts';
import { receiveAnswer } from '../../../nodes/MessagingGateway/approval/answer.ts';
import { answerCall } from '../../../nodes/n8n/incoming-call.ts';
import { PAGE_TEXTS } from '../../../nodes/gateway/pages/question-page.ts';

const PHONES = [447700900001, 447700900002];

const API_KEY = 'key-of-the-account';

/** The secret of a holder of the question with this note. */
const secretOf = ({ key }: IDataObject, holder: Holder, purpose: SecretPurpose = 'open') =>
  questionSecret(deriveQuestionKey(API_KEY), String(key), holder, purpose);
const gatewayOf = (note: IDataObject) => ({ k: secretOf(note, 'gateway') });

const noteOf = (key: string): IDataObject => ({
  key,
  limitAt: Date.now() + 60_000,
  recipients: PHONES.map((phone, i) => ({ phone, id: i + 1 })),
  words: { approve: ['yes'], decline: ['no'] },
  question: {
    title: '',
    text: 'Pay?',
    from: 'Invoices',
    fields: [],
    choices: [
      { value: 'approve', label: 'Approve', style: 'primary' },
      { value: 'decline', label: 'Decline', style: 'secondary' },
    ],
    language: 'en',
    texts: PAGE_TEXTS,
  },
});

/** One call, as n8n hands it on, a buffer being a body of a type that n8n doesn't read; returns the status, the page, and what the execution would go on with. */
async function call(
  note: IDataObject,
  method: string,
  query: IDataObject,
  body: unknown = {},
  apiKey: string | Error = API_KEY,
  statuses: Record<number, string> = {},
) {
  const sent = { status: 200, page: '' };
  const response = {
    setHeader: () => response,
    status(code: number) {
      sent.status = code;
      return response;
    },
    send(page: string) {
      sent.page = page;
      return response;
    },
    json: (answer: object) => response.send(JSON.stringify(answer)),
  };
  const context = {
    getQueryData: () => query,
    getBodyData: () => (Buffer.isBuffer(body) ? {} : body),
    getTimezone: () => 'Europe/Kyiv',
    getNode: () => ({ id: 'ask', name: 'Ask' }),
    getCredentials: async () => {
      if (apiKey instanceof Error) throw apiKey;
      return await Promise.resolve({ apiKey, baseUrl: 'https://gateway.example.com' });
    },
    helpers: {
      httpRequestWithAuthentication: async (
        _: string,
        { body }: { body: { data: Array<{ id: number }> } },
      ) => {
        const data = body.data.map(({ id }) => ({ success: true, data: { id, status: statuses[id] } }));
        return await Promise.resolve({
          statusCode: 200,
          headers: { 'content-type': 'application/json' },
          body: Readable.from([Buffer.from(JSON.stringify({ success: true, data }))]),
        });
      },
    },
    logger: { warn: () => undefined, error: () => undefined },
    getRequestObject: () => ({ method, ...(Buffer.isBuffer(body) && { rawBody: body }) }),
    getResponseObject: () => response,
    evaluateExpression: (expression: string) =>
      expression.includes('$input') ? [{ json: { messages: [] }, pairedItem: { item: 0 } }] : note,
  };
  const { workflowData, webhookResponse } = await answerCall(context as never, receiveAnswer);
  const page = typeof webhookResponse === 'string' ? webhookResponse : sent.page;
  return { status: sent.status, page, woken: workflowData?.[0][0].json };
}

const press = async (note: IDataObject, recipient: number, choice: string) =>
  await call(
    note,
    'POST',
    { k: secretOf(note, PHONES[recipient]) },
    { token: secretOf(note, PHONES[recipient], 'form'), choice },
  );

it('wakes the execution for the first answer, and takes no other one meanwhile', async () => {
  const note = noteOf('first');
  const [first, second] = await Promise.all([press(note, 1, 'decline'), press(note, 0, 'approve')]);
  expect(first.woken).toMatchObject({ data: { approved: false }, by: 'link', decided_by: PHONES[1] });
  expect(first.page).toContain(PAGE_TEXTS.recordedText);
  expect(second).toMatchObject({ status: 409, woken: undefined });
  expect(second.page).toContain('The answer was not accepted');
  const opened = await call(note, 'GET', { k: secretOf(note, PHONES[0]) });
  expect([opened.status, opened.page.includes('<form')]).toEqual([200, true]);
});

it('has the gateway call again with a reply that comes while another answer wakes the execution', async () => {
  const note = noteOf('reply');
  const callback = { success: true, id: '2', replies: [{ message: 'Hm' }, { message: 'Yes!' }] };
  const replied = await call(note, 'POST', gatewayOf(note), callback);
  expect(replied.woken).toMatchObject({ data: { approved: true }, by: 'reply', decided_by: PHONES[1] });
  expect(await call(note, 'POST', gatewayOf(note), callback)).toMatchObject({
    status: 503,
    woken: undefined,
  });
  const delivered = { ...callback, replies: undefined };
  expect(await call(note, 'POST', gatewayOf(note), delivered)).toMatchObject({
    status: 200,
    woken: undefined,
  });
});

describe('a question whose messages all failed', () => {
  const FAILED = { 1: 'UNDELIVERABLE', 2: 'EXPIRED' };

  it.each<[string, string, unknown, Record<number, string>, boolean]>([
    ['by the call of another process, where status says so of all', 'GET', {}, FAILED, true],
    ['by no such call while one may arrive', 'GET', {}, { ...FAILED, 2: 'SENT' }, false],
    [
      'by the callback of the last, where status says so of the others',
      'POST',
      { 2: 'EXPIRED' },
      { 1: 'UNDELIVERABLE' },
      true,
    ],
    ['by no callback of one while another may arrive', 'POST', { 2: 'EXPIRED' }, { 1: 'SENT' }, false],
  ])('has its execution woken %s', async (name, method, reported, statuses, wakes) => {
    const note = { ...noteOf(name), type: 'sms' };
    const [[id, status] = []] = Object.entries(reported as object) as Array<[string, string]>;
    const body = method === 'GET' ? {} : { success: false, id, status };
    const { woken, status: code } = await call(note, method, gatewayOf(note), body, API_KEY, statuses);
    expect([code, woken]).toEqual([200, wakes ? { by: 'undelivered', messages: [] } : undefined]);
  });
});

it('lets another answer wake an execution that has not woken for ten seconds', async () => {
  const note = noteOf('slow');
  expect((await press(note, 0, 'approve')).woken).toBeDefined();
  const now = Date.now();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 9000);
  expect((await press(note, 1, 'decline')).status).toBe(409);
  clock.mockReturnValue(now + 10_000);
  expect((await press(note, 1, 'decline')).woken).toMatchObject({ data: { approved: false } });
  clock.mockRestore();
});

it('calls no question closed whose credential can not be read, such as a deleted one, and has the gateway call again', async () => {
  const deleted = new Error('Credential with ID "1" does not exist for type "messagingGatewayApi".');
  const note = noteOf('deleted');
  const opened = await call(note, 'GET', { k: secretOf(note, PHONES[0]) }, {}, deleted);
  expect(opened).toMatchObject({ status: 503, woken: undefined });
  expect(opened.page).not.toContain('no longer open');
  expect(opened.page).toContain('cannot be checked right now');
  expect(opened.page).toContain('API key of the sender was changed or removed');
  expect(opened.page).not.toContain('Credential with ID');
  const callback = { success: true, id: 1, replies: [{ message: 'yes' }] };
  expect(await call(note, 'POST', gatewayOf(note), callback, deleted)).toMatchObject({ status: 503 });
});

it('takes a reply in a callback without a content type, and refuses one of more than 1 MB', async () => {
  const callback = JSON.stringify({ success: true, id: 1, replies: [{ message: 'no' }] });
  const note = noteOf('untyped');
  const large = await call(note, 'POST', gatewayOf(note), Buffer.from(callback.padEnd(1_000_001)));
  expect(large).toMatchObject({ status: 413, woken: undefined });
  const replied = await call(note, 'POST', gatewayOf(note), Buffer.from(callback));
  expect(replied.woken).toMatchObject({ data: { approved: false }, by: 'reply', decided_by: PHONES[0] });
});

it('opens to the secret of one of the people who were asked, of this question, and to nothing else', async () => {
  const note = noteOf('secret');
  const [mine, theirs] = PHONES.map((phone) => secretOf(note, phone));
  const opened = async (query: IDataObject, apiKey?: string) => {
    const { status, page, woken } = await call(note, 'GET', query, {}, apiKey);
    expect([woken, page.includes('<form')]).toEqual([undefined, status === 200]);
    return status;
  };
  expect([await opened({ k: mine }), await opened({ k: theirs })]).toEqual([200, 200]);
  const others: IDataObject[] = [
    ...[
      {},
      { r: '0' },
      { k: '' },
      { k: [mine] },
      { k: { 0: mine } },
      { k: mine.slice(1) },
      { k: `${mine}=` },
    ],
    ...[
      { K: mine },
      { k: `${mine}\n` },
      { k: secretOf(note, PHONES[0], 'form') },
      { k: secretOf(noteOf('another question'), PHONES[0]) },
    ],
    ...[{ k: secretOf(note, 447700900003) }, { k: note.key }],
  ];
  for (const query of others) expect([query, await opened(query)]).toEqual([query, 410]);
  // With another key, or none, no link of a message that has left opens anything.
  for (const apiKey of ['another-key', ' ', '']) expect(await opened({ k: mine }, apiKey)).toBe(410);
});

it("takes no form with another page's token, of the same question too", async () => {
  const note = noteOf('token');
  const query = { k: secretOf(note, PHONES[0]) };
  for (const token of [
    note.key,
    secretOf(note, PHONES[1], 'form'),
    query.k,
    '',
    undefined,
    [secretOf(note, PHONES[0], 'form')],
  ]) {
    const { status, woken } = await call(note, 'POST', query, { token, choice: 'approve' });
    expect([token, status, woken]).toEqual([token, 403, undefined]);
  }
});

it('knows nothing of the sleep of another operation', async () => {
  const other = { key: 'wait', limitAt: Date.now() + 60_000 };
  expect(await call(other, 'GET', { k: secretOf(other, PHONES[0]) })).toMatchObject({ status: 410 });
});

it('takes any call, decides nothing by it, and never fails', async () => {
  const words = fc.constantFrom(
    ...['choice', 'token', 'data', 'approve', 'approved', 'replies', 'id', 'success', 'f0'],
  );
  const body = fc.oneof(
    fc.constant(undefined),
    fc.anything({ key: words, maxDepth: 3, withBigInt: false }),
    fc.dictionary(words, fc.oneof(words, fc.boolean(), fc.anything())),
  );
  const note = noteOf('any');
  const query = fc.dictionary(
    fc.constantFrom('k', 'x'),
    fc.oneof(
      fc.constantFrom(...PHONES.map((phone) => secretOf(note, phone)), gatewayOf(note).k),
      fc.anything(),
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'HEAD', 'PUT'),
      query,
      body,
      async (method, asked, sent) => {
        const { status, woken } = await call(note, method, asked as IDataObject, sent);
        expect(woken).toBeUndefined();
        expect(status).toBeLessThan(500);
      },
    ),
    { numRuns: 2000 },
  );
});
