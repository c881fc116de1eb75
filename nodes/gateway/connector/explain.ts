import { explain } from '../errors/catalogue';
import type { Explanation } from '../errors/explanation';
import { quote } from '../errors/explanation';
import type { Problem } from '../errors/problem';
import { RPC_CODES } from './json-rpc';
import type { ConnectorProblem } from './problem';

export type ConnectorExplanation = Pick<Explanation, 'message' | 'description' | 'failure'>;

const ADDRESS = "'Assistant Connector URL'";
const COMPARE = `Compare ${ADDRESS} of the credential with the gateway's documentation: the server's address alone, with https:// in front.`;
const KEY = "Check 'API Key' of the credential, and whether the API is switched on in the personal cabinet.";

/**
 * What a problem with the assistant connector means and how to get on. Never throws, and puts nothing into its
 * answer but the words and codes of the problem.
 */
export function explainConnector(problem: ConnectorProblem): ConnectorExplanation {
  switch (problem.kind) {
    case 'transport':
      return fromTransport(problem.problem);
    case 'notConnector':
      return {
        message: `The answer is not the assistant connector's: ${media(problem.contentType)} came back`,
        description: `Another server may listen at this address, a proxy on the way may have answered, or the answer broke off. ${COMPARE}`,
      };
    case 'notHealth':
      return {
        message: `The answer says nothing about the connector's health: ${media(problem.contentType)} came back`,
        description: `It has to be a JSON object with "ok", "domain" and "send_enabled". ${COMPARE}`,
      };
    case 'tooLarge':
      return {
        message: `The connector's answer is too large: more than ${Math.round(problem.limit / 1024)} KB`,
        description: `The rest of it was not read. ${COMPARE}`,
      };
    case 'rpc':
      return fromRpc(problem);
    case 'sessionLost':
      return {
        message: 'The connector dropped its session, and the new one as well',
        description:
          'Nothing was done in the lost sessions. The connector may run on several servers that do not share their sessions: ask whoever runs it, or run it again later.',
        failure: { cause: 'temporarily-unavailable' },
      };
  }
}

function fromTransport(problem: Problem): ConnectorExplanation {
  switch (problem.kind) {
    case 'timeout':
      return {
        message: 'The connector did not answer in time',
        description: "Run it again later, or raise 'Timeout (Seconds)' in 'Options'.",
      };
    case 'connectionLost':
      return {
        message: 'The connection to the connector broke',
        description: `Run it again in a moment. Error code: ${problem.code}.`,
      };
    case 'http':
      return fromStatus(problem.status, problem);
    default: {
      const { message, description, failure } = explain(problem);
      return {
        message: forConnector(message),
        description: forConnector(description),
        ...(failure !== undefined && { failure }),
      };
    }
  }
}

/** The catalogue speaks of the JSON API, and names the addresses of that. */
const forConnector = (text: string): string =>
  text.replaceAll(/'Base URL' (?:and|or) 'Async URL'/g, ADDRESS).replaceAll(/\bgateway\b/g, 'connector');

function fromStatus(status: number, problem: Problem): ConnectorExplanation {
  if (status === 401 || status === 403) {
    return {
      message: `The connector refused the API key (HTTP ${status})`,
      description: KEY,
      failure: CREDENTIAL,
    };
  }
  const { message, failure } = explain(problem);
  if (status === 429)
    return { message: forConnector(message), description: 'Wait a moment and run it again.', failure };
  if (status >= 500)
    return {
      message: forConnector(message),
      description: 'Run it again later; if it lasts, ask whoever runs the connector.',
      failure,
    };
  return { message: forConnector(message), description: COMPARE, failure };
}

const CREDENTIAL = { cause: 'credential-invalid' } as const;

function fromRpc({ error, status }: Extract<ConnectorProblem, { kind: 'rpc' }>): ConnectorExplanation {
  const words = `${quote(error.message.trim() === '' ? 'no reason given' : error.message)} (JSON-RPC error ${error.code})`;
  if (status === 401 || status === 403) {
    return { message: `The connector refused the API key: ${words}`, description: KEY, failure: CREDENTIAL };
  }
  if (error.code === RPC_CODES.invalidParams) {
    return {
      message: `The connector did not accept the tool or its arguments: ${words}`,
      description:
        "Check 'Tool' and 'Arguments'. The operation List Tools shows the tools and what each of them takes.",
    };
  }
  if (error.code === RPC_CODES.unknownMethod) {
    return {
      message: `The connector does not know this method: ${words}`,
      description: 'It may be of an older version. A tool whose name you know can be called by its name.',
    };
  }
  return {
    message: `The connector refused the request: ${words}`,
    description:
      "These are the connector's own words. If they don't help, ask the gateway's support and quote them.",
  };
}

function media(contentType: string): string {
  const type = contentType.split(';')[0].trim().toLowerCase();
  if (type.includes('html')) return 'a web page';
  return type === '' || type.includes('json') || type.includes('event-stream')
    ? 'something else'
    : quote(type);
}
