/** The node around a client: what MessagingGateway/sending and run/journal.ts do with rows in tries, Retries and runs. */
import type { Clock } from './clock.mts';
import type { Gateway, Sender } from './gateway.mts';
import { failure } from './protocol.mts';
import type { Endpoint, Operation, Reply } from './protocol.mts';
import type { Play, RowKind, Scenario } from './scenario.mts';
import type { Fault } from './worlds.mts';

/** What the node says of a row in the end. */
export interface Result {
  is: 'accepted' | 'refused' | 'notSent' | 'unknown';
  isDuplicate?: boolean;
}

export interface NodeRow {
  kind: RowKind;
  operation: Operation;
  endpoint: Endpoint;
  hasOwnId: boolean;
  hasKey: boolean;
}

/** A row as a try takes it up: with what the journal kept of it, and whether another Retry may have sent it. */
export interface Entering extends NodeRow {
  kept: unknown;
  mayBeSent: boolean;
}

export interface Tools {
  transport(endpoint: Endpoint, data: Operation[]): Promise<Reply>;
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  stopped(): boolean;
  unusedId(): number;

  /** Keeps a plain value for the next try, and the result, if it has one. */
  record(row: NodeRow, kept: unknown, result: Result | undefined): void;
}

/** A client under test. `P` is what one process of it remembers. */
export interface Client<P = unknown> {
  newProcess(): P;

  /** Tells a process of a message that was certainly taken. */
  teach(process: P, operation: Operation, atMs: number): void;
  send(
    process: P,
    rows: Array<[Endpoint, Entering[]]>,
    batchSize: number | undefined,
    tools: Tools,
  ): Promise<void>;
}

/** What a try took. */
interface Deed {
  rows: number;

  /** Of the size that the user set. */
  batches: number;
  requests: number;

  /** Requests that went wrong, and messages that left after the execution was stopped. */
  wrong: number;
  afterStop: number;
  ms: number;

  /** How it was ended from outside, if it was. */
  end?: Play['end'];
}

/** What an execution of the node did. */
export interface Execution extends Sender {
  rows: NodeRow[];

  /** Of rows of which something is known. */
  journal: Map<NodeRow, { kept?: unknown; result?: Result }>;

  /** Whether its process was killed: nothing is left of it, and nobody was told anything. */
  isKilled: boolean;
  tries: Deed[];
}

/** Thrown by a request that ends a run from outside. */
const CRASH = new Error('The run ends here');

/** What a question that goes wrong meets. */
const ASK_FAULTS: readonly Fault[] = ['503/none', 'reset/none', 'html/none', '429 5/none'];

export type Trace = (line: () => string) => void;

export class ModelNode<P> {
  readonly executions: Execution[] = [];

  private readonly client: Client<P>;

  private readonly scenario: Scenario;

  private readonly gateway: Gateway;

  private readonly clock: Clock;

  private readonly trace: Trace;

  private process: P;

  private requests = 0;

  constructor(
    client: Client<P>,
    stage: { scenario: Scenario; gateway: Gateway; clock: Clock; trace: Trace },
  ) {
    this.client = client;
    this.process = client.newProcess();
    this.scenario = stage.scenario;
    this.gateway = stage.gateway;
    this.clock = stage.clock;
    this.trace = stage.trace;
    const { isWarm, seed, world } = stage.scenario;
    const id = 2 ** 52 + seed;
    this.gateway.addOlder({ id, type: 'sms' }, world.status?.ownState ?? 'ACCEPTED');
    if (isWarm)
      client.teach(this.process, { type: 'sms', id, phone: 380501234567 }, this.clock.now - 3_600_000);
  }

  /** Begins a run with rows of its own, or with those that have a key. */
  begin(isFirst: boolean): Execution {
    const number = this.executions.length;
    const base = 2 ** 51 + 8192 * (this.scenario.seed % 2 ** 30) + 2048 * (number % 4);
    const rows = this.scenario.rows.flatMap((kind, i) =>
      isFirst || kind.endsWith('keyed') ? this.row(kind, i, base) : [],
    );
    return this.add(number, rows);
  }

  /** Begins a Retry of an execution, with what was saved of it. */
  retry({ chain, rows, journal }: Execution): Execution {
    const execution = this.add(chain, rows);
    for (const [row, entry] of journal)
      execution.journal.set(row, JSON.parse(JSON.stringify(entry)) as typeof entry);
    return execution;
  }

  private add(chain: number, rows: NodeRow[]): Execution {
    const execution = {
      execution: this.executions.length,
      chain,
      rows,
      journal: new Map(),
      isKilled: false,
      tries: [],
    };
    this.executions.push(execution);
    return execution;
  }

  private row(kind: RowKind, i: number, base: number): NodeRow {
    const hasOwnId = kind.startsWith('own id');
    const hasKey = kind.endsWith('keyed');
    const id = hasOwnId ? 5_000_000 + i : hasKey ? 2 ** 50 + 7_654_321 * i : base + i;
    const type = ['pipeline', 'telegram', 'call/otp'].includes(kind) ? kind : 'sms';
    if (kind.endsWith('bad')) this.gateway.facts.bad.add(id);
    if (kind === 'own id, sent before') this.gateway.addOlder({ id, type }, 'DELIVERED');
    if (kind === 'own id, rejected before') this.gateway.addOlder({ id, type }, 'REJECTED');
    const operation = { type, id, phone: 380_501_234_567, sms_message: 'Hi', sms_signature: 'Shop' };
    return { kind, operation, endpoint: kind.startsWith('queued') ? 'async' : 'sync', hasOwnId, hasKey };
  }

  /** Sends what isn't accepted yet. */
  async try(execution: Execution, { endsAt, end }: Play, mayBeSent = false): Promise<void> {
    const { clock, gateway, scenario, trace } = this;
    const { journal } = execution;
    const open = execution.rows.filter((row) => journal.get(row)?.result?.is !== 'accepted');
    const entering = open.map((row) => ({ ...row, kept: journal.get(row)?.kept, mayBeSent }));
    const origin = new Map(entering.map((row, i) => [row as NodeRow, open[i]]));
    const batches = Math.ceil(open.length / (scenario.batchSize ?? 100));
    const startedAt = clock.now;
    const deed = { rows: open.length, batches, requests: 0, wrong: 0, afterStop: 0, ms: 0 } as Deed;
    let isStopped = false;
    let isOver = false;
    trace(() => `execution ${execution.execution}${mayBeSent ? ', a Retry' : ''}: ${open.length} rows`);
    const transport = async (endpoint: Endpoint, data: Operation[]): Promise<Reply> => {
      const isQuestion = data[0].type === 'status';
      const drawn = scenario.world.faults ? (scenario.wrong[this.requests] ?? 0) : 0;
      const faults = isQuestion ? ASK_FAULTS : (scenario.world.faults ?? []);
      // Questions fail less often than messages.
      const wrong =
        drawn > 0 && (!isQuestion || drawn <= 4) ? faults[(drawn - 1) % faults.length] : undefined;
      this.requests += 1;
      deed.requests += 1;
      if (wrong) deed.wrong += 1;
      if (isStopped && !isQuestion) deed.afterStop += 1;
      const reply = isQuestion
        ? gateway.ask(data, wrong)
        : await gateway.send(endpoint, data, execution, wrong);
      trace(() => describe({ isQuestion, endpoint, data, wrong, reply }));
      if (deed.requests !== endsAt) return reply;
      trace(() => `  ${end}`);
      deed.end = end;
      if (end === 'throw' || end === 'kill') {
        isOver = true;
        throw CRASH;
      }
      isStopped = true;
      return end === 'stop' ? reply : failure('connectionLost', 'ERR_CANCELED');
    };
    const groups = [...Map.groupBy(entering, ({ endpoint }) => endpoint)];
    try {
      await this.client.send(this.process, groups, scenario.batchSize, {
        transport,
        now: () => clock.now,
        sleep: async (milliseconds) => {
          if (!isStopped) await clock.sleep(milliseconds);
        },
        stopped: () => isStopped,
        unusedId: () => 2 ** 51 + 8192 * (scenario.seed % 2 ** 30) + 2048 * (execution.chain % 4) - 1,
        record: (row, kept, result) => {
          if (!isOver) journal.set(origin.get(row)!, { kept, result });
        },
      });
    } catch (error) {
      if (!isOver) throw error;
    }
    if (isOver && end === 'kill') {
      execution.isKilled = true;
      this.process = this.client.newProcess();
    }
    deed.ms = clock.now - startedAt;
    execution.tries.push(deed);
  }
}

function describe(exchange: {
  isQuestion: boolean;
  endpoint: Endpoint;
  data: Operation[];
  wrong: string | undefined;
  reply: Reply;
}): string {
  const { isQuestion, endpoint, data, wrong, reply } = exchange;
  const said = reply.kind === 'answer' ? `${reply.status} ${reply.body.slice(0, 300)}` : reply.problem.kind;
  const what = isQuestion ? 'asks about' : endpoint === 'async' ? 'queues' : 'sends';
  const ids = data.slice(0, 3).map(({ id }) => id);
  return `  ${what} ${data.length} (${ids.join(', ')}${data.length > 3 ? ', …' : ''}) ${wrong ?? ''} -> ${said}`;
}
