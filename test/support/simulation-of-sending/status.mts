/** What a gateway writes down of messages, and what its `status` makes of that (`StatusManners` in worlds.mts). */
import type { VirtualClock } from '../simulation/clock.mts';
import type { Random } from '../simulation/random.mts';
import type { Item, Message } from './protocol.mts';
import type { StatusManners } from './worlds.mts';

interface Entry extends Message {
  knownAt: number;
  state: string;
}

export class StatusLog {
  /** Milliseconds after which it shows what is written down. */
  readonly lagMs: number;
  private readonly manners: StatusManners;
  private readonly clock: VirtualClock;
  private readonly random: Random;
  private readonly blind: string | undefined;

  /** By as much of the id as is kept, in the order of time. */
  private readonly entries = new Map<number, Entry[]>();

  constructor(manners: StatusManners, clock: VirtualClock, random: Random) {
    const { lagSeconds = 1.9 * random.next(), blind } = manners;
    this.manners = manners;
    this.clock = clock;
    this.random = random;
    this.lagMs = 1000 * lagSeconds;
    this.blind = blind && random.pick(blind);
  }

  write({ id, type }: Message, state: string, at: number): void {
    const entry = { id, type, state, knownAt: at + this.lagMs };
    const entries = this.entries.get(this.kept(id));
    if (entries) entries.push(entry);
    else this.entries.set(this.kept(id), [entry]);
  }

  say(messages: readonly Message[]): Item[] {
    const { noise } = this.manners;
    const items = messages.map(({ id }) => this.stateOf(id));
    if (noise === 'time') for (const { data } of items) data.time = this.clock.now;
    if (noise === 'trace') for (const { data } of items) data.trace = this.random.next();
    return items;
  }

  private stateOf(id: number): Item {
    const { unknown, forgets = 0, hiddenSeconds = 0, memoryHours = Infinity, lacks } = this.manners;
    if (this.blind !== undefined) return { success: false, error: this.blind, data: { id } };
    const { now } = this.clock;
    const entry = this.entries.get(this.kept(id))?.findLast(({ knownAt }) => knownAt <= now);
    const isLacked = entry && (entry.type === 'call/otp' || lacks?.includes(entry.type));
    const ageMs = now - (entry?.knownAt ?? 0);
    const isHidden = ageMs < 1000 * hiddenSeconds || ageMs > 3_600_000 * memoryHours;
    if (entry && !isLacked && !isHidden && !this.random.chance(forgets))
      return { success: true, data: { id, msg_id: entry.id % 1e9, status: entry.state } };
    if (unknown === 'success') return { success: true, data: { id, status: 'UNKNOWN' } };
    const error = unknown === 'error with id' ? `No message ${id}` : 'Message not found';
    return { success: false, error, data: { id } };
  }

  /** What of an id its table holds. */
  private kept(id: number): number {
    const { cut } = this.manners;
    return cut === '32 bits' ? Math.min(id, 2 ** 31 - 1) : cut === '6 digits' ? id % 1_000_000 : id;
  }
}
