import { looksRounded } from '../../gateway/numbers/rounded';
import type { ItemResult } from './item-result';
import { isFailed } from './item-result';

/** Returns what to say of numbers that a spreadsheet may have shortened; undefined where none looks so. */
export function hintAtRounded(results: readonly ItemResult[]): string | undefined {
  const phones = results.map((result) => (isFailed(result) ? result.json : result.jsons[0])?.phone);
  const isRounded = (phone: unknown) => typeof phone === 'number' && looksRounded(phone);
  const count = phones.filter(isRounded).length;
  if (count === 0) return undefined;
  const first = phones.findIndex(isRounded);
  const which =
    results.length === 1
      ? `The number ${String(phones[0])} ends`
      : `${count} of ${results.length} numbers ${count === 1 ? 'ends' : 'end'}`;
  const where = results.length === 1 ? '' : ` (first: ${String(phones[first])}, item ${first})`;
  return `${which} in zeros${where}, as those do that a spreadsheet shortened, such as 3.80501E+11: compare with the source`;
}
