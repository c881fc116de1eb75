/** Tables of the letters and signs that the GSM alphabet lacks: for each, what is sent in its place. */

type Replacements = Readonly<Record<string, string | undefined>>;

/** ICAO Doc 9303, part 3, "Transliteration of Cyrillic characters", without the exceptions for single languages. */
export const CYRILLIC: Replacements = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  ґ: 'g', // ghe with upturn
  д: 'd',
  ѓ: 'g', // gje
  ђ: 'd', // dje
  е: 'e',
  ё: 'e', // io
  є: 'ie', // ukrainian ie
  ж: 'zh',
  з: 'z',
  ѕ: 'dz', // dze
  и: 'i',
  і: 'i', // byelorussian-ukrainian i
  ї: 'i', // yi
  й: 'i',
  ј: 'j', // je
  к: 'k',
  ќ: 'k', // kje
  л: 'l',
  љ: 'lj', // lje
  м: 'm',
  н: 'n',
  њ: 'nj', // nje
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  ћ: 'c', // tshe
  у: 'u',
  ў: 'u', // short u
  ѫ: 'u', // big yus
  ф: 'f',
  х: 'kh',
  ц: 'ts',
  ч: 'ch',
  џ: 'dz', // dzhe
  ш: 'sh',
  щ: 'shch',
  ъ: 'ie',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'iu',
  я: 'ia',
  ѵ: 'y', // izhitsa
};

/** Where the table for Ukrainian differs (resolution No. 55 of the Cabinet of Ministers, 27 January 2010). */
export const UKRAINIAN: Replacements = {
  г: 'h',
  и: 'y',
};

/** The Ukrainian letters that differ again at the beginning of a word. */
export const UKRAINIAN_INITIAL: Replacements = {
  є: 'ye', // ukrainian ie
  ї: 'yi', // yi
  й: 'y',
  ю: 'yu',
  я: 'ya',
};

/** Latin letters that don't become the letter without its mark. */
export const LATIN: Replacements = {
  ő: 'ö', // readers of Hungarian take ö for ő
  ű: 'ü', // and ü for ű
  đ: 'd', // d with stroke
  ð: 'd', // eth
  ħ: 'h', // h with stroke
  ı: 'i', // dotless i
  ĸ: 'k', // kra
  ł: 'l', // l with stroke
  ŋ: 'n', // eng
  ŧ: 't', // t with stroke
  ə: 'e', // schwa
  ɓ: 'b', // b with hook
  ɗ: 'd', // d with hook
  ƙ: 'k', // k with hook
  œ: 'oe', // oe
  þ: 'th', // thorn
  ƒ: 'f', // f with hook
};

/** Greek capitals that look like Latin ones. */
export const GREEK: Replacements = {
  Α: 'A', // alpha
  Β: 'B', // beta
  Ε: 'E', // epsilon
  Ζ: 'Z', // zeta
  Η: 'H', // eta
  Ι: 'I', // iota
  Κ: 'K', // kappa
  Μ: 'M', // mu
  Ν: 'N', // nu
  Ο: 'O', // omicron
  Ρ: 'P', // rho
  Τ: 'T', // tau
  Υ: 'Y', // upsilon
  Χ: 'X', // chi
};

/** Signs of punctuation. */
export const SIGNS: Replacements = {
  '\u2018': "'", // ‘ left single quotation mark
  '\u2019': "'", // ’ right single quotation mark
  '\u201A': "'", // ‚ single low-9 quotation mark
  '\u201B': "'", // ‛ single high-reversed-9 quotation mark
  '\u2032': "'", // ′ prime
  '\u2039': "'", // ‹ single left-pointing angle quotation mark
  '\u203A': "'", // › single right-pointing angle quotation mark
  '\u02BC': "'", // ʼ modifier letter apostrophe
  '\u02B9': "'", // ʹ modifier letter prime
  '`': "'", // grave accent
  '\u00B4': "'", // ´ acute accent
  '\u275B': "'", // ❛ heavy single turned comma quotation mark ornament
  '\u275C': "'", // ❜ heavy single comma quotation mark ornament
  '\u201C': '"', // “ left double quotation mark
  '\u201D': '"', // ” right double quotation mark
  '\u201E': '"', // „ double low-9 quotation mark
  '\u201F': '"', // ‟ double high-reversed-9 quotation mark
  '\u2033': '"', // ″ double prime
  '\u00AB': '"', // « left-pointing double angle quotation mark
  '\u00BB': '"', // » right-pointing double angle quotation mark
  '\u02BA': '"', // ʺ modifier letter double prime
  '\u275D': '"', // ❝ heavy double turned comma quotation mark ornament
  '\u275E': '"', // ❞ heavy double comma quotation mark ornament
  '\u301D': '"', // 〝 reversed double prime quotation mark
  '\u301E': '"', // 〞 double prime quotation mark
  '\u301F': '"', // 〟 low double prime quotation mark
  '\u2010': '-', // ‐ hyphen
  '\u2011': '-', // ‑ non-breaking hyphen
  '\u2012': '-', // ‒ figure dash
  '\u2013': '-', // – en dash
  '\u2014': '-', // — em dash
  '\u2015': '-', // ― horizontal bar
  '\u2212': '-', // − minus sign
  '\u2022': '-', // • bullet
  '\u00B7': '-', // · middle dot
  '\u25AA': '-', // ▪ black small square
  '\u25AB': '-', // ▫ white small square
  '\u25CF': '-', // ● black circle
  '\u25CB': '-', // ○ white circle
  '\u25A0': '-', // ■ black square
  '\u25A1': '-', // □ white square
  '\u25E6': '-', // ◦ white bullet
  '\u2023': '-', // ‣ triangular bullet
  '\u2043': '-', // ⁃ hyphen bullet
  '\u2219': '-', // ∙ bullet operator
  '\u00F7': '/', // ÷ division sign
  '\u2044': '/', // ⁄ fraction slash
  '\u00AE': '(R)', // ® registered sign
  '\u00A9': '(C)', // © copyright sign
  '\u2122': '(TM)', // ™ trade mark sign
  '\u2026': '...', // … horizontal ellipsis
  '\u00D7': 'x', // × multiplication sign
  '\u2116': 'No.', // № numero sign
};
