import type { SelfAnswer } from '../../../nodes/MessagingGateway/suspend/self-call.ts';
import { asSelfCall, readSelfAnswer, selfCaller } from '../../../nodes/MessagingGateway/suspend/self-call.ts';

/** n8n's words don't matter. */
it.each<[SelfAnswer | 'gone', number, ...bodies: unknown[]]>([
  ['asleep', 200, { sleeping: true }],
  ['over', 200, { sleeping: false }],
  ['over', 410, { error: 'The execution does not wait for this' }],
  ['awake', 409, { code: 409, message: 'Die Ausführung wurde angehalten.' }],
  ['gone', 404, { code: 404, message: 'Keine Ahnung' }],
  ['unclear', 200, 'ok', null, { ok: true }],
  ['unclear', 302, { sleeping: false }],
  ['unclear', 401, { error: 'Invalid token' }],
  ['unclear', 404, '<html>Not Found</html>', { message: 'no Route matched with those values' }],
  ['unclear', 409, '<html>Conflict</html>'],
  ['unclear', 410, '<html>Gone</html>'],
  ['unclear', 503, { code: 503, message: 'Database is not ready!' }],
])('takes as "%s" an answer with HTTP %i and %j', (answer, status, ...bodies) => {
  for (const body of bodies) expect([body, readSelfAnswer(status, body)]).toEqual([body, answer]);
});

it.each([
  ...[undefined, 'text', {}, { sleep: 'key' }, { sleep: 1, todo: 'look' }],
  ...['adopt', 'constructor'].map((todo) => ({ sleep: 'key', todo })),
])('takes no call of its own in %j', (body) => expect(asSelfCall(body)).toBeUndefined());

describe('with several addresses', () => {
  const PUBLIC = 'https://n8n.example';
  const INSIDE = 'http://127.0.0.1:5678';

  /** Calls of an execution, of which each host answers in turn as it is told; the last answer is repeated. */
  function calling(answers: Record<string, unknown[]>, address = PUBLIC) {
    const tried: string[] = [];
    const warnings: string[] = [];
    const httpRequest = async ({ url, body }: { url: string; body: object }) => {
      const { origin, pathname, search } = new URL(url);
      expect([pathname + search, body]).toEqual(['/w/7?signature=secret/n', { sleep: 'key', todo: 'look' }]);
      tried.push(origin);
      const said = answers[origin].length > 1 ? answers[origin].shift() : answers[origin][0];
      if (said instanceof Error) throw said;
      return await Promise.resolve(said);
    };
    const context = {
      evaluateExpression: () => `${address}/w/7?signature=secret`,
      getNode: () => ({ id: 'n' }),
      getExecutionId: () => '7',
      logger: { warn: (text: string) => warnings.push(text) },
      helpers: { httpRequest },
    };
    const call = selfCaller(context as never, 'key');
    return { look: async () => await call('look'), tried, warnings };
  }
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const login = { statusCode: 401, body: '<html>' };
  const asleep = { statusCode: 200, body: { sleeping: true } };
  const gone = { statusCode: 404, body: { code: 404, message: 'The execution "7" does not exist.' } };

  it('tries them in turn until an answer is conclusive, and that one first from then on', async () => {
    const { look, tried, warnings } = calling({ [PUBLIC]: [login], [INSIDE]: [asleep] });
    expect([await look(), await look()]).toEqual(['asleep', 'asleep']);
    expect([tried, warnings]).toEqual([[PUBLIC, INSIDE, INSIDE], []]);
  });

  it('tries the port of a public address without encryption as well', async () => {
    const own = 'http://n8n.example:8080';
    const here = 'http://127.0.0.1:8080';
    const { look, tried } = calling({ [own]: [refused], [here]: [refused], [INSIDE]: [asleep] }, own);
    expect(await look()).toBe('asleep');
    expect(tried).toEqual([own, here, INSIDE]);
  });

  it('says once in the log why none leads to n8n, without the token', async () => {
    const { look, warnings } = calling({
      [PUBLIC]: [new Error('self-signed certificate'), login],
      [INSIDE]: [refused],
    });
    for (let i = 0; i < 3; i++) expect(await look()).toBe('unclear');
    expect(warnings).toEqual([
      expect.stringMatching(
        /execution 7: .*\(n8n\.example: self-signed certificate; 127\.0\.0\.1:5678: ECONNREFUSED\).*WEBHOOK_URL/,
      ),
    ]);
    expect(warnings[0]).not.toContain('secret');
  });

  it('does not believe an n8n that lacks the execution before it has tried the others', async () => {
    const another = calling({ [PUBLIC]: [gone], [INSIDE]: [asleep] });
    expect(await another.look()).toBe('asleep');
    const deleted = calling({ [PUBLIC]: [gone], [INSIDE]: [refused] });
    expect(await deleted.look()).toBe('awake');
    expect(deleted.warnings).toEqual([]);
  });
});
