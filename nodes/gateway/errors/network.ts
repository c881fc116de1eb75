import type { Entry, Problem } from './problem';
import type { Words } from './words';
import { addressLabels, ASK_SUPPORT, optionChanges, runLater } from './words';

const checkAddress = (words: Words): string =>
  `Check ${addressLabels(words, 'and')} in the credential for typos, and whether the server that runs n8n can reach the internet.`;

/** Why no connection was made, by error code. Nothing was sent in any of these cases. */
const UNREACHABLE: Readonly<Partial<Record<string, Entry>>> = {
  ECONNREFUSED: {
    code: 'connection-refused',
    title: ({ service }) => `The ${service} refused the connection`,
    description: (words) =>
      `No server is listening at this address and port. Check ${addressLabels(words, 'and')} in the credential, including the port; if that is right, the ${words.service} is down: run it again later.`,
  },
  ENOTFOUND: {
    code: 'host-not-found',
    title: ({ service }) => `The ${service}'s address does not exist`,
    description: (words) => `There is no server of this name. ${checkAddress(words)}`,
  },
  EAI_AGAIN: {
    code: 'name-lookup-failed',
    title: ({ service }) => `The ${service}'s address could not be looked up`,
    description: (words) =>
      `The name server did not answer. Run it again in a moment. ${checkAddress(words)}`,
  },
};

const OTHER: Entry = {
  code: 'unreachable',
  title: ({ service }) => `The ${service} could not be reached`,
  description: (words) => `Either it is down, or a firewall drops the connection. ${checkAddress(words)}`,
};

/** Whether a connection can't be made by trying again: the name or the certificate is wrong, or n8n refuses. */
export const isLasting = (problem: Problem): boolean =>
  problem.kind !== 'unreachable' || problem.code === 'ENOTFOUND';

/** Certificate and handshake failures, by what is wrong. Nothing was sent in any of these cases. */
const TLS: ReadonlyArray<Omit<Entry, 'code'> & { pattern: RegExp }> = [
  {
    pattern: /EXPIRED|NOT_YET_VALID/,
    title: ({ service }) => `The ${service}'s certificate is not valid at this time`,
    description: () =>
      "It has expired, or the clock of the server that runs n8n is wrong. Check the clock; if it is right, tell the gateway's support.",
  },
  {
    pattern: /SELF_SIGNED|ISSUER|VERIFY_LEAF|UNTRUSTED|INVALID_CA|UNKNOWN_CA/,
    title: ({ service }) => `The ${service}'s certificate is not trusted`,
    description: () =>
      "It is signed by an authority that n8n doesn't know, such as a company's proxy. Ask whoever runs n8n to add that authority (NODE_EXTRA_CA_CERTS).",
  },
  {
    pattern: /ALTNAME|HOSTNAME/,
    title: ({ service }) => `The ${service}'s certificate is for another address`,
    description: (words) =>
      `The server that answered has another name than ${addressLabels(words, 'or')} in the credential. Correct the address.`,
  },
  {
    pattern: /WRONG_VERSION|EPROTO|HTTP_REQUEST|PROTOCOL|HANDSHAKE|NAME/,
    title: ({ service }) => `No secure connection to the ${service} could be made`,
    description: (words) =>
      `The server does not speak HTTPS at this address and port, or not in a version that n8n accepts. Check whether ${addressLabels(words, 'and')} in the credential should start with https:// or http://, and the port.`,
  },
];

export const TIMEOUT: Entry = {
  code: 'timeout',
  title: ({ service }) => `The ${service} did not answer in time`,
  description: (words) => {
    const change = optionChanges(words, [
      ['raise', 'timeout'],
      ['lower', 'batchSize'],
    ]);
    const often = change === '' ? ASK_SUPPORT : `If this happens often, ${change}.`;
    return `It is slow, or a firewall drops its answers. ${runLater(words)}${often}`;
  },
};

const LOST: Entry = {
  code: 'connection-lost',
  title: ({ service }) => `The connection to the ${service} broke`,
  description: (words) =>
    `The ${words.service}, or something in between, closed it before the answer was complete. ${runLater(words)}${ASK_SUPPORT}`,
};

const STOPPED: Entry = {
  code: 'stopped-under-way',
  title: () => 'The execution was stopped during a request',
  description: () => 'The request had left, and its answer was not awaited.',
};

/** The entry for a connection that was not made, or that broke after the request may have left. */
export function connectionEntry({ kind, code }: Extract<Problem, { code: string }>): Entry {
  if (code === 'ERR_CANCELED') return STOPPED;
  const tls = TLS.find(({ pattern }) => pattern.test(code)) ?? TLS[TLS.length - 1];
  const entry = {
    unreachable: UNREACHABLE[code] ?? OTHER,
    tls: { code: 'tls', ...tls },
    connectionLost: LOST,
  }[kind];
  return { ...entry, description: (words) => `${entry.description(words)} Code: ${code}.` };
}
