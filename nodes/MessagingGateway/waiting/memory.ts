import type { OpenWait } from './open-wait';

/** The most messages in memory; beyond that, the oldest waits are dropped. */
const MOST_MESSAGES = 200_000;

/** The waits known to this process, bounded. After a wait is dropped, the gateway is asked for its outcomes again. */
export class WaitMemory {
  private readonly waits = new Map<string, OpenWait>();

  private messages = 0;

  private readonly most: number;

  constructor(most = MOST_MESSAGES) {
    this.most = most;
  }

  get(key: string): OpenWait | undefined {
    return this.waits.get(key);
  }

  set(key: string, wait: OpenWait): void {
    this.forget(key);
    this.waits.set(key, wait);
    this.messages += wait.size;
    for (const oldest of this.waits.keys()) {
      if (this.messages <= this.most || oldest === key) return;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    const wait = this.waits.get(key);
    if (wait === undefined) return;
    this.messages -= wait.size;
    this.waits.delete(key);
  }
}

export const waits = new WaitMemory();
