/** What a Send Once Key promises: one message for each key and number, and the truth about those that were sent before. */
import type { Evidence, Question } from './evidence.mts';
import { idOf, isSameTry, runOf, stateOf } from './evidence.mts';
import type { RequestRecord, Take } from './gateway.mts';
import type { NodeRun } from './n8n.mts';
import type { Check } from './outcome.mts';

/** Milliseconds between two answers without which nothing leaves. */
const APART = 2000;

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
  if (last.told === 'known' || last.told === 'failed')
    return `and #${last.request.number} said that it is known`;
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
  const { operations, leftAt, fault } = question.request;
  const hasControl = operations.some((one) => !evidence.rowIds.has(String(one.id)));
  if (!hasControl || isMisleading(evidence, question)) return hasControl;
  // Words that sound like a fault are those of an absence where they stay the same.
  const { absence, memory } = evidence.scenario.gateway.status;
  const isDubious = absence.isDubious && /^($|reordered|vague)/.test(fault);
  const isKnown = evidence.takesById
    .get(id)
    ?.some(({ at, knownAt }) => knownAt <= leftAt && leftAt < at + memory);
  return question.told === 'absent' || (isDubious && !isKnown);
}

/** What another execution took, and `status` knew when it was asked for the last time. */
const knownBefore = (
  { takesById, scenario }: Evidence,
  { origin: { execution }, leftAt }: RequestRecord,
  { id, askedAt }: { id: string; askedAt: number },
): Take | undefined =>
  takesById.get(id)?.find(({ request: { origin }, at, knownAt }) => {
    const { memory, pending } = scenario.gateway.status;
    const isTold = Math.max(knownAt, at + pending.for) <= askedAt && at + memory > leftAt;
    return origin.execution !== execution && isTold;
  });

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
      const isSame = isMarked(result) && without(result) === without(results[first]);
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
        request.origin.lineage === origin.lineage && (told === 'known' || told === 'failed'),
    ) === true;
