/** The surroundings of a wait: a model of n8n's processes and of the gateway, on a virtual clock. */
import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { CallReceiver } from '../../../nodes/MessagingGateway/waiting/callbacks.ts';
import type { WaitKeeper } from '../../../nodes/MessagingGateway/waiting/keeper.ts';
import type { SleepNote } from '../../../nodes/MessagingGateway/sleeping/sleep.ts';
import type { VirtualClock } from '../simulation/clock.mts';
import type { Trace } from '../simulation/outcome.mts';
import type { Random } from '../simulation/random.mts';
import type { MessagePlan, Trouble, WaitScenario } from './scenario.mts';

export const PUBLIC = 'https://n8n.example';
export const GATEWAY = 'https://gateway.example';
export const PATH = '/webhook-waiting/7?signature=token/node';

interface Response {
  statusCode: number;
  headers: Record<string, string>;
  body: unknown;
}

interface Request {
  url: string;
  body: Record<string, unknown>;
  abortSignal?: AbortSignal;
}

export interface N8nProcess {
  index: number;
  isAlive: boolean;
  keeper: WaitKeeper;
  receive: CallReceiver;
  /** Cuts off the calls that it is at work on. */
  cuts: Set<() => void>;
}

/** How the execution went on. */
export interface Woken {
  at: number;
  by: 'node' | 'n8n';
  items: INodeExecutionData[];
  /** Process that woke it. */
  process?: number;
}

export interface WaitingModule {
  newProcess(index: number): N8nProcess;
}

const answer = (statusCode: number, body: unknown): Response => ({ statusCode, headers: {}, body });

export class WaitWorld {
  readonly clock: VirtualClock;

  readonly scenario: WaitScenario;

  readonly processes: N8nProcess[];

  readonly wakes: Woken[] = [];

  /** `status` requests, those that failed in them, and calls that the node made to itself. */
  statusRequests = 0;

  failedRequests = 0;

  selfCalls = 0;

  /** Calls of the gateway that n8n took: when, and whether the process outlived it. */
  readonly taken: number[] = [];

  state: 'running' | 'waiting' | 'ended' = 'running';

  note: SleepNote | undefined;

  waitTill = Infinity;

  items: INodeExecutionData[] = [];

  /** The gateway's hooks: which messages have one. */
  readonly hooked = new Set<number>();

  private readonly random: Random;

  private readonly newProcess: (index: number) => N8nProcess;

  private readonly trace: Trace;

  constructor(
    clock: VirtualClock,
    scenario: WaitScenario,
    random: Random,
    { newProcess, trace }: WaitingModule & { trace: Trace },
  ) {
    this.clock = clock;
    this.scenario = scenario;
    this.random = random;
    this.newProcess = newProcess;
    this.trace = trace;
    this.processes = Array.from({ length: scenario.processes }, (_, i) => newProcess(i));
  }

  /** Milliseconds since the send. */
  get time(): number {
    return this.clock.now - this.scenario.startsAt;
  }

  isTroubled(of: Trouble['of']): boolean {
    return this.scenario.troubles.some((t) => t.of === of && t.from <= this.time && this.time < t.to);
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
    this.processes[index] = this.newProcess(index);
    this.passLimit();
  }

  /** n8n goes on by itself at its own limit, as soon as it runs. */
  passLimit(): void {
    if (this.state !== 'waiting' || this.clock.now < this.waitTill) return;
    if (!this.processes.some(({ isAlive }) => isAlive)) return;
    this.wake({ at: this.clock.now, by: 'n8n', items: this.items });
  }

  private wake(woken: Woken): void {
    this.trace(() => `woken by ${woken.by}: ${JSON.stringify(woken.items.map(({ json }) => json.outcome))}`);
    this.wakes.push(woken);
    this.state = 'running';
    this.clock.after(this.random.between(5, 5000), () => (this.state = 'ended'), true);
  }

  /** n8n's request helper, as a process has it: nothing comes back to a process that is killed. */
  httpRequest(process: N8nProcess | undefined): (request: Request) => Promise<Response> {
    return async (request) => {
      const isGone = () => process !== undefined && !process.isAlive;
      if (isGone()) return await new Promise<never>(() => undefined);
      const isStatus = request.url.startsWith(GATEWAY);
      const call = isStatus ? this.askGateway(request) : this.callSelf(request);
      let response: Response | undefined;
      let failure: unknown;
      try {
        response = await call;
      } catch (error) {
        failure = error;
      }
      if (isGone()) return await new Promise<never>(() => undefined);
      if (response === undefined) throw failure as Error;
      return response;
    };
  }

  private async callSelf({ url, body }: Request): Promise<Response> {
    this.selfCalls += 1;
    const own = /^http:\/\/10\.0\.0\.(\d+):5678/.exec(url);
    const response = own
      ? await this.callProcess(this.processes[Number(own[1])], { url, body })
      : await this.callPublic(url, body);
    this.trace(
      () => `self ${own ? 'directly' : 'by proxy'} ${JSON.stringify(body.todo)}: ${response.statusCode}`,
    );
    return response;
  }

  /** Calls n8n from outside: a proxy passes the call on to any process. */
  async callPublic(url: string, body: unknown): Promise<Response> {
    await this.clock.sleep(this.random.between(1, 20));
    if (this.isTroubled('proxy')) {
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
    if (!process.isAlive) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    return await new Promise<Response>((resolve, reject) => {
      const cut = () => reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
      process.cuts.add(cut);
      this.handle(process, url, body)
        .then(resolve, reject)
        .finally(() => process.cuts.delete(cut));
    });
  }

  /** What n8n's WaitingWebhooks does. */
  private async handle(process: N8nProcess, url: string, body: unknown): Promise<Response> {
    await this.clock.sleep(this.random.between(1, this.scenario.loading));
    if (this.isTroubled('n8n')) return answer(503, { code: 503, message: 'Database is not ready!' });
    if (!url.includes('signature=token')) return answer(401, { error: 'Invalid token' });
    if (this.state === 'running') return answer(409, { message: 'The execution "7" is running already.' });
    if (this.state === 'ended') return answer(409, { message: 'The execution "7 has finished already.' });
    const refusal: { response?: Response } = {};
    const context = this.context(process, body, refusal);
    const result: IWebhookResponseData = await process.receive(context);
    if (!process.isAlive) return await new Promise<never>(() => undefined);
    if (result.workflowData !== undefined) {
      if (this.state !== 'waiting') return answer(409, { message: 'The execution "7" is running already.' });
      this.wake({
        at: this.clock.now,
        by: 'node',
        items: result.workflowData[0],
        process: process.index,
      });
    }
    return refusal.response ?? answer(200, result.webhookResponse);
  }

  /** The gateway's key, and the credential with it. */
  private get key(): string {
    return this.time >= (this.scenario.keyChange ?? Infinity) ? 'new' : 'old';
  }

  credential(): { apiKey: string; baseUrl: string } {
    return { apiKey: this.key, baseUrl: GATEWAY };
  }

  private context(process: N8nProcess, body: unknown, refusal: { response?: Response }): IWebhookFunctions {
    const context = {
      getRequestObject: () => ({
        method: 'POST',
        socket: { localAddress: `10.0.0.${process.index}`, localPort: 5678 },
        originalUrl: PATH,
      }),
      getBodyData: () => body,
      getNode: () => ({ id: 'node', name: 'Send' }),
      getExecutionId: () => '7',
      evaluateExpression: (expression: string) => {
        if (expression.includes('resumeUrl')) return `${PUBLIC}/webhook-waiting/7?signature=token`;
        return expression.includes('$input') ? structuredClone(this.items) : this.note;
      },
      getCredentials: async () => await Promise.resolve(this.credential()),
      getResponseObject: () => ({
        status: (status: number) => ({
          json: (json: unknown) => (refusal.response = answer(status, json)),
        }),
      }),
      logger: { warn: () => undefined },
      helpers: { httpRequest: this.httpRequest(process) },
    };
    return context as unknown as IWebhookFunctions;
  }

  private async askGateway({ body, abortSignal }: Request): Promise<Response> {
    this.statusRequests += 1;
    const { auth, data } = body as { auth: string; data: Array<{ id: number }> };
    await this.clock.sleep(this.random.between(5, 200));
    if (this.isTroubled('gateway')) {
      this.failedRequests += 1;
      const way = this.random.pick(['refused', 'error', 'silent'] as const);
      if (way === 'refused') throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      if (way === 'error') return answer(500, '<html>');
      await new Promise<void>((_, reject) => {
        abortSignal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
      });
    }
    if (auth !== this.key) return answer(200, JSON.stringify({ success: false, error: 'Access denied' }));
    const results = data.map(({ id }) => ({ success: true, data: { id, status: this.statusOf(id) } }));
    return answer(200, JSON.stringify({ success: true, data: results }));
  }

  private statusOf(id: number): string {
    const { finalAfter, status }: MessagePlan = this.scenario.messages[id - 1];
    return this.time >= finalAfter + this.scenario.statusLag ? status : 'SENT';
  }
}
