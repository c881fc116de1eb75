/** The characters of the default alphabet, but for the escape. */
const GSM_BASIC = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  '@$_ !"#%&\'()*+,-./:;<=>?',
  '\n', // line feed
  '\r', // carriage return
  'Ä', // latin capital letter a with diaeresis
  'Å', // latin capital letter a with ring above
  'Æ', // latin capital letter ae
  'Ç', // latin capital letter c with cedilla
  'É', // latin capital letter e with acute
  'Ñ', // latin capital letter n with tilde
  'Ö', // latin capital letter o with diaeresis
  'Ø', // latin capital letter o with stroke
  'Ü', // latin capital letter u with diaeresis
  'ä', // latin small letter a with diaeresis
  'à', // latin small letter a with grave
  'å', // latin small letter a with ring above
  'æ', // latin small letter ae
  'é', // latin small letter e with acute
  'è', // latin small letter e with grave
  'ì', // latin small letter i with grave
  'ñ', // latin small letter n with tilde
  'ö', // latin small letter o with diaeresis
  'ò', // latin small letter o with grave
  'ø', // latin small letter o with stroke
  'ß', // latin small letter sharp s
  'ü', // latin small letter u with diaeresis
  'ù', // latin small letter u with grave
  'Δ', // greek capital letter delta
  'Γ', // greek capital letter gamma
  'Λ', // greek capital letter lamda
  'Ω', // greek capital letter omega
  'Φ', // greek capital letter phi
  'Π', // greek capital letter pi
  'Ψ', // greek capital letter psi
  'Σ', // greek capital letter sigma
  'Θ', // greek capital letter theta
  'Ξ', // greek capital letter xi
  '¤', // currency sign
  '¡', // inverted exclamation mark
  '¿', // inverted question mark
  '£', // pound sign
  '§', // section sign
  '¥', // yen sign
].join('');

/** The extension table; each character takes two units, the first of which is the escape. */
const GSM_EXTENSION = [
  '\f', // form feed
  '^', // circumflex accent
  '{', // left curly bracket
  '}', // right curly bracket
  '\\', // backslash
  '[', // left square bracket
  '~', // tilde
  ']', // right square bracket
  '|', // vertical line
  '€', // euro sign
];

type SmsEncoding = 'GSM-7' | 'UCS-2';

/** Units that fit in a message of one segment, and in each segment of a longer one. */
const SEGMENT_UNITS: Record<SmsEncoding, { single: number; several: number }> = {
  'GSM-7': { single: 160, several: 153 },
  'UCS-2': { single: 70, several: 67 },
};

interface SmsMeasure {
  encoding: SmsEncoding;

  /** Units of the text itself: septets in GSM-7, UTF-16 units in UCS-2. */
  units: number;

  /** Number of SMS that the text is billed as; 0 for empty text, which a gateway refuses. */
  segments: number;

  /** Units that fit in a segment of this message. */
  unitsPerSegment: number;

  /** Units that can be added in the same encoding before another segment begins. */
  unitsLeft: number;
}

// Units by UTF-16 code unit.
const GSM_UNITS = new Map<number, 1 | 2>([
  ...Array.from(GSM_BASIC, (character) => [character.charCodeAt(0), 1] as const),
  ...GSM_EXTENSION.map((character) => [character.charCodeAt(0), 2] as const),
]);

/**
 * Measures how an SMS is billed, by GSM 03.38 (3GPP TS 23.038) and the concatenation of TS 23.040. Takes its text as it
 * is sent. The encoding is GSM-7 where every character is in the default alphabet or its extension table, and UCS-2
 * otherwise. A character of two units (extension character, surrogate pair) is not split between segments; the unit that
 * stays free counts as used. National shift tables are not taken into account.
 */
export function measureSms(text: string): SmsMeasure {
  const sizes = gsmSizes(text);
  return sizes ? pack('GSM-7', sizes) : pack('UCS-2', ucs2Sizes(text));
}

/**
 * Returns the characters that the GSM alphabet lacks, where the SMS would be billed as fewer parts with letters of that alphabet in
 * their place; none where it wouldn't.
 */
export function costlyCharacters(text: string): string[] {
  const { segments } = measureSms(text);
  const characters = Array.from(text);
  const costly = characters.filter((character) => gsmSizes(character) === undefined);
  const plain = characters.map((character) => (gsmSizes(character) === undefined ? 'x' : character)).join('');
  return measureSms(plain).segments < segments ? [...new Set(costly)] : [];
}

/** Whether the default alphabet or its extension table has all characters of a text. */
export const isInGsm = (text: string): boolean => gsmSizes(text) !== undefined;

/** Units of each character; undefined where the alphabet lacks a character. */
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
  // A string iterates by code point; an unpaired surrogate counts as a code point.
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
