/** A gateway on virtual time, as one of worlds.mts has it. It shares no code and no words with the node. */
import type { Random } from '../simulation/random.mts';
import type { Clock } from './clock.mts';
import { cut, failure, json, page, refusal } from './protocol.mts';
import type { Endpoint, Item, Message, Operation, Reply } from './protocol.mts';
import { StatusLog } from './status.mts';
import { WORDS } from './worlds.mts';
import type { Fault, World } from './worlds.mts';

/** Who sends: an execution, in the order of their begin; Retries are executions of one chain. */
export interface Sender {
  execution: number;
  chain: number;
}

/** What is true of messages, by id. */
export class Facts {
  /** Who sent what was taken. */
  readonly taken = new Map<number, Sender[]>();

  /** What a queue took to refuse it later. */
  readonly refusedLater = new Set<number>();

  /** What the gateway had before all executions. */
  readonly older = new Set<number>();

  /** Rows that can't be sent. */
  readonly bad = new Set<number>();

  /** Which executions heard what became of a request with it; `lost` for one that went wrong, or that nobody heard of. */
  readonly heardBy = new Map<number, Set<number | 'lost'>>();
}

/** A request, and when it is worked on. */
interface Work {
  endpoint: Endpoint;
  sender: Sender;
  at: number;
}

type Results = Item[] | { refused: string } | { code: number; retryAfter?: number };

const TIME_LIMIT_MS = 60_000;

/** How much of a request that goes wrong is taken at once. */
const SHARES: Record<string, number> = { none: 0, half: 0.5, all: 1, late: 0 };

export class Gateway {
  readonly facts = new Facts();
  private readonly world: World;
  private readonly clock: Clock;
  private readonly random: Random;
  private readonly log: StatusLog;
  private readonly closedUntil: number;

  /** What is taken late. */
  private later: Array<{ at: number; take(): void }> = [];

  /** Rows that were taken within the current second, and in all. */
  private readonly counts = { since: 0, inSecond: 0, inAll: 0 };

  constructor(world: World, clock: Clock, random: Random) {
    this.world = world;
    this.clock = clock;
    this.random = random;
    this.log = new StatusLog(world.status ?? {}, clock, random);
    this.closedUntil = world.always ? clock.now + 1000 * (world.untilSeconds ?? Infinity) : 0;
  }

  /** Puts a message there from an hour ago. */
  addOlder(message: Message, state: string): void {
    if (state !== 'REJECTED') this.facts.older.add(message.id);
    this.log.write(message, state, this.clock.now - 3_600_000);
  }

  /** Lets everything happen that is still to come. */
  finish(): void {
    this.clock.pass(3_600_000);
    this.catchUp();
  }

  /** Answers a request with messages. */
  send(endpoint: Endpoint, sent: Operation[], sender: Sender, wrong?: Fault): Reply {
    const { world, clock, random } = this;
    const fault = this.meet(wrong);
    const work = (rows: Operation[], at = clock.now): Results => this.work(rows, { endpoint, sender, at });
    if (!fault) return respond(endpoint, work(sent));
    const [says, takes] = fault.split('/');
    if (takes === 'late') {
      const at = clock.now + 1000 * random.pick(world.lateSeconds ?? [10]);
      this.later.push({ at, take: () => void work(sent, at) });
    }
    // It takes nothing that it refuses where `status` doesn't show that: nobody could find out.
    const isUnseen = endpoint === 'async' || sent.some(({ type }) => type === 'call/otp');
    const isLie = /^(4(?!08)|words|row words)/.test(says);
    const share = isUnseen && isLie ? 0 : SHARES[takes];
    const results = work(sent.slice(0, Math.ceil(share * sent.length)));
    if (says === 'timeout') clock.pass(TIME_LIMIT_MS);
    return replyThatSays(says, endpoint, sent, results);
  }

  /** Answers a question. */
  ask(sent: Operation[], wrong?: Fault): Reply {
    const { down = 0, most = Infinity, mostSays, denied } = this.world.status ?? {};
    const fault = this.meet(this.random.chance(down) ? '503/none' : denied ? 'denied/none' : wrong);
    if (fault) return replyThatSays(fault.split('/')[0], 'sync', sent, []);
    if (sent.length > most) return mostSays === '413' ? page(413) : refusal('Zu viele');
    return json({ success: true, data: this.log.say(sent) });
  }

  /** Lets a request arrive, unless nothing listens. Returns what goes wrong with it. */
  private meet(wrong: Fault | undefined): Fault | undefined {
    this.catchUp();
    const fault = this.clock.now < this.closedUntil ? this.world.always : wrong;
    if (!fault?.startsWith('unreached')) this.clock.pass(80);
    return fault;
  }

  private catchUp(): void {
    if (this.later.length === 0) return;
    const { now } = this.clock;
    const due = this.later.filter(({ at }) => at <= now);
    this.later = this.later.filter(({ at }) => at > now);
    for (const { take } of due) take();
  }

  /** Does what a request wants, and returns what the gateway has to say of it. */
  private work(rows: Operation[], work: Work): Results {
    const { counts, world, facts } = this;
    const { most = Infinity, rowsPerSecond = Infinity, money = Infinity, badRow } = world;
    if (rows.length > most)
      return world.mostSays === '413' ? { code: 413 } : { refused: 'Zu viele auf einmal' };
    if (work.at - counts.since >= 1000) Object.assign(counts, { since: work.at, inSecond: 0 });
    if (counts.inSecond + rows.length > rowsPerSecond) return { code: 429, retryAfter: world.retryAfter };
    counts.inSecond += rows.length;
    const refuseAll = (refused: string): Results => {
      for (const row of rows) this.logRefusal(row, work.at);
      return { refused };
    };
    if (badRow && work.endpoint === 'sync' && rows.some(({ id }) => facts.bad.has(id)))
      return badRow === '403' ? { code: 403 } : refuseAll('Phone number is not valid');
    if (world.noMoney === 'request' && counts.inAll + rows.length > money)
      return refuseAll('Guthaben aufgebraucht');
    return rows.map((row) => this.takeRow(row, work));
  }

  private takeRow(row: Operation, { endpoint, sender, at }: Work): Item {
    const { id } = row;
    const { taken, older, bad, refusedLater } = this.facts;
    const { refusesRepeated, money = Infinity, queueSeconds = 20, status } = this.world;
    const takes = taken.get(id) ?? [];
    if (refusesRepeated && (takes.length > 0 || older.has(id)))
      return { success: false, error: 'Duplicate id', data: { id } };
    if (bad.has(id) || this.counts.inAll >= money) {
      // A queue tells of it later, as the contract says.
      if (endpoint === 'async') refusedLater.add(id);
      this.logRefusal(row, at, endpoint === 'async' ? 'REJECTED' : undefined);
      return { success: false, error: 'Number is barred', data: { id } };
    }
    this.counts.inAll += 1;
    taken.set(id, [...takes, sender]);
    const queueMs = endpoint === 'async' && this.log.lagMs > 0 ? 1000 * queueSeconds : 0;
    this.log.write(row, status?.ownState ?? 'ACCEPTED', at + queueMs);
    return { success: true, data: { id, msg_id: id % 1e9, parts: 1 } };
  }

  private logRefusal(row: Operation, at: number, state: string | undefined = this.world.logsRefused): void {
    if (state) this.log.write(row, state, at);
  }
}

function respond(endpoint: Endpoint, results: Results): Reply {
  if ('refused' in results) return refusal(results.refused);
  if ('code' in results) return page(results.code, results.retryAfter);
  return json(endpoint === 'async' ? { success: true, request_id: 'r1' } : { success: true, data: results });
}

/** The reply to a request that goes wrong; `results`: those that its rows would have. */
function replyThatSays(says: string, endpoint: Endpoint, sent: Operation[], results: Results): Reply {
  const data = Array.isArray(results) && endpoint === 'sync' ? results : [];
  switch (says) {
    case 'unreached':
      return failure({ kind: 'unreachable', code: 'ECONNREFUSED' });
    case 'reset':
      return failure({ kind: 'connectionLost', code: 'ECONNRESET' });
    case 'timeout':
      return failure({ kind: 'timeout' });
    case 'html':
      return page(200);
    case 'empty':
      return cut('', 0);
    case 'cut':
      return cut({ success: true, data }, -9);
    case 'short':
    case 'mixed':
      if (data.length === 0) return cut('', 0);
      return json({ success: true, data: says === 'short' ? data.slice(1) : data.reverse() });
  }
  const words = WORDS[says as keyof typeof WORDS] as string | undefined;
  if (words === undefined) {
    const [code, retryAfter] = says.split(' ').map(Number);
    return page(code, retryAfter);
  }
  if (!says.startsWith('row') || endpoint === 'async') return refusal(words);
  return json({
    success: true,
    data: sent.map(({ id }) => ({ success: false, error: words, data: { id } })),
  });
}
