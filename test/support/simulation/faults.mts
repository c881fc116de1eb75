/** What becomes of a request: which of its operations are taken when, and what comes back. */
import { answerOf, GATEWAY_FAULTS, html, rateLimit, refusal, serverError, TRY_LATER } from './answers.mts';
import { damagedPlan, itemPlan } from './damages.mts';
import type { FullResponse, ModelGateway, Operation, Proof, RequestRecord, Work } from './gateway.mts';
import type { Random } from './random.mts';
import type { Cause, GatewayTraits } from './scenario.mts';
import { isGentle } from './scenario.mts';
import { statusPlan } from './status-faults.mts';

export interface Answering {
  kind: 'response';
  /** Milliseconds since the request left. */
  delay: number;
  respond(work: Work): FullResponse;
}

export interface Failing {
  kind: 'failure';
  delay: number;
  code: string;
  message: string;
  syscall?: string;
}

export interface Plan {
  /** In words; empty where nothing goes wrong. */
  fault: string;
  /** When each operation is worked on, in milliseconds since the request left; undefined: never. */
  takes: Array<number | undefined>;
  /** What the client can know from the answer; `proofs` for single operations. */
  proof: Proof;
  proofs: Proof[];
  /** What the gateway makes of the request, filled in as it works. */
  work: Work;
  /** Left out where nothing comes back. */
  reply?: Answering | Failing | { kind: 'endless'; delay: number };
}

const never = (operations: unknown[]): undefined[] => operations.map(() => undefined);

/** The plan of a request; draws whether and how it fails. */
export function planOf(gateway: ModelGateway, request: RequestRecord): Plan {
  const { random, traits, elapsed } = gateway;
  const outage = traits.outages.find(
    ({ from, to, affects }) =>
      elapsed >= from && elapsed < to && (affects === 'all' || affects === request.kind),
  );
  if (request.kind === 'status') return statusPlan(gateway, request, outage?.cause);
  const limited = tooLarge(gateway, request);
  if (limited) return limited;
  if (outage) return failing(gateway, request, outage.cause);
  const mayFail = gateway.sinceFault >= traits.faultFreeAfter;
  if (!mayFail || !random.chance(traits.faultRate)) {
    gateway.sinceFault += 1;
    return undisturbed(gateway, request);
  }
  gateway.sinceFault = 0;
  return failing(gateway, request, drawCause(random, traits));
}

type SendCause =
  | Cause
  | 'damaged'
  | 'itemFaults'
  | 'envelopeFault'
  | 'itemRefusals'
  | 'slow'
  | 'stranger'
  | 'reordered';

/** Gentle gateways don't refuse at random, so that everything has to arrive. */
function drawCause(random: Random, traits: GatewayTraits): SendCause {
  return random.weighted<SendCause>([
    [3, 'lost'],
    [3, 'serverError'],
    [2, 'late'],
    [2, 'damaged'],
    [2, 'itemFaults'],
    [1, 'envelopeFault'],
    [1, 'reordered'],
    [1, 'slow'],
    [1, 'connection'],
    [1, 'rateLimit'],
    ...(isGentle(traits)
      ? []
      : [[0.5, 'refused'] as const, [0.5, 'itemRefusals'] as const, [0.2, 'stranger'] as const]),
  ]);
}

/** Milliseconds on the way, in one direction. */
export const arrival = (random: Random): number => random.between(1, 30);

export const workTime = ({ work: [base, each] }: GatewayTraits, operations: unknown[]): number =>
  Math.round(base + each * operations.length);

function undisturbed(gateway: ModelGateway, { operations, endpoint }: RequestRecord): Plan {
  const { random, traits } = gateway;
  const workedAt = arrival(random) + workTime(traits, operations);
  return {
    fault: '',
    takes: operations.map(() => workedAt),
    proof: 'told',
    proofs: [],
    work: { items: [] },
    reply: {
      kind: 'response',
      delay: workedAt + arrival(random),
      respond: (work) => answerOf(gateway, work, endpoint),
    },
  };
}

function tooLarge({ traits, random }: ModelGateway, { operations }: RequestRecord): Plan | undefined {
  const { mostOperations, tooLarge: form } = traits;
  if (mostOperations === undefined || operations.length <= mostOperations) return undefined;
  const words = 'Too many operations in one request';
  const response = form === 'http' ? html(413) : refusal(words, traits, form === 'envelope' ? 200 : 400);
  return refusing(random, operations, 'too large', response);
}

/** A request of which certainly nothing is taken. */
function refusing(random: Random, operations: Operation[], fault: string, response: FullResponse): Plan {
  return {
    fault,
    takes: never(operations),
    proof: 'notTaken',
    proofs: [],
    work: { items: [] },
    reply: { kind: 'response', delay: 2 * arrival(random), respond: () => response },
  };
}

/**
 * When the operations of a request are taken whose answer is lost: at once, later, never, or only the first of them. A
 * gateway that keeps to the settling time is done early enough for `status` to know them when that is over.
 */
export function drawTakes(
  gateway: ModelGateway,
  { operations }: RequestRecord,
  isLate: boolean,
): Array<number | undefined> {
  const { random, traits } = gateway;
  const { settling, mostLag, keepsSettlingTime, lateRate } = traits;
  const isBounded = keepsSettlingTime && !isLate;
  const latest = isBounded ? settling - mostLag : 60_000;
  const atOnce = arrival(random) + workTime(traits, operations);
  const when = random.chance(0.35)
    ? undefined
    : random.chance(lateRate)
      ? random.chance(0.1)
        ? latest
        : random.between(0, latest)
      : Math.min(atOnce, latest);
  const taken = random.chance(0.15) ? random.between(0, operations.length) : operations.length;
  return operations.map((_, i) => (i < taken ? when : undefined));
}

const inWords = (takes: Array<number | undefined>): string => {
  const [first] = takes;
  const count = takes.filter((take) => take !== undefined).length;
  return count === 0 ? 'nothing is taken' : `${count} taken after ${String(first ?? 'a while')} ms`;
};

function failing(gateway: ModelGateway, request: RequestRecord, cause: SendCause): Plan {
  const { random, traits } = gateway;
  const { operations } = request;
  switch (cause) {
    case 'connection':
      return connectionPlan(gateway, operations);
    case 'rateLimit':
      return refusing(random, operations, 'rate limit', rateLimit(gateway));
    case 'refused':
      return refusedPlan(gateway, operations);
    case 'stranger': {
      const status = random.pick([302, 401, 403, 404]);
      return refusing(random, operations, `HTTP ${status}`, html(status));
    }
    case 'slow':
      return slowPlan(gateway, request);
    case 'lost':
    case 'serverError':
    case 'late':
    case 'envelopeFault':
      return unknownPlan(gateway, request, cause);
    case 'damaged':
      return damagedPlan(gateway, request);
    case 'reordered':
    case 'itemFaults':
    case 'itemRefusals':
      // The queue tells nothing about single operations.
      return request.endpoint === 'sync' && !traits.refusesWhole
        ? itemPlan(gateway, request, cause)
        : unknownPlan(gateway, request, 'lost');
  }
}

export function connectionPlan({ random, traits }: ModelGateway, operations: Operation[]): Plan {
  const [code, syscall] = random.weighted<[string, string | undefined]>([
    [4, ['ECONNREFUSED', 'connect']],
    [1, ['ETIMEDOUT', 'connect']],
    [1, ['EAI_AGAIN', 'getaddrinfo']],
    [isGentle(traits) ? 0 : 0.3, ['ENOTFOUND', 'getaddrinfo']],
  ]);
  return {
    fault: 'no connection',
    takes: never(operations),
    proof: 'notTaken',
    proofs: [],
    work: { items: [] },
    reply: { kind: 'failure', delay: random.between(0, 50), code, message: 'no connection', syscall },
  };
}

function refusedPlan({ random, traits }: ModelGateway, operations: Operation[]): Plan {
  const words = random.weighted<string>([
    [2, random.pick(TRY_LATER)],
    [1, 'Access denied'],
    [1, 'Insufficient funds'],
    [2, 'The moon is in the wrong house'],
  ]);
  return refusing(random, operations, `refused: ${words}`, refusal(words, traits));
}

/** Slow, and perhaps slower than the client waits. */
function slowPlan(gateway: ModelGateway, request: RequestRecord): Plan {
  const { operations, endpoint } = request;
  const workedAt = gateway.random.between(1000, 8000);
  return {
    fault: `answers after ${workedAt} ms`,
    takes: operations.map(() => workedAt),
    proof: 'told',
    proofs: [],
    work: { items: [] },
    reply: { kind: 'response', delay: workedAt + 5, respond: (work) => answerOf(gateway, work, endpoint) },
  };
}

/** The answer is lost, or hides whether anything was taken. */
function unknownPlan(
  gateway: ModelGateway,
  request: RequestRecord,
  cause: 'lost' | 'serverError' | 'late' | 'envelopeFault',
): Plan {
  const { random, traits } = gateway;
  const takes = drawTakes(gateway, request, cause === 'late');
  const delay = random.between(5, random.pick([50, 900, 4000]));
  const base = { takes, proofs: [], work: { items: [] } };
  if (cause === 'late') {
    const status = random.pick([504, 524, 408, undefined, undefined, 'endless'] as const);
    const fault = `${status === undefined ? 'no answer' : status}, ${inWords(takes)}`;
    if (status === undefined) return { ...base, fault, proof: 'late' };
    if (status === 'endless') return { ...base, fault, proof: 'late', reply: { kind: 'endless', delay } };
    const response = serverError(random, traits, status);
    return { ...base, fault, proof: 'late', reply: { kind: 'response', delay, respond: () => response } };
  }
  if (cause === 'lost') {
    const [code, message] = random.pick([
      ['ECONNRESET', 'socket hang up'],
      ['ECONNABORTED', 'aborted'],
      ['EPIPE', 'write EPIPE'],
      ['ERR_BAD_RESPONSE', 'stream has been aborted'],
    ] as const);
    const fault = `connection lost, ${inWords(takes)}`;
    return { ...base, fault, proof: 'lost', reply: { kind: 'failure', delay, code, message } };
  }
  const response =
    cause === 'envelopeFault'
      ? refusal(random.pick(GATEWAY_FAULTS), traits)
      : serverError(random, traits, random.pick([500, 502, 503, 520]));
  const fault = `${cause === 'envelopeFault' ? 'fault in the envelope' : response.statusCode}, ${inWords(takes)}`;
  return { ...base, fault, proof: 'lost', reply: { kind: 'response', delay, respond: () => response } };
}
