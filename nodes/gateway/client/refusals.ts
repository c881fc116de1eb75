import { policyOf } from '../errors/catalogue';
import type { Problem } from '../errors/problem';
import type { ItemVerdict } from './read-answer';
import type { SendEntry } from './send';

/** The words of a problem with digits masked, so that those about different rows are alike. */
export const wordsOf = (problem: Problem): string =>
  'text' in problem ? problem.text.trim().replace(/\d+/g, '#') : JSON.stringify(problem);

/** Refusals of one operation that the contract lists (gateway-api.md, "Refusals"). */
const LISTED = /^(operator not supported|error in alpha-name|invalid message type)$/i;

/**
 * The reason with which all of several results were refused alike, which says no more than a refusal of the whole
 * request: one bad row, or a fault, may be behind it. Undefined where the results tell the operations apart, or where
 * the contract lists the reason as that of a single operation.
 */
export function commonRefusal(items: readonly ItemVerdict[]): Problem | undefined {
  const [first] = items;
  if (items.length < 2 || first.state === 'accepted') return undefined;
  const words = wordsOf(first.problem);
  if (LISTED.test(words)) return undefined;
  const areAlike = items.every((item) => item.state === 'refused' && wordsOf(item.problem) === words);
  return areAlike ? first.problem : undefined;
}

/** Whether the words of a refusal ask for patience. They decide how long is waited, and nothing else. */
export function asksForPatience(problem: Problem): boolean {
  const cause = policyOf(problem).failure?.cause;
  return cause === 'rate-limited' || cause === 'temporarily-unavailable';
}

/**
 * Whether an operation was refused as a duplicate, and not because of an `id` that the user chose before. Words veto here,
 * and prove nothing: it is sent no further, and reported as unknown where `status` doesn't know it.
 */
export const refusesRepeat = (problem: Problem, { hasOwnId, doubt }: SendEntry): boolean =>
  problem.kind === 'item' && (!hasOwnId || doubt !== undefined) && policyOf(problem).code === 'duplicate-id';

/** Rows that are sent alone before a search is given up. */
export const MOST_PROBES = 16;
/** Rows of a refused request that are sent one by one instead of in halves. */
const FEW = 8;

/** The parts in which a refused request is sent again. */
export function partsOf<T>(list: readonly T[]): T[][] {
  if (list.length <= FEW) return list.map((value) => [value]);
  const half = Math.ceil(list.length / 2);
  return [list.slice(0, half), list.slice(half)];
}

/** Up to 16 values from all over a list. */
export function sampleOf<T>(list: readonly T[]): T[] {
  const count = Math.min(MOST_PROBES, list.length);
  return Array.from({ length: count }, (_, i) => list[Math.floor((i * list.length) / count)]);
}
