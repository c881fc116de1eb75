import type { WireType } from '../contract/operations';
import type { Explanation, FailureCause } from './explanation';
import { quote } from './explanation';
import { findTextEntry } from './gateway-texts';
import { statusEntry } from './http-statuses';
import { connectionLostEntry, TIMEOUT, tlsEntry, unreachableEntry } from './network';
import type { Problem } from './problem';

export type { Explanation } from './explanation';

/**
 * The one catalogue of what goes wrong: from what the gateway or the network says to what it means and what to do
 * (gateway-api.md, "Errors"). Texts that it has no entry for are passed on as they are. Never throws, and puts
 * nothing into its answer but the words and codes of the problem.
 */
export function explain(problem: Problem): Explanation {
  switch (problem.kind) {
    case 'envelope':
      return refusal(problem.text, undefined, problem.status);
    case 'item':
      return refusal(problem.text, problem.wireType);
    case 'http':
      return fromStatus(problem.status, problem.retryAfter);
    case 'notGateway':
      return notGateway(problem.contentType, problem.status);
    case 'blocked':
      return {
        code: 'blocked',
        message: `n8n did not make the request: ${quote(problem.text)}`,
        description:
          "The settings of this n8n, or the addresses in the credential, don't allow it. Check 'Base URL' and 'Async URL' of the credential; ask whoever runs n8n if they are right.",
        retry: 'never',
        stop: true,
      };
    case 'unreachable':
      return titled(unreachableEntry(problem.code));
    case 'tls':
      return titled(tlsEntry(problem.code));
    case 'timeout':
      return titled(TIMEOUT);
    case 'connectionLost':
      return titled(connectionLostEntry(problem.code));
    case 'lengthMismatch':
      return {
        code: 'length-mismatch',
        message: `The gateway gave ${problem.received} results for ${problem.sent} operations`,
        description: "It can't be told which result belongs to which item.",
        retry: 'afterStatusCheck',
      };
    case 'idMismatch':
      return {
        code: 'id-mismatch',
        message: 'The gateway gave results for other messages than those that were sent',
        description: 'The ids in the answer are not the ids of the request.',
        retry: 'afterStatusCheck',
      };
    case 'unknownOutcome':
      return {
        code: 'unknown-outcome',
        message: 'It is not known whether the gateway took this message',
        description: 'An earlier try ended without an answer, and the gateway could not be asked about it.',
        retry: 'afterStatusCheck',
      };
    case 'cancelled':
      return {
        code: 'cancelled',
        message: 'The execution was stopped before this item was sent',
        description: 'Run the workflow again to send it.',
        retry: 'safe',
        stop: true,
      };
  }
}

const titled = ({ title, ...entry }: Omit<Explanation, 'message'> & { title: string }): Explanation => ({
  ...entry,
  message: title,
});

function refusal(text: string, wireType?: WireType, status?: number): Explanation {
  const words = text.trim() === '' ? 'no reason given' : text;
  const entry = findTextEntry({ text: words, wireType });
  if (entry !== undefined) {
    const { code, title, description, failure, retry, accepted, stop } = entry;
    return {
      code,
      message: `${title}: ${quote(words)}`,
      description: typeof description === 'string' ? description : description({ text: words, wireType }),
      ...(failure && { failure }),
      retry,
      ...(accepted && { accepted }),
      ...(stop && { stop }),
    };
  }
  // A real HTTP code says something where the words don't; a 5xx with words is a refusal like any other.
  if (status !== undefined && status >= 300 && status < 500) {
    const { title, ...known } = statusEntry(status);
    return { ...known, message: `${title} (HTTP ${status}): ${quote(words)}` };
  }
  return {
    code: 'refused',
    message: `The gateway refused ${wireType === undefined ? 'the request' : 'this operation'}: ${quote(words)}`,
    description:
      "These are the gateway's own words. Check the parameters that they name; if they don't help, ask the gateway's support and quote them.",
    retry: 'never',
  };
}

function fromStatus(status: number, retryAfter?: number): Explanation {
  const { title, ...entry } = statusEntry(status);
  const explanation: Explanation = { ...entry, message: `${title} (HTTP ${status})` };
  const { failure } = explanation;
  if (retryAfter === undefined || failure === undefined || !isTimed(failure)) return explanation;
  const seconds = Math.ceil(retryAfter);
  return {
    ...explanation,
    description: `${explanation.description} The server asks to wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    failure: { ...failure, retryAfterMs: seconds * 1000 },
  };
}

type TimedFailure = Extract<FailureCause, { retryAfterMs?: number }>;

const isTimed = (failure: FailureCause): failure is TimedFailure =>
  failure.cause !== 'credential-invalid' && failure.cause !== 'configuration-invalid';

function notGateway(contentType = '', status?: number): Explanation {
  const media = contentType.split(';')[0].trim().toLowerCase();
  const unnamed = media === '' || media.includes('json') ? 'something else' : quote(media);
  const what = media.includes('html') ? 'a web page' : unnamed;
  const code = status === undefined || status === 200 ? '' : ` (HTTP ${status})`;
  return {
    code: 'not-gateway',
    message: `The answer is not the gateway's: ${what} came back${code}`,
    description: `Either 'Base URL' or 'Async URL' of the credential names another server or a wrong path, or a proxy on the way answered.`,
    retry: 'afterStatusCheck',
  };
}
