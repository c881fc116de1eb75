// First version so that the package builds; the full catalogue replaces this file.
import type { Failure } from 'n8n-workflow';
import type { Problem } from './problem';

export interface Explanation {
  message: string;
  description: string;
  failure?: Failure;
  /** The refusal was of a duplicate: the gateway has the message. */
  accepted?: true;
  /** Nothing else will be taken either, so nothing more is sent. */
  stop?: true;
}

export function explain(problem: Problem): Explanation {
  if (problem.kind === 'envelope' || problem.kind === 'item') {
    const message = `The gateway answered: "${problem.text}"`;
    if (problem.text === 'Access denied') {
      return {
        message,
        description: 'Check the API key.',
        failure: { cause: 'credential-invalid' },
        stop: true,
      };
    }
    return /duplicate/i.test(problem.text)
      ? { message, description: '', accepted: true }
      : { message, description: 'The gateway refused it.' };
  }
  return { message: `Problem: ${problem.kind}`, description: 'Try again later.' };
}
