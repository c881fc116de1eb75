import type { Explanation } from './explanation';

type NetworkEntry = Omit<Explanation, 'message'> & { title: string };

const CHECK_HOST =
  "Check 'Base URL' and 'Async URL' of the credential for typing errors, and whether the server that n8n runs on can reach the internet.";

const NOT_REACHED: Omit<NetworkEntry, 'code' | 'title' | 'description'> = { retry: 'safe', stop: true };

/** Why no connection came about, by error code. Nothing was sent in any of these cases. */
const UNREACHABLE: Readonly<Record<string, Omit<NetworkEntry, 'retry' | 'stop'>>> = {
  ECONNREFUSED: {
    code: 'connection-refused',
    title: 'The gateway refused the connection',
    description:
      "No server listens at this address and port at the moment. Check 'Base URL' and 'Async URL' of the credential, the port included; if they are right, the gateway is down: run it again later.",
  },
  ENOTFOUND: {
    code: 'host-not-found',
    title: "The gateway's address does not exist",
    description: `No server is known under this name. ${CHECK_HOST}`,
  },
  EAI_AGAIN: {
    code: 'name-lookup-failed',
    title: "The gateway's address could not be looked up",
    description: `The name service did not answer. Run it again in a moment. ${CHECK_HOST}`,
  },
  ETIMEDOUT: {
    code: 'connect-timeout',
    title: 'The gateway did not answer the connection',
    description: `Either it is down, or a firewall drops the connection. ${CHECK_HOST}`,
  },
  ERR_INVALID_URL: {
    code: 'address-not-valid',
    title: "The gateway's address is not a web address",
    description:
      "Correct 'Base URL' and 'Async URL' of the credential: each starts with https:// or http://, for example https://api.example.com.",
  },
  // What the catalogue has no entry of its own for.
  other: {
    code: 'unreachable',
    title: 'The gateway could not be reached',
    description: CHECK_HOST,
  },
};

const LASTING = new Set(['ENOTFOUND', 'ERR_INVALID_URL']);

/** The entry for a connection that did not come about. */
export function unreachableEntry(code: string): NetworkEntry {
  const entry = Object.hasOwn(UNREACHABLE, code) ? UNREACHABLE[code] : UNREACHABLE.other;
  const technical = `${entry.description} Error code: ${code}.`;
  return { ...NOT_REACHED, ...entry, description: technical, ...(LASTING.has(code) && { retry: 'never' }) };
}

/** Certificate and handshake failures, by what is wrong. Nothing was sent in any of these cases. */
const TLS: ReadonlyArray<[pattern: RegExp, title: string, advice: string]> = [
  [
    /EXPIRED|NOT_YET_VALID/,
    "The gateway's certificate is not valid at this time",
    "It has expired, or the clock of the server that n8n runs on is wrong. Check the clock; if it is right, tell the gateway's support.",
  ],
  [
    /SELF_SIGNED|ISSUER|VERIFY_LEAF|UNTRUSTED|INVALID_CA|UNKNOWN_CA/,
    "The gateway's certificate is not trusted",
    'It is signed by an authority that n8n does not know, as of a company proxy. Ask whoever runs n8n to add that authority (NODE_EXTRA_CA_CERTS).',
  ],
  [
    /ALTNAME|HOSTNAME/,
    "The gateway's certificate is for another address",
    "The server is not the one that 'Base URL' or 'Async URL' of the credential names. Correct the address.",
  ],
  [
    /WRONG_VERSION|EPROTO|HTTP_REQUEST|PROTOCOL|HANDSHAKE|NAME/,
    'No secure connection to the gateway came about',
    "The server does not speak HTTPS at this address and port, or not in a version that n8n accepts. Check whether 'Base URL' and 'Async URL' of the credential start with the right one of https:// and http://, and the port.",
  ],
];

/** The entry for a secure connection that did not come about. */
export function tlsEntry(code: string): NetworkEntry {
  const [, title, advice] = TLS.find(([pattern]) => pattern.test(code)) ?? TLS[TLS.length - 1];
  return {
    code: 'tls',
    title,
    description: `${advice} Error code: ${code}.`,
    retry: 'never',
    stop: true,
  };
}

export const TIMEOUT: NetworkEntry = {
  code: 'timeout',
  title: 'The gateway did not answer in time',
  description:
    "It is slow, or a firewall drops its answers. If this happens often, raise 'Timeout (Seconds)' or lower 'Batch Size' in 'Options'.",
  retry: 'afterStatusCheck',
};

/** The entry for a connection that broke after the request may have left. */
export function connectionLostEntry(code: string): NetworkEntry {
  if (code === 'ERR_CANCELED') {
    return {
      code: 'stopped-under-way',
      title: 'The execution was stopped while a request was under way',
      description: 'The request had left, and its answer was not waited for.',
      retry: 'afterStatusCheck',
    };
  }
  return {
    code: 'connection-lost',
    title: 'The connection to the gateway broke',
    description: `The gateway, or something on the way, closed it before the whole answer had arrived. Error code: ${code}.`,
    retry: 'afterStatusCheck',
  };
}
