/** Why an operation failed, in the shape of NodeApiError's option `failure` (n8n 2.37 and later). */
export type FailureCause =
  | { cause: 'rate-limited' | 'quota-exhausted' | 'temporarily-unavailable'; retryAfterMs?: number }
  | { cause: 'credential-invalid' | 'configuration-invalid' };

/**
 * Whether sending again helps.
 *
 * - `never`: sent again unchanged it fails the same way, or it was accepted already.
 * - `safe`: nothing was taken; it may be sent again as it is.
 * - `afterStatusCheck`: it may have been taken, so `status` has to be asked before it is sent again.
 */
export type RetryAdvice = 'never' | 'safe' | 'afterStatusCheck';

/** What a problem means to a user and to the client. */
export interface Explanation {
  /** Stable name of the catalogue's entry. */
  code: string;
  /** What happened, with the gateway's own words where it gave any. */
  message: string;
  /** What it means and how to get on. Names of parameters stand in single quotes. */
  description: string;
  /** Only where the response proves the cause. */
  failure?: FailureCause;
  retry: RetryAdvice;
  /** The gateway refused the operation because it has it already. */
  accepted?: true;
  /** Refuses each further request for the same reason: there is no use in sending the rest. */
  stop?: true;
}

const MAX_QUOTE = 500;

/** The gateway's words in double quotes, on one line, verbatim up to 500 characters. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `"${line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE)}…` : line}"`;
}
