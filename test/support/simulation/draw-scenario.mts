/** Draws the scenario of a seed: the workflow and its executions. */
import { drawGateway } from './draw-gateway.mts';
import type { Random } from './random.mts';
import { seeded } from './random.mts';
import { drawKeys } from './draw-keys.mts';
import { BAD_SENDER, isPeaceful, MARKER, NOT_A_PHONE } from './scenario.mts';
import type {
  ClockStep,
  ExecutionPlan,
  ItemPlan,
  NodePlan,
  NodeRunPlan,
  Operation,
  Profile,
  Scenario,
} from './scenario.mts';

const SECOND = 1000;
const DAY = 86_400 * SECOND;

/** People who get a code in one run. */
const MOST_CODES = 40;

export function scenarioOf(seed: number): Scenario {
  const random = seeded(seed, 1);
  const profile = random.weighted<Profile>([
    [15, 'calm'],
    [25, 'gentle'],
    [40, 'rough'],
    [20, 'storm'],
  ]);
  const draw = new WorkflowDraw(random, profile);
  const scenario = {
    seed,
    profile,
    startsAt: Date.UTC(2026, 0, 1) + random.between(0, DAY),
    gateway: drawGateway(random, seeded(seed, 4), profile),
    executions: draw.executions(),
    clockSteps: drawClockSteps(random),
  };
  // Others stay as they are without these.
  drawKeys(seeded(seed, 3), scenario.executions);
  drawTelegram(seeded(seed, 6), scenario);
  return scenario;
}

/** Has some codes go out by Telegram, which some gateways take and don't tell of. */
function drawTelegram(random: Random, { executions, gateway }: Scenario): void {
  for (const node of new Set(executions.flatMap(({ runs }) => runs.map((run) => run.node))))
    if (node.operation === 'send' && random.chance(0.4)) node.isTelegram = true;
  if (random.chance(0.5)) gateway.status.lacks.push('telegram');
}

function drawClockSteps(random: Random): ClockStep[] {
  if (random.chance(0.85)) return [];
  return Array.from({ length: random.between(1, 2) }, () => ({
    at: random.between(0, random.pick([1, 10, 60]) * SECOND),
    by: SECOND * random.pick([-86_400, -3600, -60, -5, 5, 31, 60, 3600, 86_400]),
  }));
}

/** Draws nodes, items and executions. */
class WorkflowDraw {
  private readonly random: Random;

  private readonly profile: Profile;

  private phones = 0;

  constructor(random: Random, profile: Profile) {
    this.random = random;
    this.profile = profile;
  }

  executions(): ExecutionPlan[] {
    const { random, profile } = this;
    const hasOwnIds = random.chance(0.35);
    const firstId = random.between(1, 2 ** 40);
    const nodes = Array.from({ length: random.chance(0.2) ? 2 : 1 }, (_, index) => this.node(index));
    const loops = random.chance(0.15) ? random.between(2, 3) : 1;
    const runs = (name: string): NodeRunPlan[] => {
      let nextId = firstId;
      const ownId = (): number | undefined => (hasOwnIds && random.chance(0.9) ? nextId++ : undefined);
      return Array.from({ length: loops }, (_, runIndex) =>
        nodes.map((node): NodeRunPlan => {
          const place = `${name}/${node.name}/${runIndex}`;
          return { node, runIndex, items: this.itemsFor(node, place, loops * nodes.length, ownId) };
        }),
      ).flat();
    };
    const number = random.between(1, 100_000);
    const first: ExecutionPlan = { id: String(number), runs: runs('first'), delay: 0, kind: 'first' };
    const executions = [first];
    if (!isPeaceful(profile)) this.interrupt(first);
    if (random.chance(first.cancelAfter === undefined && first.crashAfter === undefined ? 0.25 : 0.6)) {
      const isLost = first.cancelAfter !== undefined || first.crashAfter !== undefined;
      executions.push({
        id: String(number + 1),
        runs: first.runs,
        delay: random.pick([0, 1, 90, 7200, 3 * 86_400, 3 * 86_400]) * SECOND,
        kind: isLost ? 'retryFromNothing' : 'retry',
      });
      if (!isLost && random.chance(0.2)) {
        executions.push({ id: String(number + 3), runs: first.runs, delay: SECOND, kind: 'retryAgain' });
      }
    }
    if (random.chance(hasOwnIds ? 0.4 : 0.05)) {
      const delay = random.pick([0, 1, 90]) * SECOND;
      executions.push({ id: String(number + 2), runs: runs('second'), delay, kind: 'first' });
    }
    return executions;
  }

  private interrupt(execution: ExecutionPlan): void {
    const { random } = this;
    if (!random.chance(0.2)) return;
    const after = random.between(0, random.pick([1, 10, 60]) * SECOND);
    if (random.chance(0.5)) execution.cancelAfter = after;
    else execution.crashAfter = after;
  }

  private node(index: number): NodePlan {
    const { random, profile } = this;
    const operation = random.weighted<Operation>([
      [8, 'sendSms'],
      [1, 'sendViberSms'],
      [0.7, 'sendPipeline'],
      [0.5, 'call'],
      [0.6, 'send'],
      [0.6, 'sendAndWait'],
    ]);
    return {
      name: `Send ${index + 1}`,
      // Workflows that were put together by hand have nodes with the same id.
      id: 'node',
      operation,
      waits: (operation === 'sendSms' || operation === 'sendViberSms') && random.chance(0.12),
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
            [1, 1000],
          ]),
        }),
        batchInterval: random.chance(0.8) ? 0 : random.between(1, 700),
        timeout: random.pick(isPeaceful(profile) ? [15, 60, 60] : [1, 5, 15, 60, 60]),
      },
    };
  }

  private itemsFor(
    { operation }: NodePlan,
    place: string,
    parts: number,
    ownId: () => number | undefined,
  ): ItemPlan[] {
    const items = this.items(place, parts, ownId);
    if (operation !== 'send' && operation !== 'sendAndWait') return items;
    // These have neither an id of the user's own nor the queue; one person is asked.
    const plain = items.map(({ messageId: _, ...item }): ItemPlan => ({ ...item, delivery: 'now' }));
    return plain.slice(0, operation === 'send' ? MOST_CODES : 1);
  }

  private items(place: string, parts: number, ownId: () => number | undefined): ItemPlan[] {
    const { random } = this;
    const most = random.weighted([
      [30, 3],
      [55, 40],
      [12, 300],
      [parts === 1 ? 1 : 0.2, 2500],
    ]);
    const count = Math.max(1, Math.ceil(random.between(1, most) / parts));
    const badRate = random.pick([0, 0, 0.02, 0.05, 0.2]);
    const invalidRate = random.chance(0.1) ? 0.1 : 0;
    const queuedRate = random.pick([0, 0, 0, 0, 0, 0, 0.3, 1]);
    const items = Array.from({ length: count }, (_, index): ItemPlan => {
      const messageId = ownId();
      return {
        text: `${MARKER} ${place}/${index}.`,
        phone: random.chance(invalidRate) ? NOT_A_PHONE : `38050${String(1_000_000 + this.phones++)}`,
        signature: random.chance(badRate) ? BAD_SENDER : 'Shop',
        ...(messageId !== undefined && { messageId }),
        delivery: random.chance(queuedRate) ? 'queued' : 'now',
      };
    });
    // Somebody gives two messages the same id.
    if (items.length > 1 && random.chance(0.03)) items[items.length - 1].messageId = items[0].messageId;
    return items;
  }
}
