/** A gateway on virtual time, as one of worlds.mts has it. It shares no code and no words with the node. */
import type { Random } from '../simulation/random.mts';
import type { Clock } from './clock.mts';
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

interface Item {
  success: boolean;
  error?: string;
  data: Record<string, unknown>;
}

type Results = Item[] | { refused: string } | { code: number; retryAfter?: number };

/** Who sends: an execution, in the order of their begin; Retries are executions of one chain. */
export interface Sender {
  execution: number;
  chain: number;
}

const TIME_LIMIT_MS = 60_000;

const WORDS = {
  words: 'Kunde nicht gefunden',
  'fault words': 'Internal server error',
  'no words': '',
  denied: 'Access denied',
  'row words': 'Number is barred',
  'row fault words': 'Database error',
  'duplicate words': 'Duplicate id',
} as const;

export class Gateway {
  readonly world: World;

  /** Who sent what was taken, by id. */
  readonly takes = new Map<number, Sender[]>();

  /** Ids of rows that a queue took to refuse them later. */
  readonly refusedLater = new Set<number>();

  /** Ids that the gateway had before all executions. */
  readonly older = new Set<number>();

  /** Ids of rows that it would refuse. */
  readonly bad = new Set<number>();

  private readonly clock: Clock;

  private readonly random: Random;

  private readonly lagMs: number;

  private readonly startedAt: number;

  /** What `status` finds, by as much of the id as is kept, in the order of time. */
  private readonly log = new Map<
    number,
    Array<{ knownAt: number; id: number; type: string; state: string }>
  >();

  private later: Array<{ at: number; take(): void }> = [];

  /** When what is being done is done, where that is not now. */
  private doneAt: number | undefined;

  private second = { at: 0, rows: 0 };

  private paid = 0;

  constructor(world: World, clock: Clock, random: Random, isUpToDate: boolean) {
    this.world = world;
    this.clock = clock;
    this.random = random;
    this.startedAt = clock.now;
    this.lagMs = isUpToDate ? 0 : 1000 * (world.status?.lagSeconds ?? 1.9 * random.next());
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
    const { always, untilSeconds = Infinity } = world;
    this.catchUp();
    const isAlways = always && clock.now - this.startedAt < 1000 * untilSeconds;
    const [says, takes] = ((isAlways && always) || wrong || '').split('/');
    // What `status` doesn't know yet, or never, nobody could find out: that is a world of its own.
    const isUnseen = endpoint === 'async' || sent.some(({ type }) => type === 'call/otp');
    const isLie = isUnseen && !world.liesUnseen && /^(4|words|row words)/.test(says);
    if (says === 'unreached') return failure('unreachable', 'ECONNREFUSED');
    clock.pass(80);
    const work = (rows: Operation[]): Results => this.work(endpoint, rows, sender);
    if (!says) return this.respond(endpoint, work(sent));
    if (takes === 'late') {
      const at = clock.now + 1000 * this.random.pick(world.lateSeconds ?? [10]);
      this.later.push({ at, take: () => void work(sent) });
    }
    const taken = isLie
      ? []
      : takes === 'all'
        ? work(sent)
        : takes === 'half'
          ? work(sent.slice(0, Math.ceil(sent.length / 2)))
          : [];
    return await this.fail(endpoint, says, sent, taken);
  }

  /** Answers a question. */
  async ask(sent: Operation[], wrong?: Fault): Promise<Reply> {
    const { clock, world, random } = this;
    const { down = 0, most = Infinity, mostSays, denied, noise } = world.status ?? {};
    const { always, untilSeconds = Infinity } = world;
    this.catchUp();
    const isAlways = always && clock.now - this.startedAt < 1000 * untilSeconds;
    const says = isAlways ? always : random.chance(down) ? '503/none' : denied ? 'denied/none' : wrong;
    if (says?.startsWith('unreached')) return failure('unreachable', 'ECONNREFUSED');
    clock.pass(60);
    if (says) return await this.fail('sync', says.split('/')[0], sent, []);
    if (sent.length > most && mostSays !== 'first ones')
      return mostSays === '413' ? page(413) : json({ success: false, error: 'Zu viele' });
    const items = sent.slice(0, most).map(({ id }) => this.stateOf(id));
    if (noise) for (const { data } of items) data[noise] = noise === 'time' ? clock.now : random.next();
    return json({ success: true, data: items });
  }

  private stateOf(id: number): Item {
    const { unknown = 'error', blind, forgets = 0, hiddenSeconds = 0, lacks } = this.world.status ?? {};
    if (blind !== undefined) return { success: false, error: blind, data: { id } };
    const entries = this.log.get(this.kept(id)) ?? [];
    const entry = entries.findLast(({ knownAt }) => knownAt <= this.clock.now);
    const isHidden =
      !entry ||
      entry.type === 'call/otp' ||
      lacks?.includes(entry.type) ||
      this.clock.now - entry.knownAt < 1000 * hiddenSeconds ||
      this.random.chance(forgets);
    if (!isHidden) return { success: true, data: { id, msg_id: entry.id % 1e9, status: entry.state } };
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
    const {
      most = Infinity,
      mostSays,
      badRow,
      money,
      noMoney,
      rowsPerSecond = Infinity,
      retryAfter,
    } = this.world;
    if (rows.length > most) return mostSays === '413' ? { code: 413 } : { refused: 'Zu viele auf einmal' };
    if (this.clock.now - this.second.at >= 1000) this.second = { at: this.clock.now, rows: 0 };
    if (this.second.rows + rows.length > rowsPerSecond) return { code: 429, retryAfter };
    this.second.rows += rows.length;
    const logAll = (): void => rows.forEach((row) => this.logRefusal(row));
    if (badRow && endpoint === 'sync' && rows.some(({ id }) => this.bad.has(id))) {
      if (badRow === '403') return { code: 403 };
      if (badRow === 'request') {
        logAll();
        return { refused: 'Phone number is not valid' };
      }
    }
    if (money !== undefined && noMoney === 'request' && this.paid + rows.length > money) {
      logAll();
      return { refused: 'Guthaben aufgebraucht' };
    }
    return rows.map((row) => this.takeRow(endpoint, row, sender));
  }

  private takeRow(endpoint: Endpoint, row: Operation, sender: Sender): Item {
    const { id } = row;
    const { refusesRepeated, money = Infinity } = this.world;
    const takes = this.takes.get(id) ?? [];
    const isRepeated = refusesRepeated && (takes.length > 0 || this.older.has(id));
    const error = this.bad.has(id)
      ? WORDS['row words']
      : isRepeated
        ? WORDS['duplicate words']
        : this.paid >= money
          ? 'Guthaben aufgebraucht'
          : undefined;
    if (error !== undefined) {
      // A queue tells of it later, as the contract says.
      if (endpoint === 'async' && !isRepeated) this.write(row, 'REJECTED');
      else if (!isRepeated) this.logRefusal(row);
      if (endpoint === 'async') this.refusedLater.add(id);
      return { success: false, error, data: { id } };
    }
    this.paid += 1;
    this.takes.set(id, [...takes, sender]);
    // It takes a while until what is in a queue is known.
    const queueMs = endpoint === 'async' && this.lagMs > 0 ? 1000 * (this.world.queueSeconds ?? 20) : 0;
    this.write(row, this.world.status?.ownState ?? 'ACCEPTED', this.lagMs + queueMs);
    return { success: true, data: { id, msg_id: id % 1e9, parts: 1 } };
  }

  private logRefusal(row: Operation): void {
    const { logsRefused } = this.world;
    if (logsRefused) this.write(row, logsRefused);
  }

  private write({ id, type }: Pick<Operation, 'id' | 'type'>, state: string, inMs = this.lagMs): void {
    const key = this.kept(id);
    const entry = { knownAt: (this.doneAt ?? this.clock.now) + inMs, id, type, state };
    const entries = this.log.get(key);
    if (entries) entries.push(entry);
    else this.log.set(key, [entry]);
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
    if ('refused' in results) return json({ success: false, error: results.refused });
    if ('code' in results) return page(results.code, results.retryAfter);
    if (endpoint === 'async') return json({ success: true, request_id: `r${this.clock.now}` });
    return json({ success: true, data: results });
  }

  private async fail(endpoint: Endpoint, says: string, sent: Operation[], taken: Results): Promise<Reply> {
    const results = (error?: string): Item[] =>
      sent.map(({ id }) => ({
        success: error === undefined,
        ...(error !== undefined && { error }),
        data: { id },
      }));
    switch (says) {
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
        return json(JSON.stringify({ success: true, data: results() }).slice(0, -9));
      case 'short':
      case 'mixed': {
        if (endpoint === 'async' || !Array.isArray(taken)) return json('');
        return json({ success: true, data: says === 'short' ? taken.slice(1) : taken.reverse() });
      }
      case 'row words':
      case 'row fault words':
      case 'duplicate words':
        if (endpoint === 'async') return json({ success: false, error: WORDS[says] });
        return json({ success: true, data: results(WORDS[says]) });
      case 'words':
      case 'fault words':
      case 'no words':
      case 'denied':
        return json({ success: false, error: WORDS[says] });
      default: {
        const [code, retryAfter] = says.split(' ').map(Number);
        return page(code, retryAfter);
      }
    }
  }
}

const json = (body: unknown): Reply => ({
  kind: 'answer',
  status: 200,
  contentType: 'application/json',
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

const page = (status: number, retryAfter?: number): Reply => ({
  kind: 'answer',
  status,
  contentType: 'text/html',
  ...(retryAfter !== undefined && { retryAfter }),
  body: '<html><body>Gateway</body></html>',
});

const failure = (kind: string, code?: string): Reply => ({
  kind: 'failure',
  problem: { kind, ...(code !== undefined && { code }) },
  mayHaveArrived: kind !== 'unreachable',
});
