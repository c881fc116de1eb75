/** What a process does about the messages of a question while its execution sleeps. */
import { endWatch, messagesOf, watchMessages } from '../../../nodes/MessagingGateway/approval/arrival.ts';
import type { ApprovalNote } from '../../../nodes/MessagingGateway/approval/output.ts';
import type { SelfAnswer } from '../../../nodes/MessagingGateway/suspend/self-call.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const timeout = new AbortController();
    setTimeout(() => timeout.abort(), ms);
    return timeout.signal;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const noteOf = (key: string, people = 3): ApprovalNote => ({
  key,
  limitAt: 86_400_000,
  type: 'sms',
  recipients: Array.from({ length: people }, (_, i) => ({
    phone: 447700900001 + i,
    id: i + 1,
    msg_id: 10 + i,
  })),
  question: {} as ApprovalNote['question'],
});

/** A watch, the times in seconds at which it asked and called, and what it warned of. */
function watched(
  note: ApprovalNote,
  {
    statusOf,
    answers = [],
    sleepsUntil = Infinity,
  }: { statusOf: (id: number) => string; answers?: SelfAnswer[]; sleepsUntil?: number },
) {
  const seen = { asked: [] as number[], called: [] as number[], warned: [] as string[] };
  const seconds = () => Date.now() / 1000;
  watchMessages(note, {
    transport: async (_, operations) => {
      seen.asked.push(seconds());
      const data = operations.map(({ id }) => ({
        success: true,
        data: { id, status: statusOf(Number(id)) },
      }));
      const body = JSON.stringify({ success: true, data });
      return await Promise.resolve({ kind: 'answer', status: 200, contentType: 'application/json', body });
    },
    sleepsOn: async () => await Promise.resolve(seconds() < sleepsUntil),
    callSelf: async () => {
      seen.called.push(seconds());
      return await Promise.resolve(answers.shift() ?? { is: 'over' });
    },
    warn: (reason) => seen.warned.push(reason),
  });
  return seen;
}

const pass = async (seconds: number) => await jest.advanceTimersByTimeAsync(1000 * seconds);

it('calls the execution within 15 s of the start where all messages failed in 7', async () => {
  const seen = watched(noteOf('all'), { statusOf: () => (Date.now() < 7000 ? 'PENDING' : 'UNDELIVERABLE') });
  await pass(86_400);
  expect(seen).toEqual({ asked: [1, 3, 7], called: [7], warned: [] });
});

it('asks no more once one message has arrived, and calls nobody', async () => {
  const seen = watched(noteOf('one'), { statusOf: (id) => (id === 2 ? 'DELIVERED' : 'UNDELIVERABLE') });
  await pass(86_400);
  expect(seen).toEqual({ asked: [1], called: [], warned: [] });
});

it('asks on, at most every ten minutes, while one of three is open, until the limit', async () => {
  const seen = watched(noteOf('open'), { statusOf: (id) => (id === 2 ? 'SENT' : 'UNDELIVERABLE') });
  await pass(2 * 86_400);
  expect(seen.called).toEqual([]);
  expect(seen.asked.slice(0, 10)).toEqual([1, 3, 7, 15, 31, 63, 127, 255, 511, 1023]);
  expect(seen.asked.at(-1)).toBeLessThan(86_400);
  expect(seen.asked.at(-1)).toBeGreaterThan(86_400 - 601);
});

it('asks no more, ten minutes later at most, about an execution that was stopped', async () => {
  const seen = watched(noteOf('stopped'), { statusOf: () => 'SENT', sleepsUntil: 1500 });
  await pass(86_400);
  expect(seen.asked.at(-1)).toBe(1023);
});

it('ends where somebody answers', async () => {
  const seen = watched(noteOf('answered'), { statusOf: () => 'SENT' });
  await pass(4);
  endWatch('answered');
  await pass(86_400);
  expect(seen.asked).toEqual([1, 3]);
});

it('calls again until n8n has saved the execution, and gives up, with one warning, where nothing answers', async () => {
  const statusOf = () => 'UNDELIVERABLE';
  const early = watched(noteOf('early'), { statusOf, answers: [{ is: 'awake' }, { is: 'asleep' }] });
  await pass(60);
  expect(early).toEqual({ asked: [1], called: [1, 3, 7], warned: [] });
  const nobody = Array.from(
    { length: 99 },
    (): SelfAnswer => ({ is: 'unreachable', reason: 'ECONNREFUSED' }),
  );
  const far = watched(noteOf('far'), { statusOf, answers: nobody });
  await pass(3600);
  expect([far.called.length, far.warned]).toEqual([30, ['ECONNREFUSED']]);
});

describe('what a process knows', () => {
  it('is what callbacks and status said, the later outcome of each message counting', () => {
    const messages = messagesOf(noteOf('known', 2));
    expect(messages.learn('1', { success: false, status: 'UNDELIVERABLE' })).toBe(true);
    expect(messages.fate).toBe('open');
    messages.learn(2, { success: false, status: 'EXPIRED' });
    expect(messages.fate).toBe('failed');
    messages.learn(1, { success: true, status: 'DELIVERED' });
    messages.learn(1, { success: false, status: 'UNDELIVERABLE' });
    expect(messages.fate).toBe('arrived');
  });

  it('says nothing of a fallback whose first channel failed', () => {
    const messages = messagesOf({ ...noteOf('fallback', 1), type: 'viber+sms' });
    expect(messages.learn(1, { success: false, status: 'UNDELIVERABLE', type: 'viber' })).toBe(false);
    expect(messages.fate).toBe('open');
    messages.learn(1, { success: false, status: 'UNDELIVERABLE', type: 'sms' });
    expect(messages.fate).toBe('failed');
  });

  it('is in the output without a link, and without any field that may hold one', () => {
    const messages = messagesOf(noteOf('quoted', 1));
    const link = `https://n8n.example.com/webhook-waiting/7/a?k=x&signature=${'a1'.repeat(32)}`;
    messages.learn(1, { success: false, status: 'REJECTED', error: `Spam: ${link}`, text: link, msg_id: 10 });
    const told = messages.withReports([
      { result: 'sent', id: 1, phone: 447700900001, type: 'sms', msg_id: 10 },
    ]);
    expect(told).toEqual([
      {
        ...{ result: 'sent', id: 1, phone: 447700900001, type: 'sms', msg_id: 10, outcome: 'failed' },
        ...{ final: true, success: false, arrived: false, status: 'REJECTED' },
        error: `Spam: ${link.replace('a1'.repeat(32), '***')}`,
      },
    ]);
  });
});
