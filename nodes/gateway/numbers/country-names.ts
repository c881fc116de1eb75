/** Languages in which the names of countries are understood; of a name that two countries share, the last one decides. */
const LANGUAGES = ['nl', 'hu', 'cs', 'ro', 'tr', 'it', 'pt', 'es', 'fr', 'de', 'pl', 'ru', 'uk', 'en'];

/** What people type for a country besides its name and its code of two letters. */
const OTHER_NAMES: Record<string, string> = {
  UK: 'GB',
  'Great Britain': 'GB',
  Britain: 'GB',
  England: 'GB',
  Scotland: 'GB',
  Wales: 'GB',
  'Northern Ireland': 'GB',
  USA: 'US',
  'United States of America': 'US',
  America: 'US',
  США: 'US',
  UAE: 'AE',
  Emirates: 'AE',
  KSA: 'SA',
  EL: 'GR',
  Holland: 'NL',
  'The Netherlands': 'NL',
  'Czech Republic': 'CZ',
  Turkey: 'TR',
  Macedonia: 'MK',
  'Ivory Coast': 'CI',
  'Cape Verde': 'CV',
  'Russian Federation': 'RU',
  Korea: 'KR',
  'Republic of Korea': 'KR',
  Congo: 'CG',
  Burma: 'MM',
  Swaziland: 'SZ',
  // Codes of three letters, of countries of which many type them.
  ...{ GBR: 'GB', UKR: 'UA', POL: 'PL', DEU: 'DE', FRA: 'FR', ESP: 'ES', ITA: 'IT', TUR: 'TR', KAZ: 'KZ' },
  ...{ RUS: 'RU', BLR: 'BY', MDA: 'MD', ROU: 'RO', CZE: 'CZ', SVK: 'SK', HUN: 'HU', LTU: 'LT', LVA: 'LV' },
  ...{ EST: 'EE', GEO: 'GE', ARM: 'AM', AZE: 'AZ', UZB: 'UZ', IND: 'IN', CHN: 'CN', BRA: 'BR', MEX: 'MX' },
  ...{ CAN: 'CA', AUS: 'AU', ARE: 'AE', SAU: 'SA', NGA: 'NG', ZAF: 'ZA', IDN: 'ID', PHL: 'PH', PRT: 'PT' },
};

/** Letters alone, without marks and case: "Côte d’Ivoire" is "COTEDIVOIRE". */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}]/gu, '')
    .toUpperCase();

let known: Map<string, string> | undefined;

/** Returns the ISO code of a country, of those that `codes` lists, by a name that people type for it; undefined for no name. */
export function isoOfName(name: string, codes: () => string[]): string | undefined {
  known ??= readNames(codes());
  return known.get(plain(name));
}

/** The names as JavaScript knows them, in all languages that the installed one has. */
function readNames(codes: string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    // Without its name, a country is found by its code.
    for (const iso of codes) names.set(plain(display.of(iso) ?? iso), iso);
  }
  for (const [name, iso] of Object.entries(OTHER_NAMES)) names.set(plain(name), iso);
  return names;
}
