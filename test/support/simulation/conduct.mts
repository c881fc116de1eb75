/** What becomes of a request to send: which of its operations are taken when, how the exchange ends, and what comes back. */
import {
  acknowledgement,
  brokenOff,
  empty,
  html,
  json,
  rateLimit,
  refusal,
  results,
  withNoise,
} from './answers.mts';
import type { TextResponse } from './answers.mts';
import type { Ending, FullResponse, Operation, RequestRecord, ResultItem, Work } from './exchange.mts';
import type { GatewayView } from './gateway-view.mts';
import type { Random } from './random.mts';
import { shuffled } from './random.mts';
import type { GatewayTraits, Limiter, SendFault } from './scenario.mts';
import { SETTLING } from './scenario.mts';
import { ACCESS_DENIED, anyWords, faultWords, LISTED_REFUSALS } from './words.mts';

interface Answering {
  kind: 'response';
  /** Milliseconds since the request left. */
  delay: number;
  respond(work: Work): FullResponse;
}

interface Failing {
  kind: 'failure';
  delay: number;
  code: string;
  message: string;
  syscall?: string;
}

export interface Plan {
  /** In words; empty where nothing goes wrong. */
  fault: string;
  ending: Ending;
  /**
   * For each time that the request arrives, when each operation is worked on, in milliseconds since the request left;
   * undefined: never.
   */
  takes?: Array<Array<number | undefined>>;
  /** When what it never takes is refused, and perhaps written down; undefined: it isn't. */
  refusesAt?: number;
  /** When `status` knows at the latest what was taken. */
  knownBy?: number;
  /** Left out where nothing comes back. */
  reply?: Answering | Failing | { kind: 'endless'; delay: number };
}

/** Milliseconds after an answer in which `status` may not know yet what was taken. */
const LAG = 1990;
/** The same for a queue after a break, and for what is taken after everybody has given up. */
const LONG_LAG = 60_000;
/** The longest that a gateway is still at work on what nobody waits for. */
const LATEST = 300_000;

/** Milliseconds on the way, in one direction; now and then the connection takes long. */
const arrival = (random: Random): number =>
  random.chance(0.02) ? random.between(1000, 20_000) : random.between(1, 30);

const workTime = ({ work: [base, each] }: GatewayTraits, operations: unknown[]): number =>
  Math.round(base + each * operations.length);

/** The plan of a request; draws whether and how it goes wrong. */
export function planOf(gateway: GatewayView, request: RequestRecord): Plan {
  const { random, traits, time } = gateway;
  const { operations } = request;
  const { mostOperations, tooLarge, tooLargeWords } = traits;
  if (mostOperations !== undefined && operations.length > mostOperations) {
    if (tooLarge === 'http') return ended(random, 'HTTP 413, too large', 'answered', html(413));
    return ended(random, 'too large', 'answered', told(request, tooLargeWords, traits));
  }
  const { filter } = traits;
  if (filter && operations.some(({ phone }) => String(phone).endsWith(filter.digits)))
    return ended(random, `filtered with ${filter.code}`, 'answered', html(filter.code));
  const { outage, limiter } = traits;
  if (limiter && time >= limiter.from && time < limiter.to)
    return ended(random, LIMITED, 'answered', limited(gateway, request, limiter));
  if (outage && time >= outage.from && time < outage.to) return PLANS.outage(gateway, request, outage.words);
  const span = traits.spans.find(({ from, to }) => time >= from && time < to);
  if (span) return PLANS[span.kind](gateway, request, span.words);
  if (gateway.sinceFault < traits.faultFreeAfter || !random.chance(traits.faultRate)) {
    gateway.sinceFault += 1;
    return traits.repeats ? PLANS.repeated(gateway, request) : undisturbed(gateway, request);
  }
  gateway.sinceFault = 0;
  const isGentle = traits.faultFreeAfter > 0;
  const fault = random.weighted<SendFault>([
    [3, 'words'],
    [isGentle ? 0 : 1.5, 'rows'],
    [4, 'broken'],
    [isGentle ? 0 : 1.5, 'late'],
    [isGentle ? 0 : 1, 'before'],
    [1, 'repeated'],
    [1, 'acknowledged'],
    [1.5, 'damaged'],
    [1, 'slow'],
    [1, 'wordless'],
  ]);
  return PLANS[fault](gateway, request);
}

/** The fault of a request that a limiter refused. */
export const LIMITED = 'HTTP 429 of a limiter';

/** What a limiter answers, and notes for how long it wants to be left alone. */
export function limited(
  { traits }: GatewayView,
  request: RequestRecord,
  { asksFor, words }: Limiter,
): FullResponse {
  const response = words === undefined ? html(429) : refusal(words, traits, 429);
  request.asksFor = asksFor ?? 0;
  // By itself, and of no message.
  if (words !== undefined && request.kind === 'send') request.words = words;
  if (asksFor === undefined) return response;
  request.retryAfter = asksFor;
  return { ...response, headers: { ...response.headers, 'retry-after': String(asksFor / 1000) } };
}

type MakePlan = (gateway: GatewayView, request: RequestRecord, words?: string) => Plan;

function ended(random: Random, fault: string, ending: Ending, response: FullResponse): Plan {
  const delay = 2 * arrival(random);
  return { fault, ending, reply: { kind: 'response', delay, respond: () => response } };
}

/** The refusal of a whole request, noted as what was said. */
function told(request: RequestRecord, words: string, traits: GatewayTraits, status = 200): TextResponse {
  request.words = words;
  return refusal(words, traits, status);
}

/** The refusal of a whole request, with results beside it that say otherwise. */
const besides = ({ body, statusCode }: TextResponse, { operations }: RequestRecord): TextResponse =>
  json(
    {
      ...(JSON.parse(body) as object),
      data: operations.map(({ id }) => ({ success: true, data: { id, msg_id: `9${String(id)}` } })),
    },
    statusCode,
  );

/** A code that asks to be left alone, for a time that is noted where it says for how long. */
function tooManyRequests({ random, clock }: GatewayView, request: RequestRecord): FullResponse {
  const { response, wait, isDate } = rateLimit(random, clock.now, undefined, [3600]);
  if (wait !== undefined) request.retryAfter = wait;
  if (isDate) request.hasRetryDate = true;
  return response;
}

/** Notes what an answer says of each operation. */
function note(request: RequestRecord, { items, refusal: whole }: Work): void {
  if (whole) {
    request.words = whole.words;
    return;
  }
  request.results = request.operations.map((_, i) => items[i]?.success ?? true);
  request.texts = request.operations.map((_, i) => items[i]?.error);
}

/** When a request has been worked on, and when its answer is there. */
function times({ random, traits }: GatewayView, { operations }: RequestRecord) {
  const workedAt = arrival(random) + workTime(traits, operations);
  return { workedAt, delay: workedAt + random.between(1, 30) };
}

const lagAfter = (delay: number, { endpoint }: RequestRecord): number =>
  delay + (endpoint === 'async' ? SETTLING - 10 : LAG);

/** Returns what answers with results in which some rows are refused in these words, whatever became of them. */
const saying =
  (words: string, isHit: readonly boolean[], gateway: GatewayView, request: RequestRecord) =>
  (work: Work): FullResponse => {
    const { traits } = gateway;
    if (work.refusal) return told(request, work.refusal.words, traits, work.refusal.status);
    const items = request.operations.map(
      ({ id }, i): ResultItem => (isHit[i] ? { success: false, error: words, data: { id } } : work.items[i]),
    );
    note(request, { items });
    return results(withNoise(items, gateway), traits);
  };

const undisturbed = (gateway: GatewayView, request: RequestRecord): Plan =>
  worked(gateway, request, times(gateway, request));

/** What is answered: by default with what the gateway made of it, which is noted. */
function worked(
  gateway: GatewayView,
  request: RequestRecord,
  { fault = '', workedAt, delay, respond }: ReturnType<typeof times> & Partial<Plan & Answering>,
): Plan {
  const answer: Answering['respond'] = (work) => {
    note(request, work);
    return gateway.answer(work, request);
  };
  return {
    fault,
    ending: 'answered',
    takes: [request.operations.map(() => workedAt)],
    knownBy: lagAfter(delay, request),
    reply: { kind: 'response', delay, respond: respond ?? answer },
  };
}

/** Which operations are taken at all: none, some, or all. */
function drawTaken(random: Random, operations: Operation[]): boolean[] {
  const share = random.weighted([
    [3, 0],
    [3, 1],
    [2, random.next()],
  ]);
  const isPrefix = random.chance(0.5);
  return operations.map((_, i) => (isPrefix ? i < share * operations.length : random.chance(share)));
}

const inWords = (taken: boolean[]): string => `${taken.filter(Boolean).length} of ${taken.length} taken`;

const BROKEN = [
  ['ECONNRESET', 'socket hang up'],
  ['ECONNABORTED', 'aborted'],
  ['EPIPE', 'write EPIPE'],
  ['ERR_BAD_RESPONSE', 'stream has been aborted'],
] as const;

const UNREACHED = [
  ['ECONNREFUSED', 'connect'],
  ['ETIMEDOUT', 'connect'],
  ['EAI_AGAIN', 'getaddrinfo'],
  ['ENOTFOUND', 'getaddrinfo'],
] as const;

export function unreached(random: Random): Plan {
  const [code, syscall] = random.pick(UNREACHED);
  return {
    fault: 'no connection',
    ending: 'before',
    reply: { kind: 'failure', delay: random.between(0, 50), code, message: 'no connection', syscall },
  };
}

const PLANS: Record<SendFault | 'outage', MakePlan> = {
  /** The gateway refuses the request in words, whatever it took of it. */
  words(gateway, request, words = anyWords(gateway.random)) {
    const { random, traits } = gateway;
    const isKey = random.chance(0.06);
    const taken = isKey ? [] : drawTaken(random, request.operations);
    const { workedAt, delay } = times(gateway, request);
    const status = isKey ? 200 : random.pick([200, 200, 200, 200, 200, 400, 403, 404, 409, 422, 429]);
    const text = isKey ? ACCESS_DENIED : words;
    const respond = (): FullResponse => {
      const response = told(request, text, traits, status);
      return random.chance(0.1) ? besides(response, request) : response;
    };
    return {
      ...worked(gateway, request, { fault: `"${text}", ${inWords(taken)}`, workedAt, delay, respond }),
      takes: [taken.map((isTaken) => (isTaken ? workedAt : undefined))],
      ...(!isKey && { refusesAt: workedAt }),
      // A queue that refuses may have begun, and gets to it later.
      ...(request.endpoint === 'async' && { knownBy: delay + LONG_LAG }),
    };
  },

  /** Single rows, or all, are refused in words, whether they were taken or not. */
  rows(gateway, request, words = anyWords(gateway.random)) {
    const { random, traits } = gateway;
    if (request.endpoint === 'async' || traits.refusesWhole !== undefined || traits.acknowledges) {
      return PLANS.words(gateway, request, words);
    }
    const share = random.pick([0.1, 0.5, 1]);
    const isHit = request.operations.map(() => random.chance(share));
    const isLie = !LISTED_REFUSALS.includes(words) && random.chance(share === 1 ? 0.5 : 0.2);
    const { workedAt, delay } = times(gateway, request);
    const fault = `"${words}" for ${isHit.filter(Boolean).length} rows${isLie ? ', all taken' : ''}`;
    const respond = saying(words, isHit, gateway, request);
    return {
      ...worked(gateway, request, { fault, workedAt, delay, respond }),
      takes: [isHit.map((hit) => (hit && !isLie ? undefined : workedAt))],
      refusesAt: workedAt,
    };
  },

  /** What is behind the gateway is down: rows are called a fault though they were taken. */
  outage(gateway, request, words = '') {
    const { manners, traits } = gateway;
    if (request.endpoint === 'async' || traits.refusesWhole !== undefined || traits.acknowledges)
      return PLANS.words(gateway, request, words);
    const share = traits.outage?.share ?? 1;
    const isHit = request.operations.map(() => manners.chance(share));
    const taken = drawTaken(manners, request.operations);
    const { workedAt, delay } = times(gateway, request);
    const respond = saying(words, isHit, gateway, request);
    const fault = `"${words}" for ${isHit.filter(Boolean).length} rows, ${inWords(taken)} of them`;
    return {
      ...worked(gateway, request, { fault, workedAt, delay, respond }),
      takes: [isHit.map((hit, i) => (hit && !taken[i] ? undefined : workedAt))],
      refusesAt: workedAt,
    };
  },

  /** The exchange breaks at any moment, before or after what is taken. */
  broken(gateway, request) {
    const { random, traits } = gateway;
    const breakAt = random.between(5, random.pick([50, 900, 4000, 20_000, 58_000]));
    const taken = drawTaken(random, request.operations);
    const latest = SETTLING - 50;
    const moment = (): number =>
      random.chance(traits.takeAfterBreakRate)
        ? breakAt + random.between(0, Math.min(latest, random.pick([500, 3000, 3000, latest])))
        : random.between(0, breakAt);
    const moments = random.chance(0.7) ? [moment()] : [moment(), moment()];
    const base = {
      ending: 'broken' as const,
      takes: [taken.map((isTaken) => (isTaken ? random.pick(moments) : undefined))],
      knownBy: request.endpoint === 'async' ? breakAt + LONG_LAG : breakAt + SETTLING - 10,
      // What it didn't take it may have refused, which nobody heard.
      ...(gateway.manners.chance(0.3) && { refusesAt: Math.max(...moments) }),
    };
    const when = `after ${breakAt} ms, ${inWords(taken)} at ${moments.join(' and ')} ms`;
    if (random.chance(0.45)) {
      const [code, message] = random.pick(BROKEN);
      return { ...base, fault: `${code} ${when}`, reply: { kind: 'failure', delay: breakAt, code, message } };
    }
    const status = random.pick([500, 502, 503, 503, 520, 200]);
    const response = random.weighted<FullResponse>([
      [3, html(status)],
      [1, empty(status)],
      [1, { ...html(status), body: brokenOff('{"success":') }],
      [
        status === 200 ? 0 : 3,
        refusal(random.chance(0.2) ? ACCESS_DENIED : faultWords(random), traits, status),
      ],
    ]);
    return {
      ...base,
      fault: `${status} ${when}`,
      reply: { kind: 'response', delay: breakAt, respond: () => response },
    };
  },

  /** Somebody's time limit is over while the gateway is at work; it may take the request at any time. */
  late(gateway, request) {
    const { random, traits } = gateway;
    const taken = drawTaken(random, request.operations);
    const moment = random.between(0, random.pick([5000, 60_000, LATEST]));
    const delay = random.between(5, random.pick([900, 30_000, 59_000]));
    const base = {
      ending: 'late' as const,
      takes: [taken.map((isTaken) => (isTaken ? moment : undefined))],
      knownBy: moment + LONG_LAG,
    };
    const status = random.pick([504, 524, 408, 'none', 'none', 'endless'] as const);
    const fault = `${status} after ${delay} ms, ${inWords(taken)} at ${moment} ms`;
    if (status === 'none') return { ...base, fault };
    if (status === 'endless') return { ...base, fault, reply: { kind: 'endless', delay } };
    const response = random.chance(0.7) ? html(status) : refusal(faultWords(random), traits, status);
    return { ...base, fault, reply: { kind: 'response', delay, respond: () => response } };
  },

  /** The request ends before any work. */
  before(gateway, request) {
    const { random } = gateway;
    if (random.chance(0.5)) return unreached(random);
    const status = random.pick([401, 403, 404, 405, 413, 429, 429]);
    const response = status === 429 ? tooManyRequests(gateway, request) : html(status);
    // Nobody who reads it knows that.
    return ended(random, `HTTP ${status}`, 'answered', response);
  },

  /** Something in front of the gateway answers in its place, without its words, after it did its work. */
  wordless(gateway, request) {
    const { random } = gateway;
    const taken = drawTaken(random, request.operations);
    const { workedAt, delay } = times(gateway, request);
    const status = random.pick([401, 403, 403, 404, 405, 407, 413, 415, 429, 429]);
    const response = status === 429 ? tooManyRequests(gateway, request) : random.pick([html, empty])(status);
    const fault = `HTTP ${status} after the work, ${inWords(taken)}`;
    return {
      ...worked(gateway, request, { fault, workedAt, delay, respond: () => response }),
      takes: [taken.map((isTaken) => (isTaken ? workedAt : undefined))],
    };
  },

  /** Something on the way sends the request twice; the answer is that to the copy. */
  repeated(gateway, request) {
    const { workedAt, delay } = times(gateway, request);
    const pause = gateway.random.between(1, 500);
    const plan = worked(gateway, request, { fault: 'arrives twice', workedAt, delay: delay + pause });
    return { ...plan, takes: [workedAt, workedAt + pause].map((at) => request.operations.map(() => at)) };
  },

  /** The synchronous endpoint answers like the queue. */
  acknowledged(gateway, request) {
    const { random, traits } = gateway;
    const delay = 2 * arrival(random);
    const takenAt = random.between(0, random.pick([delay, 120_000]));
    const fault = `acknowledged, taken at ${takenAt} ms`;
    const respond = (): FullResponse => {
      request.results = request.operations.map(() => true);
      return acknowledgement(traits, `r${request.number}`);
    };
    const plan = worked(gateway, request, { fault, workedAt: takenAt, delay, respond });
    return { ...plan, knownBy: takenAt + LONG_LAG };
  },

  /** The gateway answers, and its answer makes no sense. */
  damaged(gateway, request) {
    const moments = times(gateway, request);
    const damage = gateway.random.pick(DAMAGES);
    const respond = (work: Work): FullResponse => damaged(gateway, work, request, damage);
    return worked(gateway, request, { ...moments, fault: `damaged answer: ${damage}`, respond });
  },

  /** A good answer, perhaps later than the client waits. */
  slow(gateway, request) {
    const delay = gateway.random.between(1000, gateway.random.pick([8000, 40_000, 70_000]));
    return worked(gateway, request, { fault: `answers after ${delay} ms`, workedAt: delay - 5, delay });
  },
};

const DAMAGES = ['cut', 'short', 'long', 'foreign', 'noData', 'reordered', 'number'] as const;

function damaged(
  { traits, random }: GatewayView,
  { items, refusal: whole }: Work,
  request: RequestRecord,
  damage: (typeof DAMAGES)[number],
): FullResponse {
  if (whole) return told(request, whole.words, traits, whole.status);
  if (request.endpoint === 'async') {
    request.results = request.operations.map(() => true);
    return json({ success: true });
  }
  if (traits.acknowledges || items.length === 0) return json({ success: true });
  const [first] = items;
  switch (damage) {
    case 'cut': {
      const response = results(items, traits);
      return { ...response, body: response.body.slice(0, Math.max(1, response.body.length - 3)) };
    }
    case 'short':
      return results(items.slice(1), traits);
    case 'long':
      return results([...items, first], traits);
    case 'foreign':
      return results([{ ...first, data: { ...first.data, id: 4 } }, ...items.slice(1)], traits);
    case 'noData':
      return json({ success: true });
    case 'number':
      return json({ success: true, data: 17 });
    case 'reordered':
      note(request, { items });
      return results(shuffled(items, random), traits);
  }
}
