import type { Entry, MatchedEntry } from './entries';
import { ASK_SUPPORT, CORRECT_ADDRESS, LATER, RUN_LATER, SUPPORT } from './entries';

/** Explanations of problems without words of a server: there is no answer, or none that can be read. */

const CHECK_ADDRESS =
  'Check {address} in the credential for typos, and whether the server that runs n8n can reach the internet.';

/** Why no connection was made, by Node's code. Nothing was sent in any of these cases; the last entry is for all other codes. */
export const CONNECTION_ENTRIES: readonly MatchedEntry[] = [
  {
    match: /^ECONNREFUSED$/,
    title: 'The {service} refused the connection',
    advice:
      'No server is listening at this address and port. Check {address} in the credential, including the port; if that is right, the {service} is down.',
    todo: CORRECT_ADDRESS,
  },
  {
    match: /^ENOTFOUND$/,
    title: "The {service}'s address does not exist",
    advice: CHECK_ADDRESS,
    todo: CORRECT_ADDRESS,
  },
  {
    match: /^EAI_AGAIN$/,
    title: "The {service}'s address could not be looked up",
    advice: `The name server did not answer. ${CHECK_ADDRESS}`,
    todo: RUN_LATER,
    again: 'Run it again in a moment.',
  },
  {
    match: /EXPIRED|NOT_YET_VALID/,
    title: "The {service}'s certificate is not valid at this time",
    advice:
      "The certificate has expired, or the clock of the server that runs n8n is wrong. Check the clock; if it is right, tell the gateway's support.",
    todo: 'check the clock of the server that runs n8n',
  },
  {
    match: /SELF_SIGNED|ISSUER|VERIFY_LEAF|UNTRUSTED|INVALID_CA|UNKNOWN_CA/,
    title: "The {service}'s certificate is not trusted",
    advice:
      "The certificate is signed by an authority that n8n doesn't know, such as a company's proxy. Ask whoever runs n8n to add that authority (NODE_EXTRA_CA_CERTS).",
    todo: 'ask whoever runs n8n to trust the authority of the certificate',
  },
  {
    match: /ALTNAME|HOSTNAME/,
    title: "The {service}'s certificate is for another address",
    advice:
      'The server that answered has another name than {address} in the credential. Correct the address.',
    todo: 'correct {address} in the credential',
  },
  {
    match: /^(EPROTO$|CERT_|UNABLE_TO_|ERR_SSL_|ERR_TLS_|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$)/,
    title: 'No secure connection to the {service} could be made',
    advice:
      'The server does not speak HTTPS at this address and port, or not in a version that n8n accepts. Check whether {address} in the credential should start with https:// or http://, and the port.',
    todo: 'check https:// and the port of {address} in the credential',
  },
  {
    match: /^/,
    title: 'The {service} could not be reached',
    advice: `Either the {service} is down, or a firewall drops the connection. ${CHECK_ADDRESS}`,
    todo: CORRECT_ADDRESS,
  },
];

/** The entries of problems whose kind says all. */
export const KIND_ENTRIES = {
  rejected: {
    title: 'The gateway rejected this message',
    advice:
      "Its status is REJECTED. The gateway's answer to the send was lost, or named no reason: see your gateway account.",
    todo: 'look for the reason in your gateway account',
  },
  notGateway: {
    title: "The answer is not the {service}'s",
    advice:
      'Either {address} in the credential names another server or a wrong path, or a proxy in between answered. Correct the address; if it is right, ask whoever runs n8n about proxies.',
    todo: CORRECT_ADDRESS,
  },
  blocked: {
    title: 'n8n did not make the request',
    advice:
      "The settings of this n8n, or the addresses in the credential, don't allow it. Check {address} in the credential; if that is right, ask whoever runs n8n.",
    todo: CORRECT_ADDRESS,
  },
  timeout: {
    title: 'The {service} did not answer in time',
    advice:
      "The {service} is slow, or a firewall drops its answers. If this happens often, raise 'Timeout (Seconds)', in 'Speed' or in 'Options'.",
    todo: RUN_LATER,
    again: LATER,
  },
  connectionLost: {
    title: 'The connection to the {service} broke',
    advice: `The {service}, or something in between, closed it before the answer was complete. ${ASK_SUPPORT}`,
    todo: RUN_LATER,
    again: LATER,
  },
  mismatch: {
    title: 'The gateway returned the results of other messages',
    advice: `The gateway answered for other ids, or for more or fewer messages than were sent. ${ASK_SUPPORT}`,
    todo: SUPPORT,
  },
  underWay: {
    title: 'Another execution is sending this message',
    advice: 'Its request was not answered yet, and the gateway may still take it.',
    todo: 'wait two minutes and run it again',
    again: 'Wait two minutes, then run it again: the gateway is asked first.',
  },
  notTold: {
    title: 'The gateway may have this message already',
    advice:
      "An earlier try, a Retry or another run may have sent it, and the gateway's status doesn't show whether it did.",
    todo: "run it again later with the same 'Send Once Key'",
    again: "Run the workflow again later with the same 'Send Once Key': what was sent is recognized then.",
  },
  cancelled: {
    title: 'The execution was stopped before the request for this row left',
    advice: 'Run the workflow again for this row.',
    todo: 'run the workflow again for this row',
  },
} as const satisfies Record<string, Entry>;

/** An answer with more than can be read. */
export const TOO_LONG: Entry = {
  title: 'The answer of the {service} is too long to be read',
  advice:
    "No answer of a {service} is this long. Check whether {address} in the credential names another server; if it is right, ask the gateway's support.",
  todo: CORRECT_ADDRESS,
};

/** A connection that was cut off with the execution. */
export const STOPPED: Entry = {
  title: 'The execution was stopped during a request',
  advice: 'The request was on its way, and n8n stopped before the answer came.',
  todo: 'run the workflow again for this row',
};
