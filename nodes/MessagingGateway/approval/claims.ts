/** A decision for which this process has just woken an execution. */
export interface RecentDecision {
  at: number;
  /** Number of the person who decided. */
  phone: number;
  /** What they chose, as the page shows it. */
  label: string;
}

/** Milliseconds after which an execution that did not wake may be woken by another answer. */
const WAKING = 10_000;
const MOST_CLAIMS = 1000;

/**
 * The decisions of the last moments, so that of several answers that come at once the first counts and the others learn
 * of it. Between processes, n8n's database lets only one wake an execution.
 */
export class Claims {
  private readonly claims = new Map<string, RecentDecision>();

  /** Returns the decision that an execution is being woken for; undefined if there is none. */
  find(key: string, now: number): RecentDecision | undefined {
    const claim = this.claims.get(key);
    return claim !== undefined && now - claim.at < WAKING ? claim : undefined;
  }

  /** Notes a decision. */
  set(key: string, claim: RecentDecision): void {
    this.claims.delete(key);
    this.claims.set(key, claim);
    const [oldest] = this.claims.keys();
    if (this.claims.size > MOST_CLAIMS) this.claims.delete(oldest);
  }
}
