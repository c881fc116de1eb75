/** The node around the client: what MessagingGateway/sending and run/journal.ts do with rows in tries, Retries and runs. */
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import { DepartedMessages } from '../../../nodes/gateway/client/departed.ts';
import type { Row } from '../../../nodes/gateway/client/row.ts';
import type { SendLoop } from '../../../nodes/gateway/client/send.ts';
import type { KnownMessages } from '../../../nodes/gateway/client/status.ts';
import type { Transport } from '../../../nodes/gateway/client/transport.ts';
import type { Clock } from './clock.mts';
import type { Gateway, Sender } from './gateway.mts';
import { failure } from './protocol.mts';
import type { Endpoint, Operation, Reply } from './protocol.mts';
import type { Play, RowKind, Scenario } from './scenario.mts';
import { BREAKS } from './worlds.mts';
import type { Fault } from './worlds.mts';

/** The client under test. */
export interface Client {
  SendLoop: typeof SendLoop;
  KnownMessages: typeof KnownMessages;
}

export interface NodeRow extends Pick<Row, 'endpoint' | 'hasOwnId' | 'hasKey'> {
  kind: RowKind;
  operation: Operation;
}

/** What the node says of a row in the end. */
export interface Result {
  is: 'accepted' | 'refused' | 'notSent' | 'unknown';
  isDuplicate?: boolean;
}

/** What the journal keeps of a row for the next try, and its result, if it has one. */
interface Entry extends Partial<Pick<Row, 'state' | 'departures'>> {
  result?: Result;
}

/** What a try took: its requests, those that went wrong or left after a stop, and how it was ended. */
interface Deed {
  rows: number;
  batches: number;
  requests: number;
  wrong: number;
  afterStop: number;
  ms: number;
  end?: Play['end'];
}

export interface Execution extends Sender {
  rows: NodeRow[];

  /** By row. */
  journal: Map<NodeRow, Entry>;
  tries: Deed[];
}

/** Thrown by a request that ends a run from outside. */
const CRASH = new Error('The run ends here');

/** What a question that goes wrong meets. */
const ASK_FAULTS: readonly Fault[] = ['503/none', 'reset/none', 'html/none', '429 5/none'];

/** The first id of the rows of a run; those of the four runs that a scenario has at most lie apart. */
const firstId = (seed: number, run: number): number => 2 ** 51 + 8192 * (seed % 2 ** 30) + 2048 * run;

export interface Stage {
  client: Client;
  scenario: Scenario;
  gateway: Gateway;
  clock: Clock;

  /** Takes a line of what happens. */
  trace(line: () => string): void;
}

export class ModelNode {
  readonly executions: Execution[] = [];
  private readonly stage: Stage;
  private known: KnownMessages;
  private requests = 0;

  constructor(stage: Stage) {
    const { client, clock, gateway, scenario } = stage;
    this.stage = stage;
    const id = 2 ** 52 + scenario.seed;
    gateway.addOlder({ id, type: 'sms' }, 'ACCEPTED');
    this.known = new client.KnownMessages();
    if (scenario.isWarm) this.known.add(id, clock.now - 3_600_000);
  }

  /** Begins a run: the first one with all rows, others with those that have a key. */
  begin(): Execution {
    const number = this.executions.length;
    const { rows: kinds, seed } = this.stage.scenario;
    const rows = kinds.flatMap((kind, i) =>
      number === 0 || kind.endsWith('keyed') ? this.row(kind, i, firstId(seed, number) + i) : [],
    );
    return this.add({ execution: number, chain: number, rows, journal: new Map(), tries: [] });
  }

  /** Begins a Retry of an execution, with what was saved of it. */
  retry({ chain, rows, journal }: Execution): Execution {
    const saved = [...journal].map(
      ([row, entry]) => [row, JSON.parse(JSON.stringify(entry)) as Entry] as const,
    );
    return this.add({ execution: this.executions.length, chain, rows, journal: new Map(saved), tries: [] });
  }

  private add(execution: Execution): Execution {
    this.executions.push(execution);
    return execution;
  }

  private row(kind: RowKind, i: number, madeId: number): NodeRow {
    const hasOwnId = kind.startsWith('own id');
    const hasKey = kind.endsWith('keyed');
    const id = hasOwnId ? 5_000_000 + i : hasKey ? 2 ** 50 + 7_654_321 * i : madeId;
    // Kinds of rows that are called by their wire types.
    const type = ['pipeline', 'telegram', 'call/otp'].includes(kind) ? kind : 'sms';
    const { gateway } = this.stage;
    if (kind.endsWith('bad')) gateway.facts.bad.add(id);
    if (kind === 'own id, sent before') gateway.addOlder({ id, type }, 'DELIVERED');
    if (kind === 'own id, rejected before') gateway.addOlder({ id, type }, 'REJECTED');
    const operation = { type, id, phone: 380_501_234_567, sms_message: 'Hi', sms_signature: 'Shop' };
    return { kind, operation, endpoint: kind.startsWith('queued') ? 'async' : 'sync', hasOwnId, hasKey };
  }

  /** Sends what isn't accepted yet. */
  async try(execution: Execution, { endsAt, end }: Play): Promise<void> {
    const { client, clock, gateway, scenario, trace } = this.stage;
    const { journal, chain, tries } = execution;
    const { batchSize, seed, world, wrong } = scenario;
    const { faults: ownFaults = BREAKS } = world;
    const { heardBy } = gateway.facts;
    const mayBeSent = execution.execution !== chain;
    const open = execution.rows.filter((row) => journal.get(row)?.result?.is !== 'accepted');
    const batches = Math.ceil(open.length / (batchSize ?? 100));
    const deed: Deed = { rows: open.length, batches, requests: 0, wrong: 0, afterStop: 0, ms: 0 };
    tries.push(deed);
    const startedAt = clock.now;
    const isOver = () => deed.end === 'throw' || deed.end === 'kill';
    const isStopped = () => deed.end === 'stop' || deed.end === 'stop in the exchange';
    trace(() => `execution ${execution.execution}${mayBeSent ? ', a Retry' : ''}: ${open.length} rows`);

    /** What goes wrong with the next request; with questions that happens less often. */
    const nextFault = (isQuestion: boolean): Fault | undefined => {
      const drawn = ownFaults.length > 0 ? (wrong[this.requests] ?? 0) : 0;
      this.requests += 1;
      const faults = isQuestion ? ASK_FAULTS : ownFaults;
      return drawn === 0 || (isQuestion && drawn > 4) ? undefined : faults[(drawn - 1) % faults.length];
    };

    const transport = async (endpoint: Endpoint, data: Operation[]): Promise<Reply> => {
      const isQuestion = data[0].type === 'status';
      const fault = nextFault(isQuestion);
      deed.requests += 1;
      if (fault) deed.wrong += 1;
      if (isStopped() && !isQuestion) deed.afterStop += 1;
      const reply = isQuestion ? gateway.ask(data, fault) : gateway.send(endpoint, data, execution, fault);
      trace(() => describe(isQuestion ? 'asks about' : `sends (${endpoint})`, data, fault, reply));
      const isEnd = deed.requests === endsAt;
      const hearer = fault || isEnd ? 'lost' : execution.execution;
      if (!isQuestion) for (const { id } of data) heardBy.set(id, (heardBy.get(id) ?? new Set()).add(hearer));
      if (!isEnd) return reply;
      trace(() => `  ${end}`);
      deed.end = end;
      if (isOver()) throw CRASH;
      return end === 'stop' ? reply : failure({ kind: 'connectionLost', code: 'ERR_CANCELED' });
    };

    const keep = (row: Row & { origin: NodeRow }, isFinal: boolean): void => {
      const { state, departures, origin } = row;
      if (isOver() || state.is === 'ready') return;
      const isDuplicate = state.is === 'accepted' && state.duplicate === true;
      const isKept = !isFinal || departures !== undefined || mayBeSent;
      const entry: Entry = isKept ? { state, departures } : {};
      journal.set(origin, isFinal ? { ...entry, result: { is: state.is, isDuplicate } } : entry);
    };
    const tools = {
      transport: transport as Transport,
      knownMessages: this.known,
      departed: new DepartedMessages(),
      execution: 'one',
      unusedIds: () => [firstId(seed, chain) - 1, 2 ** 52 + 2 ** 51 + (clock.now % 1e9)] as const,
      now: () => clock.now,
      sleep: async (milliseconds: number) => {
        if (!isStopped()) clock.pass(milliseconds);
      },
      stopped: isStopped,
      recordState: (row: Row & { origin: NodeRow }) => keep(row, false),
      settle: (row: Row & { origin: NodeRow }) => keep(row, true),
    };
    try {
      for (const endpoint of ['sync', 'async'] as const) {
        const rows = open
          .filter((row) => row.endpoint === endpoint)
          .map((origin) => {
            const { departures, state = { is: 'ready' as const } } = journal.get(origin) ?? {};
            const operation = origin.operation as WireOperation;
            return { ...origin, operation, origin, mayBeSent, wasBegun: mayBeSent, departures, state };
          });
        const settings = { batchSize, pauseMs: 0, recovery: 'status' } as const;
        if (rows.length > 0) await new client.SendLoop(settings, tools).send(rows);
      }
    } catch (error) {
      if (error !== CRASH) throw error;
    }
    if (deed.end === 'kill') this.known = new client.KnownMessages();
    deed.ms = clock.now - startedAt;
  }
}

function describe(what: string, data: Operation[], fault: string | undefined, reply: Reply): string {
  const said = reply.kind === 'answer' ? `${reply.status} ${reply.body.slice(0, 300)}` : reply.problem.kind;
  const ids = data.slice(0, 3).map(({ id }) => id);
  return `  ${what} ${data.length} (${ids.join(', ')}${data.length > 3 ? ', …' : ''}) ${fault ?? ''} -> ${said}`;
}
