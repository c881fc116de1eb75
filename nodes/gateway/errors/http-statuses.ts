import { credentialLabel } from '../contract/credential';
import { capitalised } from '../text/phrases';
import type { Entry } from './problem';
import { addressLabels, ASK_SUPPORT, compareAddress, optionChanges, runLater } from './words';

const WRONG_ADDRESS: Entry = {
  code: 'wrong-address',
  title: ({ service }) => `There is no ${service} at this address`,
  description: (words) =>
    `The server answered, but has nothing at the path of the API. ${compareAddress(words)}`,
  failure: { cause: 'configuration-invalid' },
};

const NO_ACCESS: Omit<Entry, 'code'> = {
  title: () => 'The server refused access',
  description: () =>
    `Check ${credentialLabel('apiKey')} in the credential, whether the API is switched on in the gateway's settings, and whether this n8n's IP address is on the key's allow-list. A proxy or firewall in between can answer this as well.`,
  account: true,
};

const FAILED: Entry = {
  code: 'server-failed',
  title: () => 'The server failed while it handled the request',
  description: (words) =>
    `The ${words.service}, or a server in front of it, has a fault. ${runLater(words)}${ASK_SUPPORT}`,
};

const UNREADABLE: Entry = {
  code: 'content-type-missing',
  title: ({ service }) => `The ${service} could not read the request`,
  description: (words) =>
    `The ${words.service} reads only JSON with the header "Content-Type: application/json". This node sends both, so something between n8n and the gateway, such as a proxy, changes the request. Check ${addressLabels(words, 'and')} in the credential, and any proxy in between.`,
};

export const UNAVAILABLE: Entry = {
  code: 'unavailable',
  title: ({ service }) => `The ${service} is unavailable at the moment`,
  description: (words) =>
    `It, or a server in front of it, is down for a while. ${runLater(words)}${ASK_SUPPORT}`,
  failure: { cause: 'temporarily-unavailable' },
};

export const LOW_BALANCE: Entry = {
  code: 'insufficient-balance',
  title: () => "The account's balance is too low",
  description: ({ isInDoubt }) => `Top up your gateway account${isInDoubt ? '' : ', then run it again'}.`,
};

export const TOO_LARGE: Entry = {
  code: 'too-large',
  title: ({ service }) => `The request is too large for the ${service}`,
  description: (words) => {
    const change = optionChanges(words, [['lower', 'batchSize']]);
    const alone = 'If it was alone in its request, shorten its texts.';
    if (change === '') return `Send fewer items in one request. ${alone}`;
    return `${capitalised(change)}, so that each request carries fewer items. ${alone}`;
  },
};

export const RATE_LIMITED: Entry = {
  code: 'rate-limited',
  title: ({ service }) => `The ${service} is limiting requests`,
  description: (words) => {
    const change = optionChanges(words, [['raise', 'batchInterval']]);
    const stay = change && `${change} to stay below the limit`;
    if (words.isInDoubt) return stay && `${capitalised(stay)}.`;
    return `Wait a moment and run it again${stay && `; ${stay}`}.`;
  },
  failure: { cause: 'rate-limited' },
};

/** What real HTTP codes mean. The contract knows only 200; some gateways, and all proxies, use others as well. */
export const STATUS_ENTRIES: Readonly<Record<number, Entry>> = {
  400: UNREADABLE,
  401: { ...NO_ACCESS, code: 'http-unauthorized', failure: { cause: 'credential-invalid' } },
  402: LOW_BALANCE,
  403: { ...NO_ACCESS, code: 'http-forbidden' },
  404: WRONG_ADDRESS,
  405: WRONG_ADDRESS,
  407: {
    code: 'proxy-login',
    title: () => 'A proxy between n8n and the server requires a login',
    description: () => 'Ask whoever runs n8n to set up the login for the proxy.',
  },
  408: FAILED,
  410: WRONG_ADDRESS,
  413: TOO_LARGE,
  415: UNREADABLE,
  429: RATE_LIMITED,
  502: UNAVAILABLE,
  503: UNAVAILABLE,
  504: UNAVAILABLE,
};

const REDIRECT: Entry = {
  ...WRONG_ADDRESS,
  code: 'redirected',
  title: () => 'The server redirects to another address',
  description: (words) =>
    `The API key is only sent to the addresses in the credential. ${compareAddress(words)}`,
};

const OTHER_REFUSAL: Entry = {
  code: 'http-refused',
  title: () => 'The server refused the request',
  description: (words) =>
    `The cause is unknown. ${compareAddress(words)} If this is right, ask the gateway's support and quote the HTTP code.`,
};

/** The entry for an HTTP code outside 200 to 299. */
export function statusEntry(status: number): Entry {
  const known = STATUS_ENTRIES[status];
  if (known !== undefined) return known;
  if (status >= 300 && status < 400) return REDIRECT;
  return status >= 400 && status < 500 ? OTHER_REFUSAL : FAILED;
}
