/** The most messages of a run whose callbacks come to their execution, and the most of a large run. */
export const MOST_HOOKED = 5;
export const MOST_HOOKED_OF_MANY = 2;
const MANY = 5000;

/**
 * Whether a waiting item gets the address of its execution as callback address. Each call of a waiting execution makes
 * n8n load all of its data (a second of work for 20,000 items), so that the callbacks of thousands would keep it from
 * everything else; `status` reports all of them at a fraction of that. A few callbacks still wake a wait that a restart of
 * n8n made everybody forget. They are spread evenly and include the last item, so that some of them are likely to be late.
 *
 * Depends on nothing but the index of the item and the number of items, so that a repeated run builds the same operations.
 */
export function isHooked(index: number, count: number): boolean {
  const hooked = Math.min(count, count > MANY ? MOST_HOOKED_OF_MANY : MOST_HOOKED);
  return Math.floor(((index + 1) * hooked) / count) > Math.floor((index * hooked) / count);
}
