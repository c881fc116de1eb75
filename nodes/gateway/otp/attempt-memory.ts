import { TimedMemory } from './timed-memory';

/** The attempts at the challenges of one chain of resends. */
export interface Chain {
  /** Attempts that were made. */
  attempts: number;
  /** The most attempts that it allowed last. */
  most: number;
  /** Whether a right code was accepted, or is being accepted. */
  used: boolean;
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

/** Why a chain takes no more codes. */
export type Closed = 'used' | 'too_many_attempts';

/** An attempt that counts, or why it doesn't. */
export type AttemptClaim = { attempt: number } | { refused: Closed };

/** Moves a claim to the next attempt, where another process has made the one that was claimed. */
export function moveOn(chain: Chain, most: number): AttemptClaim {
  if (chain.attempts < most) return { attempt: (chain.attempts += 1) };
  chain.used = false;
  return { refused: 'too_many_attempts' };
}

/** Takes back a claim that does not count after all. */
export function release(chain: Chain, isRight: boolean): void {
  chain.attempts -= 1;
  if (isRight) chain.used = false;
}

/**
 * The attempts that this process has seen. Nothing here is asynchronous, so of any number of simultaneous
 * verifications each gets an attempt of its own, and one at most uses the chain.
 */
export class AttemptMemory {
  private readonly chains: TimedMemory<Chain>;

  constructor(most?: number) {
    this.chains = new TimedMemory(most);
  }

  /** Why the chain takes no more codes; undefined while it does, as far as this process knows. */
  closedBy(name: string): Closed | undefined {
    const chain = this.chains.get(name);
    if (!chain) return undefined;
    return chain.used ? 'used' : chain.attempts >= chain.most ? 'too_many_attempts' : undefined;
  }

  /** Keeps what is known of a chain until a time: a new challenge of it has been issued at `now`. */
  keep(name: string, now: number, until: number): void {
    const chain = this.chains.get(name);
    if (chain) this.chains.keep(name, { now, until }, () => chain);
  }

  /** Claims the next attempt; a right code claims the chain with it. */
  claim(
    name: string,
    { isRight, most, now, keepUntil }: AttemptAt,
  ): { attempt: number; chain: Chain } | { refused: Closed } {
    const made = { attempts: 0, most, used: false };
    const chain = this.chains.keep(name, { now, until: keepUntil }, () => made);
    chain.most = most;
    const refused = this.closedBy(name);
    if (refused) return { refused };
    chain.attempts += 1;
    chain.used = isRight;
    return { attempt: chain.attempts, chain };
  }
}
