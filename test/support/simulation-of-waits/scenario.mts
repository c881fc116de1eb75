/** What a seed decides about a wait before anything happens. */
import type { Random } from '../simulation/random.mts';
import { seeded } from '../simulation/random.mts';

export interface MessagePlan {
  /** Milliseconds after the send at which the outcome is decided; Infinity for never. */
  finalAfter: number;
  status: 'DELIVERED' | 'READ' | 'UNDELIVERABLE';
  /** Milliseconds after the send at which the first channel of a fallback fails. */
  firstFailsAfter: number;
}

/** A time, in milliseconds after the send, in which something answers wrongly. */
export interface Trouble {
  from: number;
  to: number;
  /** Of the gateway, of the proxy in front of n8n, of n8n. */
  of: 'gateway' | 'proxy' | 'n8n';
  /** How the gateway fails. */
  way: 'refused' | 'error' | 'limited' | 'refusing' | 'vague' | 'absent';
}

export interface WaitScenario {
  seed: number;
  startsAt: number;
  /** Whether nothing fails. */
  isCalm: boolean;
  processes: number;
  /** Milliseconds of the limit. */
  limit: number;
  type: 'sms' | 'viber+sms';
  messages: MessagePlan[];
  /** Which channel `status` names: the one that it is about, none, or the type of the send. */
  namedChannel: 'its own' | 'none' | 'type of the send';
  /** Milliseconds from the failure of a channel until the next one shows. */
  switching: number;
  /** Milliseconds, at most, until a callback comes; that n8n takes to load; and until it has saved the execution. */
  callbackDelay: number;
  loading: number;
  saving: number;
  callbackLoss: number;
  /** Milliseconds after the send at which somebody calls who isn't the gateway. */
  forgeries: number[];
  /** Processes that are killed, and run again so many milliseconds later. */
  kills: Array<{ process: number; at: number; downFor: number }>;
  troubles: Trouble[];
  /** How many times n8n can't start what a call wakes. */
  failedStarts: number;
  /** Milliseconds after the send at which the key changes, and at which a user ends the execution. */
  keyChange: number;
  endsAt: number;
  /** The addresses at which n8n reaches itself: its public one, that of this machine, or none. */
  reach: 'public' | 'inside' | 'none';
}

const MINUTE = 60_000;
const WAYS = ['refused', 'error', 'limited', 'refusing', 'vague', 'absent'] as const;

export function waitScenarioOf(seed: number): WaitScenario {
  const random = seeded(seed, 7);
  const isCalm = random.chance(0.3);
  const limit = random.pick([20_000, 2 * MINUTE, 10 * MINUTE, 90 * MINUTE, 6 * 60 * MINUTE]);
  const processes = random.between(1, 3);
  const moment = () => random.between(0, Math.round(limit * 1.1));
  const some = <T,>(most: number, make: () => T): T[] =>
    Array.from({ length: isCalm ? 0 : random.between(0, most) }, make);
  return {
    ...{ seed, isCalm, processes, limit },
    startsAt: 1_700_000_000_000 + random.between(0, 1e9),
    type: random.pick(['sms', 'sms', 'viber+sms'] as const),
    messages: messagesOf(random, random.pick([1, 3, 5, 30, 700]), limit),
    namedChannel: random.pick(['its own', 'none', 'type of the send'] as const),
    switching: random.pick([0, 2000, 4 * MINUTE]),
    callbackDelay: random.pick([50, 2000, 60_000]),
    loading: random.pick([5, 60, 900]),
    saving: random.pick([50, 500, 4000]),
    callbackLoss: random.pick([0, 0.5, 1]),
    forgeries: some(4, moment),
    kills: some(3, () => ({
      process: random.between(0, processes - 1),
      at: random.chance(0.4) ? random.between(0, 5000) : moment(),
      downFor: random.pick([1000, 20_000, 5 * MINUTE]),
    })),
    troubles: some(4, () => {
      const from = moment();
      const to = from + random.pick([2000, 30_000, 10 * MINUTE]);
      return { from, to, of: random.pick(['gateway', 'proxy', 'n8n'] as const), way: random.pick(WAYS) };
    }),
    failedStarts: isCalm ? 0 : random.pick([0, 0, 2]),
    keyChange: random.chance(isCalm ? 0 : 0.2) ? moment() : Infinity,
    endsAt: random.chance(isCalm ? 0 : 0.15) ? moment() : Infinity,
    reach: random.pick(['public', 'public', 'inside', 'none'] as const),
  };
}

/** Outcomes of a campaign: most come in within some time, some late, some never. */
function messagesOf(random: Random, count: number, limit: number): MessagePlan[] {
  const over = random.pick([500, 10_000, Math.round(limit / 4), limit]);
  const late = random.pick([0, 0, 0.1]);
  const never = random.pick([0, 0, 0.1]);
  return Array.from({ length: count }, () => {
    const latest = random.chance(late) ? Math.round(limit * 1.2) : over;
    const finalAfter = random.chance(never) ? Infinity : random.between(0, latest);
    const firstFailsAfter = random.chance(0.5) ? Math.min(finalAfter, limit) * random.next() : Infinity;
    const status = random.pick(['DELIVERED', 'DELIVERED', 'READ', 'UNDELIVERABLE'] as const);
    return { finalAfter, status, firstFailsAfter };
  });
}
