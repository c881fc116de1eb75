/** Virtual time, in milliseconds. */
export class Clock {
  now = Date.UTC(2026, 0, 1);

  /** Lets time pass; nothing else happens meanwhile. */
  pass(milliseconds: number): void {
    this.now += Math.max(0, milliseconds);
  }
}
