import type { WireType } from '../contract/operations';
import { counted, quote, withReason } from '../text/phrases';
import { statusEntry } from './http-statuses';
import { connectionEntry, TIMEOUT } from './network';
import type { Entry, Explanation, Policy, Problem } from './problem';
import { isBeyondPatience } from './retry-after';
import { findTextEntry } from './text-entries';
import type { Words } from './words';
import { addressLabels, ASK_SUPPORT, nameOf, PLAIN_WORDS } from './words';

/**
 * The one catalogue of what goes wrong: what the words of the gateway, or of the network, mean and what to do
 * (gateway-api.md, "Refusals"). Refusals without an entry are passed on as they are. Never throws, and returns nothing
 * but words of the catalogue and the words and codes of the problem.
 * @param words how the texts name what they point to
 */
export function explain(problem: Problem, words: Words = PLAIN_WORDS): Explanation {
  const { title, description, code, failure, account } = entryOf(problem);
  return {
    code,
    message: title(words),
    description: description(words),
    ...(failure && { failure }),
    ...(account && { account }),
  };
}

/** What a problem means to a client: the part of its explanation that needs no words. Never throws. */
export const policyOf = (problem: Problem): Readonly<Policy> => entryOf(problem);

function entryOf(problem: Problem): Entry {
  switch (problem.kind) {
    case 'envelope':
      return withWait(refusal(problem.text, undefined, problem.status), problem.retryAfter);
    case 'item':
      return refusal(problem.text, problem.wireType);
    case 'http':
      return withWait(httpEntry(problem.status), problem.retryAfter);
    case 'notGateway':
      return problem.isTooLong ? TOO_LONG : notGateway(problem.contentType, problem.status);
    case 'blocked':
      return {
        code: 'blocked',
        title: () => `n8n did not make the request: ${quote(problem.text)}`,
        description: (words) =>
          `The settings of this n8n, or the addresses in the credential, don't allow it. Check ${addressLabels(words, 'and')} in the credential; if that is right, ask whoever runs n8n.`,
      };
    case 'unreachable':
    case 'tls':
    case 'connectionLost':
      return connectionEntry(problem);
    case 'rejected':
      return {
        code: 'rejected',
        title: () =>
          problem.text === undefined
            ? 'The gateway rejected this message'
            : `The gateway rejected this message: ${quote(problem.text)}`,
        description: () =>
          "Its status is REJECTED. The gateway's answer to the send was lost, or named no reason: see your gateway account.",
      };
    case 'lengthMismatch':
      return {
        code: 'length-mismatch',
        title: () =>
          `The gateway returned ${counted(problem.received, 'result')} for ${counted(problem.sent, 'operation')}`,
        description: () => `Results can't be matched to items. ${ASK_SUPPORT}`,
      };
    default:
      return FIXED[problem.kind];
  }
}

/** The entries of problems that say nothing but what they are. */
const FIXED = {
  timeout: TIMEOUT,
  idMismatch: {
    code: 'id-mismatch',
    title: () => 'The gateway returned the results of other messages',
    description: () => `The ids in the answer are not those of the request. ${ASK_SUPPORT}`,
  },
  unknownOutcome: {
    code: 'unknown-outcome',
    title: () => 'The gateway may have taken this message before',
    description: () =>
      'An earlier try, or another Retry of the same execution, may have sent it, and nothing proves that the gateway does not have it.',
  },
  notTold: {
    code: 'not-told',
    title: () => "The gateway's status does not tell whether this message was sent before",
    description: (words) =>
      `${nameOf(words, ['sendOnceKey'], 'Its key')} lets a message leave only if the gateway answers that it does not have it. Run the workflow again later with the same key: what was sent is recognized then.`,
  },
  cancelled: {
    code: 'cancelled',
    title: () => 'The execution was stopped before this item was sent',
    description: () => 'Run the workflow again to send it.',
  },
} as const satisfies Record<string, Entry>;

function refusal(text: string, wireType?: WireType, status = 200): Entry {
  const byText = findTextEntry(text, wireType);
  if (byText) return { ...byText, title: (words) => `${byText.title(words)} (${quote(text)})` };
  const isMute = text.trim() === '';
  if (status >= 300) {
    const byStatus = httpEntry(status);
    return {
      ...byStatus,
      title: (words) => (isMute ? byStatus.title(words) : withReason(byStatus.title(words), text)),
    };
  }
  return {
    code: 'refused',
    title: () =>
      withReason(`The gateway refused ${wireType === undefined ? 'the request' : 'this operation'}`, text),
    description: () =>
      isMute
        ? "Ask the gateway's support, with the time and what was to be sent."
        : "This is the gateway's own text. Check the parameters that it mentions; if that doesn't help, ask the gateway's support and quote it.",
  };
}

function httpEntry(status: number): Entry {
  const known = statusEntry(status);
  return { ...known, title: (words) => `${known.title(words)} (HTTP ${status})` };
}

/** The entry of a problem that passes, with the seconds for which the server asks to be left alone. */
function withWait(entry: Entry, retryAfter: number | undefined): Entry {
  const { failure } = entry;
  if (retryAfter === undefined || failure === undefined || failure.cause.endsWith('-invalid')) return entry;
  const seconds = Math.ceil(retryAfter);
  const waiting: Entry = { ...entry, failure: { ...failure, retryAfterMs: seconds * 1000 } };
  if (!isBeyondPatience(retryAfter))
    return {
      ...waiting,
      description: (words) =>
        `${entry.description(words)} The server asks to wait ${counted(seconds, 'second')}.`.trimStart(),
    };
  return {
    ...waiting,
    title: () => `The server asks to wait ${inLargeUnits(seconds)} before the next request`,
    description: (words) =>
      `${entry.title(words)}.${words.isInDoubt ? '' : ' Run it again after that time.'}`,
  };
}

/** A time of more than two minutes, for people. */
const inLargeUnits = (seconds: number): string =>
  seconds <= 7200 ? counted(Math.ceil(seconds / 60), 'minute') : counted(Math.ceil(seconds / 3600), 'hour');

const TOO_LONG: Entry = {
  code: 'answer-too-long',
  title: ({ service }) => `The answer of the ${service} is too long to be read`,
  description: (words) =>
    `Nothing that a ${words.service} answers has this length. Check whether ${addressLabels(words, 'or')} in the credential names another server; if it is right, ask the gateway's support.`,
};

function notGateway(contentType = '', status?: number): Entry {
  const code = status === undefined || status === 200 ? '' : ` (HTTP ${status})`;
  return {
    code: 'not-gateway',
    title: ({ service }) => `The answer is not the ${service}'s: ${whatCame(contentType)} came back${code}`,
    description: (words) =>
      `Either ${addressLabels(words, 'or')} in the credential names another server or a wrong path, or a proxy in between answered. Correct the address; if it is right, ask whoever runs n8n about proxies.`,
  };
}

/** What an answer of another shape is, by its media type; JSON and streams of events may hold anything. */
export function whatCame(contentType: string): string {
  const media = contentType.split(';', 1)[0].trim().toLowerCase();
  if (media.includes('html')) return 'a web page';
  return media === '' || media.includes('json') || media.includes('event-stream')
    ? 'something else'
    : quote(media);
}
