/** When nobody can know what became of a message, so that "unknown" is the truth. */
import type { Case, Evidence, Question, Sending } from './evidence.mts';
import { APART, hasControls, idOf, isThere, isVeiled, runOf, saidOf, wasSaidToBeTaken } from './evidence.mts';
import type { ModelGateway } from './gateway.mts';
import { isRefused } from './ledger.mts';
import type { Operation, RequestRecord, Told } from './exchange.mts';
import { TOO_MANY_IDS } from './status-desk.mts';
import type { NodeRun } from './n8n.mts';
import type { Scenario } from './scenario.mts';
import { isUnprovable, SETTLING } from './scenario.mts';
import { asksToWait, namesDuplicate } from './words.mts';

/** Milliseconds after an answer until `status` knows what was taken. */
const LAG = 2000;
/** Milliseconds for which `status` is asked at least before it counts as unable to tell, and questions in that time. */
const PATIENCE = 8000;
const QUESTIONS = 3;
/** Milliseconds for which no gateway is asked to remember a message. */
const DAY = 86_400_000;

/** Requests to `status` in one try that bring nothing, after which nobody has to ask again. */
const MANY = 400;
const HALF_AN_HOUR = 1_800_000;

/** Returns why a message could have been known; undefined where it could not. */
export function openQuestion(evidence: Evidence, one: Case): string | undefined {
  const { key, run, outcome, plan } = one;
  const { sends, gateway } = evidence;
  const [from, until] = outcome.requests;
  const sent = (sends.get(key) ?? []).filter(({ request }) => request.number <= until);
  // What is repeated may have been repeated before, of which nothing is saved.
  const repeatedAt = isRepeated(evidence, run) ? run.tries[0].startedAt : undefined;
  const { operation } = run.plan.node;
  // Only the answer to a call has its code.
  if (operation === 'call') return undefined;
  const asked = (evidence.questions.get(sent[0]?.id ?? idOf(one.result)) ?? []).filter(
    ({ request }) => request.number <= until,
  );
  // It is there in words that may mean anything, or was in this execution: so it is where it wasn't delivered, as what
  // was refused in words may be, and an earlier try heard so.
  const { lineage } = run.origin;
  const isOpen = ({ told, request: { origin, number } }: Question): boolean =>
    origin.lineage === lineage && (isOpenWord(told) || (told === 'failed' && number <= from));
  if (asked.some(isOpen)) return undefined;
  // What has a key may seem to be there where `status` says now this, now that.
  const isKeyed = run.plan.node.options.sendOnceKey !== undefined;
  const neverLeft =
    sent.length === 0 || (isKeyed && sent.every(({ request }) => request.ending === 'before'));
  if (neverLeft && repeatedAt === undefined) return isHonest(evidence) ? 'it never left' : undefined;
  const known = asked.find(({ told, request }) => told === 'known' && request.number > from);
  if (known) return `#${known.request.number} said that it is known`;
  // A gateway that calls an id a duplicate has it, whatever its `status` says.
  const isDuplicate = ({ request: { words, texts }, index }: Sending) =>
    namesDuplicate(words ?? texts?.[index]);
  if (sent.some(isDuplicate)) return undefined;
  const { limit } = gateway.traits.status;
  // Two ids that nobody has, and one in question, are what it takes to prove an absence.
  if (limit !== undefined && limit.ids < 3) return undefined;
  if (run.stopsAt <= outcome.endedAt || plan.delivery === 'queued' || isUnprovable(run.plan.node))
    return undefined;
  if (sent.some(({ request: { ending } }) => ending === 'late' || ending === 'stopped')) return undefined;
  const doubtful = sent.filter((sending) => saidOf(sending) !== true && sending.request.ending !== 'before');
  const last = doubtful.pop();
  if (last === undefined && repeatedAt === undefined) return 'its exchanges were clear';
  const { endedAt = Infinity } = last?.request ?? { endedAt: repeatedAt };
  if (outcome.endedAt - endedAt >= DAY) return undefined;
  const made = gateway.requests.slice(from, until);
  if (isSpent(evidence, made)) return undefined;
  const { clockSteps } = evidence.scenario;
  // By a clock that was set, such a time may be days away, and what an earlier try left may be forgotten by now.
  if (isFarAway(evidence.scenario, made)) return undefined;
  if (isPutOff(made, 'sync', last?.request)) return undefined;
  const isLater = one.attempt > 0 || repeatedAt !== undefined;
  if (isLater && clockSteps.some(({ by }) => by >= DAY / 2)) return undefined;
  const settling = last !== undefined && isBroken(last.request) ? SETTLING : LAG;
  const settledAt = Math.max(endedAt + settling, (repeatedAt ?? -Infinity) + LAG);
  return whatWasAsked(evidence, last, {
    id: idOf(one.result),
    // What it refuses because of their number, it answers if it is asked about fewer.
    useful: asked.filter(({ request }) => request.leftAt >= settledAt && request.fault !== TOO_MANY_IDS),
    sinceAnswer: asked.filter(
      ({ request }) => request.leftAt >= endedAt && request.fault !== TOO_MANY_IDS && settling === LAG,
    ),
    from,
    until: outcome.endedAt,
    settledAt,
    provableAt: provableAfter(evidence, run, { id: idOf(one.result), since: endedAt, settling, until }),
  });
}

/** For how long a gateway that asks for it is left alone in all, and the pauses from which on it is. */
const MOST_PATIENCE = 120_000;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;

/**
 * Whether `status` asked for all the time that anybody gives it, since a message left last, or since the try began.
 */
export function isPutOff(
  made: readonly RequestRecord[],
  endpoint: RequestRecord['endpoint'],
  last?: RequestRecord,
): boolean {
  const since = last === undefined ? 0 : made.indexOf(last) + 1;
  // What goes to the other endpoint is sent, and asked about, before or after all of this.
  const isOther = (request: RequestRecord) => request.kind === 'send' && request.endpoint !== endpoint;
  const until = made.findIndex((request, i) => i >= since && isOther(request));
  const asked = made.slice(since, until < 0 ? undefined : until).filter(({ kind }) => kind === 'status');
  let pause = FIRST_PAUSE;
  let waited = 0;
  for (const { asksFor, fault, statusCode } of asked) {
    // The code of one that came too soon may be for one with too many ids, too.
    const isTurnedAway = asksFor !== undefined || (fault === TOO_MANY_IDS && statusCode === 429);
    if (!isTurnedAway) continue;
    waited += Math.max(asksFor ?? 0, pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
  return waited >= MOST_PATIENCE;
}

/**
 * Whether so many questions brought nothing, or for so long `status` wanted to be left alone, that nobody has to ask again:
 * half an hour counts as much as all of them.
 */
export const isSpent = (evidence: Evidence, made: readonly RequestRecord[]): boolean => {
  const asked = made.filter(({ kind }) => kind === 'status');
  const useless = asked.filter(
    (request) =>
      saysLittle(evidence, request) && (isVeiled(evidence.gateway.traits) || request.fault !== TOO_MANY_IDS),
  ).length;
  const waited = asked.reduce((sum, { asksFor, endedAt = Infinity, number }) => {
    if (asksFor === undefined) return sum;
    // Where it doesn't say for how long, what counts is for how long it was left alone.
    const next = made.find((one) => one.number === number + 1);
    return sum + Math.max(asksFor, (next?.leftAt ?? endedAt) - endedAt);
  }, 0);
  return useless / MANY + waited / HALF_AN_HOUR >= 1;
};

const isOpenWord = (told: Told): boolean => told === 'unlisted' || told === 'logged' || told === 'rejected';

/** Whether an execution before this one had begun this run of the node. */
const isRepeated = ({ runs }: Evidence, { origin }: NodeRun): boolean =>
  runs.some(
    ({ origin: { lineage, run, execution } }) =>
      lineage === origin.lineage && run === origin.run && execution < origin.execution,
  );

/** Whether `status` always tells what it knows, of as many as it takes at once. */
const isHonest = ({ scenario, gateway }: Evidence): boolean => {
  const { absence, spans, faultRate, pace, pending } = gateway.traits.status;
  if (gateway.traits.outage) return false;
  return (
    spans.length === 0 &&
    faultRate === 0 &&
    pace === undefined &&
    pending.for === 0 &&
    absence.form !== 'whole' &&
    !absence.isDubious &&
    scenario.clockSteps.length === 0
  );
};

const isUseless = ({ kind, told = [] }: RequestRecord): boolean =>
  kind === 'status' && told.every((what) => what === 'useless');

/** What says as much of ids that nobody sent, as far as anybody knows who doesn't ask about one beside. */
const OF_ANY_ID: readonly Told[] = ['useless', 'unlisted', 'logged'];

/** Whether a question brought nothing: no answer, or one without a listed state where no id was beside that nobody sent. */
const saysLittle = ({ rowIds }: Evidence, request: RequestRecord): boolean => {
  const { operations, told = [] } = request;
  if (isUseless(request)) return true;
  return (
    told.every((what) => OF_ANY_ID.includes(what)) && operations.every(({ id }) => rowIds.has(String(id)))
  );
};

/**
 * What comes with a code for who calls and for what is no broken exchange, unless it looks like the gateway's own answer:
 * then nobody on the way says so.
 */
const saysNothing = ({ results, words, fault, statusCode = 200 }: RequestRecord): boolean =>
  results === undefined &&
  words === undefined &&
  !/^(HTTP|filtered)/.test(fault) &&
  (statusCode < 400 || statusCode >= 500 || fault.startsWith('damaged'));

/** Whether a gateway wants to be left alone until a date, which may be days away by a clock that was set. */
export const isFarAway = ({ clockSteps }: Scenario, made: readonly RequestRecord[]): boolean =>
  clockSteps.length > 0 && made.some(({ hasRetryDate }) => hasRetryDate);

/** Whether its exchange broke: nobody can know that an answer which makes no sense is the gateway's own. */
export const isBroken = (request: RequestRecord): boolean =>
  request.ending === 'broken' || (request.ending === 'answered' && saysNothing(request));

/**
 * When an absence proves something: a clock may be set, so nobody counts more than what was waited for between two
 * questions of this run of the node. Not counted is the user's own pause before each, what requests took, and what was
 * waited for something else.
 */
function provableAfter(
  { runs, gateway }: Evidence,
  { origin, plan }: NodeRun,
  { id: ownId, since, settling, until }: { id: string; since: number; settling: number; until: number },
): number {
  const pause = Number(plan.node.options.batchInterval);
  let left = new Set<string>();
  let attempt: string | undefined;
  let waited = 0;
  let busyUntil = since;
  for (const { kind, operations, leftAt, endedAt = leftAt, origin: from } of gateway.requests.slice(
    0,
    until,
  )) {
    if (from.lineage !== origin.lineage || from.run !== origin.run) continue;
    busyUntil = Math.max(busyUntil, runOf(runs, from)?.tries[from.attempt]?.startedAt ?? leftAt);
    // What has a key is asked about before it leaves in each try, and what is waited for that settles nothing.
    const current = `${from.execution} ${from.attempt}`;
    if (plan.node.options.sendOnceKey !== undefined && current !== attempt) left = new Set([ownId]);
    attempt = current;
    if (kind === 'send') for (const { id } of operations) left.add(String(id));
    else if (operations.some(({ id }) => left.has(String(id))))
      waited += Math.max(0, leftAt - busyUntil - pause);
    if (waited >= settling) return leftAt;
    // What was under way when it began counts too.
    busyUntil = Math.max(busyUntil, endedAt);
  }
  return Infinity;
}

interface Asked {
  id: string;
  /** Questions since it had settled. */
  useful: Question[];
  /** Those since its answer; none where there was none. */
  sinceAnswer: Question[];
  /** The last request before this try, which knows nothing of the answers before it. */
  from: number;
  settledAt: number;
  /** When an absence proves something. */
  provableAt: number;
  until: number;
}

/**
 * Whether `status` doesn't know a message either, as yet, or any more, of which the gateway itself said that it took it, or
 * of which `status` said so, or told anything: whatever that meant, it has lost it.
 */
const isVain = (evidence: Evidence, request: RequestRecord): boolean => {
  const { questions, rowIds } = evidence;
  const { operations, told, number } = request;
  // A fault in place of the answer about ids that nobody knows is one of the answers about others.
  const controls = operations.flatMap(({ id }, index) => (rowIds.has(String(id)) ? [] : [told?.[index]]));
  const isFault = controls.length > 0 && controls.every((what) => what === 'useless');
  return operations.some(
    ({ id }, index) =>
      (told?.[index] === 'absent' || (isFault && told?.[index] === 'useless') || isUseless(request)) &&
      (wasSaidToBeTaken(evidence, id, number) ||
        questions
          .get(String(id))
          ?.some(({ request, told }) => request.number < number && (isThere(told) || told === 'logged')) ===
          true),
  );
};

/**
 * Whether a message is answered unlike the ids that no row has, in a field of few values that happens to be the same for
 * these: nobody can know that the field says nothing of a message.
 */
export const isMuddled = (
  { rowIds }: Evidence,
  { operations, few = [] }: RequestRecord,
  id: string,
): boolean => {
  const beside = operations.flatMap((one, index) => (rowIds.has(String(one.id)) ? [] : [few[index]]));
  const own = few[operations.findIndex((one) => String(one.id) === id)] ?? [];
  return own.some((value, field) =>
    beside.every((other) => other[field] === beside[0][field] && other[field] !== value),
  );
};

/** Numbers of the requests with which the questions began that they are parts of, by gateway. */
const beginnings = new WeakMap<ModelGateway, number[]>();

/** The number of the request with which a question began: its parts follow each other at once. */
function beginningOf(gateway: ModelGateway, { number }: RequestRecord): number {
  let known = beginnings.get(gateway);
  if (!known) {
    known = [];
    for (const [i, { kind, leftAt }] of gateway.requests.entries()) {
      const before = gateway.requests[i - 1];
      const isPart = i > 0 && kind === before.kind && leftAt - (before.endedAt ?? before.leftAt) < APART / 2;
      known.push(isPart ? known[i - 1] : i + 1);
    }
    beginnings.set(gateway, known);
  }
  return known[number - 1];
}

interface Vain {
  vain: RequestRecord[];
  /** Where the questions began that they are parts of. */
  inVain: Set<number>;
}

/** By evidence and the last request before. */
const vainKnown = new WeakMap<Evidence, Map<number, Vain>>();

/** The questions from a request on that show nothing of what is asked at that time. */
function vainQuestions(evidence: Evidence, from: number): Vain {
  const known = vainKnown.get(evidence) ?? new Map<number, Vain>();
  vainKnown.set(evidence, known);
  const { gateway } = evidence;
  let found = known.get(from);
  if (!found) {
    const vain = gateway.requests.slice(from).filter((request) => isVain(evidence, request));
    found = { vain, inVain: new Set(vain.map((request) => beginningOf(gateway, request))) };
    known.set(from, found);
  }
  return found;
}

function whatWasAsked(
  evidence: Evidence,
  last: Sending | undefined,
  { id, useful, sinceAnswer, from, settledAt, provableAt, until }: Asked,
): string | undefined {
  const { gateway } = evidence;
  // What a message shows by which `status` has forgotten something, it shows of all that is asked at that time.
  const { vain, inVain } = vainQuestions(evidence, from);
  let since: number | undefined;
  for (const { told, request } of useful) {
    if (request.number <= from) continue;
    const isClear =
      told === 'absent' &&
      hasControls(evidence, request) &&
      !inVain.has(beginningOf(gateway, request)) &&
      !vain.some(({ leftAt }) => Math.abs(leftAt - request.leftAt) <= LAG) &&
      !isMuddled(evidence, request, id);
    if (!isClear || request.leftAt < provableAt) since = undefined;
    else if (since !== undefined && request.leftAt - since >= APART)
      return `#${request.number} said once more that it is absent`;
    else since ??= request.leftAt;
  }
  const { absence, spans, faultRate, pending, pace } = gateway.traits.status;
  // With such a code, somebody on the way may have said it; it takes several answers to find out what it refuses.
  const isGateways = ({ request: { statusCode = 200 } }: Question): boolean => statusCode < 500;
  if (
    absence.form === 'whole' &&
    // What answers only so often is asked with an id that nobody knows when it answers.
    pace === undefined &&
    !gateway.traits.outage &&
    useful.every(isGateways) &&
    spans.length === 0 &&
    faultRate === 0
  ) {
    // The request is refused because of an id that nobody knows; without that, all of these are known.
    const lastQuestion = useful[useful.length - 1]?.request;
    const lastAsked = lastQuestion?.leftAt ?? until;
    // What asks for patience isn't asked about each of them for itself.
    const isTogether =
      lastQuestion !== undefined && (asksToWait(absence.words) || lastQuestion.statusCode === 429);
    const beside = isTogether
      ? lastQuestion.operations.filter(({ id }) => evidence.rowIds.has(String(id)))
      : [];
    const isKnown = ({ id }: Operation): boolean => {
      const entry = gateway.known(id);
      return (
        entry !== undefined &&
        !isRefused(entry) &&
        Math.max(entry.knownAt, entry.at + pending.for) < lastAsked
      );
    };
    if (last && [...last.request.operations, ...beside].every(isKnown))
      return 'a question without an id that nobody knows would have told';
  }
  // Where a message that was certainly taken isn't there at the end, fewer ids tell no more.
  const isVainLast = useful.length > 0 && inVain.has(beginningOf(gateway, useful[useful.length - 1].request));
  // What never refused a question because of its ids would tell no more if it were asked about fewer.
  const wasLimited = gateway.requests
    .slice(from)
    .some(({ fault, leftAt }) => fault === TOO_MANY_IDS && leftAt <= until);
  const limited = last !== undefined && wasLimited && !isVainLast;
  if (limited && isHonest(evidence)) return 'status would have told, asked about fewer';
  // A request of nothing but useless answers is no reason to stop asking at once.
  const isPatient =
    useful.length >= QUESTIONS ||
    (useful.length > 0 && sinceAnswer.length >= QUESTIONS) ||
    until - settledAt >= PATIENCE;
  return isPatient ? undefined : `it was asked about ${useful.length} times after it had settled`;
}
