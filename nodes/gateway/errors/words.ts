import type { AddressField } from '../contract/credential';
import { credentialLabel } from '../contract/credential';

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
}

/** For texts about the JSON API without a known form, such as those of a credential test. */
export const PLAIN_WORDS: Words = {
  service: 'gateway',
  addresses: ['baseUrl', 'asyncUrl'],
  label: () => undefined,
};

/** For texts about the assistant connector without a known form. */
export const CONNECTOR_WORDS: Words = { ...PLAIN_WORDS, service: 'connector', addresses: ['mcpUrl'] };

/** What parameters are called where no form shows them. */
const GENERAL_NAMES = {
  arguments: 'the arguments',
  messageId: 'the message ID',
  phone: 'the phone number',
  rcsLifetime: 'the RCS lifetime',
  smsLifetime: 'the SMS lifetime',
  telegramLifetime: 'the Telegram lifetime',
  template: 'the template text',
  templateId: 'the template',
  tool: 'the tool',
  viberLifetime: 'the Viber lifetime',
} as const;

/** A parameter that has a name without a form too. */
export type NamedParameter = keyof typeof GENERAL_NAMES;

const quoted = (label: string): string => `'${label}'`;

/** The labels of those of the parameters that the form shows, in single quotes; one that they share appears once. */
export function shownLabels({ label }: Words, parameters: readonly string[]): string[] {
  const names = parameters.map(label).filter((name) => name !== undefined);
  return [...new Set(names)].map(quoted);
}

/** The label of a parameter in single quotes; without one, what the parameter is called in general. */
export const nameOf = (words: Words, parameter: NamedParameter): string =>
  shownLabels(words, [parameter])[0] ?? GENERAL_NAMES[parameter];

/** The labels of the addresses in question, joined by `and` or `or`. */
export const addressLabels = ({ addresses }: Words, conjunction: 'and' | 'or'): string =>
  joined(addresses.map(credentialLabel), conjunction);

/**
 * What can be changed in the options of the form, as `raise 'A' or lower 'B' in 'Options'`; undefined where the form
 * shows none of them.
 */
export function optionChanges(
  words: Words,
  changes: ReadonlyArray<[verb: 'raise' | 'lower', option: string]>,
): string | undefined {
  const shown = changes.flatMap(([verb, option]) =>
    shownLabels(words, [option]).map((label) => `${verb} ${label}`),
  );
  if (shown.length === 0) return undefined;
  return [joined(shown, 'or'), ...shownLabels(words, ['options'])].join(' in ');
}

/** A list such as `a, b or c`. */
export const joined = (names: readonly string[], conjunction: 'and' | 'or'): string =>
  names.length < 2
    ? names.join()
    : `${names.slice(0, -1).join(', ')} ${conjunction} ${names[names.length - 1]}`;

/** A phrase as the beginning of a sentence. */
export const capitalised = (phrase: string): string => phrase.charAt(0).toUpperCase() + phrase.slice(1);

/** A number of things, such as `1 hour` or `2 hours`; takes a noun whose plural ends in "s". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const KEY_STEPS = `${credentialLabel('apiKey')} in the credential; the API is switched on in the gateway's settings; this n8n's IP address is on the key's allow-list; the account is active.`;

/** Sentences that several entries of the catalogue share. */
export const ADVICE = {
  key: () => `Check in this order: ${KEY_STEPS}`,
  unreadable: (words) =>
    `The ${words.service} reads only JSON with the header "Content-Type: application/json". This node sends both, so something between n8n and the gateway, such as a proxy, changes the request. Check ${addressLabels(words, 'and')} in the credential, and any proxy in between.`,
  rateLimit: (words) => {
    const change = optionChanges(words, [['raise', 'batchInterval']]);
    return `Wait a moment and run it again${change === undefined ? '' : `; ${change} to stay below the limit`}.`;
  },
  tooLarge: (words) => {
    const change = optionChanges(words, [['lower', 'batchSize']]);
    return change === undefined
      ? 'Send fewer items in one request.'
      : `${capitalised(change)}, so that each request carries fewer items.`;
  },
  topUp: () => 'Top up your gateway account, then run it again.',
  compareAddress: (words) =>
    `Compare ${addressLabels(words, 'and')} in the credential with the gateway's documentation. Enter only the server's address, starting with https://.`,
  askSupport: () => "If this persists, ask the gateway's support.",
} as const satisfies Record<string, (words: Words) => string>;
