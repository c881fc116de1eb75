/** What one process does with answers that come at once, before n8n has woken the execution for any of them. */
import fc from 'fast-check';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { receiveAnswer } from '../../../nodes/MessagingGateway/approval/answer.ts';
import { PAGE_TEXTS } from '../../../nodes/gateway/pages/question-page.ts';

const PHONES = [447700900001, 447700900002];

const noteOf = (key: string): IDataObject => ({
  key,
  limitAt: Date.now() + 60_000,
  run: 0,
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
async function call(note: IDataObject, method: string, query: IDataObject, body: unknown = {}) {
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
    getNode: () => ({ name: 'Ask' }),
    getRequestObject: () => ({ method, ...(Buffer.isBuffer(body) && { rawBody: body }) }),
    getResponseObject: () => response,
    evaluateExpression: (expression: string) =>
      expression.includes('$input') ? [{ json: { messages: [] }, pairedItem: { item: 0 } }] : note,
  };
  const { workflowData, webhookResponse } = await receiveAnswer(context as unknown as IWebhookFunctions);
  const page = typeof webhookResponse === 'string' ? webhookResponse : sent.page;
  return { status: sent.status, page, woken: workflowData?.[0][0].json };
}

const press = async (note: IDataObject, recipient: number, choice: string) =>
  await call(note, 'POST', recipient === 0 ? {} : { r: String(recipient) }, { token: note.key, choice });

it('wakes the execution for the first answer, and tells the others who decided what', async () => {
  const note = noteOf('first');
  const [first, second] = await Promise.all([press(note, 1, 'decline'), press(note, 0, 'approve')]);
  expect(first.woken).toMatchObject({ data: { approved: false }, by: 'link', decided_by: PHONES[1] });
  expect(first.page).toContain(PAGE_TEXTS.recordedText);
  expect(second).toMatchObject({ status: 409, woken: undefined });
  expect(second.page).toContain('number ending in 0002');
  expect(second.page).toContain('<strong>Decline</strong>');
  const opened = await call(note, 'GET', {});
  expect([opened.status, opened.page]).toEqual([200, second.page]);
  const callback = { success: true, id: 1, replies: [{ message: 'yes' }] };
  expect((await call(note, 'POST', { r: 'g' }, callback)).woken).toBeUndefined();
});

it('wakes it for the first reply too', async () => {
  const note = noteOf('reply');
  const callback = { success: true, id: '2', replies: [{ message: 'Hm' }, { message: 'Yes!' }] };
  const replied = await call(note, 'POST', { r: 'g' }, callback);
  expect(replied.woken).toMatchObject({ data: { approved: true }, by: 'reply', decided_by: PHONES[1] });
  expect((await press(note, 0, 'decline')).page).toContain('number ending in 0002');
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

it('takes a reply in a callback without a content type, and refuses one of more than 1 MB', async () => {
  const callback = JSON.stringify({ success: true, id: 1, replies: [{ message: 'no' }] });
  const large = await call(noteOf('large'), 'POST', { r: 'g' }, Buffer.from(callback.padEnd(1_000_001)));
  expect(large).toMatchObject({ status: 413, woken: undefined });
  const replied = await call(noteOf('untyped'), 'POST', { r: 'g' }, Buffer.from(callback));
  expect(replied.woken).toMatchObject({ data: { approved: false }, by: 'reply', decided_by: PHONES[0] });
});

it.each([['7'], ['0.1'], [['0']], [null]])('knows no recipient %j', async (r) => {
  const answer = await call(noteOf('unknown'), 'GET', { r });
  expect(answer).toMatchObject({ status: 410, woken: undefined });
});

it('knows nothing of the sleep of another operation', async () => {
  const other = { key: 'wait', limitAt: Date.now() + 60_000 };
  expect(await call(other, 'GET', {})).toMatchObject({ status: 410 });
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
  const query = fc.dictionary(
    fc.constantFrom('r', 'x'),
    fc.oneof(fc.constantFrom('g', '0', '1', 'g.1'), fc.anything()),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'HEAD', 'PUT'),
      query,
      body,
      async (method, asked, sent) => {
        const { status, woken } = await call(noteOf('any'), method, asked as IDataObject, sent);
        expect(woken).toBeUndefined();
        expect(status).toBeLessThan(500);
      },
    ),
    { numRuns: 2000 },
  );
});
