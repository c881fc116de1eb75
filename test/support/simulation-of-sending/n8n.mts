/** The least of n8n around the node: a workflow that sends, perhaps in a loop, and what a person does with its executions. */
import type * as Connections from '../../../nodes/n8n/connection.ts';
import type * as Router from '../../../nodes/MessagingGateway/router.ts';
import type { VirtualClock } from '../simulation/clock.mts';
import { plainController } from '../simulation/clock.mts';
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

  /** What it says of its rows, by `result` of its output; undefined where it threw. */
  words?: unknown[];

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
class Life {
  readonly router: typeof Router;
  readonly connections: typeof Connections;
  readonly killing = new AbortController();

  constructor(modules: Pick<Product, 'load'>) {
    this.router = modules.load('MessagingGateway/router.ts') as typeof Router;
    this.connections = modules.load('n8n/connection.ts') as typeof Connections;
  }

  get isKilled(): boolean {
    return this.killing.signal.aborted;
  }
}

interface Body {
  data: Operation[];
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
    this.life = new Life(stage.product);
    const { type, turns } = stage.scenario;
    for (let turn = 0; turn < turns; turn++)
      for (const { kind, own: id = 0 } of this.rows(0, turn))
        if (kind.endsWith('before'))
          stage.gateway.addOlder({ id, type }, kind.includes('sent') ? 'DELIVERED' : 'REJECTED');
  }

  /** Lets the process know a message that was taken an hour ago. */
  async warmUp(id: number): Promise<void> {
    const { readConnection } = this.life.connections;
    const { knownMessages } = await readConnection({ getCredentials: this.credential } as never);
    knownMessages.add(id, this.stage.clock.now - 3_600_000);
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

  /** Kills the process, and all that runs in it; another one begins. */
  private kill({ killing }: Life): void {
    for (const one of this.executions) if (one.status === 'running') one.status = 'crashed';
    killing.abort();
    this.life = new Life(this.stage.product.newProcess(this.stage.clock));
  }

  private readonly credential = async () =>
    await Promise.resolve({ apiKey: this.account, baseUrl: 'https://sync', asyncUrl: 'https://async' });

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
        const killed = new Promise<false>((resolve) =>
          life.killing.signal.addEventListener('abort', () => resolve(false)),
        );
        if (await Promise.race([this.send(execution, life), killed])) {
          pass('Send', 'Before');
          saved.turn += 1;
        } else if (execution.status === 'running') execution.status = 'error';
      } else if (play.failsBefore === saved.turn) execution.status = 'error';
      else if (saved.turn === scenario.turns) execution.status = 'success';
      else pass('Before', 'Send');
    }
    trace(() => `execution ${execution.execution} ends: ${execution.status}`);
  }

  /** Runs the node with its tries. Returns whether it returned items. */
  private async send(execution: Execution, life: Life): Promise<boolean> {
    const { clock, trace } = this.stage;
    const { play, saved, chain } = execution;
    const run: NodeRun = { rows: this.rows(chain, saved.turn), startedAt: clock.now, tries: [] };
    execution.runs.push(run);
    const stop = plainController();
    const context = this.contextOf(execution, life, run, stop);
    for (let left = play.tries; ; left--) {
      const begunAt = clock.now;
      const deed = { requests: 0, wrong: 0, afterStop: 0, ms: 0 };
      run.tries.push(deed);
      run.words = undefined;
      const items = await life.router.execute(context).catch((thrown: Error) => {
        if (thrown !== CRASH && !thrown.name.startsWith('Node')) throw thrown;
        trace(() => `  throws ${thrown.message}`);
      });
      deed.ms = clock.now - begunAt;
      if (stop.signal.aborted) execution.status = 'canceled';
      if (items) run.words = items.map(({ json }) => json.result);
      if (items) trace(() => `  ${run.words?.join(' ')}`);
      const hasFailed = !items || items[0]?.json.error !== undefined;
      if (!hasFailed || left <= 1 || stop.signal.aborted) return items !== undefined;
      await clock.sleep(1000 * Math.min(5, play.pauseSeconds));
    }
  }

  private contextOf(execution: Execution, life: Life, run: NodeRun, stop: AbortController) {
    const { isKeyed, type, batchSize, hasToken, seed } = this.stage.scenario;
    const { play, saved, chain } = execution;
    const { turn } = saved;
    const form: Record<string, unknown> = {
      ...FORMS[type],
      phone: '={{ $json.phone }}',
      options: {
        ...(isKeyed
          ? { avoidDoubles: { values: { sendOnceKey: '={{ $json.key }}' } } }
          : { messageId: '={{ $json.own }}' }),
        ...(type !== 'call/otp' && { delivery: '={{ $json.mode }}' }),
        ...(batchSize && { speed: { values: { batchSize } } }),
      },
    };
    const items = run.rows.map((json) => ({ json }));
    let requests = 0;
    let isCrashing = false;
    return {
      getInputData: () => items,
      getNode: () => NODE,
      getMode: () => (execution.execution === chain ? 'trigger' : 'retry'),
      getExecutionId: () => String(execution.execution),
      getContext: () => saved.memory,
      getWorkflowDataProxy: () => ({
        $runIndex: turn,
        $execution: { resumeUrl: hasToken ? `https://n8n/?signature=${seed}-${chain}` : undefined },
      }),
      getNodeParameter(path: string, index: number, fallback: unknown, { rawExpressions = false } = {}) {
        const raw = path.split('.').reduce<any>((at, name) => at?.[name], form);
        const [, name] = /^=\{\{ \$json\.(\w+) \}\}$/.exec(raw) ?? [];
        return rawExpressions || !name ? (raw ?? fallback) : items[index].json[name as keyof Row];
      },
      continueOnFail: () => play.goesOn,
      getExecutionCancelSignal() {
        if (!isCrashing) return stop.signal;
        isCrashing = false;
        throw CRASH;
      },
      getCredentials: this.credential,
      isToolExecution: () => false,
      addExecutionHints: () => undefined,
      runExecutionData: { resultData: { runData: saved.ran } },
      helpers: {
        httpRequestWithAuthentication: async (_: string, request: { url: string; body: Body }) => {
          const end = ++requests === play.endsAt ? play.end : undefined;
          const deed = run.tries.at(-1)!;
          if (stop.signal.aborted && request.body.data[0].type !== 'status') deed.afterStop += 1;
          const endpoint = request.url.includes('async') ? 'async' : 'sync';
          const reply = await this.exchange(execution, deed, { endpoint, ...request.body, end });
          if (end === 'kill') this.kill(life);
          if (life.isKilled) return await never();
          if (end === 'throw') isCrashing = true;
          if (end === 'stop') this.stage.clock.after(0, () => stop.abort());
          if (end === 'stop in the exchange') stop.abort();
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
    { endpoint, data, end }: Body & { endpoint: Endpoint; end: Play['end'] | undefined },
  ): Promise<Reply> {
    const { gateway, trace } = this.stage;
    const isQuestion = data[0].type === 'status';
    const fault = this.nextFault(isQuestion);
    deed.requests += 1;
    if (fault) deed.wrong += 1;
    const reply = await (isQuestion
      ? gateway.ask(data, fault)
      : gateway.send(endpoint, data, execution, fault));
    const { heardBy } = gateway.facts;
    const hearer = fault || end ? 'lost' : execution.execution;
    if (!isQuestion)
      for (const { phone } of data) heardBy.set(phone, (heardBy.get(phone) ?? new Set()).add(hearer));
    trace(() => {
      const ids = data.slice(0, 3).map(({ id }) => id);
      const said = 'code' in reply ? reply.code : `${reply.statusCode} ${reply.body.slice(0, 300)}`;
      const what = `${isQuestion ? 'asks about' : `sends (${endpoint})`} ${data.length} (${ids.join(', ')})`;
      return `  ${execution.execution} ${what} ${fault ?? ''} -> ${said} ${end ?? ''}`;
    });
    return reply;
  }

  /** What goes wrong with the next request; with questions that happens less often. */
  private nextFault(isQuestion: boolean): Fault | undefined {
    const { wrong, world } = this.stage.scenario;
    const faults = isQuestion ? ASK_FAULTS : (world.faults ?? BREAKS);
    const drawn = wrong[this.requests++] ?? 0;
    const isFaulty = drawn > 0 && world.faults?.length !== 0 && !(isQuestion && drawn > 4);
    return isFaulty ? faults[(drawn - 1) % faults.length] : undefined;
  }
}
