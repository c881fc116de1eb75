import type { OperationDefinition } from '../../nodes/MessagingGateway/run/run.ts';
import { toJsonSchema } from './output-schemas.mts';
import type { JsonSchema } from './output-schemas.mts';

/** The meaning of each field of an output, by its name. */
type Meanings = Record<string, string>;

/** Fields that are the same wherever they are. */
const EVERYWHERE: Meanings = {
  result:
    'The result of the row: `sent`, `queued`, `duplicate` or `skipped`; `checked` with *Check Only*; of a row that failed `invalid`, `refused`, `notSent` or `unknown`',
  id: "The message's ID: yours, or the one that the node created. Callbacks carry it, and *Get Status* takes it.",
  type: "The gateway's name of the operation, such as `sms` or `viber+sms`",
  phone: 'The number in international format, digits only',
  msg_id:
    "The gateway's own number of the message. Missing for queued messages, and where its answer was lost and the status does not say it.",
  parts:
    'How many message parts are billed, as the gateway says. Missing for queued messages, and where its answer was lost.',
  request_id: 'Only with *Send Mode: Queued*: the request that carried the message. Callbacks repeat it.',
  data: "Only of a Viber message: a whole number. The contract doesn't say what it means; nothing needs it.",
  outcome: 'The state of the message: `delivered`, `read`, `replied`, `failed`, `pending` or `unknown`',
  final: 'Whether delivery is decided',
  success: 'The verdict of the callback; the same as `arrived` where there was none',
  arrived: 'Whether the message was delivered, read or answered',
  status: "The gateway's own word, such as `DELIVERED`",
  channel: 'The channel that the report is about: after a fallback, the one that delivered',
  updated: "The gateway's time of this status",
  error: "The gateway's reason why the message didn't arrive, where it gives one",
  reply: 'The last answer: its text, or the digit that was pressed in a call',
  replies:
    'Answers to the message: `message` is the text, `datetime` the time, and `media`, of a picture or file, has `url`, `filename` and `filesize`',
};

/** Said once of an output, at its first field. */
const NOT_IN_CONTRACT = 'The contract does not show the names of these fields: they are a guess.';

const SMS_TEMPLATE: Meanings = {
  id: `The ID of the template, for *Delete*. ${NOT_IN_CONTRACT}`,
  name: 'The name of the template',
  text: 'The text of the template',
  characters: 'How many characters the text has',
  parts: 'How many message parts the text is billed as',
  created: 'When the template was created',
};
const VIBER_TEMPLATE: Meanings = {
  ...SMS_TEMPLATE,
  signature: 'The sender that it is for',
  status: 'Whether its moderation has passed, in the words of the gateway',
};
const DELETED: Meanings = {
  deleted: 'Whether a template was deleted. Where none was, the row fails: "The gateway has no such template"',
  count: 'How many, where the gateway says it',
};

/** Fields of one operation, by resource and name. */
const OF_OPERATION: Record<string, Meanings> = {
  'account/getBalance': {
    amount: `The amount left on the account. ${NOT_IN_CONTRACT}`,
    currency: 'The currency of the amount',
  },
  'account/getSenders': {
    senders: 'A list: the `name` of each sender and, where the gateway says it, its `channel`',
  },
  'approval/sendAndWait': {
    data: 'The answer: `approved` (true or false), or `text`, or the fields of your form by name; and `respondedAt`, when. Missing where nobody answered in time.',
    by: 'How it was decided: `link` (on the page), `reply` (in words), `limit` (nobody answered in time), or `undelivered` (no message arrived)',
    decided_by: 'The number of the person who answered',
    decided_at: 'When they answered',
    call: 'Only of a human review: the call that was asked about, with its `id`, `tool` and `arguments`; in `texts`, the texts that the person changed (*Editable*), each as it was `proposed` and `approved`',
    messages:
      'The message to each person: `result`, `id`, `type`, `phone`, `msg_id`, `parts`, and `data` with Viber, as in a send. With `undelivered`, also why it did not arrive: `outcome`, `final`, `success`, `arrived`, `status`, `channel`, `updated` and `error`.',
  },
  'assistant/getHealth': {
    ok: 'Whether the connector works',
    domain: 'The domain that it belongs to',
    send_enabled: 'Whether it may send',
  },
  'assistant/listTools': {
    name: 'The name of the tool, which *Call Tool* takes',
    title: 'Its title',
    description: 'Its purpose',
    sends:
      'Whether it may send, and needs *Confirm* for that: it takes `confirm` and does not say that it only reads',
    inputSchema: 'Its arguments, as JSON Schema',
  },
  'assistant/callTool': {
    amount: 'Of the tool `balance`: what is left on the account',
    currency: 'Of the tool `balance`: the currency of the amount',
    request_id:
      'Of a tool that sends: the request that carries the message. Each tool has fields of its own.',
  },
  'message/getStatus': {
    type: 'The channel that the status is about, such as `sms`. The contract does not show the fields of this answer: each may be missing',
    duration: 'Of a call: its length in seconds',
  },
  'number/lookup': {
    id: 'The ID of the lookup: yours, or the one that the node created',
    type: '`hlr`',
    reachable: "Whether the phone is in service; null where the gateway's status doesn't say it",
    operator: 'The current operator, also if the number was ported; null where it is unknown',
    country: 'ISO code of the country of the number, such as `UA`; null where several have such numbers',
    status: "The gateway's word for what it found",
    imsi: 'Number of the SIM card, as far as the gateway shows it',
    mccmnc: 'Code of country and operator',
    ported: 'Whether the number has moved to another operator',
    network:
      "The operator that the number began with (`origin`) and, if it was `ported`, the current one: `name`, `prefix`, and `country` of each. `status` and the fields behind it are the gateway's own, of gateways that have been seen.",
  },
  'number/check': {
    input: 'The value as it came',
    valid: 'Whether this node would send to it',
    phone: 'The number in international format, digits only; null where it is not valid',
    reason: 'Why it is not valid, and what to do; null where it is',
    country: 'ISO code, such as `UA`; null where several countries have such numbers',
    calling_code: 'Such as `380`',
    open: "Only with *Send Window*: whether the number may be written to now; null where *Time Zone* is empty and the number doesn't tell it",
    opens_at:
      'Only with *Send Window*: from when on it may, in the time of its zone; now where it may already; null where nobody knows',
  },
  'otp/send': {
    channel: 'The first channel that is tried',
    challenge: 'For *Verify*, and for another code',
    expires_at: 'When the code expires',
  },
  'otp/verify': {
    valid: 'Whether the code is right, for the first time',
    reason: '`ok`, `wrong`, `expired`, `used`, `too_many_attempts`, `number_limit` or `invalid`',
    attempts_left: 'How many more wrong codes can be tried',
    phone: 'The number that was verified. Missing with `invalid`.',
  },
  'otp/call': {
    code: 'The code: the last four digits of the number that calls',
    price: 'The price of the call, as the gateway says',
  },
  'smsTemplate/create': SMS_TEMPLATE,
  'smsTemplate/delete': DELETED,
  'smsTemplate/getAll': SMS_TEMPLATE,
  'viberTemplate/create': VIBER_TEMPLATE,
  'viberTemplate/delete': DELETED,
  'viberTemplate/getAll': VIBER_TEMPLATE,
};

/**
 * The fields of an operation's output, each with what it is. Fields inside a field are named in its words.
 * @throws Error naming what isn't explained
 */
export function outputFields({
  resource,
  operation,
  outputSchema,
}: OperationDefinition): Array<[field: string, meaning: string]> {
  const meanings: Meanings = { ...EVERYWHERE, ...OF_OPERATION[`${resource}/${operation}`] };
  return Object.entries(toJsonSchema(outputSchema).properties ?? {}).map(([field, schema]) => {
    const meaning = meanings[field] ?? '';
    const unsaid = [...(meaning === '' ? [field] : []), ...inside(schema)].filter(
      (name) => !meaning.includes(`\`${name}\``),
    );
    if (unsaid.length > 0) {
      const place = `tools/build/output-fields.mts, '${resource}/${operation}'`;
      throw new Error(`${place}: ${field} lacks a word about ${unsaid.join(', ')}`);
    }
    return [`\`${field}\``, meaning];
  });
}

/** The names of all fields inside a field. */
function inside({ properties = {}, items }: JsonSchema): string[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => [name, ...inside(schema)]);
  return [...own, ...(items === undefined ? [] : inside(items))];
}
