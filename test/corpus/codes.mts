/**
 * One-time passwords as people type and paste them, and as forms hand them over. `input.typed` goes into 'Code' of Verify, for a
 * code of `input.length` digits. Right is the code that is compared, or undefined for what can't be one: that costs no attempt.
 */
import type { Case } from './case.mts';

interface CodeInput {
  typed: unknown;
  length: number;
}

type CodeCase = Case<CodeInput, string | undefined>;

const six = (typed: unknown): CodeInput => ({ typed, length: 6 });

export const CODES: readonly CodeCase[] = [
  // What comes along.
  ...['123456', ' 123456\n', '12 34-56 ', '123\u00a0456', '12\u201334\u221256', '123\u30fc456'].map(
    (typed): CodeCase => ({ input: six(typed), right: '123456', source: 'mozilla/fxa#2498' }),
  ),
  { input: six('123456.'), right: '123456', why: 'with its full stop', source: 'YacTeam/ohtipi#13' },
  ...['123.456', '123,456', '123_456', '1,2,3,4,5,6', '"123456"', '#123456', '<123456>', '(123)456'].map(
    (typed): CodeCase => ({ input: six(typed), right: '123456', source: 'jd1378/otphelper#5' }),
  ),
  { input: six('ABC-123456'), right: '123456', why: 'with the prefix of its sender' },
  { input: six('G-123456 is your code'), right: '123456' },
  { input: six('\u200e123456\u200f'), right: '123456' },

  // Other digits.
  { input: six('\uff11\uff12\uff13\uff14\uff15\uff16'), right: '123456', why: 'full width' },
  { input: six('\u0660\u0661\u0662\u0663\u0664\u0665'), right: '012345', why: 'Arabic' },
  { input: six('\u06f0\u06f1\u06f2\u06f3\u06f4\u06f5'), right: '012345', why: 'Persian' },
  { input: six('\u0967\u0968\u0969\u096a\u096b\u096c'), right: '123456', why: 'Devanagari' },
  { input: six('\u09e7\u09e8\u09e9\u09ea\u09eb\u09ec'), right: '123456', why: 'Bengali' },
  { input: six('\u0e51\u0e52\u0e53\u0e54\u0e55\u0e56'), right: '123456', why: 'Thai' },
  { input: six('\u1041\u1042\u1043\u1044\u1045\u1046'), right: '123456', why: 'Burmese' },
  { input: six('\u{1d7cf}\u{1d7d0}\u{1d7d1}\u{1d7d2}\u{1d7d3}\u{1d7d4}'), right: '123456', why: 'bold' },

  // A whole message.
  { input: six('Your code is 123456. It is valid for 5 minutes.'), right: '123456' },
  {
    input: six('Your code is 123456\n\n@shop.example #123456'),
    right: '123456',
    why: 'with the line from which browsers fill it in',
    source: 'WICG/sms-one-time-codes',
  },
  { input: six('123456 123456'), right: '123456', why: 'filled in twice', source: 'flutter/flutter#66797' },
  { input: six('Your codes are 123456 and 654321'), right: undefined, why: 'nobody knows which' },
  { input: six('Your code is 123 456, for 5 minutes'), right: undefined },

  // What forms and sheets hand over.
  {
    input: six(['1', '2', '3', '4', '5', '6']),
    right: '123456',
    why: 'a box for each digit',
    source: 'input-otp/input-otp#99',
  },
  { input: six([1, 2, 3, 4, 5, 6]), right: '123456' },
  { input: six(['123456']), right: '123456' },
  { input: six(12345), right: '012345', why: 'a number loses its zeros' },
  { input: { typed: 42, length: 4 }, right: '0042' },
  { input: six('123456.0'), right: '123456', why: 'a number in text' },
  { input: six('123456,00'), right: '123456' },
  { input: six('123456.000001'), right: undefined },
  { input: six('x 123456.000000'), right: undefined },
  { input: six('123456.000000 x'), right: undefined },
  { input: six(1234.56), right: undefined, why: 'a number with a fraction is no code' },
  { input: six(-123456), right: undefined },
  { input: six([['1', '2', '3'], '4', '5', '6']), right: undefined, why: 'a list in a list' },
  { input: { typed: '123456.0', length: 7 }, right: '1234560' },

  // What can't be a code.
  ...['12345', '1234567', '', 'code', '-', 'null', 1234567, ['1', '2'], {}].map(
    (typed): CodeCase => ({ input: six(typed), right: undefined }),
  ),
];
