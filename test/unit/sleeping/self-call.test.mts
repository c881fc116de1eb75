import type { SelfAnswer } from '../../../nodes/MessagingGateway/sleeping/self-call.ts';
import {
  asSelfCall,
  readSelfAnswer,
  selfCaller,
} from '../../../nodes/MessagingGateway/sleeping/self-call.ts';

const GONE = { code: 404, message: 'The execution "7" does not exist.' };

/** What an answer means before and after the execution was seen asleep at its address; n8n's words don't matter. */
it.each<[SelfAnswer | 'gone', SelfAnswer, number, unknown]>([
  ['asleep', 'asleep', 200, { sleeping: true }],
  ['over', 'over', 200, { sleeping: false }],
  ['over', 'over', 410, { error: 'The execution does not wait for this' }],
  ['awake', 'over', 409, { code: 409, message: 'The execution "7" is running already.' }],
  ['awake', 'over', 409, { code: 409, message: 'Die Ausführung wurde angehalten.' }],
  ['gone', 'over', 404, GONE],
  ['gone', 'over', 404, { code: 404, message: 'Keine Ahnung' }],
  ['unclear', 'unclear', 200, 'ok'],
  ['unclear', 'unclear', 200, null],
  ['unclear', 'unclear', 200, { ok: true }],
  ['unclear', 'unclear', 301, ''],
  ['unclear', 'unclear', 302, { sleeping: false }],
  ['unclear', 'unclear', 401, { error: 'Invalid token' }],
  ['unclear', 'unclear', 403, '<html>Forbidden</html>'],
  ['unclear', 'unclear', 404, '<html>Not Found</html>'],
  ['unclear', 'unclear', 404, { message: 'no Route matched with those values' }],
  ['unclear', 'unclear', 409, '<html>Conflict</html>'],
  ['unclear', 'unclear', 410, '<html>Gone</html>'],
  ['unclear', 'unclear', 500, { message: 'Internal error' }],
  ['unclear', 'unclear', 502, '<html>'],
  ['unclear', 'unclear', 503, { code: 503, message: 'Database is not ready!' }],
])('takes as "%s", and as "%s" once it was asleep, the answer %i %j', (before, after, status, body) => {
  expect(readSelfAnswer(status, body, false)).toBe(before);
  expect(readSelfAnswer(status, body, true)).toBe(after);
});

it.each([
  [undefined],
  ['text'],
  [{}],
  [{ sleep: 'key' }],
  [{ sleep: 1, todo: 'look' }],
  [{ sleep: 'key', todo: 'adopt' }],
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

  it('tries them in turn until an answer is conclusive, and that one first from then on', async () => {
    const { post, tried, warnings } = calling({ [PUBLIC]: [login], [INSIDE]: [asleep], never: [refused] });
    expect(await post(call)).toBe('asleep');
    expect(await post(call)).toBe('asleep');
    expect(tried).toEqual([PUBLIC, INSIDE, INSIDE]);
    expect(warnings).toEqual([]);
  });

  it('warns once, with the reasons and without the token, where none leads to n8n', async () => {
    const { post, warnings } = calling({ [PUBLIC]: [new Error('self-signed certificate'), login], [INSIDE]: [refused] });
    for (let i = 0; i < 3; i++) expect(await post(call)).toBe('unclear');
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
