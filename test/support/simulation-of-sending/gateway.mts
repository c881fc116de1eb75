/** A gateway on virtual time, as one of worlds.mts has it. It shares no code and no words with the node. */
import type { Random } from '../simulation/random.mts';
import type { Clock } from './clock.mts';
import { WORDS } from './worlds.mts';
import type { Fault, World } from './worlds.mts';

export interface Operation {
  type: string;
  id: number;
  [field: string]: unknown;
}

export type Endpoint = 'sync' | 'async';

/** What a transport of the client resolves to (nodes/gateway/client/transport.ts). */
export type Reply =
  | { kind: 'answer'; status: number; contentType: string; retryAfter?: number; body: string }
  | { kind: 'failure'; problem: { kind: string; code?: string }; mayHaveArrived: boolean };

/** Who sends: an execution, in the order of their begin; Retries are executions of one chain. */
export interface Sender {
  execution: number;
  chain: number;
}

interface Item {
  success: boolean;
  error?: string;
  data: Record<string, unknown>;
}

type Results = Item[] | { refused: string } | { code: number; retryAfter?: number };

const TIME_LIMIT_MS = 60_000;

/** How much of a request that goes wrong is taken at once. */
const SHARES: Record<string, number> = { none: 0, half: 0.5, all: 1, late: 0 };

export class Gateway {
  /** Who sent what was taken, by id. */
  readonly takes = new Map<number, Sender[]>();

  /** Ids of rows that a queue took to refuse them later. */
  readonly refusedLater = new Set<number>();

  /** Ids that it had before all executions. */
  readonly older = new Set<number>();

  /** Ids of rows that it would refuse. */
  readonly bad = new Set<number>();

  private readonly world: World;
  private readonly clock: Clock;
  private readonly random: Random;
  private readonly lagMs: number;
  private readonly closedUntil: number;
  private readonly blind: string | undefined;

  /** What `status` finds, by as much of the id as is kept, in the order of time. */
  private readonly log = new Map<
    number,
    Array<{ knownAt: number; id: number; type: string; state: string }>
  >();

  private later: Array<{ at: number; take(): void }> = [];

  /** When what is being done was done, where that is not now. */
  private doneAt: number | undefined;
  private second = { at: 0, rows: 0 };
  private paid = 0;

  constructor(world: World, clock: Clock, random: Random, isUpToDate: boolean) {
    this.world = world;
    this.clock = clock;
    this.random = random;
    const { status: { lagSeconds = 1.9 * random.next(), blind } = {}, untilSeconds = Infinity } = world;
    this.lagMs = isUpToDate ? 0 : 1000 * lagSeconds;
    this.blind = blind && random.pick(blind);
    this.closedUntil = world.always ? clock.now + 1000 * untilSeconds : 0;
  }

  /** Puts a message there from an hour ago. */
  addOlder(id: number, type: string, state: string): void {
    if (state !== 'REJECTED') this.older.add(id);
    this.write({ id, type }, state, -3_600_000);
  }

  /** Lets everything happen that is still to come. */
  finish(): void {
    this.clock.pass(3_600_000);
    this.catchUp();
  }

  /** Answers a request with messages. */
  async send(endpoint: Endpoint, sent: Operation[], sender: Sender, wrong?: Fault): Promise<Reply> {
    const { world, clock } = this;
    const fault = this.meet(wrong);
    const work = (rows: Operation[]): Results => this.work(endpoint, rows, sender);
    if (!fault) return this.respond(endpoint, work(sent));
    const [says, takes] = fault.split('/');
    if (takes === 'late') {
      const at = clock.now + 1000 * this.random.pick(world.lateSeconds ?? [10]);
      this.later.push({ at, take: () => void work(sent) });
    }
    // What `status` doesn't know yet, or never, nobody could find out: that is a world of its own.
    const isUnseen = endpoint === 'async' || sent.some(({ type }) => type === 'call/otp');
    const isLie = /^(4(?!08)|words|row words)/.test(says);
    const share = isUnseen && isLie && !world.liesUnseen ? 0 : SHARES[takes];
    return await this.fail(endpoint, says, sent, work(sent.slice(0, Math.ceil(share * sent.length))));
  }

  /** Answers a question. */
  async ask(sent: Operation[], wrong?: Fault): Promise<Reply> {
    const { clock, random } = this;
    const { down = 0, most = Infinity, mostSays, denied, noise } = this.world.status ?? {};
    const fault = this.meet(random.chance(down) ? '503/none' : denied ? 'denied/none' : wrong);
    if (fault) return await this.fail('sync', fault.split('/')[0], sent, []);
    if (sent.length > most && mostSays !== 'first ones')
      return mostSays === '413' ? page(413) : refusal('Zu viele');
    const items = sent.slice(0, most).map(({ id }) => this.stateOf(id));
    if (noise) for (const { data } of items) data[noise] = noise === 'time' ? clock.now : random.next();
    return json({ success: true, data: items });
  }

  /** Lets a request arrive, unless nothing listens. Returns what goes wrong with it. */
  private meet(wrong: Fault | undefined): Fault | undefined {
    this.catchUp();
    const fault = this.clock.now < this.closedUntil ? this.world.always : wrong;
    if (!fault?.startsWith('unreached')) this.clock.pass(80);
    return fault;
  }

  private stateOf(id: number): Item {
    const { unknown = 'error', forgets = 0, hiddenSeconds = 0, lacks } = this.world.status ?? {};
    if (this.blind !== undefined) return { success: false, error: this.blind, data: { id } };
    const { now } = this.clock;
    const entry = this.log.get(this.kept(id))?.findLast(({ knownAt }) => knownAt <= now);
    const isLacked = entry && (entry.type === 'call/otp' || lacks?.includes(entry.type));
    const isHidden = entry && now - entry.knownAt < 1000 * hiddenSeconds;
    if (entry && !isLacked && !isHidden && !this.random.chance(forgets))
      return { success: true, data: { id, msg_id: entry.id % 1e9, status: entry.state } };
    if (unknown === 'success') return { success: true, data: { id, status: 'UNKNOWN' } };
    const error = unknown === 'error' ? 'Message not found' : `No message ${id}`;
    return { success: false, error, data: { id } };
  }

  /** What of an id its table holds. */
  private kept(id: number): number {
    const { cut } = this.world.status ?? {};
    return cut === '32 bits' ? Math.min(id, 2 ** 31 - 1) : cut === '6 digits' ? id % 1_000_000 : id;
  }

  /** Does what a request wants, and returns what the gateway has to say of it. */
  private work(endpoint: Endpoint, rows: Operation[], sender: Sender): Results {
    const { most = Infinity, mostSays, badRow, rowsPerSecond = Infinity, retryAfter } = this.world;
    const { money = Infinity, noMoney } = this.world;
    if (rows.length > most) return mostSays === '413' ? { code: 413 } : { refused: 'Zu viele auf einmal' };
    if (this.clock.now - this.second.at >= 1000) this.second = { at: this.clock.now, rows: 0 };
    if (this.second.rows + rows.length > rowsPerSecond) return { code: 429, retryAfter };
    this.second.rows += rows.length;
    const refuseAll = (refused: string): Results => {
      rows.forEach((row) => this.logRefusal(row));
      return { refused };
    };
    if (badRow && endpoint === 'sync' && rows.some(({ id }) => this.bad.has(id)))
      return badRow === '403' ? { code: 403 } : refuseAll('Phone number is not valid');
    if (noMoney === 'request' && this.paid + rows.length > money) return refuseAll('Guthaben aufgebraucht');
    return rows.map((row) => this.takeRow(endpoint, row, sender));
  }

  private takeRow(endpoint: Endpoint, row: Operation, sender: Sender): Item {
    const { id } = row;
    const { refusesRepeated, money = Infinity, queueSeconds = 20, status } = this.world;
    const takes = this.takes.get(id) ?? [];
    if (refusesRepeated && (takes.length > 0 || this.older.has(id)))
      return { success: false, error: 'Duplicate id', data: { id } };
    if (this.bad.has(id) || this.paid >= money) {
      // A queue tells of it later, as the contract says.
      if (endpoint === 'async') this.refusedLater.add(id);
      this.logRefusal(row, endpoint === 'async' ? 'REJECTED' : undefined);
      return { success: false, error: 'Number is barred', data: { id } };
    }
    this.paid += 1;
    this.takes.set(id, [...takes, sender]);
    const queueMs = endpoint === 'async' && this.lagMs > 0 ? 1000 * queueSeconds : 0;
    this.write(row, status?.ownState ?? 'ACCEPTED', this.lagMs + queueMs);
    return { success: true, data: { id, msg_id: id % 1e9, parts: 1 } };
  }

  private logRefusal(row: Operation, state: string | undefined = this.world.logsRefused): void {
    if (state) this.write(row, state);
  }

  private write({ id, type }: Pick<Operation, 'id' | 'type'>, state: string, inMs = this.lagMs): void {
    const entry = { knownAt: (this.doneAt ?? this.clock.now) + inMs, id, type, state };
    const entries = this.log.get(this.kept(id));
    if (entries) entries.push(entry);
    else this.log.set(this.kept(id), [entry]);
  }

  private catchUp(): void {
    if (this.later.length === 0) return;
    const due = this.later.filter(({ at }) => at <= this.clock.now);
    this.later = this.later.filter(({ at }) => at > this.clock.now);
    for (const { at, take } of due) {
      this.doneAt = at;
      take();
    }
    this.doneAt = undefined;
  }

  private respond(endpoint: Endpoint, results: Results): Reply {
    if ('refused' in results) return refusal(results.refused);
    if ('code' in results) return page(results.code, results.retryAfter);
    if (endpoint === 'async') return json({ success: true, request_id: `r${this.clock.now}` });
    return json({ success: true, data: results });
  }

  private async fail(endpoint: Endpoint, says: string, sent: Operation[], taken: Results): Promise<Reply> {
    const results = Array.isArray(taken) ? taken : [];
    switch (says) {
      case 'unreached':
        return failure('unreachable', 'ECONNREFUSED');
      case 'reset':
        return failure('connectionLost', 'ECONNRESET');
      case 'timeout':
        await this.clock.sleep(TIME_LIMIT_MS);
        return failure('timeout');
      case 'html':
        return page(200);
      case 'empty':
        return json('');
      case 'cut':
        return json(JSON.stringify({ success: true, data: results }).slice(0, -9));
      case 'short':
        return endpoint === 'async' ? json('') : json({ success: true, data: results.slice(1) });
      case 'mixed':
        return endpoint === 'async' ? json('') : json({ success: true, data: results.reverse() });
      case 'row words':
      case 'row fault words': {
        const error = WORDS[says];
        if (endpoint === 'async') return refusal(error);
        return json({ success: true, data: sent.map(({ id }) => ({ success: false, error, data: { id } })) });
      }
      default: {
        if (says in WORDS) return refusal(WORDS[says as keyof typeof WORDS]);
        const [code, retryAfter] = says.split(' ').map(Number);
        return page(code, retryAfter);
      }
    }
  }
}

const answer = (status: number, contentType: string, body: string): Reply & { kind: 'answer' } => ({
  kind: 'answer',
  status,
  contentType,
  body,
});

const json = (body: unknown): Reply =>
  answer(200, 'application/json', typeof body === 'string' ? body : JSON.stringify(body));

const refusal = (error: string): Reply => json({ success: false, error });

const page = (status: number, retryAfter?: number): Reply => ({
  ...answer(status, 'text/html', '<html><body>Gateway</body></html>'),
  ...(retryAfter !== undefined && { retryAfter }),
});

const failure = (kind: string, code?: string): Reply => ({
  kind: 'failure',
  problem: { kind, ...(code !== undefined && { code }) },
  mayHaveArrived: kind !== 'unreachable',
});
