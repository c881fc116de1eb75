/**
 * A model of the gateway, written from the contract (gateway-api.md) as an adversary of whoever sends: what it says, when
 * it takes and when an exchange breaks are drawn apart from each other. It shares no code and no words with the node.
 *
 * What it keeps to, since without it nobody could promise anything:
 *
 * - Once it has answered by itself, with less than HTTP 500, it takes nothing more of that request.
 * - An exchange that breaks before anybody's time limit: it takes nothing 30 s after the break.
 * - It takes nothing of a request that didn't reach it, or of one refused with 401, 403, 404, 405, 413 or 429 without its
 *   words, or as a whole with "Access denied".
 * - `status` knows what was taken two seconds after an answer (what is in a queue, 30 s after it), and 30 s after
 *   a break. It has the same answer for every id that it doesn't know, and no message that it knows gets that answer for two
 *   seconds. It knows messages of all types but `call/otp` and `pipeline`, which it may lack.
 *
 * Not drawn, since nothing in the node depends on it: executions side by side (the proof runs its cases so), sub-workflows,
 * more than 2,500 items, waits after sends (the simulation of waits).
 */
import { acknowledgement, refusal, results } from './answers.mts';
import { planOf } from './conduct.mts';
import type { Plan } from './conduct.mts';
import { World } from './outcome.mts';
import type { Stage } from './outcome.mts';
import { seeded } from './random.mts';
import type { GatewayTraits, Scenario } from './scenario.mts';
import { BAD_SENDER } from './scenario.mts';
import { statusPlan } from './status-desk.mts';

export interface Operation {
  type: string;
  id: number | string;
  phone?: number;
  sms_signature?: string;
  sms?: { signature?: string };
}

/** Which try of which run of which node a request belongs to. */
export interface Origin {
  /** Which executions: one and all that go on with its data. */
  lineage: number;
  execution: number;
  /** Counts the runs of nodes in this execution, from 0. */
  run: number;
  /** From 0. */
  attempt: number;
  /** Whether it knows nothing of a Retry of the same execution before. */
  isBlind: boolean;
}

/** What the gateway took, which is paid for. */
export interface Take {
  id: string;
  type: string;
  phone: string;
  request: RequestRecord;
  at: number;
  /** From when on `status` knows it. */
  knownAt: number;
  /** Whether it was not delivered. */
  hasFailed: boolean;
}

/**
 * How an exchange ended.
 *
 * - `answered`: the gateway answered by itself.
 * - `before`: it ended before any work.
 * - `broken`: it broke, or something on the way answered.
 * - `late`: a time limit was over, the client's or that of something on the way.
 * - `stopped`: the execution was stopped.
 */
export type Ending = 'answered' | 'before' | 'broken' | 'late' | 'stopped';

/** What an answer of `status` says about one id: nothing, where it is `useless`. */
export type Told = 'known' | 'failed' | 'absent' | 'useless';

export interface RequestRecord {
  number: number;
  origin: Origin;
  kind: 'send' | 'status';
  endpoint: 'sync' | 'async';
  operations: Operation[];
  leftAt: number;
  /** When the client had its answer, or gave up. */
  endedAt?: number;
  ending?: Ending;
  /** What the answer said of each operation, where it did; of a send `true` for "taken". */
  results?: boolean[];
  told?: Told[];
  /** Milliseconds for which `status` wants to be left alone. */
  retryAfter?: number;
  /** Whether it names the time of day until which it wants to be left alone. */
  hasRetryDate?: boolean;
  /** Why it was refused as a whole, and what was said of each row. */
  words?: string;
  texts?: Array<string | undefined>;
  /** What went wrong, in words. */
  fault: string;
}

export interface FullResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: string | AsyncIterable<string>;
}

/** The result of one operation as the contract shows it. */
export interface ResultItem {
  success: boolean;
  error?: string;
  data?: Record<string, unknown> | null;
}

/** What the gateway made of a request, once it worked on it. */
export interface Work {
  items: ResultItem[];
  /** Why it refused the request as a whole, and its HTTP status. */
  refusal?: { words: string; status: number };
}

interface Call extends Pick<RequestRecord, 'endpoint' | 'operations' | 'origin'> {
  /** Ends the exchange. */
  signal: AbortSignal;
  /** Whether the execution has been stopped. */
  isStopped(): boolean;
}

export class ModelGateway extends World<Scenario> {
  readonly takes: Take[] = [];

  readonly requests: RequestRecord[] = [];

  readonly traits: GatewayTraits;

  /** Requests to send since the last one that went wrong. */
  sinceFault = Infinity;

  private readonly takesOf = new Map<string, Take[]>();

  constructor(stage: Stage<Scenario>) {
    super(stage, seeded(stage.scenario.seed, 2));
    this.traits = stage.scenario.gateway;
  }

  /** Takes a request as n8n's request helper does: rejects where no answer comes, and when the client ends the exchange. */
  async call({ endpoint, operations, signal, isStopped, origin }: Call): Promise<FullResponse> {
    const { clock } = this;
    const request: RequestRecord = {
      number: this.requests.length + 1,
      origin,
      kind: operations[0]?.type === 'status' ? 'status' : 'send',
      endpoint,
      operations,
      leftAt: clock.now,
      fault: '',
    };
    this.requests.push(request);
    const plan = request.kind === 'status' ? statusPlan(this, request) : planOf(this, request);
    request.fault = plan.fault;
    this.trace(() => `#${request.number} ${describe(request)}${plan.fault === '' ? '' : `: ${plan.fault}`}`);
    const work: Work = { items: [] };
    this.schedule(request, plan, work);
    return await new Promise<FullResponse>((resolve, reject) => {
      const end = (ending: Ending, words: string): void => {
        request.endedAt = clock.now;
        request.ending = ending;
        this.trace(() => `#${request.number} -> ${words}`);
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        if (request.endedAt !== undefined) return;
        end(isStopped() ? 'stopped' : 'late', isStopped() ? 'stopped' : 'time limit of the client');
        request.results = undefined;
        request.told = undefined;
        reject(networkError('ERR_CANCELED', 'canceled'));
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      const { reply } = plan;
      if (reply === undefined) return;
      clock.after(reply.delay, () => {
        if (request.endedAt !== undefined) return;
        if (reply.kind === 'endless') return resolve(endless());
        if (reply.kind === 'failure') {
          end(plan.ending, `${reply.code} ${reply.message}`);
          reject(networkError(reply.code, reply.message, reply.syscall));
          return;
        }
        const response = reply.respond(work);
        const { body, statusCode } = response;
        const text = typeof body === 'string' ? body : 'a body that breaks off';
        end(
          plan.ending,
          `${statusCode} ${text.length > 200 ? `${text.slice(0, 200)}… (${text.length})` : text}`,
        );
        resolve(response);
      });
    });
  }

  /** Schedules the work on a request, each time that it arrives. */
  private schedule(request: RequestRecord, { takes: times = [], knownBy = 0 }: Plan, work: Work): void {
    for (const takes of times) {
      const byTime = new Map<number, number[]>();
      takes.forEach((delay, index) => {
        if (delay === undefined) return;
        const together = byTime.get(delay);
        if (together) together.push(index);
        else byTime.set(delay, [index]);
      });
      for (const [delay, indexes] of byTime) {
        this.clock.after(
          delay,
          () => this.workOn({ request, indexes, work }, request.leftAt + knownBy),
          true,
        );
      }
    }
  }

  private workOn(
    { request, indexes, work }: { request: RequestRecord; indexes: number[]; work: Work },
    knownBy: number,
  ): void {
    const { traits } = this;
    const { operations } = request;
    work.refusal = this.refusalOf(operations, indexes);
    if (work.refusal) return;
    const taken: Array<number | string> = [];
    const isQueue = request.endpoint === 'async' || traits.acknowledges;
    for (const index of indexes) {
      const operation = operations[index];
      const { id } = operation;
      const refused = (words: string): void => {
        work.items[index] = { success: false, error: words, data: { id } };
      };
      // The queue takes everything; what becomes of it comes with the callback.
      if (!isQueue && isBadOperation(operation)) refused(traits.badWords);
      else if (!isQueue && this.takesOf.has(String(id)) && traits.duplicates !== 'taken')
        refused(traits.duplicateWords);
      else {
        this.take(request, operation, knownBy);
        taken.push(id);
        work.items[index] = { success: true, data: payloadOf(operation) };
      }
    }
    if (taken.length > 0) this.trace(() => `   taken of #${request.number}: ${shortList(taken)}`);
  }

  private take(request: RequestRecord, { id, type, phone }: Operation, knownBy: number): void {
    const { now } = this.clock;
    const lag = this.random.chance(0.5) ? this.random.between(0, Math.max(0, knownBy - now)) : 0;
    const hasFailed = this.random.chance(0.05);
    const take: Take = {
      id: String(id),
      type,
      phone: String(phone),
      request,
      at: now,
      knownAt: now + lag,
      hasFailed,
    };
    this.takes.push(take);
    const before = this.takesOf.get(take.id);
    if (before) before.push(take);
    else this.takesOf.set(take.id, [take]);
  }

  /** Why it refuses a request as a whole, if it does. */
  private refusalOf(operations: Operation[], indexes: number[]): Work['refusal'] {
    const { duplicates, refusesWhole, badWords, duplicateWords, acknowledges } = this.traits;
    if (acknowledges) return undefined;
    const worked = indexes.map((index) => operations[index]);
    if (refusesWhole !== undefined && worked.some(isBadOperation))
      return { words: badWords, status: refusesWhole };
    const isRepeated = duplicates === 'refuseWhole' && worked.some(({ id }) => this.takesOf.has(String(id)));
    return isRepeated ? { words: duplicateWords, status: 200 } : undefined;
  }

  /** The take that `status` knows of by now. */
  known(id: number | string): Take | undefined {
    const { lacks, memory } = this.traits.status;
    const { now } = this.clock;
    return this.takesOf
      .get(String(id))
      ?.find(({ knownAt, at, type }) => knownAt <= now && at + memory > now && !lacks.includes(type));
  }

  /** The answer to a request that it worked on. */
  answer({ items, refusal: whole }: Work, { endpoint, number }: RequestRecord): FullResponse {
    const { traits } = this;
    if (whole) return refusal(whole.words, traits, whole.status);
    const isQueued = endpoint === 'async' || traits.acknowledges;
    return isQueued ? acknowledgement(traits, `r${number}`) : results(items, traits);
  }
}

const isBadOperation = ({ sms_signature: signature, sms }: Operation): boolean =>
  signature === BAD_SENDER || sms?.signature === BAD_SENDER;

const payloadOf = ({ type, id }: Operation): Record<string, unknown> => ({
  id,
  msg_id: `9${String(id)}`,
  parts: 1,
  ...(type === 'call/otp' && { code: '0042', price: 0.5 }),
});

/** An answer that begins and never ends. */
const endless = (): FullResponse => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json' },
  body: (async function* () {
    yield '{"success":true,';
    await new Promise(() => undefined);
  })(),
});

/** An error as axios throws it. */
export function networkError(code: string, message: string, syscall?: string): Error {
  const error: Error = Object.assign(new Error(message), { code, ...(syscall !== undefined && { syscall }) });
  return error;
}

const describe = ({ kind, endpoint, operations, origin }: RequestRecord): string =>
  `${kind}${endpoint === 'async' ? ' (queued)' : ''} of ${operations.length} by ${origin.execution}.${origin.run} try ${origin.attempt + 1}: ${shortList(operations.map(({ id }) => id))}`;

const shortList = (ids: Array<number | string>): string =>
  ids.length > 8 ? `${ids.slice(0, 8).join(' ')} … ${String(ids[ids.length - 1])}` : ids.join(' ');
