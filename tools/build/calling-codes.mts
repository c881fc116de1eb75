import metadata from 'libphonenumber-js/max/metadata';

import type { GeneratedFile } from './generated-file.mts';

/** The part of a numbering plan of libphonenumber-js that the table is made from; the rest stands between. */
type Plan = [
  callingCode: string,
  dialOutPrefix: unknown,
  pattern: unknown,
  /** Of all types of numbers together; emergency numbers and short codes are not in this library. */
  possibleLengths: number[],
  formats: unknown,
  /** What is dialled in front of a number at home; 0 where there is nothing. */
  trunkPrefix: string | 0,
];

const HEADER = `/**
 * Each calling code, with the mark "(0)" where numbers are dialled with a 0 in front inside the country that is left out
 * from abroad, and how many digits may follow it: those of all regions and types of numbers that share the code.
 *
 * Generated from libphonenumber-js by \`node tools/calling-codes.mts\`; changes by hand are lost.
 */
`;

/**
 * The table of calling codes that the check of phone numbers reads (`nodes/gateway/contract/numbering-plans.ts`),
 * from the metadata of the installed libphonenumber-js. Takes nothing; returns the file as it is committed.
 */
export function callingCodes(): GeneratedFile {
  const plans = [...Object.values(metadata.countries), ...Object.values(metadata.nonGeographic)] as Plan[];
  const codes = [...new Set(plans.map(([callingCode]) => callingCode))].sort((a, b) => Number(a) - Number(b));
  const entries = codes.map((code) => describe(plans.filter(([callingCode]) => callingCode === code)));
  return {
    path: 'nodes/gateway/contract/calling-codes.ts',
    text: `${HEADER}export const CALLING_CODES = \`\n${wrap(entries)}\n\`;\n`,
  };
}

/** The entry of a calling code, such as "44(0):7,9-10". */
function describe(regions: Plan[]): string {
  const [[code]] = regions;
  const lengths = [...new Set(regions.flatMap(([, , , possible]) => possible))].sort((a, b) => a - b);
  const trunkZero = regions.every(([, , , , , trunkPrefix]) => trunkPrefix === '0');
  return `${code}${trunkZero ? '(0)' : ''}:${ranges(lengths).join(',')}`;
}

const LINE_WIDTH = 110;

/** Words in lines, separated by blanks. */
function wrap(words: string[]): string {
  const lines = [''];
  for (const word of words) {
    const line = `${lines[lines.length - 1]} ${word}`.trim();
    if (line.length > LINE_WIDTH) lines.push(word);
    else lines[lines.length - 1] = line;
  }
  return lines.join('\n');
}

/** Neighbours as a range: 7, 9 and 10 are "7" and "9-10". */
function ranges(sorted: number[]): string[] {
  const starts = sorted.filter((length) => !sorted.includes(length - 1));
  const ends = sorted.filter((length) => !sorted.includes(length + 1));
  return starts.map((start, i) => (start === ends[i] ? `${start}` : `${start}-${ends[i]}`));
}
