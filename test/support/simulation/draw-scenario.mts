/** Draws the scenario of a seed. */
import type { Random } from './random.mts';
import { seeded } from './random.mts';
import { BAD_SENDER, MARKER, NOT_A_PHONE } from './scenario.mts';
import type {
  Cause,
  ExecutionPlan,
  GatewayTraits,
  ItemPlan,
  NodePlan,
  NodeRunPlan,
  Outage,
  Profile,
  Scenario,
} from './scenario.mts';

const SECOND = 1000;

export function scenarioOf(seed: number): Scenario {
  const random = seeded(seed, 1);
  const profile = random.weighted<Profile>([
    [20, 'calm'],
    [25, 'gentle'],
    [32, 'rough'],
    [12, 'storm'],
    [11, 'unbounded'],
  ]);
  const settling =
    SECOND *
    random.weighted([
      [3, random.between(1, 5)],
      [5, random.between(5, 30)],
      [2, 30],
      [1, 60],
      ...(profile === 'unbounded' ? [[2, 0] as const] : []),
    ]);
  const gateway = drawGateway(random, profile, settling);
  return {
    seed,
    profile,
    startsAt: Date.UTC(2026, 0, 1) + random.between(0, 86_400_000),
    gateway,
    executions: drawExecutions(random, profile, gateway),
  };
}

function drawGateway(random: Random, profile: Profile, settling: number): GatewayTraits {
  const isCalm = profile === 'calm';
  const isGentle = profile === 'gentle';
  const share = (low: number, high: number): number => low + (high - low) * random.next();
  const faultRate = {
    calm: 0,
    gentle: 0.5,
    rough: share(0.02, 0.4),
    storm: share(0.4, 1),
    unbounded: share(0.1, 0.8),
  };
  const statusRate = {
    calm: 0,
    gentle: 0,
    rough: share(0, 0.5),
    storm: share(0, 1),
    unbounded: share(0, 0.3),
  };
  const keepsSettlingTime = profile !== 'unbounded';
  const mostLag = random.chance(0.5) ? 0 : random.between(0, keepsSettlingTime ? settling / 2 : 20_000);
  return {
    duplicates: random.weighted([
      [5, 'taken'],
      [4, 'refused'],
      [1, 'refuseWhole'],
    ]),
    style: random.weighted([
      [5, 'plain'],
      [2, 'nulls'],
      [1, 'stringIds'],
      [1, 'integers'],
    ]),
    ...(random.chance(0.15) && { mostOperations: random.pick([1, 3, 10, 64, 150]) }),
    tooLarge: random.pick(['http', 'envelope', 'badRequest']),
    refusesWhole: random.chance(0.3),
    work: [random.pick([5, 40, 200, 800]), random.pick([0, 0, 0.2, isCalm || isGentle ? 0.5 : 8])],
    mostLag,
    faultRate: faultRate[profile],
    statusFaultRate: random.chance(0.4) ? 0 : statusRate[profile],
    faultFreeAfter: isGentle ? random.between(4, 8) : 0,
    lateRate: random.pick([0.1, 0.4, 0.8]),
    keepsSettlingTime,
    settling,
    outages: isCalm || isGentle ? [] : drawOutages(random),
  };
}

function drawOutages(random: Random): Outage[] {
  if (random.chance(0.6)) return [];
  const isForGood = random.chance(0.15);
  return Array.from({ length: isForGood ? 1 : random.between(1, 3) }, () => {
    const from = random.between(0, random.pick([2, 20, 90]) * SECOND);
    return {
      from,
      to: isForGood ? Infinity : from + random.between(1, random.pick([5, 30, 200])) * SECOND,
      affects: random.pick(['send', 'status', 'status', 'all'] as const),
      cause: random.pick<Cause>([
        'connection',
        'rateLimit',
        'lost',
        'late',
        'serverError',
        'serverError',
        'refused',
      ]),
    };
  });
}

function drawExecutions(random: Random, profile: Profile, gateway: GatewayTraits): ExecutionPlan[] {
  const hasOwnIds = random.chance(0.35);
  const firstId = random.between(1, 2 ** 40);
  const nodes = Array.from({ length: random.chance(0.2) ? 2 : 1 }, (_, index) =>
    drawNode(random, index, profile, gateway),
  );
  const loops = random.chance(0.15) ? random.between(2, 3) : 1;
  const draw = (name: string): NodeRunPlan[] => {
    let nextId = firstId;
    const runs: NodeRunPlan[] = [];
    for (let runIndex = 0; runIndex < loops; runIndex++) {
      for (const node of nodes) {
        const place = `${name}/${node.name}/${runIndex}`;
        const items = drawItems(random, place, loops * nodes.length, () =>
          hasOwnIds ? nextId++ : undefined,
        );
        runs.push({ node, runIndex, items });
      }
    }
    return runs;
  };
  const number = random.between(1, 100_000);
  const executions: ExecutionPlan[] = [{ id: String(number), runs: draw('first'), delay: 0 }];
  if (random.chance(hasOwnIds ? 0.5 : 0.05)) {
    const delay = random.pick([0, 1, 90]) * SECOND;
    executions.push({ id: String(number + 1), runs: draw('second'), delay });
  }
  const mayCancel = profile === 'rough' || profile === 'storm' || profile === 'unbounded';
  for (const execution of executions) {
    if (!mayCancel || !random.chance(0.15)) continue;
    execution.cancelAfter = random.between(0, random.pick([1, 10, 60]) * SECOND);
  }
  return executions;
}

function drawNode(random: Random, index: number, profile: Profile, { settling }: GatewayTraits): NodePlan {
  const isGentle = profile === 'gentle';
  return {
    name: `Send ${index + 1}`,
    // Workflows that were put together by hand have nodes with the same id.
    id: 'node',
    onError: random.pick(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput']),
    retryOnFail: random.chance(0.6),
    maxTries: random.between(2, 5),
    waitBetweenTries: random.pick([0, 1, 1000, 5000]),
    options: {
      ...(random.chance(0.6) && {
        batchSize: random.weighted([
          [2, 1],
          [4, random.between(2, 6)],
          [4, random.between(5, 50)],
        ]),
      }),
      parallelRequests: random.weighted([
        [5, 1],
        [2, 2],
        ...(isGentle ? [] : [[1, random.between(3, 10)] as const]),
      ]),
      batchInterval: random.chance(0.8) ? 0 : random.between(1, 700),
      timeout: random.pick(profile === 'calm' || isGentle ? [5, 15, 60] : [1, 5, 15, 60]),
      settlingTime: settling / SECOND,
    },
  };
}

function drawItems(
  random: Random,
  place: string,
  parts: number,
  ownId: () => number | undefined,
): ItemPlan[] {
  const most = random.weighted([
    [30, 3],
    [55, 40],
    [12, 300],
    [parts === 1 ? 4 : 1, 2500],
  ]);
  const count = Math.max(1, Math.ceil(random.between(1, most) / parts));
  const badRate = random.pick([0, 0, 0.02, 0.2]);
  const invalidRate = random.chance(0.1) ? 0.1 : 0;
  const queuedRate = random.pick([0, 0, 0, 0, 0, 0, 0.3, 1]);
  const items = Array.from({ length: count }, (_, index): ItemPlan => {
    const messageId = random.chance(0.9) ? ownId() : undefined;
    return {
      text: `${MARKER} ${place}/${index}.`,
      phone: random.chance(invalidRate) ? NOT_A_PHONE : `38050${String(1_000_000 + index)}`,
      signature: random.chance(badRate) ? BAD_SENDER : 'Shop',
      ...(messageId !== undefined && { messageId }),
      delivery: random.chance(queuedRate) ? 'queued' : 'now',
    };
  });
  // Somebody gives two messages the same id.
  if (items.length > 1 && random.chance(0.05)) items[items.length - 1].messageId = items[0].messageId;
  return items;
}
