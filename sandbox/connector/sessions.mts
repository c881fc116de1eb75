import { randomUUID } from 'node:crypto';

/** Sessions of the connector: opened by `initialize`, named by later calls, dropped when a test wants it. */
export class Sessions {
  private readonly requests = new Map<string, number>();

  private openedCount = 0;

  /** Sessions opened since the start. */
  get opened(): number {
    return this.openedCount;
  }

  /** Sessions that are alive. */
  get size(): number {
    return this.requests.size;
  }

  /** Opens a session and returns its identifier. */
  open(): string {
    const id = randomUUID();
    this.requests.set(id, 0);
    this.openedCount += 1;
    return id;
  }

  /**
   * Counts a request in a session.
   * @param dropAfter requests that a session lives for; `null`: no limit
   * @returns whether the session is (still) alive
   */
  use(id: string, dropAfter: number | null): boolean {
    const used = this.requests.get(id);
    if (used === undefined) return false;
    if (dropAfter !== null && used >= dropAfter) {
      this.requests.delete(id);
      return false;
    }
    this.requests.set(id, used + 1);
    return true;
  }

  /** Ends a session. @returns whether there was one */
  end(id: string): boolean {
    return this.requests.delete(id);
  }

  /** Drops all sessions, as a server that was restarted would. */
  dropAll(): void {
    this.requests.clear();
  }
}
