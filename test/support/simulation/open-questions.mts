/** When nobody can know what became of a message, so that "unknown" is the truth. */
import type { Evidence, Question, Sending } from './evidence.mts';
import { saidOf } from './evidence.mts';
import type { RequestRecord } from './gateway.mts';
import type { Case } from './invariants.mts';

/** Milliseconds after an answer until `status` knows what was taken. */
const LAG = 2000;
/** Milliseconds between two answers that prove an absence. */
const APART = 2000;
/** Milliseconds for which `status` is asked at least before it counts as unable to tell, and questions in that time. */
const PATIENCE = 8000;
const QUESTIONS = 3;
/** Milliseconds for which no gateway is asked to remember a message. */
const DAY = 86_400_000;

/** Returns why a message could have been known; undefined where it could not. */
export function openQuestion(evidence: Evidence, { key, run, outcome, plan }: Case): string | undefined {
  const { scenario, sends, questions } = evidence;
  const [from, until] = outcome.requests;
  const sent = (sends.get(key) ?? []).filter(({ request }) => request.number <= until);
  if (sent.length === 0) return 'it never left';
  const { operation } = run.plan.node;
  // Only the answer to a call has its code.
  if (operation === 'call') return undefined;
  const asked = (questions.get(sent[0].id) ?? []).filter(({ request }) => request.number <= until);
  const known = asked.find(({ told, request }) => told === 'known' && request.number > from);
  if (known) return `#${known.request.number} said that it is known`;
  if (run.stopsAt <= outcome.endedAt || plan.delivery === 'queued' || operation === 'sendPipeline')
    return undefined;
  if (sent.some(({ request: { ending } }) => ending === 'late' || ending === 'stopped')) return undefined;
  const doubtful = sent.filter((sending) => saidOf(sending) !== true && sending.request.ending !== 'before');
  if (doubtful.length === 0) return 'its exchanges were clear';
  const last = doubtful[doubtful.length - 1];
  const { endedAt = Infinity, ending } = last.request;
  if (outcome.endedAt - endedAt >= DAY) return undefined;
  const settledAt = endedAt + (ending === 'broken' ? scenario.gateway.settling : LAG);
  return whatWasAsked(evidence, last, {
    useful: asked.filter(({ request }) => request.leftAt >= settledAt),
    until: outcome.endedAt,
    settledAt,
  });
}

interface Asked {
  /** Questions since it had settled. */
  useful: Question[];
  settledAt: number;
  until: number;
}

function whatWasAsked(
  evidence: Evidence,
  last: Sending,
  { useful, settledAt, until }: Asked,
): string | undefined {
  const { gateway } = evidence;
  // Useful is an answer to a question with an id in it that was certainly never sent.
  const hasControl = ({ operations }: RequestRecord): boolean =>
    operations.some(({ id }) => !evidence.sentIds.has(String(id)));
  let since: number | undefined;
  for (const { told, request } of useful) {
    if (told !== 'absent' || !hasControl(request)) since = undefined;
    else if (since !== undefined && request.leftAt - since >= APART)
      return `#${request.number} said once more that it is absent`;
    else since ??= request.leftAt;
  }
  const { absence, spans, faultRate } = gateway.traits.status;
  if (absence.form === 'whole' && spans.length === 0 && faultRate === 0) {
    // The request is refused because of an id that nobody knows; without that, all of these are known.
    const isWhole = last.request.operations.every(({ id }) => gateway.known(id));
    if (isWhole) return 'a question without an id that nobody knows would have told';
  }
  // A request of nothing but useless answers is no reason to stop asking at once.
  const isPatient = useful.length >= QUESTIONS || until - settledAt >= PATIENCE;
  return isPatient ? undefined : `it was asked about ${useful.length} times after it had settled`;
}
