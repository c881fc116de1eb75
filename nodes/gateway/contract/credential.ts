import { QUOTATION_MARKS, withoutUnseen } from '../text/characters';

/**
 * The fields of the credential: what the contract requires of a client, the API key and the three addresses
 * (gateway-api.md, "API key", "Addresses"), and which numbers are allowed. Each label of the form is written here only.
 */
export const CREDENTIAL_LABELS = {
  apiKey: 'API Key',
  baseUrl: 'API Address',
  asyncUrl: 'Queue Address',
  mcpUrl: 'Assistant Connector Address',
  allowedPrefixes: 'Allowed Number Prefixes',
} as const;

type CredentialField = keyof typeof CREDENTIAL_LABELS;

/** A field that holds an address. */
export type AddressField = Exclude<CredentialField, 'apiKey' | 'allowedPrefixes'>;

/** The label of a field, in single quotes as texts show it. */
export const credentialLabel = (field: CredentialField): string => `'${CREDENTIAL_LABELS[field]}'`;

/** A fault of an API key that shows without asking the gateway: words without the key, and the cure. */
export interface KeyFault {
  message: string;
  advice: string;
}

const IN_QUOTES = new RegExp(`^[${QUOTATION_MARKS}].*[${QUOTATION_MARKS}]$`, 's');

/** A key that was copied with the header of another API. In this API, the key is a field of the request (gateway-api.md, "API key"). */
const WITH_SCHEME = /^(?:authorization\s*:?\s*)?bearer(?:[\s:]|$)/i;

/** Returns the API key of a credential, without the blanks and unseen characters that copying adds; empty where there is none. */
export const apiKeyIn = ({ apiKey }: { apiKey?: unknown }): string =>
  withoutUnseen(String(apiKey ?? '')).trim();

/**
 * Returns the fault of a key, as `apiKeyIn` returns it; undefined for any text that may be a key. A gateway would only say
 * "Access denied".
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
