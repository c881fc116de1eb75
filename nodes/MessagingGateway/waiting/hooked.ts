/** The most messages of a run whose callbacks come to their execution. */
export const MOST_HOOKED = 5;
/** Items that n8n may load in all for more than one of them: about a second of work. */
const MOST_LOADED = 16_000;

/**
 * Whether a waiting item gets the address of its execution as callback address. Each call of a waiting execution makes
 * n8n load all of its data (a second of work for 20,000 items), so that the callbacks of thousands would keep it from
 * everything else; `status` reports all of them at a fraction of that. A few callbacks still wake a wait that no process
 * remembers after a restart: fewer the larger the run, and one at least. They are spread evenly and include the last item, so
 * that some are likely to be late.
 *
 * Depends on nothing but the index of the item and the number of items, so that a repeated run builds the same operations.
 */
export function isHooked(index: number, count: number): boolean {
  const hooked = Math.max(1, Math.min(count, MOST_HOOKED, Math.floor(MOST_LOADED / count)));
  return Math.floor(((index + 1) * hooked) / count) > Math.floor((index * hooked) / count);
}
