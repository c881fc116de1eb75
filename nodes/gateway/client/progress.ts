import type { WireOperation } from '../contract/operations';
import type { Problem } from '../errors/problem';
import type { FailedRequest, Verdict } from './response';
import { asksToWait, isTooLarge } from './words';

/** How many entries the next request of a kind holds at most: operations of messages, or ids of a question. */
export class RequestSize {
  max: number;

  /** What `max` never grows beyond. */
  private ceiling: number;

  /** By how many times `max` grows at once. */
  private growth = GROWTH;

  /** Entries in the last full request that the gateway took; 0 until it took one. */
  private lastTaken = 0;

  /** Full requests that the gateway has to take before `max` grows, and those that it took so far. */
  private fullNeeded = 1;
  private fullTaken = 0;

  constructor(first: number, ceiling: number) {
    this.max = first;
    this.ceiling = ceiling;
  }

  /** The gateway took a request of this size in so many milliseconds. */
  taken(size: number, tookMs: number): void {
    const isFull = size >= this.max;
    if (!isFull) return;
    this.lastTaken = size;
    const inPacedTime = Math.floor((size * PACED_MS) / Math.max(1, tookMs));
    if (inPacedTime <= size) return;
    this.fullTaken += 1;
    if (this.fullTaken < this.fullNeeded) return;
    this.fullTaken = 0;
    this.max = Math.min(this.growth * size, inPacedTime, this.ceiling);
  }

  /** The gateway asked to wait, and took so many entries of a request of this size: it may take no more at once. */
  askedToWait(size: number, took = 0): void {
    this.fullNeeded = FULL_AFTER_WAIT;
    this.fullTaken = 0;
    this.growth = CAREFUL_GROWTH;
    const knownToPass = took > 0 ? took : this.lastTaken;
    const isSmaller = knownToPass > 0 && knownToPass < size;
    this.max = Math.min(this.ceiling, isSmaller ? knownToPass : sizeAfterRefusal(size));
  }

  /** A request of this size ran out of time. */
  tooSlow(size: number): void {
    this.growth = CAREFUL_GROWTH;
    this.max = Math.min(this.ceiling, sizeAfterRefusal(size));
  }

  /** The gateway takes no request of this size, at any time. */
  tooLarge(size: number): void {
    this.ceiling = Math.max(1, Math.min(this.ceiling, size - 1));
    this.tooSlow(size);
  }

  /** The gateway refused a request, perhaps for its size: no later request is larger than half of it, or than `min`. */
  halve(size: number, min: number): void {
    this.ceiling = Math.max(min, Math.ceil(size / 2));
    this.max = this.ceiling;
  }
}

/** A size grows to as many entries as fit into this time at the pace of the last request, but no more than four times at once. */
const PACED_MS = 2000;
const GROWTH = 4;

/** After a request that was too large or had to wait, a size doubles at most: four times would pass a limit nearly each time. */
const CAREFUL_GROWTH = 2;

/** After a request that had to wait, so many full requests have to be taken before a larger one is tried, which may have to wait again. */
const FULL_AFTER_WAIT = 16;

/** The number of parts in which the rows of a refused request leave again. */
const PARTS = 4;

/** How many rows of a refused request of `size` leave together again. */
export const sizeAfterRefusal = (size: number): number => Math.ceil(size / PARTS);

/** Operations in the first request: most runs have fewer rows, and leave in one. */
const FIRST_SIZE = 250;

/** Operations in any request: what a quick gateway takes in a second or two. */
const MAX_SIZE = 4000;

/** Bytes of the operations of a request: web servers refuse a request of 1 MB, unless they are told otherwise. */
const MAX_BYTES = 900_000;

/** A run ends after so many refused requests without a message that was taken between them, or so many broken requests in a row. */
const MAX_REFUSED = 16;
const MAX_BROKEN = 2;

/** The progress of a run: how large its next request is, and whether the run goes on at all. */
export class Progress {
  /** Why the run ended, once it has. */
  ended: Problem | undefined;

  private readonly requests: RequestSize;
  private refused = 0;
  private broken = 0;

  /** Takes the number of operations that the user set for a request, if any. */
  constructor(batchSize?: number) {
    this.requests = new RequestSize(batchSize ?? FIRST_SIZE, batchSize ?? MAX_SIZE);
  }

  /** Operations in the next request at most. */
  get size(): number {
    return this.requests.max;
  }

  /** Takes the rows of the next request from the end of a list, in which they stand in reverse. Returns them in order. */
  takeFrom<R extends { operation: WireOperation }>(reversed: R[]): R[] {
    const max = Math.min(this.size, reversed.length);
    let count = 0;
    for (let bytes = 0; count < max; count += 1) {
      bytes += bytesOf(reversed[reversed.length - 1 - count].operation);
      if (bytes > MAX_BYTES && count > 0) break;
    }
    return reversed.splice(-count).reverse();
  }

  /** Learns from a request of `size` operations that took so many milliseconds. */
  learn(verdict: Verdict, size: number, tookMs: number): void {
    if (verdict.kind === 'results') this.learnFromResults(verdict, size, tookMs);
    else this.learnFromFailure(verdict, size);
  }

  private learnFromResults(
    verdict: Extract<Verdict, { kind: 'results' }>,
    size: number,
    tookMs: number,
  ): void {
    const { length: took } = verdict.items.filter(({ is }) => is === 'accepted');
    this.broken = 0;
    if (took > 0) this.refused = 0;
    if (refusalToWait(verdict)) this.requests.askedToWait(size, took);
    else this.requests.taken(size, tookMs);
  }

  private learnFromFailure({ kind, problem }: FailedRequest, size: number): void {
    if (kind === 'refused') this.refused += 1;
    this.broken = kind === 'broken' || kind === 'timedOut' ? this.broken + 1 : 0;
    if (isTooLarge(problem)) this.requests.tooLarge(size);
    else if (asksToWait(problem)) this.requests.askedToWait(size);
    else if (kind === 'timedOut') this.requests.tooSlow(size);
    const isHopeless = kind === 'notReached' || kind === 'closed';
    if (isHopeless || this.refused >= MAX_REFUSED || this.broken >= MAX_BROKEN) this.ended = problem;
  }
}

/** Returns the words in which the gateway refused a request, or some of its rows, and asked to wait; undefined where it didn't. */
export function refusalToWait(verdict: Verdict): Problem | undefined {
  if (verdict.kind === 'refused') return asksToWait(verdict.problem) ? verdict.problem : undefined;
  if (verdict.kind !== 'results') return undefined;
  for (const item of verdict.items)
    if (item.is === 'refused' && asksToWait(item.problem)) return item.problem;
  return undefined;
}

/** Bytes of a number as JSON, at most: an id, or a phone number. */
const NUMBER_BYTES = 16;

/** Bytes around each field: quotation marks, a colon, a comma. */
const MARKS = 6;

/** Bytes of an operation as JSON, nearly: a text is measured without the escapes of JSON. */
function bytesOf(operation: WireOperation): number {
  let bytes = 0;
  for (const name in operation) {
    const value = operation[name];
    bytes += name.length + MARKS;
    // Nearly all values are texts and numbers, which need no JSON to be measured.
    if (typeof value === 'number') bytes += NUMBER_BYTES;
    else bytes += Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
  }
  return bytes;
}
