import { credentialLabel } from '../contract/credential';
import type { WireType } from '../contract/operations';
import { hasField } from '../contract/operations';
import { LOW_BALANCE, RATE_LIMITED, TOO_LARGE, UNAVAILABLE } from './http-statuses';
import type { Entry } from './problem';
import { nameOf, runLater } from './words';

/** An entry of the catalogue: which words of a gateway it explains, and how. */
export interface TextEntry extends Entry {
  /** Matched against the gateway's words, underscores read as spaces. */
  pattern: RegExp;

  /** Words with which the pattern means something else. */
  unless?: RegExp;

  /** The types of operations that the entry is for; undefined stands for a whole request. */
  applies?: (wireType: WireType | undefined) => boolean;
}

const isMessage = (wireType?: WireType) => wireType === undefined || hasField(wireType, 'phone');
const isQuestion = (wireType?: WireType) => wireType === undefined || wireType === 'status';

/** Which parameters of the form hold what an explanation is about. */
const SENDERS = ['smsSignature', 'viberSignature', 'rcsSignature', 'signature'];
const TEXTS = ['smsMessage', 'viberMessage', 'rcsMessage', 'message', 'template'];

const KEY_REFUSED = {
  code: 'access-denied',
  title: () => 'The gateway did not accept the API key',
  description: () =>
    `Check in this order: ${credentialLabel('apiKey')} in the credential; the API is switched on in the gateway's settings; this n8n's IP address is on the key's allow-list; the account is active.`,
  failure: { cause: 'credential-invalid' },
  account: true,
} as const satisfies Entry;

/** Gateways say these in place of a refusal of the key, which is right then. */
const IP_REFUSED = {
  ...KEY_REFUSED,
  code: 'ip-refused',
  title: () => 'The gateway does not allow the IP address of this n8n',
  description: () =>
    "Add the address to the key's allow-list in your gateway account. Whoever runs n8n knows which one it has towards the outside.",
} as const satisfies Entry;

const ACCOUNT_CLOSED = {
  ...KEY_REFUSED,
  code: 'account-closed',
  title: () => 'The gateway has closed the account',
  description: () =>
    "See your gateway account, or ask the gateway's support why it is blocked or not active.",
} as const satisfies Entry;

const anyOf = (...patterns: RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join('|'), 'i');

/**
 * What gateways say, what it means and what to do. The first entry that fits is taken: the texts of the contract first
 * (gateway-api.md, "Refusals"), then what may hide that the gateway took the operation, then wordings that gateways with
 * this contract were seen to have, or that plainly say this.
 */
export const TEXT_ENTRIES: readonly TextEntry[] = [
  // What a database says of its own user isn't about the API key.
  { ...KEY_REFUSED, pattern: /^access denied\b(?! for user\b)/i },
  {
    code: 'sender-not-approved',
    pattern: /\balpha[\s-]?name\b/i,
    title: ({ sender }) => ['The gateway did not accept the sender', sender].filter(Boolean).join(' '),
    description: (words) => {
      const fields = nameOf(words, SENDERS, '');
      return `The sender name isn't approved for this account or this channel; Account: Get Senders lists those that are. Choose an approved sender${fields && ` in ${fields}`}, or have the name approved in your gateway account. Upper and lower case matter.`;
    },
    failure: { cause: 'configuration-invalid' },
  },
  {
    code: 'operator-not-supported',
    pattern: /\boperator (is )?not supported\b/i,
    title: () => "The recipient's operator is not supported",
    description: (words) =>
      `The gateway can't reach the operator of this number in this way. Check ${nameOf(words, ['phone'], 'the phone number')}, or send by another channel.`,
  },
  {
    code: 'message-type-not-supported',
    pattern: /\binvalid message type\b/i,
    title: () => "The gateway doesn't know this type of operation",
    description: () =>
      "The gateway has no such operation, or not for this account. Ask the gateway's support whether your account may use it.",
  },
  {
    code: 'gateway-fault',
    pattern: anyOf(
      /\b(internal|system|server|database|db|unexpected|unknown|unhandled|fatal)( server)? (error|failure|fault|exception)\b/,
      /\bdatabase\b|sql(state)?\b|exception\b|\bdeadlock\b|\bgone away\b|\blost connection\b|\bconnection (was )?(lost|reset|refused|closed)\b/,
      /\btimed[ -]?out\b|\btime-?out\b|\bbad gateway\b|\bsomething went wrong\b|\bcrash(ed)?\b|\bfor user '/,
      // Nothing but "error", with a number at most; and the same in other languages.
      /^\W*(error|failure|failed|fault|e_fail|fehler|erreur|error interno|błąd|помилка|ошибка|hata)\W*(0x)?[\da-f]*\W*$/,
      /(внутренняя|системная) ошибка|(внутрішня|системна) помилка|(ошибка|помилка|сбой|збій) (сервера|системы|системи|базы|бази)/,
      /\b(interner|server|system)-?\s?fehler|\berreur (interne|du serveur|système)|\berror (interno|del servidor)|\bbłąd (systemu|serwera|wewnętrzny)|\b(sistem|sunucu) hatası/,
    ),
    title: () => 'The gateway reports a fault of its own',
    description: (words) =>
      `${runLater(words)}If this persists, send the gateway's support the text and the time.`,
  },
  {
    ...RATE_LIMITED,
    pattern:
      /\btoo many (requests|connections|attempts)\b|\brate[\s-]?limit|\bthrottl|\brequests? (limit|per (second|minute))/i,
  },
  {
    ...LOW_BALANCE,
    pattern:
      /\b(insufficient|not enough|no|low|lack of) (account )?(funds|balance|money|credits?)\b|\bbalance\b.*\b(insufficient|too low|not enough|empty|exceeded)\b|\btop[\s-]up\b/i,
  },
  {
    ...UNAVAILABLE,
    pattern:
      /\bmaintenance\b|\boverload(ed)?\b|\bbusy\b|\bqueue (is )?(full|overflow\w*)\b|\b(temporar\w*|service|currently)( is)? (un|not )available\b|\btry (again |it |once more )?later\b/i,
  },
  {
    code: 'text-empty',
    pattern:
      /\bplease enter\b.*\btext\b|\b(text|message) (is |was |can(no|')t be |must not be )?empty\b|\bempty (\w+ )?(text|message)\b/i,
    title: () => 'The gateway found no text to send',
    description: (words) =>
      `The text is empty, or was empty after the gateway dropped what it can't send, such as emoji. Put letters or digits into ${nameOf(words, TEXTS, 'the text')}.`,
  },
  {
    code: 'duplicate-id',
    pattern: anyOf(
      /^duplicat\w*( \w+)?[.!]?$/,
      /\bduplicat\w*.*\b(id|identifier)\b/,
      /\b(id|identifier|message|request)\b.*\b(duplicat\w*|not unique|already)\b/,
    ),
    // Refusals of a repeated text or recipient, and ids of something other than the message.
    unless:
      /\b(recipient|phone|number|subscriber|text|content|body|same|within|last|ago|recently|today|second|minute|hour|day|sender|signature|alpha|(an)?other|channel|campaign|template|name)s?\b/i,
    applies: isMessage,
    title: () => 'The gateway already has a message with this ID',
    description: (words) =>
      `It does not take a message with the same ID again. Ask for the status of this ID to see what became of it. If this is a new message, ${
        words.hasKey
          ? `use a new key in ${nameOf(words, ['sendOnceKey'], 'the key')}: the same key always makes the same ID.`
          : `change ${nameOf(words, ['messageId'], 'the message ID')}, or leave it out and run the node again: each run makes a new one.`
      }`,
  },
  {
    ...TOO_LARGE,
    pattern:
      /\btoo (many|much) (operations|items|messages|objects|elements|data|records)\b|\btoo (large|big)\b|\b(maximum|max) (number|count) of (operations|items|messages)\b/i,
  },
  {
    ...IP_REFUSED,
    pattern: anyOf(
      /\bip\b.*\b(not (allowed|permitted|listed)|denied|forbidden|blocked|whitelist\w*)\b/,
      /\b(not allowed|forbidden|denied|blocked)\b.*\bip\b/,
    ),
  },
  {
    ...ACCOUNT_CLOSED,
    pattern: /\b(account|user|client)\b.*\b(disabled|blocked|suspended|deactivated|not active|inactive)\b/i,
  },
  {
    ...KEY_REFUSED,
    pattern: anyOf(
      /\b(invalid|wrong|incorrect|unknown|bad|expired|missing)\b( \w+)? ?\b(key|token|auth|credentials?)\b/,
      /\b(key|token|auth)\b.*\b(invalid|wrong|incorrect|required|not found|expired|missing)\b/,
      /\bun(authori[sz]ed|authenticated)\b|^forbidden\W*$/,
    ),
  },
  {
    code: 'question-not-offered',
    pattern: anyOf(
      /\b(unknown|unsupported|invalid|unrecogni[sz]ed|undefined) (request |operation )?(operation|type|method|command|action|function)\b/,
      /\b(not|no longer) (supported|allowed|permitted|implemented|enabled|activated|included|available (for|on|in|to|with))\b/,
      /\b(unsupported|disabled|forbidden|permissions?|privileges?|no (access|rights?))\b/,
      /не (підтриму|поддержива|дозволен|разреш[её]н|доступ)|заборонен|запрещ[её]н|недоступ|(немає|нема|нет|відсутн\S*|отсутств\S*) (доступ|прав)/,
    ),
    applies: (wireType) => wireType === 'status',
    title: () => 'The gateway does not offer status queries to this account',
    description: () =>
      "The gateway has no such operation, or not for this account. Ask the gateway's support whether your account may use it.",
  },
  {
    code: 'message-not-known',
    pattern: anyOf(
      /^(not|nothing) found\b/,
      /^(there (is|are) )?no (message|record)s? (found|with|by|for)\b/,
      /^(the |this )?(message|sms|record|id|identifier)\b.*\b(not (been )?found|not (exist|known)|unknown|absent)\b/,
      /\b(message|sms|record|id|identifier)s? (\S{1,40} )?(not (found|known)|(do|does|did|is|was|has|have|could)( not|n't) (be |been )?(exist|found|known))\b/,
      /\bno such (message|sms|record|id|identifier)\b/,
      /\b(unknown|wrong|invalid|incorrect) (message )?id\b|\bunknown message\b/,
    ),
    // Of a message that is there, and of other things that may be missing.
    unless:
      /\b(yet|still|pending|process\w*|queue\w*|waiting|being|later|status\w*|state|data|results?|sent|delivered|sender|signature|user|account|operator|channel|phone|recipient|subscriber|type)\b/i,
    applies: isQuestion,
    title: () => 'The gateway does not have what was asked for',
    description: (words) =>
      `It knows no message with this ID in this account. Check ${nameOf(words, ['messageId'], 'the message ID')}: it is the id that was sent, and that the send returned as "id". A queued message may take a moment to be known.`,
  },
];

/** Characters that are matched: a refusal says what it is about at its beginning. */
const LOOKED_AT = 1000;

/** The first entry that explains a refusal, of the whole request or of one operation of a type, if one does. */
export function findTextEntry(text: string, wireType?: WireType): TextEntry | undefined {
  // Gateways name fields as they are on the wire, and an underscore would hide the word before or after it.
  const words = text.trimStart().slice(0, LOOKED_AT).replaceAll('_', ' ');
  return TEXT_ENTRIES.find(
    ({ pattern, unless, applies }) =>
      pattern.test(words) && unless?.test(words) !== true && applies?.(wireType) !== false,
  );
}
