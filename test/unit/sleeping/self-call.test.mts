import { adoption } from '../../../nodes/MessagingGateway/sleeping/bootstrap.ts';
import type { SelfAnswer } from '../../../nodes/MessagingGateway/sleeping/self-call.ts';
import {
  asSelfCall,
  readSelfAnswer,
  selfCaller,
} from '../../../nodes/MessagingGateway/sleeping/self-call.ts';

const GONE = { code: 404, message: 'The execution "7" does not exist.' };

/** What an answer means before and after the execution was seen asleep at its address. */
it.each<[SelfAnswer | 'gone', SelfAnswer, number, unknown]>([
  ['asleep', 'asleep', 200, { sleeping: true }],
  ['over', 'over', 200, { sleeping: false }],
  ['over', 'over', 410, { error: 'The execution does not wait for this' }],
  ['running', 'over', 409, { code: 409, message: 'The execution "7" is running already.' }],
  ['over', 'over', 409, { code: 409, message: 'The execution "7 has finished already.' }],
  ['over', 'over', 409, { code: 409, message: 'The execution "7" has finished with error.' }],
  ['over', 'over', 409, { code: 409, message: 'Die Ausführung wurde angehalten.' }],
  ['gone', 'over', 404, GONE],
  [
    'over',
    'over',
    404,
    {
      message:
        'The workflow for execution "7" does not contain a waiting webhook with a matching path/method.',
    },
  ],
  ['later', 'over', 404, { code: 404, message: 'The requested webhook "POST x" is not registered.' }],
  ['later', 'later', 200, 'ok'],
  ['later', 'later', 200, { ok: true }],
  ['later', 'later', 301, ''],
  ['later', 'later', 302, { sleeping: false }],
  ['later', 'later', 401, { error: 'Invalid token' }],
  ['later', 'later', 403, '<html>Forbidden</html>'],
  ['later', 'later', 404, '<html>Not Found</html>'],
  ['later', 'later', 409, '<html>Conflict</html>'],
  ['later', 'later', 410, '<html>Gone</html>'],
  ['later', 'later', 500, { message: 'Internal error' }],
  ['later', 'later', 502, '<html>'],
  ['later', 'later', 503, { code: 503, message: 'Database is not ready!' }],
])('takes as "%s", and as "%s" once it was asleep, the answer %i %j', (before, after, status, body) => {
  expect(readSelfAnswer(status, body, false)).toBe(before);
  expect(readSelfAnswer(status, body, true)).toBe(after);
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

describe('with several addresses', () => {
  const PUBLIC = 'https://n8n.example/w?signature=secret';
  const INSIDE = 'http://127.0.0.1:5678/w?signature=secret';
  const call = { sleep: 'key', todo: 'look' } as const;

  /** Calls of an execution, of which each address answers in turn as it is told; the last answer is repeated. */
  function calling(answers: Record<string, unknown[]>) {
    const tried: string[] = [];
    const warnings: string[] = [];
    const request = async ({ url }: { url: string }) => {
      tried.push(url);
      const said = answers[url].length > 1 ? answers[url].shift() : answers[url][0];
      if (said instanceof Error) throw said;
      return await Promise.resolve(said);
    };
    const post = selfCaller(request as never, Object.keys(answers), (reasons) => warnings.push(reasons));
    return { post, tried, warnings };
  }
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const login = { statusCode: 401, body: '<html>' };
  const asleep = { statusCode: 200, body: { sleeping: true } };
  const gone = { statusCode: 404, body: GONE };

  it('tries them in turn until somebody answers who knows, and that one first from then on', async () => {
    const { post, tried, warnings } = calling({ [PUBLIC]: [login], [INSIDE]: [asleep], never: [refused] });
    expect(await post(call)).toBe('asleep');
    expect(await post(call)).toBe('asleep');
    expect(tried).toEqual([PUBLIC, INSIDE, INSIDE]);
    expect(warnings).toEqual([]);
  });

  it('warns once, with the reasons and without the token, where none leads to n8n', async () => {
    const { post, warnings } = calling({ [PUBLIC]: [new Error('self-signed certificate'), login], [INSIDE]: [refused] });
    for (let i = 0; i < 3; i++) expect(await post(call)).toBe('later');
    expect(warnings).toEqual(['n8n.example: self-signed certificate; 127.0.0.1:5678: ECONNREFUSED']);
  });

  it('does not believe an n8n that lacks the execution before it has tried the others', async () => {
    const another = calling({ [PUBLIC]: [gone], [INSIDE]: [asleep] });
    expect(await another.post(call)).toBe('asleep');
    const deleted = calling({ [PUBLIC]: [gone], [INSIDE]: [refused] });
    expect(await deleted.post(call)).toBe('over');
    expect(deleted.warnings).toEqual([]);
  });
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
