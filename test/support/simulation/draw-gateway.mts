/** Draws the nature of a gateway. What it can't do, so that anything can be promised of it, is in `gateway.mts`. */
import type { Random } from './random.mts';
import type {
  Absence,
  GatewayTraits,
  Noise,
  Outage,
  Profile,
  SendFault,
  Span,
  StatusFault,
  StatusLimit,
  StatusPace,
  StatusTraits,
} from './scenario.mts';
import { isPeaceful } from './scenario.mts';
import {
  ABOUT_MONEY,
  absence,
  anyWords,
  faultWords,
  gibberish,
  PLAIN_FAULTS,
  REFUSED_STATES,
  REJECTED,
  refusalOfDuplicate,
  refusalOfMessage,
  refusalOfSize,
} from './words.mts';

const SECOND = 1000;
const DAY = 86_400 * SECOND;

/** A failure of `status` that looks the same for every id and has words that nobody knows is over within this time. */
const SHORT = 1900;
/** Milliseconds between two of these. */
const BETWEEN = 90 * SECOND;

/** Digits of a number's end that something in front of the gateway dislikes. */
const DISLIKED = ['7', '77', '00'];

const CODES = [201, 400, 401, 403, 404, 405, 409, 413, 415, 418, 422, 429, 500, 502, 503, 504];

/** What it is, and its manners: how it speaks of what it does, from a stream of their own. */
export const drawGateway = (random: Random, manners: Random, profile: Profile): GatewayTraits => {
  const traits = drawNature(random, profile);
  return {
    ...traits,
    ...drawManners(manners, profile),
    status: { ...traits.status, ...drawLimits(manners) },
    ...drawLimiter(manners),
  };
};

function drawLimiter(random: Random): Pick<GatewayTraits, 'limiter'> {
  if (!random.chance(0.03)) return {};
  const from = random.between(0, random.pick([0, 0, 2, 20]) * SECOND);
  const seconds = random.pick([undefined, undefined, 1, 20, 60, 119, 3600]);
  return {
    limiter: {
      from,
      to: from + random.pick([5, 60, 600, Infinity]) * SECOND,
      ...(seconds !== undefined && { asksFor: seconds * SECOND }),
      ...(random.chance(0.3) && { words: random.pick(['Too many requests', 'Please try again later']) }),
      isForAll: random.chance(0.3),
    },
  };
}

type Manners = Pick<
  GatewayTraits,
  'log' | 'funds' | 'codes' | 'noise' | 'filter' | 'outage' | 'ownStates' | 'queueTells' | 'restartsAt'
>;

function drawManners(random: Random, profile: Profile): Manners {
  const codes = random.weighted<Manners['codes']>([
    [6, { list: [200], rate: 0 }],
    [2, { list: [random.pick(CODES)], rate: 1 }],
    [2, { list: CODES, rate: random.pick([0.1, 0.5]) }],
  ]);
  const hasLog = random.chance(0.6);
  return {
    log: {
      rate: hasLog ? random.pick([1, 1, 0.5]) : 0,
      state: random.weighted<() => string | number>([
        [4, () => REJECTED],
        [5, () => random.pick(REFUSED_STATES)],
        [1, () => gibberish(random)],
      ])(),
      isDuplicate: random.chance(0.2),
    },
    ...(random.chance(0.2) && {
      funds: {
        messages: random.pick([0, 0, 1, 5, 60, 300]),
        filledAt: random.pick([1, 5, 30, 120, 100_000, Infinity]) * SECOND,
        words: random.pick(ABOUT_MONEY),
      },
    }),
    codes,
    ownStates: random.chance(0.25),
    queueTells: random.chance(0.3),
    noise: random.chance(0.4) ? NOISES.filter(() => random.chance(0.4)) : [],
    ...(random.chance(0.06) && {
      filter: { digits: random.pick(DISLIKED), code: random.pick([403, 403, 404, 405, 415]) },
    }),
    ...(!isPeaceful(profile) && random.chance(0.15) && { outage: drawOutage(random) }),
    ...(!isPeaceful(profile) &&
      random.chance(0.1) && {
        restartsAt: random.between(0, random.pick([3, 40, 7200]) * SECOND),
      }),
  };
}

function drawOutage(random: Random): Outage {
  const from = random.between(0, random.pick([0, 2, 20]) * SECOND);
  return {
    from,
    to: from + random.pick([10, 60, 300, Infinity]) * SECOND,
    words: random.pick(PLAIN_FAULTS),
    share: random.pick([0.3, 1]),
    status: random.pick<StatusFault>(['alike', 'refused', 'limited', 'broken', 'unreached', 'late']),
  };
}

const NOISES: readonly Noise[] = ['index', 'trace', 'took', 'server', 'clock'];

/** How much `status` answers, by number and by time. */
function drawLimits(random: Random): Pick<StatusTraits, 'limit' | 'pace'> {
  const words = random.pick([
    () => refusalOfSize(random),
    () => random.pick(['Limit is 10', 'Not more than 10 at once', 'Too many', '', 'Forbidden']),
    () => gibberish(random),
  ])();
  return {
    ...(random.chance(0.25) && {
      limit: {
        ids: random.pick([1, 2, 3, 5, 10, 20, 25, 50, 60, 75, 90, 99, 100, 101, 102, 150]),
        way: random.pick<StatusLimit['way']>([200, 200, 200, 400, 413, 429, 'short', 'rows']),
        words,
      },
    }),
    ...(random.chance(0.1) && {
      pace: {
        requests: random.pick([1, 2, 5, 20]),
        within: random.pick([1, 5, 60]) * SECOND,
        code: random.pick<StatusPace['code']>([200, 429, 429, 503]),
        hasRetryAfter: random.chance(0.6),
        words: random.pick(['Too many requests', 'Please try again later', 'Rate limit exceeded']),
      },
    }),
  };
}

function drawNature(random: Random, profile: Profile): Omit<GatewayTraits, keyof Manners> {
  const isKind = isPeaceful(profile);
  const share = (low: number, high: number): number => low + (high - low) * random.next();
  const faultRate = { calm: 0, gentle: 0.5, rough: share(0.05, 0.4), storm: share(0.4, 1) };
  return {
    duplicates: random.weighted([
      [5, 'taken'],
      [4, 'refused'],
      [1, 'refuseWhole'],
    ]),
    duplicateWords: refusalOfDuplicate(random),
    style: random.weighted([
      [5, 'plain'],
      [2, 'nulls'],
      [1, 'stringIds'],
      [1, 'integers'],
      [1, 'php'],
    ]),
    ...(random.chance(0.15) && { mostOperations: random.pick([1, 3, 10, 64, 150]) }),
    tooLarge: random.pick(['http', 'http', 'words']),
    tooLargeWords: isKind ? refusalOfSize(random) : anyWords(random),
    ...(random.chance(0.35) && { refusesWhole: random.pick([200, 200, 200, 400, 409, 422]) }),
    badWords: refusalOfMessage(random),
    acknowledges: random.chance(0.04),
    work: [random.pick([5, 40, 200, 800]), random.pick([0, 0, 0.2, isKind ? 0.5 : 8])],
    faultRate: faultRate[profile],
    takeAfterBreakRate: random.pick([0.1, 0.4, 0.8]),
    faultFreeAfter: profile === 'gentle' ? random.between(4, 8) : 0,
    spans: isKind ? [] : drawSendSpans(random),
    status: drawStatus(random, profile),
    repeats: random.chance(0.05),
  };
}

function drawStatus(random: Random, profile: Profile): StatusTraits {
  const isKind = isPeaceful(profile);
  return {
    absence: drawAbsence(random, isKind),
    lacks: [...(random.chance(0.5) ? ['call/otp'] : []), ...(random.chance(0.4) ? ['pipeline'] : [])],
    faultRate: isKind || random.chance(0.5) ? 0 : random.pick([0.1, 0.4, 0.8]),
    spans: isKind ? [] : [...drawStatusSpans(random), ...drawShortSpans(random)],
    memory: random.chance(0.6) ? DAY : Infinity,
    pending: {
      for: isKind || random.chance(0.7) ? 0 : random.pick([5, 20, 60]) * SECOND,
      words: `${gibberish(random)} ${gibberish(random)}`,
    },
  };
}

function drawAbsence(random: Random, isKind: boolean): Absence {
  const form = random.weighted<Absence['form']>([
    [6, 'row'],
    [3, 'success'],
    [isKind ? 0 : 1, 'whole'],
  ]);
  const isDubious = !isKind && random.chance(0.1);
  if (isDubious) return { form, words: faultWords(random), isDubious };
  if (form !== 'success') return { form, words: absence(random), isDubious };
  const words = random.pick([
    '',
    'UNKNOWN',
    'NOT FOUND',
    'NONE',
    'нет',
    'ERROR',
    'MISSING',
    'INVALID',
    'ABSENT',
    'NOT_EXIST',
    gibberish(random),
  ]);
  const messageId = random.weighted<Absence['messageId']>([
    [6, undefined],
    [1, '0'],
    [1, 0],
    [1, null],
    [1, 'random'],
  ]);
  return { form, words, isDubious, messageId };
}

/** Milliseconds since the start. */
function drawTimes(random: Random): { from: number; to: number } {
  const from = random.between(0, random.pick([2, 20, 90]) * SECOND);
  return { from, to: from + random.between(1, random.pick([5, 30, 200])) * SECOND };
}

function drawSpans<Kind>(
  random: Random,
  quietRate: number,
  draw: () => Pick<Span<Kind>, 'kind' | 'words'>,
): Array<Span<Kind>> {
  if (random.chance(quietRate)) return [];
  const isForGood = random.chance(0.15);
  return Array.from({ length: isForGood ? 1 : random.between(1, 3) }, () => ({
    ...drawTimes(random),
    ...(isForGood && { to: Infinity }),
    ...draw(),
  }));
}

const drawSendSpans = (random: Random): Array<Span<SendFault>> =>
  drawSpans(random, 0.7, () => ({
    kind: random.pick<SendFault>(['words', 'words', 'broken', 'late', 'before', 'rows']),
    words: anyWords(random),
  }));

const drawStatusSpans = (random: Random): Array<Span<StatusFault>> =>
  drawSpans(random, 0.6, () => ({
    kind: random.pick<StatusFault>(['alike', 'limited', 'limited', 'refused', 'broken', 'late', 'unreached']),
    // What lasts has to be told from "no such message" by its words, if by anything.
    words: random.pick(PLAIN_FAULTS),
  }));

function drawShortSpans(random: Random): Array<Span<StatusFault>> {
  if (random.chance(0.5)) return [];
  const first = random.between(0, random.pick([3, 40, 70]) * SECOND);
  return Array.from({ length: random.between(1, 3) }, (_, index) => {
    const from = first + index * BETWEEN;
    return { from, to: from + random.between(100, SHORT), kind: 'alike' as const, words: anyWords(random) };
  });
}
