import type { WireType } from '../contract/operations';
import type { Row } from './row';
import type { StatusQuestion } from './status-proof';
import { LAG_MS } from './timing';

/** A message that was accepted, and when, in time waited. */
interface Known {
  question: StatusQuestion;
  sinceMs: number;
}

/** Of one type. */
interface OfType {
  /** The first one: it shows whether the gateway has lost its memory since. */
  first: Known;

  /** The latest that `status` has to know, and those that come after it: it shows whether `status` is up to date. */
  accepted: Known[];
}

/**
 * Messages that the gateway certainly took, long enough ago for `status` to know them. Where it answers one of them like
 * an `id` that nobody has sent, it has forgotten it, or lags behind, and the absence of others proves nothing.
 */
export class Witnesses {
  private readonly types = new Map<WireType, OfType>();

  private waitedMs = 0;

  /** Types of which `status` has shown that it knows them. */
  private readonly known = new Set<WireType>();

  /** Takes an accepted row; of a type that `status` may not know, it is a witness as soon as that has shown that it does. */
  add({ operation: { id, type }, state, endpoint }: Row): void {
    if (state.is !== 'accepted') return;
    // What is in a queue may be unknown to `status` for a while.
    if (!state.report && (endpoint === 'async' || state.requestId !== undefined)) return;
    const one = { question: { id, type }, sinceMs: this.waitedMs };
    const { first, accepted } = this.types.get(type) ?? { first: one, accepted: [] };
    if (accepted.at(-1)?.sinceMs === one.sinceMs) accepted.pop();
    accepted.push(one);
    this.types.set(type, { first, accepted });
  }

  /** Counts what was waited: a clock may be set. */
  waited(milliseconds: number): void {
    this.waitedMs += milliseconds;
  }

  /** Takes a row that `status` knows; under an id of the user it may be an older one of another type. */
  learn({ operation: { type }, hasOwnId }: Row): void {
    if (!hasOwnId) this.known.add(type);
  }

  /** Whether `status` would know a message of a type that was taken: of three types, the contract doesn't say that. */
  wouldKnow(type: WireType): boolean {
    return type !== 'call/otp' && (!['pipeline', 'telegram'].includes(type) || this.known.has(type));
  }

  /** The questions about them: the first one of all, and the latest. */
  get questions(): StatusQuestion[] {
    const isDue = ({ sinceMs }: Known): boolean => this.waitedMs - sinceMs >= LAG_MS;
    const due: Known[] = [];
    for (const [type, { first, accepted }] of this.types) {
      while (accepted.length > 1 && isDue(accepted[1])) accepted.shift();
      if (this.wouldKnow(type)) due.push(...[first, accepted[0]].filter(isDue));
    }
    due.sort((one, other) => one.sinceMs - other.sinceMs);
    const chosen = new Set([due.at(0), due.at(-1)]);
    return [...chosen].flatMap((one) => one?.question ?? []);
  }
}
