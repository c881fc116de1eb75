import { createHash, randomInt } from 'crypto';

/**
 * Creates message ids where the user enters none (gateway-api.md: `id` is a number).
 *
 * An id is a keyed permutation of [minute, 24 bits | execution, 15 bits | slot, 14 bits]. A permutation cannot map
 * two inputs to one output, so ids of one n8n instance collide only where the inputs do: where two executions whose
 * numbers are equal modulo 2^15 use the same minute. An execution that creates up to 2^14 ids uses the minute of its
 * first id, a larger one uses one minute per 2^14 ids; n8n numbers executions in sequence, so a collision needs 32,768
 * executions to begin within those minutes. Instances that share a gateway account have different permutations: with
 * n1 and n2 ids, n1 * n2 / 2^53 collisions between them are expected. `bench/id-collisions.mts` has figures.
 */

const MINUTE_BITS = 24;
const EXECUTION_BITS = 15;
const SLOT_BITS = 14;
const SLOTS = 2 ** SLOT_BITS;

// The permutation works on two halves: 26 high bits, 27 low bits.
const LOW_BITS = 27;
const HIGH_MASK = 2 ** 26 - 1;
const LOW_MASK = 2 ** LOW_BITS - 1;
const LOW_EXECUTION_BITS = LOW_BITS - SLOT_BITS;
const ROUNDS = 6;

const { imul } = Math;
const { isInteger } = Number;

const EPOCH_MS = Date.UTC(2025, 0, 1);
const MINUTE_MS = 60_000;

/** A block of 2^14 slots, identified by its minute and its execution bits. */
type Block = [minute: number, execution: number];
/** Slots of one run of one node: index of the block, first slot, number of slots. */
type SlotRange = [block: number, first: number, count: number];

/**
 * An execution's record of the ids it created. Plain JSON; the caller starts with an empty object and stores it with the
 * execution (`getContext('flow')`), so that a node that runs again finds its ids.
 */
export interface IdMemory {
  /** Execution that opened the last block. */
  owner?: string;
  blocks?: Block[];
  /** Number of slots used in the last block. */
  used?: number;
  /** Slots by node and run index. */
  runs?: Record<string, SlotRange[]>;
}

export interface IdMakerSettings {
  /** n8n's instance id: the key of the permutation. */
  instanceId: string;
  /** Number of the execution; any other string is hashed, and a random number replaces a missing one. */
  executionId?: string;
  /** Tells the nodes of a workflow apart: id or name of the node. */
  nodeKey: string;
  /** Which run of the node in this execution, from 0. */
  runIndex: number;
  /** Number of items, and so of ids. */
  count: number;
  /** Now, in milliseconds since 1970. */
  nowMs: number;
  /** Changed in place. */
  memory: IdMemory;
}

/**
 * Reserves ids for the items of one run of a node. Returns a function that takes the index of an item and returns its
 * id, a whole number from 1 to 2^53 - 1; it throws a RangeError for an index that isn't below `count`. With the same
 * memory, node and run, an item gets the same id again, whatever the time and the execution number; other nodes and
 * other runs get different ids.
 */
export function createIdMaker(settings: IdMakerSettings): (itemIndex: number) => number {
  const { instanceId, memory, count } = settings;
  const keys = roundKeys(instanceId);
  const ranges = reserve(settings);
  const blocks = memory.blocks ?? [];

  return (itemIndex) => {
    let offset = itemIndex;
    if (isInteger(itemIndex) && itemIndex >= 0 && itemIndex < count) {
      for (const [block, first, length] of ranges) {
        if (offset < length) return encode(blocks[block], first + offset, keys);
        offset -= length;
      }
    }
    throw new RangeError(`No id was reserved for item ${itemIndex} of ${count}`);
  };
}

/** Returns the slots of this run: those reserved before, and further ones where it needs more. */
function reserve({ executionId, nodeKey, runIndex, count, nowMs, memory }: IdMakerSettings): SlotRange[] {
  const runs = (memory.runs ??= {});
  const ranges = (runs[`${nodeKey}|${runIndex}`] ??= []);
  let missing = count - ranges.reduce((sum, [, , length]) => sum + length, 0);
  while (missing > 0) {
    const blocks = (memory.blocks ??= []);
    const owner = executionId ?? '';
    const used = memory.used ?? 0;
    if (blocks.length === 0 || memory.owner !== owner) {
      // An execution that n8n repeats from saved data inherits the memory of the original. Slots that the original
      // reserved are kept; new ones must differ from those that another repetition reserves.
      openBlock(blocks, [minuteOf(nowMs), executionBits(executionId)]);
      memory.owner = owner;
      memory.used = 0;
    } else if (used === SLOTS) {
      const [minute, execution] = blocks[blocks.length - 1];
      openBlock(blocks, [minute, execution]);
      memory.used = 0;
    } else {
      const length = Math.min(missing, SLOTS - used);
      ranges.push([blocks.length - 1, used, length]);
      memory.used = used + length;
      missing -= length;
    }
  }
  return ranges;
}

/** Appends the block at the next minute that this execution has not used. */
function openBlock(blocks: Block[], [minute, execution]: Block): void {
  let free = minute;
  while (blocks.some((block) => block[0] === free && block[1] === execution)) free = minuteInRange(free + 1);
  blocks.push([free, execution]);
}

function minuteOf(nowMs: number): number {
  return minuteInRange(Math.floor((nowMs - EPOCH_MS) / MINUTE_MS));
}

/** Minutes start over after 31 years. Minute 0 is left out, so that no input is 0. */
function minuteInRange(minute: number): number {
  const range = 2 ** MINUTE_BITS;
  return ((minute % range) + range) % range || 1;
}

function executionBits(executionId: string | undefined): number {
  const range = 2 ** EXECUTION_BITS;
  if (executionId === undefined || executionId === '') return randomInt(range);
  if (/^\d{1,15}$/.test(executionId)) return Number(executionId) % range;
  return createHash('sha256').update(executionId).digest().readUInt32BE() % range;
}

function roundKeys(instanceId: string): Int32Array {
  const digest = createHash('sha256').update(`messaging-gateway message ids\n${instanceId}`).digest();
  return Int32Array.from({ length: ROUNDS }, (_, round) => digest.readInt32BE(round * 4));
}

function encode([minute, execution]: Block, slot: number, keys: Int32Array): number {
  const high = (minute << (EXECUTION_BITS - LOW_EXECUTION_BITS)) | (execution >>> LOW_EXECUTION_BITS);
  const low = ((execution << SLOT_BITS) & LOW_MASK) | slot;
  // The input is never 0, so at most one input maps to 0; it gets the output that 0 itself would have.
  return permute(high, low, keys) || permute(0, 0, keys);
}

/**
 * A Feistel network with halves of 26 and 27 bits: each round changes one half by a function of the other, which
 * can be undone, so the whole is one-to-one. It spreads ids over the range; it isn't meant to keep them secret.
 */
function permute(high: number, low: number, keys: Int32Array): number {
  let left = high;
  let right = low;
  for (let round = 0; round < ROUNDS; round += 2) {
    left ^= mix(right ^ keys[round]) & HIGH_MASK;
    right ^= mix(left ^ keys[round + 1]) & LOW_MASK;
  }
  return left * 2 ** LOW_BITS + right;
}

/** The finalizer of MurmurHash3, in 32-bit arithmetic. */
function mix(value: number): number {
  let hash = value;
  hash = imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
