/** What a gateway has written down of messages, which is what `status` tells: those that it took, and of others what it likes. */
import type { Take } from './exchange.mts';

/** A message that it refused, and wrote down. */
export interface Refused {
  id: string;
  type: string;
  at: number;
  /** From when on `status` knows it. */
  knownAt: number;
  state: string | number;
}

export type Entry = Take | Refused;

export const isRefused = (entry: Entry): entry is Refused => 'state' in entry;

interface Forgetting {
  /** Milliseconds before an entry is forgotten. */
  memory: number;
  /** When everything was forgotten, in milliseconds since 1970; undefined for never. */
  restartedAt?: number;
}

export class Ledger {
  private readonly entries = new Map<string, Entry[]>();

  private readonly forgetting: Forgetting;

  constructor(forgetting: Forgetting) {
    this.forgetting = forgetting;
  }

  add(entry: Entry): void {
    const before = this.entries.get(entry.id);
    if (before) before.push(entry);
    else this.entries.set(entry.id, [entry]);
  }

  /** Whether it remembers what it took, or refused too, with this id. */
  has(id: number | string, now: number, counts: 'taken' | 'all'): boolean {
    return this.of(id, now).some((entry) => counts === 'all' || !isRefused(entry));
  }

  /** What `status` knows by now: that it was taken, if it was, else how it was refused last; of types that it doesn't lack. */
  known(id: number | string, now: number, lacks: readonly string[]): Entry | undefined {
    const known = this.of(id, now).filter(({ knownAt, type }) => knownAt <= now && !lacks.includes(type));
    return known.find((entry) => !isRefused(entry)) ?? known.at(-1);
  }

  private of(id: number | string, now: number): Entry[] {
    const { memory, restartedAt = Infinity } = this.forgetting;
    const isForgotten = ({ at }: Entry) => at + memory <= now || (restartedAt <= now && at < restartedAt);
    return (this.entries.get(String(id)) ?? []).filter((entry) => !isForgotten(entry));
  }
}
