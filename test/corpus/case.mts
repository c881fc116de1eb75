/** What all kinds of cases have in common; see README.md beside this file. */
export interface Case<Input = unknown, Right = unknown> {
  input: Input;
  /** What has to come of it; each file says what that is. */
  right: Right;
  /** Why that is right, or who writes such a thing, where the input doesn't say it. */
  why?: string;
  /** The public thread in which the fault was met, as `repository#number`. */
  source?: string;
}

/** The title of a case for `it.each`: its input as JSON, with invisible characters as escapes. */
const titleOf = ({ input, why }: Case): string => {
  const shown = JSON.stringify(input) ?? String(input);
  const plain = shown.replace(
    /\p{C}|\p{M}|(?! )\p{Z}/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return why === undefined ? plain : `${plain} (${why})`;
};

/** The cases as rows for `it.each('%s', (_, one) => ...)`. */
export const titled = <C extends Case>(cases: readonly C[]): Array<[title: string, one: C]> =>
  cases.map((one) => [titleOf(one), one]);
