/** What the node promises, checked against what the model gateway took. */
import { isClosing, judgeEffort } from './effort.mts';
import type { Case, Evidence, Question, Sending } from './evidence.mts';
import {
  idOf,
  isCompared,
  isGivenUp,
  isProvenAbsent,
  isSameTry,
  isThere,
  keyOf,
  runOf,
  saidOf,
  stateOf,
  wasSaidToBeTaken,
} from './evidence.mts';
import type { RequestRecord, Take, Told } from './exchange.mts';
import type { NodeRun, Try } from './n8n.mts';
import { API_KEY } from './n8n.mts';
import { isBroken, isFarAway, isMuddled, isPutOff, isSpent, openQuestion } from './open-questions.mts';
import type { Check } from './outcome.mts';
import { judgeOutput } from './outputs.mts';
import { judgeProtocol } from './protocol.mts';
import { judgeDepartures, judgeHints, judgeRepeatedKeys, judgeSecondChance } from './send-once.mts';
import type { GatewayTraits, ItemPlan } from './scenario.mts';
import { isBad, isPeaceful, isUnprovable, MARKER } from './scenario.mts';
import { TOO_FAST, TOO_MANY_IDS } from './status-desk.mts';
import { judgeWording } from './wording.mts';
import { ACCESS_DENIED, isFaultWords, namesDuplicate, PLAIN_FAULTS } from './words.mts';

export function judgeSending(evidence: Evidence, check: Check): void {
  judgeTakes(evidence, check);
  judgeProtocol(evidence, check);
  judgeMemory(evidence, check);
  judgeDepartures(evidence, check);
  for (const run of evidence.runs) {
    judgeOutput(evidence, run, check);
    for (const one of casesOf(run)) {
      judgeTruth(evidence, one, check);
      judgeWording(evidence, one, check);
    }
    judgeArrival(evidence, run, check);
    judgeRepeatedKeys(evidence, run, check);
    judgeSecondChance(evidence, run, check);
    judgeHints(evidence, run, check);
    judgeSleep(evidence, run, check);
    judgeSecrecy(run, check);
    judgeEffort(evidence, run, check);
  }
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
        where: `item ${item} (${plan.phone}, id ${idOf(result)}), execution ${run.origin.execution}, try ${attempt + 1}`,
      };
    }),
  );
}

/** By the node's doing: a request that something on the way repeats is one. */
function judgeTakes(evidence: Evidence, check: Check): void {
  for (const [key, list] of evidence.takes) {
    // What was forgotten, and what came before it, count no more.
    const from = list.findLastIndex(
      (take, i) =>
        i > 0 &&
        (isForgotten(evidence, list[i - 1], take) ||
          isRefusedAndOld(evidence, key, list[i - 1], take.request)),
    );
    const kept = list.slice(Math.max(0, from));
    const requests = [...new Set(kept.map(({ request }) => request.number))];
    const words = `${key} was taken by #${requests.join(' and #')}; ${list[0].request.fault || 'nothing went wrong'}`;
    const retries = list.filter(({ request }) => request.origin.isBlind);
    const isBlind = retries.some(({ request }) =>
      list.some((take) => isUnseen(evidence, request.origin, take)),
    );
    check('never twice', isBlind || requests.length <= 1, words);
  }
}

/**
 * Whether the gateway had forgotten what it took when it took it once more, and nobody could notice: where it was asked in
 * the same try about a message of which it had said by itself that it took it, it didn't know that one either.
 */
function isForgotten({ scenario, gateway }: Evidence, before: Take, { request }: Take): boolean {
  const { restartsAt = Infinity } = scenario.gateway;
  const restartedAt = scenario.startsAt + restartsAt;
  if (before.at >= restartedAt || request.leftAt < restartedAt) return false;
  // What a queue took may be unknown for a while, and shows nothing.
  const { acknowledges } = scenario.gateway;
  return !gateway.requests.some(
    ({ origin, number, endpoint, fault, results = [] }) =>
      endpoint === 'sync' &&
      !acknowledges &&
      isSameTry(origin, request.origin) &&
      // A damaged answer isn't heard, and what is only acknowledged shows nothing, like what a queue took.
      !/^(damaged|acknowledged)/.test(fault) &&
      results.includes(true) &&
      // Taken before it, and not once more after it: a request may be worked on later, or arrive twice.
      gateway.takes.some((take) => take.request.number === number) &&
      gateway.takes.every((take) => take.request.number !== number || take.at < restartedAt),
  );
}

/**
 * Whether the gateway refused in words what it took, never told of it, and had forgotten it when a Retry asked about it a
 * day or more later: nobody can tell that from what it refused, which is sent again once it is proven absent.
 */
function isRefusedAndOld(
  evidence: Evidence,
  key: string,
  before: Take,
  { origin, leftAt, number }: Pick<RequestRecord, 'origin' | 'leftAt' | 'number'>,
): boolean {
  const { sends, scenario, questions, runs } = evidence;
  const sending = sends.get(key)?.find((one) => one.request === before.request);
  const words = sending?.request.words ?? sending?.request.texts?.[sending.index];
  const isOld =
    leftAt - before.at >= scenario.gateway.status.memory &&
    origin.execution !== before.request.origin.execution;
  // Words of a fault that everybody recognizes are no refusal.
  const isPlainFault = PLAIN_FAULTS.some((fault) => words?.startsWith(fault));
  if (!isOld || sending === undefined || !isRefusedInWords(sending) || isPlainFault) return false;
  const asked = (questions.get(before.id) ?? []).filter((one) => one.request.number < number);
  // What is forgotten stays so: a later try of the same Retry may hear of what became of it since.
  const [from] = runOf(runs, origin)?.tries[0]?.requests ?? [Infinity];
  // Words that nobody knows may be said of any id, unless one is asked about beside it that nobody sent.
  const isTold = ({ told, request }: Question): boolean =>
    isThere(told) && (told !== 'unlisted' || isCompared(evidence, request));
  // Words that sound like those of a fault are those of an absence where they stay the same.
  const isSame = ({ told, request }: Question): boolean =>
    told === 'useless' && request.fault === '' && request.number > from;
  const isVague = scenario.gateway.status.absence.isDubious && asked.filter(isSame).length > 1;
  return !asked.some(isTold) && (isVague || isProvenAbsent(evidence, asked, from));
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
  const startedAt = runOf(runs, retry)?.tries[0]?.startedAt ?? Infinity;
  const toldAt = Math.max(knownAt, at + scenario.gateway.status.pending.for);
  return request.fault.startsWith('acknowledged') && startedAt < toldAt;
}

/** What each try said of its items is true. */
function judgeTruth(evidence: Evidence, one: Case, check: Check): void {
  const { state, where, key, outcome } = one;
  const until = outcome.requests[1];
  const taken = evidence.takes.get(key)?.find(({ request }) => request.number <= until);
  if (state === 'unknown') {
    const why = openQuestion(evidence, one);
    return check('unknown only where it must be', why === undefined, `${where}: ${why}`);
  }
  if (state === 'accepted') {
    const isTaken = taken !== undefined && taken.at <= outcome.endedAt;
    const isTrue =
      isTaken || isPromised(evidence, one) || isRecognised(evidence, one) || isToldAsFailed(evidence, one);
    return check('accepted is true', isTrue, `${where} is accepted and was not taken`);
  }
  if (taken === undefined) return judgeKnown(evidence, one, check);
  if (state !== 'invalid' && (isBelieved(evidence, one) || isRefusedAndForgotten(evidence, one))) return;
  if (isLost(evidence, taken, outcome)) return;
  const { origin } = one.run;
  // What left again after such a proof, and didn't get there, is not sent as far as anybody can know.
  const now = { origin: { ...origin, attempt: one.attempt }, leftAt: outcome.endedAt, number: until + 1 };
  const takes = (evidence.takes.get(key) ?? []).filter(({ request: { number } }) => number <= until);
  if (takes.every((take) => isRefusedAndOld(evidence, key, take, now))) return;
  if (origin.isBlind && isUnseen(evidence, origin, taken)) return;
  const { number, fault } = taken.request;
  const words = `${where} is ${state} and was taken by #${number}; ${fault || 'nothing went wrong'}`;
  check(`${state} is true`, false, words);
}

/** Whether the gateway said that it has it: a queue may take it later. */
const isPromised = ({ sends }: Evidence, { key }: Case): boolean =>
  sends.get(key)?.some((sending) => saidOf(sending) === true) === true;

/**
 * Whether an item was rightly recognised as sent before with the same id. Where this execution may have sent it too,
 * nobody can tell the one from the other.
 */
function isRecognised({ takesById, sends }: Evidence, { key, result, outcome }: Case): boolean {
  const sent = sends.get(key) ?? [];
  const isKnown = takesById.has(sent[0]?.id ?? idOf(result));
  const isMarked = 'jsons' in result && result.jsons[0]?.duplicate === true;
  // What an earlier try sent may have been taken whatever was said of it.
  const isOpen = (sending: Sending): boolean =>
    saidOf(sending) === undefined || sending.request.number <= outcome.requests[0];
  const isDoubtful = sent.some((sending) => isOpen(sending) && sending.request.ending !== 'before');
  return isKnown && (isMarked || isDoubtful);
}

/** Whether the gateway wrote down that it wasn't delivered what it had refused, and the node passes that on. */
function isToldAsFailed({ questions, sends }: Evidence, { key, result, run, outcome }: Case): boolean {
  // A code doesn't show it.
  const { outcome: shown = run.plan.node.operation === 'send' ? 'failed' : undefined } =
    ('jsons' in result ? result.jsons[0] : result.json) ?? {};
  const id = sends.get(key)?.[0]?.id ?? idOf(result);
  const isLogged = questions.get(id)?.some(({ told }) => told === 'logged' || told === 'rejected');
  const last = lastOf(sends.get(key), outcome);
  const words = last?.request.words ?? last?.request.texts?.[last.index];
  // Words of a fault say nothing, those of a queue not yet, and those of an execution before nothing any more, since another
  // Retry of it may have sent it.
  const isRefused =
    last !== undefined &&
    words !== undefined &&
    words !== ACCESS_DENIED &&
    !isFaultWords(words) &&
    !namesDuplicate(words) &&
    last.request.ending === 'answered' &&
    // Whatever comes with such a code asks for patience.
    last.request.statusCode !== 429 &&
    last.request.endpoint === 'sync' &&
    last.request.origin.execution === run.origin.execution &&
    isRefusedInWords(last);
  return shown === 'failed' && isLogged === true && !isRefused;
}

/** How a message left last, up to the end of a try. */
const lastOf = (sent: readonly Sending[] | undefined, { requests }: Try): Sending | undefined =>
  sent?.findLast(({ request }) => request.number <= requests[1]);

/** Whether the gateway itself refused it where it left, alone or with its request. */
const isRefusedInWords = (sending: Sending): boolean =>
  saidOf(sending) === false || sending.request.words !== undefined;

/** A row with an id that was sent before, which `status` knows, and which is refused. */
function judgeKnown(
  { sends, questions }: Evidence,
  { key, state, outcome, where }: Case,
  check: Check,
): void {
  const [sent] = sends.get(key) ?? [];
  if (sent === undefined || state === 'invalid') return;
  const [from, until] = outcome.requests;
  const known = questions.get(sent.id)?.find(
    ({ request: { number, fault }, told: what }) =>
      // Of an answer to too many ids nobody knows how much of it is one.
      number > from && number <= until && what === 'known' && fault !== TOO_MANY_IDS,
  );
  const words = `${where} is ${state}, and #${known?.request.number} said that it is known`;
  check('what is known is not refused', known === undefined, words);
}

/**
 * Whether the gateway's own words for a row that it took, or for its request, which say "refused", had to be believed: it
 * was asked about after that, and `status` could not tell. Words of a fault are no refusal.
 */
function isBelieved(evidence: Evidence, { key, run, outcome }: Case): boolean {
  const { sends, questions, scenario, takes, gateway } = evidence;
  const list = (sends.get(key) ?? []).filter(
    ({ request: { number, ending, words } }) =>
      number <= outcome.requests[1] && ending !== 'before' && words !== ACCESS_DENIED,
  );
  const last = list[list.length - 1];
  if (last === undefined || !isRefusedInWords(last)) return false;
  // What an answer about too many ids says of some, the next one says again.
  const heard = questionsAfter(questions, last, outcome).filter(({ isHeard }) => isHeard);
  // It is there in words that nobody knows, as what was refused may be.
  if (heard.some(({ told }) => told === 'unlisted' || told === 'failed')) return true;
  const isSaid = ({ told, request: { fault } }: Question): boolean =>
    fault !== TOO_MANY_IDS || told === 'useless' || told === 'logged';
  const asked = heard.filter(isSaid);
  const { lacks, memory } = scenario.gateway.status;
  const isGone = outcome.endedAt - Math.min(...(takes.get(key) ?? []).map(({ at }) => at)) >= memory;
  if (lacks.includes(last.request.operations[last.index].type) || run.stopsAt <= outcome.endedAt || isGone)
    return true;
  const { endpoint, words } = last.request;
  const text = words ?? last.request.texts?.[last.index] ?? '';
  // A queue that refuses a request may have begun with it.
  if (endpoint === 'async' && words !== undefined) return false;
  // An id that nobody else can have sent is refused as a duplicate of this very message.
  if (namesDuplicate(text) && run.plan.items.every(({ messageId }) => messageId === undefined)) return false;
  if ((PLAIN_FAULTS as readonly string[]).includes(text)) return false;
  const later = gateway.requests
    .slice(last.request.number, outcome.requests[1])
    .filter(({ kind }) => kind === 'status');
  // Where no question at all is answered, or none of the same try, not every one has to be asked.
  const inItsTry = later.filter(({ origin }) => isSameTry(origin, last.request.origin));
  const isSilent = [later, inItsTry].some(
    (some) => some.length > 0 && some.every(({ told: all = [] }) => all.every((what) => what === 'useless')),
  );
  const made = gateway.requests.slice(...outcome.requests);
  // Before that, `status` would have had nothing to tell of it.
  const { pending } = scenario.gateway.status;
  const isTooSoon = (takes.get(key) ?? []).every(
    ({ at, knownAt }) => outcome.endedAt < Math.max(knownAt, at + pending.for),
  );
  const isAsked =
    asked.length > 0 ||
    isTooSoon ||
    isFarAway(scenario, made) ||
    isPutOff(made, endpoint, last.request) ||
    isSilent ||
    isSpent(evidence, made);
  return isAsked && asked.every(({ told }) => SAYS_NO_MORE.includes(told));
}

/** What leaves a message refused that was refused in words. */
const SAYS_NO_MORE: readonly Told[] = ['useless', 'absent', 'rejected', 'logged'];

const questionsAfter = (
  questions: Evidence['questions'],
  { id, request }: Sending,
  { requests }: Try,
): Question[] =>
  (questions.get(id) ?? []).filter(
    ({ request: { number } }) => number > request.number && number <= requests[1],
  );

/** Whether the gateway has lost its log since it took a message. */
function isLost({ scenario }: Evidence, { at }: Take, { endedAt }: Try): boolean {
  const restartedAt = scenario.startsAt + (scenario.gateway.restartsAt ?? Infinity);
  return at < restartedAt && restartedAt <= endedAt;
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
    const { status, restartsAt = Infinity } = scenario.gateway;
    const restartedAt = scenario.startsAt + restartsAt;
    const isForgotten = at < restartedAt && restartedAt <= endedAt;
    return isRefused && (isForgotten || endedAt - at >= status.memory);
  });
}

/** A later try, and a Retry, tells the same of what was accepted. */
function judgeMemory({ runs }: Evidence, check: Check): void {
  const before = new Map<string, string>();
  for (const run of runs) {
    // n8n saved nothing of what a Retry of the same execution found out before.
    if (run.kind === 'retryAgain') continue;
    for (const { key: message, result, state, where, item } of casesOf(run)) {
      // Several items of a run may repeat one message.
      const key = `${message} ${item}`;
      const earlier = before.get(key);
      // While it waits, `status` may say something else of it each time.
      const said = run.plan.node.waits ? idOf(result) : JSON.stringify(result);
      const now = state === 'accepted' ? said : undefined;
      const isSame = earlier === undefined || earlier === now;
      check('accepted is remembered', isSame, `${where}: ${earlier}, then ${now ?? state}`);
      if (now !== undefined) before.set(key, now);
    }
  }
}

/** Whether an exchange broke, or ended with a code that may come from in front of a gateway that is at work. */
const hasFailed = ({ ending, results, statusCode = 200 }: RequestRecord): boolean =>
  ending === 'broken' || ending === 'late' || (results === undefined && statusCode >= 500);

/** The last request after which nothing new leaves, since three in a row broke; undefined where there is none. */
const lastBeforeEnd = (made: readonly RequestRecord[]): RequestRecord | undefined => {
  const sends = made.filter(({ kind }) => kind === 'send');
  return sends.findLast((_, i) => i >= 2 && sends.slice(i - 2, i + 1).every(hasFailed));
};

const isFiltered = ({ phone }: ItemPlan, filter: GatewayTraits['filter']): boolean =>
  filter !== undefined && phone.endsWith(filter.digits);

/** Whether `status` told anything of a message of which nobody knew before that it was taken. */
const tellsOfDoubt = (evidence: Evidence, { kind, told = [], operations, number }: RequestRecord): boolean =>
  kind === 'status' &&
  told.some((what, index) => {
    const { id } = operations[index];
    return what !== 'useless' && evidence.rowIds.has(String(id)) && !wasSaidToBeTaken(evidence, id, number);
  });

/** What a gateway that seldom fails has to get: everything but what it refuses, and that with its words. */
function judgeArrival(evidence: Evidence, run: NodeRun, check: Check): void {
  const { scenario, sends, gateway } = evidence;
  if (!isPeaceful(scenario.profile) || run.origin.execution > 0) return;
  const last = run.tries[run.tries.length - 1];
  const made = gateway.requests.slice(...last.requests);
  if (made.some(({ words }) => words === ACCESS_DENIED) || isGivenUp(made, scenario.gateway.funds)) return;
  const { filter, funds, limiter, log } = scenario.gateway;
  if (limiter) return;
  // What is filtered before anything was accepted may mean that everything is.
  const firstFiltered = made.find(({ fault }) => fault.startsWith('filtered'));
  const isClosed =
    firstFiltered !== undefined &&
    !made.some(({ results = [], number }) => results.includes(true) && number < firstFiltered.number);
  if (isClosed) return;
  const end = lastBeforeEnd(made);
  for (const one of casesOf({ ...run, tries: [last] })) {
    const { state, plan, where } = one;
    if (state === 'accepted' || state === 'invalid') continue;
    const sent = (sends.get(keyOf(run.origin.lineage, plan.phone)) ?? []).filter(
      ({ request: { number } }) => number <= last.requests[1],
    );
    const { request } = sent[sent.length - 1] ?? {};
    const isStopped = end !== undefined && sent.every(({ request: { number } }) => number <= end.number);
    if (state === 'notSent' && isStopped) continue;
    // A refusal of this message alone is what the gateway said of it.
    if (state === 'unknown' && openQuestion(evidence, one) === undefined) continue;
    // So is a code without words for a request that held it alone.
    const isAlone =
      request?.operations.length === 1 &&
      request.number > last.requests[0] &&
      (request.words !== undefined || /^(HTTP|filtered)/.test(request.fault));
    // Where nothing can be proven, nothing is sent again.
    const isOpen = plan.delivery === 'queued' || isUnprovable(run.plan.node);
    // What an earlier try left is tried anew.
    const isUnclear =
      sent.filter(({ request: one }) => isBroken(one) && one.number > last.requests[0]).length > 1;
    // Nothing leaves for as long as it asks for.
    if (state === 'notSent' && (made.some(isClosing) || isFarAway(scenario, made))) continue;
    if (isOpen || isUnclear || (isAlone && state !== 'unknown')) continue;
    if (sent.some(({ request: { ending } }) => ending === 'late')) continue;
    // What was not delivered may be called refused.
    if (evidence.takes.get(one.key)?.some(({ failure }) => failure !== undefined)) continue;
    if (
      (isBad(plan) || isFiltered(plan, filter)) &&
      (state !== 'unknown' || openQuestion(evidence, one) === undefined)
    )
      continue;
    const departure = sent.at(-1);
    const text = request?.words ?? departure?.request.texts?.[departure.index];
    // There was no money for it; or it was known as refused, in words that leave open what that means.
    if (state !== 'unknown' && text !== undefined && text === funds?.words) continue;
    if (state !== 'unknown' && log.isDuplicate) continue;
    const asked =
      departure === undefined
        ? (evidence.questions.get(idOf(one.result)) ?? []).filter(
            ({ request: { number } }) => number <= last.requests[1],
          )
        : questionsAfter(evidence.questions, departure, one.outcome);
    if (asked.some(({ told }) => told === 'logged' || told === 'unlisted')) continue;
    // What has a key, and what was refused with others, leaves when `status` has said twice that it lacks it: it was asked,
    // and answers only so often. Where it answers one id at a time, what comes before takes all the time that there is.
    const isSingle = (scenario.gateway.status.limit?.ids ?? Infinity) < 3;
    const questions = isSingle ? made : asked.map(({ request: question }) => question);
    const isPaced = questions.some(({ fault }) => fault === TOO_FAST);
    if (state !== 'unknown' && isPaced && !isProvenAbsent(evidence, asked, last.requests[0])) continue;
    // Nor may it leave as long as it is answered otherwise than what nobody sent, in a field of few values.
    const clear = asked.filter(({ request: question }) => !isMuddled(evidence, question, idOf(one.result)));
    const isUnclearYet = clear.length < asked.length && !isProvenAbsent(evidence, clear, last.requests[0]);
    if (state !== 'unknown' && isUnclearYet) continue;
    // Nobody waits longer than half an hour in all, and than two minutes for a `status` that tells nothing of what is in
    // question (docs/bulk.md): not even for it to be found out how many ids it answers.
    const lastSent = made.findLastIndex(({ kind, endpoint }) => kind === 'send' && endpoint === 'sync');
    const queuedFrom = made.findIndex(
      ({ kind, endpoint }, i) => i > lastSent && kind === 'send' && endpoint === 'async',
    );
    const own = made.slice(0, queuedFrom < 0 ? undefined : queuedFrom);
    const lastTold = own.findLastIndex(
      (request) => request.fault !== TOO_MANY_IDS && tellsOfDoubt(evidence, request),
    );
    if (state !== 'unknown' && (isSpent(evidence, made) || isPutOff(own.slice(lastTold + 1), 'sync')))
      continue;
    // What was refused while its exchange broke doesn't leave again.
    if (state === 'refused' && asked.some(({ told }) => told === 'rejected')) continue;
    check('everything arrives', false, `${where} is ${state}, not ${isBad(plan) ? 'refused' : 'accepted'}`);
  }
}

/** Nobody sleeps for messages of which the gateway says that it took none, and nobody's question stays open. */
function judgeSleep(evidence: Evidence, { tries, plan, origin }: NodeRun, check: Check): void {
  for (const [attempt, outcome] of tries.entries()) {
    if (outcome.asleepUntil === undefined) continue;
    const isOpen = plan.items.some(({ phone }) => {
      const key = keyOf(origin.lineage, phone);
      const sent = evidence.sends.get(key) ?? [];
      const id = sent[0]?.id;
      // What had a key may have been taken before, and what is unknown may yet be taken.
      const isTaken = evidence.takes.has(key) || (id !== undefined && evidence.takesById.has(id));
      return (
        isTaken || sent.some((sending) => saidOf(sending) === true) || isKeyedBefore(evidence, plan, phone)
      );
    });
    const words = `${plan.node.operation}, execution ${origin.execution}, try ${attempt + 1}, sleeps, and nothing was taken`;
    check('sleeps for what was taken', isOpen, words);
  }
}

/** Whether another execution sent a row of this number, under a key. */
const isKeyedBefore = ({ takes }: Evidence, { node }: NodeRun['plan'], phone: string): boolean =>
  node.options.sendOnceKey !== undefined && [...takes.keys()].some((key) => key.endsWith(`/${phone}`));

/** Neither texts nor the key get where they don't belong. */
function judgeSecrecy({ tries, plan }: NodeRun, check: Check): void {
  for (const [attempt, { memory, items, error }] of tries.entries()) {
    const output = JSON.stringify([items, error, error?.message, error?.description, error?.context]);
    // A question is kept until it is answered.
    const isText = memory.includes(MARKER) && plan.node.operation !== 'sendAndWait';
    const inMemory = isText || memory.includes(API_KEY);
    check('nothing is kept', !inMemory, `try ${attempt + 1} leaves a text or the key behind`);
    check('the key is kept', !output.includes(API_KEY), `try ${attempt + 1} passes on the key`);
  }
}
