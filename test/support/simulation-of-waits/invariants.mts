import type { Check } from '../simulation/outcome.mts';
import type { MessagePlan, WaitScenario } from './scenario.mts';
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
/** Milliseconds for which `status` has to say that a channel failed before that is the end of a fallback. */
const NOTHING_FOLLOWS = 300_000;

/** What the node promises about a wait, checked after its end. */
export function judgeWait(world: WaitWorld, check: Check): void {
  const { scenario } = world;
  const { wakes, endedAt } = world.execution;
  const isEnded = endedAt < Infinity;
  check('once', wakes.length === (isEnded ? 0 : 1), `the execution went on ${wakes.length} times`);
  const kept = world.processes.filter(({ isAlive, watches }) => isAlive && watches.size > 0);
  check('forgets', kept.length === 0, `${kept.length} processes still watch the wait`);
  check(
    'stops',
    world.questions.lastAt <= lastQuestion(world),
    `it asked at ${world.questions.lastAt} ms, after ${endedAt}`,
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
  const { questions, calls } = world;
  const mostFailed = 25 * scenario.processes * (1 + scenario.kills.length + scenario.troubles.length);
  const keepers = keepersOf(world);
  check('takes callbacks', calls.mismatched === 0, `${calls.mismatched} callbacks were refused`);
  // Each process that asks finds it out: those that look after the wait, and those that are called at its limit.
  const askers = keepers + Math.min(scenario.processes, calls.own);
  check(
    'finds limits once',
    scenario.pace !== undefined || questions.overlong <= 12 * askers,
    `${questions.overlong} requests held too many ids`,
  );
  // A callback that brings an outcome begins the rounds anew.
  const rounds = 20 + scenario.limit / LONGEST_PAUSE + 4 * calls.taken.length;
  const mostTooFast = 1.5 * keepers * rounds * (2 + batchesOf(scenario));
  check('patient', questions.tooFast <= mostTooFast, `${questions.tooFast} requests came too soon`);
  check(
    'failures',
    questions.failed <= mostFailed,
    `${questions.failed} requests failed, ${mostFailed} allowed`,
  );
  check(
    'requests',
    questions.count <= mostRequests(world),
    `${questions.count} requests, ${mostRequests(world)} allowed`,
  );
  check('own calls', calls.own <= mostSelfCalls(scenario), `${calls.own} calls of the node to itself`);
  const isStuck = woken.by === 'n8n' && scenario.profile === 'calm' && scenario.reach === 'none';
  check('warns', !isStuck || world.warnings.length > 0, 'nobody was told why n8n did not wake it');
}

/** When the last question may come, in milliseconds after the send: soon after a user has ended the execution. */
function lastQuestion({ execution: { endedAt }, scenario, isAlone }: WaitWorld): number {
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

/** What becomes of a message; a word of the gateway's own says no more than whether it arrived. */
function truthOf({ status }: MessagePlan, { hasOwnWords }: WaitScenario): string {
  if (status === 'UNDELIVERABLE' || status === 'REJECTED') return 'failed';
  return hasOwnWords ? 'delivered' : status.toLowerCase();
}

/** Whether `status` names no channel after which no other comes, so that time has to tell. */
const needsTime = ({ status, nothingFollows }: MessagePlan, { type, namedChannel }: WaitScenario): boolean =>
  type !== 'sms' && status === 'UNDELIVERABLE' && (nothingFollows === true || namedChannel !== 'its own');

/** Milliseconds after the send from which on `status` says what became of a message; Infinity for never. */
function toldFrom(message: MessagePlan, scenario: WaitScenario): number {
  const { statusLag, logLostAt, hasOwnWords, queuedFor, tellsRefusals } = scenario;
  const isSilent = message.status === 'REJECTED' && queuedFor !== undefined && !tellsRefusals;
  const from = message.finalAfter + statusLag;
  return isSilent || hasOwnWords || logLostAt !== Infinity ? Infinity : from;
}

/** Outcomes that the gateway never decided, or not by then. */
function wrongOnes(scenario: WaitScenario, { items }: Woken, at: number): string[] {
  return items.flatMap(({ json }, i) => {
    const message = scenario.messages[i];
    const { finalAfter } = message;
    const truth = truthOf(message, scenario);
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
function missedOnes({ scenario, calls: { taken } }: WaitWorld, { items, at }: Woken): number[] {
  const { limit, messages, startsAt, pace } = scenario;
  const end = Math.min(limit, at - startsAt);
  const lastKill = Math.max(-Infinity, ...scenario.kills.map(({ at: time, downFor }) => time + downFor));
  // The call that has it adopted is repeated for a quarter of an hour.
  const isAdopted = !scenario.troubles.some(({ of, to }) => of !== 'gateway' && to > 600_000);
  const isCalled = taken.some((time) => time - startsAt > lastKill && time - startsAt < limit - 30_000);
  const isKept = isCalled || (isAdopted && lastKill === -Infinity);
  // The last round of questions has ten seconds.
  if (SLOWEST_ANSWER * batchesOf(scenario) > LAST_QUESTION) return [];
  // Who may ask now and then only has no time for all in the last round.
  if (pace !== undefined && (batchesOf(scenario) > 1 || pace.within > 10_000 || scenario.processes > 1))
    return [];
  // A wait that n8n can't call itself for is known by callbacks only.
  if (!isKept || scenario.reach === 'none' || !isCalmFrom(scenario, end - 30_000)) return [];
  if (isMuddled(scenario)) return [];
  return items.flatMap(({ json }, i) => {
    const told = toldFrom(messages[i], scenario);
    const isSettled = needsTime(messages[i], scenario) && !canSettle(scenario, told, end);
    return json.final !== true && !isSettled && told <= end - 20_000 ? [i] : [];
  });
}

/** Whether what the gateway leaves out of an answer looks like what it doesn't know. */
const isMuddled = ({ tooMany, mostIds, messages, queuedFor, pendingWords }: WaitScenario): boolean =>
  tooMany.code === 'rows' &&
  mostIds < messages.length &&
  (queuedFor !== undefined || pendingWords.includes(null));

/** Whether a failure that only time can tell apart from one before another channel is known by the end of the wait. */
function canSettle(scenario: WaitScenario, told: number, end: number): boolean {
  const seen = told + Math.min(LONGEST_PAUSE, 1.1 * told) + 20_000;
  const isKept = scenario.kills.length === 0 && isCalmFrom(scenario, told) && scenario.pace === undefined;
  return isKept && seen + NOTHING_FOLLOWS <= end - 20_000;
}

/** When a wait that nothing disturbs has to be over. */
function soonest({ scenario, execution: { hooked } }: WaitWorld): number {
  const { profile, messages, statusLag, callbackDelay, loading, saving, limit, mostIds } = scenario;
  const asking = SLOWEST_ANSWER * batchesOf(scenario) + (Number.isFinite(mostIds) ? FINDING_A_LIMIT : 0);
  const last = Math.max(...messages.map(({ finalAfter }) => finalAfter));
  if (profile !== 'calm' || last > limit || scenario.reach === 'none') return Infinity;
  const settling = messages.some((message) => needsTime(message, scenario)) ? NOTHING_FOLLOWS : 0;
  const asleep = Math.max(last, 1500 + 2 * (loading + saving)) + 2 * settling;
  const isTold = messages.every((message) => toldFrom(message, scenario) < Infinity) && !scenario.pace;
  // Each pause is twice the one before: it is as long as all before, and ten minutes at most.
  const pause = Math.min(1.1 * asleep, LONGEST_PAUSE);
  const byStatus = isTold ? asleep + statusLag + pause + 10_000 + 4 * loading + asking : Infinity;
  // A callback that comes before the execution sleeps is lost, and only tried again.
  const isEarly = messages.some(({ finalAfter }) => finalAfter < 3000 + 2 * loading + saving);
  // What one process learned from a callback, another one has to ask for.
  if (hooked.size < messages.length || isEarly || scenario.processes > 1 || settling > 0) return byStatus;
  return Math.min(byStatus, last + callbackDelay + AT_ONCE + 3 * loading);
}

/** Requests in which all messages are asked about: a batch that is too large for the gateway is halved. */
const batchesOf = ({ messages, batchSize, mostIds }: WaitScenario): number =>
  Math.ceil(messages.length / Math.max(1, Math.min(batchSize, Math.floor(mostIds / 2))));

/** How many times a process may begin to look after the wait. */
const keepersOf = ({ scenario: { processes, kills }, calls: { taken } }: WaitWorld): number =>
  Math.min(processes + kills.length, 1 + taken.length + kills.length);

/**
 * Rounds at doubling intervals for each process that looks after the wait, which begin anew with each callback that brings
 * an outcome, and after each round that leaves half of the messages or fewer. Where a request comes too soon, it is made
 * again.
 */
function mostRequests(world: WaitWorld): number {
  const { limit, pace, messages } = world.scenario;
  const batches = batchesOf(world.scenario);
  const beginnings = 1 + Math.log2(messages.length);
  const rounds = 12 * beginnings + limit / LONGEST_PAUSE;
  const once =
    keepersOf(world) * (60 + rounds * (batches + 2)) + 8 * batches * world.calls.taken.length + 5 * batches;
  return pace ? 2.5 * once : once;
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
