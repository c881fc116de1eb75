/** What a seed decides about a wait before anything happens. */
import type { Random } from '../simulation/random.mts';
import { seeded } from '../simulation/random.mts';

/**
 * - `calm`: nothing fails; outcomes may come as late as they like.
 * - `callbacks`: callbacks are lost, late, doubled, reordered, interim and forged.
 * - `kills`: processes are killed and started again, too.
 * - `storm`: n8n and the gateway refuse, proxies answer, and the credential changes, too.
 */
export type WaitProfile = 'calm' | 'callbacks' | 'kills' | 'storm';

export interface MessagePlan {
  /** Milliseconds after the send at which the outcome is decided; Infinity for never. */
  finalAfter: number;
  /** REJECTED: it waited in the gateway's queue, and was refused there. */
  status: 'DELIVERED' | 'READ' | 'UNDELIVERABLE' | 'REJECTED';
  /** Milliseconds after the send at which the first channel of a fallback fails. */
  firstFailsAfter?: number;
  /** Whether no other channel follows one that fails, so that its failure is that of the message. */
  nothingFollows?: boolean;
}

/** A user ends the execution. */
export interface Ending {
  /** Milliseconds after the send. */
  at: number;
  way: 'stopped' | 'deleted';
}

export interface Kill {
  process: number;
  /** Milliseconds after the send. */
  at: number;
  /** Milliseconds until it runs again. */
  downFor: number;
}

/** A time, in milliseconds after the send, in which something answers wrongly. */
export interface Trouble {
  from: number;
  to: number;
  /** Of the gateway, of the proxy in front of n8n, of n8n. */
  of: 'gateway' | 'proxy' | 'n8n';
  /** How the gateway fails. */
  way: 'refused' | 'error' | 'silent' | 'limited' | 'damaged' | 'vague' | 'absent' | 'refusing';
}

export interface WaitScenario {
  seed: number;
  profile: WaitProfile;
  startsAt: number;
  processes: number;
  /** Milliseconds of the limit. */
  limit: number;
  batchSize: number;
  /** Whether only the last message gets a callback address, as in a large run. */
  isLarge: boolean;
  /** Whether the credential is made of expressions, which n8n evaluates while it runs the node or takes a call. */
  isEvaluated: boolean;
  messages: MessagePlan[];
  /** Milliseconds, at most, until `status` knows an outcome; until a callback comes; and that n8n takes to load. */
  statusLag: number;
  callbackDelay: number;
  loading: number;
  /** Milliseconds until n8n has put the execution to sleep. */
  saving: number;
  callbackLoss: number;
  callbackRepeats: number;
  interimRate: number;
  /** Milliseconds after the send at which somebody calls who isn't the gateway. */
  forgeries: number[];
  kills: Kill[];
  troubles: Trouble[];
  /** How many times n8n can't start what a call wakes. */
  failedStarts: number;
  /** Milliseconds after the send at which the key changes. */
  keyChange?: number;
  ending?: Ending;
  /** The addresses at which n8n reaches itself: its public one, that of this machine, or none. */
  reach: 'public' | 'inside' | 'none';
  type: 'sms' | 'viber+sms';
  /** Where the messages wait in the gateway's queue: until when nothing of them is known, in milliseconds. */
  queuedFor?: number;
  /** Whether `status` tells that a message was refused in the queue; else it never knows that message. */
  tellsRefusals: boolean;
  /** The most ids that the gateway takes in one request. */
  mostIds: number;
  /**
   * How it says that they are more: with this code and no words, in words of its own with this code, about each id beyond
   * them, or with results for as many as it takes.
   */
  tooMany: { code: 200 | 400 | 413 | 429 | 'rows' | 'cut'; words?: string };
  /** The requests that it answers in so many milliseconds; more are refused, with a time to wait or without. */
  pace?: { requests: number; within: number; code: 200 | 429; hasRetryAfter: boolean };
  /** Its words for what is on its way, and for a failure; and whether it has none that we know for what became of one. */
  pendingWords: readonly unknown[];
  failedWord: string;
  hasOwnWords: boolean;
  /** Which channel `status` names: the one that it is about, none, or the type of the send. */
  namedChannel: 'its own' | 'none' | 'type of the send';
  /** Milliseconds, at most, from the failure of a channel until the next one shows. */
  switching: number;
  /** Milliseconds after the send from which on it knows none of the messages any more. */
  logLostAt: number;
  /** How its results come: as a list, keyed by index, or with a notice of PHP in front of the answer. */
  form: 'list' | 'keyed' | 'noticed';
  /** The HTTP code of its answers, which says nothing. */
  code: number;
  /** Whether each result has fields that differ and say nothing of the message. */
  isNoisy: boolean;
  /** Others that wait at the same time, in the same processes. */
  others: WaitScenario[];
}

const MINUTE = 60_000;

/** Several executions may wait at the same time: the first has the surroundings of all. */
export function waitScenarioOf(seed: number): WaitScenario {
  const first = oneScenarioOf(seed, 7);
  const random = seeded(seed, 30);
  const others = random.weighted([
    [8, 0],
    [1, 1],
    [1, 3],
  ]);
  first.others = Array.from({ length: others }, (_, i) => {
    const { messages, limit, batchSize, isLarge, ending, type, queuedFor } = oneScenarioOf(seed, 31 + i);
    const own = { messages, limit, batchSize, isLarge, ending, type, queuedFor };
    return { ...first, ...own, forgeries: [], others: [] };
  });
  return first;
}

function oneScenarioOf(seed: number, stream: number): WaitScenario {
  const random = seeded(seed, stream);
  const profile = random.weighted<WaitProfile>([
    [2, 'calm'],
    [3, 'callbacks'],
    [3, 'kills'],
    [3, 'storm'],
  ]);
  const limit = random.pick([20_000, 2 * MINUTE, 10 * MINUTE, 90 * MINUTE, 6 * 60 * MINUTE]);
  const size = random.weighted<[number, number]>([
    [14, [1, 5]],
    [15, [6, 60]],
    [1, [501, 900]],
  ]);
  const count = random.between(...size);
  const hasFaults = profile !== 'calm';
  const isRough = profile === 'kills' || profile === 'storm';
  const moment = () => random.between(0, Math.round(limit * 1.1));
  const scenario: WaitScenario = {
    seed,
    profile,
    startsAt: 1_700_000_000_000 + random.between(0, 1e9),
    processes: random.weighted([
      [3, 1],
      [2, 2],
      [1, 3],
    ]),
    limit,
    isLarge: false,
    isEvaluated: false,
    batchSize: count > 500 ? random.pick([100, 500]) : random.pick([5, 20, 500]),
    messages: [],
    statusLag: random.pick([0, 0, 200, 3000]),
    callbackDelay: random.pick([50, 2000, 60_000]),
    loading: random.pick([5, 60, 900]),
    saving: random.pick([50, 500, 4000]),
    callbackLoss: hasFaults ? random.pick([0, 0.2, 1]) : 0,
    callbackRepeats: hasFaults ? random.pick([0, 0.3, 1]) : 0,
    interimRate: hasFaults ? random.pick([0, 0.5]) : 0,
    forgeries: hasFaults ? Array.from({ length: random.between(0, 4) }, moment) : [],
    kills: [],
    troubles: [],
    failedStarts: 0,
    reach: 'public',
    type: 'sms',
    tellsRefusals: false,
    mostIds: Infinity,
    tooMany: { code: 413 },
    pendingWords: ['SENT'],
    failedWord: 'UNDELIVERABLE',
    hasOwnWords: false,
    namedChannel: 'its own',
    switching: 0,
    logLostAt: Infinity,
    form: 'list',
    code: 200,
    isNoisy: false,
    others: [],
  };
  scenario.messages = messagesOf(random, count, limit);
  if (isRough) {
    scenario.kills = Array.from({ length: random.between(0, 3) }, () => ({
      process: random.between(0, scenario.processes - 1),
      at: random.chance(0.4) ? random.between(0, 5000) : moment(),
      downFor: random.pick([1000, 20_000, 5 * MINUTE]),
    }));
  }
  if (profile === 'storm') {
    scenario.troubles = Array.from({ length: random.between(0, 4) }, () => {
      const from = random.chance(0.4) ? random.between(0, 1500) : moment();
      return {
        from,
        to: from + random.pick([2000, 30_000, 10 * MINUTE]),
        of: random.pick(['gateway', 'proxy', 'n8n'] as const),
        way: random.pick(WAYS),
      };
    });
    if (random.chance(0.3)) scenario.keyChange = moment();
  }
  scenario.isLarge = random.chance(0.25);
  return withMore(scenario, seeded(seed, stream + 100));
}

const WAYS = ['refused', 'error', 'silent', 'limited', 'damaged', 'vague', 'absent', 'refusing'] as const;

/** Adds what users and gateways do besides. */
function withMore(scenario: WaitScenario, random: Random): WaitScenario {
  const { limit, messages } = scenario;
  const more = { ...scenario };
  if (random.chance(0.15)) {
    more.ending = { at: random.between(100, limit), way: random.pick(['stopped', 'deleted'] as const) };
  }
  more.reach = random.weighted<WaitScenario['reach']>([
    [7, 'public'],
    [2, 'inside'],
    [1, 'none'],
  ]);
  // A key that changes is read again, which n8n can't do for expressions outside a run.
  more.isEvaluated = more.keyChange === undefined && random.chance(0.2);
  more.mostIds = random.weighted([
    [6, Infinity],
    [1, random.pick([1, 2, 3, 7, 10, 20, 50, 90, 100])],
  ]);
  const words = random.pick([
    'Not more than 10 at once',
    'Zu viele',
    'Too many',
    '',
    'xe lumki',
    'Forbidden',
  ]);
  more.tooMany = random.pick([
    { code: 413 },
    { code: 200, words },
    { code: 200, words },
    { code: 400, words },
    { code: 429, words },
    { code: 413, words },
  ]);
  more.code = random.chance(0.8) ? 200 : random.pick([201, 400, 401, 403, 404, 413, 429, 500, 503]);
  more.isNoisy = random.chance(0.3);
  if (random.chance(0.2)) {
    more.type = 'viber+sms';
    for (const message of messages) {
      if (random.chance(0.5)) message.firstFailsAfter = message.finalAfter * random.next();
    }
  }
  if (random.chance(0.2)) {
    const queuedFor = random.pick([0, 2000, 30_000]);
    more.queuedFor = queuedFor;
    more.tellsRefusals = random.chance(0.7);
    for (const message of messages) {
      message.finalAfter = Math.max(queuedFor, message.finalAfter);
      if (random.chance(0.2)) Object.assign(message, { status: 'REJECTED', firstFailsAfter: undefined });
    }
  }
  if (more.profile === 'storm' && random.chance(0.3)) more.failedStarts = random.between(1, 3);
  return withManners(more, random);
}

/** Words for a message on its way: ours, SMPP's, none, and some that nobody knows. */
const PENDING_WORDS = [
  ['SENT'],
  ['ENROUTE', 'ACCEPTD', 'BUFFERED'],
  ['Unterwegs', 'ZORBLE'],
  ['SENT', null, ''],
];
const FAILED_WORDS = ['UNDELIVERABLE', 'EXPIRED', 'REJECTED', 'UNDELIV', 'no route', 'Failed'];

/** Adds what a gateway may do that the contract doesn't describe. */
function withManners(scenario: WaitScenario, random: Random): WaitScenario {
  const more = { ...scenario };
  const { limit, messages, type } = more;
  if (random.chance(0.2)) more.tooMany = { code: random.pick(['rows', 'cut'] as const) };
  if (random.chance(0.15)) {
    more.pace = {
      requests: random.between(1, 10),
      within: random.pick([1000, 10_000, 60_000]),
      code: random.pick([200, 429] as const),
      hasRetryAfter: random.chance(0.5),
    };
  }
  more.pendingWords = random.chance(0.5) ? PENDING_WORDS[0] : random.pick(PENDING_WORDS);
  more.failedWord = random.chance(0.5) ? FAILED_WORDS[0] : random.pick(FAILED_WORDS);
  more.hasOwnWords = random.chance(0.1);
  more.namedChannel = random.pick(['its own', 'its own', 'none', 'type of the send'] as const);
  more.switching = random.pick([0, 2000, 60_000, 240_000]);
  if (random.chance(0.1)) more.logLostAt = random.between(0, limit);
  more.form = random.pick(['list', 'list', 'keyed', 'noticed'] as const);
  if (type === 'sms') return more;
  for (const message of messages) {
    if (message.status !== 'UNDELIVERABLE' || !random.chance(0.5)) continue;
    Object.assign(message, { nothingFollows: true, firstFailsAfter: undefined });
  }
  return more;
}

/** Outcomes of a campaign: most come in within some time, some late, some never. */
function messagesOf(random: Random, count: number, limit: number): MessagePlan[] {
  const over = random.pick([500, 10_000, Math.round(limit / 4), limit]);
  const late = random.pick([0, 0, 0.05]);
  const never = random.pick([0, 0, 0, 0.1]);
  return Array.from({ length: count }, () => ({
    finalAfter: random.chance(never)
      ? Infinity
      : random.between(0, random.chance(late) ? Math.round(limit * 1.2) : over),
    status: random.weighted([
      [6, 'DELIVERED'],
      [2, 'READ'],
      [2, 'UNDELIVERABLE'],
    ]),
  }));
}
