/** Full-width forms of ASCII, and the digits of Arabic and Persian. */
const OTHER_FORMS = /[\uff01-\uff5e\u0660-\u0669\u06f0-\u06f9]/g;
/** Marks that come along when a number is copied from a contact card or a web page. */
const INVISIBLE = /\p{Cf}/gu;
const ASCII = /^[\0-\x7f]*$/;

/** Returns text with full-width characters and the digits of Arabic and Persian as ASCII, without invisible marks. */
export const asciiForms = (text: string): string =>
  ASCII.test(text) ? text : text.replace(OTHER_FORMS, toAscii).replace(INVISIBLE, '');

function toAscii(character: string): string {
  const code = character.charCodeAt(0);
  // The digits of Arabic and Persian stand at 0x660 and 0x6f0, their value is in the last four bits.
  return code < 0x700 ? String(code & 15) : String.fromCharCode(code - 0xfee0);
}
