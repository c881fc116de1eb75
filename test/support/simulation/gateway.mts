/**
 * A model of the gateway, written from the contract (gateway-api.md) as an adversary of whoever sends: what it says, when
 * it takes and when an exchange breaks are drawn apart from each other. It shares no code and no words with the node.
 *
 * What it keeps to, since without it nobody could promise anything:
 *
 * - Once it has answered by itself, with less than HTTP 500, it takes nothing more of that request. The same holds once
 *   something in front of it has answered with such a code.
 * - An exchange that breaks before anybody's time limit: it takes nothing 30 s after the break.
 * - It takes nothing of a request that didn't reach it, or of one refused as a whole with "Access denied", or of a row
 *   that it refuses in words that the contract lists.
 * - What it calls refused though it took it, `status` knows, or can't tell at all; then the words are those of a fault.
 * - `status` knows what was taken two seconds after an answer (what is in a queue, 30 s after it), and 30 s after
 *   a break. It says the same of every id that it doesn't know, but for fields that say nothing of the message, and no
 *   message that it knows gets that answer for two seconds. It knows messages of all types but `call/otp` and `pipeline`,
 *   which it may lack.
 * - Of what it took it never says REJECTED; of what it refused it never says that it is on its way, or arrived.
 *
 * Not drawn, since nothing in the node depends on it: executions side by side (the proof runs its cases so), sub-workflows,
 * more than 2,500 items, waits after sends (the simulation of waits).
 */
import { acknowledgement, refusal, results, withNoise } from './answers.mts';
import { planOf } from './conduct.mts';
import type { Plan } from './conduct.mts';
import { networkError } from './exchange.mts';
import type { Ending, FullResponse, Operation, RequestRecord, Take, Work } from './exchange.mts';
import type { GatewayView } from './gateway-view.mts';
import type { Entry } from './ledger.mts';
import { Ledger } from './ledger.mts';
import { World } from './outcome.mts';
import type { Stage } from './outcome.mts';
import type { Random } from './random.mts';
import { seeded } from './random.mts';
import type { GatewayTraits, Scenario } from './scenario.mts';
import { BAD_SENDER } from './scenario.mts';
import { statusPlan } from './status-desk.mts';
import { FAILED_STATES } from './words.mts';

interface Call extends Pick<RequestRecord, 'endpoint' | 'operations' | 'origin'> {
  /** Ends the exchange. */
  signal: AbortSignal;
  /** Whether the execution has been stopped. */
  isStopped(): boolean;
}

export class ModelGateway extends World<Scenario> implements GatewayView {
  readonly takes: Take[] = [];

  readonly requests: RequestRecord[] = [];

  readonly traits: GatewayTraits;

  /** Requests to send since the last one that went wrong. */
  sinceFault = Infinity;

  readonly ledger: Ledger;

  /** Draws what was drawn for other questions than when an exchange breaks. */
  readonly manners: Random;

  constructor(stage: Stage<Scenario>) {
    super(stage, seeded(stage.scenario.seed, 2));
    const { gateway: traits, startsAt, seed } = stage.scenario;
    this.traits = traits;
    this.manners = seeded(seed, 5);
    const restartedAt = traits.restartsAt === undefined ? undefined : startsAt + traits.restartsAt;
    this.ledger = new Ledger({ memory: traits.status.memory, restartedAt });
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
        const response = this.coded(reply.respond(work), request, plan.ending);
        const { body, statusCode } = response;
        request.statusCode = statusCode;
        const text = typeof body === 'string' ? body : 'a body that breaks off';
        end(
          endingOf(plan.ending, request, statusCode),
          `${statusCode} ${text.length > 200 ? `${text.slice(0, 200)}… (${text.length})` : text}`,
        );
        resolve(response);
      });
    });
  }

  /** An answer of the gateway, with an HTTP code that says nothing of it. */
  private coded(response: FullResponse, { kind, ending }: RequestRecord, planned: Ending): FullResponse {
    const { list, rate } = this.traits.codes;
    const isOwn = planned === 'answered' && ending === undefined && response.statusCode === 200;
    const isJson = response.headers['content-type'] === 'application/json';
    if (!isOwn || !isJson || !this.manners.chance(rate)) return response;
    // A question that was refused with such a code may be asked again, and a limit is told from that by its own code.
    return kind === 'status' && this.manners.chance(0.5)
      ? response
      : { ...response, statusCode: this.manners.pick(list) };
  }

  /** Schedules the work on a request, each time that it arrives. */
  private schedule(
    request: RequestRecord,
    { takes: times = [], knownBy = 0, refusesAt }: Plan,
    work: Work,
  ): void {
    const by = request.leftAt + knownBy;
    for (const takes of times) {
      const byTime = new Map<number, number[]>();
      takes.forEach((delay, index) => {
        if (delay === undefined) return;
        const together = byTime.get(delay);
        if (together) together.push(index);
        else byTime.set(delay, [index]);
      });
      for (const [delay, indexes] of byTime) {
        this.clock.after(delay, () => this.workOn({ request, indexes, work }, by), true);
      }
    }
    if (refusesAt === undefined) return;
    // What is never taken was refused.
    const refused = request.operations.filter((_, i) => times.every((takes) => takes[i] === undefined));
    this.clock.after(refusesAt, () => refused.forEach((operation) => this.writeDown(operation, by)), true);
  }

  /** Writes a refusal down, as this gateway does. */
  private writeDown({ id, type }: Operation, knownBy: number): void {
    const { rate, state } = this.traits.log;
    const { now } = this.clock;
    // A refusal is in its log for good, or nowhere.
    if (rate === 0 || !this.manners.chance(rate) || this.ledger.has(id, now, 'all')) return;
    const lag = this.manners.chance(0.5) ? this.manners.between(0, Math.max(0, knownBy - now)) : 0;
    this.trace(() => `   ${id} is written down as ${state}`);
    this.ledger.add({ id: String(id), type, at: now, knownAt: now + lag, state });
  }

  private workOn(
    { request, indexes, work }: { request: RequestRecord; indexes: number[]; work: Work },
    knownBy: number,
  ): void {
    const { traits } = this;
    const { operations } = request;
    work.refusal = this.refusalOf(operations, indexes);
    if (work.refusal) {
      for (const index of indexes) this.writeDown(operations[index], knownBy);
      return;
    }
    const taken: Array<number | string> = [];
    const isQueue = request.endpoint === 'async' || traits.acknowledges;
    for (const index of indexes) {
      const operation = operations[index];
      const { id } = operation;
      const words = this.wordsAgainst(operation);
      // The queue accepts everything; what becomes of it comes with the callback, and from `status`.
      if (words !== undefined && (!isQueue || words !== traits.duplicateWords)) {
        if (words !== traits.duplicateWords) this.writeDown(operation, knownBy);
        // Some queues tell at once.
        const isSilent = isQueue && !(request.endpoint === 'async' && traits.queueTells);
        work.items[index] = isSilent
          ? { success: true, data: { id } }
          : { success: false, error: words, data: { id } };
        continue;
      }
      this.take(request, operation, knownBy);
      taken.push(id);
      work.items[index] = { success: true, data: payloadOf(operation) };
    }
    if (taken.length > 0) this.trace(() => `   taken of #${request.number}: ${shortList(taken)}`);
  }

  /** Why it refuses an operation, if it does. */
  private wordsAgainst(operation: Operation): string | undefined {
    const { badWords, duplicates, duplicateWords, funds } = this.traits;
    if (isBadOperation(operation)) return badWords;
    if (duplicates !== 'taken' && this.isRepeated(operation)) return duplicateWords;
    return this.lacksFunds() ? funds?.words : undefined;
  }

  private isRepeated({ id }: Operation): boolean {
    return this.ledger.has(id, this.clock.now, this.traits.log.isDuplicate ? 'all' : 'taken');
  }

  private lacksFunds(): boolean {
    const { messages = Infinity, filledAt = 0 } = this.traits.funds ?? {};
    return this.time < filledAt && this.takes.length >= messages;
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
      ...(hasFailed && { failure: this.manners.pick(FAILED_STATES) }),
    };
    this.takes.push(take);
    this.ledger.add(take);
  }

  /** Why it refuses a request as a whole, if it does. */
  private refusalOf(operations: Operation[], indexes: number[]): Work['refusal'] {
    const { duplicates, refusesWhole, badWords, duplicateWords, acknowledges, funds } = this.traits;
    if (acknowledges) return undefined;
    const worked = indexes.map((index) => operations[index]);
    if (refusesWhole !== undefined && worked.some(isBadOperation))
      return { words: badWords, status: refusesWhole };
    if (refusesWhole !== undefined && funds !== undefined && this.lacksFunds())
      return { words: funds.words, status: refusesWhole };
    const isRepeated = duplicates === 'refuseWhole' && worked.some((operation) => this.isRepeated(operation));
    return isRepeated ? { words: duplicateWords, status: 200 } : undefined;
  }

  /** What `status` knows of an id by now. */
  known(id: number | string): Entry | undefined {
    return this.ledger.known(id, this.clock.now, this.traits.status.lacks);
  }

  /** The answer to a request that it worked on. */
  answer({ items, refusal: whole }: Work, { endpoint, number }: RequestRecord): FullResponse {
    const { traits } = this;
    if (whole) return refusal(whole.words, traits, whole.status);
    const isQueued = endpoint === 'async' || traits.acknowledges;
    if (isQueued) return acknowledgement(traits, `r${number}`, items);
    return results(withNoise(items, this), traits);
  }
}

/** Codes of a server that stopped waiting while another one was at work. */
const LATE_CODES = [408, 504, 524];

/** How an exchange ended: with such codes, whatever isn't a result of each row may be that of something on the way. */
const endingOf = (planned: Ending, { kind, results }: RequestRecord, statusCode: number): Ending => {
  if (planned !== 'answered' || kind === 'status' || results !== undefined) return planned;
  if (LATE_CODES.includes(statusCode)) return 'late';
  return statusCode >= 500 ? 'broken' : planned;
};

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

const describe = ({ kind, endpoint, operations, origin }: RequestRecord): string =>
  `${kind}${endpoint === 'async' ? ' (queued)' : ''} of ${operations.length} by ${origin.execution}.${origin.run} try ${origin.attempt + 1}: ${shortList(operations.map(({ id }) => id))}`;

const shortList = (ids: Array<number | string>): string =>
  ids.length > 8 ? `${ids.slice(0, 8).join(' ')} … ${String(ids[ids.length - 1])}` : ids.join(' ');
