import { policyOf } from '../errors/catalogue';
import type { Problem } from '../errors/problem';
import { TEXT_ENTRIES } from '../errors/text-entries';
import type { ItemVerdict } from './response';
import type { Refusal } from './row';

/** The words of a problem with digits masked, so that those about different rows are alike. */
export const wordsOf = (problem: Problem): string =>
  'text' in problem && problem.text !== undefined
    ? problem.text.trim().replace(/\d+/g, '#')
    : JSON.stringify({ ...problem, retryAfter: undefined });

/** Refusals of one operation that the contract lists (gateway-api.md, "Refusals"). */
const LISTED = TEXT_ENTRIES.flatMap(({ listed }) => listed ?? []);

/** Whether a result refuses its operation in words that the contract lists, which are believed at once. */
export const isListedRefusal = (problem: Problem): boolean =>
  problem.kind === 'item' && LISTED.some((listed) => listed.test(problem.text.trim()));

/**
 * Whether a problem says no more than that something went wrong: no words at all, or those of a fault or of an overload.
 * Such words veto, and prove nothing.
 */
export function isFault(problem: Problem): boolean {
  if (problem.kind !== 'item' && problem.kind !== 'envelope') return true;
  // Without a letter of any script there are no words.
  return (
    !/\p{L}/u.test(problem.text) || policyOf(problem).code === 'gateway-fault' || asksForPatience(problem)
  );
}

/** Whether the words of a refusal ask for patience. They decide how long is waited, and nothing else. */
export function asksForPatience(problem: Problem): boolean {
  const cause = policyOf(problem).failure?.cause;
  return cause === 'rate-limited' || cause === 'temporarily-unavailable';
}

/** Whether an operation, or its request, was refused as a duplicate. */
export const isDuplicateRefusal = (problem: Problem): boolean => policyOf(problem).code === 'duplicate-id';

/**
 * The reason with which all of several results were refused alike, which says no more than a refusal of the whole
 * request: one bad row, or a fault, may be behind it. Undefined where the results tell the operations apart, or where
 * the contract lists the reason as that of a single operation.
 */
export function commonRefusal(items: readonly ItemVerdict[]): Problem | undefined {
  const [first] = items;
  if (items.length < 2 || first.state === 'accepted' || isListedRefusal(first.problem)) return undefined;
  const words = wordsOf(first.problem);
  const areAlike = items.every((item) => item.state === 'refused' && wordsOf(item.problem) === words);
  return areAlike ? first.problem : undefined;
}

/** In how many parts the rows of a refused request are sent again. */
const PARTS = 4;

/** How many rows of a refused request leave together when they are sent again: half of what was only too large. */
export function partOf({ size, problem }: Pick<Refusal, 'size' | 'problem'>): number {
  if (problem.kind === 'http' && problem.status === 413) return Math.ceil(size / 2);
  return Math.ceil(size / PARTS);
}
