import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

/**
 * Reads a page, which draws itself piece by piece, until the reading is as expected.
 * @throws what Jest says of the last reading, after a minute
 */
export async function eventually(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    try {
      expect(await read()).toEqual(expected);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
