/** The parameters, and the fields on the wire, that hold what a recipient reads, sees or opens. */
const TEXT_NAME = /^(?:(?:viber|rcs|sms|whatsapp)_?)?(?:message|image|link|caption|(?:button|url)2?)$/i;

/** Whether a parameter, or a field on the wire, holds a text for a recipient, by its name. */
export const isTextName = (name: string): boolean => TEXT_NAME.test(name);

/** A text of an operation that a recipient reads, sees or opens. */
export interface SentText {
  /** The keys that lead from the operation to the text. */
  path: Array<string | number>;
  text: string;
}

/** Returns the first text of an operation, at any depth, of which `isMeant` is true. */
export function findText(value: object, isMeant: (text: string) => boolean): SentText | undefined {
  for (const key of Object.keys(value)) {
    const entry = (value as Record<string, unknown>)[key];
    const found =
      typeof entry === 'string'
        ? isTextName(key) && isMeant(entry) && { path: [], text: entry }
        : typeof entry === 'object' && entry !== null && findText(entry, isMeant);
    if (found) return { ...found, path: [Array.isArray(value) ? Number(key) : key, ...found.path] };
  }
  return undefined;
}

/** "null" counts as a whole text only: German and Norwegian have the word. */
const LEFTOVER = /\{\{[^]*?\}\}|\[object Object\]|Invalid DateTime|\b(?:undefined|NaN)\b|^\s*null\s*$/;

/** Returns what an expression left in a text in place of a value, or a placeholder that nothing filled in. */
export const leftoverIn = (text: string): string | undefined => LEFTOVER.exec(text)?.[0].trim();
