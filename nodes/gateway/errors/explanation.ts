import type { WireType } from '../contract/operations';
import type { Words } from './words';

/** The cause of a failure, in the shape of NodeApiError's option `failure` (n8n 2.37 and later). */
export type FailureCause =
  | { cause: 'rate-limited' | 'quota-exhausted' | 'temporarily-unavailable'; retryAfterMs?: number }
  | { cause: 'credential-invalid' }
  | { cause: 'configuration-invalid' };

/** What a problem means to a client. */
export interface Policy {
  /** Stable name of the catalogue's entry. */
  code: string;
  /** Only where the response proves the cause. */
  failure?: FailureCause;
  /** The reason lies with the API key or the account, not with what was sent. */
  account?: true;
}

/** What a problem means to a client and to a user. */
export interface Explanation extends Policy {
  /** What happened, with the gateway's own words where there are any. No full stop at the end. */
  message: string;
  /** What it means and how to get unstuck, in sentences. Display names of parameters are in single quotes. */
  description: string;
}

/** A text that is rendered when it is shown; `wireType` is that of the operation in question. */
export type Phrase = (words: Words, wireType?: WireType) => string;

/** An entry of the catalogue. */
export interface Entry extends Policy {
  /** What happened. */
  title: Phrase;
  /** What it means and how to get unstuck, in sentences. */
  description: Phrase;
}

const LONGEST_QUOTE = 500;
/** Characters that are looked at: white space is condensed, so that they may make a shorter line. */
const LOOKED_AT = 4 * LONGEST_QUOTE;

/** A text of a server in double quotes, on one line, verbatim up to 500 characters. */
export function quote(text: string): string {
  const trimmed = text.trim();
  const line = trimmed.slice(0, LOOKED_AT).replace(/\s+/g, ' ');
  if (trimmed.length <= LOOKED_AT && line.length <= LONGEST_QUOTE) return `"${line}"`;
  // Half of a character that takes two units would be shown as a broken one.
  const beginning = line.slice(0, LONGEST_QUOTE).replace(/[\uD800-\uDBFF]$/, '');
  return `"${beginning.trimEnd()}…"`;
}

/** The reason of a refusal, or that there is none. */
export const orNoReason = (text: string): string => (text.trim() === '' ? 'no reason given' : text);
