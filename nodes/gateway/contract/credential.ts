/**
 * The fields of the credential: what the contract requires of a client, the API key and the three addresses
 * (gateway-api.md, "API key", "Addresses"), and which numbers are allowed. Each label of the form is written here only.
 */
export const CREDENTIAL_LABELS = {
  apiKey: 'API Key',
  baseUrl: 'Base URL',
  asyncUrl: 'Async URL',
  mcpUrl: 'Assistant Connector URL',
  allowedPrefixes: 'Allowed Number Prefixes',
} as const;

export type CredentialField = keyof typeof CREDENTIAL_LABELS;

/** A field that holds an address. */
export type AddressField = Exclude<CredentialField, 'apiKey' | 'allowedPrefixes'>;

/** The label of a field, in single quotes as texts show it. */
export const credentialLabel = (field: CredentialField): string => `'${CREDENTIAL_LABELS[field]}'`;
