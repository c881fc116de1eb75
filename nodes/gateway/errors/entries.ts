import { PIPELINE_CHANNELS } from '../contract/channels';
import type { Policy } from './problem';

/**
 * An explanation without the words of the problem. In its texts, `{service}` is the gateway or the connector, whichever answers,
 * `{address}` the field of the credential that holds its address, and `{sender}` the sender of the message.
 */
export interface Entry extends Policy {
  /** The fault or refusal, as a sentence without a full stop. */
  title: string;

  /** The meaning of the event and the cure, in sentences. */
  advice: string;

  /** The next thing to do, as a clause that begins with a small letter: a cell of a table has room for no more. */
  todo: string;

  /** Said first where the operation can't have been carried out, so that doing it again sends nothing twice. */
  again?: string;
}

/** An entry for an HTTP code. */
export interface StatusEntry extends Entry {
  /** The kind of FailedRequest (client/response.ts) that the code stands for; left out where the code tells nothing. */
  request?: 'closed' | 'timedOut' | 'refused';
}

/** An entry for words of a gateway, or for a code of Node. */
export interface MatchedEntry extends Entry {
  /** Matched against the gateway's words, underscores read as spaces. */
  match: RegExp;
}

export const LATER = 'Run it again later.';
export const RUN_LATER = 'run it again later';
export const SUPPORT = "ask the gateway's support";
export const CORRECT_ADDRESS = 'check {address} in the credential';
export const ASK_SUPPORT = "If this persists, ask the gateway's support.";
const COMPARE =
  "Compare {address} in the credential with the gateway's documentation. Enter only the server's address, starting with https://.";

/** Matches what one of the patterns matches, in any case. */
const anyOf = (...patterns: RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join('|'), 'i');

/** Matches a text that is all of one of the patterns, in any case, with or without a full stop or an exclamation mark. */
const allOfOne = (...patterns: RegExp[]): RegExp =>
  new RegExp(`^(?:${anyOf(...patterns).source})[.!]?$`, 'i');

const FAULT: Entry = {
  title: 'The server failed while it handled the request',
  advice: ASK_SUPPORT,
  todo: RUN_LATER,
  again: LATER,
};

const UNAVAILABLE: Entry = {
  title: 'The {service} is unavailable at the moment',
  advice: ASK_SUPPORT,
  todo: RUN_LATER,
  again: LATER,
  failure: { cause: 'temporarily-unavailable' },
};

const LOW_BALANCE: Entry = {
  title: "The account's balance is too low",
  advice: 'Top up your gateway account.',
  todo: 'top up your gateway account',
};

const TOO_LARGE: Entry = {
  about: 'size',
  title: 'The request is too large for the {service}',
  advice:
    "If the request carried several items, lower 'Batch Size' in 'Speed'; if one alone, shorten its texts.",
  todo: "lower 'Batch Size' in 'Speed', or shorten the text",
};

const RATE_LIMITED: Entry = {
  title: 'The {service} is limiting requests',
  advice: "Where the node has 'Batch Interval (Ms)' in 'Speed', raise it to stay below the limit.",
  todo: 'wait a moment and run it again',
  again: 'Wait a moment and run it again.',
  failure: { cause: 'rate-limited' },
};

/** Of a refusal that every further request would get as well. */
const NO_ENTRANCE = {
  about: 'key',
  failure: { cause: 'configuration-invalid' },
  wholeRequest: true,
} as const satisfies Policy;

/**
 * Refusals in words. The first entry that fits is taken: the texts of the contract first (gateway-api.md, "Refusals"), then
 * words that may hide that the gateway took the operation, then wordings that gateways with this contract were seen to have.
 */
export const TEXT_ENTRIES: readonly MatchedEntry[] = [
  {
    ...NO_ENTRANCE,
    match: allOfOne(
      /access denied/,
      /access denied\W{1,3}((the|this|your) )?(api|key|token)\b.*/,
      /unauthori[sz]ed/,
      /(invalid|wrong|unknown|expired|missing) (api[ -]?key|auth|token)/,
      /(api[ -]?key|auth|token) (is )?(invalid|wrong|unknown|expired|missing|required)/,
    ),
    title: 'The gateway did not accept the API key',
    advice:
      "Check in this order: 'API Key' in the credential; the API is switched on in the gateway's settings; this n8n's IP address is on the key's allow-list; the account is active.",
    todo: "check 'API Key' in the credential, and that the account is active",
    failure: { cause: 'credential-invalid' },
  },
  {
    about: 'sender',
    match: /\balpha[\s-]?name\b/i,
    title: 'The gateway did not accept {sender}',
    advice:
      "The sender name isn't approved for this account or this channel; Account: Get Senders lists those that are. Choose an approved sender, or have the name approved in your gateway account. Upper and lower case matter.",
    todo: 'choose an approved sender: Account: Get Senders lists them',
    failure: { cause: 'configuration-invalid' },
  },
  {
    match: /\boperator (is )?not supported\b/i,
    title: "The recipient's operator is not supported",
    advice: "Check 'Phone Number', or send by another channel.",
    todo: "check 'Phone Number', or send by another channel",
  },
  {
    match: /\binvalid message type\b/i,
    title: "The gateway doesn't know this type of operation",
    advice: "Ask the gateway's support whether your account may use it.",
    todo: "ask the gateway's support whether your account may use it",
  },
  // Not in the contract from here on.
  {
    about: 'fault',
    match: anyOf(
      /\b(internal|system|server|database|db|sql|unexpected|unknown|unhandled|uncaught|fatal)( server)? (error|failure|fault|exception)\b/,
      /^exception\b|[a-z]exception\b|\bsqlstate\b|\bmysql\b|\bdeadlock\b|^access denied for user '/,
      /\bconnection (was )?(reset|refused|lost|closed|aborted)\b|^lost connection\b|^(the )?server has gone away\b/,
      /\b(request|connection|gateway|server|query) timed?[ -]?out\b|^((operation|read|write|socket) )?time[d-]?[ -]?out[.!]?$/,
      /^database (is )?(locked|down|unavailable)\b|\bbad gateway\b|\bsomething went wrong\b/,
      /(внутренняя|системная) ошибка|(внутрішня|системна) помилка|^(сбой|збій)( (сервера|системы|системи))?[.!]?$/,
      /(ошибка|помилка) (сервера|системы|системи|базы данных|бази даних)/,
    ),
    title: 'The gateway reports a fault of its own',
    advice: "If this persists, send the gateway's support the text and the time.",
    todo: RUN_LATER,
    again: LATER,
  },
  {
    ...NO_ENTRANCE,
    match: anyOf(
      /^access denied\W{1,3}((for|from) )?((the|this|your) )?ip\b/,
      /^((the|this|your) )?ip( address)?( [\d.:a-f]{2,45})? (is )?(not (allowed|permitted|listed)|denied|blocked|forbidden)\b/,
    ),
    title: 'The gateway does not allow the IP address of this n8n',
    advice:
      "Add the address from which this n8n reaches the internet to the key's allow-list in the gateway's settings.",
    todo: "add this n8n's IP address to the key's allow-list",
  },
  {
    ...NO_ENTRANCE,
    match: allOfOne(
      /(access denied\W{1,3})?((the|this|your) )?account (is |was |has been )?(closed|blocked|disabled|suspended)/,
      /(access denied\W{1,3})?((the|this|your) )?account (is |was |has been )?(deactivated|inactive|not active)/,
    ),
    title: 'The gateway has closed the account',
    advice: "See your gateway account, or ask the gateway's support why.",
    todo: SUPPORT,
  },
  {
    match: allOfOne(
      /(no such|unknown) (message|sms)/,
      /(the )?(message|sms)( with)?( (this|the))?( id)?( \d+)?:? (is |was )?(not found|unknown|does not exist)/,
    ),
    title: 'The gateway has no message with this ID',
    advice:
      "Check 'Message ID': it is the id in the output of the send, not its msg_id. A gateway forgets messages after a while.",
    todo: "check 'Message ID': the id of the send, not its msg_id",
  },
  {
    ...RATE_LIMITED,
    match: anyOf(
      /\btoo many (requests|connections)\b/,
      /\brate[\s-]?limit/,
      /\brequests? (limit|per (second|minute)|(is |was )?throttled)/,
      /^queue is full\b/,
    ),
  },
  {
    ...LOW_BALANCE,
    match: anyOf(
      /\b(insufficient|not enough|low|lack of) (account )?(funds|balance|money|credits?)\b/,
      /^balance (is )?(insufficient|too low|not enough|empty)\b/,
    ),
  },
  {
    ...UNAVAILABLE,
    match: anyOf(
      /\b(service|server|system|gateway|api) (is )?((temporarily|currently) )?(unavailable|overloaded|busy)\b/,
      /\b(service|server|system|gateway|api) (is )?((temporarily|currently) )?(in|under) maintenance\b/,
      /^temporarily (unavailable|overloaded)\b/,
      /^(please,? )?try (again |it )?later[.!]?$/,
    ),
  },
  {
    match: anyOf(
      /^please enter (\w+ )?text\b/,
      new RegExp(`^((${PIPELINE_CHANNELS.join('|')}) )?(text|message) (is )?empty\\b`),
    ),
    title: 'The gateway found no text to send',
    advice:
      "The text is empty, or was empty after the gateway dropped what it can't send, such as emoji. Put letters or digits into it.",
    todo: 'put letters or digits into the text',
  },
  {
    about: 'duplicate',
    // Each pattern takes a whole refusal: with other words, a text, a recipient or a template may be the duplicate.
    match: allOfOne(
      /duplicate( (message|request|operation))?( (id|identifier))?:?( \d+)?/,
      /(the )?(message|request)( with ((this|the same) )?(id|identifier)( \d+)?)? (was )?already (exists|sent|accepted|received)/,
      /(message )?(id|identifier)( \d+)? (is )?(not unique|(already )?(duplicate|used|in use|exists))/,
    ),
    title: 'The gateway already has a message with this ID',
    advice:
      "Ask Get Status about this ID. If this is a new message, give it another 'Message ID' or 'Send Once Key'; without either, each run makes a new ID.",
    todo: 'ask Get Status about this ID, or give a new message another one',
  },
  {
    ...TOO_LARGE,
    match: anyOf(
      /\btoo many (operations|items|messages|objects) in\b/,
      /\brequest( body)? (is )?too (large|big)\b/,
    ),
  },
];

const WRONG_ADDRESS: StatusEntry = {
  request: 'closed',
  title: 'There is no {service} at this address',
  advice: `The server answered, but has nothing at the path of the API. ${COMPARE}`,
  todo: CORRECT_ADDRESS,
  failure: { cause: 'configuration-invalid' },
};

const UNREADABLE: Entry = {
  title: 'The {service} could not read the request',
  advice:
    'This node sends JSON, as the {service} reads it, so something in between, such as a proxy, changes the request. Check {address} in the credential, and that proxy.',
  todo: 'check {address} in the credential, and any proxy in between',
};

const NO_ACCESS = {
  title: 'The server refused access',
  advice:
    "Check 'API Key' in the credential, whether the API is switched on in the gateway's settings, and whether this n8n's IP address is on the key's allow-list. A proxy or firewall in between can answer this as well.",
  todo: "check 'API Key' in the credential",
  wholeRequest: true,
} as const;

/** Real HTTP codes. The contract knows only 200; some gateways, and all proxies, use others as well. */
export const STATUS_ENTRIES: Readonly<Record<number, StatusEntry>> = {
  400: { ...UNREADABLE, request: 'refused' },
  401: { ...NO_ACCESS, request: 'closed', failure: { cause: 'credential-invalid' } },
  402: { ...LOW_BALANCE, request: 'refused' },
  403: { ...NO_ACCESS, request: 'refused' },
  404: WRONG_ADDRESS,
  405: WRONG_ADDRESS,
  407: {
    request: 'closed',
    title: 'A proxy between n8n and the server requires a login',
    advice: 'Ask whoever runs n8n to set up the login for the proxy.',
    todo: 'ask whoever runs n8n to set up the login for the proxy',
  },
  // A server that stopped waiting, while another server may still be at work.
  408: { ...FAULT, request: 'timedOut' },
  410: WRONG_ADDRESS,
  413: { ...TOO_LARGE, request: 'refused' },
  415: { ...UNREADABLE, request: 'closed' },
  429: { ...RATE_LIMITED, request: 'refused' },
  502: UNAVAILABLE,
  503: UNAVAILABLE,
  504: { ...UNAVAILABLE, request: 'timedOut' },
  524: { ...UNAVAILABLE, request: 'timedOut' },
};

const REDIRECT: StatusEntry = {
  ...WRONG_ADDRESS,
  title: 'The server redirects to another address',
  advice: `The API key is only sent to the addresses in the credential. ${COMPARE}`,
};

const OTHER_CODE: Entry = {
  title: 'The server answered with an unusual code',
  advice: `Its meaning is unknown. ${COMPARE} If this is right, ask the gateway's support and quote the HTTP code.`,
  todo: CORRECT_ADDRESS,
};

/** Returns the entry for an HTTP code: for 200 and for codes without a meaning of their own, one that tells nothing of the request. */
export function statusEntry(status: number): StatusEntry {
  const known = STATUS_ENTRIES[status];
  if (known !== undefined) return known;
  if (status >= 300 && status < 400) return REDIRECT;
  return status >= 400 && status < 500 ? OTHER_CODE : FAULT;
}

/** A refusal in words that no entry explains. */
export const REFUSED: Entry = {
  title: 'The gateway refused this operation',
  advice:
    "The quoted text is the gateway's own. Check the parameters that it mentions; if that doesn't help, ask the gateway's support and quote it.",
  todo: "check the parameters that the gateway's text mentions",
};

/** A text without a reason: without letters, or with "error" alone. */
export const WITHOUT_REASON = /^\P{L}*((error|failure|failed|fault|ошибка|помилка)\P{L}*)?$/iu;

/** A refusal that names no reason. */
export const NO_REASON_GIVEN: Entry = {
  title: 'The gateway refused this operation and gave no reason',
  advice: "Ask the gateway's support, with the time and what was to be sent.",
  todo: SUPPORT,
};
