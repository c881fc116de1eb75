/** What the error of an item says is true, and has the gateway's own words. */
import type { Case, Evidence } from './evidence.mts';
import type { RequestRecord } from './exchange.mts';
import type { Try } from './n8n.mts';
import type { Check } from './outcome.mts';
import { ACCESS_DENIED } from './words.mts';

/** Says that the gateway may have it. */
const DOUBT = /\bmay (yet )?have (accepted|taken|been)|\bunknown whether\b/i;
/** Names the case in which there is nothing else to quote. */
const REFUSED_BEFORE = /\brefused this message before\b/;
const DENIAL = /\bnot sent:|\bdid not accept this message\b/i;

export function judgeWording(
  evidence: Evidence,
  { run, result, state, key, outcome, where }: Case,
  check: Check,
): void {
  if (!('error' in result) || state === 'accepted' || state === 'invalid') return;
  // What is unknown of a call may be its code alone.
  if (run.plan.node.operation === 'call' || run.stopsAt <= outcome.endedAt) return;
  const { message, description } = result.error;
  const text = `${message} ${description}`;
  const isUnknown = state === 'unknown';
  const note = (holds: boolean, fault: string): void =>
    check('honest words', holds, `${where} is ${state} and ${fault}: ${text}`);
  note(!isUnknown || (DOUBT.test(text) && !DENIAL.test(text)), 'does not say that it is unknown');
  note(isUnknown || !DOUBT.test(text), 'says that it is unknown');
  // What has a key doesn't leave where `status` doesn't tell, whatever was said of it in an earlier try.
  const isHeldBack =
    run.plan.node.options.sendOnceKey !== undefined && !hasLeft(evidence, key, outcome.requests);
  const said = isHeldBack ? [] : wordsOf(evidence, { key, run, outcome });
  // Where the run was given up, it has the words that were the reason.
  const isThere =
    said.length === 0 || said.some((words) => text.includes(words)) || REFUSED_BEFORE.test(text);
  note(isUnknown || isThere, `has none of the gateway's words, the last being "${said[0]}"`);
  const isOwn = evidence.sends.get(key)?.some(({ request }) => isCode(request)) === true;
  note(isOwn || !/refused this message \(HTTP/.test(text), 'says that a code refused it');
}

/** Whether something in front of the gateway refused a request, without words. */
const isCode = ({ fault }: RequestRecord): boolean => /^(HTTP|filtered)/.test(fault);

const hasLeft = ({ sends }: Evidence, key: string, [from, until]: Try['requests']): boolean =>
  sends.get(key)?.some(({ request: { number } }) => number > from && number <= until) === true;

/** What the gateway said by itself, the last first: of a message and, as it may have ended the run, of others. */
function wordsOf(
  { sends, gateway }: Evidence,
  { key, run, outcome }: Pick<Case, 'key' | 'run' | 'outcome'>,
): string[] {
  const [from, until] = outcome.requests;
  const sent = (sends.get(key) ?? []).filter(({ request }) => request.number <= until);
  if (sent.length === 0) return [];
  const { request, index } = sent[sent.length - 1];
  // What was said before a Retry, another Retry may have changed.
  if (request.origin.execution !== run.origin.execution) return [];
  const own = request.words ?? request.texts?.[index];
  if (request.ending !== 'answered' || own === undefined || own.trim() === '') return [];
  const later = gateway.requests.slice(request.number, until);
  if (later.some(({ ending }) => ending === 'before')) return [];
  // It didn't leave in this try, which something may have ended that has no words.
  const isWordless = ({ ending, fault }: RequestRecord) =>
    ending !== 'answered' || fault.startsWith('damaged');
  if (request.number <= from && later.some(isWordless)) return [];
  // Results that refuse all rows alike end a run too.
  const others = later.flatMap((one) => [
    one.words,
    ...(one.texts ?? []),
    // So do codes without words.
    isCode(one) ? `HTTP ${one.statusCode}` : undefined,
  ]);
  // A refused key ends the run, whatever was said of a message before.
  const before =
    own === ACCESS_DENIED ? sent.map(({ request, index }) => request.words ?? request.texts?.[index]) : [];
  return [own, ...others, ...before].flatMap((words = '') => (words.trim() === '' ? [] : [words.trim()]));
}
