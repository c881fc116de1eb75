/** Time and requests that a try may take. */
import type { Evidence } from './evidence.mts';
import type { RequestRecord } from './gateway.mts';
import type { NodeRun, Try } from './n8n.mts';
import type { Violation } from './outcome.mts';
import { isBad, SETTLING } from './scenario.mts';
import { PLAIN_FAULTS } from './words.mts';

/** Requests of one batch: as many as a back-off of at most 120 s from half a second on has room for. */
const MOST_TRIES = 12;
/** The longest that nothing happens: a back-off, or a settling time. */
const LONGEST_WAIT = 125_000;
const FIRST_AUTOMATIC = 100;
const LARGEST_AUTOMATIC = 1000;
/** Longest pause between two questions, and pauses before it is reached. */
const LONGEST_PAUSE = 8000;
const SHORT_PAUSES = 8;
/** What the client gives an answer beyond its time limit, which counts silence only. */
const OVERTIME = 1000;
/** The longest pause in which it is found out what became of a request that was answered. */
const SHORT_WAIT = 6000;

type Fault = [invariant: string, words: string];

export function effortViolations(evidence: Evidence, run: NodeRun): Violation[] {
  return run.tries.flatMap((outcome, attempt) => {
    const made = evidence.gateway.requests.slice(...outcome.requests);
    const faults = [
      ...endless(run, made),
      ...idle(run, evidence, { made, outcome }),
      ...impatient(made),
      ...unstoppable(run, outcome),
      ...tooMany(evidence, run, { made, outcome }),
    ];
    return faults.map(([invariant, words]) => ({ invariant, words: `try ${attempt + 1}: ${words}` }));
  });
}

/** Each request ends with the time limit; each message leaves and is asked about a limited number of times. */
function endless({ plan }: NodeRun, made: RequestRecord[]): Fault[] {
  const { timeout, batchSize } = plan.node.options;
  const faults: Fault[] = [];
  const departures = new Map<string, number>();
  const questions = new Map<string, number>();
  let sends = 0;
  // What is known, delivered or not, is asked about as a witness, as often as anything else is.
  const known = new Set<number | string>();
  for (const { number, kind, operations, leftAt, endedAt = Infinity, results, told } of made) {
    if (kind === 'send') sends += 1;
    if (endedAt - leftAt > timeout * 1000 + OVERTIME) faults.push(['bounded time', `#${number} had no end`]);
    const counts = kind === 'send' ? departures : questions;
    for (const [i, { id }] of operations.entries()) {
      if (!known.has(id)) counts.set(String(id), (counts.get(String(id)) ?? 0) + 1);
      if (results?.[i] === true || told?.[i] === 'known' || told?.[i] === 'failed') known.add(id);
    }
  }
  const levels = Math.ceil(Math.log2(Math.max(2, batchSize ?? LARGEST_AUTOMATIC))) + 1;
  // Once, and once again.
  const mostDepartures = 2 * MOST_TRIES * levels;
  // Whenever it, or something else that is asked about with it, is in doubt, on every level.
  const mostQuestions = (2 + levels) * (SHORT_PAUSES + SETTLING / LONGEST_PAUSE) + 2 * sends;
  for (const [id, count] of departures) {
    if (count > mostDepartures) faults.push(['bounded time', `${id} left ${count} times`]);
  }
  for (const [id, count] of questions) {
    if (count > mostQuestions) faults.push(['bounded time', `${id} was asked about ${count} times`]);
  }
  return faults;
}

/** Nothing waits for ever; and where every exchange was answered, nothing waits long. */
function idle(
  { plan }: NodeRun,
  { scenario }: Evidence,
  { made, outcome }: { made: RequestRecord[]; outcome: Try },
): Fault[] {
  const isPeaceful = scenario.profile === 'calm' || scenario.profile === 'gentle';
  const isAnswered = made.every(
    ({ ending, fault, words = '' }) =>
      ending === 'answered' &&
      !fault.startsWith('damaged') &&
      !(PLAIN_FAULTS as readonly string[]).includes(words),
  );
  // A user's own pause between requests comes on top.
  const pause = Number(plan.node.options.batchInterval);
  // Nothing proves what became of a call, of a pipeline, or of what is in a queue.
  const isProvable =
    !['call', 'sendPipeline'].includes(plan.node.operation) &&
    plan.items.every(({ delivery }) => delivery === 'now');
  const isPlain = scenario.gateway.status.absence.form === 'row';
  const isQuick =
    isPeaceful && isAnswered && isProvable && isPlain && scenario.gateway.mostOperations === undefined;
  const limit = isQuick ? SHORT_WAIT + pause : LONGEST_WAIT;
  const faults: Fault[] = [];
  let busyUntil = outcome.startedAt;
  const check = (until: number): void => {
    if (until - busyUntil > limit) {
      faults.push([
        isQuick ? 'no needless wait' : 'bounded time',
        `nothing happened for ${until - busyUntil} ms`,
      ]);
    }
  };
  for (const request of made) {
    check(request.leftAt);
    busyUntil = Math.max(busyUntil, request.endedAt ?? Infinity);
  }
  check(outcome.endedAt);
  return faults;
}

/** What asks to be left alone for a while is. */
function impatient(made: RequestRecord[]): Fault[] {
  let until = -Infinity;
  let by = 0;
  const faults: Fault[] = [];
  for (const { kind, number, leftAt, endedAt = Infinity, retryAfter } of made) {
    if (kind !== 'status') continue;
    if (leftAt < until)
      faults.push(['patience', `#${number} left ${until - leftAt} ms before the time that #${by} asked for`]);
    if (retryAfter === undefined || endedAt + retryAfter <= until) continue;
    until = endedAt + retryAfter;
    by = number;
  }
  return faults.slice(0, 1);
}

/** A stop takes effect at once: whatever is waited for ends. */
function unstoppable({ stopsAt }: NodeRun, { startedAt, endedAt }: Try): Fault[] {
  const late = endedAt - Math.max(startedAt, stopsAt);
  return late > 0 ? [['stops', `the try went on for ${late} ms after the execution was stopped`]] : [];
}

/**
 * A gateway that does not fail gets at most twice the requests that are needed, and some for each operation that spoils
 * its request, and to find out how much is too much.
 */
function tooMany(
  { scenario, gateway }: Evidence,
  { plan, origin, tries }: NodeRun,
  { made, outcome }: { made: RequestRecord[]; outcome: Try },
): Fault[] {
  const { traits } = gateway;
  if (scenario.profile !== 'calm' || origin.execution > 0 || traits.repeats) return [];
  // What an earlier try left in doubt is asked about too.
  const all = gateway.requests.slice(tries[0].requests[0], outcome.requests[1]);
  if (all.some(({ ending }) => ending !== 'answered' && ending !== 'before')) return [];
  const { batchSize } = plan.node.options;
  const sends = made.filter(({ kind }) => kind === 'send');
  const faults: Fault[] = [];
  const { mostOperations } = traits;
  const bad = plan.items.filter(isBad).length;
  const isPlain = bad === 0 && (mostOperations === undefined || traits.tooLarge === 'http');
  // What has a key is asked about before it leaves.
  const isKeyed = plan.node.options.sendOnceKey !== undefined;
  if (isPlain && !isKeyed && sends.length < made.length)
    faults.push(['few requests', 'status was asked, although nothing failed']);
  const isQuick = sends.every(({ leftAt, endedAt = Infinity }) => endedAt - leftAt < 1000);
  if (batchSize === undefined && !isQuick) return faults;
  const queued = plan.items.filter(({ delivery }) => delivery === 'queued').length;
  const groups = [queued, plan.items.length - queued].filter((count) => count > 0);
  const needed = groups.reduce((sum, count) => sum + requestsFor(count, batchSize, mostOperations), 0);
  const levels = Math.ceil(Math.log2(batchSize ?? LARGEST_AUTOMATIC)) + 1;
  const searching = 2 * bad * levels;
  // Words that nobody knows don't say that a request is too large: every batch is halved anew.
  const halving = mostOperations === undefined || traits.tooLarge === 'http' ? 0 : 3 * needed * levels;
  const allowed =
    mostOperations === undefined
      ? 2 * needed + searching + (batchSize === undefined ? groups.length : 0)
      : needed + searching + groups.length * levels + halving;
  if (sends.length > allowed)
    faults.push(['few requests', `${sends.length} requests, where ${needed} are needed`]);
  return faults;
}

/**
 * Requests for so many operations: in batches of a size, in ones that double while they are quick, or in the halves
 * that the gateway takes.
 */
function requestsFor(
  count: number,
  batchSize: number | undefined,
  mostOperations: number | undefined,
): number {
  let size = batchSize ?? FIRST_AUTOMATIC;
  // Halving a batch that is too large may end just above half of what the gateway takes.
  if (mostOperations !== undefined)
    return Math.ceil(count / Math.min(size, Math.floor(mostOperations / 2) + 1));
  let requests = 0;
  for (let left = count; left > 0; left -= size, requests++) {
    if (batchSize === undefined && requests > 0) size = Math.min(2 * size, LARGEST_AUTOMATIC);
  }
  return requests;
}
