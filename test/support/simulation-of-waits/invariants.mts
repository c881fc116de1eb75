import type { Check } from '../simulation/outcome.mts';
import type { WaitScenario } from './scenario.mts';
import type { WaitWorld, Woken } from './world.mts';

/** Milliseconds after the limit in which n8n wakes the execution at the latest. */
const N8N_BOUND = 60_000;
/** Milliseconds between two looks at the execution, and how many times as long as a look no other comes. */
const LOOK_EVERY = 60_000;
const LOOK_PAUSE = 100;
/** Milliseconds between two rounds of questions at most, and after the limit until the last question. */
const LONGEST_PAUSE = 600_000;
const LAST_QUESTION = 10_000;
/** Milliseconds from the callback that completes a small wait to the next node, without what n8n takes to load. */
const AT_ONCE = 1000;
/** Milliseconds in which it is found out how many ids the gateway takes. */
const FINDING_A_LIMIT = 60_000;
/** Milliseconds that the gateway takes to answer a question, at most. */
const SLOWEST_ANSWER = 200;

/** What the node promises about a wait, checked after its end. */
export function judgeWait(world: WaitWorld, check: Check): void {
  const { wakes, scenario } = world;
  const isEnded = world.endedAt < Infinity;
  check('once', wakes.length === (isEnded ? 0 : 1), `the execution went on ${wakes.length} times`);
  const kept = world.processes.filter(({ isAlive, watches }) => isAlive && watches.size > 0);
  check('forgets', kept.length === 0, `${kept.length} processes still watch the wait`);
  check(
    'stops',
    world.lastAsked <= lastQuestion(world),
    `it asked at ${world.lastAsked} ms, after ${world.endedAt}`,
  );
  check('discreet', !world.warnings.some((text) => text.includes('token')), 'the log has the token');
  const [woken] = wakes;
  if (woken === undefined) return;
  const at = woken.at - scenario.startsAt;
  const ids = woken.items.map(({ json }) => Number(json.id) - world.firstId);
  const isWhole = ids.length === scenario.messages.length && ids.every((id, i) => id === i + 1);
  check('every item', isWhole, `the items are ${ids.join()}`);
  check('bound', at <= latest(scenario), `it went on at ${at} ms, with a limit of ${scenario.limit} ms`);
  const wrong = wrongOnes(scenario, woken, at);
  check('right', wrong.length === 0, `wrong outcomes at ${at} ms: ${wrong.join('; ')}`);
  const isOpen = woken.items.some(({ json }) => json.final !== true);
  check('not early', !isOpen || at >= scenario.limit, `it went on at ${at} ms with open outcomes`);
  const missed = missedOnes(world, woken);
  check('best known', missed.length === 0, `not known at ${at} ms: items ${missed.join()} (${woken.by})`);
  check('soon', at <= soonest(world), `it went on at ${at} ms, not by ${soonest(world)} ms`);
  const { statusRequests, failedRequests, selfCalls } = world;
  const mostFailed = 25 * scenario.processes * (1 + scenario.kills.length + scenario.troubles.length);
  check('failures', failedRequests <= mostFailed, `${failedRequests} requests failed, ${mostFailed} allowed`);
  check(
    'requests',
    statusRequests <= mostRequests(world),
    `${statusRequests} requests, ${mostRequests(world)} allowed`,
  );
  check('own calls', selfCalls <= mostSelfCalls(scenario), `${selfCalls} calls of the node to itself`);
  const isStuck = woken.by === 'n8n' && scenario.profile === 'calm' && scenario.reach === 'none';
  check('warns', !isStuck || world.warnings.length > 0, 'nobody was told why n8n did not wake it');
}

/** When the last question may come, in milliseconds after the send: soon after a user has ended the execution. */
function lastQuestion({ endedAt, scenario, isAlone }: WaitWorld): number {
  const { profile, reach, loading, limit } = scenario;
  if (profile === 'kills' || profile === 'storm' || reach === 'none' || !isAlone) return Infinity;
  const looked = endedAt + LOOK_EVERY + LOOK_PAUSE * (loading + 100) + LOOK_EVERY;
  // A look comes before each question but the last one, at the limit, which has no time for it: whoever ends the
  // execution after the look before the last question but one can't be noticed.
  return limit - endedAt <= LONGEST_PAUSE ? Math.max(looked, limit + LAST_QUESTION) : looked;
}

/** When n8n goes on by itself at the latest: when it runs, after its own limit. */
function latest({ limit, kills }: WaitScenario): number {
  const downs = kills.map(({ at, downFor }) => at + downFor);
  return Math.max(limit + N8N_BOUND, ...downs) + 1000;
}

/** Outcomes that the gateway never decided, or not by then. */
function wrongOnes({ messages }: WaitScenario, { items }: Woken, at: number): string[] {
  return items.flatMap(({ json }, i) => {
    const { status, finalAfter } = messages[i];
    const isFailed = status === 'UNDELIVERABLE' || status === 'REJECTED';
    const truth = isFailed ? 'failed' : status.toLowerCase();
    const isRight =
      json.final === true
        ? json.outcome === truth && finalAfter <= at
        : json.final === false && ['unknown', 'pending'].includes(String(json.outcome));
    return isRight ? [] : [`item ${i} is ${String(json.outcome)}, ${String(json.final)}`];
  });
}

/** Whether everything works from a time until the end of the wait. */
function isCalmFrom({ kills, troubles, keyChange = 0 }: WaitScenario, time: number): boolean {
  const ends = [...kills.map(({ at, downFor }) => at + downFor), ...troubles.map(({ to }) => to), keyChange];
  return ends.every((end) => end <= time);
}

/**
 * Items whose outcome the node could have known. It looks after the wait until the process that does so is killed, and
 * from the next call of its execution on; what it can ask then, it has to know.
 */
function missedOnes({ scenario, taken }: WaitWorld, { items, at }: Woken): number[] {
  const { limit, messages, statusLag, startsAt } = scenario;
  const end = Math.min(limit, at - startsAt);
  const lastKill = Math.max(-Infinity, ...scenario.kills.map(({ at: time, downFor }) => time + downFor));
  // The call that has it adopted is repeated for a quarter of an hour.
  const isAdopted = !scenario.troubles.some(({ of, to }) => of !== 'gateway' && to > 600_000);
  const isCalled = taken.some((time) => time - startsAt > lastKill && time - startsAt < limit - 30_000);
  const isKept = isCalled || (isAdopted && lastKill === -Infinity);
  // The last round of questions has ten seconds.
  if (SLOWEST_ANSWER * batchesOf(scenario) > LAST_QUESTION) return [];
  // A wait that n8n can't call itself for is known by callbacks only.
  if (!isKept || scenario.reach === 'none' || !isCalmFrom(scenario, end - 30_000)) return [];
  return items.flatMap(({ json }, i) => {
    const isAskable = messages[i].status !== 'REJECTED' || scenario.tellsRefusals;
    return json.final !== true && isAskable && messages[i].finalAfter + statusLag <= end - 20_000 ? [i] : [];
  });
}

/** When a wait that nothing disturbs has to be over. */
function soonest({ scenario, hooked }: WaitWorld): number {
  const { profile, messages, statusLag, callbackDelay, loading, saving, limit, mostIds } = scenario;
  const asking = SLOWEST_ANSWER * batchesOf(scenario) + (Number.isFinite(mostIds) ? FINDING_A_LIMIT : 0);
  const last = Math.max(...messages.map(({ finalAfter }) => finalAfter));
  if (profile !== 'calm' || last > limit || scenario.reach === 'none') return Infinity;
  if (messages.some(({ status }) => status === 'REJECTED' && !scenario.tellsRefusals)) return Infinity;
  const asleep = Math.max(last, 1500 + 2 * (loading + saving));
  const byStatus = asleep + statusLag + 0.6 * asleep + 10_000 + 4 * loading + asking;
  // A callback that comes before the execution sleeps is lost, and only tried again.
  const isEarly = messages.some(({ finalAfter }) => finalAfter < 3000 + 2 * loading + saving);
  // What one process learned from a callback, another one has to ask for.
  if (hooked.size < messages.length || isEarly || scenario.processes > 1) return byStatus;
  return Math.min(byStatus, last + callbackDelay + AT_ONCE + 3 * loading);
}

/** Requests in which all messages are asked about: a batch that is too large for the gateway is halved. */
const batchesOf = ({ messages, batchSize, mostIds }: WaitScenario): number =>
  Math.ceil(messages.length / Math.max(1, Math.min(batchSize, Math.floor(mostIds / 2))));

/** A few questions about each message for each process that looks after the wait, and some at growing intervals. */
function mostRequests({ scenario, taken }: WaitWorld): number {
  const { limit, kills, processes } = scenario;
  const batches = batchesOf(scenario);
  const keepers = Math.min(processes + kills.length, 1 + taken.length + kills.length);
  return keepers * (6 * batches + 60 + (limit / 600_000) * (batches + 2)) + 5 * batches;
}

/** The first call, that which wakes, and more only where something fails, at growing intervals. */
function mostSelfCalls({ limit, kills, troubles, processes, profile, reach }: WaitScenario): number {
  const addresses = reach === 'public' ? 1 : 2;
  const looks = addresses * (limit / LOOK_EVERY);
  // What leads nowhere is tried again, at growing intervals, and from the limit on every ten seconds for five minutes.
  const late = 60 * processes;
  const usual = processes * (looks + addresses * 12) + (reach === 'none' ? late + 60 + limit / 60_000 : 0);
  if (profile === 'calm' || profile === 'callbacks') return usual;
  return usual + late + 40 * (1 + kills.length + troubles.length) + limit / 300_000;
}
