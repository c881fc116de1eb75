import type { WireType } from '../../../nodes/gateway/contract/operations.ts';
import { explain } from '../../../nodes/gateway/errors/catalogue.ts';
import { findTextEntry, TEXT_ENTRIES } from '../../../nodes/gateway/errors/text-entries.ts';
import { PLAIN_WORDS } from '../../../nodes/gateway/errors/words.ts';
import { REFUSALS } from '../../support/gateway-refusals.mts';

/** Refusals that sound like an entry and are not one, or that no entry explains; by operation type. */
const UNEXPLAINED: Array<[wireType: WireType | undefined, ...texts: string[]]> = [
  [undefined, 'no reason given'],
  ['pipeline', 'Duplicate channel in pipeline', 'pipeline values must not repeat'],
  ['sms', 'Something went sideways', 'Message is missing a recipient'],
  ['viber', 'viber_carousel has to have 2 to 5 slides'],
  // What the gateway's own words say well enough.
  [undefined, 'Content-Type has to be application/json', 'Invalid JSON'],
  ['telegram', 'Wrong lifetime'],
  ['template/delete', 'Template does not exist', 'Not found'],
  ['template/create', 'template already exists'],
  ['template/viber/create', 'Duplicate template'],
  [
    'sms',
    'Daily limit exceeded',
    'sms_lifetime has to be from 3600 to 259200 seconds',
    'Number is in the stop list',
    'Invalid phone number',
    'phone has to be a number',
  ],
  ['rcs', 'Unknown sender'],
  ['viber', 'viber_signature is not registered'],
  // Refusals of a repeated text, and ids of something other than the message.
  ['sms', 'Duplicate text to this number within 10 minutes', 'Message already sent in the last 24h'],
  ['sms', 'Message was already sent to this recipient within 60 seconds', 'Template id already exists'],
  ['sms', 'Message with id 5: duplicate text'],
  ['viber', 'Duplicate message to this number', 'Forbidden address https://files.example/a.png'],
  // Of a message that the gateway may well have.
  [
    'status',
    'Message has not been sent yet',
    'Message not found yet',
    'Message is not known yet',
    'No status yet',
  ],
  [
    'status',
    'Status not known yet',
    'Status not found',
    'Status of message 5 is unknown',
    'Message status unknown',
  ],
  ['status', 'No data yet', 'No data', 'Message was not delivered', 'NO STATUS', 'UNKNOWN', 'NO_DATA'],
];

/** Wordings that come close to a repeated or an unknown id, and are explained as something else. */
const ELSEWHERE: Array<[text: string, code: string, wireType: WireType]> = [
  ['Sender ID already registered by another account', 'refused', 'sms'],
  ['Sender ID is not registered', 'refused', 'sms'],
  ['Message not found, try again later', 'unavailable', 'status'],
  ['Database error: message not found', 'gateway-fault', 'status'],
  ["SQLSTATE[23000]: Duplicate entry '5' for key 'id'", 'gateway-fault', 'sms'],
  ['Internal error: duplicate id', 'gateway-fault', 'sms'],
  ['Too many requests, try again later', 'rate-limited', 'sms'],
  ['Insufficient balance, try again later', 'insufficient-balance', 'sms'],
];

const explained = (text: string, wireType?: WireType) =>
  explain(wireType === undefined ? { kind: 'envelope', text } : { kind: 'item', text, wireType });

/** Labels as the form of an operation has them. */
const LABELS: Record<string, string> = {
  smsSignature: 'SMS Sender',
  viberSignature: 'Viber Sender',
  rcsSignature: 'RCS Sender',
  signature: 'Sender',
};
const withForm = (text: string, wireType: WireType, shown: string[]) =>
  explain(
    { kind: 'item', text, wireType },
    { ...PLAIN_WORDS, label: (name) => (shown.includes(name) ? LABELS[name] : undefined) },
  ).description;

describe('what the gateway says', () => {
  it.each(REFUSALS.map(([text, code, wireType]) => [text, code, wireType] as const))(
    'explains "%s" as %s',
    (text, code, wireType) => {
      const explanation = explained(text, wireType);
      expect(explanation.message).toContain(`"${text}"`);
      expect(explanation.description.length).toBeGreaterThan(30);
      const entry = findTextEntry(text, wireType);
      const { code: given, failure, account } = explanation;
      expect([given, failure, account]).toEqual([code, entry?.failure, entry?.account]);
    },
  );

  it('has a sample for each entry', () => {
    const used = new Set(
      REFUSALS.map(([text, , wireType]) => {
        const entry = findTextEntry(text, wireType);
        return entry === undefined ? -1 : TEXT_ENTRIES.indexOf(entry);
      }),
    );
    expect([...used].sort((a, b) => a - b)).toEqual(TEXT_ENTRIES.map((_, i) => i));
  });

  it.each(UNEXPLAINED.flatMap(([wireType, ...texts]) => texts.map((text) => [text, wireType] as const)))(
    'passes "%s" on as it is',
    (text, wireType) => {
      const explanation = explained(text, wireType);
      expect(explanation.code).toBe('refused');
      expect(explanation.message).toContain(`"${text}"`);
      expect(explanation).not.toHaveProperty('failure');
    },
  );

  it.each(ELSEWHERE)('explains "%s" as %s', (text, code, wireType) => {
    expect(explained(text, wireType).code).toBe(code);
  });

  it.each([
    ...['Internal server error', 'Internal error', 'Database error', 'DB error 1040', 'System error'],
    ...['Unknown error', 'Unhandled exception', 'Request timed out', 'Bad gateway', 'Service unavailable'],
    ...[
      'The service is temporarily unavailable',
      'System maintenance',
      'Please try again later',
      'Try later',
    ],
  ])('knows a fault by "%s", whatever comes with it', (text) => {
    for (const status of [undefined, 400, 401, 404, 429, 500, 503]) {
      const { failure, code } = explain({ kind: 'envelope', text, status });
      expect(['gateway-fault', 'unavailable']).toContain(code);
      const passing = code === 'unavailable' ? { cause: 'temporarily-unavailable' } : undefined;
      expect(failure).toEqual(passing);
    }
    expect(['gateway-fault', 'unavailable']).toContain(explained(text, 'sms').code);
  });

  it('says of "Access denied" what to check, and that it lies with the account', () => {
    expect(explained('Access denied')).toEqual({
      code: 'access-denied',
      message: 'The gateway did not accept the API key ("Access denied")',
      description:
        "Check in this order: 'API Key' in the credential; the API is switched on in the gateway's settings; this n8n's IP address is on the key's allow-list; the account is active.",
      failure: { cause: 'credential-invalid' },
      account: true,
    });
  });

  it.each([
    [['smsSignature'], " in 'SMS Sender',"],
    [['viberSignature', 'smsSignature'], " in 'SMS Sender' or 'Viber Sender',"],
    [['smsSignature', 'viberSignature', 'rcsSignature'], " in 'SMS Sender', 'Viber Sender' or 'RCS Sender',"],
    [['signature'], " in 'Sender',"],
    [[], 'Choose an approved sender, or '],
  ])('names the senders that the form shows: %j', (shown, names) => {
    expect(withForm('Error in Alpha-name', 'sms', shown)).toContain(names);
  });

  it('quotes long and broken texts on one line, shortened', () => {
    const { message } = explained(`a\n\tb ${'x'.repeat(5000)}`, 'sms');
    expect(message).toContain('"a b xxx');
    expect(message.length).toBeLessThan(600);
    expect(explained('😀'.repeat(1000), 'sms').message).toMatch(/"😀+…"$/u);
    expect(explained(`a${' '.repeat(5000)}b`, 'sms').message).toMatch(/"a…"$/);
  });

  it.each(['', '  '])('says so where no reason was given', (text) => {
    expect(explained(text, 'sms').message).toBe('The gateway refused this operation: "no reason given"');
  });
});
