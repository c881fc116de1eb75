/** What people type in place of a code: the code as they write and paste it, another code, or what can't be one. */
import type { Random } from '../simulation/random.mts';

/** What somebody enters, by what it is; the number chooses how it is written. */
export interface Entry {
  what: 'right' | 'wrong' | 'noCode';
  writing: number;
}

type Writing = (code: string) => unknown;

const inDigitsFrom = (zero: number) => (code: string) =>
  String.fromCodePoint(...Array.from(code, (digit) => zero + Number(digit)));

const WRITINGS: readonly Writing[] = [
  (code) => code,
  (code) => ` ${code}\n`,
  (code) => `${code.slice(0, 2)} ${code.slice(2)}`,
  (code) => Array.from(code).join('-'),
  (code) => [...code],
  (code) => Array.from(code).map(Number),
  (code) => Number(code),
  (code) => `Your code is ${code}, for 5 minutes.`,
  (code) => `<#> ${code}`,
  inDigitsFrom(0x0660),
  inDigitsFrom(0x0966),
  inDigitsFrom(0xff10),
];

const NO_CODES: readonly Writing[] = [
  (code) => code.slice(1),
  (code) => `${code}0`,
  (code) => `${code} or ${another(code, 3)}`,
  (code) => [...code].slice(2),
  (code) => 10 ** code.length,
  () => 'Which code?',
  () => '-',
  () => true,
];

/** A code of the same length that isn't this one. */
const another = (code: string, by: number): string =>
  String((Number(code) + 1 + by) % 10 ** code.length).padStart(code.length, '0');

export const drawEntry = (random: Random, right: number, noCode: number): Entry => {
  const what = random.chance(noCode) ? 'noCode' : random.chance(right) ? 'right' : 'wrong';
  return { what, writing: random.between(0, (what === 'noCode' ? NO_CODES : WRITINGS).length - 1) };
};

/** What is typed by somebody whose code is `code`. */
export function typedFor(code: string, { what, writing }: Entry): unknown {
  if (what === 'noCode') return NO_CODES[writing](code);
  return WRITINGS[writing](what === 'right' ? code : another(code, writing));
}
