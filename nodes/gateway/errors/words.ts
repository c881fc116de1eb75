import type { AddressField } from '../contract/credential';
import { credentialLabel } from '../contract/credential';
import { joined } from '../text/phrases';

/** What differs in the same sentence from one place to another where it is shown. */
export interface Words {
  /** What answers at the address in question. */
  service: 'gateway' | 'connector';

  /** The credential's fields that may hold the address in question. */
  addresses: readonly AddressField[];

  /** Display name of a parameter, by its name; undefined where the form in question doesn't show it. */
  label: (parameter: string) => string | undefined;

  /** The sender of the message in question, such as `"Shop" (SMS)`, where it has one and no other. */
  sender?: string;

  /** Whether the operation may have been carried out: then no text says to run it again. */
  isInDoubt?: boolean;

  /** Whether a key makes the ID of the message: then the ID can be neither changed nor left out. */
  hasKey?: boolean;
}

/** For texts about the JSON API without a known form, such as those of a credential test. */
export const PLAIN_WORDS: Words = {
  service: 'gateway',
  addresses: ['baseUrl', 'asyncUrl'],
  label: () => undefined,
};

/** For texts about the assistant connector without a known form. */
export const CONNECTOR_WORDS: Words = { ...PLAIN_WORDS, service: 'connector', addresses: ['mcpUrl'] };

/**
 * The labels of those of the parameters that the form shows, in single quotes, each once, joined by "or"; where it shows
 * none, what they are called in general.
 */
export function nameOf({ label }: Words, parameters: readonly string[], general: string): string {
  const labels = new Set(parameters.map(label).filter((name) => name !== undefined));
  const quoted = [...labels].map((name) => `'${name}'`);
  return joined(quoted, 'or') || general;
}

/** The labels of the addresses in question, joined by `and` or `or`. */
export const addressLabels = ({ addresses }: Words, conjunction: 'and' | 'or'): string =>
  joined(addresses.map(credentialLabel), conjunction);

/**
 * What can be changed in the options of the form, as `raise 'A' or lower 'B' in 'Options'`; empty where the form shows
 * none of them.
 */
export function optionChanges(
  words: Words,
  changes: ReadonlyArray<[verb: 'raise' | 'lower', option: string]>,
): string {
  const shown = changes.filter(([, option]) => words.label(option) !== undefined);
  const list = shown.map(([verb, option]) => `${verb} ${nameOf(words, [option], '')}`);
  return list.length === 0 ? '' : `${joined(list, 'or')} in ${nameOf(words, ['options'], 'the options')}`;
}

/** Says to run it again, with a space behind it; nothing where that might send a message twice. */
export const runLater = ({ isInDoubt }: Words): string => (isInDoubt ? '' : 'Run it again later. ');

/** What to do about an address at which something else answers. */
export const compareAddress = (words: Words): string =>
  `Compare ${addressLabels(words, 'and')} in the credential with the gateway's documentation. Enter only the server's address, starting with https://.`;

export const ASK_SUPPORT = "If this persists, ask the gateway's support.";
