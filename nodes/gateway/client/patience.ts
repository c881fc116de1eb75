import { isBeyondPatience } from '../errors/retry-after';
import { asksForPatience } from './refusal';
import type { FailedRequest } from './response';
import { backOff } from './timing';

type Refused = Pick<FailedRequest, 'problem' | 'retryAfter'>;

/** How long a gateway that asks for it is left alone: since it last took something, or told something of what is in doubt. */
export class Patience {
  sending = backOff();
  asking = backOff();

  /** Who refused a message and named a time, and what is left of that, counted in time waited. */
  private limiter: (Refused & { leftMs: number }) | undefined;

  /** Takes why a request was refused. Returns whether nothing may leave for longer than anybody waits. */
  refused({ problem, retryAfter }: Refused): boolean {
    if (retryAfter === undefined || !asksForPatience(problem)) return false;
    this.limiter = { problem, leftMs: 1000 * retryAfter };
    return isBeyondPatience(retryAfter);
  }

  /** For something that the gateway took. */
  accepted(): void {
    this.sending = backOff();
    this.limiter = undefined;
  }

  waited(milliseconds: number): void {
    if (this.limiter) this.limiter.leftMs -= milliseconds;
  }

  /** The last refusal that named a time, unless that is over. */
  get limits(): Refused[] {
    const { limiter } = this;
    if (limiter === undefined || limiter.leftMs <= 0) return [];
    return [{ problem: limiter.problem, retryAfter: limiter.leftMs / 1000 }];
  }
}
