import { isFault } from '../../../nodes/gateway/client/words.ts';
import { explain, findTextEntry, policyOf } from '../../../nodes/gateway/errors/catalogue.ts';
import { TEXT_ENTRIES } from '../../../nodes/gateway/errors/entries.ts';
import { REFUSALS } from '../../support/gateway-refusals.mts';

/** Refusals that sound like an entry and are not one, or that the gateway's own words explain well enough. */
const UNEXPLAINED = [
  ...['Content-Type has to be application/json', 'Invalid JSON'],
  ...['Duplicate channel in pipeline', 'pipeline values must not repeat'],
  ...['viber_carousel has to have 2 to 5 slides', 'viber_signature is not registered'],
  ...['Template does not exist', 'Not found'],
  ...['template already exists', 'Duplicate template'],
  ...['Message is missing a recipient', 'Daily limit exceeded', 'Number is in the stop list'],
  ...['sms_lifetime has to be from 3600 to 259200 seconds', 'Invalid phone number', 'Unknown sender'],
  // Refusals that hold words of a fault, in two alphabets.
  ...['Помилка: недостатньо коштів', 'Ошибка в альфа-имени', 'Ошибка: неверный номер 380501112233'],
  ...['Number is not in the database', 'All channels with the exception of voice', 'Timeout: номер'],
  ...['SQL injection in the text', 'The subscriber has gone away', 'Session timeout is out of range'],
  // Refusals of a repeated text, and ids of something other than the message.
  ...['Duplicate text to this number within 10 minutes', 'Message already sent in the last 24h'],
  ...['Message was already sent to this recipient within 60 seconds', 'Template id already exists'],
  ...['Message with id 5: duplicate text', 'Duplicate message to this number'],
  ...['Sender ID already registered by another account', 'Sender ID is not registered'],
  ...['Forbidden address https://files.example/a.png'],
  ...['Message was not sent: user already unsubscribed', 'Message already expired'],
  ...['Request already in progress', 'Campaign id already used', 'id already exists in the stop list'],
  // Refusals about the recipient, a link or a picture.
  ...['User blocked the sender', 'Viber user is not active', 'Client phone is blocked'],
  ...['Subscriber is busy', 'Subscriber is temporarily unavailable', 'Unauthorized sender'],
  ...['Links with an IP address are not allowed', 'Too many attempts to this number', 'Forbidden'],
  ...['Image is too large', 'Button text is empty', 'SMS service is not available to this number'],
  ...['Too many messages to this number', 'Access denied to this channel', 'Try later to this number'],
  // Refusals about a link and a recipient, whose words come close to those about this n8n and the account.
  ...[
    'IP addresses in links are not allowed',
    'Account is blocked for this number',
    'Access denied to account 5',
  ],
  // Of a message that the gateway may well have.
  ...['Message has not been sent yet', 'Message not found yet', 'Message is not known yet'],
  ...['Status not known yet', 'Status not found', 'Status of message 5 is unknown'],
  ...['Message status unknown', 'Message was not delivered', 'No status yet', 'No data yet'],
  ...['No data', 'NO STATUS', 'UNKNOWN', 'NO_DATA'],
];

/** Wordings that come close to a repeated or an unknown id, and are explained as something else. */
const ELSEWHERE: Array<[text: string, title: string]> = [
  ['Database error: message not found', 'The gateway reports a fault of its own'],
  ["SQLSTATE[23000]: Duplicate entry '5' for key 'id'", 'The gateway reports a fault of its own'],
  ['Internal error: duplicate id', 'The gateway reports a fault of its own'],
  [
    "Access denied for user 'gate'@'localhost' (using password: YES)",
    'The gateway reports a fault of its own',
  ],
  ['Too many requests, try again later', 'The gateway is limiting requests'],
  ['Insufficient balance, service unavailable', "The account's balance is too low"],
];

/** Faults, by their kind and by what gateways call it. */
const FAULTS = [
  ...['Internal server error', 'Internal error', 'Database error', 'DB error 1040', 'System error'],
  ...[
    'Unknown error',
    'Unhandled exception',
    'Request timed out',
    'Gateway time-out',
    'Bad gateway',
    'Service unavailable',
  ],
  ...['The service is temporarily unavailable', 'Please try again later', 'Try later'],
  ...['Operation timed out', 'Timed out', 'Connection lost', 'Lost connection to server during query'],
  ...['Server has gone away', 'Database is locked', 'SQL error', 'Ошибка базы данных', 'Сбой сервера'],
];

const explained = (text: string) => explain({ kind: 'request', text });

describe('what the gateway says', () => {
  it.each(REFUSALS)('explains "%s" as %s', (text, title) => {
    const { message, failure } = explained(text);
    const entry = findTextEntry(text);
    expect([message, failure]).toEqual([`${title}: "${text}"`, entry?.failure]);
    if (!entry?.wholeRequest) expect(explain({ kind: 'operation', text }).message).toBe(message);
  });

  it.each(REFUSALS)('explains "%s" in capitals too: a `match` has the flag `i`', (text, title) => {
    const capitals = text.toUpperCase();
    expect(explained(capitals).message).toBe(`${title}: "${capitals}"`);
  });

  it('explains refused operations by all entries but that of the key: leave `wholeRequest` out of other entries', () => {
    const others = TEXT_ENTRIES.filter(({ about, wholeRequest }) => wholeRequest && about !== 'key');
    expect(others.map(({ title }) => title)).toEqual([]);
  });

  it('has a sample for each entry in test/support/gateway-refusals.mts', () => {
    const used = REFUSALS.map(([text]) => findTextEntry(text));
    const others = TEXT_ENTRIES.filter((entry) => !used.includes(entry));
    expect(others.map(({ title }) => title)).toEqual([]);
  });

  it.each(UNEXPLAINED)('passes "%s" on as it is', (text) => {
    const { message, failure } = explained(text);
    expect([message, failure]).toEqual([`The gateway refused this operation: "${text}"`, undefined]);
  });

  it.each(ELSEWHERE)('explains "%s" as %s', (text, title) => {
    expect(explained(text).message).toBe(`${title}: "${text}"`);
  });

  it.each(FAULTS)('knows a fault by "%s", whatever comes with it', (text) => {
    for (const status of [undefined, 400, 401, 404, 429, 500, 503]) {
      const { failure, message } = explain({ kind: 'request', text, status });
      expect(message).toMatch(/^The gateway (reports a fault of its own|is unavailable at the moment)/);
      expect(failure?.cause).toBe(message.includes('unavailable at') ? 'temporarily-unavailable' : undefined);
    }
  });

  it('says of "Access denied" that the whole request is refused, which n8n can act on', () => {
    expect(explained('Access denied')).toMatchObject({
      message: 'The gateway did not accept the API key: "Access denied"',
      failure: { cause: 'credential-invalid' },
    });
  });

  it.each([
    'Access denied: IP address 192.0.2.1',
    'Account is blocked',
    'Access denied: key 5 is switched off',
  ])('ends a run by "%s", as by "Access denied"', (text) =>
    expect(policyOf({ kind: 'request', text })).toMatchObject({ about: 'key', wholeRequest: true }),
  );

  it('says of no single operation that the key is refused, whose request was accepted', () => {
    const { message } = explain({ kind: 'operation', text: 'Access denied' });
    expect(message).toBe('The gateway refused this operation: "Access denied"');
  });

  it('names the sender of the message', () => {
    const refusal = { kind: 'operation', text: 'Error in Alpha-name' } as const;
    expect(explain(refusal).message).toBe('The gateway did not accept the sender: "Error in Alpha-name"');
    const { message } = explain(refusal, { sender: 'the sender "$&" (SMS)' });
    expect(message).toBe('The gateway did not accept the sender "$&" (SMS): "Error in Alpha-name"');
  });

  it('quotes long and broken texts on one line, shortened', () => {
    const { message } = explained(`a\n\tb ${'x'.repeat(5000)}`);
    expect(message).toContain('"a b xxx');
    expect(message.length).toBeLessThan(600);
    expect(explained('😀'.repeat(1000)).message).toMatch(/"😀+…"$/u);
    expect(explained(`a${' '.repeat(5000)}b`).message).toMatch(/"a…"$/);
  });

  it.each(['Error', 'ERROR: 17', 'Ошибка 5!', 'Помилка.', '17'])('finds no reason in "%s"', (text) => {
    const problem = { kind: 'operation', text } as const;
    expect(explain(problem).message).toBe(`The gateway refused this operation and gave no reason: "${text}"`);
    expect(isFault(problem)).toBe(true);
  });

  it('puts nothing in quotes where no reason was given', () => {
    for (const text of ['', '  ']) {
      const { message, description } = explained(text);
      expect(message).toBe('The gateway refused this operation and gave no reason');
      expect(description).not.toContain("gateway's own text");
    }
  });
});
