import { adoption } from '../../../nodes/MessagingGateway/sleeping/bootstrap.ts';
import type { SelfAnswer } from '../../../nodes/MessagingGateway/sleeping/self-call.ts';
import {
  asSelfCall,
  readSelfAnswer,
  selfCaller,
} from '../../../nodes/MessagingGateway/sleeping/self-call.ts';

it.each<[SelfAnswer, number, unknown]>([
  ['asleep', 200, { sleeping: true }],
  ['over', 200, { sleeping: false }],
  ['over', 410, { error: 'The execution does not wait for this' }],
  ['running', 409, { code: 409, message: 'The execution "7" is running already.' }],
  ['over', 409, { code: 409, message: 'The execution "7 has finished already.' }],
  ['over', 409, { code: 409, message: 'The execution "7" has finished with error.' }],
  ['over', 404, { code: 404, message: 'The execution "7" does not exist.' }],
  [
    'over',
    404,
    {
      message:
        'The workflow for execution "7" does not contain a waiting webhook with a matching path/method.',
    },
  ],
  ['later', 404, { code: 404, message: 'The requested webhook "POST x" is not registered.' }],
  ['later', 200, 'ok'],
  ['later', 200, { ok: true }],
  ['later', 301, ''],
  ['later', 302, { sleeping: false }],
  ['later', 401, { error: 'Invalid token' }],
  ['later', 403, '<html>Forbidden</html>'],
  ['later', 404, '<html>Not Found</html>'],
  ['later', 410, '<html>Gone</html>'],
  ['later', 500, { message: 'Internal error' }],
  ['later', 502, '<html>'],
  ['later', 503, { code: 503, message: 'Database is not ready!' }],
])('takes as "%s" the answer %i %j', (meaning, status, body) => {
  expect(readSelfAnswer(status, body)).toBe(meaning);
});

it.each([
  [undefined],
  ['text'],
  [{}],
  [{ sleep: 'key' }],
  [{ sleep: 1, todo: 'adopt' }],
  [{ sleep: 'key', todo: 'constructor' }],
])('takes no call of its own in %j', (body) => {
  expect(asSelfCall(body)).toBeUndefined();
});

it('tries its addresses in turn until somebody answers who knows', async () => {
  const tried: string[] = [];
  const request = async ({ url }: { url: string }) => {
    tried.push(url);
    if (url === 'unreachable') throw new Error('ECONNREFUSED');
    return await Promise.resolve(
      url === 'proxy' ? { statusCode: 404, body: '<html>' } : { statusCode: 200, body: { sleeping: true } },
    );
  };
  const post = selfCaller(request as never, ['unreachable', 'proxy', 'n8n', 'never']);
  expect(await post({ sleep: 'key', todo: 'adopt' })).toBe('asleep');
  expect(tried).toEqual(['unreachable', 'proxy', 'n8n']);
  expect(await selfCaller(request as never, ['proxy'])({ sleep: 'key', todo: 'adopt' })).toBe('later');
});

describe('the call that has a sleep adopted', () => {
  beforeEach(() => jest.useFakeTimers({ now: 0 }));
  afterEach(() => jest.useRealTimers());

  /** Seconds at which the calls came. */
  async function calls(answer: (seconds: number) => SelfAnswer): Promise<number[]> {
    const times: number[] = [];
    let ended = false;
    const end = adoption('key', async (call) => {
      expect(call).toEqual({ sleep: 'key', todo: 'adopt' });
      times.push(Math.round(Date.now() / 1000));
      return await Promise.resolve(answer(times[times.length - 1]));
    }).then(() => (ended = true));
    for (let i = 0; i < 3000 && !ended; i++) await jest.advanceTimersByTimeAsync(1000);
    await end;
    return times;
  }

  it('comes a second after the node, once', async () => {
    expect(await calls(() => 'asleep')).toEqual([1]);
  });

  it('is repeated while the execution runs or n8n does not answer', async () => {
    expect(await calls((seconds) => (seconds < 3 ? 'running' : seconds < 15 ? 'later' : 'over'))).toEqual([
      1, 3, 7, 15,
    ]);
  });

  it('is given up in the end, so that the data of the execution is not kept', async () => {
    const times = await calls(() => 'later');
    expect(times.at(-1)).toBeLessThanOrEqual(900);
    expect(times.length).toBeLessThan(25);
  });
});
