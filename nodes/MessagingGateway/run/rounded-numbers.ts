import { looksRounded } from '../../gateway/numbers/phone';
import type { ItemResult } from './item-result';
import { isFailed } from './item-result';

const phoneOf = (result: ItemResult): unknown => (isFailed(result) ? result.json : result.jsons[0])?.phone;

function isRounded(result: ItemResult): boolean {
  const phone = phoneOf(result);
  return typeof phone === 'number' && looksRounded(phone);
}

/** Returns what to say of numbers that a spreadsheet may have shortened, if any looks so. */
export function hintAtRounded(results: readonly ItemResult[]): string[] {
  const first = results.findIndex(isRounded);
  if (first === -1) return [];
  const { length: count } = results.filter(isRounded);
  const phone = String(phoneOf(results[first]));
  const which =
    results.length === 1
      ? `The number ${phone} ends`
      : `${count} of ${results.length} numbers ${count === 1 ? 'ends' : 'end'}`;
  const where = results.length === 1 ? '' : ` (first: ${phone}, row ${first + 1})`;
  return [
    `${which} in zeros${where}, as those do that a spreadsheet shortened, such as 3.80501E+11: compare with the source`,
  ];
}
