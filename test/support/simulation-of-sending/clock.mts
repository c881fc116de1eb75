/** Virtual time, in milliseconds, for one run or a few beside each other: they take turns where one of them waits. */
export class Clock {
  now = Date.UTC(2026, 0, 1);

  private awake = 1;

  private readonly asleep: Array<{ at: number; wake(): void }> = [];

  /** Lets time pass while nobody else gets a turn. */
  pass(milliseconds: number): void {
    this.now += milliseconds;
  }

  async sleep(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    const at = this.now + milliseconds;
    if (this.awake === 1 && this.asleep.length === 0) {
      this.now = at;
      return;
    }
    await new Promise<void>((wake) => {
      this.asleep.push({ at, wake });
      this.leave();
    });
  }

  /** Runs both; the calling run has its turn when both are over. */
  async both(one: () => Promise<void>, other: () => Promise<void>): Promise<void> {
    this.awake += 1;
    const over = async (run: () => Promise<void>) => {
      try {
        await run();
      } finally {
        this.leave();
      }
    };
    try {
      await Promise.all([over(one), over(other)]);
    } finally {
      this.awake += 1;
    }
  }

  private leave(): void {
    this.awake -= 1;
    if (this.awake > 0 || this.asleep.length === 0) return;
    const next = this.asleep.reduce((first, one) => (one.at < first.at ? one : first));
    this.asleep.splice(this.asleep.indexOf(next), 1);
    this.now = Math.max(this.now, next.at);
    this.awake += 1;
    next.wake();
  }
}
