/** What the node promises, checked against what the model gateway took. */
import type { ItemResult } from '../../../nodes/MessagingGateway/run/item-result.ts';
import { effortViolations } from './effort.mts';
import type { Evidence, State } from './evidence.mts';
import { evidenceOf, idOf, keyOf, saidOf, stateOf } from './evidence.mts';
import type { ModelGateway, RequestRecord, Take } from './gateway.mts';
import type { NodeRun, Try } from './n8n.mts';
import { API_KEY } from './n8n.mts';
import { openQuestion } from './open-questions.mts';
import type { Violation } from './outcome.mts';
import { outputViolations } from './outputs.mts';
import { protocolViolations } from './protocol.mts';
import { sendOnceViolations, sentTwiceViolations } from './send-once.mts';
import type { ItemPlan, Scenario } from './scenario.mts';
import { isBad, MARKER } from './scenario.mts';
import { wordingViolations } from './wording.mts';
import { ACCESS_DENIED } from './words.mts';

/** One item of one try of the node. */
export interface Case {
  run: NodeRun;
  attempt: number;
  outcome: Try;
  result: ItemResult;
  state: State;
  plan: ItemPlan;
  item: number;
  key: string;
  /** For a person. */
  where: string;
}

export function violationsOf(scenario: Scenario, gateway: ModelGateway, runs: NodeRun[]): Violation[] {
  const evidence = evidenceOf(scenario, gateway, runs);
  return [
    ...takenTwice(evidence),
    ...protocolViolations(evidence),
    ...forgotten(evidence),
    ...sentTwiceViolations(evidence),
    ...runs.flatMap((run) => [
      ...outputViolations(evidence, run),
      ...casesOf(run).flatMap((one) => [...untrue(evidence, one), ...wordingViolations(evidence, one)]),
      ...undelivered(evidence, run),
      ...sendOnceViolations(evidence, run),
      ...told(run),
      ...effortViolations(evidence, run),
    ]),
  ];
}

function casesOf(run: NodeRun): Case[] {
  return run.tries.flatMap((outcome, attempt) =>
    (outcome.results ?? []).map((result, item): Case => {
      const plan = run.plan.items[item];
      return {
        run,
        attempt,
        outcome,
        result,
        state: stateOf(result),
        plan,
        item,
        key: keyOf(run.origin.lineage, plan.phone),
        where: `item ${item} (${plan.phone}), execution ${run.origin.execution}, try ${attempt + 1}`,
      };
    }),
  );
}

/** By the node's doing: a request that something on the way repeats is one. */
function takenTwice(evidence: Evidence): Violation[] {
  return [...evidence.takes].flatMap(([key, list]) => {
    // What has failed may be sent again by whoever was told that.
    const requests = [
      ...new Set(list.filter(({ hasFailed }) => !hasFailed).map(({ request }) => request.number)),
    ];
    const words = `${key} was taken by #${requests.join(' and #')}; ${list[0].request.fault || 'nothing went wrong'}`;
    const retries = list.filter(({ request }) => request.origin.isBlind);
    if (retries.some(({ request }) => list.some((take) => isUnseen(evidence, request.origin, take))))
      return [];
    return requests.length > 1 ? [{ invariant: 'never twice', words }] : [];
  });
}

/**
 * Whether a Retry that knows nothing of the one before can't know of a take: what is taken at any time, and what the
 * synchronous endpoint only acknowledged, before `status` tells of it.
 */
function isUnseen(
  { runs, scenario }: Evidence,
  retry: NodeRun['origin'],
  { request, at, knownAt }: Take,
): boolean {
  if (request.ending === 'late') return true;
  const run = runs.find(({ origin }) => origin.execution === retry.execution && origin.run === retry.run);
  const startedAt = run?.tries[0]?.startedAt ?? Infinity;
  const toldAt = Math.max(knownAt, at + scenario.gateway.status.pending.for);
  return request.fault.startsWith('acknowledged') && startedAt < toldAt;
}

/** What each try said of its items is true. */
function untrue(evidence: Evidence, one: Case): Violation[] {
  const { state, where, key, outcome } = one;
  const until = outcome.requests[1];
  const taken = evidence.takes.get(key)?.find(({ request }) => request.number <= until);
  if (state === 'unknown') {
    const why = openQuestion(evidence, one);
    return why === undefined
      ? []
      : [{ invariant: 'unknown only where it must be', words: `${where}: ${why}` }];
  }
  if (state === 'accepted') {
    if (taken !== undefined && taken.at <= outcome.endedAt) return [];
    const isTrue = isPromised(evidence, one) || isRecognised(evidence, one);
    return isTrue ? [] : [{ invariant: 'accepted is true', words: `${where} is accepted and was not taken` }];
  }
  if (taken === undefined) return refusedThoughKnown(evidence, one);
  if (state !== 'invalid' && (isBelieved(evidence, one) || isRefusedAndForgotten(evidence, one))) return [];
  const { origin } = one.run;
  if (origin.isBlind && isUnseen(evidence, origin, taken)) return [];
  return [
    {
      invariant: `${state} is true`,
      words: `${where} is ${state} and was taken by #${taken.request.number}; ${taken.request.fault || 'nothing went wrong'}`,
    },
  ];
}

/** Whether the gateway said that it has it: a queue may take it later. */
const isPromised = ({ sends }: Evidence, { key }: Case): boolean =>
  sends.get(key)?.some((sending) => saidOf(sending) === true) === true;

/**
 * Whether an item was rightly recognised as sent before with the same id. Where this execution may have sent it too,
 * nobody can tell the one from the other.
 */
function isRecognised({ takesById, sends }: Evidence, { key, result }: Case): boolean {
  const sent = sends.get(key) ?? [];
  const isKnown = takesById.has(sent[0]?.id ?? idOf(result));
  const isMarked = 'jsons' in result && result.jsons[0]?.duplicate === true;
  const isDoubtful = sent.some(
    (sending) => saidOf(sending) === undefined && sending.request.ending !== 'before',
  );
  return isKnown && (isMarked || isDoubtful);
}

/** A row with an id that was sent before, which `status` knows, and which is refused. */
function refusedThoughKnown(
  { sends, questions }: Evidence,
  { key, state, outcome, where }: Case,
): Violation[] {
  const [sent] = sends.get(key) ?? [];
  if (sent === undefined || state === 'invalid') return [];
  const [from, until] = outcome.requests;
  const known = questions
    .get(sent.id)
    ?.find(({ request: { number }, told: what }) => number > from && number <= until && what === 'known');
  if (!known) return [];
  const words = `${where} is ${state}, and #${known.request.number} said that it is known`;
  return [{ invariant: 'what is known is not refused', words }];
}

/**
 * Whether the gateway's own result for a row that it took, which says "refused", had to be believed: it was asked about
 * after that, and `status` could not tell.
 */
function isBelieved(
  { sends, questions, scenario, takes, gateway }: Evidence,
  { key, run, outcome }: Case,
): boolean {
  const list = (sends.get(key) ?? []).filter(
    ({ request: { number, ending, words } }) =>
      number <= outcome.requests[1] && ending !== 'before' && words !== ACCESS_DENIED,
  );
  const last = list[list.length - 1];
  if (last === undefined || saidOf(last) !== false) return false;
  const { lacks, memory } = scenario.gateway.status;
  if (lacks.includes(last.request.operations[last.index].type) || run.stopsAt <= outcome.endedAt) return true;
  const at = Math.min(...(takes.get(key) ?? []).map((take) => take.at));
  if (outcome.endedAt - at >= memory) return true;
  const later = gateway.requests
    .slice(last.request.number, outcome.requests[1])
    .filter(({ kind }) => kind === 'status');
  const asked = (questions.get(last.id) ?? []).filter(({ request }) => later.includes(request));
  // Where no question at all is answered, or none of the same try, not every one has to be asked.
  const { origin: its } = last.request;
  const inItsTry = later.filter(
    ({ origin: { execution, run: place, attempt } }) =>
      execution === its.execution && place === its.run && attempt === its.attempt,
  );
  const isSilent = [later, inItsTry].some(
    (some) => some.length > 0 && some.every(({ told: all = [] }) => all.every((what) => what === 'useless')),
  );
  // By a clock that was set, the time until which it wants to be left alone may be days away.
  const made = gateway.requests.slice(...outcome.requests);
  const isPutOff = scenario.clockSteps.length > 0 && made.some(({ hasRetryDate }) => hasRetryDate);
  const isAsked = asked.length > 0 || isPutOff || isSilent;
  return isAsked && asked.every(({ told: what }) => what === 'useless' || what === 'failed');
}

/** Whether all that it took up to then it called refused in a result of its own, and has forgotten since. */
function isRefusedAndForgotten(
  { sends, takes, scenario }: Evidence,
  { key, outcome: { endedAt, requests } }: Case,
): boolean {
  const taken = (takes.get(key) ?? []).filter(({ request: { number } }) => number <= requests[1]);
  return taken.every(({ request, at }) => {
    const sending = sends.get(key)?.find((one) => one.request === request);
    const isRefused = sending !== undefined && saidOf(sending) === false;
    return isRefused && endedAt - at >= scenario.gateway.status.memory;
  });
}

/** A later try, and a Retry, tells the same of what was accepted. */
function forgotten({ runs }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const before = new Map<string, string>();
  for (const run of runs) {
    // n8n saved nothing of what a Retry of the same execution found out before.
    if (run.kind === 'retryAgain') continue;
    for (const { key: message, result, state, where, item } of casesOf(run)) {
      // Several items of a run may repeat one message.
      const key = `${message} ${item}`;
      const earlier = before.get(key);
      const now = state === 'accepted' ? JSON.stringify(result) : undefined;
      if (earlier !== undefined && earlier !== now) {
        violations.push({
          invariant: 'accepted is remembered',
          words: `${where}: ${earlier}, then ${now ?? state}`,
        });
      }
      if (now !== undefined) before.set(key, now);
    }
  }
  return violations;
}

/** Whether nothing was taken, and 16 rows were refused one by one with the same words: then a search ends. */
function isGivenUp(made: readonly RequestRecord[]): boolean {
  if (made.some(({ kind, results = [] }) => kind === 'send' && results.includes(true))) return false;
  const alone = made.filter(({ kind, operations }) => kind === 'send' && operations.length === 1);
  return alone.some(
    ({ words }) => words !== undefined && alone.filter((other) => other.words === words).length >= 16,
  );
}

/** What a gateway that seldom fails has to get: everything but what it refuses, and that with its words. */
function undelivered(evidence: Evidence, run: NodeRun): Violation[] {
  const { scenario, sends, gateway } = evidence;
  const { profile } = scenario;
  if ((profile !== 'calm' && profile !== 'gentle') || run.origin.execution > 0) return [];
  const last = run.tries[run.tries.length - 1];
  const made = gateway.requests.slice(...last.requests);
  if (made.some(({ words }) => words === ACCESS_DENIED) || isGivenUp(made)) return [];
  return casesOf({ ...run, tries: [last] }).flatMap((one): Violation[] => {
    const { state, plan, where } = one;
    if (state === 'accepted' || state === 'invalid') return [];
    const sent = (sends.get(keyOf(run.origin.lineage, plan.phone)) ?? []).filter(
      ({ request: { number } }) => number <= last.requests[1],
    );
    const { request } = sent[sent.length - 1] ?? {};
    // A refusal of this message alone is what the gateway said of it.
    if (state === 'unknown' && openQuestion(evidence, one) === undefined) return [];
    const isAlone = request?.operations.length === 1 && request.words !== undefined;
    // Where nothing can be proven, nothing is sent again.
    const isOpen =
      plan.delivery === 'queued' ||
      run.plan.node.operation === 'call' ||
      run.plan.node.operation === 'sendPipeline';
    const isUnclear = sent.filter(({ request: { ending } }) => ending === 'broken').length > 1;
    if (isOpen || isUnclear || (isAlone && state !== 'unknown')) return [];
    if (sent.some(({ request: { ending } }) => ending === 'late')) return [];
    // What was not delivered may be called refused.
    if (evidence.takes.get(one.key)?.some(({ hasFailed }) => hasFailed)) return [];
    if (isBad(plan) && state !== 'unknown') return [];
    const words = `${where} is ${state}, not ${isBad(plan) ? 'refused' : 'accepted'}`;
    return [{ invariant: 'everything arrives', words }];
  });
}

/** Neither texts nor the key get where they don't belong. */
function told({ tries }: NodeRun): Violation[] {
  return tries.flatMap(({ memory, items, error }, attempt): Violation[] => {
    const output = JSON.stringify([items, error, error?.message, error?.description, error?.context]);
    const inMemory = memory.includes(MARKER) || memory.includes(API_KEY);
    return [
      ...(inMemory
        ? [{ invariant: 'nothing is kept', words: `try ${attempt + 1} leaves a text or the key behind` }]
        : []),
      ...(output.includes(API_KEY)
        ? [{ invariant: 'the key is kept', words: `try ${attempt + 1} passes on the key` }]
        : []),
    ];
  });
}
