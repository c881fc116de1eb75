/** All that was recorded of a simulation, by message. */
import type { ItemResult } from '../../../nodes/MessagingGateway/run/item-result.ts';
import type { Operation, Origin, RequestRecord, Take, Told } from './exchange.mts';
import type { ModelGateway } from './gateway.mts';
import type { NodeRun, Try } from './n8n.mts';
import type { GatewayTraits, ItemPlan, Scenario } from './scenario.mts';
import { TOO_MANY_IDS } from './status-desk.mts';

export type State = 'accepted' | 'refused' | 'notSent' | 'unknown' | 'invalid';

/** What was taken and didn't arrive may come out as an error: a question that nobody got. */
export const stateOf = (result: ItemResult): State => {
  if (!('error' in result)) return 'accepted';
  return result.state ?? (result.json?.outcome === 'failed' ? 'accepted' : 'invalid');
};

/** The id with which an item comes out; empty where it has none. */
export const idOf = (result: ItemResult): string =>
  String(('error' in result ? result.json?.id : (result.jsons[0]?.id ?? askedAs(result.jsons[0]))) ?? '');

/** The id of the message with which one person was asked. */
const askedAs = (json: Record<string, unknown> | undefined): unknown =>
  (json?.messages as Array<{ id?: unknown }> | undefined)?.[0]?.id;

/** One departure of a message. */
export interface Sending {
  request: RequestRecord;
  /** Its place in the request. */
  index: number;
  id: string;
}

/** One question about an id. */
export interface Question {
  request: RequestRecord;
  told: Told;
  /** Whether the answer says something of it: one about too many ids says that of some only. */
  isHeard: boolean;
}

export interface Evidence {
  scenario: Scenario;
  gateway: ModelGateway;
  runs: NodeRun[];
  /** By `keyOf`. */
  sends: Map<string, Sending[]>;
  takes: Map<string, Take[]>;
  takesById: Map<string, Take[]>;
  /** By id. */
  questions: Map<string, Question[]>;
  /** What was sent, and what stands in a result. */
  rowIds: Set<string>;
}

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

/** The run of a node that a request, or another run, belongs to. */
export const runOf = (runs: NodeRun[], { execution, run }: NodeRun['origin']): NodeRun | undefined =>
  runs.find(({ origin }) => origin.execution === execution && origin.run === run);

export const isSameTry = (one: Origin, other: Origin): boolean =>
  one.execution === other.execution && one.run === other.run && one.attempt === other.attempt;

/** Names a message: numbers differ in an execution and in those that go on with its data. */
export const keyOf = (lineage: number, phone: unknown): string => `${lineage}/${String(phone)}`;

/** Whether the words for too many ids look like those for an id that nobody knows, since these refuse the whole question too. */
export const isVeiled = ({ status: { absence, limit } }: GatewayTraits): boolean =>
  absence.form === 'whole' && typeof limit?.way === 'number' && limit.way !== 429;

export function evidenceOf(scenario: Scenario, gateway: ModelGateway, runs: NodeRun[]): Evidence {
  const sends = new Map<string, Sending[]>();
  const takes = new Map<string, Take[]>();
  const takesById = new Map<string, Take[]>();
  const questions = new Map<string, Question[]>();
  for (const request of gateway.requests) {
    const { operations, origin, told, kind } = request;
    operations.forEach(({ id, phone }, index) => {
      if (kind === 'status')
        add(questions, String(id), {
          request,
          told: told?.[index] ?? 'useless',
          isHeard:
            request.fault !== TOO_MANY_IDS || index < (request.answered ?? 0) || isVeiled(gateway.traits),
        });
      else add(sends, keyOf(origin.lineage, phone), { request, index, id: String(id) });
    });
  }
  for (const take of gateway.takes) {
    add(takes, keyOf(take.request.origin.lineage, take.phone), take);
    add(takesById, take.id, take);
  }
  const results = runs.flatMap(({ tries }) => tries.flatMap(({ results: all = [] }) => all));
  const rowIds = new Set([...sends.values()].map(([{ id }]) => id));
  for (const result of results) rowIds.add(idOf(result));
  return { scenario, gateway, runs, sends, takes, takesById, questions, rowIds };
}

function add<T>(groups: Map<string, T[]>, key: string, value: T): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}

/** Whether the gateway itself said of this departure that it was taken, or that it was not. */
export const saidOf = ({ request, index }: Sending): boolean | undefined =>
  request.ending === 'answered' ? request.results?.[index] : undefined;

/** Whether an answer of `status` shows that the message was taken. */
export const isThere = (told: Told | undefined): boolean =>
  told === 'known' || told === 'unlisted' || told === 'failed';

/** Milliseconds between two answers that prove an absence. */
export const APART = 2000;

/** Whether `status` said twice of a message, from a request on, so long after each other, that it isn't there. */
export function isProvenAbsent(evidence: Evidence, asked: readonly Question[], from: number): boolean {
  const absences = asked.filter(
    ({ told, request }) => told === 'absent' && request.number > from && hasControls(evidence, request),
  );
  const [first, last] = [absences[0], absences.at(-1)];
  return last !== undefined && last.request.leftAt - first.request.leftAt >= APART;
}

/**
 * Whether a question has two ids in it that no row has, and so were certainly never sent; where it is about a single id,
 * whether another one beside it is.
 */
export function hasControls({ gateway, rowIds }: Evidence, request: RequestRecord): boolean {
  const controlsOf = ({ operations }: RequestRecord) =>
    operations.filter(({ id }) => !rowIds.has(String(id))).length;
  const isSingle = ({ kind, operations }: RequestRecord) => kind === 'status' && operations.length === 1;
  if (!isSingle(request)) return controlsOf(request) > 1;
  let [from, until] = [request.number - 1, request.number];
  // What leaves meanwhile doesn't change what is said of an id that nobody sent, nor does what told nothing.
  const isBefore = (one: RequestRecord) =>
    isSingle(one) || one.kind === 'send' || one.told?.every((what) => what === 'useless');
  while (from > 0 && isBefore(gateway.requests[from - 1])) from -= 1;
  while (until < gateway.requests.length && isSingle(gateway.requests[until])) until += 1;
  return gateway.requests.slice(from, until).some((one) => one.kind === 'status' && controlsOf(one) > 0);
}

/** Whether the gateway itself said of a message, before the request of that number, that it took it. */
export const wasSaidToBeTaken = ({ takesById }: Evidence, id: Operation['id'], before: number): boolean =>
  takesById.get(String(id))?.some(({ request }) => {
    const place = request.operations.findIndex((operation) => operation.id === id);
    return request.number < before && request.results?.[place] === true;
  }) === true;

/** Whether an answer about ids was beside one about ids that nobody sent: of a single one, after the last question about such. */
export function isCompared(evidence: Evidence, request: RequestRecord): boolean {
  const { gateway, rowIds } = evidence;
  if (request.operations.length > 1) return hasControls(evidence, request);
  const control = gateway.requests
    .slice(0, request.number - 1)
    .findLast(
      ({ kind, operations }) => kind === 'status' && !operations.some(({ id }) => rowIds.has(String(id))),
    );
  return control?.told?.some((what) => what !== 'useless') === true;
}

/** Whether the gateway has forgotten by a time what it took: its memory is over, or it has lost its log since. */
export function isForgotten({ scenario }: Evidence, { at }: Take, time: number): boolean {
  const { restartsAt = Infinity, status } = scenario.gateway;
  const restartedAt = scenario.startsAt + restartsAt;
  return at + status.memory <= time || (at < restartedAt && restartedAt <= time);
}

/**
 * Whether 16 rows were refused one by one with the same words, before anything was taken, or since there was no money left:
 * then a search ends.
 */
export function isGivenUp(made: readonly RequestRecord[], funds: GatewayTraits['funds']): boolean {
  const sends = made.filter(({ kind }) => kind === 'send');
  // What goes to the other endpoint is another search.
  return (['sync', 'async'] as const).some((endpoint) => {
    const own = sends.filter((one) => one.endpoint === endpoint);
    const isTaken = own.some(({ results = [] }) => results.includes(true));
    const alone = own.filter(({ operations }) => operations.length === 1);
    const said = alone.flatMap(({ words, texts }) => words ?? texts?.[0] ?? []);
    return said.some(
      (words) => (!isTaken || words === funds?.words) && said.filter((other) => other === words).length >= 16,
    );
  });
}
