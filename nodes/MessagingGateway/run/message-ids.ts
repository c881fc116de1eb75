import { createHash, randomInt } from 'crypto';

/** The ids that the node makes: their least, and their number. */
const LEAST_ID = 2n ** 51n;
const IDS = 2n ** 53n - LEAST_ID;

/** Spreads the ids of neighbouring numbers by the golden section of IDS: more ids lie between any two than a list has rows. */
const SPREAD = 4_175_066_462_154_491n;

/**
 * Makes ids of messages (gateway-api.md, "Fields": `id` is a number), from 2^51 to 2^53. docs/internals/scale.md says how likely two
 * messages share an id. Numbers that people assign themselves lie below the range: rows, and timestamps down to microseconds.
 */
export class MessageIds {
  private readonly root: string;
  private readonly nodeName: string;
  private readonly firstIds = new Map<string, bigint>();

  /** The id that the first item would have with the number for which the last id was made. */
  private firstOfLast: number | undefined;

  /** Takes a text that stands for the node in an execution and in all its Retries, and the name of the node. */
  constructor(root: string, nodeName: string) {
    this.root = root;
    this.nodeName = nodeName;
  }

  /** Returns the id of a message, by its place among the runs of the node, its index in that place, and the number to which it goes. */
  make(place: string, index: number, phone: number): number {
    const firstId = this.firstIds.get(place) ?? numberOf([this.root, this.nodeName, place]);
    this.firstIds.set(place, firstId);
    // Sums of such numbers are beyond what a number holds exactly: two rows would have one id.
    const id = Number(LEAST_ID + ((firstId + BigInt(index) + BigInt(phone) * SPREAD) % IDS));
    this.firstOfLast = id - index;
    return id;
  }

  /** Returns two ids that nobody has sent: the one just below those that the rows to a number of the run may have, and one like no other. */
  unused(): readonly [number, number] {
    return [(this.firstOfLast ?? randomId()) - 1, randomId()];
  }
}

/** Returns a number below 2^64 that stands for texts. */
const numberOf = (parts: readonly string[]): bigint =>
  createHash('sha256').update(JSON.stringify(parts)).digest().readBigUInt64BE();

export const randomId = (): number => randomInt(2 ** 19, 2 ** 21 - 2) * 2 ** 32 + randomInt(2 ** 32);
