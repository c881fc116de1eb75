/** Time and requests that a try may take. */
import type { Evidence } from './evidence.mts';
import { LIMITED } from './conduct.mts';
import { isThere } from './evidence.mts';
import type { RequestRecord } from './exchange.mts';
import type { NodeRun, Try } from './n8n.mts';
import { isFarAway } from './open-questions.mts';
import type { Check } from './outcome.mts';
import { isBad, isPeaceful, isUnprovable, SETTLING } from './scenario.mts';
import { PLAIN_FAULTS } from './words.mts';

/** Requests of one batch: as many as a back-off of at most 120 s from half a second on has room for. */
const MOST_TRIES = 12;
/**
 * Requests to a limiter: to begin with, in a back-off, both perhaps twice; and for 16 messages that leave alone, once before
 * the back-off and twice after it.
 */
const MOST_LIMITED = 2 * (3 + MOST_TRIES) + 3 * 16;
/** The longest that nothing happens: a back-off, or a settling time. */
const LONGEST_WAIT = 125_000;
/** The longest pause of a back-off: one for what leaves may follow on the last one for `status`. */
const BACK_OFF = 15_000;
const FIRST_AUTOMATIC = 100;
const LARGEST_AUTOMATIC = 1000;
/** Ids in a question where the user wants fewer messages in a request. */
const LEAST_ASKED = 11;
/** Longest pause between two questions, and pauses before it is reached. */
const LONGEST_PAUSE = 8000;
const SHORT_PAUSES = 8;
/** What the client gives an answer beyond its time limit, which counts silence only. */
const OVERTIME = 1000;
/** The longest pause in which it is found out what became of a request that was answered. */
const SHORT_WAIT = 6000;

/** A try, and the requests that it made. */
interface Made {
  outcome: Try;
  made: RequestRecord[];
}

export function judgeEffort(evidence: Evidence, run: NodeRun, check: Check): void {
  for (const [attempt, outcome] of run.tries.entries()) {
    const made = evidence.gateway.requests.slice(...outcome.requests);
    const note: Check = (invariant, holds, words) => check(invariant, holds, `try ${attempt + 1}: ${words}`);
    judgeEnd(evidence, run, made, note);
    judgePauses(run, evidence, { made, outcome }, note);
    judgePatience(evidence, made, note);
    judgeLimited(made, note);
    judgeStop(run, outcome, note);
    judgeNumber(evidence, run, { made, outcome }, note);
  }
}

/** Each request ends with the time limit; each message leaves and is asked about a limited number of times. */
function judgeEnd(
  { rowIds, scenario }: Evidence,
  { plan }: NodeRun,
  made: RequestRecord[],
  check: Check,
): void {
  const { timeout, batchSize } = plan.node.options;
  const departures = new Map<string, number>();
  const questions = new Map<string, number>();
  let sends = 0;
  // What is known, delivered or not, is asked about as a witness, and an id that no row has as a control, as often as
  // anything else is.
  const known = new Set<number | string>();
  for (const { number, kind, operations, leftAt, endedAt = Infinity, results, told } of made) {
    if (kind === 'send') sends += 1;
    check('bounded time', endedAt - leftAt <= timeout * 1000 + OVERTIME, `#${number} had no end`);
    const counts = kind === 'send' ? departures : questions;
    for (const [i, { id }] of operations.entries()) {
      if (!known.has(id) && rowIds.has(String(id))) counts.set(String(id), (counts.get(String(id)) ?? 0) + 1);
      if (results?.[i] === true || isThere(told?.[i]) || told?.[i] === 'logged') known.add(id);
    }
  }
  const levels = Math.ceil(Math.log2(Math.max(2, batchSize ?? LARGEST_AUTOMATIC))) + 1;
  // Once, and once again.
  const mostDepartures = 2 * MOST_TRIES * levels;
  // Whenever it, or something else that is asked about with it, is in doubt, on every level: a question holds eleven ids,
  // however few messages the user wants in a request.
  const questionLevels = Math.max(levels, Math.ceil(Math.log2(LEAST_ASKED)) + 1);
  // Where an id that nobody knows refuses the whole question, smaller ones are asked with controls, and without.
  const searches = scenario.gateway.status.absence.form === 'whole' ? 2 : 1;
  const looks = SHORT_PAUSES + SETTLING / LONGEST_PAUSE;
  // What answers only so often is asked again and again until it does.
  const perSend = scenario.gateway.status.pace === undefined ? 2 : 2 * (1 + SHORT_PAUSES);
  const mostQuestions = (2 + searches * questionLevels) * looks + perSend * sends;
  for (const [id, count] of departures) {
    check('bounded time', count <= mostDepartures, `${id} left ${count} times`);
  }
  for (const [id, count] of questions) {
    check('bounded time', count <= mostQuestions, `${id} was asked about ${count} times`);
  }
}

/** Nothing waits for ever; and where every exchange was answered, nothing waits long. */
function judgePauses({ plan }: NodeRun, { scenario }: Evidence, { made, outcome }: Made, check: Check): void {
  const isAnswered = made.every(
    ({ ending, fault, words = '', statusCode }) =>
      ending === 'answered' &&
      // Whatever comes with such a code asks for patience.
      !(words !== '' && statusCode === 429) &&
      !fault.startsWith('damaged') &&
      !(PLAIN_FAULTS as readonly string[]).includes(words),
  );
  // A user's own pause between requests comes on top.
  const pause = Number(plan.node.options.batchInterval);
  // Nothing proves what became of a call, of a pipeline, or of what is in a queue.
  const isProvable = !isUnprovable(plan.node) && plan.items.every(({ delivery }) => delivery === 'now');
  const { status, noise } = scenario.gateway;
  // What answers only so often has to be left alone.
  // Where fields have few values, it takes some answers until they are known to say nothing.
  const isPlain =
    status.absence.form === 'row' &&
    status.pace === undefined &&
    !noise.includes('server') &&
    !noise.includes('took');
  const isQuick =
    isPeaceful(scenario.profile) &&
    isAnswered &&
    isProvable &&
    isPlain &&
    !isFarAway(scenario, made) &&
    scenario.gateway.limiter === undefined &&
    scenario.gateway.mostOperations === undefined;
  const limit = isQuick ? SHORT_WAIT + pause : LONGEST_WAIT + BACK_OFF;
  const invariant = isQuick ? 'no needless wait' : 'bounded time';
  let busyUntil = outcome.startedAt;
  let asked = 0;
  for (const { leftAt, endedAt = Infinity, retryAfter = 0 } of [
    ...made,
    { leftAt: outcome.endedAt },
  ] as RequestRecord[]) {
    check(
      invariant,
      leftAt - busyUntil <= Math.max(limit, asked),
      `nothing happened for ${leftAt - busyUntil} ms`,
    );
    busyUntil = Math.max(busyUntil, endedAt);
    asked = Math.max(asked, retryAfter + pause + 1000);
  }
}

/** Whether a request to send was answered with a time that is longer than anybody waits. */
export const isClosing = ({ kind, ending, retryAfter = 0 }: RequestRecord): boolean =>
  kind === 'send' && ending === 'answered' && retryAfter > LONGEST_WAIT;

/** What asks to be left alone for a while is; where that is for longer than anybody waits, nothing more is sent to it. */
function judgePatience({ scenario }: Evidence, made: RequestRecord[], check: Check): void {
  // By a clock that was set, a date may be over.
  const isClear = ({ hasRetryDate }: RequestRecord) => !hasRetryDate || scenario.clockSteps.length === 0;
  const closed = made.find((one) => isClosing(one) && isClear(one));
  const isLater = ({ kind, endpoint, number }: RequestRecord): boolean =>
    kind === 'send' && endpoint === closed?.endpoint && number > closed.number;
  const later = made.find(isLater);
  check('patience', !later, `#${later?.number} was sent after #${closed?.number} asked for an hour`);
  let until = -Infinity;
  let by = 0;
  for (const { kind, number, leftAt, endedAt = Infinity, retryAfter } of made) {
    if (kind !== 'status') continue;
    if (leftAt < until) {
      const words = `#${number} left ${until - leftAt} ms before the time that #${by} asked for`;
      return check('patience', false, words);
    }
    // For longer than anybody waits, nobody does; what is left then is asked about once more.
    if (retryAfter === undefined || retryAfter > LONGEST_WAIT || endedAt + retryAfter <= until) continue;
    until = endedAt + retryAfter;
    by = number;
  }
}

/**
 * What a limiter refuses costs a number of requests that doesn't grow with that of the messages: two minutes of back-off, and
 * a search. Where it names a time, none leaves before that.
 */
function judgeLimited(made: RequestRecord[], check: Check): void {
  for (const endpoint of ['sync', 'async']) {
    const sends = made.filter((one) => one.kind === 'send' && one.endpoint === endpoint);
    const limited = sends.filter(({ fault }) => fault === LIMITED);
    const words = `${limited.length} requests were refused by a limiter`;
    // Where one of the messages that leave alone is lost, or `status` fails that is asked about them, they don't show that all
    // are refused, and others are tried, each time after twice as many requests; and what is refused for another reason has a
    // search of its own.
    const isPlain = ({ fault }: RequestRecord): boolean => fault === '' || fault === LIMITED;
    const asked = made.filter(({ kind }) => kind === 'status');
    const isClear = made.every(({ ending }) => ending === 'answered') && [...sends, ...asked].every(isPlain);
    const searches = isClear ? 1 : 1 + Math.log2(1 + sends.length);
    check('few requests to a limiter', limited.length <= searches * MOST_LIMITED, words);
    for (const { number, retryAfter, ending, endedAt = Infinity } of limited) {
      // An answer that came too late, or not at all, names nothing.
      if (retryAfter === undefined || ending !== 'answered') continue;
      const early = sends.filter((one) => one.number > number && one.leftAt < endedAt + retryAfter).length;
      const many = `${early} requests left before the time that #${number} asked for`;
      check('few requests to a limiter', early === 0, many);
    }
  }
}

/** A stop takes effect at once: whatever is waited for ends. */
function judgeStop({ stopsAt }: NodeRun, { startedAt, endedAt }: Try, check: Check): void {
  const late = endedAt - Math.max(startedAt, stopsAt);
  check('stops', late <= 0, `the try went on for ${late} ms after the execution was stopped`);
}

/**
 * A gateway that does not fail gets at most twice the requests that are needed, and some for each operation that spoils
 * its request, and to find out how much is too much.
 */
function judgeNumber(
  { scenario, gateway }: Evidence,
  { plan, origin, tries }: NodeRun,
  { made, outcome }: Made,
  check: Check,
): void {
  const { traits } = gateway;
  // What is filtered is searched for.
  if (scenario.profile !== 'calm' || origin.execution > 0 || traits.repeats || traits.filter) return;
  if (traits.limiter) return;
  // What an earlier try left in doubt is asked about too.
  const all = gateway.requests.slice(tries[0].requests[0], outcome.requests[1]);
  if (all.some(({ ending }) => ending !== 'answered' && ending !== 'before')) return;
  // Whom something in front of the gateway filters, or who has no money left, is searched for one by one.
  if (all.some(({ fault }) => fault.startsWith('filtered')) || traits.funds) return;
  // What is refused with a code that asks for patience leaves again, whatever its words.
  if (all.some(({ words, statusCode }) => words !== undefined && statusCode === 429)) return;
  // So is what it refuses as a duplicate of what it refused before.
  const isDuplicate = (words?: string): boolean => words === traits.duplicateWords;
  if (all.some(({ words, texts = [] }) => isDuplicate(words) || texts.some(isDuplicate))) return;
  const { batchSize } = plan.node.options;
  const sends = made.filter(({ kind }) => kind === 'send');
  const { mostOperations } = traits;
  const bad = plan.items.filter(isBad).length;
  const isPlain = bad === 0 && mostOperations === undefined;
  // What has a key is asked about before it leaves.
  const isKeyed = plan.node.options.sendOnceKey !== undefined;
  const isNeeded = !isPlain || isKeyed || plan.node.waits || sends.length === made.length;
  check('few requests', isNeeded, 'status was asked, although nothing failed');
  const isQuick = sends.every(({ leftAt, endedAt = Infinity }) => endedAt - leftAt < 1000);
  if (batchSize === undefined && !isQuick) return;
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
  // What has a key, and what is in doubt because its request was too large, or was refused with others, leaves as it is told:
  // after each answer, of as many as are answered at once.
  const isAsked = isKeyed || mostOperations !== undefined || traits.refusesWhole !== undefined;
  // So it does where fields have few values, until these are known to say nothing.
  const isMuddled = traits.noise.some((noise) => noise === 'server' || noise === 'took');
  const isTold = traits.status.pace ?? traits.status.limit ?? isMuddled;
  const told = isAsked && isTold ? made.length - sends.length : 0;
  check(
    'few requests',
    sends.length <= allowed + told,
    `${sends.length} requests, where ${needed} are needed`,
  );
}

/**
 * Requests for so many operations: in batches of a size, in ones that at least double while they are quick, or in the
 * halves that the gateway takes.
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
