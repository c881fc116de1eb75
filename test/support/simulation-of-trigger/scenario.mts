/** What a seed decides about a trigger and its callers before anything happens. */
import type { Random } from '../simulation/random.mts';
import { seeded } from '../simulation/random.mts';
import type { EventPlan, Identifier, Outcome, StrangerPlan } from './plans.mts';
import { strangersOf } from './strangers.mts';

/**
 * - `calm`: nothing fails.
 * - `outages`: n8n can't start executions for a while, also after hours in which it could.
 * - `kills`: processes are killed and started again, too.
 * - `others`: other executions of the workflow overwrite its static data, too.
 */
export type TriggerProfile = 'calm' | 'outages' | 'kills' | 'others';

/** A call of the gateway, with its repeats until it gets a success. */
export interface CallPlan {
  at: number;
  events: EventPlan[];
  /** The operation type in the callback address. */
  sentAs: string | undefined;
  tries: number;
  /** Milliseconds until the gateway hangs up, and between two tries. */
  patience: number;
  gap: number;
}

/** A time, in milliseconds after the start, in which n8n starts no execution. */
export interface Outage {
  from: number;
  to: number;
  /** Whether n8n has put the execution on record before it fails. */
  isUnnoticed: boolean;
  /** Milliseconds until n8n says so. */
  takes: number;
}

export interface TriggerScenario {
  seed: number;
  profile: TriggerProfile;
  startsAt: number;
  processes: number;
  outcomes: Outcome[];
  options: {
    removeDuplicates: boolean;
    splitReplies: boolean;
    verifyWithGateway: boolean;
  };
  calls: CallPlan[];
  strangers: StrangerPlan[];
  /** Whether `status` names the channel, and the gateway's own identifier. */
  statusHas: Record<'type' | 'msg_id', boolean>;
  outages: Outage[];
  /** Milliseconds, at most, that n8n takes to load the workflow, to start an execution, and to save static data. */
  loading: number;
  starting: number;
  saving: number;
  kills: Array<{ process: number; at: number; downFor: number }>;
  /** Executions that save, after some time, the static data that they began with. */
  overwrites: Array<{ at: number; for: number }>;
  /** Milliseconds after which nothing fails any more. */
  calmFrom: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

export function triggerScenarioOf(seed: number): TriggerScenario {
  const random = seeded(seed, 21);
  const profile = random.weighted<TriggerProfile>([
    [2, 'calm'],
    [4, 'outages'],
    [3, 'kills'],
    [1, 'others'],
  ]);
  const span = random.pick([5 * SECOND, MINUTE, 10 * MINUTE, 6 * 60 * MINUTE]);
  const isRough = profile !== 'calm';
  const verifyWithGateway = random.chance(0.25);
  const moment = () => random.between(0, span);
  const events = Array.from({ length: random.between(1, 8) }, (_, message) =>
    eventsOf(random, message, { at: moment(), isPlain: verifyWithGateway }),
  );
  const processes = random.weighted([
    [3, 1],
    [1, 2],
    [1, 3],
  ]);
  const longest = random.pick([50, SECOND, 20 * SECOND]);
  const outages = isRough
    ? Array.from({ length: random.between(0, 3) }, () => {
        const from = moment();
        const to = from + random.pick([SECOND, MINUTE, span]);
        return { from, to, isUnnoticed: random.chance(0.1), takes: random.between(1, longest) };
      })
    : [];
  const kills =
    profile === 'kills' || profile === 'others'
      ? Array.from({ length: random.between(1, 3) }, () => ({
          process: random.between(0, processes - 1),
          at: random.between(0, 2 * span),
          downFor: random.pick([SECOND, 20 * SECOND]),
        }))
      : [];
  const overwrites =
    profile === 'others'
      ? Array.from({ length: random.between(1, 3) }, () => ({ at: moment(), for: moment() }))
      : [];
  const ends = [...outages.map(({ to }) => to), ...kills.map(({ at, downFor }) => at + downFor)];
  return {
    seed,
    profile,
    startsAt: 1_700_000_000_000 + random.between(0, 1e9),
    processes,
    outcomes: random.weighted<Outcome[]>([
      [3, ['delivered', 'failed', 'read', 'replied']],
      [2, ['delivered', 'failed', 'read', 'replied', 'pending']],
      [1, ['failed', 'replied']],
    ]),
    options: {
      removeDuplicates: random.chance(0.9),
      splitReplies: random.chance(0.7),
      verifyWithGateway,
    },
    calls: callsOf(random, events),
    // Without any safeguard, whoever knows the address starts the workflow.
    strangers: verifyWithGateway ? strangersOf(random, events.flat()) : [],
    statusHas: { type: random.chance(0.6), msg_id: random.chance(0.5) },
    outages,
    loading: random.pick([5, 300]),
    starting: random.pick([20, 500, 15 * SECOND]),
    saving: random.pick([5, 100, 5 * SECOND]),
    kills,
    overwrites,
    calmFrom: Math.max(2 * span, ...ends) + 10 * MINUTE,
  };
}

interface Sequence {
  at: number;
  /** Whether only such statuses come as every reader knows. */
  isPlain: boolean;
}

/** What happens to a message, in the order of time. */
function eventsOf(random: Random, message: number, { at, isPlain }: Sequence): EventPlan[] {
  const isFallback = random.chance(0.3);
  const idsOf = identifiersOf(random, isPlain);
  const sms = { message, type: random.chance(0.8) ? 'sms' : undefined, replies: [] };
  const found: Array<Omit<EventPlan, 'at'>> = [];
  if (isFallback && random.chance(0.6)) {
    const isRefused = random.chance(0.4);
    const status = random.pick(isRefused ? ['REJECTED'] : ['EXPIRED', 'Kein Viber', undefined]);
    const outcome = isRefused ? 'failed' : 'pending';
    found.push({ ...sms, type: 'viber', status, success: false, ids: idsOf(isRefused), outcome });
    // Nothing else comes of what was refused.
    if (isRefused) return found.map((event) => ({ ...event, at }));
  }
  if (random.chance(0.4))
    found.push({ ...sms, ids: idsOf(), status: 'SENT', success: false, outcome: 'pending' });
  if (random.chance(0.3)) {
    const status = random.pick(
      isPlain ? ['UNDELIVERABLE'] : ['UNDELIVERABLE', 'Абонент', 'UNKNOWN', 'DELIVERED'],
    );
    found.push({ ...sms, ids: idsOf(), status, success: false, outcome: 'failed' });
  } else {
    const status = random.pick(
      isPlain ? ['DELIVERED'] : ['DELIVERED', 'delivered', 'Zugestellt', 'SENT', undefined],
    );
    found.push({ ...sms, ids: idsOf(), status, success: true, outcome: 'delivered' });
    if (random.chance(0.5))
      found.push({ ...sms, ids: idsOf(), status: 'READ', success: true, outcome: 'read' });
    for (const text of random.pick([[], [], ['yes'], ['yes', 'no'], ['no']])) {
      const replies = random.chance(0.3) ? [text, `${text}, too`] : [text];
      found.push({ ...sms, ids: idsOf(), status: 'REPLIED', success: true, replies, outcome: 'replied' });
    }
  }
  let time = at;
  return found.map((event) => {
    time += random.pick([1, 1, SECOND, MINUTE]);
    return { ...event, at: time };
  });
}

/**
 * How the callbacks of a message name it. A message is always named by its `id`, or never: two callbacks that have nothing in
 * common can't be told to be of one message. What has no `id` can't be verified.
 */
function identifiersOf(random: Random, isVerified: boolean): (isRefused?: boolean) => Identifier[] {
  const shape = random.weighted([
    [6, 'both'],
    [2, 'varied'],
    [1, 'id'],
    [isVerified ? 0 : 2, 'msg_id'],
  ] as const);
  const request = (): Identifier[] => (random.chance(0.2) ? ['request_id'] : []);
  return (isRefused = false) => {
    if (isRefused) return shape === 'msg_id' ? ['request_id'] : ['id', 'request_id'];
    if (shape === 'msg_id') return ['msg_id'];
    const hasBoth = shape === 'both' || (shape === 'varied' && random.chance(0.5));
    return ['id', ...(hasBoth ? (['msg_id'] as const) : []), ...request()];
  };
}

/** The calls of the gateway: late, doubled, in other orders, and several events in one body. */
function callsOf(random: Random, messages: EventPlan[][]): CallPlan[] {
  const delay = random.pick([0, 100, 5 * SECOND]);
  const calls: CallPlan[] = [];
  const add = (events: EventPlan[], at: number): void => {
    calls.push({
      at: at + random.between(0, delay),
      events,
      sentAs: events.some(({ type }) => type === 'viber') ? 'viber+sms' : undefined,
      tries: random.between(1, 6),
      patience: random.pick([2 * SECOND, 10 * SECOND, MINUTE]),
      gap: random.pick([100, 5 * SECOND, MINUTE]),
    });
  };
  for (const events of messages) {
    if (random.chance(0.2)) add(events, events[events.length - 1].at);
    else for (const event of events) add([event], event.at);
    const repeats = random.pick([0, 0, 1, 3]);
    for (let i = 0; i < repeats; i++) {
      const event = random.pick(events);
      add([event], event.at + random.pick([0, 1, 2 * SECOND, 10 * MINUTE]));
    }
  }
  const plain = messages.flat().filter(({ type }) => type !== 'viber');
  if (plain.length > 1 && random.chance(0.3)) add(plain, Math.max(...plain.map(({ at }) => at)));
  return calls;
}
