/** The surroundings of a trigger: a model of n8n's processes and of its static data, on a virtual clock. */
import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { never, World } from '../simulation/outcome.mts';
import type { Stage } from '../simulation/outcome.mts';
import { seeded } from '../simulation/random.mts';
import type { EventPlan, StrangerPlan } from './plans.mts';
import type { TriggerScenario } from './scenario.mts';
import { forgedBody } from './strangers.mts';

/** One life of a process, from its start until it is killed. */
export interface Life {
  index: number;
  process: number;
  endedAt: number;
  receive(context: IWebhookFunctions): Promise<IWebhookResponseData>;
}

/** A call as n8n handles it. Times are in milliseconds since 1970. */
export interface Handled {
  life: Life;
  /** What is true of what it says. */
  events: EventPlan[];
  body: unknown;
  /** What kind of stranger called; undefined for the gateway. */
  stranger: StrangerPlan['kind'] | undefined;
  receivedAt: number;
  /** How long the node took. */
  nodeMs: number;
  /** The answer that was given, whether or not the gateway was still listening; Infinity for none. */
  answeredAt: number;
  status?: number;
  /** Whether n8n was given something to start. */
  isStart: boolean;
}

/** An item with which an execution has started. */
export interface Started {
  json: IDataObject;
  life: Life;
  call: Handled;
  at: number;
  /** Whether n8n said that it had failed. */
  isUnnoticed: boolean;
}

/** The static data of the workflow: of all nodes, and of the trigger. */
interface StaticData {
  global: IDataObject;
  node: IDataObject;
}

export class TriggerWorld extends World<TriggerScenario> {
  readonly handled: Handled[] = [];

  readonly started: Started[] = [];

  readonly lives: Life[] = [];

  private readonly current: Array<Life | undefined> = [];

  private staticData: StaticData = { global: {}, node: {} };

  constructor(stage: Stage<TriggerScenario>) {
    super(stage, seeded(stage.scenario.seed, 22));
    const { clock, scenario } = stage;
    for (let process = 0; process < scenario.processes; process++) this.start(process);
    for (const { process, at, downFor } of scenario.kills) {
      clock.after(at, () => this.kill(process));
      clock.after(at + downFor, () => this.start(process));
    }
    for (const { at, for: length } of scenario.overwrites) {
      clock.after(at, () => {
        const began = structuredClone(this.staticData);
        clock.after(length, () => (this.staticData = began), true);
      });
    }
  }

  private kill(process: number): void {
    const life = this.current[process];
    if (life === undefined) return;
    this.trace(() => `process ${process} is killed`);
    life.endedAt = this.clock.now;
    this.current[process] = undefined;
  }

  private start(process: number): void {
    if (this.current[process] !== undefined) return;
    const modules = this.product.newProcess(this.clock);
    const { receive } = modules.load('MessagingGatewayTrigger/receive.ts') as Pick<Life, 'receive'>;
    const life = { index: this.lives.length, process, endedAt: Infinity, receive };
    this.lives.push(life);
    this.current[process] = life;
  }

  /** A call from outside, which a proxy passes on to any process. Returns the HTTP status; undefined for none. */
  async call(events: EventPlan[], sentAs: string | undefined): Promise<number | undefined> {
    const callbacks = events.map(callbackOf);
    const body = callbacks.length === 1 ? callbacks[0] : callbacks;
    return await this.take({ events, body, stranger: undefined }, sentAs);
  }

  /** The calls of a stranger. */
  callAs(plan: StrangerPlan): void {
    const { kind, event, calls } = plan;
    const events = kind === 'fields' && event.at <= this.time ? [event] : [];
    for (let call = 0; call < calls; call++) {
      const body = forgedBody(plan, call, callbackOf);
      // Whoever leaves it out of the address makes the failure of one channel that of the message: a secret is for that.
      void this.take({ events, body, stranger: kind }, event.type === 'viber' ? 'viber+sms' : undefined);
    }
  }

  private async take(
    what: Pick<Handled, 'events' | 'body' | 'stranger'>,
    sentAs: string | undefined,
  ): Promise<number | undefined> {
    const alive = this.current.filter((life) => life !== undefined);
    if (alive.length === 0) return undefined;
    const life = this.random.pick(alive);
    const call: Handled = {
      life,
      ...what,
      receivedAt: this.clock.now,
      nodeMs: 0,
      answeredAt: Infinity,
      isStart: false,
    };
    this.handled.push(call);
    await this.handle(call, sentAs);
    return call.status;
  }

  /** What n8n's LiveWebhooks and executeWebhook do from 2.8 on. */
  private async handle(call: Handled, sentAs: string | undefined): Promise<void> {
    const { clock, scenario, random } = this;
    const pass = async (most: number) => {
      await clock.sleep(random.between(1, most));
      // What comes after the end of a process, nobody sees.
      if (call.life.endedAt < Infinity) await never();
    };
    await pass(scenario.loading);
    const data = structuredClone(this.staticData);
    const loaded = JSON.stringify(data);
    const response = responseFor((status) => {
      if (call.life.endedAt === Infinity) Object.assign(call, { status, answeredAt: clock.now });
      this.trace(() => `call of process ${call.life.process}: ${status} ${words(call.events)}`);
    });
    const save = async () => {
      if (JSON.stringify(data) === loaded) return;
      await pass(scenario.saving);
      this.staticData = data;
    };
    const before = clock.now;
    const result = await call.life.receive(this.context({ call, sentAs, data, response }));
    if (call.life.endedAt < Infinity) await never();
    call.nodeMs = clock.now - before;
    if (result.workflowData === undefined || result.noWebhookResponse) await save();
    if (result.workflowData === undefined) {
      if (!response.writableEnded) response.json(result.webhookResponse);
      return;
    }
    call.isStart = true;
    const outage = scenario.outages.find(({ from, to }) => from <= this.time && this.time < to);
    await pass(outage?.takes ?? scenario.starting);
    if (outage === undefined || outage.isUnnoticed) {
      for (const { json } of result.workflowData[0]) {
        this.trace(() => `starts ${JSON.stringify(json)}`);
        const { life } = call;
        this.started.push({ json, life, call, at: clock.now, isUnnoticed: outage !== undefined });
      }
    }
    await pass(20);
    if (!response.writableEnded) response.status(outage === undefined ? 200 : 500).json({});
  }

  private context(parts: {
    call: Handled;
    sentAs: string | undefined;
    data: StaticData;
    response: ReturnType<typeof responseFor>;
  }): IWebhookFunctions {
    const { call, sentAs, data, response } = parts;
    const { outcomes, options } = this.scenario;
    const parameters: IDataObject = { outcomes, channels: [], options };
    const { body: sent } = call;
    const context = {
      getRequestObject: () => ({
        method: 'POST',
        ip: '192.0.2.1',
        ips: [],
        rawBody: Buffer.from(JSON.stringify(sent)),
      }),
      getBodyData: () => sent,
      getQueryData: () => (sentAs === undefined ? {} : { sent_as: sentAs }),
      getMode: () => 'webhook',
      getResponseObject: () => response,
      getNodeParameter: (name: string) => parameters[name],
      getNode: () => ({
        id: 't',
        name: 'Trigger',
        parameters: { options },
        credentials: { messagingGatewayApi: { id: '1', name: 'c' } },
      }),
      getWorkflow: () => ({ id: 'w' }),
      getInstanceId: () => 'instance',
      getWorkflowStaticData: (type: keyof StaticData) => data[type],
      getNodeWebhookUrl: () => 'https://n8n.example/webhook/t/callback',
      getCredentials: async () => await Promise.resolve({ apiKey: 'k', baseUrl: 'https://gateway.example' }),
      logger: { warn: () => undefined, error: () => undefined },
      helpers: {
        httpRequestWithAuthentication: async (
          _: string,
          request: { body: { data: Array<{ id: number }> } },
        ) => await this.askGateway(request.body.data),
      },
    };
    return context as unknown as IWebhookFunctions;
  }

  /** What `status` says: the newest event of each message, a moment late. */
  private async askGateway(data: Array<{ id: number }>): Promise<object> {
    await this.clock.sleep(this.random.between(5, 2000));
    const known = this.scenario.calls.flatMap(({ events }) => events).filter(({ at }) => at <= this.time);
    const { statusHas, calls } = this.scenario;
    const messages = new Set(calls.flatMap(({ events }) => events.map(({ message }) => message)));
    const results = data.map(({ id }) => {
      if (!messages.has(id - 1)) return { success: false, error: 'Message not found', data: { id } };
      const reported = known.filter(({ message }) => message + 1 === id).sort((a, b) => a.at - b.at);
      const { status = 'ACCEPTED', type } = reported[reported.length - 1] ?? {};
      const payload = {
        ...{ id, status },
        ...(statusHas.type && { type }),
        ...(statusHas.msg_id && { msg_id: 1000 + id - 1 }),
      };
      return { success: true, data: payload };
    });
    return { statusCode: 200, headers: {}, body: JSON.stringify({ success: true, data: results }) };
  }
}

/** The answer to a call, as the node sees it. */
const responseFor = (onEnd: (status: number) => void) => ({
  statusCode: 200,
  writableEnded: false,
  headersSent: false,
  status(code: number) {
    this.statusCode = code;
    return this;
  },
  json(_: unknown) {
    this.writableEnded = true;
    this.headersSent = true;
    onEnd(this.statusCode);
  },
});

const callbackOf = ({ message, status, success, type, ids, replies }: EventPlan): IDataObject => ({
  success,
  ...(ids.includes('id') && { id: message + 1 }),
  ...(ids.includes('msg_id') && { msg_id: 1000 + message }),
  ...(ids.includes('request_id') && { request_id: `r${message}` }),
  ...(status !== undefined && { status }),
  ...(type !== undefined && { type }),
  ...(replies.length > 0 && {
    replies: replies.map((text) => ({ message: text })),
  }),
});

/** The message that an item is about, counted from 0; NaN for none of the simulation. */
export const messageOf = ({ id, msg_id: messageId, request_id: requestId }: IDataObject): number =>
  id !== undefined
    ? Number(id) - 1
    : messageId !== undefined
      ? Number(messageId) - 1000
      : Number(String(requestId).slice(1));

const words = (events: EventPlan[]): string =>
  events.map(({ message, status, outcome }) => `${message + 1} ${status} ${outcome}`).join(', ');
