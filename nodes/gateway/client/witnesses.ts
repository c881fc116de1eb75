import type { WireType } from '../contract/operations';
import type { Row } from './row';
import type { StatusQuestion } from './standing';

/** Types of which the contract doesn't say that `status` knows them. */
const UNSURE: readonly WireType[] = ['call/otp', 'pipeline'];

/**
 * Messages that the gateway certainly took. Where it answers one of them like an `id` that nobody has sent, it has
 * forgotten it, or doesn't know it yet, and the absence of others proves nothing.
 */
export class Witnesses {
  /** The last one before anything was in doubt: it shows whether the gateway has lost its memory since. */
  private before: StatusQuestion | undefined;

  /** The last one: it shows whether `status` is up to date. */
  private latest: StatusQuestion | undefined;

  /** Types of which `status` has shown that it knows them. */
  private readonly known = new Set<WireType>();

  /** Takes an accepted row. */
  add({ operation: { id, type }, state }: Row): void {
    // What is in a queue may be unknown to `status` for a while.
    if (state.is !== 'accepted' || state.requestId !== undefined || UNSURE.includes(type)) return;
    this.latest = { id, type };
  }

  /** For a request that may have been taken. */
  doubted(): void {
    this.before ??= this.latest;
  }

  /** Takes a row that `status` knows; under an id of the user it may be an older one of another type. */
  learn({ operation: { type }, hasOwnId }: Row): void {
    if (!hasOwnId) this.known.add(type);
  }

  /** Whether `status` would know a row that was taken. */
  wouldKnow({ operation: { type } }: Row): boolean {
    return type !== 'call/otp' && (type !== 'pipeline' || this.known.has(type));
  }

  get questions(): StatusQuestion[] {
    const { before, latest } = this;
    return [before, latest].filter(
      (one, i): one is StatusQuestion => one !== undefined && (i === 0 || one.id !== before?.id),
    );
  }
}
