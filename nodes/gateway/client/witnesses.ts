import type { WireType } from '../contract/operations';
import type { Row } from './row';
import type { StatusQuestion } from './status-proof';
import { LAG_MS } from './timing';

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
  /** The first one: it shows whether the gateway has lost its memory since. */
  private first: Known | undefined;

  /** The latest that `status` has to know, and those that come after it: it shows whether `status` is up to date. */
  private readonly accepted: Known[] = [];

  private waitedMs = 0;

  /** Types of which `status` has shown that it knows them. */
  private readonly known = new Set<WireType>();

  /** Takes an accepted row. */
  add(row: Row): void {
    const { operation, state, endpoint } = row;
    const { id, type } = operation;
    if (state.is !== 'accepted' || !this.wouldKnow(row)) return;
    // What is in a queue may be unknown to `status` for a while.
    if (!state.report && (endpoint === 'async' || state.requestId !== undefined)) return;
    const sinceMs = this.waitedMs;
    if (this.accepted.at(-1)?.sinceMs === sinceMs) this.accepted.pop();
    const known = { question: { id, type }, sinceMs };
    this.accepted.push(known);
    this.first ??= known;
  }

  /** Counts what was waited: a clock may be set. */
  waited(milliseconds: number): void {
    this.waitedMs += milliseconds;
  }

  /** Takes a row that `status` knows; under an id of the user it may be an older one of another type. */
  learn({ operation: { type }, hasOwnId }: Row): void {
    if (!hasOwnId) this.known.add(type);
  }

  /** Whether `status` would know a row that was taken: of three types, the contract doesn't say that. */
  wouldKnow({ operation: { type } }: Row): boolean {
    return type !== 'call/otp' && (!['pipeline', 'telegram'].includes(type) || this.known.has(type));
  }

  /** The questions about them. */
  get questions(): StatusQuestion[] {
    const { accepted, first } = this;
    const isKnown = ({ sinceMs }: Known): boolean => this.waitedMs - sinceMs >= LAG_MS;
    while (accepted.length > 1 && isKnown(accepted[1])) accepted.shift();
    return [...new Set([first, accepted[0]])].flatMap((one) => (one && isKnown(one) ? one.question : []));
  }
}
