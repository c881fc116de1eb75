import type { IDataObject } from 'n8n-workflow';

import type { Check } from '../simulation/outcome.mts';
import type { EventPlan, Outcome } from './plans.mts';
import { FORGED } from './strangers.mts';
import type { Handled, Started, TriggerWorld } from './world.mts';
import { messageOf } from './world.mts';

/** Milliseconds that the node may take for a callback, without answers of the gateway. */
const LONGEST = 50;
/** Milliseconds that an answer of the gateway takes. */
const LONGEST_ANSWER = 2000;
/** Answers for which a single event and a list may wait: single ones are asked about together, a dozen lists two at a time. */
const ANSWERS_FOR = { single: 2, list: 7 };
/** Milliseconds between two saves. */
const SAVE_EVERY = 1000;

const RANK: Record<Outcome, number> = { pending: 0, failed: 0, delivered: 1, read: 2, replied: 3 };

/** What starts the workflow once: an event, or one of its replies. */
interface Unit {
  key: string;
  message: number;
  outcome: Outcome;
  /** The channel that reports. */
  type: string | undefined;
}

const keyOf = (id: number, status: unknown, outcome: unknown, replies: string[]): string =>
  JSON.stringify([id, typeof status === 'string' ? status.toUpperCase() : '', outcome, replies]);

function unitsOf(event: EventPlan, isSplit: boolean): Unit[] {
  const { message, status, outcome, replies, type } = event;
  const lists = isSplit && replies.length > 1 ? replies.map((text) => [text]) : [replies];
  return lists.map((list) => ({ key: keyOf(message + 1, status, outcome, list), message, outcome, type }));
}

function unitOf(item: IDataObject): Unit {
  const { status, outcome, replies, type } = item;
  const texts = ((replies ?? []) as Array<{ message: string }>).map(({ message }) => message);
  const message = messageOf(item);
  return {
    key: keyOf(message + 1, status, outcome, texts),
    message,
    outcome: outcome as Outcome,
    type: type as string | undefined,
  };
}

/** What the trigger promises, checked after the end. */
export function judgeTrigger(world: TriggerWorld, check: Check): void {
  const { scenario, handled } = world;
  const { removeDuplicates, splitReplies, verifyWithGateway } = scenario.options;
  const started = world.started.map((start) => ({ ...start, ...unitOf(start.json) }));
  const unitsOfCall = ({ events }: Handled): Unit[] =>
    events
      .flatMap((event) => unitsOf(event, splitReplies))
      .filter(({ outcome }) => scenario.outcomes.includes(outcome));
  const seconds = (time: number) => `${(time - scenario.startsAt) / 1000} s`;
  const planned = new Set(handled.flatMap(unitsOfCall).map(({ key }) => key));

  for (const { key, at, call } of started) {
    // What a stranger says without a status, or under another channel's name, need only be true (checkForged).
    const isOfStranger = call.stranger !== undefined && verifyWithGateway;
    check('outcome', planned.has(key) || isOfStranger, `started ${key} at ${seconds(at)}`);
  }
  if (verifyWithGateway) checkForged(world, started, check);
  for (const call of handled) {
    const { status = 0, answeredAt, receivedAt, nodeMs } = call;
    const units = unitsOfCall(call);
    const covers = (unit: Unit) => (start: Started & Unit) =>
      start.at <= answeredAt &&
      (start.key === unit.key ||
        (removeDuplicates && hides(start, unit)) ||
        (call.stranger === 'fields' && start.message === unit.message && isPretended(scenario, start)));
    const isMissing = (unit: Unit) => !started.some(covers(unit));
    const missing = status >= 200 && status < 300 ? units.filter(isMissing) : [];
    check(
      'acknowledged',
      missing.length === 0,
      `${missing.map(({ key }) => key).join()} at ${seconds(answeredAt)} without a start`,
    );
    const longest =
      LONGEST + (verifyWithGateway ? ANSWERS_FOR[isList(call) ? 'list' : 'single'] * LONGEST_ANSWER : 0);
    check('quick', nodeMs <= longest, `${nodeMs} ms for the call at ${seconds(receivedAt)}`);
    if (!verifyWithGateway && isUndisturbed(world, call)) {
      check('available', status === 200, `${status} for an undisturbed call at ${seconds(receivedAt)}`);
    }
  }
  const isLast = (call: Handled) => call.receivedAt >= scenario.startsAt + scenario.calmFrom;
  const open = [...planned].filter(
    (key) =>
      !handled.some(
        (call) => isLast(call) && call.status === 200 && unitsOfCall(call).some((u) => u.key === key),
      ),
  );
  check('ends', open.length === 0, `never acknowledged: ${open.join()}`);
  if (!removeDuplicates) return;

  for (const life of world.lives) {
    const own = started.filter((start) => start.life === life);
    for (const key of new Set(own.map((start) => start.key))) {
      const times = own.filter((start) => start.key === key && !start.isUnnoticed);
      check('once', times.length <= 1, `${key} started ${times.length} times by life ${life.index}`);
    }
    if (verifyWithGateway) continue;
    for (const late of own) {
      const later = own.find(
        (start) => start.at < late.call.receivedAt && hides(start, late) && !start.isUnnoticed,
      );
      check('not late', later === undefined, `${late.key} started after ${later?.key}`);
    }
  }
  if (scenario.processes > 1 || scenario.overwrites.length > 0 || verifyWithGateway) return;
  for (const start of started) {
    const again = started.find(({ key, life }) => key === start.key && life.index > start.life.index);
    const isKept = again !== undefined && !start.isUnnoticed && isSaved(world, start, again.at);
    check('remembers', !isKept, `${start.key}, which was saved, started again at ${seconds(again?.at ?? 0)}`);
  }
}

/** What strangers say starts nothing, and what they add to what is true isn't passed on. */
function checkForged(
  { scenario, handled }: TriggerWorld,
  started: Array<Started & Unit>,
  check: Check,
): void {
  for (const { stranger, status, isStart } of handled) {
    if (stranger === undefined || status === undefined) continue;
    const words = `${status} for a stranger's call (${stranger})`;
    if (stranger === 'list') check('refused', status === 413, words);
    else if (stranger !== 'fields') check('refused', !isStart, words);
  }
  const events = scenario.calls.flatMap((call) => call.events);
  for (const start of started) {
    const { key, message, at, json } = start;
    const ofMessage = events.filter((event) => event.message === message);
    const isKnown = ofMessage.some(
      (event) => scenario.startsAt + event.at <= at && event.outcome === json.outcome,
    );
    // Before anything is told of a message, `status` says that it is pending.
    const isFirst = ofMessage.every((event) => scenario.startsAt + event.at > at);
    const isTrue = isKnown || isPretended(scenario, start) || (isFirst && json.outcome === 'pending');
    check('true', isTrue, `${key} started before it was so`);
    const passed = Object.entries(FORGED).filter(([name, value]) => json[name] === value);
    check(
      'forged',
      passed.length === 0,
      `${JSON.stringify(passed)} of a stranger in ${JSON.stringify(json)}`,
    );
    const isChannel = json.type === undefined || ofMessage.some(({ type }) => type === json.type);
    check('channel', isChannel, `${JSON.stringify(json)} has the channel of a stranger`);
  }
}

/**
 * Whether a start may come of what a stranger pretended: whoever knows the address can name another type of a message, so that
 * the failure of a channel is the end (docs/trigger.md, *Verify With Gateway*).
 */
const isPretended = ({ strangers }: TriggerWorld['scenario'], { message, outcome }: Unit): boolean =>
  outcome === 'failed' &&
  strangers.some(
    ({ kind, type, event }) => kind === 'fields' && type !== undefined && event.message === message,
  );

/** Whether a start makes a unit of the same message no news. */
const hides = (start: Unit, unit: Unit): boolean =>
  start.message === unit.message &&
  unit.outcome !== 'replied' &&
  (RANK[start.outcome] > RANK[unit.outcome] ||
    // With *Verify With Gateway*, an item has its channel only where the gateway names it.
    (unit.outcome === 'pending' &&
      start.outcome === 'failed' &&
      (start.type === undefined || unit.type === start.type)));

const isList = ({ body }: Handled): boolean => Array.isArray(body) && body.length > 1;

/** Whether two calls were under way in the same process at the same time. */
const overlap = (a: Handled, b: Handled): boolean =>
  a.life === b.life && a.receivedAt <= b.answeredAt && b.receivedAt <= a.answeredAt;

/** Whether nothing failed while a call was under way, and no other one had to do with its messages. */
function isUndisturbed({ handled, scenario }: TriggerWorld, call: Handled): boolean {
  const from = call.receivedAt - scenario.startsAt;
  const messages = new Set(call.events.map(({ message }) => message));
  const isShared = handled.some(
    (other) =>
      other !== call && overlap(call, other) && other.events.some(({ message }) => messages.has(message)),
  );
  const isFailing = scenario.outages.some((outage) => outage.from <= from + 60_000 && from <= outage.to);
  return !isShared && !isFailing && call.life.endedAt === Infinity;
}

/**
 * Whether a call that started nothing has surely saved what was started before, and no two calls that were saving at once
 * can have overwritten it with older static data until a time.
 */
function isSaved({ handled }: TriggerWorld, { life, call }: Started, until: number): boolean {
  const saving = handled.filter((other) => !other.isStart && other.status !== undefined);
  const isAlone = (one: Handled) =>
    !handled.some(
      (other) =>
        other !== one &&
        other.life === one.life &&
        (overlap(other, one) || Math.abs(one.receivedAt - other.receivedAt) <= 2 * SAVE_EVERY),
    );
  const isSafe = (one: Handled) =>
    saving.every(
      (other) =>
        other.receivedAt < one.receivedAt ||
        other.receivedAt > until ||
        !saving.some((third) => third !== other && overlap(third, other)),
    );
  return saving.some(
    (one) =>
      one.life === life &&
      one.status === 200 &&
      one.receivedAt > call.answeredAt &&
      isAlone(one) &&
      isSafe(one),
  );
}
