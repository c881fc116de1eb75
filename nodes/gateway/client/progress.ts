import type { WireOperation } from '../contract/operations';
import type { Problem } from '../errors/problem';
import type { Verdict } from './response';
import { asksToWait, isTooLarge } from './words';

/** Operations in the first request: most runs have fewer rows, and leave in one. */
const FIRST_SIZE = 250;

/** Operations in the largest request, by its size in time: what a quick gateway takes in a second or two. */
const LARGEST_SIZE = 4000;

/** Bytes of the operations of a request: web servers refuse a request of 1 MB, unless they are told otherwise. */
const LARGEST_BYTES = 900_000;

/**
 * A size grows to as many as the pace of the last request takes in this time, but no more than four times at once. It grows
 * twice at once after a request that was too large or had to wait: growth of four times would pass a limit nearly each time.
 */
const PACED_MS = 2000;
const GROWTH = 4;
const CAREFUL_GROWTH = 2;

/** Full requests that are taken, after one that had to wait, before a larger one is tried: a larger one may have to wait again. */
const CAREFUL = 16;

/** The number of parts in which the rows of a refused request leave again. */
const PARTS = 4;

/** Refused requests in a row, and broken ones, after which a run ends. */
const MOST_REFUSED = 16;
const MOST_BROKEN = 2;

/** How much the next request of a kind holds: operations of messages, or ids of a question. */
export class RequestSize {
  atMost: number;
  private largest: number;

  /** The size of the last full request that was taken. */
  private taken = 0;

  /** Full requests that have to be taken before the size grows, and those that were. */
  private needed = 1;
  private full = 0;
  private growth = GROWTH;

  constructor(first: number, largest: number) {
    this.atMost = first;
    this.largest = largest;
  }

  /** A request was taken, in so many milliseconds. */
  succeed(size: number, tookMs: number): void {
    if (size < this.atMost) return;
    this.taken = size;
    const paced = Math.floor((size * PACED_MS) / Math.max(1, tookMs));
    if (paced <= size) return;
    this.full += 1;
    if (this.full < this.needed) return;
    this.full = 0;
    this.atMost = Math.min(this.growth * size, paced, this.largest);
  }

  /**
   * The gateway asked to wait, and took so many of the request: back to what it takes at once, if that is known. A request of
   * this size that had to wait leaves in smaller ones.
   */
  wait(size: number, took = 0): void {
    this.needed = CAREFUL;
    this.growth = CAREFUL_GROWTH;
    this.full = 0;
    const known = took > 0 ? took : this.taken;
    this.atMost = Math.min(this.largest, known > 0 && known < size ? known : partOf(size));
  }

  /** A request was too slow. */
  shrink(size: number): void {
    this.growth = CAREFUL_GROWTH;
    this.atMost = Math.min(this.largest, partOf(size));
  }

  /** A request of this size is refused for a reason that may be its size: half of it, `least` or more, is the largest from now on. */
  halve(size: number, least: number): void {
    this.largest = Math.max(least, Math.ceil(size / 2));
    this.atMost = this.largest;
  }

  /** A request of this size is too large, at any time. */
  limit(size: number): void {
    this.largest = Math.max(1, Math.min(this.largest, size - 1));
    this.shrink(size);
  }
}

/** The progress of a run: how large its next request is, and whether it goes on at all. */
export class Progress {
  /** Why the run ended, once it has. */
  ended: Problem | undefined;

  private readonly requests: RequestSize;
  private refused = 0;
  private broken = 0;

  /** Takes the number of operations that the user set for a request, if any. */
  constructor(batchSize?: number) {
    this.requests = new RequestSize(batchSize ?? FIRST_SIZE, batchSize ?? LARGEST_SIZE);
  }

  /** Operations in the next request at most. */
  get size(): number {
    return this.requests.atMost;
  }

  /** Takes the rows of the next request from the end of a list, in which they stand in reverse. Returns them in order. */
  takeFrom<R extends { operation: WireOperation }>(reversed: R[]): R[] {
    const most = Math.min(this.size, reversed.length);
    let count = 0;
    for (let bytes = 0; count < most; count += 1) {
      bytes += bytesOf(reversed[reversed.length - 1 - count].operation);
      if (bytes > LARGEST_BYTES && count > 0) break;
    }
    return reversed.splice(-count).reverse();
  }

  /** Learns from a request of `size` operations that took so many milliseconds. */
  learn(verdict: Verdict, size: number, tookMs: number): void {
    if (verdict.kind === 'results') {
      const { length: taken } = verdict.items.filter(({ is }) => is === 'accepted');
      this.broken = 0;
      if (taken > 0) this.refused = 0;
      if (refusalToWait(verdict)) this.requests.wait(size, taken);
      else this.requests.succeed(size, tookMs);
      return;
    }
    const { kind, problem } = verdict;
    this.refused = kind === 'refused' ? this.refused + 1 : this.refused;
    this.broken = kind === 'broken' || kind === 'timedOut' ? this.broken + 1 : 0;
    if (isTooLarge(problem)) this.requests.limit(size);
    else if (asksToWait(problem)) this.requests.wait(size);
    else if (kind === 'timedOut') this.requests.shrink(size);
    const isOver = kind === 'notReached' || kind === 'closed' || this.refused >= MOST_REFUSED;
    if (isOver || this.broken >= MOST_BROKEN) this.ended = problem;
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

/** How many rows of a refused request of `size` leave together again. */
export const partOf = (size: number): number => Math.ceil(size / PARTS);

/** Digits of an id or of a phone number at most. */
const LONGEST_NUMBER = 16;

/** Bytes of an operation as JSON: of plain values nearly, since texts are measured as they are and not as JSON escapes them. */
function bytesOf(operation: WireOperation): number {
  let bytes = 0;
  for (const name in operation) {
    const value = operation[name];
    const text = typeof value === 'string' ? value : undefined;
    // Nearly all values are texts and numbers, which need no JSON to be measured.
    const size =
      typeof value === 'number' ? LONGEST_NUMBER : Buffer.byteLength(text ?? JSON.stringify(value));
    bytes += name.length + size + 6;
  }
  return bytes;
}
