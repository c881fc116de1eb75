/** The attempts at the challenges of one chain of resends. */
interface Chain {
  /** Attempts that were made; 1 or more. */
  attempts: number;
  /** Whether a right code was accepted, or is being accepted. */
  used: boolean;
  /** Until when a challenge of the chain may be presented, in milliseconds since 1970. */
  keepUntil: number;
}

/** An attempt at a challenge. Times are in milliseconds since 1970. */
export interface AttemptAt {
  isRight: boolean;
  /** The most attempts that the chain allows. */
  most: number;
  now: number;
  /** Until when a challenge of the chain may be presented. */
  keepUntil: number;
}

/** An attempt that counts, or why it doesn't. */
export type AttemptClaim = { attempt: number } | { refused: 'used' | 'too_many_attempts' };

/** The most chains in memory. */
const MOST_CHAINS = 100_000;
/** Chains that are looked at for removal whenever one is added. */
const SWEPT = 8;

/**
 * The attempts that this process has seen. All its methods are synchronous, so of any number of simultaneous
 * verifications each gets an attempt of its own, and one at most uses the chain.
 */
export class AttemptMemory {
  private readonly chains = new Map<string, Chain>();

  private readonly most: number;

  constructor(most = MOST_CHAINS) {
    this.most = most;
  }

  /** Why the chain takes no more codes; undefined while it does, as far as this process knows. */
  closedBy(name: string): 'used' | undefined {
    return this.chains.get(name)?.used ? 'used' : undefined;
  }

  /** Keeps what is known of a chain until a time: a new challenge of it has been issued. */
  keep(name: string, until: number): void {
    const chain = this.chains.get(name);
    if (chain) chain.keepUntil = Math.max(chain.keepUntil, until);
  }

  /** Claims the next attempt; a right code claims the chain with it. */
  claim(name: string, { isRight, most, now, keepUntil }: AttemptAt): AttemptClaim {
    const chain = this.chains.get(name) ?? this.add(name, { now, keepUntil });
    chain.keepUntil = Math.max(chain.keepUntil, keepUntil);
    if (chain.used) return { refused: 'used' };
    if (chain.attempts >= most) return { refused: 'too_many_attempts' };
    chain.attempts += 1;
    chain.used = isRight;
    return { attempt: chain.attempts };
  }

  /** Moves a claim to the next attempt, where another process has made the one that was claimed. */
  moveOn(name: string, most: number): AttemptClaim {
    const chain = this.chains.get(name);
    if (chain && chain.attempts < most) return { attempt: (chain.attempts += 1) };
    if (chain) chain.used = false;
    return { refused: 'too_many_attempts' };
  }

  /** Takes back a claim that could not be recorded, so that nothing was answered. */
  release(name: string, isRight: boolean): void {
    const chain = this.chains.get(name);
    if (!chain) return;
    chain.attempts -= 1;
    if (isRight) chain.used = false;
  }

  private add(name: string, { now, keepUntil }: Pick<AttemptAt, 'now' | 'keepUntil'>): Chain {
    this.sweep(now);
    const chain: Chain = { attempts: 0, used: false, keepUntil };
    this.chains.set(name, chain);
    return chain;
  }

  /** Removes some of the oldest chains that can't be presented any more, and the oldest of all where there are too many. */
  private sweep(now: number): void {
    let looked = 0;
    for (const [name, { keepUntil }] of this.chains) {
      if (looked++ >= SWEPT) break;
      if (keepUntil < now || this.chains.size >= this.most) this.chains.delete(name);
    }
  }
}
