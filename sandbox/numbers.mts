import { randomUUID } from 'node:crypto';

import { seededRandom } from './random.mts';
import type { Random } from './random.mts';

/** The numbers that a run of the sandbox gives out. */
export class Numbers {
  /** Told from every other run of the sandbox, whose numbers start anew. */
  readonly instance = randomUUID();

  random: Random = seededRandom(1);

  private serial = 0;

  /** Restarts the random sequence. */
  reseed(seed: number): void {
    this.random = seededRandom(seed);
  }

  /** A fresh number: message and template identifiers grow and never repeat. */
  next(): number {
    this.serial += 1;
    return this.serial;
  }
}
