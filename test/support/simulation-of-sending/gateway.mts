/** A gateway on virtual time, as one of worlds.mts has it. It shares no code and no words with the node. */
import type { VirtualClock } from '../simulation/clock.mts';
import type { Random } from '../simulation/random.mts';
import { cut, json, page, refusal } from './protocol.mts';
import type { Endpoint, Item, Message, Operation, Reply } from './protocol.mts';
import { StatusLog } from './status.mts';
import { WORDS } from './worlds.mts';
import type { Fault, World } from './worlds.mts';

/** Who sends: an execution, in the order of their begin; Retries are executions of one chain. */
export interface Sender {
  execution: number;
  chain: number;
}

/** A message that was taken, and when its request left. */
interface Take extends Sender {
  leftAt: number;
}

/** What is true of messages, by number: each message has one of its own, whatever its id. */
export class Facts {
  /** Who sent what was taken. */
  readonly taken = new Map<number, Take[]>();

  /** What a queue took to refuse it later. */
  readonly refusedLater = new Set<number>();

  /** The ids that the gateway had before all executions. */
  readonly older = new Set<number>();

  /** Which executions heard what became of a request with it; `lost` for one that went wrong, or that nobody heard of. */
  readonly heardBy = new Map<number, Set<number | 'lost'>>();
}

/** Whether the gateway can't send to a number. */
export const isBad = (phone: number): boolean => String(phone).startsWith('38093');

/** A request, and who sent it. */
interface Work {
  endpoint: Endpoint;
  sender: Take;
}

type Results = Item[] | { refused: string } | { code: number; retryAfter?: number };

const TIME_LIMIT_MS = 60_000;

/** How much of a request that goes wrong is taken at once. */
const SHARES: Record<string, number> = { none: 0, half: 0.5, all: 1, late: 0 };

export class Gateway {
  readonly facts = new Facts();
  private readonly world: World;
  private readonly clock: VirtualClock;
  private readonly random: Random;
  private readonly log: StatusLog;
  private readonly closedUntil: number;

  /** The ids of all that was taken. */
  private readonly ids = new Set<number>();

  /** Rows that were taken within the current second, and in all. */
  private readonly counts = { since: 0, inSecond: 0, inAll: 0 };

  constructor(world: World, clock: VirtualClock, random: Random) {
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

  /** Answers a request with messages. */
  async send(endpoint: Endpoint, sent: Operation[], by: Sender, wrong?: Fault): Promise<Reply> {
    const { world, clock, random } = this;
    const sender = { ...by, leftAt: clock.now };
    const fault = await this.meet(wrong);
    const work = (rows: Operation[]): Results => this.work(rows, { endpoint, sender });
    if (!fault) return respond(endpoint, work(sent));
    const [says, takes] = fault.split('/');
    if (takes === 'late') clock.after(1000 * random.pick(world.lateSeconds ?? [10]), () => void work(sent));
    // It takes nothing that it refuses where `status` doesn't show that: nobody could find out.
    const isUnseen = endpoint === 'async' || sent.some(({ type }) => type === 'call/otp');
    const isLie = /^(4(?!08)|words|row words)/.test(says);
    const share = isUnseen && isLie ? 0 : SHARES[takes];
    const results = work(sent.slice(0, Math.ceil(share * sent.length)));
    if (says === 'timeout') await clock.sleep(TIME_LIMIT_MS);
    return replyThatSays(says, endpoint, sent, results);
  }

  /** Answers a question. */
  async ask(sent: Message[], wrong?: Fault): Promise<Reply> {
    const { down = 0, most = Infinity, mostSays, denied } = this.world.status ?? {};
    const fault = await this.meet(this.random.chance(down) ? '503/none' : denied ? 'denied/none' : wrong);
    if (fault) return replyThatSays(fault.split('/')[0], 'sync', sent, []);
    if (sent.length > most) return mostSays === '413' ? page(413) : refusal('Zu viele');
    return json({ success: true, data: this.log.say(sent) });
  }

  /** Lets a request arrive, unless nothing listens. Returns what goes wrong with it. */
  private async meet(wrong: Fault | undefined): Promise<Fault | undefined> {
    const fault = this.clock.now < this.closedUntil ? this.world.always : wrong;
    if (!fault?.startsWith('unreached')) await this.clock.sleep(80);
    return fault;
  }

  /** Does what a request wants, and returns what the gateway has to say of it. */
  private work(rows: Operation[], work: Work): Results {
    const { clock, counts, world } = this;
    const { most = Infinity, rowsPerSecond = Infinity, money = Infinity, badRow } = world;
    if (rows.length > most)
      return world.mostSays === '413' ? { code: 413 } : { refused: 'Zu viele auf einmal' };
    if (clock.now - counts.since >= 1000) Object.assign(counts, { since: clock.now, inSecond: 0 });
    if (counts.inSecond + rows.length > rowsPerSecond) return { code: 429, retryAfter: world.retryAfter };
    counts.inSecond += rows.length;
    const refuseAll = (refused: string): Results => {
      for (const row of rows) this.logRefusal(row);
      return { refused };
    };
    if (badRow && work.endpoint === 'sync' && rows.some(({ phone }) => isBad(phone)))
      return badRow === '403' ? { code: 403 } : refuseAll('Phone number is not valid');
    if (world.noMoney === 'request' && counts.inAll + rows.length > money)
      return refuseAll('Guthaben aufgebraucht');
    return rows.map((row) => this.takeRow(row, work));
  }

  private takeRow(row: Operation, { endpoint, sender }: Work): Item {
    const { id, phone } = row;
    const { taken, older, refusedLater } = this.facts;
    const { refusesRepeated, money = Infinity, queueSeconds = 20, status } = this.world;
    if (refusesRepeated && (this.ids.has(id) || older.has(id)))
      return { success: false, error: 'Duplicate id', data: { id } };
    if (isBad(phone) || this.counts.inAll >= money) {
      // A queue tells of it later, as the contract says.
      if (endpoint === 'async') refusedLater.add(phone);
      this.logRefusal(row, endpoint === 'async' ? 'REJECTED' : undefined);
      return { success: false, error: 'Number is barred', data: { id } };
    }
    this.counts.inAll += 1;
    this.ids.add(id);
    taken.set(phone, [...(taken.get(phone) ?? []), sender]);
    const queueMs = endpoint === 'async' && this.log.lagMs > 0 ? 1000 * queueSeconds : 0;
    this.log.write(row, status?.ownState ?? 'ACCEPTED', this.clock.now + queueMs);
    return { success: true, data: { id, msg_id: id % 1e9, parts: 1, code: '1234' } };
  }

  private logRefusal(row: Operation, state: string | undefined = this.world.logsRefused): void {
    if (state) this.log.write(row, state, this.clock.now);
  }
}

function respond(endpoint: Endpoint, results: Results): Reply {
  if ('refused' in results) return refusal(results.refused);
  if ('code' in results) return page(results.code, results.retryAfter);
  return json(endpoint === 'async' ? { success: true, request_id: 'r1' } : { success: true, data: results });
}

/** The reply to a request that goes wrong; `results`: those that its rows would have. */
function replyThatSays(says: string, endpoint: Endpoint, sent: Message[], results: Results): Reply {
  const data = Array.isArray(results) && endpoint === 'sync' ? results : [];
  switch (says) {
    case 'unreached':
      return { code: 'ECONNREFUSED' };
    case 'reset':
      return { code: 'ECONNRESET' };
    case 'timeout':
      return { code: 'ETIMEDOUT' };
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
