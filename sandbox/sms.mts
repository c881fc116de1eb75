/** How an SMS text is billed: GSM-7 160 septets alone and 153 each when joined, UCS-2 70 and 67 units. */

const GSM_BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const GSM_EXTENDED = new Set('\f^{}\\[~]|€');

/**
 * Counts the message parts of an SMS text.
 * A character that needs two units (an extension character in GSM-7, a surrogate pair in UCS-2) is never cut
 * in two by the end of a part.
 * @returns parts billed, at least 1 for a text that is not empty
 */
export function smsParts(text: string): number {
  const widths: number[] = [];
  let gsm = true;
  for (const character of text) {
    if (GSM_BASIC.has(character)) widths.push(1);
    else if (GSM_EXTENDED.has(character)) widths.push(2);
    else {
      gsm = false;
      break;
    }
  }
  if (gsm) return pack(widths, 160, 153);
  return pack(
    Array.from(text, (character) => character.length),
    70,
    67,
  );
}

function pack(widths: number[], single: number, joined: number): number {
  const total = widths.reduce((sum, width) => sum + width, 0);
  if (total === 0) return 0;
  if (total <= single) return 1;
  let parts = 1;
  let used = 0;
  for (const width of widths) {
    if (used + width > joined) {
      parts += 1;
      used = 0;
    }
    used += width;
  }
  return parts;
}

const UNSENDABLE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\ufe0f\u20e3]/gu;

/** Whether nothing is left of a text once what an SMS cannot carry (emoji) is dropped. */
export function isEmptySms(text: string): boolean {
  return text.replace(UNSENDABLE, '').trim() === '';
}
