/** The surroundings of a wait: a model of n8n's processes and of the gateway, on a virtual clock. */
import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { Watches } from '../../../nodes/MessagingGateway/delivery-wait/watch.ts';
import type { SleepNote } from '../../../nodes/MessagingGateway/suspend/sleep.ts';
import { never, World } from '../simulation/outcome.mts';
import type { Stage } from '../simulation/outcome.mts';
import { seeded } from '../simulation/random.mts';
import type { Response } from './gateway.mts';
import { answer, failure, WaitGateway } from './gateway.mts';
import type { Trouble, WaitScenario } from './scenario.mts';

export const PUBLIC = 'https://n8n.example';
export const GATEWAY = 'https://gateway.example';

interface Request {
  url: string;
  body: Record<string, unknown>;
  abortSignal?: AbortSignal;
}

export interface N8nProcess {
  index: number;
  isAlive: boolean;
  watches: Watches;
  receive(context: IWebhookFunctions): Promise<IWebhookResponseData>;
  /** Cuts off the calls that it is at work on. */
  cuts: Set<() => void>;
}

/** How the execution went on. */
export interface Woken {
  at: number;
  by: 'node' | 'n8n';
  items: INodeExecutionData[];
}

/** The processes of n8n, and the executions that wait in them. */
export interface Surroundings {
  processes: N8nProcess[];
  worlds: WaitWorld[];
  newProcess(index: number): N8nProcess;
}

/** What n8n says where it does not hand a call on. */
const refusal = (code: number, message: string): Response => answer(code, { code, message });

/** The node's `status` requests. */
class Questions {
  count = 0;

  /** When the last one was made. */
  lastAt = -Infinity;

  failed = 0;

  /** Those that held more ids than the gateway takes. */
  overlong = 0;

  tooFast = 0;
}

/** Calls of the execution's webhook. */
class Calls {
  /** Those that the node made itself. */
  own = 0;

  /** Callbacks about messages of the execution that the node refused. */
  mismatched = 0;

  /** When n8n took those of the gateway. */
  readonly taken: number[] = [];
}

/** The execution that waits, as n8n's database has it. */
class Execution {
  readonly number: number;

  state: 'running' | 'waiting' | 'ended' | 'stopped' | 'deleted' = 'running';

  /** Milliseconds after the send at which a user ended the sleep. */
  endedAt = Infinity;

  note: SleepNote | undefined;

  waitTill = Infinity;

  items: INodeExecutionData[] = [];

  readonly wakes: Woken[] = [];

  /** Which messages have a hook. */
  readonly hooked = new Set<number>();

  constructor(number: number) {
    this.number = number;
  }
}

export class WaitWorld extends World<WaitScenario> {
  readonly questions = new Questions();

  readonly calls = new Calls();

  /** What the node wrote to n8n's log. */
  readonly warnings: string[] = [];

  readonly execution: Execution;

  /** Starts of n8n that still fail. */
  private failedStarts: number;

  private readonly gateway = new WaitGateway(this);

  private readonly around: Surroundings;

  constructor(stage: Stage<WaitScenario>, around: Surroundings) {
    const others = around.worlds.length;
    const execution = 7 + others;
    const random = seeded(stage.scenario.seed, 8 + 50 * others);
    super({ ...stage, trace: (line) => stage.trace(() => `${execution}: ${line()}`) }, random);
    this.around = around;
    this.execution = new Execution(execution);
    this.failedStarts = stage.scenario.failedStarts;
  }

  get processes(): N8nProcess[] {
    return this.around.processes;
  }

  /** Whether no other execution waits in its processes. */
  get isAlone(): boolean {
    return this.around.worlds.length === 1;
  }

  /** The path of the execution's webhook. */
  get path(): string {
    return `/webhook-waiting/${this.execution.number}?signature=token/node`;
  }

  /** Its first item's id, less one: each execution sends ids of its own. */
  get firstId(): number {
    return 100_000 * (this.execution.number - 7);
  }

  troubleOf(of: Trouble['of']): Trouble | undefined {
    return this.scenario.troubles.find((t) => t.of === of && t.from <= this.time && this.time < t.to);
  }

  kill(index: number): void {
    const process = this.processes[index];
    if (!process.isAlive) return;
    this.trace(() => `process ${index} is killed`);
    process.isAlive = false;
    for (const cut of process.cuts) cut();
  }

  start(index: number): void {
    if (this.processes[index].isAlive) return;
    this.trace(() => `process ${index} starts`);
    this.processes[index] = this.around.newProcess(index);
    for (const world of this.around.worlds) world.passLimit();
  }

  /** n8n goes on by itself at its own limit, as soon as it runs. */
  passLimit(): void {
    if (this.execution.state !== 'waiting' || this.clock.now < this.execution.waitTill) return;
    if (!this.processes.some(({ isAlive }) => isAlive)) return;
    this.wake({ at: this.clock.now, by: 'n8n', items: this.execution.items });
  }

  /** A user ends the execution, as n8n lets it happen. */
  end(way: 'stopped' | 'deleted'): void {
    if (this.execution.state === 'waiting') {
      this.trace(() => `a user has it ${way}`);
      this.execution.endedAt = this.time;
      this.execution.state = way;
    }
  }

  private wake(woken: Woken): void {
    this.trace(() => `woken by ${woken.by}: ${JSON.stringify(woken.items.map(({ json }) => json.outcome))}`);
    this.execution.wakes.push(woken);
    this.execution.state = 'running';
    this.clock.after(this.random.between(5, 5000), () => (this.execution.state = 'ended'), true);
  }

  /** n8n's request helper, as a process has it: nothing comes back to a process that is killed. */
  private httpRequest(process: N8nProcess): (request: Request) => Promise<Response> {
    return async (request) => {
      if (!process.isAlive) return await never();
      const isStatus = request.url.startsWith(GATEWAY);
      const call = isStatus ? this.askGateway(request) : this.callSelf(request, process);
      await call.catch(() => undefined);
      return process.isAlive ? await call : await never();
    };
  }

  private async callSelf({ url, body }: Request, process: N8nProcess): Promise<Response> {
    this.calls.own += 1;
    const response = await this.callAddress(url, body, process);
    this.trace(() => `self ${url.split('/')[2]} ${JSON.stringify(body.todo)}: ${response.statusCode}`);
    return response;
  }

  /** Calls what an address leads to from a process. */
  private async callAddress(url: string, body: unknown, process: N8nProcess): Promise<Response> {
    const { reach } = this.scenario;
    const isInside = url.startsWith('http://127.0.0.1:5678/');
    if (isInside ? reach === 'none' : reach !== 'public') {
      await this.clock.sleep(this.random.between(1, 50));
      throw failure('refused', this.random.pick(['ECONNREFUSED', 'ENOTFOUND']));
    }
    if (!isInside) return await this.callPublic(url, body);
    // Each process has its own machine.
    return await this.callProcess(this.processes[process.index], { url, body });
  }

  /** Calls n8n from outside: a proxy passes the call on to any process. */
  async callPublic(url: string, body: unknown): Promise<Response> {
    await this.clock.sleep(this.random.between(1, 20));
    if (this.troubleOf('proxy')) {
      return answer(this.random.pick([301, 302, 403, 404, 410, 502]), '<html>');
    }
    const alive = this.processes.filter(({ isAlive }) => isAlive);
    if (alive.length === 0) return answer(502, '<html>');
    return await this.callProcess(this.random.pick(alive), { url, body });
  }

  private async callProcess(
    process: N8nProcess,
    { url, body }: { url: string; body: unknown },
  ): Promise<Response> {
    if (!process.isAlive) throw failure('refused', 'ECONNREFUSED');
    return await new Promise<Response>((resolve, reject) => {
      const cut = () => reject(failure('reset', 'ECONNRESET'));
      process.cuts.add(cut);
      const execution = Number(/webhook-waiting\/(\d+)/.exec(url)?.[1]);
      const called = this.around.worlds.find((world) => world.execution.number === execution) ?? this;
      called
        .handle(process, url, body)
        .then(resolve, reject)
        .finally(() => process.cuts.delete(cut));
    });
  }

  /** What n8n's WaitingWebhooks does. */
  private async handle(process: N8nProcess, url: string, body: unknown): Promise<Response> {
    await this.clock.sleep(this.random.between(1, this.scenario.loading));
    if (this.troubleOf('n8n')) return refusal(503, 'Database is not ready!');
    if (!url.includes('signature=token')) return answer(401, { error: 'Invalid token' });
    if (this.execution.state === 'running') return refusal(409, 'The execution is running already.');
    if (this.execution.state === 'ended') return refusal(409, 'The execution "7 has finished already.');
    if (this.execution.state === 'stopped') {
      const words = ['The execution "7" has finished with error.', 'Die Ausführung wurde angehalten.'];
      return refusal(409, this.random.pick(words));
    }
    if (this.execution.state === 'deleted') return refusal(404, 'The execution "7" does not exist.');
    const own: { response?: Response } = {};
    const result = await process.receive(this.context(process, body, own));
    if (!process.isAlive) return await never();
    if (result.workflowData !== undefined) {
      if (this.execution.state !== 'waiting') return refusal(409, 'The execution is running already.');
      if (this.failedStarts-- > 0) return refusal(500, 'Connection is closed.');
      this.wake({ at: this.clock.now, by: 'node', items: result.workflowData[0] });
    }
    return own.response ?? answer(200, result.webhookResponse);
  }

  /** The gateway's key, and the credential with it. */
  private get key(): string {
    return this.time >= (this.scenario.keyChange ?? Infinity) ? 'new' : 'old';
  }

  /** What n8n calls the address of the execution. */
  get publicAddress(): string {
    return `${PUBLIC}/webhook-waiting/${this.execution.number}?signature=token`;
  }

  credential(): { apiKey: string; baseUrl: string } {
    return { apiKey: this.key, baseUrl: GATEWAY };
  }

  /** n8n's request helpers, as a context has them in a process. */
  helpers(process: N8nProcess) {
    const httpRequest = this.httpRequest(process);
    return {
      httpRequest,
      httpRequestWithAuthentication: async (
        _: string,
        request: Request,
        { credentialsDecrypted }: { credentialsDecrypted: { data: { apiKey: string } } },
      ) => {
        const { apiKey } = credentialsDecrypted.data;
        return await httpRequest({ ...request, body: { ...request.body, auth: apiKey } });
      },
    };
  }

  readonly logger = { warn: (text: string) => void this.warnings.push(text) };

  private context(process: N8nProcess, body: unknown, own: { response?: Response }): IWebhookFunctions {
    const context = {
      getRequestObject: () => ({ method: 'POST' }),
      getBodyData: () => body,
      getNode: () => ({ id: 'node', name: 'Send' }),
      getExecutionId: () => String(this.execution.number),
      evaluateExpression: (expression: string) => {
        if (expression.includes('resumeUrl')) return this.publicAddress;
        return expression.includes('$input') ? structuredClone(this.execution.items) : this.execution.note;
      },
      getCredentials: async () => await Promise.resolve(this.credential()),
      getResponseObject: () => ({
        status: (status: number) => ({
          json: (json: unknown) => (own.response = answer(status, json)),
        }),
      }),
      logger: this.logger,
      helpers: this.helpers(process),
    };
    return context as unknown as IWebhookFunctions;
  }

  private async askGateway({ body, abortSignal }: Request): Promise<Response> {
    this.questions.count += 1;
    this.questions.lastAt = this.time;
    const { auth, data } = body as { auth: string; data: Array<{ id: number }> };
    await this.clock.sleep(this.random.between(5, 200));
    const response = await this.gateway.answer(data, { isOurs: auth === this.key, abortSignal });
    this.trace(
      () => `status of ${data.length}: ${response.statusCode} ${String(response.body).slice(0, 60)}`,
    );
    return response;
  }
}
