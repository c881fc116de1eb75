const TICK_MS = 10_000;

/** Tells what begins, shows the seconds while it lasts, and returns what the work returns. */
export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const start = Date.now();
  const seconds = () => `${((Date.now() - start) / 1000).toFixed(1)} s`;
  process.stdout.write(`  ${title} ... `);
  const ticker = setInterval(() => process.stdout.write(`${seconds()} ... `), TICK_MS);
  try {
    const result = await work();
    console.log(`done in ${seconds()}`);
    return result;
  } catch (error) {
    console.log(`failed after ${seconds()}`);
    throw error;
  } finally {
    clearInterval(ticker);
  }
}
