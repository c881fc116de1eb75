import { credentialLabel } from '../contract/credential';
import { explain } from '../errors/catalogue';
import type { Explanation } from '../errors/problem';
import type { Words } from '../errors/words';
import { CONNECTOR_WORDS, nameOf } from '../errors/words';
import { quote } from '../text/phrases';
import { RPC_CODES } from './answer';
import { statusOf } from './client';
import type { ConnectorProblem } from './transport';

const isSilent = (text: string): boolean => text.trim() === '';

/** In quotes stands nothing that the connector did not say. */
const said = (text: string): string => (isSilent(text) ? 'no reason given' : quote(text));

/**
 * What a problem with the assistant connector means and what to do. Never throws, and returns nothing but words of
 * the catalogue and the words and codes of the problem.
 * @param words how the texts name what they point to
 */
export function explainConnector(
  problem: ConnectorProblem,
  words: Words = CONNECTOR_WORDS,
): Pick<Explanation, 'message' | 'description' | 'failure'> {
  const status = statusOf(problem);
  const isMute = problem.kind === 'rpc' && isSilent(problem.message);
  const text = problem.kind === 'rpc' ? said(problem.message) : `HTTP ${status}`;
  if (status === 401 || status === 403) {
    return {
      message: `The connector did not accept the API key (${text})`,
      description: `Check ${credentialLabel('apiKey')} in the credential, and whether the API is switched on in your gateway account (Settings → API).`,
      failure: { cause: 'credential-invalid' },
    };
  }
  if (problem.kind === 'sessionLost') {
    return {
      message: 'The connector dropped its session, and the new one as well',
      description:
        'Nothing was done in the lost sessions. The connector may run on several servers that do not share their sessions: ask whoever runs it, or run it again later.',
      failure: { cause: 'temporarily-unavailable' },
    };
  }
  if (problem.kind !== 'rpc') return explain(problem, words);
  const quoted = problem.code === undefined ? text : `${text} (JSON-RPC code ${problem.code})`;
  if (problem.code === RPC_CODES.invalidParams) {
    return {
      message: `The connector did not accept the tool or its arguments: ${quoted}`,
      description: `Check ${nameOf(words, ['tool'], 'the tool')} and ${nameOf(words, ['arguments'], 'the arguments')}: the connector's list of tools shows the arguments of each tool.`,
    };
  }
  if (problem.code === RPC_CODES.unknownMethod) {
    return {
      message: `The connector doesn't know this method: ${quoted}`,
      description: 'It may be an older version. A tool can still be called by its name.',
    };
  }
  return {
    message: `The connector refused the request: ${quoted}`,
    description: isMute
      ? "Ask the gateway's support."
      : "This is the connector's own text. If it doesn't help, ask the gateway's support and quote it.",
  };
}
