/** The surroundings of a wait: a model of n8n's processes and of the gateway, on a virtual clock. */
import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { Watches } from '../../../nodes/MessagingGateway/delivery-wait/watch.ts';
import type { SleepNote } from '../../../nodes/MessagingGateway/suspend/sleep.ts';
import { never, World } from '../simulation/outcome.mts';
import type { Stage } from '../simulation/outcome.mts';
import { seeded } from '../simulation/random.mts';
import { streamed } from '../streamed.mts';
import type { MessagePlan, Trouble, WaitScenario } from './scenario.mts';

export const PUBLIC = 'https://n8n.example/webhook-waiting/7?signature=token/node';
const INSIDE = 'http://127.0.0.1:5678/webhook-waiting/7';
const GATEWAY = 'https://gateway.example';

interface Request {
  url: string;
  body: Record<string, unknown>;
}

interface Response {
  statusCode: number;
  headers: Record<string, string>;
  body: unknown;
}

const answer = (statusCode: number, body: unknown, headers = {}): Response => ({ statusCode, headers, body });

/** What n8n says where it does not hand a call on. */
const refusal = (code: number, message: string): Response => answer(code, { code, message });

const failure = (message: string, code: string): Error => Object.assign(new Error(message), { code });

export interface N8nProcess {
  isAlive: boolean;
  watches: Watches;
  receive(context: IWebhookFunctions): Promise<IWebhookResponseData>;
  /** Cuts off the calls that it is at work on. */
  cuts: Set<() => void>;
}

/** How the execution went on. */
interface Woken {
  at: number;
  by: 'node' | 'n8n';
  items: INodeExecutionData[];
}

interface Execution {
  state: 'running' | 'waiting' | 'ended' | 'stopped';
  note?: SleepNote;
  waitTill: number;
  items: INodeExecutionData[];
  readonly wakes: Woken[];
}

export class WaitWorld extends World<WaitScenario> {
  readonly processes: N8nProcess[];

  /** What the node wrote to n8n's log. */
  readonly warnings: string[] = [];

  /** The execution that waits, as n8n's database has it. */
  readonly execution: Execution = { state: 'running', waitTill: Infinity, items: [], wakes: [] };

  /** The node's `status` requests, and callbacks about messages of the execution that the node refused. */
  readonly counts = { questions: 0, mismatched: 0 };

  private failedStarts: number;

  private readonly newProcess: () => N8nProcess;

  constructor(stage: Stage<WaitScenario>, newProcess: () => N8nProcess) {
    super(stage, seeded(stage.scenario.seed, 8));
    this.newProcess = newProcess;
    this.processes = Array.from({ length: stage.scenario.processes }, newProcess);
    this.failedStarts = stage.scenario.failedStarts;
  }

  private troubleOf(of: Trouble['of']): Trouble | undefined {
    return this.scenario.troubles.find((t) => t.of === of && t.from <= this.time && this.time < t.to);
  }

  kill(index: number): void {
    const process = this.processes[index];
    process.isAlive = false;
    for (const cut of process.cuts) cut();
  }

  start(index: number): void {
    if (this.processes[index].isAlive) return;
    this.processes[index] = this.newProcess();
    this.passLimit();
  }

  /** n8n goes on by itself at its own limit, as soon as it runs. */
  passLimit(): void {
    const isDue = this.execution.state === 'waiting' && this.clock.now >= this.execution.waitTill;
    if (isDue && this.processes.some(({ isAlive }) => isAlive)) this.wake('n8n', this.execution.items);
  }

  private wake(by: Woken['by'], items: INodeExecutionData[]): void {
    this.trace(() => `woken by ${by}: ${JSON.stringify(items.map(({ json }) => json.outcome))}`);
    this.execution.wakes.push({ at: this.time, by, items });
    this.execution.state = 'running';
    this.clock.after(this.random.between(5, 5000), () => (this.execution.state = 'ended'));
  }

  /** n8n's request helpers in a process: nothing comes back to one that is killed. */
  helpers(process: N8nProcess) {
    const httpRequest = async (request: Request): Promise<Response> => {
      if (!process.isAlive) return await never();
      const isStatus = request.url.startsWith(GATEWAY);
      const call = isStatus ? this.askGateway(request) : this.callSelf(request, process);
      await call.catch(() => undefined);
      return process.isAlive ? await call : await never();
    };
    return {
      httpRequest,
      httpRequestWithAuthentication: async (
        _: string,
        request: Request,
        { credentialsDecrypted }: { credentialsDecrypted: { data: { apiKey: string } } },
      ) =>
        streamed(
          await httpRequest({
            ...request,
            body: { ...request.body, auth: credentialsDecrypted.data.apiKey },
          }),
        ),
    };
  }

  private async callSelf({ url, body }: Request, process: N8nProcess): Promise<Response> {
    const { reach } = this.scenario;
    const isInside = url.startsWith(INSIDE);
    await this.clock.sleep(this.random.between(1, 50));
    this.trace(() => `calls ${isInside ? 'its own machine' : 'its public address'}`);
    if (isInside ? reach === 'none' : reach !== 'public') throw failure('refused', 'ECONNREFUSED');
    return isInside ? await this.callProcess(process, url, body) : await this.callPublic(url, body);
  }

  /** Calls n8n from outside: a proxy passes the call on to any process. */
  async callPublic(url: string, body: unknown): Promise<Response> {
    await this.clock.sleep(this.random.between(1, 20));
    const alive = this.processes.filter(({ isAlive }) => isAlive);
    if (this.troubleOf('proxy') || alive.length === 0)
      return answer(this.random.pick([301, 403, 404, 410, 502]), '<html>');
    return await this.callProcess(this.random.pick(alive), url, body);
  }

  private async callProcess(process: N8nProcess, url: string, body: unknown): Promise<Response> {
    return await new Promise<Response>((resolve, reject) => {
      const cut = () => reject(failure('reset', 'ECONNRESET'));
      process.cuts.add(cut);
      this.handle(process, url, body)
        .then(resolve, reject)
        .finally(() => process.cuts.delete(cut));
    });
  }

  /** What n8n's WaitingWebhooks does. */
  private async handle(process: N8nProcess, url: string, body: unknown): Promise<Response> {
    await this.clock.sleep(this.random.between(1, this.scenario.loading));
    if (this.troubleOf('n8n')) return refusal(503, 'Database is not ready!');
    if (!url.includes('signature=token')) return answer(401, { error: 'Invalid token' });
    if (this.execution.state !== 'waiting') return refusal(409, 'The execution "7 has finished already.');
    const own: { response?: Response } = {};
    const result = await process.receive(this.context(process, body, own));
    if (!process.isAlive) return await never();
    if (result.workflowData !== undefined) {
      if ((this.execution.state as string) !== 'waiting')
        return refusal(409, 'The execution is running already.');
      if (this.failedStarts-- > 0) return refusal(500, 'Connection is closed.');
      this.wake('node', result.workflowData[0]);
    }
    return own.response ?? answer(200, result.webhookResponse);
  }

  /** The gateway's key, and the credential with it. */
  private get key(): string {
    return this.time >= this.scenario.keyChange ? 'new' : 'old';
  }

  credential(): { apiKey: string; baseUrl: string } {
    return { apiKey: this.key, baseUrl: GATEWAY };
  }

  readonly logger = { warn: (text: string) => void this.warnings.push(text) };

  private context(process: N8nProcess, body: unknown, own: { response?: Response }): IWebhookFunctions {
    return {
      getRequestObject: () => ({ method: 'POST' }),
      getBodyData: () => body,
      getNode: () => ({ id: 'node', name: 'Send' }),
      getExecutionId: () => '7',
      evaluateExpression: (expression: string) => {
        if (expression.includes('resumeUrl')) return PUBLIC.replace('/node', '');
        return expression.includes('$input') ? structuredClone(this.execution.items) : this.execution.note;
      },
      getCredentials: async () => await Promise.resolve(this.credential()),
      getResponseObject: () => ({
        status: (status: number) => ({ json: (json: unknown) => (own.response = answer(status, json)) }),
      }),
      logger: this.logger,
      helpers: this.helpers(process),
    } as unknown as IWebhookFunctions;
  }

  private async askGateway({ body }: Request): Promise<Response> {
    const { auth, data } = body as { auth: string; data: Array<{ id: number }> };
    this.counts.questions += 1;
    this.trace(() => `asks about ${data.length}`);
    await this.clock.sleep(this.random.between(5, 200));
    const refuse = (error: string) => answer(200, JSON.stringify({ success: false, error }));
    if (auth !== this.key) return refuse('Access denied');
    const way = this.troubleOf('gateway')?.way;
    if (way === 'refused') throw failure('refused', 'ECONNREFUSED');
    if (way === 'error') return answer(500, '<html>');
    if (way === 'limited') return answer(429, 'Slow down', { 'retry-after': '20' });
    if (way === 'refusing') return refuse('Später');
    const results = data.map(({ id }) => {
      if (way === 'absent') return { success: false, error: 'Gibt es nicht', data: { id } };
      const state = way === 'vague' ? { status: 'UNKNOWN' } : this.stateOf(this.scenario.messages[id - 1]);
      return { success: true, data: { id, ...state } };
    });
    return answer(200, JSON.stringify({ success: true, data: results }));
  }

  /** What `status` says of a message. */
  private stateOf({ finalAfter, status, firstFailsAfter }: MessagePlan): Record<string, unknown> {
    const { type, switching, namedChannel } = this.scenario;
    const [first, last = first] = type.split('+');
    const named = (channel: string) => {
      if (namedChannel === 'none') return {};
      return { type: namedChannel === 'its own' ? channel : type };
    };
    if (this.time >= finalAfter) return { status, ...named(last) };
    const hasFailed = last !== first && this.time >= firstFailsAfter;
    if (!hasFailed) return { status: 'SENT', ...named(first) };
    const isSwitching = this.time < firstFailsAfter + switching;
    return isSwitching ? { status: 'UNDELIVERABLE', ...named(first) } : { status: 'SENT', ...named(last) };
  }
}
