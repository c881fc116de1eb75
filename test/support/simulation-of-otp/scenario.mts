/** What a seed decides about one-time passwords before anything happens. */
import type { Random } from '../simulation/random.mts';
import { seeded } from '../simulation/random.mts';
import type { Entry } from './typed.mts';
import { drawEntry } from './typed.mts';

/**
 * - `calm`: one process, whose store always works.
 * - `restarts`: the process is killed and started again.
 * - `failures`: n8n's database fails now and then, too.
 * - `workers`: several processes, as in queue mode, are killed and started again.
 */
type OtpProfile = 'calm' | 'restarts' | 'failures' | 'workers';

/** Somebody does something with a code. Times are in milliseconds after the start. */
interface DeedPlan {
  at: number;
  process: number;
  /** Whose number. */
  number: number;
}

/** Somebody asks for a code. */
export interface CodePlan extends DeedPlan {
  /** Milliseconds after which it turns out that the code certainly wasn't sent. */
  unsentAfter?: number;
  /** Whether one who is refused comes back when told. */
  comesBack: boolean;
}

/** Somebody enters a code. */
export interface TryPlan extends DeedPlan {
  /** Which chain of challenges; each is of one number. */
  chain: number;
  /** Whether it is for the second challenge of its chain, of a code that was sent again. */
  isResent: boolean;
  entry: Entry;
  /** What else makes it none of this challenge: another purpose, another number, or a challenge that was changed. */
  foreign?: 'purpose' | 'phone' | 'challenge';
}

/** A code that was sent, and sent again. */
interface ChainPlan {
  number: number;
  sentAt: number;
  /** Milliseconds for which its challenges are valid. */
  validMs: number;
  /** Digits. */
  length: number;
}

export interface OtpScenario {
  seed: number;
  profile: OtpProfile;
  startsAt: number;
  processes: number;
  perNumber: number;
  cooldownMs: number;
  workflow?: number;
  /** Attempts that a challenge allows. */
  maxAttempts: number;
  /** Wrong codes that a number allows within an hour, over all its challenges. */
  maxWrong: number;
  codes: CodePlan[];
  chains: ChainPlan[];
  tries: TryPlan[];
  /** Whether n8n has a store: it has none for a workflow that was never saved. */
  hasStore: boolean;
  /** Whether the store writes one call after the other, so that no write gets lost. */
  isSerial: boolean;
  /** Milliseconds that it takes, at most. */
  storeMs: number;
  /** Probability that a call of the store fails, before it writes and after it. */
  failsBefore: number;
  failsAfter: number;
  /** When a process is killed; it starts again at once. */
  kills: Array<{ process: number; at: number }>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export function otpScenarioOf(seed: number): OtpScenario {
  const random = seeded(seed, 10);
  const profile = random.weighted<OtpProfile>([
    [3, 'calm'],
    [3, 'restarts'],
    [2, 'failures'],
    [3, 'workers'],
  ]);
  const span = random.pick([10 * MINUTE, HOUR, 4 * HOUR]);
  const processes = profile === 'workers' ? random.between(2, 3) : 1;
  const moment = () => random.between(0, span);
  const chains = chainsOf(random, span);
  const kills = profile === 'calm' ? 0 : random.between(profile === 'restarts' ? 1 : 0, 4);
  return {
    seed,
    profile,
    startsAt: 1_700_000_000_000 + random.between(0, 1e9),
    processes,
    perNumber: random.between(1, 5),
    cooldownMs: random.pick([0, 30_000, 5 * MINUTE]),
    ...(random.chance(0.5) && { workflow: random.pick([1, 3, 10, 25]) }),
    maxAttempts: random.between(1, 5),
    maxWrong: random.pick([1, 3, 10, 25]),
    codes: codesOf(random, { span, processes }),
    chains,
    tries: chains.flatMap((plan, chain) => triesOf(random, { plan, chain, processes })),
    hasStore: profile === 'workers' || random.chance(0.8),
    isSerial: random.chance(0.5),
    storeMs: random.pick([0, 5, 50, 2000]),
    failsBefore: profile === 'failures' ? random.pick([0, 0.3, 0.8]) : 0,
    failsAfter: profile === 'failures' ? random.pick([0, 0.2]) : 0,
    kills: Array.from({ length: kills }, () => ({
      process: random.between(0, processes - 1),
      at: moment(),
    })),
  };
}

interface Frame {
  span: number;
  processes: number;
}

/** Times of a crowd: at the same moment, evenly spread, or at random. */
function crowd(random: Random, span: number, max: number): number[] {
  const count = random.between(1, max);
  const start = random.between(0, span);
  const pause = random.pick([0, 1, 20, 6000, 30_000, 12 * MINUTE, 20 * MINUTE]);
  return random.chance(0.7)
    ? Array.from({ length: count }, (_, i) => start + i * pause)
    : Array.from({ length: count }, () => random.between(0, span));
}

function codesOf(random: Random, { span, processes }: Frame): CodePlan[] {
  const numbers = random.between(1, 3);
  const unsent = random.pick([0, 0, 0.3]);
  return Array.from({ length: random.between(1, 6) }, () => {
    const number = random.between(1, numbers);
    return crowd(random, span, 12).map(
      (at): CodePlan => ({
        at,
        process: random.between(0, processes - 1),
        number: random.chance(0.2) ? random.between(1, numbers) : number,
        ...(random.chance(unsent) && { unsentAfter: random.pick([0, 20, 1500]) }),
        comesBack: random.chance(0.3),
      }),
    );
  }).flat();
}

function chainsOf(random: Random, span: number): ChainPlan[] {
  const numbers = random.between(1, 2);
  return Array.from({ length: random.between(1, 6) }, () => {
    // A challenge is valid for an hour at most.
    const validMs = Math.min(span, random.pick([30_000, 5 * MINUTE, HOUR, HOUR]));
    return {
      number: random.between(1, numbers),
      sentAt: random.between(0, span - validMs),
      validMs,
      length: random.between(4, 8),
    };
  });
}

/** Some come after the challenge has expired. */
const LATE = 1.1;

function triesOf(
  random: Random,
  { plan, chain, processes }: { plan: ChainPlan; chain: number; processes: number },
): TryPlan[] {
  const { number, sentAt, validMs } = plan;
  const right = random.pick([0, 0.2, 0.5, 1]);
  // Texts that can't be a code come in floods, too.
  const noCode = random.weighted([
    [4, 0],
    [3, 0.1],
    [2, 0.5],
    [1, 0.95],
  ]);
  const max = noCode > 0.9 ? 40 : 8;
  const foreign = random.pick([0, 0, 0.2]);
  return Array.from({ length: random.between(1, 2) }, () => crowd(random, Math.ceil(validMs * LATE), max))
    .flat()
    .map(
      (at): TryPlan => ({
        at: sentAt + at,
        process: random.between(0, processes - 1),
        number,
        chain,
        isResent: random.chance(0.3),
        entry: drawEntry(random, right, noCode),
        ...(random.chance(foreign) && { foreign: random.pick(['purpose', 'phone', 'challenge'] as const) }),
      }),
    );
}
