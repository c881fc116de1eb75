import { credentialLabel } from '../contract/credential';
import { explain, whatCame } from '../errors/catalogue';
import type { Explanation, Problem } from '../errors/problem';
import type { Words } from '../errors/words';
import { compareAddress, CONNECTOR_WORDS, nameOf, orNoReason, quote } from '../errors/words';
import { RPC_CODES } from './answer';
import type { ConnectorProblem } from './transport';

type ConnectorExplanation = Pick<Explanation, 'message' | 'description' | 'failure'>;

/**
 * What a problem with the assistant connector means and what to do. Never throws, and returns nothing but words of
 * the catalogue and the words and codes of the problem.
 * @param words how the texts name what they point to
 */
export function explainConnector(
  problem: ConnectorProblem,
  words: Words = CONNECTOR_WORDS,
): ConnectorExplanation {
  switch (problem.kind) {
    case 'transport':
      return fromTransport(problem.problem, words);
    case 'notConnector':
      return {
        message: `The answer is not the assistant connector's: ${whatCame(problem.contentType)} came back`,
        description: `Another server may be listening at this address, a proxy in between may have answered, or the answer broke off. ${compareAddress(words)}`,
      };
    case 'notHealth':
      return {
        message: `The answer does not describe the connector's health: ${whatCame(problem.contentType)} came back`,
        description: `It must be a JSON object with "ok", "domain" and "send_enabled". ${compareAddress(words)}`,
      };
    case 'tooLarge':
      return {
        message: `The connector's answer is too large: more than ${Math.round(problem.limit / 1024)} KB`,
        description: `The rest of it was not read. ${compareAddress(words)}`,
      };
    case 'rpc':
      return fromRpc(problem, words);
    case 'sessionLost':
      return {
        message: 'The connector dropped its session, and the new one as well',
        description:
          'Nothing was done in the lost sessions. The connector may run on several servers that do not share their sessions: ask whoever runs it, or run it again later.',
        failure: { cause: 'temporarily-unavailable' },
      };
  }
}

function fromTransport(problem: Problem, words: Words): ConnectorExplanation {
  if (problem.kind === 'http' && isKeyRefused(problem.status)) return keyRefused(`HTTP ${problem.status}`);
  const { message, description, failure } = explain(problem, words);
  return { message, description, ...(failure && { failure }) };
}

function fromRpc(
  { error, status }: Extract<ConnectorProblem, { kind: 'rpc' }>,
  words: Words,
): ConnectorExplanation {
  const text = quote(orNoReason(error.message));
  if (isKeyRefused(status)) return keyRefused(text);
  const quoted = `${text} (JSON-RPC code ${error.code})`;
  if (error.code === RPC_CODES.invalidParams) {
    return {
      message: `The connector did not accept the tool or its arguments: ${quoted}`,
      description: `Check ${nameOf(words, ['tool'], 'the tool')} and ${nameOf(words, ['arguments'], 'the arguments')}: the connector's list of tools shows the arguments of each tool.`,
    };
  }
  if (error.code === RPC_CODES.unknownMethod) {
    return {
      message: `The connector doesn't know this method: ${quoted}`,
      description: 'It may be an older version. A tool can still be called by its name.',
    };
  }
  return {
    message: `The connector refused the request: ${quoted}`,
    description:
      "This is the connector's own text. If it doesn't help, ask the gateway's support and quote it.",
  };
}

const isKeyRefused = (status: number): boolean => status === 401 || status === 403;

const keyRefused = (words: string): ConnectorExplanation => ({
  message: `The connector did not accept the API key (${words})`,
  description: `Check ${credentialLabel('apiKey')} in the credential, and whether the API is switched on in your gateway account (Settings → API).`,
  failure: { cause: 'credential-invalid' },
});
