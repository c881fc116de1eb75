/** The least of n8n around the node: a workflow that sends, perhaps in a loop, and what a person does with its executions. */
import type * as Connections from '../../../nodes/n8n/connection.ts';
import type * as Router from '../../../nodes/MessagingGateway/router.ts';
import type { VirtualClock } from '../simulation/clock.mts';
import { never } from '../simulation/outcome.mts';
import type { Product } from '../simulation/product.mts';
import type { Gateway, Sender } from './gateway.mts';
import type { Endpoint, Operation, Reply } from './protocol.mts';
import type { Play, RowKind, Scenario } from './scenario.mts';
import { BREAKS } from './worlds.mts';
import type { Fault } from './worlds.mts';

/** An input item of the node. */
export interface Row {
  kind: RowKind;
  phone: number;
  key: string;
  own?: number;
  mode: 'now' | 'queued';
}

/** What the node says of a row. */
export type Word =
  | 'sent'
  | 'queued'
  | 'duplicate'
  | 'refused'
  | 'notSent'
  | 'unknown'
  | 'invalid'
  | undefined;

/** What n8n saves of an execution: the memory of the node, what ran, and where Retry begins. */
interface Saved {
  memory: Record<string, unknown>;
  ran: Record<string, Array<{ executionIndex: number; startTime: number }>>;
  at: 'Trigger' | 'Before' | 'Send';

  /** Of the loop. */
  turn: number;
}

const NOTHING_RAN: Saved = { memory: {}, ran: {}, at: 'Trigger', turn: 0 };

/** A run of the node with its tries. */
export interface NodeRun {
  rows: Row[];

  startedAt: number;

  /** The words of its output, in the order of the rows; undefined where it threw. */
  words?: Word[];

  /** What its tries took: requests, those that went wrong or left after a stop, and time. */
  tries: Array<{ requests: number; wrong: number; afterStop: number; ms: number }>;
}

export interface Execution extends Sender {
  play: Play;
  saved: Saved;
  runs: NodeRun[];
  status: 'running' | 'success' | 'error' | 'canceled' | 'crashed';
}

/** A process of n8n, from its start until it is killed. */
interface Life {
  router: typeof Router;
  connections: typeof Connections;
  isKilled: boolean;
  kill(): void;
  killed: Promise<'killed'>;
}

/** Thrown within the node as by a fault of n8n. */
const CRASH = new Error('The run ends here');

/** What a question that goes wrong meets. */
const ASK_FAULTS: readonly Fault[] = ['503/none', 'reset/none', 'html/none', '429 5/none'];

const NODE = { id: 'node', name: 'Send', type: 'messagingGateway', typeVersion: 1, position: [0, 0] };
const FORMS = {
  sms: { resource: 'message', operation: 'sendSms', smsSignature: 'Shop', smsMessage: 'Hi' },
  pipeline: {
    ...{ resource: 'message', operation: 'sendPipeline' },
    pipeline: { stages: [{ channel: 'sms', message: 'Hi', signature: 'Shop' }] },
  },
  telegram: { resource: 'otp', operation: 'sendTelegram', message: '1234' },
  'call/otp': { resource: 'otp', operation: 'call' },
};

/** Beginnings of numbers; those of a key or of an ID of the user's own are the same in all executions. */
const BEGINNINGS = { plain: 38_050, keyed: 38_067, own: 38_063, bad: 38_093 };

/** Processes have accounts of their own, so that a scenario knows nothing of another one. */
let accounts = 0;

export interface Stage {
  product: Product;
  scenario: Scenario;
  gateway: Gateway;
  clock: VirtualClock;

  /** Takes a line of what happens. */
  trace(line: () => string): void;
}

export class N8n {
  readonly executions: Execution[] = [];
  private readonly stage: Stage;
  private readonly account = `key-${++accounts}`;
  private life: Life;
  private requests = 0;

  constructor(stage: Stage) {
    this.stage = stage;
    this.life = this.start(stage.product);
    const { gateway, scenario } = stage;
    for (let turn = 0; turn < scenario.turns; turn++)
      for (const { kind, own: id } of this.rows(0, turn)) {
        if (kind === 'own id, sent before') gateway.addOlder({ id: id!, type: scenario.type }, 'DELIVERED');
        if (kind === 'own id, rejected before')
          gateway.addOlder({ id: id!, type: scenario.type }, 'REJECTED');
      }
  }

  /** Lets the process know a message that was taken an hour ago. */
  async warmUp(): Promise<void> {
    const { clock, gateway, scenario } = this.stage;
    const id = 2 ** 52 + scenario.seed;
    gateway.addOlder({ id, type: 'sms' }, 'ACCEPTED');
    const connection = await this.life.connections.readConnection({
      getCredentials: this.credential,
    } as never);
    if (scenario.isWarm) connection.knownMessages.add(id, clock.now - 3_600_000);
  }

  /** Begins an execution, which is the first of its chain. */
  begin(play: Play): Execution {
    return this.add(play, this.executions.length, NOTHING_RAN);
  }

  /** Presses Retry of an execution, if there is one that n8n offers; a person may press it again and again. */
  retry(play: Play): Execution | undefined {
    const offered = this.executions.filter(({ status }) => status === 'error' || status === 'crashed');
    const of = offered.at(play.of % Math.max(1, offered.length));
    if (of === undefined) return undefined;
    // Of a crashed execution n8n has no more than its input.
    return this.add(play, of.chain, of.status === 'error' ? of.saved : NOTHING_RAN);
  }

  private add(play: Play, chain: number, from: Saved): Execution {
    const saved = JSON.parse(JSON.stringify(from)) as Saved;
    const { length: number } = this.executions;
    const execution: Execution = { execution: number, chain, play, saved, runs: [], status: 'running' };
    this.executions.push(execution);
    return execution;
  }

  private start(modules: Pick<Product, 'load'>): Life {
    let resolve: (end: 'killed') => void = () => undefined;
    const life: Life = {
      router: modules.load('MessagingGateway/router.ts') as typeof Router,
      connections: modules.load('n8n/connection.ts') as typeof Connections,
      killed: new Promise<'killed'>((done) => (resolve = done)),
      isKilled: false,
      kill: () => {
        life.isKilled = true;
        resolve('killed');
        for (const one of this.executions) if (one.status === 'running') one.status = 'crashed';
        this.life = this.start(this.stage.product.newProcess(this.stage.clock));
      },
    };
    return life;
  }

  private readonly credential = async () =>
    await Promise.resolve({
      apiKey: this.account,
      baseUrl: 'https://sync.example',
      asyncUrl: 'https://async.example',
    });

  private rows(chain: number, turn: number): Row[] {
    const { isKeyed, rows } = this.stage.scenario;
    return rows.map((kind, i) => {
      const hasOwnId = kind.startsWith('own id');
      const isBad = kind.endsWith('bad');
      const begin = BEGINNINGS[isBad ? 'bad' : isKeyed ? 'keyed' : hasOwnId ? 'own' : 'plain'];
      const phone = begin * 1e7 + (isKeyed ? 0 : chain * 1e6) + turn * 1e5 + i + 1;
      return {
        ...{ kind, phone, key: `${turn}-${i}` },
        ...(hasOwnId && !isKeyed && { own: 5_000_000 + 1000 * turn + i }),
        mode: kind.startsWith('queued') ? 'queued' : 'now',
      };
    });
  }

  /** Runs an execution from where it begins to its end. */
  async run(execution: Execution): Promise<void> {
    const { clock, scenario, trace } = this.stage;
    const { play, saved } = execution;
    const { life } = this;
    let executionIndex = 0;
    const pass = (name: Saved['at'], next: Saved['at']) => {
      (saved.ran[name] ??= []).push({ executionIndex: executionIndex++, startTime: clock.now });
      saved.at = next;
    };
    trace(() => `execution ${execution.execution} of chain ${execution.chain} begins in turn ${saved.turn}`);
    if (saved.at === 'Trigger') pass('Trigger', 'Before');
    while (execution.status === 'running') {
      if (saved.at === 'Send') {
        const isDone = await Promise.race([this.send(execution, life), life.killed]);
        if (isDone === true) pass('Send', 'Before');
        else if (execution.status === 'running') execution.status = 'error';
        saved.turn += isDone === true ? 1 : 0;
      } else if (play.failsBefore === saved.turn) execution.status = 'error';
      else if (saved.turn === scenario.turns) execution.status = 'success';
      else pass('Before', 'Send');
    }
    trace(() => `execution ${execution.execution} ends: ${execution.status}`);
  }

  /** Runs the node with its tries. Returns whether it returned items. */
  private async send(execution: Execution, life: Life): Promise<boolean> {
    const { clock, trace } = this.stage;
    const { play, runs, saved, chain } = execution;
    const run: NodeRun = { rows: this.rows(chain, saved.turn), startedAt: clock.now, tries: [] };
    runs.push(run);
    const stop = new AbortController();
    const context = this.contextOf(execution, life, { run, stop });
    for (let left = play.tries; ; left--) {
      run.tries.push({ requests: 0, wrong: 0, afterStop: 0, ms: 0 });
      const startedAt = clock.now;
      let items: Awaited<ReturnType<typeof Router.execute>> | undefined;
      try {
        items = await life.router.execute(context);
      } catch (thrown) {
        const { name } = thrown as Error;
        if (thrown !== CRASH && !name.startsWith('Node')) throw thrown;
        trace(() => `  throws ${(thrown as Error).message}`);
      }
      run.tries.at(-1)!.ms = clock.now - startedAt;
      run.words = items?.map(({ json }) => json.result as Word);
      if (stop.signal.aborted) execution.status = 'canceled';
      if (items) trace(() => `  ${run.words?.join(' ')}`);
      const hasFailed = items === undefined || items[0]?.json.error !== undefined;
      if (!hasFailed || left <= 1 || stop.signal.aborted) return items !== undefined;
      await clock.sleep(1000 * Math.min(5, play.pauseSeconds));
    }
  }

  private contextOf(
    execution: Execution,
    life: Life,
    { run, stop }: { run: NodeRun; stop: AbortController },
  ) {
    const { scenario } = this.stage;
    const { play, saved, chain } = execution;
    const { rows } = run;
    const { turn } = saved;
    const form: Record<string, unknown> = {
      ...FORMS[scenario.type],
      phone: '={{ $json.phone }}',
      options: {
        ...(scenario.isKeyed
          ? { avoidDoubles: { values: { sendOnceKey: '={{ $json.key }}' } } }
          : { messageId: '={{ $json.own }}' }),
        ...(scenario.type !== 'call/otp' && { delivery: '={{ $json.mode }}' }),
        ...(scenario.batchSize && { speed: { values: { batchSize: scenario.batchSize } } }),
      },
    };
    const valueOf = (raw: unknown, index: number): unknown => {
      if (typeof raw === 'object' && raw !== null && !Array.isArray(raw))
        return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, valueOf(value, index)]));
      const name = typeof raw === 'string' ? /^=\{\{ \$json\.(\w+) \}\}$/.exec(raw)?.[1] : undefined;
      return name === undefined ? raw : rows[index][name as keyof Row];
    };
    const state = { requests: 0, isCrashing: false };
    const token = scenario.hasToken ? `https://n8n.example/?signature=${scenario.seed}-${chain}` : undefined;
    const items = rows.map((json) => ({ json }));
    return {
      getInputData: () => items,
      getNode: () => NODE,
      getMode: () => (execution.execution === chain ? 'trigger' : 'retry'),
      getExecutionId: () => String(execution.execution),
      getContext: () => saved.memory,
      getWorkflowDataProxy: () => ({ $runIndex: turn, $execution: { resumeUrl: token } }),
      getNodeParameter(path: string, index: number, fallback: unknown, { rawExpressions = false } = {}) {
        const raw = path.split('.').reduce<any>((at, name) => at?.[name], form);
        return raw === undefined ? fallback : rawExpressions ? raw : valueOf(raw, index);
      },
      continueOnFail: () => play.goesOn,
      getExecutionCancelSignal() {
        if (!state.isCrashing) return stop.signal;
        state.isCrashing = false;
        throw CRASH;
      },
      getCredentials: this.credential,
      isToolExecution: () => false,
      addExecutionHints: () => undefined,
      runExecutionData: { resultData: { runData: saved.ran } },
      helpers: {
        httpRequestWithAuthentication: async (
          _: string,
          { url, body }: { url: string; body: { data: Operation[] } },
        ) => {
          state.requests += 1;
          const isEnd = state.requests === play.endsAt;
          const request = {
            endpoint: url.includes('async') ? 'async' : 'sync',
            data: body.data,
            isEnd,
          } as const;
          const reply = await this.exchange(execution, run.tries.at(-1)!, {
            ...request,
            isStopped: stop.signal.aborted,
          });
          if (isEnd && play.end === 'kill') life.kill();
          if (life.isKilled) return await never();
          if (isEnd && play.end === 'throw') state.isCrashing = true;
          if (isEnd && play.end === 'stop') this.stage.clock.after(0, () => stop.abort());
          if (isEnd && play.end === 'stop in the exchange') stop.abort();
          if ('code' in reply) throw Object.assign(new Error(reply.code), reply);
          return { ...reply, body: [Buffer.from(reply.body)] };
        },
      },
    } as never;
  }

  /** Makes a request, and counts it. */
  private async exchange(
    execution: Execution,
    deed: NodeRun['tries'][number],
    {
      endpoint,
      data,
      isEnd,
      isStopped,
    }: { endpoint: Endpoint; data: Operation[]; isEnd: boolean; isStopped: boolean },
  ): Promise<Reply> {
    const { gateway, trace } = this.stage;
    const isQuestion = data[0].type === 'status';
    const fault = this.nextFault(isQuestion);
    deed.requests += 1;
    if (fault) deed.wrong += 1;
    if (isStopped && !isQuestion) deed.afterStop += 1;
    const sent = data.map(({ type, id, phone }) => ({ type, id, phone }));
    const reply = isQuestion
      ? await gateway.ask(sent, fault)
      : await gateway.send(endpoint, sent, execution, fault);
    const hearer = fault || isEnd ? 'lost' : execution.execution;
    const { heardBy } = gateway.facts;
    if (!isQuestion)
      for (const { phone } of sent) heardBy.set(phone, (heardBy.get(phone) ?? new Set()).add(hearer));
    const what = isQuestion ? 'asks about' : `sends (${endpoint})`;
    trace(() => {
      const ids = sent.slice(0, 3).map(({ id }) => id);
      const said = 'code' in reply ? reply.code : `${reply.statusCode} ${reply.body.slice(0, 300)}`;
      return `  ${execution.execution} ${what} ${sent.length} (${ids.join(', ')}) ${fault ?? ''} -> ${said}${isEnd ? ` ${execution.play.end}` : ''}`;
    });
    return reply;
  }

  /** What goes wrong with the next request; with questions that happens less often. */
  private nextFault(isQuestion: boolean): Fault | undefined {
    const { wrong, world } = this.stage.scenario;
    const { faults: ownFaults = BREAKS } = world;
    const drawn = ownFaults.length > 0 ? (wrong[this.requests] ?? 0) : 0;
    this.requests += 1;
    const faults = isQuestion ? ASK_FAULTS : ownFaults;
    return drawn === 0 || (isQuestion && drawn > 4) ? undefined : faults[(drawn - 1) % faults.length];
  }
}
