/** SMS encoding and segment counts by the GSM 03.38 alphabet (3GPP TS 23.038) and TS 23.040 concatenation. */

/** The 128 positions of the default alphabet, without the escape (position 27). */
const GSM_BASIC =
  '@£$¥èéùìòÇ\nØø\rÅå' +
  'Δ_ΦΓΛΩΠΨΣΘΞÆæßÉ' +
  ' !"#¤%&\'()*+,-./' +
  '0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** The extension table: each of these is the escape and a second unit. */
const GSM_EXTENSION = '\f^{}\\[~]|€';

export type SmsEncoding = 'GSM-7' | 'UCS-2';

/** Units of a message that fits in one segment, and of each segment of a longer one. */
const SEGMENT_UNITS: Record<SmsEncoding, { single: number; several: number }> = {
  'GSM-7': { single: 160, several: 153 },
  'UCS-2': { single: 70, several: 67 },
};

export interface SmsMeasure {
  encoding: SmsEncoding;
  /** Units of the text itself: septets in GSM-7, UTF-16 units in UCS-2. */
  units: number;
  /** SMS that the text is billed as; 0 for an empty text, which a gateway refuses. */
  segments: number;
  /** Units that a segment of this message holds. */
  unitsPerSegment: number;
  /** Units that can be added, in the same encoding, before one more segment begins. */
  unitsLeft: number;
}

// Units by UTF-16 code, so that measuring is a look-up and no search.
const GSM_UNITS = new Map<number, 1 | 2>([
  ...Array.from(GSM_BASIC, (character) => [character.charCodeAt(0), 1] as const),
  ...Array.from(GSM_EXTENSION, (character) => [character.charCodeAt(0), 2] as const),
]);

/**
 * Measures what an SMS text is billed as.
 *
 * GSM-7 where every character is in the default alphabet or its extension table, UCS-2 otherwise. A character of
 * two units (extension character, surrogate pair) is not split over two segments; the unit that stays free
 * counts as used up in `segments`. National shift tables are not taken into account.
 *
 * @param text the text as it is sent
 */
export function measureSms(text: string): SmsMeasure {
  const sizes = gsmSizes(text);
  return sizes ? pack('GSM-7', sizes) : pack('UCS-2', ucs2Sizes(text));
}

/** Units of each character, or undefined where the alphabet lacks one. */
function gsmSizes(text: string): number[] | undefined {
  const sizes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const size = GSM_UNITS.get(text.charCodeAt(i));
    if (size === undefined) return undefined;
    sizes.push(size);
  }
  return sizes;
}

function ucs2Sizes(text: string): number[] {
  // A string iterates by code points; half a surrogate pair comes alone.
  return Array.from(text, (character) => character.length);
}

function pack(encoding: SmsEncoding, sizes: number[]): SmsMeasure {
  const { single, several } = SEGMENT_UNITS[encoding];
  const units = sizes.reduce((sum, size) => sum + size, 0);
  if (units <= single) {
    return {
      encoding,
      units,
      segments: units === 0 ? 0 : 1,
      unitsPerSegment: single,
      unitsLeft: single - units,
    };
  }
  let segments = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > several) {
      segments += 1;
      used = 0;
    }
    used += size;
  }
  return { encoding, units, segments, unitsPerSegment: several, unitsLeft: several - used };
}
