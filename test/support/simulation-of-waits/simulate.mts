import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type * as Sleep from '../../../nodes/MessagingGateway/suspend/sleep.ts';
import type * as Callbacks from '../../../nodes/MessagingGateway/delivery-wait/callbacks.ts';
import type * as Open from '../../../nodes/MessagingGateway/delivery-wait/open-wait.ts';
import type * as Settings from '../../../nodes/MessagingGateway/delivery-wait/settings.ts';
import type * as Watched from '../../../nodes/MessagingGateway/delivery-wait/watch.ts';
import { simulation } from '../simulation/outcome.mts';
import type { Trace } from '../simulation/outcome.mts';
import { seeded } from '../simulation/random.mts';
import { judgeWait } from './invariants.mts';
import { waitScenarioOf } from './scenario.mts';
import { wordOf } from './gateway.mts';
import type { N8nProcess, Surroundings } from './world.mts';
import { PUBLIC, WaitWorld } from './world.mts';

/** Milliseconds after the limit at which n8n goes on by itself, as execute() has it. */
const GRACE = 60_000;

/** An execution waits for its messages. Counts these, and the questions about them. */
export const simulateWait = simulation(waitScenarioOf, (stage) => {
  const { scenario, product, clock } = stage;
  const { Watches } = product.load('MessagingGateway/delivery-wait/watch.ts') as typeof Watched;
  const { receiveCallback } = product.load('MessagingGateway/delivery-wait/callbacks.ts') as typeof Callbacks;
  const newProcess = (index: number): N8nProcess => {
    const watches = new Watches();
    const receive: N8nProcess['receive'] = async (context) => await receiveCallback(context, watches);
    return { index, isAlive: true, watches, receive, cuts: new Set() };
  };
  const processes = Array.from({ length: scenario.processes }, (_, i) => newProcess(i));
  const worlds: WaitWorld[] = [];
  const around: Surroundings = { processes, worlds, newProcess };
  for (const own of [scenario, ...scenario.others]) {
    worlds.push(new WaitWorld({ ...stage, scenario: own }, around));
  }
  return {
    async run() {
      for (const world of worlds) await clock.run(fallAsleep(world));
      for (const { process, at, downFor } of scenario.kills) {
        clock.after(at, () => worlds[0].kill(process));
        clock.after(at + downFor, () => worlds[0].start(process));
      }
      for (const world of worlds) plan(world, stage.trace);
    },
    judge(check) {
      for (const world of worlds) judgeWait(world, check);
    },
    counts: () => ({
      messages: worlds.reduce((sum, world) => sum + world.execution.items.length, 0),
      requests: worlds.reduce((sum, world) => sum + world.questions.count, 0),
    }),
  };
});

/** What execute() does once the messages are sent, and what n8n does then. */
async function fallAsleep(world: WaitWorld): Promise<void> {
  const { clock, product, scenario } = world;
  const { sleepUntil } = product.load('MessagingGateway/suspend/sleep.ts') as typeof Sleep;
  const { isHooked } = product.load('MessagingGateway/delivery-wait/settings.ts') as typeof Settings;
  const { OpenWait } = product.load('MessagingGateway/delivery-wait/open-wait.ts') as typeof Open;
  const count = scenario.messages.length;
  world.execution.items = scenario.messages.map((_, item): INodeExecutionData => {
    if (scenario.isLarge ? item === count - 1 : isHooked(item, count)) world.execution.hooked.add(item);
    const names = scenario.queuedFor === undefined ? { msg_id: 1000 + item } : { request_id: 'r' };
    const json = {
      id: world.firstId + item + 1,
      ...names,
      type: scenario.type,
      outcome: 'unknown',
      final: false,
    };
    return { json, pairedItem: { item } };
  });
  const [runner] = world.processes;
  const data = { main: [] as unknown };
  const context = {
    getContext: () => ({}),
    putExecutionToWait: async (date: Date) => {
      world.execution.waitTill = date.getTime();
      return await Promise.resolve();
    },
    getExecuteData: () => data,
    evaluateExpression: () => world.publicAddress,
    getNode: () => ({ id: 'node', name: 'Send' }),
    getExecutionId: () => String(world.execution.number),
    getMode: () => 'trigger',
    getCredentials: async () => {
      if (scenario.isEvaluated && world.execution.state !== 'running') throw new Error('No isolate');
      return await Promise.resolve(world.credential());
    },
    logger: world.logger,
    helpers: world.helpers(runner),
  } as unknown as IExecuteFunctions;
  const { batchSize, limit } = scenario;
  const limitAt = clock.now + limit;
  world.execution.note = await sleepUntil(context, limitAt + GRACE, world.execution.items, {
    limitAt,
    batchSize,
  });
  const wait = new OpenWait(world.execution.items.map(({ json }) => json));
  await runner.watches.start(context, world.execution.note, wait);
  // n8n saves the execution, which takes a moment.
  clock.after(scenario.saving, () => {
    world.execution.state = 'waiting';
  });
  clock.after(world.execution.waitTill - clock.now, () => world.passLimit());
}

/** Schedules what comes from outside. */
function plan(world: WaitWorld, trace: Trace): void {
  const { clock, scenario } = world;
  const random = seeded(scenario.seed, 9 + 50 * (world.execution.number - 7));
  const { ending } = scenario;
  if (ending !== undefined) clock.after(ending.at, () => world.end(ending.way));
  const forged = new Set<unknown>();
  const post = async (body: unknown, path: string, tries: number): Promise<void> => {
    const response = await world.callPublic(`${PUBLIC}${path}`, body).catch(() => undefined);
    const { error } = (response?.body ?? {}) as { error?: unknown };
    if (!forged.has(body) && String(error).includes('does not match')) world.calls.mismatched += 1;
    trace(() => `callback ${JSON.stringify(body)}: ${response?.statusCode ?? 'no answer'}`);
    if (response?.statusCode === 200) world.calls.taken.push(clock.now);
    else if (tries > 1) clock.after(random.between(1000, 20_000), () => void post(body, path, tries - 1));
  };
  const later = (delay: number, body: unknown, path = world.path) => {
    const tries = random.between(1, 3);
    clock.after(delay, () => void post(body, path, tries));
  };
  for (const item of world.execution.hooked) {
    const { finalAfter, status, firstFailsAfter, nothingFollows = false } = scenario.messages[item];
    const isRefused = status === 'REJECTED';
    const id = String(world.firstId + item + 1);
    const hasId = random.chance(0.8) || isRefused || scenario.queuedFor !== undefined;
    // By the contract, callbacks need not have it.
    const hasMessageId = !isRefused && (!hasId || seeded(scenario.seed, 1000 + item).chance(0.7));
    const names = {
      ...(hasId && { id }),
      ...(isRefused && { request_id: 'r' }),
      ...(hasMessageId && { msg_id: 1000 + item }),
    };
    const [first, last = first] = scenario.type.split('+');
    const report = (state: string, type = last) => ({
      ...names,
      type: isRefused ? first : type,
      status: state,
      success: state === 'DELIVERED' || state === 'READ',
    });
    const final = {
      ...report(status, nothingFollows ? first : last),
      ...(!isRefused && { status: wordOf(status, scenario) }),
    };
    if (firstFailsAfter !== undefined && Number.isFinite(firstFailsAfter)) {
      later(firstFailsAfter, report(random.pick(['EXPIRED', 'Kein Viber', 'DELIVERED? no']), first));
    }
    if (random.chance(scenario.interimRate)) later(random.between(0, 20_000), report('SENT'));
    if (finalAfter === Infinity || random.chance(scenario.callbackLoss)) continue;
    const delay = () => finalAfter + random.between(0, scenario.callbackDelay);
    later(delay(), final);
    if (random.chance(scenario.callbackRepeats)) later(delay(), final);
  }
  for (const at of scenario.forgeries) {
    const id = String(world.firstId + random.between(1, scenario.messages.length));
    const lie = { id, type: 'sms', status: 'READ', success: true };
    const [body, path] = random.pick<[unknown, string?]>([
      [lie, world.path.replace('token', 'guess')],
      [{ ...lie, id: '99999', msg_id: 1000 }],
      [{ ...lie, id: undefined, request_id: 'another' }],
      [{ sleep: 'guess', todo: 'resume' }],
      [{ sleep: 'guess', todo: 'look' }],
      [{ hello: 'world' }],
      ['text'],
    ]);
    forged.add(body);
    later(at, body, path);
  }
}
