import { beginningOf } from './characters';

/** A list such as `a, b or c`. */
export const joined = (names: readonly string[], word: 'and' | 'or'): string =>
  new Intl.ListFormat('en-GB', { type: word === 'and' ? 'conjunction' : 'disjunction' }).format(names);

export const capitalised = (phrase: string): string => phrase.charAt(0).toUpperCase() + phrase.slice(1);

/** A sentence as a clause: its first letter is small, unless more capitals follow. */
export const uncapitalised = (sentence: string): string =>
  sentence.replace(/^\p{Lu}(?=[\p{Ll} ])/u, (letter) => letter.toLowerCase());

/** A number of things, such as `1 hour` or `2 hours`; takes a noun whose plural ends in "s". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A time such as `90 seconds` or `60 minutes`; takes whole seconds. */
export const lengthOfTime = (seconds: number): string =>
  seconds < 120 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute');

const LONGEST_QUOTE = 500;

/** Characters of the text of which the quote is made: each run of white space becomes one blank, so that the quote may be shorter. */
const LOOKED_AT = 4 * LONGEST_QUOTE;

/** A text of a server in double quotes, on one line, verbatim up to 500 characters. */
export function quote(text: string): string {
  const trimmed = text.trim();
  const line = beginningOf(trimmed, LOOKED_AT).replace(/\s+/g, ' ');
  if (trimmed.length <= LOOKED_AT && line.length <= LONGEST_QUOTE) return `"${line}"`;
  return `"${beginningOf(line, LONGEST_QUOTE).trimEnd()}…"`;
}

/** Returns a failure with the words of a server about it; in quotes stands nothing that the server did not say. */
export const withReason = (what: string, text: string): string =>
  text.trim() === '' ? `${what} and gave no reason` : `${what}: ${quote(text)}`;
