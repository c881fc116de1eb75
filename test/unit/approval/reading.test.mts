/** What the approval reads: numbers, words, limits, and who calls. */
import { randomUUID } from 'node:crypto';

import fc from '../../support/generated.mts';

import { fittingText, withLink, withoutLink } from '../../../nodes/MessagingGateway/approval/message-text.ts';
import { readPhones } from '../../../nodes/MessagingGateway/approval/plan.ts';
import { decisionOf, readReplyWords } from '../../../nodes/MessagingGateway/approval/reply-words.ts';
import { readLimit } from '../../../nodes/MessagingGateway/approval/wait-limit.ts';
import { deriveQuestionKey, holderOf } from '../../../nodes/gateway/keys/question.ts';
import { measureSms } from '../../../nodes/gateway/sms/segments.ts';
import { linkMaker } from '../../../nodes/MessagingGateway/approval/ask.ts';

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
])('reads the numbers of %j', (value, expected) => expect(readPhones(value)).toEqual(expected));

it('refuses what holds no number, something else, or more than 50 of them', () => {
  const tooMany = Array.from({ length: 51 }, (_, i) => ONE + i);
  for (const value of ['', [], null, '447700900001, 12', { phone: 1 }, tooMany])
    expect(() => readPhones(value)).toThrow("'Phone Number' must be one or several phone numbers");
});

describe('words', () => {
  const words = readReplyWords({ approveWords: 'Yes, OK ,👍', declineWords: ['no', 'Ні'] })!;

  it.each<[string | undefined, ...replies: string[]]>([
    ['approve', 'yes', ' YES!! ', 'ok.', '👍', 'Yes 👍'],
    ['decline', 'No', 'ні'],
    [undefined, 'yes please', '', '.', `yes${' '.repeat(98)}`],
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
    for (const entry of ['y'.repeat(101), '\u200b'])
      expect(() => readReplyWords({ approveWords: entry })).toThrow(
        "'Approve by Reply' must be words of 1 to 100",
      );
    expect(readReplyWords({ approveWords: '+1', declineWords: '-1' })).toEqual({
      approve: ['+1'],
      decline: ['1'],
    });
    expect(() => readReplyWords({ approveWords: {} })).toThrow("'Approve by Reply' must be text");
  });
});

describe('the limit', () => {
  const at = (values: object) => readLimit({ limitWaitTime: { values } }, 1000, 'Europe/Kyiv');

  it.each([
    [{ resumeAmount: 1.5, resumeUnit: 'minutes' }, 91_000],
    [{ resumeAmount: '2' }, 7_201_000],
    [{ resumeAmount: 1, resumeUnit: 'days' }, 86_401_000],
    [{ limitType: 'atSpecifiedTime', maxDateAndTime: '1970-01-01T00:00:02Z' }, 2000],
    [{ limitType: 'atSpecifiedTime', maxDateAndTime: '2027-01-15T12:00:00' }, Date.UTC(2027, 0, 15, 10)],
    [{ limitType: 'atSpecifiedTime', maxDateAndTime: '2027-07-15 12:00:00' }, Date.UTC(2027, 6, 15, 9)],
    [{ limitType: 'atSpecifiedTime', maxDateAndTime: '2027-01-15T12:00:00+05:00' }, Date.UTC(2027, 0, 15, 7)],
    [{ limitType: 'atSpecifiedTime', maxDateAndTime: new Date(5000) }, 5000],
  ])('the values %j give the limit %i', (values, expected) => expect(at(values)).toBe(expected));

  it.each([
    [{ resumeAmount: 0 }, "'Amount' must be a number above 0"],
    [{ resumeUnit: 'years' }, "'Unit' must be"],
    [{ limitType: 'atSpecifiedTime', maxDateAndTime: 'soon' }, "'Max Date and Time' must be"],
    [{ limitType: 'atSpecifiedTime', maxDateAndTime: '1970-01-01T00:00:01Z' }, "'Max Date and Time' must be"],
  ])('the values %j are refused with their label', (values, message) =>
    expect(() => at(values)).toThrow(message),
  );
});

describe('a link', () => {
  const context = {
    getSignedResumeUrl: (parameters: Record<string, string>) =>
      `https://n8n.example.com/webhook-waiting/5/node?${new URLSearchParams({ ...parameters, signature: 'a1'.repeat(32) }).toString()}`,
  } as never;
  const key = deriveQuestionKey('key');
  const questions = fc.constantFrom(...Array.from({ length: 9 }, () => randomUUID()));

  it('is checked by n8n, by those versions too that have to be asked', () => {
    const asked: string[] = [];
    const older = {
      setSignatureValidationRequired: () => void asked.push('check'),
      getSignedResumeUrl: () => 'https://n8n.example.com/?signature=a',
    } as never;
    linkMaker(older, key, randomUUID())(ONE);
    expect(asked).toEqual(['check']);
  });

  it('tells who calls, of this question alone', () => {
    fc.assert(
      fc.property(
        questions,
        questions,
        fc.constantFrom<0 | 1 | 'gateway'>(0, 1, 'gateway'),
        (one, other, who) => {
          const phones = [ONE, TWO];
          const holder = who === 'gateway' ? who : phones[who];
          const { address } = linkMaker(context, key, one)(holder);
          const query = Object.fromEntries(new URL(address).searchParams);
          expect(holderOf(key, other, phones, query)).toBe(one === other ? holder : undefined);
        },
      ),
    );
  });

  it('is the same in every try, and names all that has to be masked in it', () => {
    const linkOf = linkMaker(context, key, randomUUID());
    const link = linkOf(ONE);
    expect(link).toEqual(linkOf(ONE));
    expect(new URL(link.address).search).toMatch(/^\?k=[\w-]{16}&signature=(a1){32}$/);
    const { k, signature } = Object.fromEntries(new URL(link.address).searchParams);
    expect(link.secrets.sort()).toEqual([k, signature].sort());
  });

  it('stands once in the text, at the first mark, and apart from what stands behind it', () => {
    expect(withLink('A {link} B', 'L')).toBe('A L B');
    expect(withLink('A ({link}).', 'L')).toBe('A (L ).');
    expect(withLink('A: {link} , B', 'L')).toBe('A: L , B');
    expect(withLink('{link}。はい', 'L')).toBe('L 。はい');
    expect(withLink('{link}または', 'L')).toBe('L または');
    expect(withLink('{link}\nB', 'L')).toBe('L\nB');
    expect(withLink('A\n', 'L')).toBe('A L');
    expect(withLink('{link} and {link}', '$&')).toBe('$& and ');
    expect(withLink('', 'L')).toBe('L');
    expect(withoutLink('A {link} B {link}')).toBe('A B');
  });
});

describe('the text of a message', () => {
  const LINK = `https://n8n.example.com/webhook-waiting/12345/${'x'.repeat(130)}`;

  it('is what the author wrote where that fits in four SMS with the link', () => {
    expect(fittingText('Pay? {link} Thanks', LINK)).toBe('Pay? {link} Thanks');
  });

  it('fits in four SMS, whatever its length and letters, with one link that is whole', () => {
    const texts = fc.array(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 900 }), fc.constantFrom('{link}', '{lin')),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(texts, fc.constantFrom('', 'я'.repeat(20_000), '😀'.repeat(700)), (parts, more) => {
        const text = [...parts, more].join('');
        const cut = fittingText(text, LINK);
        const sent = withLink(cut, LINK);
        expect(measureSms(sent).segments).toBeLessThanOrEqual(4);
        expect(sent.split(LINK)).toHaveLength(2);
        expect(cut === '' || cut === text || cut.endsWith('...')).toBe(true);
      }),
    );
  });

  it('has the room that a short link leaves, and 1,000 characters where no SMS is sent', () => {
    const text = 'я'.repeat(150);
    expect(fittingText(text, 'x'.repeat(110))).toBe(text);
    expect(fittingText(text, LINK)).not.toBe(text);
    expect(fittingText('я'.repeat(3000), undefined)).toHaveLength(1000);
  });
});
