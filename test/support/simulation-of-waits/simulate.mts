import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type * as Open from '../../../nodes/MessagingGateway/delivery-wait/open-wait.ts';
import type * as Settings from '../../../nodes/MessagingGateway/delivery-wait/settings.ts';
import type * as Waiting from '../../../nodes/MessagingGateway/delivery-wait/wait-for-delivery.ts';
import type * as Watching from '../../../nodes/MessagingGateway/delivery-wait/watch.ts';
import type * as Sleep from '../../../nodes/MessagingGateway/suspend/sleep.ts';
import type { Check } from '../simulation/outcome.mts';
import { simulation } from '../simulation/outcome.mts';
import { waitScenarioOf } from './scenario.mts';
import type { MessagePlan, WaitScenario } from './scenario.mts';
import type { N8nProcess } from './world.mts';
import { PUBLIC, WaitWorld } from './world.mts';

/** Milliseconds after the limit at which n8n goes on by itself, as execute() has it. */
const GRACE = 60_000;
/** Milliseconds between two rounds of questions at most. */
const LONGEST_PAUSE = 600_000;

/** An execution waits for its messages. Counts these, and the questions about them. */
export const simulateWait = simulation(waitScenarioOf, (stage) => {
  const { product } = stage;
  const waiting = product.load('MessagingGateway/delivery-wait/wait-for-delivery.ts') as typeof Waiting;
  const world = new WaitWorld(stage, (): N8nProcess => {
    const watches = new Map();
    const receive: N8nProcess['receive'] = async (context) => await waiting.receiveCallback(context, watches);
    return { isAlive: true, watches, receive, cuts: new Set() };
  });
  return {
    async run() {
      await stage.clock.run(fallAsleep(world));
      plan(world);
    },
    judge: (check) => judge(world, check),
    counts: () => ({ messages: world.execution.items.length, requests: world.counts.questions }),
  };
});

/** The messages whose callbacks come to the execution. */
function hookedIn({ product, scenario }: WaitWorld): number[] {
  const { isHooked } = product.load('MessagingGateway/delivery-wait/settings.ts') as typeof Settings;
  const { length } = scenario.messages;
  return [...scenario.messages.keys()].filter((item) => isHooked(item, length));
}

/** What execute() does once the messages are sent, and what n8n does then. */
async function fallAsleep(world: WaitWorld): Promise<void> {
  const { clock, product, scenario } = world;
  const { sleepUntil } = product.load('MessagingGateway/suspend/sleep.ts') as typeof Sleep;
  const { OpenWait } = product.load('MessagingGateway/delivery-wait/open-wait.ts') as typeof Open;
  const { startWatching } = product.load('MessagingGateway/delivery-wait/watch.ts') as typeof Watching;
  const sent = scenario.messages.map((_, item): INodeExecutionData => {
    const names = { id: item + 1, msg_id: 1000 + item, type: scenario.type };
    return { json: { ...names, outcome: 'pending', final: false }, pairedItem: { item } };
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
    evaluateExpression: () => {
      if (world.execution.state !== 'running') throw new Error('No isolate');
      return PUBLIC.replace('/node', '');
    },
    getNode: () => ({ id: 'node', name: 'Send' }),
    getExecutionId: () => '7',
    getCredentials: async () => await Promise.resolve(world.credential()),
    logger: world.logger,
    helpers: world.helpers(runner),
  } as unknown as IExecuteFunctions;
  const limitAt = clock.now + scenario.limit;
  const wait = new OpenWait(sent.map(({ json }) => json));
  world.execution.items = wait.asLeft(sent, 'Nothing woke it');
  world.execution.note = await sleepUntil(context, limitAt + GRACE, world.execution.items, { limitAt });
  await startWatching(context, world.execution.note, wait, runner.watches);
  // n8n saves the execution, which takes a moment.
  clock.after(scenario.saving, () => (world.execution.state = 'waiting'));
  clock.after(world.execution.waitTill - clock.now, () => world.passLimit());
}

/** Schedules what comes from outside. */
function plan(world: WaitWorld): void {
  const { clock, scenario, random, trace } = world;
  const { kills, endsAt, type, callbackLoss, callbackDelay, forgeries, messages } = scenario;
  for (const { process, at, downFor } of kills) {
    clock.after(at, () => world.kill(process));
    clock.after(at + downFor, () => world.start(process));
  }
  const end = () =>
    (world.execution.state = world.execution.state === 'waiting' ? 'stopped' : world.execution.state);
  if (endsAt < Infinity) clock.after(endsAt, end);
  const post = async (body: unknown, path: string, isForged: boolean): Promise<void> => {
    const response = await world.callPublic(path, body).catch(() => undefined);
    trace(() => `callback ${JSON.stringify(body)}: ${response?.statusCode ?? 'no answer'}`);
    const { error } = (response?.body ?? {}) as { error?: unknown };
    if (!isForged && String(error).includes('does not match')) world.counts.mismatched += 1;
  };
  const [first, last = first] = type.split('+');
  for (const item of hookedIn(world)) {
    const { finalAfter, firstFailsAfter, status } = messages[item];
    const report = (state: string, channel: string) => ({
      ...random.pick([{ id: String(item + 1) }, { msg_id: 1000 + item }]),
      ...{ type: channel, status: state, success: state === 'DELIVERED' || state === 'READ' },
    });
    const later = (time: number, body: unknown) => {
      if (time === Infinity || random.chance(callbackLoss)) return;
      // Repeated, and out of order.
      for (let n = random.between(1, 2); n > 0; n--)
        clock.after(time + random.between(0, callbackDelay), () => void post(body, PUBLIC, false));
    };
    if (last !== first) later(firstFailsAfter, report('EXPIRED', first));
    later(random.between(0, 20_000), report('SENT', first));
    later(finalAfter, report(status, last));
  }
  for (const at of forgeries) {
    const lie = { id: '1', type: 'sms', status: 'READ', success: true };
    const [body, path = PUBLIC] = random.pick<[unknown, string?]>([
      [lie, PUBLIC.replace('token', 'guess')],
      [{ ...lie, id: '99999', msg_id: 1000 }],
      [{ wake: 'guess' }],
      [{ hello: 'world' }],
    ]);
    clock.after(at, () => void post(body, path, true));
  }
}

/** What the node promises about a wait, checked after its end. */
function judge(world: WaitWorld, check: Check): void {
  const { scenario, processes, counts } = world;
  const { wakes, state } = world.execution;
  const { limit, messages, kills } = scenario;
  const most = state === 'stopped' ? 0 : 1;
  check('once', wakes.length === most, `the execution went on ${wakes.length} times`);
  const kept = processes.filter(({ isAlive, watches }) => isAlive && watches.size > 0);
  check('forgets', kept.length === 0, `${kept.length} processes still watch the wait`);
  check('discreet', !world.warnings.some((text) => text.includes('token')), 'the log has the token');
  check('takes callbacks', counts.mismatched === 0, `${counts.mismatched} callbacks were refused`);
  const [woken] = wakes;
  if (woken === undefined) return;
  const { at, by, items } = woken;
  const ids = items.map(({ json }) => json.id);
  check('every item', ids.length === messages.length && ids.every((id, i) => id === i + 1), ids.join());
  const downs = kills.map((kill) => kill.at + kill.downFor);
  check('bound', at <= Math.max(limit + GRACE, ...downs) + 1000, `it went on at ${at} ms`);
  items.forEach(({ json }, i) => {
    const isRight = isTrue(json, messages[i], { at, by });
    check('right', isRight, `item ${i} is ${JSON.stringify(json)} at ${at} ms, by ${by}`);
  });
  const isOpen = items.some(({ json }) => json.final !== true);
  check('not early', !isOpen || at >= limit, `it went on at ${at} ms with open outcomes`);
  check('soon', at <= soonest(scenario), `it went on at ${at} ms, not by ${soonest(scenario)} ms`);
}

/** Whether a row says what is so: an outcome that is decided, or that none is known; nothing of rows that n8n passes on. */
function isTrue(
  { outcome, final, reason }: INodeExecutionData['json'],
  { status, finalAfter }: MessagePlan,
  { at, by }: { at: number; by: string },
): boolean {
  const truth = status === 'UNDELIVERABLE' ? 'failed' : status.toLowerCase();
  if (final === true) return outcome === truth && finalAfter <= at && reason === undefined;
  if (by === 'n8n') return outcome === 'unknown' && reason !== undefined;
  return final === false && ['unknown', 'pending'].includes(String(outcome)) && reason === undefined;
}

/** When a wait that nothing disturbs has to be over, in milliseconds after the send. */
function soonest({
  isCalm,
  reach,
  messages,
  limit,
  type,
  namedChannel,
  loading,
  saving,
}: WaitScenario): number {
  const last = Math.max(...messages.map(({ finalAfter }) => finalAfter));
  // Of a fallback whose failed channel has no name, only the limit tells.
  const isTold = type === 'sms' || namedChannel === 'its own';
  if (!isCalm || reach === 'none' || !isTold || last > limit) return Infinity;
  const asleep = Math.max(last, saving + 2 * loading + 1500);
  // Each pause is as long as all before at most; n8n calls an execution that it saves running, and is called again.
  return asleep + Math.min(1.2 * asleep, LONGEST_PAUSE) + 15_000 + 6 * loading;
}
