import type { AddressField } from '../contract/credential';
import { credentialLabel } from '../contract/credential';
import { lengthOfTime, quote } from '../text/phrases';
import type { Entry, MatchedEntry } from './entries';
import { NO_REASON_GIVEN, REFUSED, statusEntry, TEXT_ENTRIES, WITHOUT_REASON } from './entries';
import type { Explanation, Policy, Problem } from './problem';
import { CONNECTION_ENTRIES, KIND_ENTRIES, STOPPED, TOO_LONG } from './wordless-entries';

/** Parts of an explanation that differ from one request to another. */
export interface Circumstances {
  /** The service that answers at the address in question; `gateway` if left out. */
  service?: 'gateway' | 'connector';

  /** The credential's field with that address; `baseUrl` if left out. */
  address?: AddressField;

  /** The sender of the message in question, such as `the sender "Shop" (SMS)`, where the message has exactly one. */
  sender?: string;

  /** Whether the operation may have been carried out: then no text says to run it again. */
  isInDoubt?: boolean;
}

/**
 * Explains a problem: what it means, and what to do (gateway-api.md, "Refusals"). A refusal without an entry is passed on as it
 * is. Never throws, and returns nothing but texts of the entries and the words and codes of the problem.
 */
export function explain(problem: Problem, circumstances: Circumstances = {}): Explanation {
  const { title, advice, todo, again, failure } = entryOf(problem);
  const {
    service = 'gateway',
    address = 'baseUrl',
    sender = 'the sender',
    isInDoubt = false,
  } = circumstances;
  const filled = (text: string) =>
    text
      .replaceAll('{service}', service)
      .replaceAll('{address}', credentialLabel(address))
      .replace('{sender}', () => sender);
  const { retryAfter, code } = problem as { retryAfter?: number; code?: string };
  const isPassing = failure !== undefined && !failure.cause.endsWith('-invalid');
  const seconds = isPassing && retryAfter ? Math.ceil(retryAfter) : undefined;
  const onceMore =
    seconds === undefined
      ? again
      : `The server asks to wait ${lengthOfTime(seconds)}: run it again after that.`;
  const sentences = [isInDoubt ? '' : onceMore, filled(advice), code === undefined ? '' : `Code: ${code}.`];
  return {
    ...(failure && {
      failure: { ...failure, ...(seconds !== undefined && { retryAfterMs: 1000 * seconds }) },
    }),
    message: `${filled(title)}${detailOf(problem)}`,
    description: sentences.filter(Boolean).join(' '),
    todo: seconds === undefined ? filled(todo) : `run it again after ${lengthOfTime(seconds)}`,
  };
}

/** Returns what a problem means to a client: its explanation without the texts. Never throws. */
export const policyOf = (problem: Problem): Readonly<Policy> => entryOf(problem);

function entryOf(problem: Problem): Entry {
  switch (problem.kind) {
    case 'request':
    case 'operation':
      return refusal(problem);
    case 'unreachable':
      // The last entry fits every code.
      return CONNECTION_ENTRIES.find(({ match }) => match.test(problem.code)) as Entry;
    case 'connectionLost':
      return problem.code === 'ERR_CANCELED' ? STOPPED : KIND_ENTRIES.connectionLost;
    case 'notGateway':
      return problem.isTooLong ? TOO_LONG : KIND_ENTRIES.notGateway;
    default:
      return KIND_ENTRIES[problem.kind];
  }
}

type Refused = 'request' | 'operation';

function refusal({ kind, text, status = 200 }: { kind: Refused; text: string; status?: number }): Entry {
  const known = findTextEntry(text, kind);
  if (known !== undefined) return known;
  if (status >= 300) return statusEntry(status);
  return WITHOUT_REASON.test(text) ? NO_REASON_GIVEN : REFUSED;
}

/** Characters of a refusal in which an entry's words are looked for: refusals begin with what they are about. */
const LOOKED_AT = 1000;

/**
 * Returns the first entry that explains a refusal, if one does. An operation is refused in an accepted request: no entry with
 * `wholeRequest` explains that.
 */
export function findTextEntry(text: string, kind: Refused = 'request'): MatchedEntry | undefined {
  // Gateways write names of fields with underscores, beside which a pattern would find no end of a word.
  const words = text.trim().slice(0, LOOKED_AT).replaceAll('_', ' ');
  const entries = kind === 'request' ? TEXT_ENTRIES : TEXT_ENTRIES.filter((entry) => !entry.wholeRequest);
  return entries.find(({ match }) => match.test(words));
}

/** Returns the words and codes of a problem that stand behind its title. */
function detailOf(problem: Problem): string {
  const parts: string[] = [];
  if ('status' in problem && problem.status !== undefined && problem.status !== 200)
    parts.push(` (HTTP ${problem.status})`);
  if (problem.kind === 'notGateway' && !problem.isTooLong)
    parts.unshift(`: ${whatCame(problem.contentType)} came back`);
  if ('text' in problem && problem.text?.trim()) parts.push(`: ${quote(problem.text)}`);
  return parts.join('');
}

/** Says what an answer of another shape is, by its media type: JSON and streams of events may hold anything. */
function whatCame(contentType = ''): string {
  const media = contentType.split(';', 1)[0].trim().toLowerCase();
  if (media.includes('html')) return 'a web page';
  return media === '' || media.includes('json') || media.includes('event-stream')
    ? 'something else'
    : quote(media);
}
