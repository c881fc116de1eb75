/** Where the lines of a run go: one without a line's end in the middle of a step. */
export type Write = (text: string) => void;

const TICK_MS = 10_000;

/** Tells a person what is being done, that it is still at it, and how long it took. */
export class Progress {
  private readonly write: Write;

  constructor(write: Write) {
    this.write = write;
  }

  line(text = ''): void {
    this.write(`${text}\n`);
  }

  /** Says what begins, shows the seconds while it lasts, and gives what the work gives. */
  async step<T>(title: string, work: () => Promise<T>): Promise<T> {
    const start = Date.now();
    this.write(`  ${title} ... `);
    const ticker = setInterval(
      () => this.write(`${Math.round((Date.now() - start) / 1000)} s ... `),
      TICK_MS,
    );
    try {
      const result = await work();
      this.line(`done in ${((Date.now() - start) / 1000).toFixed(1)} s`);
      return result;
    } catch (error) {
      this.line(`failed after ${((Date.now() - start) / 1000).toFixed(1)} s`);
      throw error;
    } finally {
      clearInterval(ticker);
    }
  }
}
