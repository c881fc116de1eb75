/** What the approval reads: numbers, words, limits, and who calls. */
import fc from 'fast-check';

import {
  decisionOf,
  readAnswerLimit,
  readRecipients,
  readReplyWords,
} from '../../../nodes/MessagingGateway/approval/read.ts';
import {
  addressFor,
  callerOf,
  placeholderFor,
  withLink,
  withoutLink,
} from '../../../nodes/MessagingGateway/approval/link.ts';

const ONE = 447700900001;
const TWO = 447700900002;

it.each<[unknown, number[]]>([
  ['+44 7700 900001', [ONE]],
  [ONE, [ONE]],
  ['+44 7700 900001, +44 (0)7700 900002', [ONE, TWO]],
  ['447700900001;\n447700900002\n', [ONE, TWO]],
  [
    [String(ONE), TWO, [ONE]],
    [ONE, TWO],
  ],
])('reads the numbers of %j', (value, expected) => expect(readRecipients(value)).toEqual(expected));

it('refuses what holds no number, something else, or more than 50 of them', () => {
  const tooMany = Array.from({ length: 51 }, (_, i) => ONE + i);
  for (const value of ['', [], null, '447700900001, 12', { phone: 1 }, tooMany])
    expect(() => readRecipients(value)).toThrow("'Phone Number' must be one or several phone numbers");
});

describe('words', () => {
  const words = readReplyWords({ approveWords: 'Yes, OK ,👍', declineWords: ['no', 'Ні'] })!;

  it.each<[boolean | undefined, ...replies: string[]]>([
    [true, 'yes', ' YES!! ', 'ok.', '👍'],
    [false, 'No', 'ні'],
    [undefined, 'yes please', '', '.'],
  ])('decide %p by %j', (expected, ...replies) => {
    for (const reply of replies) expect([reply, decisionOf(reply, words)]).toEqual([reply, expected]);
  });

  it('are none, or differ', () => {
    expect(readReplyWords({})).toBeUndefined();
    expect(readReplyWords({ approveWords: 1 })).toEqual({ approve: ['1'], decline: [] });
    expect(readReplyWords({ approveWords: ' , ' })).toBeUndefined();
    expect(() => readReplyWords({ approveWords: 'ok', declineWords: 'OK!' })).toThrow(
      "'Decline by Reply' must be",
    );
    expect(() => readReplyWords({ approveWords: {} })).toThrow("'Approve by Reply' must be text");
  });
});

describe('the limit', () => {
  const at = (values: object) => readAnswerLimit({ limitWaitTime: { values } }, 1000);

  it.each([
    [{ resumeAmount: 1.5, resumeUnit: 'minutes' }, 91_000],
    [{ resumeAmount: '2' }, 7_201_000],
    [{ resumeAmount: 1, resumeUnit: 'days' }, 86_401_000],
    [{ limitType: 'atSpecifiedTime', maxDateAndTime: '1970-01-01T00:00:02Z' }, 2000],
  ])('%j is %i', (values, expected) => expect(at(values)).toBe(expected));

  it.each([
    [{ resumeAmount: 0 }, "'Amount' must be a number above 0"],
    [{ resumeUnit: 'years' }, "'Unit' must be"],
    [{ limitType: 'atSpecifiedTime', maxDateAndTime: 'soon' }, "'Max Date and Time' must be"],
    [{ limitType: 'atSpecifiedTime', maxDateAndTime: '1970-01-01T00:00:01Z' }, "'Max Date and Time' must be"],
  ])('refuses %j', (values, message) => expect(() => at(values)).toThrow(message));
});

describe('a link', () => {
  const context = {
    getSignedResumeUrl: (parameters: Record<string, string>) =>
      `https://n8n.example.com/webhook-waiting/5/node?${new URLSearchParams({ ...parameters, signature: 'a1'.repeat(32) }).toString()}`,
  } as never;
  const callers = fc.record({ run: fc.nat(5000), recipient: fc.option(fc.nat(49), { nil: undefined }) });

  it('is checked by n8n, by those versions too that have to be asked', () => {
    const asked: string[] = [];
    const older = {
      setSignatureValidationRequired: () => void asked.push('check'),
      getSignedResumeUrl: () => 'https://n8n.example.com/?signature=a',
    } as never;
    addressFor(older, { run: 0, recipient: 0 });
    expect(asked).toEqual(['check']);
  });

  it('tells who calls, each differently', () => {
    fc.assert(
      fc.property(callers, callers, (caller, other) => {
        const query = (one: typeof caller) =>
          Object.fromEntries(new URL(addressFor(context, one)).searchParams) as Record<string, string>;
        const { run, recipient } = caller;
        expect(callerOf(query(caller))).toEqual({ run, ...(recipient !== undefined && { recipient }) });
        const isSame = run === other.run && recipient === other.recipient;
        expect(addressFor(context, caller) === addressFor(context, other)).toBe(isSame);
      }),
    );
  });

  it('is as short as it can be for the only recipient, and has a stand-in of its length', () => {
    const link = addressFor(context, { run: 0, recipient: 0 });
    expect(new URL(link).search).toBe(`?signature=${'a1'.repeat(32)}`);
    const shown = placeholderFor(context, { run: 0, recipient: 0 });
    expect(shown).toHaveLength(link.length);
    expect(shown).not.toContain('a1');
  });

  it.each(['x', '-1', '1.x', '0.', 'g.g', '99999', '1e3', ''])('with r=%s is nobody', (r) => {
    expect(callerOf({ r })).toBeUndefined();
  });

  it('stands in the text where it is marked', () => {
    expect(withLink('A {link} B', 'L')).toBe('A L B');
    expect(withLink('A\n', 'L')).toBe('A L');
    expect(withLink('{link}', '$&')).toBe('$&');
    expect(withoutLink('A {link} B {link}')).toBe('A B');
  });
});
