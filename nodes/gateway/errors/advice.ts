import { credentialLabel } from '../contract/credential';
import type { Phrase } from './explanation';
import { addressLabels, capitalised, optionChanges } from './words';

/** Sentences that several entries of the catalogue share. */

const KEY_STEPS = `${credentialLabel('apiKey')} in the credential; the API is switched on in the gateway's settings; this n8n's IP address is on the key's allow-list; the account is active.`;

export const ADVICE = {
  key: () => `Check in this order: ${KEY_STEPS}`,
  unreadable: (words) =>
    `The ${words.service} reads only JSON with the header "Content-Type: application/json". This node sends both, so something between n8n and the gateway, such as a proxy, changes the request. Check ${addressLabels(words, 'and')} in the credential, and any proxy in between.`,
  rateLimit: (words) => {
    const change = optionChanges(words, [
      ['raise', 'batchInterval'],
      ['lower', 'parallelRequests'],
    ]);
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
} as const satisfies Record<string, Phrase>;
