import type { WireType } from '../contract/operations';
import type { Row } from './row';
import type { StatusQuestion } from './status-proof';
import { LAG_MS } from './timing';

/** Types of which the contract doesn't say that `status` knows them. */
const UNSURE: readonly WireType[] = ['call/otp', 'pipeline'];

/** A message that was accepted, and when, in time waited. */
interface Known {
  question: StatusQuestion;
  sinceMs: number;
}

/**
 * Messages that the gateway certainly took, long enough ago for `status` to know them. Where it answers one of them like
 * an `id` that nobody has sent, it has forgotten it, or lags behind, and the absence of others proves nothing.
 */
export class Witnesses {
  /** The last one before anything was in doubt: it shows whether the gateway has lost its memory since. */
  private before: Known | undefined;

  /** The latest that `status` has to know, and those that come after it: it shows whether `status` is up to date. */
  private readonly accepted: Known[] = [];

  private waitedMs = 0;

  /** Types of which `status` has shown that it knows them. */
  private readonly known = new Set<WireType>();

  /** Takes an accepted row. */
  add({ operation: { id, type }, state }: Row): void {
    // What is in a queue may be unknown to `status` for a while.
    if (state.is !== 'accepted' || state.requestId !== undefined || UNSURE.includes(type)) return;
    const sinceMs = this.waitedMs;
    if (this.accepted.at(-1)?.sinceMs === sinceMs) this.accepted.pop();
    this.accepted.push({ question: { id, type }, sinceMs });
  }

  /** Counts what was waited: a clock may be set. */
  waited(milliseconds: number): void {
    this.waitedMs += milliseconds;
  }

  /** For a request that may have been taken. */
  doubted(): void {
    this.before ??= this.accepted.at(-1);
  }

  /** Takes a row that `status` knows; under an id of the user it may be an older one of another type. */
  learn({ operation: { type }, hasOwnId }: Row): void {
    if (!hasOwnId) this.known.add(type);
  }

  /** Whether `status` would know a row that was taken. */
  wouldKnow({ operation: { type } }: Row): boolean {
    return type !== 'call/otp' && (type !== 'pipeline' || this.known.has(type));
  }

  /** The questions about them. */
  get questions(): StatusQuestion[] {
    const { accepted, before } = this;
    const isKnown = ({ sinceMs }: Known): boolean => this.waitedMs - sinceMs >= LAG_MS;
    while (accepted.length > 1 && isKnown(accepted[1])) accepted.shift();
    const all =
      before === undefined || before === accepted[0]
        ? accepted.slice(0, 1)
        : [before, ...accepted.slice(0, 1)];
    return all.filter(isKnown).map(({ question }) => question);
  }
}
