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

const HEADER = `/**
 * Each calling code, and in the same line, with blanks between:
 *
 * - what isn't dialled from abroad, but inside the country or in former times, in front of numbers, a regular expression; - where
 *   that is nothing
 * - how many digits may follow the calling code: those of all regions and types of numbers that share it
 * - a regular expression that these digits match, the national number
 * - its countries, the main one first. Where several share it, with the beginnings of their numbers, which hold in the
 *   order from the last country to the first; without any, the number doesn't show its country
 *
 * Generated from libphonenumber-js by \`node tools/calling-codes.mts\`; changes by hand are lost.
 */
`;

/**
 * Beginnings that tell regions of a calling code apart, where the library has long lists of numbers for that, or takes the
 * first region for which a number is valid. What isn't certain is left out; an empty one leaves the region out.
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
  const lines = [...countries, ...others].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  return `${HEADER}export const CALLING_CODES = String.raw\`\n${lines.join('\n')}\n\`;\n`;
}

/** The line of a calling code, such as "7 8 10,14 8\d{13}|[347-9]\d{9} RU=[3489] KZ=7". */
function describe(code: string, regions: Array<[region: string, plan: Plan]>): string {
  const [[, main]] = regions;
  const lengths = [...new Set(regions.flatMap(([, plan]) => plan[3]))].sort((a, b) => a - b);
  const names = regions.map(([region, plan]) =>
    regions.length === 1 ? region : `${region}=${beginning(region, plan)}`,
  );
  return [code, trunkOf(main) || '-', ranges(lengths).join(), main[2], ...names].join(' ').trim();
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

/** Neighbours as a range: 7, 9 and 10 are "7" and "9-10". */
function ranges(sorted: number[]): string[] {
  const starts = sorted.filter((length) => !sorted.includes(length - 1));
  const ends = sorted.filter((length) => !sorted.includes(length + 1));
  return starts.map((start, i) => (start === ends[i] ? `${start}` : `${start}-${ends[i]}`));
}

if (import.meta.main) {
  await writeFile(join(ROOT, 'nodes/gateway/numbers/calling-codes.ts'), callingCodes());
}
