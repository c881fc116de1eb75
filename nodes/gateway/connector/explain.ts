import type { Circumstances } from '../errors/catalogue';
import { explain } from '../errors/catalogue';
import type { Explanation } from '../errors/problem';
import { withReason } from '../text/phrases';
import type { ConnectorProblem, RpcError } from './client';
import { RPC_CODES } from './client';

/** Returns a refusal with the words and the code of the connector. */
function withCode(what: string, { message, code }: RpcError): string {
  const text = withReason(what, message);
  return code === undefined ? text : `${text} (JSON-RPC code ${code})`;
}

/**
 * Explains a problem with the assistant connector, and its cure. Never throws, and returns nothing but words of the
 * catalogue and the words and codes of the problem.
 */
export function explainConnector(
  problem: ConnectorProblem,
  { isInDoubt }: Pick<Circumstances, 'isInDoubt'> = {},
): Pick<Explanation, 'message' | 'description' | 'failure' | 'todo'> {
  if (problem.kind === 'sessionLost') {
    return {
      message: 'The connector dropped its session',
      description:
        'Run this row again: a new session is opened then. If that happens often, the connector may run on several servers that do not share their sessions: ask whoever runs it.',
      todo: 'run this row again',
      failure: { cause: 'temporarily-unavailable' },
    };
  }
  const circumstances = { service: 'connector', address: 'mcpUrl', isInDoubt } as const;
  if (problem.kind !== 'rpc') return explain(problem, circumstances);
  const { message: text, status } = problem;
  if (status === 401 || status === 403) return explain({ kind: 'request', text, status }, circumstances);
  if (problem.code === RPC_CODES.invalidParams) {
    return {
      message: withCode('The connector did not accept the tool or its arguments', problem),
      description:
        "Check 'Tool' and 'Arguments': the connector's list of tools shows the arguments of each tool.",
      todo: "check 'Tool' and 'Arguments'",
    };
  }
  if (problem.code === RPC_CODES.unknownMethod) {
    return {
      message: withCode("The connector doesn't know this method", problem),
      description: 'It may be an older version. A tool can still be called by its name.',
      todo: 'call the tool by its name',
    };
  }
  return {
    message: withCode('The connector refused the request', problem),
    description: text.trim()
      ? "This is the connector's own text. If it doesn't help, ask the gateway's support and quote it."
      : "Ask the gateway's support.",
    todo: "ask the gateway's support",
  };
}
