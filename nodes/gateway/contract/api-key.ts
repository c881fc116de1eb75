import { withoutUnseen } from '../text/characters';
import { credentialLabel } from './credential';

/** What is wrong with an API key before anybody is asked about it: in words without the key, and what to do. */
export interface KeyFault {
  message: string;
  advice: string;
}

const OPENING = '"\'`“”„‘’‚«»';
const IN_QUOTES = new RegExp(`^[${OPENING}].*[${OPENING}]$`, 's');

/** As the header of another API has it (gateway-api.md, "API key": here the key is a field of the request). */
const WITH_SCHEME = /^(?:authorization\s*:?\s*)?bearer(?:[\s:]|$)/i;

/** Returns the API key of a credential, without what came along when it was copied; empty where there is none. */
export const apiKeyIn = ({ apiKey }: { apiKey?: unknown }): string =>
  withoutUnseen(String(apiKey ?? '')).trim();

/**
 * Returns what is certainly wrong with a key, as `apiKeyIn` returns it: a gateway would only say that it refuses it.
 * Undefined for any that may be one.
 */
export function keyFaultOf(key: string): KeyFault | undefined {
  const label = credentialLabel('apiKey');
  if (key === '')
    return {
      message: `${label} of the credential is empty`,
      advice: `Enter the key of your gateway account (Settings → API) as ${label}; if that is an expression, see that it returns the key.`,
    };
  if (IN_QUOTES.test(key))
    return {
      message: `${label} of the credential is in quotation marks`,
      advice: `Enter the key alone, without the quotation marks, as ${label}.`,
    };
  if (WITH_SCHEME.test(key))
    return {
      message: `${label} of the credential begins with the word "Bearer"`,
      advice: `Enter the key alone, without that word, as ${label}.`,
    };
  return undefined;
}
