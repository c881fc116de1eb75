/** Which numbers a spreadsheet may have shortened, by what it shows of them: six digits. */
import { looksRounded } from '../../../nodes/gateway/numbers/phone.ts';

it.each([
  [380501000000, true, 'what is left of 3.80501E+11'],
  [380501200000, false, 'a seventh digit'],
  [12345600000, true, 'what is left of 1.23456E+10'],
  [12345670000, false, 'a seventh digit'],
  [10000000000, true, 'what is left of 1E+10'],
  [4000000000, false, 'ten digits, all of which a spreadsheet shows'],
])('the number %d looks shortened: %s, it has %s', (phone, isRounded) =>
  expect(looksRounded(phone)).toBe(isRounded),
);
