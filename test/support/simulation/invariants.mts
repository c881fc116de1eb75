/**
 * What the node promises, checked against what the model gateway took.
 *
 * "Never twice" has a condition. A request whose answer was lost is sent again, once, when the settling time since it
 * left is over and `status` does not know it. So the promise holds for a gateway that, within the settling time of the
 * moment at which a request left, has taken an operation of it and lets `status` know it, or never takes it
 * (`keepsSettlingTime`). Only a request that ran into a time limit (the client's, 504, 524, 408) may be taken at any
 * time, since it is never sent again in its execution. Without the condition an id can be taken twice, and not more
 * often; what the node does is checked without it (`protocol.mts`).
 */
import type { ItemResult } from '../../../nodes/MessagingGateway/run/item-result.ts';
import type { ModelGateway, Take } from './gateway.mts';
import type { NodeRun, Try } from './n8n.mts';
import { API_KEY } from './n8n.mts';
import { effortViolations } from './effort.mts';
import { outputViolations } from './outputs.mts';
import { protocolViolations, sendsByText } from './protocol.mts';
import type { Sends } from './protocol.mts';
import type { Scenario } from './scenario.mts';
import { isBad, MARKER } from './scenario.mts';
import type { Violation } from './outcome.mts';

export type State = 'accepted' | 'refused' | 'notSent' | 'unknown' | 'invalid';

export const stateOf = (result: ItemResult): State =>
  'error' in result ? (result.state ?? 'invalid') : 'accepted';

/** All that was recorded of a simulation. */
export interface Evidence {
  scenario: Scenario;
  gateway: ModelGateway;
  runs: NodeRun[];
  takesByText: Map<string, Take[]>;
  takesById: Map<string, Take[]>;
  sends: Sends;
}

export function violationsOf(scenario: Scenario, gateway: ModelGateway, runs: NodeRun[]): Violation[] {
  const { takes } = gateway;
  const evidence: Evidence = {
    scenario,
    gateway,
    runs,
    takesByText: grouped(takes, ({ text }) => text),
    takesById: grouped(takes, ({ id }) => id),
    sends: sendsByText(gateway),
  };
  return [
    ...takenTwice(evidence),
    ...protocolViolations(evidence),
    ...runs.flatMap((run) => [
      ...outputViolations(evidence, run),
      ...untrue(evidence, run),
      ...weakened(run),
      ...undelivered(evidence, run),
      ...told(run),
      ...effortViolations(evidence, run),
    ]),
  ];
}

export function grouped<T>(values: Iterable<T>, keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

/** Texts differ between executions, so that a text stands for an id in one execution. */
function takenTwice({ scenario, takesByText }: Evidence): Violation[] {
  const most = scenario.gateway.keepsSettlingTime ? 1 : 2;
  return [...takesByText]
    .filter(([, takes]) => takes.length > most)
    .map(([text, takes]) => ({
      invariant: 'never twice',
      words: `"${text}" was taken ${takes.length} times, by ${takes.map(({ request }) => `#${request.number}`).join(' and ')}`,
    }));
}

/** What each try said of its items is true. */
function untrue(evidence: Evidence, run: NodeRun): Violation[] {
  return run.tries.flatMap(({ results = [], requests: [, until], endedAt }, attempt) =>
    results.flatMap((result, item): Violation[] => {
      const state = stateOf(result);
      const { text } = run.plan.items[item];
      const where = `item ${item} ("${text}"), try ${attempt + 1}`;
      const takes = (evidence.takesByText.get(text) ?? []).filter(({ request }) => request.number <= until);
      if (state === 'accepted') {
        if (takes.some(({ at }) => at <= endedAt)) return [];
        return isRecognised(evidence, run, item, result)
          ? []
          : [{ invariant: 'accepted is true', words: `${where} is accepted and was not taken` }];
      }
      if (state === 'unknown' || takes.length === 0 || !evidence.scenario.gateway.keepsSettlingTime)
        return [];
      return [{ invariant: `${state} is true`, words: `${where} is ${state} and was taken` }];
    }),
  );
}

/**
 * Whether an item was rightly recognised as sent by an earlier execution with the same id. Where this execution may
 * have sent it too, nobody can tell the one from the other.
 */
function isRecognised(
  { takesById, sends }: Evidence,
  run: NodeRun,
  item: number,
  result: ItemResult,
): boolean {
  const { text } = run.plan.items[item];
  const sent = sends.get(text) ?? [];
  const id = sent[0]?.id;
  const isKnown =
    takesById.get(id ?? '')?.some(({ request }) => request.origin.execution < run.execution) === true;
  const isMarked = 'jsons' in result && result.jsons[0]?.duplicate === true;
  return isKnown && (isMarked || sent.some(({ proof }) => proof !== 'told' && proof !== 'notTaken'));
}

/** A later try knows no less than the one before. */
function weakened({ tries, plan }: NodeRun): Violation[] {
  const violations: Violation[] = [];
  let before: ItemResult[] | undefined;
  for (const [attempt, { results }] of tries.entries()) {
    for (const [item, result] of (results ?? []).entries()) {
      const earlier = before?.[item];
      if (!earlier) continue;
      const [was, is] = [stateOf(earlier), stateOf(result)];
      const where = `item ${item} ("${plan.items[item].text}"): ${was} in try ${attempt}, ${is} in try ${attempt + 1}`;
      const isWeaker = was === 'unknown' && (is === 'notSent' || is === 'invalid');
      if (isWeaker) violations.push({ invariant: 'unknown is remembered', words: where });
      const isSame = JSON.stringify(earlier) === JSON.stringify(result);
      if (was === 'accepted' && !isSame)
        violations.push({ invariant: 'accepted is remembered', words: where });
    }
    before = results ?? before;
  }
  return violations;
}

/**
 * What a gateway that seldom fails has to get: everything that was lost at most once. Of many bad operations that spoil
 * their requests only the first few are looked for.
 */
function undelivered({ scenario, gateway, sends }: Evidence, run: NodeRun): Violation[] {
  const { profile } = scenario;
  if ((profile !== 'calm' && profile !== 'gentle') || run.execution > 0) return [];
  const { items } = run.plan;
  if (gateway.traits.refusesWhole && items.filter(isBad).length > 5) return [];
  const results = run.tries[run.tries.length - 1].results ?? [];
  return results.flatMap((result, item): Violation[] => {
    const state = stateOf(result);
    const plan = items[item];
    const sent = sends.get(plan.text) ?? [];
    const lost = sent.filter(({ proof }) => proof === 'lost').length;
    const isOpen = sent.some(({ proof }) => proof === 'late') || lost > (plan.delivery === 'queued' ? 0 : 1);
    const wanted: State = isBad(plan) ? 'refused' : 'accepted';
    // Nobody takes a bad operation, but the queue does not say so, and `status` knows nothing of it.
    if (state === wanted || state === 'invalid' || isOpen || (isBad(plan) && plan.delivery === 'queued'))
      return [];
    return [
      { invariant: 'everything arrives', words: `item ${item} ("${plan.text}") is ${state}, not ${wanted}` },
    ];
  });
}

/** Neither texts nor the key get where they don't belong. */
function told({ tries }: NodeRun): Violation[] {
  return tries.flatMap((outcome: Try, attempt): Violation[] => {
    const { memory, items, error } = outcome;
    const output = JSON.stringify([items, error, error?.message, error?.description, error?.context]);
    const inMemory = memory.includes(MARKER) || memory.includes(API_KEY);
    const isOut = output.includes(API_KEY);
    return [
      ...(inMemory
        ? [{ invariant: 'nothing is kept', words: `try ${attempt + 1} leaves a text or the key behind` }]
        : []),
      ...(isOut ? [{ invariant: 'the key is kept', words: `try ${attempt + 1} passes on the key` }] : []),
    ];
  });
}
