/**
 * Characters that change how others are shown, or that are not shown at all: controls, marks of direction, blanks of no
 * width, separators of lines. A line feed and a tab are what they look like; U+FE0F only colours the emoji before it.
 */
const INVISIBLE = /(?!\n|\t|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Returns text with such characters written out, e.g. `[U+202E]`, so that it can't look like another text. */
export const visible = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(
      INVISIBLE,
      (character) => `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
    );
