import { ADVICE } from './advice';
import type { Explanation } from './explanation';

type StatusEntry = Omit<Explanation, 'message'> & { title: string };

const WRONG_ADDRESS: StatusEntry = {
  code: 'wrong-address',
  title: 'There is no gateway at this address',
  description: `The server answered, but has nothing at the path of the API. ${ADVICE.compareAddresses}`,
  failure: { cause: 'configuration-invalid' },
  retry: 'never',
  stop: true,
};

const NO_ACCESS: Omit<StatusEntry, 'code'> = {
  title: 'The server refused access',
  description:
    "Check 'API Key' of the credential, whether the API is switched on in the personal cabinet, and whether the address of this n8n server is on the key's allow-list. A proxy or firewall on the way can answer this too.",
  retry: 'never',
  stop: true,
};

const FAILED: StatusEntry = {
  code: 'server-failed',
  title: 'The server failed while it worked on the request',
  description:
    "The gateway, or a server in front of it, has a fault. Try again later; if it lasts, ask the gateway's support.",
  retry: 'afterStatusCheck',
};

const NOT_AVAILABLE: StatusEntry = {
  ...FAILED,
  code: 'server-unavailable',
  title: 'The gateway is not available at the moment',
  failure: { cause: 'temporarily-unavailable' },
};

const UNREADABLE: StatusEntry = {
  code: 'content-type-missing',
  title: 'The gateway could not read the request',
  description: ADVICE.unreadable,
  retry: 'never',
  stop: true,
};

/** What real HTTP codes mean. The contract knows 200 only; some gateways, and all proxies, use others too. */
export const STATUS_ENTRIES: Readonly<Record<number, StatusEntry>> = {
  400: UNREADABLE,
  401: { ...NO_ACCESS, code: 'http-unauthorized', failure: { cause: 'credential-invalid' } },
  402: {
    code: 'insufficient-balance',
    title: 'The balance of the account does not cover this',
    description: 'Top up the account in the personal cabinet and run it again.',
    retry: 'safe',
    stop: true,
  },
  403: { ...NO_ACCESS, code: 'http-forbidden' },
  404: WRONG_ADDRESS,
  405: WRONG_ADDRESS,
  407: {
    code: 'proxy-login',
    title: 'A proxy on the way wants a login',
    description: 'Ask whoever runs n8n to set up the login of the proxy.',
    retry: 'never',
    stop: true,
  },
  408: {
    ...FAILED,
    code: 'request-timeout',
    title: 'The server stopped waiting for the request',
  },
  410: WRONG_ADDRESS,
  413: {
    code: 'request-too-large',
    title: 'The request is too large for the gateway',
    description: ADVICE.tooLarge,
    retry: 'safe',
  },
  415: UNREADABLE,
  429: {
    code: 'rate-limited',
    title: 'The gateway gets more requests than it takes',
    description: ADVICE.rateLimit,
    failure: { cause: 'rate-limited' },
    retry: 'safe',
    stop: true,
  },
  502: NOT_AVAILABLE,
  503: NOT_AVAILABLE,
  504: NOT_AVAILABLE,
};

const REDIRECT: StatusEntry = {
  ...WRONG_ADDRESS,
  code: 'redirected',
  title: 'The server points to another address',
  description: `The API key is not sent to an address that you did not enter. ${ADVICE.compareAddresses}`,
};

const OTHER_REFUSAL: StatusEntry = {
  code: 'http-refused',
  title: 'The server refused the request',
  description: `It is not known why. ${ADVICE.compareAddresses} If they are right, ask the gateway's support and name the HTTP code.`,
  retry: 'never',
  stop: true,
};

/** The entry for an HTTP code outside 200 to 299. */
export function statusEntry(status: number): StatusEntry {
  const own = STATUS_ENTRIES[status];
  if (own !== undefined) return own;
  if (status >= 300 && status < 400) return REDIRECT;
  return status >= 400 && status < 500 ? OTHER_REFUSAL : FAILED;
}
