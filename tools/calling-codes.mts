/**
 * Writes the table of calling codes anew; needed after an update of libphonenumber-js.
 *
 * Usage: node tools/calling-codes.mts (Node 24)
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import metadata from 'libphonenumber-js/max/metadata';

import { ROOT } from './paths.mts';

/** The part of a numbering plan of libphonenumber-js that the table is made from; the rest stands between. */
type Plan = [
  callingCode: string,
  dialOutPrefix: unknown,

  /** A pattern that all national numbers match. */
  pattern: string,

  /** Of all types of numbers together; emergency numbers and short codes are not in this library. */
  possibleLengths: number[],
  formats: unknown,

  /** Digits that are dialled in front of a number at home; 0 where there are none. */
  trunkPrefix: string | 0,
  formattingRule: unknown,

  /** Pattern of digits in front of a number at home, such as the code of a carrier; 0 where these are the trunk prefix. */
  prefixes: string | 0,
  transformation: unknown,
  optionalPrefix: unknown,

  /** With which digits the national numbers of a region begin that shares its calling code; 0 where it isn't said. */
  leadingDigits: string | 0,
  types: Array<[pattern: string] | 0> | 0,
];

const HEADER = `// Generated from libphonenumber-js by \`node tools/calling-codes.mts\`; changes by hand are lost.

/** The numbers behind a calling code. */
interface CallingCode {
  /** What is dialled in front of these numbers inside the country, or was once, and not from abroad; left out for nothing. */
  trunk?: RegExp;

  /** How many digits may follow the calling code: those of all countries and types of numbers that share it. */
  lengths: readonly number[];

  /** A pattern of all these digits. */
  national: RegExp;

  /**
   * By ISO code, the main country first: a pattern of the first of these digits, of which the last country counts whose pattern fits;
   * null where no number shows that it is of the country.
   */
  countries: Readonly<Record<string, RegExp | null>>;
}

/** The numbers of the world, by calling code. No code is the beginning of another. */
`;

/**
 * Beginnings that tell regions of a calling code apart, where the library has long lists of numbers for that, or takes the
 * first region for which a number is valid. What isn't certain is left out; an empty one says that no number shows its region.
 */
const BEGINNINGS: Record<string, string> = {
  ...{ GB: '[127]', IT: '.', AU: '(?!8[59]1)', CC: '', CX: '', RE: '26|69|709', EH: '' },
  ...{ GP: '', BL: '', MF: '' },
};

/**
 * The table of calling codes that the reading of phone numbers needs (`nodes/gateway/numbers/numbering-plans.ts`),
 * from the metadata of the installed libphonenumber-js. Returns the file as it is committed.
 */
export function callingCodes(): string {
  const countries = Object.entries(metadata.country_calling_codes).map(([code, regions]) => {
    const plans = metadata.countries as unknown as Record<string, Plan>;
    return describe(
      code,
      regions.map((region) => [region, plans[region]]),
    );
  });
  const others = Object.values(metadata.nonGeographic as unknown as Record<string, Plan>).map((plan) =>
    describe(plan[0], [['', plan]]),
  );
  const entries = [...countries, ...others].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  return `${HEADER}export const CALLING_CODES: Readonly<Record<string, CallingCode>> = {\n${entries.join('')}};\n`;
}

/** The entry of a calling code. */
function describe(code: string, regions: Array<[region: string, plan: Plan]>): string {
  const [[, main]] = regions;
  const trunk = trunkOf(main);
  const lengths = [...new Set(regions.flatMap(([, plan]) => plan[3]))].sort((a, b) => a - b);
  return [
    `  ${code}: {`,
    ...(trunk === '' ? [] : [`    trunk: ${pattern(trunk)},`]),
    `    lengths: [${lengths.join(', ')}],`,
    nationalOf(main),
    ...countriesOf(regions),
    '  },\n',
  ].join('\n');
}

/** Characters of the longest line that Prettier leaves whole. */
const LONGEST_LINE = 110;

function nationalOf([, , numbers]: Plan): string {
  const line = `    national: ${pattern(numbers, '$')},`;
  return line.length > LONGEST_LINE ? line.replace(': ', ':\n      ') : line;
}

/** A pattern of the beginning of digits; with `$` as its end, of all digits. */
const pattern = (source: string, end = ''): string =>
  `/^${source.includes('|') ? `(?:${source})` : source}${end}/`;

/** The lines of the countries of a calling code. A country that has the code for itself has all its numbers. */
function countriesOf(regions: Array<[region: string, plan: Plan]>): string[] {
  const [[only]] = regions;
  if (only === '') return ['    countries: {},'];
  if (regions.length === 1) return [`    countries: { ${only}: /^/ },`];
  const lines = regions.map(([region, plan]) => {
    const digits = beginning(region, plan);
    return `      ${region}: ${digits === '' ? 'null' : pattern(digits)},`;
  });
  return ['    countries: {', ...lines, '    },'];
}

/**
 * Trunk prefixes by calling code that the library lacks. Seven digits of Gabon were dialled with a 0 that is the first of eight
 * now: what such digits stand for isn't certain. Mexico's 1 is no longer dialled, and still stands in address books.
 */
const TRUNKS: Record<string, string> = { 241: '0(?=\\d)', 52: '1' };

/** Prefixes of which a part belongs to the number or to a carrier are left to those who write numbers in full. */
const trunkOf = ([code, , , , , trunkPrefix, , prefixes]: Plan): string =>
  TRUNKS[code] ?? ((prefixes && !/\((?!\?)/.test(prefixes) ? prefixes : trunkPrefix) || '');

function beginning(region: string, plan: Plan): string {
  const [, , , , , , , , , , leadingDigits, types] = plan;
  const [fixedLine, mobile] = (types || []).map((type) => type && type[0]);
  return BEGINNINGS[region] ?? (leadingDigits || [fixedLine, mobile].filter(Boolean).join('|'));
}

if (import.meta.main) {
  await writeFile(join(ROOT, 'nodes/gateway/numbers/calling-codes.ts'), callingCodes());
}
