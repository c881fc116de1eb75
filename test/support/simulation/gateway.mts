/**
 * A model of the gateway, written from the contract: what it takes and when, and how its answers get lost. It shares no
 * code with the node.
 */
import type { VirtualClock } from './clock.mts';
import type { Random } from './random.mts';
import type { GatewayTraits } from './scenario.mts';
import { BAD_SENDER } from './scenario.mts';
import type { Plan } from './faults.mts';
import { planOf } from './faults.mts';
import type { Trace } from './outcome.mts';

export interface Operation {
  type: string;
  id: number | string;
  sms_message?: string;
  sms_signature?: string;
}

/** Which try of which run of which node a request belongs to. */
export interface Origin {
  execution: number;
  /** Counts the runs of nodes in this execution, from 0. */
  run: number;
  /** From 0. */
  attempt: number;
}

/** What the gateway took, which is paid for. */
export interface Take {
  id: string;
  text: string;
  request: RequestRecord;
  at: number;
  /** From when on `status` knows it. */
  knownAt: number;
}

/**
 * What the answer to a request proves about an operation in it (the issue's three kinds).
 *
 * - `told`: it was taken or refused, as the answer says.
 * - `notTaken`: the request can't have been taken.
 * - `lost`: the answer was lost, or says nothing about the operation.
 * - `late`: somebody was still at work on it when the time limit was over.
 * - `stopped`: the execution was stopped before the answer came.
 */
export type Proof = 'told' | 'notTaken' | 'lost' | 'late' | 'stopped';

export interface RequestRecord {
  number: number;
  origin: Origin;
  kind: 'send' | 'status';
  endpoint: 'sync' | 'async';
  operations: Operation[];
  leftAt: number;
  /** When the client had its answer, or gave up. */
  endedAt?: number;
  /** What the client can know, for each operation; set when the request has ended. */
  proofs: Proof[];
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
  data?: Record<string, unknown>;
}

/** What the gateway made of a request, once it worked on it. */
export interface Work {
  items: ResultItem[];
  /** Why it refused the request as a whole. */
  refusal?: string;
}

export interface Call {
  endpoint: 'sync' | 'async';
  operations: Operation[];
  /** Ends the exchange. */
  signal: AbortSignal;
  /** Whether the execution has been stopped. */
  isStopped(): boolean;
  origin: Origin;
}

export const DUPLICATE = ['Duplicate id', 'Message with this id already exists', 'id is not unique'] as const;

export class ModelGateway {
  readonly takes: Take[] = [];

  readonly requests: RequestRecord[] = [];

  readonly traits: GatewayTraits;

  readonly clock: VirtualClock;

  readonly random: Random;

  /** Requests to send since the last one that failed. */
  sinceFault = Infinity;

  private readonly startedAt: number;

  private readonly takesOf = new Map<string, Take[]>();

  private readonly trace: Trace;

  private queued = 0;

  constructor(
    clock: VirtualClock,
    random: Random,
    traits: GatewayTraits,
    trace: Trace,
  ) {
    this.clock = clock;
    this.random = random;
    this.traits = traits;
    this.trace = trace;
    this.startedAt = clock.now;
  }

  /** Milliseconds since the start. */
  get elapsed(): number {
    return this.clock.now - this.startedAt;
  }

  /**
   * Takes a request as n8n's request helper does: rejects where no answer comes, and when the client ends the exchange.
   */
  async call({ endpoint, operations, signal, isStopped, origin }: Call): Promise<FullResponse> {
    const { clock } = this;
    const request: RequestRecord = {
      number: this.requests.length + 1,
      origin,
      kind: operations[0]?.type === 'status' ? 'status' : 'send',
      endpoint,
      operations,
      leftAt: clock.now,
      proofs: [],
      fault: '',
    };
    this.requests.push(request);
    const plan = planOf(this, request);
    request.fault = plan.fault;
    this.trace(() => `#${request.number} ${describe(request)}${plan.fault === '' ? '' : `: ${plan.fault}`}`);
    this.work(request, plan);

    return await new Promise<FullResponse>((resolve, reject) => {
      const end = (words: string, proof?: Proof): boolean => {
        if (request.endedAt !== undefined) return false;
        request.endedAt = clock.now;
        request.proofs = operations.map((_, i) => proof ?? plan.proofs[i] ?? plan.proof);
        this.trace(() => `#${request.number} -> ${words}`);
        signal.removeEventListener('abort', onAbort);
        return true;
      };
      const onAbort = () => {
        const proof = isStopped() ? 'stopped' : 'late';
        if (end(proof === 'late' ? 'time limit of the client' : 'stopped', proof)) {
          reject(networkError('ERR_CANCELED', 'canceled'));
        }
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });

      const { reply } = plan;
      if (reply === undefined) return;
      clock.after(reply.delay, () => {
        if (request.endedAt !== undefined) return;
        if (reply.kind === 'endless') return resolve(endless());
        if (reply.kind === 'failure') {
          const { code, message, syscall } = reply;
          if (end(`${code} ${message}`)) reject(networkError(code, message, syscall));
          return;
        }
        const response = reply.respond(plan.work);
        const { body, statusCode } = response;
        const text = typeof body === 'string' ? body : 'a body that breaks off';
        end(`${statusCode} ${text.length > 200 ? `${text.slice(0, 200)}… (${text.length})` : text}`);
        resolve(response);
      });
    });
  }

  /** Schedules what is taken of a request. */
  private work(request: RequestRecord, { takes, work }: Plan): void {
    const byTime = new Map<number, number[]>();
    takes.forEach((delay, index) => {
      if (delay === undefined) return;
      const together = byTime.get(delay);
      if (together) together.push(index);
      else byTime.set(delay, [index]);
    });
    for (const [delay, indexes] of byTime) {
      this.clock.after(delay, () => this.takeAll(request, indexes, work), true);
    }
  }

  private takeAll(request: RequestRecord, indexes: number[], work: Work): void {
    const { duplicates } = this.traits;
    const { operations } = request;
    work.refusal ??= this.refusalOf(request);
    if (work.refusal !== undefined) return;
    const results = work.items;
    const taken: Array<number | string> = [];
    for (const index of indexes) {
      const operation = operations[index];
      const { id } = operation;
      const before = this.takesOf.get(String(id));
      if (request.endpoint === 'async') {
        taken.push(id);
        // The queue takes everything; what becomes of it comes with the callback.
        this.take(request, operation);
      } else if (isBadOperation(operation)) {
        results[index] = { success: false, error: 'Error in Alpha-name', data: { id } };
      } else if (before && duplicates !== 'taken') {
        results[index] = { success: false, error: this.random.pick(DUPLICATE), data: { id } };
      } else {
        this.take(request, operation);
        taken.push(id);
        results[index] = { success: true, data: { id, msg_id: `9${String(id)}`, parts: 1 } };
      }
    }
    if (taken.length > 0) this.trace(() => `   taken of #${request.number}: ${shortList(taken)}`);
  }

  private take(request: RequestRecord, { id, sms_message: text = '' }: Operation): void {
    const { now } = this.clock;
    const lag = this.random.chance(0.5) ? this.random.between(0, this.traits.mostLag) : 0;
    const take: Take = { id: String(id), text, request, at: now, knownAt: now + lag };
    this.takes.push(take);
    const before = this.takesOf.get(take.id);
    if (before) before.push(take);
    else this.takesOf.set(take.id, [take]);
  }

  /** Why it refuses a request as a whole, if it does. */
  private refusalOf(request: RequestRecord): string | undefined {
    const { duplicates, refusesWhole } = this.traits;
    const { operations } = request;
    if (refusesWhole && operations.some(isBadOperation)) return 'Error in Alpha-name';
    const isKnown = ({ id }: Operation) =>
      this.takesOf.get(String(id))?.some((take) => take.request !== request);
    return duplicates === 'refuseWhole' && operations.some(isKnown) ? DUPLICATE[0] : undefined;
  }

  /** Whether `status` knows a message by now. */
  knows(id: number | string): boolean {
    return this.takesOf.get(String(id))?.some(({ knownAt }) => knownAt <= this.clock.now) === true;
  }

  nextQueueNumber(): string {
    this.queued += 1;
    return `r${this.queued}`;
  }
}

export const isBadOperation = ({ sms_signature: signature }: Operation): boolean => signature === BAD_SENDER;

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
