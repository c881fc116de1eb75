/**
 * Whether a phone number ends in so many zeros that a spreadsheet may have shortened it: 380501000000 is what is left of
 * 3.80501E+11, with the six digits that a spreadsheet shows and keeps in its exports. Few real numbers look so.
 */
export function looksRounded(phone: number): boolean {
  // Numbers of ten digits and less aren't shortened.
  if (phone < 1e10) return false;
  // A shortened number of eleven digits ends in five zeros, a longer number in six at least.
  return phone % (phone < 1e11 ? 1e5 : 1e6) === 0;
}
