/** Significant digits of a number that a spreadsheet shows as 3.80501E+11, and keeps so in its exports. */
const SHOWN = 6;

/**
 * Whether a phone number ends in so many zeros that a spreadsheet may have shortened it: 380501000000 is what is left of
 * 3.80501E+11. Few real numbers look so.
 */
export function looksRounded(phone: number): boolean {
  // Numbers of ten digits and less aren't shortened.
  return phone >= 1e10 && phone % 10 ** Math.min(SHOWN, String(phone).length - SHOWN) === 0;
}
