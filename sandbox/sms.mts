/** How an SMS text is billed: GSM-7 160 septets alone and 153 each when joined, UCS-2 70 and 67 units. */

const GSM_BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const GSM_EXTENDED = new Set('\f^{}\\[~]|€');

/** How an SMS text is billed. */
interface SmsCount {
  encoding: 'GSM-7' | 'UCS-2';
  /** Septets, or UTF-16 units. */
  units: number;
  /** Parts billed, at least 1 for a text that is not empty. */
  parts: number;
  /** Units that fit into so many parts. */
  room: number;
}

/**
 * Counts an SMS text.
 * A character that needs two units (an extension character in GSM-7, a surrogate pair in UCS-2) is never cut
 * in two by the end of a part.
 */
export function smsCount(text: string): SmsCount {
  const gsm = isGsm(text);
  const [widthOf, single, joined] = gsm ? ([gsmWidth, 160, 153] as const) : ([ucsWidth, 70, 67] as const);
  const { total, count } = parts(text, widthOf, single, joined);
  const room = count > 1 ? count * joined : single;
  return { encoding: gsm ? 'GSM-7' : 'UCS-2', units: total, parts: count, room };
}

/** Message parts that an SMS text is billed as. */
export function smsParts(text: string): number {
  return smsCount(text).parts;
}

const ucsWidth = (character: string) => character.length;

const gsmWidth = (character: string) => (GSM_EXTENDED.has(character) ? 2 : 1);

function isGsm(text: string): boolean {
  for (const character of text) {
    if (!GSM_BASIC.has(character) && !GSM_EXTENDED.has(character)) return false;
  }
  return true;
}

function parts(
  text: string,
  widthOf: (character: string) => number,
  single: number,
  joined: number,
): { total: number; count: number } {
  let total = 0;
  let count = 1;
  let used = 0;
  for (const character of text) {
    const width = widthOf(character);
    total += width;
    if (used + width > joined) {
      count += 1;
      used = 0;
    }
    used += width;
  }
  if (total === 0) return { total, count: 0 };
  return { total, count: total <= single ? 1 : count };
}

const UNSENDABLE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\ufe0f\u20e3]/gu;

/** Whether nothing is left of a text once what an SMS cannot carry (emoji) is dropped. */
export function isEmptySms(text: string): boolean {
  return text.replace(UNSENDABLE, '').trim() === '';
}
