/** Time and requests that a try may take. */
import type { RequestRecord } from './gateway.mts';
import type { Evidence } from './invariants.mts';
import type { NodeRun, Try } from './n8n.mts';
import type { Violation } from './outcome.mts';
import { isBad } from './scenario.mts';

/** Requests of one batch: as many as a back-off of at most 120 s from half a second on has room for. */
const MOST_TRIES = 12;
/** The longest back-off, with which a gateway is given up. */
const LONGEST_WAIT = 120_000;
const FIRST_AUTOMATIC = 100;
const LARGEST_AUTOMATIC = 1000;
/** Longest pause between two questions, and pauses before it is reached. */
const LONGEST_PAUSE = 8000;
const SHORT_PAUSES = 4;
/** Questions without an answer after the settling time. */
const MOST_UNANSWERED = 4;
/** What the client gives an answer beyond its time limit, which counts silence only. */
const OVERTIME = 1000;

export function effortViolations(evidence: Evidence, run: NodeRun): Violation[] {
  return run.tries.flatMap((outcome, attempt) => {
    const made = evidence.gateway.requests.slice(...outcome.requests);
    const faults = [
      ...endless(evidence, run, made),
      ...idle(made, outcome.endedAt),
      ...unstoppable(run, outcome),
      ...blind(evidence, run, made),
      ...hesitant(evidence, run, made),
      ...tooMany(evidence, run, made),
    ];
    return faults.map(([invariant, words]) => ({ invariant, words: `try ${attempt + 1}: ${words}` }));
  });
}

type Fault = [invariant: string, words: string];

/**
 * Each request ends with the time limit, each message leaves and is asked about a limited number of times, and nothing
 * is waited for longer than the longest back-off: so every item ends, after
 * (departures + questions) * (time limit + longest wait) at the latest.
 */
function endless({ scenario }: Evidence, { plan }: NodeRun, made: RequestRecord[]): Fault[] {
  const { timeout, batchSize } = plan.node.options as { timeout: number; batchSize?: number };
  const faults: Fault[] = [];
  const departures = new Map<string, number>();
  const questions = new Map<string, number>();
  let sends = 0;
  for (const { number, kind, operations, leftAt, endedAt = Infinity } of made) {
    if (kind === 'send') sends += 1;
    if (endedAt - leftAt > timeout * 1000 + OVERTIME) faults.push(['bounded time', `#${number} had no end`]);
    const counts = kind === 'send' ? departures : questions;
    for (const { id } of operations) counts.set(String(id), (counts.get(String(id)) ?? 0) + 1);
  }
  const levels = Math.ceil(Math.log2(Math.max(2, batchSize ?? LARGEST_AUTOMATIC))) + 1;
  // Once, and once again.
  const mostDepartures = 2 * MOST_TRIES * levels;
  // Each time that a message is in doubt: until it has settled, whenever one of the others has, and when nobody answers.
  const { settling } = scenario.gateway;
  const mostQuestions = 2 * (SHORT_PAUSES + settling / LONGEST_PAUSE + sends + MOST_UNANSWERED + 1);
  for (const [id, count] of departures) {
    if (count > mostDepartures) faults.push(['bounded time', `${id} left ${count} times`]);
  }
  for (const [id, count] of questions) {
    if (count > mostQuestions) faults.push(['bounded time', `${id} was asked about ${count} times`]);
  }
  return faults;
}

function idle(made: RequestRecord[], endedAt: number): Fault[] {
  const faults: Fault[] = [];
  let busyUntil = made[0]?.leftAt ?? endedAt;
  const check = (until: number) => {
    if (until - busyUntil > LONGEST_WAIT)
      faults.push(['bounded time', `nothing happened for ${until - busyUntil} ms`]);
  };
  for (const request of made) {
    check(request.leftAt);
    busyUntil = Math.max(busyUntil, request.endedAt ?? Infinity);
  }
  check(endedAt);
  return faults;
}

/** A stop takes effect at once: whatever is waited for ends. */
function unstoppable({ stopsAt }: NodeRun, { startedAt, endedAt }: Try): Fault[] {
  const late = endedAt - Math.max(startedAt, stopsAt);
  return late > 0 ? [['stops', `the try went on for ${late} ms after the execution was stopped`]] : [];
}

/** Requests in a row whose fate is unclear, after which `status` is asked before more messages leave. */
const UNCLEAR_IN_A_ROW = 3;

/** The node doesn't go on sending to a gateway that never answers. */
function blind({ sends }: Evidence, { plan }: NodeRun, made: RequestRecord[]): Fault[] {
  const { parallelRequests } = plan.node.options as { parallelRequests: number };
  const byEnd: Array<[at: number, change: 'unclear' | 'known', number: number]> = [];
  for (const request of made) {
    const { number, kind, operations, proofs, leftAt, endedAt = Infinity, endpoint } = request;
    if (kind === 'status') {
      byEnd.push([leftAt, 'known', number]);
      continue;
    }
    const isNew = operations.some(({ sms_message: text = '' }) => sends.get(text)?.[0].request === request);
    const isUnclear = proofs.every((proof) => proof === 'lost' || proof === 'late');
    if (!isUnclear) byEnd.push([endedAt, 'known', number]);
    else if (isNew && endpoint === 'sync') byEnd.push([endedAt, 'unclear', number]);
  }
  let row: number[] = [];
  let longest: number[] = [];
  for (const [, change, number] of byEnd.sort(([a], [b]) => a - b)) {
    row = change === 'unclear' ? [...row, number] : [];
    if (row.length > longest.length) longest = row;
  }
  // Those that were under way when the third one ended.
  const most = UNCLEAR_IN_A_ROW + parallelRequests - 1;
  return longest.length > most ? [['looks before it goes on', `#${longest.join(', #')} were unclear`]] : [];
}

/** Milliseconds that a question and the pause before it may take, where nothing fails. */
const QUESTION = 1500;

/**
 * One lost request among good ones is sent again as soon as it has settled, counted from when it left, or as soon as
 * the others are through.
 */
function hesitant(
  { scenario, gateway }: Evidence,
  { plan, execution }: NodeRun,
  made: RequestRecord[],
): Fault[] {
  if (scenario.profile !== 'gentle' || execution > 0) return [];
  const { batchInterval } = plan.node.options as { batchInterval: number };
  const sends = made.filter(({ kind }) => kind === 'send');
  const unclear = sends.filter(({ proofs }) =>
    proofs.some((proof) => proof !== 'told' && proof !== 'notTaken'),
  );
  const [lost] = unclear;
  if (unclear.length !== 1 || lost.proofs.some((proof) => proof !== 'lost') || lost.endpoint === 'async')
    return [];
  const ids = new Set(lost.operations.map(({ id }) => id));
  const again = sends.find(
    ({ leftAt, operations }) => leftAt > lost.leftAt && operations.some(({ id }) => ids.has(id)),
  );
  if (!again || again.origin.attempt > lost.origin.attempt) return [];
  const others = sends.filter(({ leftAt, endpoint }) => leftAt < again.leftAt && endpoint === 'sync');
  const through = Math.max(...others.map(({ endedAt = 0 }) => endedAt)) + batchInterval;
  const wanted = Math.max(lost.leftAt + gateway.traits.settling, through) + QUESTION;
  return again.leftAt > wanted
    ? [
        [
          'no needless wait',
          `#${lost.number} was sent again ${again.leftAt - wanted} ms later than it could be`,
        ],
      ]
    : [];
}

/**
 * A gateway that does not fail gets at most twice the requests that are needed, and some for each operation that spoils
 * its request, and to find out how much is too much.
 */
function tooMany(
  { scenario, gateway }: Evidence,
  { plan, execution }: NodeRun,
  made: RequestRecord[],
): Fault[] {
  if (scenario.profile !== 'calm' || execution > 0) return [];
  const { traits } = gateway;
  const { batchSize, parallelRequests } = plan.node.options as {
    batchSize?: number;
    parallelRequests: number;
  };
  const sends = made.filter(({ kind }) => kind === 'send');
  const faults: Fault[] = [];
  if (sends.length < made.length) faults.push(['few requests', 'status was asked, although nothing failed']);
  const isQuick = sends.every(({ leftAt, endedAt = Infinity }) => endedAt - leftAt < 1000);
  if (batchSize === undefined && !isQuick) return faults;
  const { mostOperations } = traits;
  const { items } = plan;
  const queued = items.filter(({ delivery }) => delivery === 'queued').length;
  const groups = [queued, items.length - queued].filter((count) => count > 0);
  const needed = groups.reduce((sum, count) => sum + requestsFor(count, batchSize, mostOperations), 0);
  const bad = items.filter(isBad).length;
  const levels = Math.ceil(Math.log2(batchSize ?? LARGEST_AUTOMATIC)) + 1;
  const searching = traits.refusesWhole ? 2 * bad * levels : 0;
  // Before it grows, each lane takes a first batch; each lane may find out by itself what is too large.
  const lanes = parallelRequests * groups.length;
  const allowed =
    mostOperations === undefined
      ? 2 * needed + searching + (batchSize === undefined ? lanes : 0)
      : needed + searching + lanes * levels;
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
