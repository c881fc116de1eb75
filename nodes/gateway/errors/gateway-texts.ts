import type { WireType } from '../contract/operations';
import { hasField } from '../contract/operations';
import { ADVICE } from './advice';
import type { Explanation } from './explanation';
import { lifetimeLimits, senderParameters, textParameters } from './parameter-hints';

/** A refusal in the gateway's words: of the whole request, or of one operation of a type. */
export interface GatewayText {
  text: string;
  wireType?: WireType;
}

/** An entry of the catalogue: which words it explains, and how. */
export interface TextEntry extends Omit<Explanation, 'message' | 'description'> {
  /** Matched against the gateway's words, underscores read as spaces. */
  pattern: RegExp;
  /**
   * Where the wording comes from: `contract` (gateway-api.md, "Errors"), `seen` (of gateways with this contract), or
   * `hint` (not documented; a wording that plainly says this).
   */
  source: 'contract' | 'seen' | 'hint';
  /** Further condition on the operation. */
  applies?: (gatewayText: GatewayText) => boolean;
  /** What happened, without the gateway's words. */
  title: string;
  description: string | ((gatewayText: GatewayText) => string);
}

const isMessage = ({ wireType }: GatewayText) => wireType === undefined || hasField(wireType, 'phone');
const isTemplate = ({ wireType }: GatewayText) => wireType !== undefined && wireType.startsWith('template/');

/**
 * What the gateway says, what it means and what to do. The first entry that fits is taken, so the exact texts of the
 * contract come before the wordings that only sound like them.
 */
export const TEXT_ENTRIES: readonly TextEntry[] = [
  {
    code: 'access-denied',
    source: 'contract',
    pattern: /^access denied\b/i,
    title: 'The gateway did not accept the API key',
    description:
      "There are four causes. The key is wrong: copy it again from the personal cabinet (Settings, API) into 'API Key' of the credential. The API is switched off in the cabinet: switch it on. The address of this n8n server is not on the key's allow-list: add it in the cabinet. The account is disabled: ask the gateway's support.",
    failure: { cause: 'credential-invalid' },
    retry: 'never',
    stop: true,
  },
  {
    code: 'sender-not-approved',
    source: 'contract',
    pattern: /\balpha[\s-]?name\b/i,
    title: 'The gateway did not accept the sender',
    description: ({ wireType }) =>
      `The sender name is not approved for this account, or not for this channel. Choose one from the list in ${senderParameters(wireType)}, or have the name approved in the personal cabinet. Upper and lower case count.`,
    failure: { cause: 'configuration-invalid' },
    retry: 'never',
  },
  {
    code: 'operator-not-supported',
    source: 'contract',
    pattern: /\boperator (is )?not supported\b/i,
    title: "The recipient's operator is not supported",
    description:
      "The gateway cannot reach the operator of this number by this way. Check 'Phone Number', or send to it by another channel.",
    retry: 'never',
  },
  {
    code: 'message-type-not-supported',
    source: 'contract',
    pattern: /\binvalid message type\b/i,
    title: 'The gateway does not know this type of operation',
    description:
      "The account or the gateway has no such operation. WhatsApp is only sent as a channel of the operation Send Through Channels. If 'Additional Properties' sets a type, take it out.",
    retry: 'never',
  },
  {
    code: 'text-empty',
    source: 'seen',
    pattern:
      /\bplease enter\b.*\btext\b|\b(text|message) (is |was |can(no|')t be |must not be )?empty\b|\bempty (\w+ )?(text|message)\b/i,
    title: 'The gateway found no text to send',
    description: ({ wireType }) =>
      `The text is empty, or was empty after the gateway dropped what it cannot send, such as emoji. Put letters or digits into ${textParameters(wireType)}.`,
    retry: 'never',
  },
  {
    code: 'duplicate-template',
    source: 'hint',
    pattern: /\bduplicat|\balready (exists?|been|used|registered|added)\b/i,
    applies: isTemplate,
    title: 'The gateway already has this template',
    description: "A template with this text or name exists. Use it, or change 'Template Text'.",
    retry: 'never',
  },
  {
    code: 'duplicate-id',
    source: 'seen',
    pattern:
      /^duplicat\w*( (message|request|sms|operation|entry))?[.!]?$|\bduplicat\w* (of )?(the )?((message|client|request)[ -]?)?(id|identifier)\b|\b(id|identifier)\b.*\b(duplicat\w*|not unique|already (exists?|used|in use|been \w+|sent|accepted|processed|registered|received|taken))|^(the )?(message|request) (was |is |has )?(been )?already (been )?(exists?|sent|accepted|processed|registered|received)/i,
    applies: isMessage,
    title: 'The gateway already has a message with this ID',
    description:
      "It was accepted before and is not sent again. The operation Get Status tells what became of it. If this is a new message, give it another 'Message ID', or leave that empty.",
    retry: 'never',
    accepted: true,
  },
  {
    code: 'lifetime-out-of-range',
    source: 'seen',
    pattern: /\blife[\s-]?time\b|\bvalidity( period)?\b|\bttl\b/i,
    title: 'The gateway did not accept the lifetime',
    description: ({ wireType }) => `${lifetimeLimits(wireType)} Change it, or take it out of 'Options'.`,
    retry: 'never',
  },
  {
    code: 'too-many-operations',
    source: 'hint',
    pattern:
      /\btoo (many|much) (operations|items|messages|objects|elements|data|records)\b|\btoo (large|big)\b|\b(maximum|max) (number|count) of (operations|items|messages)\b/i,
    title: 'The gateway finds the request too large',
    description: ADVICE.tooLarge,
    retry: 'safe',
  },
  {
    code: 'rate-limited',
    source: 'hint',
    pattern:
      /\btoo many (requests|connections|attempts)\b|\brate[\s-]?limit|\bthrottl|\brequests? (limit|per (second|minute))/i,
    title: 'The gateway gets more requests than it takes',
    description: ADVICE.rateLimit,
    failure: { cause: 'rate-limited' },
    retry: 'safe',
    stop: true,
  },
  {
    code: 'insufficient-balance',
    source: 'hint',
    pattern:
      /\b(insufficient|not enough|no|low|lack of) (account )?(funds|balance|money|credits?)\b|\bbalance\b.*\b(insufficient|too low|not enough|empty|exceeded)\b|\btop[\s-]up\b/i,
    title: 'The balance of the account does not cover this',
    description:
      'Top up the account in the personal cabinet and run it again. The operation Get Balance shows what is left.',
    retry: 'safe',
    stop: true,
  },
  {
    code: 'account-limit',
    source: 'hint',
    pattern: /\b(limit|quota)\b.*\b(exceeded|reached|used up|exhausted)\b|\bexceed\w*\b.*\b(limit|quota)\b/i,
    title: 'A limit of the account is reached',
    description:
      "The personal cabinet shows the account's limits and when they start anew; the gateway's support can change them.",
    retry: 'safe',
  },
  {
    code: 'address-not-allowed',
    source: 'hint',
    pattern:
      /\bip\b.*\b(not (allowed|permitted|listed)|denied|forbidden|blocked|whitelist\w*)\b|\b(not allowed|forbidden|denied|blocked)\b.*\bip\b/i,
    title: 'The gateway does not take requests from the address of this n8n server',
    description:
      "Add the address under which n8n's requests reach the internet to the allow-list of the key in the personal cabinet.",
    failure: { cause: 'credential-invalid' },
    retry: 'never',
    stop: true,
  },
  {
    code: 'account-disabled',
    source: 'hint',
    pattern: /\b(account|user|client)\b.*\b(disabled|blocked|suspended|deactivated|not active|inactive)\b/i,
    title: 'The gateway has disabled this account',
    description: "Log in to the personal cabinet to see why, or ask the gateway's support.",
    failure: { cause: 'credential-invalid' },
    retry: 'never',
    stop: true,
  },
  {
    code: 'access-denied',
    source: 'hint',
    pattern:
      /\b(invalid|wrong|incorrect|unknown|bad|expired|missing)\b( \w+)? ?\b(key|token|auth|credentials?)\b|\b(key|token|auth)\b.*\b(invalid|wrong|incorrect|required|not found|expired|missing)\b|\bun(authori[sz]ed|authenticated)\b|^forbidden\b/i,
    title: 'The gateway did not accept the API key',
    description:
      "Copy the key again from the personal cabinet (Settings, API) into 'API Key' of the credential. If it is right, see in the cabinet whether the API is switched on, whether the address of this n8n server is on the key's allow-list, and whether the account is active.",
    failure: { cause: 'credential-invalid' },
    retry: 'never',
    stop: true,
  },
  {
    code: 'content-type-missing',
    source: 'seen',
    pattern:
      /\bcontent[\s-]type\b|\b(invalid|malformed|bad|not( a)? valid) (json|request)\b|\bjson\b.*\b(invalid|error|malformed)\b/i,
    title: 'The gateway could not read the request',
    description: ADVICE.unreadable,
    retry: 'never',
    stop: true,
  },
  {
    code: 'sender-not-approved',
    source: 'hint',
    pattern:
      /\b(sender|signature|originator)\b.*\b(not|invalid|wrong|unknown|forbidden|incorrect|unregistered)\b|\b(invalid|wrong|unknown|incorrect|unregistered|bad) (\w+ )?(sender|signature|originator)\b/i,
    title: 'The gateway did not accept the sender',
    description: ({ wireType }) =>
      `The sender name has to be approved for this account and this channel. Choose one from the list in ${senderParameters(wireType)}, or have the name approved in the personal cabinet.`,
    retry: 'never',
  },
  {
    code: 'recipient-opted-out',
    source: 'hint',
    pattern: /\b(black|stop)[\s-]?list\w*|\bunsubscribed\b|\bopted[\s-]out\b/i,
    title: 'The recipient does not take messages from this account',
    description:
      'The number is on a stop list of the account or has unsubscribed. Leave it out, or take it off the list in the personal cabinet if its owner agrees.',
    retry: 'never',
  },
  {
    code: 'phone-not-valid',
    source: 'hint',
    pattern:
      /\b(invalid|wrong|incorrect|bad|unknown) (\w+ )?(phone|number|msisdn|recipient|destination|subscriber)\b|\b(phone|msisdn|recipient|destination|subscriber)\b.*\b(invalid|wrong|incorrect|not valid|unknown|format|has to be|must be)\b|\bno route\b/i,
    title: 'The gateway did not accept the phone number',
    description:
      "Check 'Phone Number': country code first, then the number, without a leading zero in between.",
    retry: 'never',
  },
  {
    code: 'message-not-known',
    source: 'hint',
    pattern:
      /\b(message|id|identifier|record|data|template|result|status|object|item)s?\b.*\bnot (been )?(found|exists?|known|sent)\b|^(not|nothing) found\b|\b(message|id)\b.*\b(is|was) (unknown|missing|absent)\b|\bno (such|data|messages?|records?|results?|status)\b|\bdo(es)?(n't| not) exist\b|\b(unknown|wrong|invalid|incorrect|missing) (message )?id\b|\bunknown message\b/i,
    title: 'The gateway does not have what was asked for',
    description: ({ wireType }) =>
      wireType !== undefined && wireType.startsWith('template/')
        ? "There is no such template any more. Choose one from the list in 'Template', or compare 'Template Text' letter by letter."
        : "It knows no message with this 'Message ID' on this account. Ids are the ones that were sent, or that the send returned as id; a queued message may take a moment to be known.",
    retry: 'safe',
  },
  {
    code: 'gateway-unavailable',
    source: 'hint',
    pattern: /\bmaintenance\b|\b(temporar\w*|service|currently) (un|not )available\b|\btry (again )?later\b/i,
    title: 'The gateway is not available at the moment',
    description: 'It is down for a while. Run it again later.',
    failure: { cause: 'temporarily-unavailable' },
    retry: 'safe',
    stop: true,
  },
  {
    code: 'gateway-fault',
    source: 'hint',
    pattern: /\binternal (server )?error\b|\bsystem error\b|\bdatabase\b/i,
    title: 'The gateway reports a fault of its own',
    description: "Run it again later. If it stays, tell the gateway's support the text and the time.",
    retry: 'safe',
  },
];

/** The first entry that explains a refusal, if one does. */
export function findTextEntry(gatewayText: GatewayText): TextEntry | undefined {
  // Gateways name fields as they are on the wire, and an underscore would hide the word before or after it.
  const words = gatewayText.text.replaceAll('_', ' ');
  return TEXT_ENTRIES.find(({ pattern, applies }) => pattern.test(words) && (applies?.(gatewayText) ?? true));
}
