import type { LifetimeField } from '../contract/limits';
import { LIFETIME_LIMITS } from '../contract/limits';
import type { WireType } from '../contract/operations';
import { hasField } from '../contract/operations';
import type { Entry } from './explanation';
import type { NamedParameter, Words } from './words';
import { ADVICE, capitalised, joined, nameOf, shownLabels } from './words';

/** An entry of the catalogue: which words of a gateway it explains, and how. */
export interface TextEntry extends Entry {
  /** Matched against the gateway's words, underscores read as spaces. */
  pattern: RegExp;
  /** Words with which the pattern means something else. */
  unless?: RegExp;
  /**
   * Where the wording comes from: `contract` (gateway-api.md, "Refusals"), `seen` (of gateways with this contract), or
   * `hint` (not documented; a wording that plainly says this).
   */
  source: 'contract' | 'seen' | 'hint';
  /** The types of operations that the entry is for; undefined stands for a whole request. */
  applies?: (wireType: WireType | undefined) => boolean;
}

const isMessage = (wireType?: WireType) => wireType === undefined || hasField(wireType, 'phone');
const isTemplate = (wireType?: WireType) => wireType?.startsWith('template/') === true;

/** Which parameters of the form hold what an explanation is about. */
const SENDERS = ['smsSignature', 'viberSignature', 'rcsSignature', 'signature'];
const TEXTS = ['smsMessage', 'viberMessage', 'rcsMessage', 'message', 'template'];
const LIFETIMES: Record<LifetimeField, NamedParameter> = {
  sms_lifetime: 'smsLifetime',
  viber_lifetime: 'viberLifetime',
  rcs_lifetime: 'rcsLifetime',
  telegram_lifetime: 'telegramLifetime',
};

/** How to choose another sender, as the beginning of a sentence. */
function chooseSender(words: Words): string {
  const shown = shownLabels(words, SENDERS);
  return `Choose an approved sender${shown.length === 0 ? '' : ` in ${joined(shown, 'or')}`}`;
}

/** The parameters that hold the text. */
function textParameters(words: Words): string {
  const shown = shownLabels(words, TEXTS);
  return shown.length === 0 ? 'the text' : joined(shown, 'or');
}

/** One sentence for each lifetime of an operation type, with its limits (gateway-api.md, "Limits"). */
function lifetimeLimits(words: Words, wireType: WireType | undefined): string {
  const fields = Object.keys(LIFETIMES) as LifetimeField[];
  const ofType = wireType === undefined ? [] : fields.filter((field) => hasField(wireType, field));
  return (ofType.length > 0 ? ofType : fields)
    .map((field) => {
      const { min, max } = LIFETIME_LIMITS[field];
      const range = max === undefined ? `at least ${min} seconds` : `from ${min} to ${max} seconds`;
      return `${capitalised(nameOf(words, LIFETIMES[field]))} must be ${range}.`;
    })
    .join(' ');
}

const KEY_REFUSED = {
  code: 'access-denied',
  title: () => 'The gateway did not accept the API key',
  description: ADVICE.key,
  failure: { cause: 'credential-invalid' },
  account: true,
} as const satisfies Partial<TextEntry>;

const anyOf = (...patterns: RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join('|'), 'i');

/** That the `id` of an operation was used before: a message with this id is with the gateway. */
const REPEATED_ID = {
  pattern: anyOf(
    /^duplicat\w*( \w+)?[.!]?$/,
    /\bduplicat\w*.*\b(id|identifier)\b/,
    /\b(id|identifier|message|request)\b.*\b(duplicat\w*|not unique|already)\b/,
  ),
  // Refusals of a repeated text or recipient, and ids of something other than the message.
  unless:
    /\b(recipient|phone|number|subscriber|text|content|body|same|within|last|ago|recently|today|second|minute|hour|day|sender|signature|alpha|(an)?other|channel|campaign|template|name)s?\b/i,
};

/** That there is nothing under the `id` that was asked about. */
const NOT_KNOWN = {
  pattern: anyOf(
    /^(not|nothing) found\b/,
    /^(there (is|are) )?no (message|record|template)s? (found|with|by|for)\b/,
    /^(the |this )?(message|sms|record|template|id|identifier)\b.*\b(not (been )?found|not (exist|known)|unknown|absent)\b/,
    /\b(message|sms|record|template|id|identifier)s? (\S{1,40} )?(not (found|known)|(do|does|did|is|was|has|have|could)( not|n't) (be |been )?(exist|found|known))\b/,
    /\bno such (message|sms|record|template|id|identifier)\b/,
    /\b(unknown|wrong|invalid|incorrect) (message )?id\b/,
    /\bunknown (message|template)\b/,
  ),
  // Of a message that is there, and of other things that may be missing.
  unless:
    /\b(yet|still|pending|process\w*|queue\w*|waiting|being|later|status\w*|state|data|results?|sent|delivered|sender|signature|user|account|operator|channel|phone|recipient|subscriber|type)\b/i,
};

/**
 * What gateways say, what it means and what to do. The first entry that fits is taken: the exact texts of the contract
 * first, then what may hide that the gateway took the operation, then the wordings that only sound like the rest.
 */
export const TEXT_ENTRIES: readonly TextEntry[] = [
  { ...KEY_REFUSED, source: 'contract', pattern: /^access denied\b/i },
  {
    code: 'sender-not-approved',
    source: 'contract',
    pattern: /\balpha[\s-]?name\b/i,
    title: ({ sender }) => ['The gateway did not accept the sender', sender].filter(Boolean).join(' '),
    description: (words) =>
      `The sender name isn't approved for this account or this channel; Account: Get Senders lists those that are. ${chooseSender(words)}, or have the name approved in your gateway account. Upper and lower case matter.`,
    failure: { cause: 'configuration-invalid' },
  },
  {
    code: 'operator-not-supported',
    source: 'contract',
    pattern: /\boperator (is )?not supported\b/i,
    title: () => "The recipient's operator is not supported",
    description: (words) =>
      `The gateway can't reach the operator of this number in this way. Check ${nameOf(words, 'phone')}, or send by another channel.`,
  },
  {
    code: 'message-type-not-supported',
    source: 'contract',
    pattern: /\binvalid message type\b/i,
    title: () => "The gateway doesn't know this type of operation",
    description: () =>
      "The gateway has no such operation, or not for this account. Ask the gateway's support whether your account may use it.",
  },
  {
    code: 'gateway-fault',
    source: 'hint',
    pattern:
      /\b(internal|system|server|database|db|unexpected|unknown|unhandled|fatal)( server)? (error|failure|fault|exception)\b|\bdatabase\b|\bsql(state)?\b|\bexception\b|\btimed[ -]?out\b|\btime-?out\b|\bbad gateway\b|\bsomething went wrong\b/i,
    title: () => 'The gateway reports a fault of its own',
    description: () =>
      "Run it again in a while. If this persists, send the gateway's support the text and the time.",
  },
  {
    code: 'rate-limited',
    source: 'hint',
    pattern:
      /\btoo many (requests|connections|attempts)\b|\brate[\s-]?limit|\bthrottl|\brequests? (limit|per (second|minute))/i,
    title: () => 'The gateway is limiting requests',
    description: ADVICE.rateLimit,
    failure: { cause: 'rate-limited' },
  },
  {
    code: 'insufficient-balance',
    source: 'hint',
    pattern:
      /\b(insufficient|not enough|no|low|lack of) (account )?(funds|balance|money|credits?)\b|\bbalance\b.*\b(insufficient|too low|not enough|empty|exceeded)\b|\btop[\s-]up\b/i,
    title: () => "The account's balance is too low",
    description: ADVICE.topUp,
  },
  {
    code: 'gateway-unavailable',
    source: 'hint',
    pattern:
      /\bmaintenance\b|\b(temporar\w*|service|currently)( is)? (un|not )available\b|\btry (again |it |once more )?later\b/i,
    title: () => 'The gateway is unavailable at the moment',
    description: () => `It is down for a while. ${ADVICE.askSupport()}`,
    failure: { cause: 'temporarily-unavailable' },
  },
  {
    code: 'text-empty',
    source: 'seen',
    pattern:
      /\bplease enter\b.*\btext\b|\b(text|message) (is |was |can(no|')t be |must not be )?empty\b|\bempty (\w+ )?(text|message)\b/i,
    title: () => 'The gateway found no text to send',
    description: (words) =>
      `The text is empty, or was empty after the gateway dropped what it can't send, such as emoji. Put letters or digits into ${textParameters(words)}.`,
  },
  {
    code: 'duplicate-id',
    source: 'seen',
    ...REPEATED_ID,
    applies: isMessage,
    title: () => 'The gateway already has a message with this ID',
    description: (words) =>
      `It does not take a message with the same ID again. Ask for the status of this ID to see what became of it. If this is a new message, change ${nameOf(words, 'messageId')} or leave it empty.`,
  },
  {
    code: 'lifetime-out-of-range',
    source: 'seen',
    pattern: /\blife[\s-]?time\b|\bvalidity( period)?\b|\bttl\b/i,
    title: () => 'The gateway did not accept the lifetime',
    description: (words, wireType) => `${lifetimeLimits(words, wireType)} Change it, or leave it out.`,
  },
  {
    code: 'too-many-operations',
    source: 'hint',
    pattern:
      /\btoo (many|much) (operations|items|messages|objects|elements|data|records)\b|\btoo (large|big)\b|\b(maximum|max) (number|count) of (operations|items|messages)\b/i,
    title: () => 'The request is too large for the gateway',
    description: ADVICE.tooLarge,
  },
  {
    code: 'address-not-allowed',
    source: 'hint',
    pattern:
      /\bip\b.*\b(not (allowed|permitted|listed)|denied|forbidden|blocked|whitelist\w*)\b|\b(not allowed|forbidden|denied|blocked)\b.*\bip\b/i,
    title: () => "The gateway does not accept requests from this n8n's IP address",
    description: () =>
      "Add the address under which n8n's requests reach the internet to the key's allow-list in your gateway account (Settings → API).",
    failure: { cause: 'credential-invalid' },
    account: true,
  },
  {
    code: 'account-disabled',
    source: 'hint',
    pattern: /\b(account|user|client)\b.*\b(disabled|blocked|suspended|deactivated|not active|inactive)\b/i,
    title: () => 'The gateway account is disabled',
    description: () => "Log in to your gateway account to see why, or ask the gateway's support.",
    failure: { cause: 'credential-invalid' },
    account: true,
  },
  {
    ...KEY_REFUSED,
    source: 'hint',
    pattern:
      /\b(invalid|wrong|incorrect|unknown|bad|expired|missing)\b( \w+)? ?\b(key|token|auth|credentials?)\b|\b(key|token|auth)\b.*\b(invalid|wrong|incorrect|required|not found|expired|missing)\b|\bun(authori[sz]ed|authenticated)\b|^forbidden\W*$/i,
  },
  {
    code: 'content-type-missing',
    source: 'seen',
    pattern:
      /\bcontent[\s-]type\b|\b(invalid|malformed|bad|not( a)? valid) (json|request)\b|\bjson\b.*\b(invalid|error|malformed)\b/i,
    title: () => 'The gateway could not read the request',
    description: ADVICE.unreadable,
  },
  {
    code: 'message-not-known',
    source: 'hint',
    ...NOT_KNOWN,
    title: () => 'The gateway does not have what was asked for',
    description: (words, wireType) =>
      isTemplate(wireType)
        ? `There is no such template. Choose another in ${nameOf(words, 'templateId')}, or compare ${nameOf(words, 'template')} letter by letter.`
        : `It knows no message with this ID in this account. Check ${nameOf(words, 'messageId')}: it is the id that was sent, and that the send returned as "id". A queued message may take a moment to be known.`,
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
