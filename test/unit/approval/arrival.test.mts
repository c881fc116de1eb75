/** What a process does about the messages of a question while its execution sleeps. */
import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import {
  fateOf,
  messagesOf,
  watchMessages,
  withReasons,
} from '../../../nodes/MessagingGateway/approval/arrival.ts';
import { endWatch, watches } from '../../../nodes/MessagingGateway/suspend/poller.ts';
import { streamed } from '../../support/streamed.mts';
import { pass, stopAbortTimers } from '../../support/virtual-time.mts';

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  stopAbortTimers();
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const DAY = 86_400_000;
const ADDRESS = 'https://n8n.example/webhook-waiting/7/ask?k=secret&signature=a1';

const noteOf = (key: string, people = 3, type: 'sms' | 'viber+sms' = 'sms') => ({
  ...{ key, type, limitAt: DAY },
  recipients: Array.from({ length: people }, (_, i) => ({
    ...{ phone: 447700900001 + i, id: i + 1, msg_id: 10 + i },
  })),
});

/** Watches a question. Returns the times in seconds at which it is asked about, and its calls. */
async function watched(note: ReturnType<typeof noteOf>, statusOf: (id: number) => string) {
  const asked: number[] = [];
  const calls: Array<Pick<IHttpRequestOptions, 'method' | 'url' | 'body'>> = [];
  const context = {
    getNode: () => ({ id: 'ask', name: 'Ask', credentials: {} }),
    getExecutionId: () => '7',
    getCredentials: async () =>
      await Promise.resolve({ apiKey: note.key, baseUrl: 'https://gateway.example' }),
    additionalData: {
      getRunExecutionData: async () => await Promise.reject(new Error('Database is not ready!')),
    },
    logger: { warn: () => undefined },
    helpers: {
      httpRequest: async ({ method, url, body }: IHttpRequestOptions) => {
        calls.push({ method, url, body });
        return await Promise.resolve({ statusCode: 200, body: { sleeping: false } });
      },
      httpRequestWithAuthentication: async (
        _: string,
        request: { body: { data: Array<{ id: number }> } },
      ) => {
        asked.push(Math.floor(Date.now() / 1000));
        const data = request.body.data.map(({ id }) => ({
          success: true,
          data: { id, status: statusOf(id) },
        }));
        return await Promise.resolve(
          streamed({ statusCode: 200, headers: {}, body: JSON.stringify({ success: true, data }) }),
        );
      },
    },
  };
  await watchMessages(context as unknown as IExecuteFunctions, note, ADDRESS);
  return { asked, calls };
}

it('calls the execution at its signed address within 15 s of the last failure, which nobody reported', async () => {
  const seen = await watched(noteOf('all'), () => (Date.now() < 40_000 ? 'PENDING' : 'UNDELIVERABLE'));
  await pass(55_000);
  expect(seen.calls).toEqual([{ method: 'GET', url: ADDRESS, body: undefined }]);
  expect(watches.has('all')).toBe(false);
});

it('asks no more once one message has arrived, and calls nobody', async () => {
  const seen = await watched(noteOf('one'), (id) => (id === 2 ? 'DELIVERED' : 'UNDELIVERABLE'));
  await pass(60_000);
  expect([seen, watches.has('one')]).toEqual([{ asked: [1], calls: [] }, false]);
});

it('waits on, and calls nobody at its limit, while one of three is open', async () => {
  const seen = await watched(noteOf('open'), (id) => (id === 2 ? 'SENT' : 'UNDELIVERABLE'));
  await pass(2 * DAY);
  expect([seen.calls, watches.has('open')]).toEqual([[], false]);
  expect(seen.asked.at(-1)).toBe(DAY / 1000 - 3);
});

it('asks no more once somebody has answered', async () => {
  const seen = await watched(noteOf('answered'), () => 'SENT');
  await pass(3000);
  endWatch('answered');
  await pass(60_000);
  expect(seen.asked).toEqual([1, 2]);
});

describe('what a process knows', () => {
  it('is what callbacks and status said, the later outcome of each message counting', () => {
    const messages = messagesOf(noteOf('known', 2));
    messages.takeAll([{ id: '1', success: false, status: 'UNDELIVERABLE' }]);
    expect(fateOf(messages)).toBe('open');
    messages.takeAll([{ id: 2, success: false, status: 'EXPIRED' }]);
    expect(fateOf(messages)).toBe('failed');
    messages.takeAll([{ id: 1, success: true, status: 'DELIVERED' }]);
    messages.takeAll([{ id: 1, success: false, status: 'UNDELIVERABLE' }]);
    expect(fateOf(messages)).toBe('arrived');
  });

  it('says nothing of a fallback whose first channel failed', () => {
    const messages = messagesOf(noteOf('fallback', 1, 'viber+sms'));
    messages.takeAll([{ id: 1, success: false, status: 'UNDELIVERABLE', type: 'viber' }]);
    expect(fateOf(messages)).toBe('open');
    messages.takeAll([{ id: 1, success: false, status: 'UNDELIVERABLE', type: 'sms' }]);
    expect(fateOf(messages)).toBe('failed');
  });

  it('is in the output without a link, and without any field that may hold one', () => {
    const messages = messagesOf(noteOf('quoted', 1));
    const link = `https://n8n.example.com/webhook-waiting/7/a?k=x&signature=${'a1'.repeat(32)}`;
    messages.takeAll([
      { id: 1, success: false, status: 'REJECTED', error: `Spam: ${link}`, text: link, msg_id: 10 },
    ]);
    const sent = { result: 'sent', id: 1, phone: 447700900001, type: 'sms', msg_id: 10 };
    expect(withReasons([sent], messages)).toEqual([
      {
        ...{ ...sent, outcome: 'failed', final: true, success: false, arrived: false, status: 'REJECTED' },
        error: `Spam: ${link.replace('a1'.repeat(32), '***')}`,
      },
    ]);
  });
});
