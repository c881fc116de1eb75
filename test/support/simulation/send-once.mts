/** What a Send Once Key promises: one message for each key and number, and the truth about those that were sent before. */
import type { Evidence, Question } from './evidence.mts';
import {
  APART,
  hasControls,
  idOf,
  isForgotten,
  isGivenUp,
  isSameTry,
  isThere,
  keyOf,
  runOf,
  stateOf,
} from './evidence.mts';
import type { RequestRecord, Take } from './exchange.mts';
import type { NodeRun } from './n8n.mts';
import type { Check } from './outcome.mts';
import { isPeaceful } from './scenario.mts';

const isKeyed = ({ plan }: NodeRun): boolean => plan.node.options.sendOnceKey !== undefined;

/**
 * Nothing leaves before the gateway has said twice that it does not have it, 2 s apart, and nothing that it says it has.
 * So nothing leaves in another execution of which `status` knew by then that it was taken.
 */
export function judgeDepartures(evidence: Evidence, check: Check): void {
  /** By id, what left in which request. */
  const departures = new Map<string, RequestRecord[]>();
  for (const request of evidence.gateway.requests) {
    const run = request.kind === 'send' ? runOf(evidence.runs, request.origin) : undefined;
    if (!run || !isKeyed(run)) continue;
    for (const { id } of request.operations) {
      const before = departures.get(String(id)) ?? [];
      departures.set(String(id), [...before, request]);
      // How it may leave once more is checked elsewhere.
      if (before.some(({ origin }) => isSameTry(origin, request.origin))) continue;
      const fault = faultOf(evidence, request, String(id));
      check('sent once', fault === undefined, `${id} left with #${request.number}, ${fault}`);
    }
  }
}

/** Why a message should not have left with a request; undefined where it had to. */
function faultOf(evidence: Evidence, request: RequestRecord, id: string): string | undefined {
  const asked = (evidence.questions.get(id) ?? []).filter(
    ({ request: { origin, number } }) => number < request.number && isSameTry(origin, request.origin),
  );
  const last = asked[asked.length - 1];
  if (last === undefined) return 'and was not asked about';
  if (isThere(last.told)) return `and #${last.request.number} said that it is known`;
  // What was refused was not sent, and goes out again.
  if (last.told === 'rejected') return undefined;
  const [first, ...others] = asked.filter((question) => isAbsence(evidence, question, id));
  const isProven = others.some(({ request: { leftAt } }) => leftAt - first.request.leftAt >= APART);
  if (!isProven) return 'and was not said to be absent twice';
  const taken = knownBefore(evidence, request, { id, askedAt: last.request.leftAt });
  return taken && !isMisleading(evidence, last) ? `and #${taken.request.number} took it before` : undefined;
}

/** Whether all messages were answered as if they were not known, in the very words, as may happen for a moment. */
const isMisleading = ({ scenario }: Evidence, { request: { fault } }: Question): boolean =>
  fault === `alike "${scenario.gateway.status.absence.words}"`;

/** Whether a message was answered like an id that no row has, and was not known then. */
function isAbsence(evidence: Evidence, question: Question, id: string): boolean {
  const { leftAt, fault } = question.request;
  const hasControl = hasControls(evidence, question.request);
  if (!hasControl || isMisleading(evidence, question)) return hasControl;
  // Words that sound like a fault are those of an absence where they stay the same.
  const { absence } = evidence.scenario.gateway.status;
  const isDubious = absence.isDubious && question.isHeard && /^($|reordered|vague|too many ids)/.test(fault);
  const isKnown = evidence.takesById
    .get(id)
    ?.some((take) => take.knownAt <= leftAt && !isForgotten(evidence, take, leftAt));
  return question.told === 'absent' || (isDubious && !isKnown);
}

/** What another execution took, and `status` knew when it was asked for the last time. */
const knownBefore = (
  evidence: Evidence,
  { origin: { execution }, leftAt }: RequestRecord,
  { id, askedAt }: { id: string; askedAt: number },
): Take | undefined =>
  evidence.takesById.get(id)?.find((take) => {
    const { request, at, knownAt } = take;
    const isTold = Math.max(knownAt, at + evidence.scenario.gateway.status.pending.for) <= askedAt;
    return request.origin.execution !== execution && isTold && !isForgotten(evidence, take, leftAt);
  });

/**
 * What was refused before was not sent: a key lets it leave again, unless `status` tells of it in words of which nobody
 * knows what they mean. Judged where nothing else can keep a row from leaving.
 */
export function judgeSecondChance(evidence: Evidence, run: NodeRun, check: Check): void {
  const { scenario, sends, questions, gateway } = evidence;
  const isSecond = isKeyed(run) && run.kind === 'first' && run.origin.execution > 0;
  if (!isSecond || !isPeaceful(scenario.profile) || scenario.gateway.filter) return;
  const { status, codes } = scenario.gateway;
  // What the gateway refuses with such codes may be on its way for half a minute.
  if (status.absence.form === 'whole' || status.limit || status.pace || codes.rate > 0) return;
  const [outcome] = run.tries;
  const [from, until] = outcome.requests;
  // Refused alike, the gateway may mean all of them.
  const made = gateway.requests.slice(from, until);
  if (made.some(({ words, fault }) => words !== undefined || fault !== '')) return;
  if (isGivenUp(made, scenario.gateway.funds)) return;
  for (const [item, result] of (outcome.results ?? []).entries()) {
    const { phone } = run.plan.items[item];
    if (stateOf(result) === 'invalid' || isMarked(result)) continue;
    const id = sends.get(keyOf(run.origin.lineage, phone))?.[0]?.id ?? idOf(result);
    const asked = (questions.get(id) ?? []).filter(
      ({ request: { number } }) => number > from && number <= until,
    );
    const isOpen = asked.every(({ told }) => told === 'absent' || told === 'rejected');
    const hasLeft = made.some(
      ({ kind, operations }) => kind === 'send' && operations.some((one) => String(one.id) === id),
    );
    const words = `item ${item} (${phone}) of execution ${run.origin.execution} is ${stateOf(result)} and didn't leave`;
    check('a key lets refused rows leave', !isOpen || hasLeft, words);
  }
}

/** "Sent before" is said of what was sent before this run began, and of nothing else. */
export function judgeHints(evidence: Evidence, run: NodeRun, check: Check): void {
  for (const [attempt, { hints, startedAt, results = [] }] of run.tries.entries()) {
    const said = hints.flatMap((hint) => /(\d+) of \d+[^.;]*? had been sent before/.exec(hint)?.[1] ?? []);
    if (said.length === 0) continue;
    const isBefore = (id: string): boolean =>
      evidence.takesById
        .get(id)
        ?.some(({ at, request }) => at < startedAt || request.origin.execution !== run.origin.execution) ===
      true;
    // What is called not delivered was taken, as far as anybody can know.
    const isFailed = (result: Result): boolean => fieldsOf(result).outcome === 'failed';
    const count = results.filter(
      (result) => isBefore(idOf(result)) || isRepeat(run, results, result) || isFailed(result),
    ).length;
    const words = `try ${attempt + 1} says ${said[0]}, and ${count} were`;
    check('sent before is true', Number(said[0]) <= count, words);
  }
}

/** Whether a row has the key and number of one before it. */
function isRepeat({ plan }: NodeRun, results: Result[], result: Result): boolean {
  const { key, phone } = plan.items[results.indexOf(result)];
  const first = plan.items.findIndex((item) => item.key === key && item.phone === phone);
  return key !== undefined && first < results.indexOf(result);
}

/** A repeated key takes the result of the first; what was recognized comes out with what is known of it. */
export function judgeRepeatedKeys(evidence: Evidence, run: NodeRun, check: Check): void {
  if (!isKeyed(run)) return;
  for (const [attempt, { results = [] }] of run.tries.entries()) {
    const firstOf = new Map<string, number>();
    for (const [item, result] of results.entries()) {
      const { key, phone } = run.plan.items[item];
      if (stateOf(result) === 'invalid') continue;
      const where = `item ${item}, execution ${run.origin.execution}, try ${attempt + 1}`;
      const first = firstOf.get(`${key}/${phone}`);
      if (first === undefined) {
        firstOf.set(`${key}/${phone}`, item);
        const isTrue = !isMarked(result) || isTold(evidence, run, idOf(result));
        check('sent once', isTrue, `${where} is marked, and was sent first`);
        continue;
      }
      // While both wait, `status` may say something else of each.
      const isSame = isMarked(result) && (run.plan.node.waits || without(result) === without(results[first]));
      check('sent once', isSame, `${where} does not repeat item ${first}: ${JSON.stringify(result)}`);
    }
  }
}

type Result = NonNullable<NodeRun['tries'][number]['results']>[number];

const fieldsOf = (result: Result) => ('error' in result ? result.json : result.jsons[0]) ?? {};

const isMarked = (result: Result): boolean => fieldsOf(result).duplicate === true;

const without = (result: Result): string => {
  const failure = 'error' in result && [result.error, result.state];
  return JSON.stringify([failure, { ...fieldsOf(result), duplicate: true }]);
};

/** Whether the gateway told of a message in this execution, or in one that it goes on with. */
const isTold = ({ questions }: Evidence, { origin }: NodeRun, id: string): boolean =>
  questions
    .get(id)
    ?.some(
      ({ told, request }) =>
        request.origin.lineage === origin.lineage && told !== 'absent' && told !== 'useless',
    ) === true;
