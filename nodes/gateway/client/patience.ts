import { isBeyondPatience } from '../errors/retry-after';
import { asksForPatience } from './refusal';
import type { FailedRequest } from './response';
import { backOff } from './timing';

type Refused = Pick<FailedRequest, 'problem' | 'retryAfter'>;

/** How long a gateway that asks for it is left alone: since it last took something, or told something of what is in doubt. */
export class Patience {
  sending = backOff();
  asking = backOff();

  /** The last refusal of a message that named a time, and what is left of that, counted in time waited. */
  private limiter: (Refused & { leftMs: number }) | undefined;

  /** Takes why a request was refused. Returns whether nothing may leave for longer than anybody waits. */
  refused({ problem, retryAfter }: Refused): boolean {
    if (!asksForPatience(problem)) return false;
    this.limiter = retryAfter === undefined ? undefined : { problem, leftMs: 1000 * retryAfter };
    return retryAfter !== undefined && isBeyondPatience(retryAfter);
  }

  /** For something that the gateway took. */
  accepted(): void {
    this.sending = backOff();
    this.limiter = undefined;
  }

  waited(milliseconds: number): void {
    if (this.limiter) this.limiter.leftMs -= milliseconds;
  }

  /** Whether nothing may leave yet. */
  get isLimited(): boolean {
    return this.limiter !== undefined && this.limiter.leftMs > 0;
  }

  /** That refusal, with the seconds that are left of its time; undefined where the last one named none. */
  get limit(): Refused | undefined {
    const { limiter } = this;
    return limiter && { problem: limiter.problem, retryAfter: Math.max(0, limiter.leftMs / 1000) };
  }
}
