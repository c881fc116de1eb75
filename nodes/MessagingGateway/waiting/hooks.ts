/** The most messages of a run whose callbacks come to their execution. */
export const MOST_HOOKED = 5;

/**
 * Whether a waiting item gets the address of its execution as callback address. Each call of a waiting execution makes
 * n8n load all of its data, so that the callbacks of thousands would keep it from everything else; `status` reports all of
 * them at a fraction of that. A few callbacks still wake a wait that a restart of n8n made everybody forget. They are spread
 * evenly and include the last item, so that some of them are likely to be late.
 *
 * Depends on nothing but the index of the item and the number of items, so that a repeated run builds the same operations.
 */
export function isHooked(index: number, count: number): boolean {
  if (count <= MOST_HOOKED) return true;
  const step = (count - 1) / (MOST_HOOKED - 1);
  return Math.round(Math.round(index / step) * step) === index;
}
