import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { Execution } from '../../tools/n8n-host/rest-client.mts';
import { action, credentialData, CREDENTIAL_TYPE, realN8n, START, workflow } from '../support/real-n8n.mts';
import type { RealN8n } from '../support/real-n8n.mts';
import { senderNamed, smsForm } from '../support/sends.mts';

/** What a user fills in, and what the contract then wants on the wire, written out by hand. */
interface Case {
  parameters: IDataObject;
  wire: IDataObject;
}

const PHONE = 380501234567;
const sender = senderNamed('TestSender');
const link = 'https://example.com/page';
const image = 'https://example.com/picture.png';
const slide = (n: number) => ({ caption: `Slide ${n}`, image, url: link, button: 'Open' });
const sms = { smsMessage: 'Hello', smsSignature: sender };
const smsWire = { sms_message: 'Hello', sms_signature: 'TestSender' };
const rcs = { rcsMessage: 'Hello', rcsSignature: sender, rcsImage: image, rcsButton: 'Open', rcsLink: link };
const rcsWire = {
  rcs_message: 'Hello',
  rcs_signature: 'TestSender',
  rcs_image: image,
  rcs_button: 'Open',
  rcs_link: link,
};
const viber: Record<string, { parameters: IDataObject; wire: IDataObject }> = {
  text: { parameters: { viberMessage: 'Hello' }, wire: { viber_message: 'Hello' } },
  image: { parameters: { viberImage: image }, wire: { viber_image: image } },
  'text+link': {
    parameters: { viberMessage: 'Hello', viberButton: 'Open', viberLink: link },
    wire: { viber_message: 'Hello', viber_button: 'Open', viber_link: link },
  },
  'text+image+link': {
    parameters: { viberMessage: 'Hello', viberImage: image, viberButton: 'Open', viberLink: link },
    wire: { viber_message: 'Hello', viber_image: image, viber_button: 'Open', viber_link: link },
  },
  carousel: {
    parameters: {
      viberMessage: 'Hello',
      viberCarousel: { slides: [slide(1), { ...slide(2), url2: link, button2: 'More' }] },
    },
    wire: {
      viber_message: 'Hello',
      viber_carousel: [slide(1), { ...slide(2), url2: link, button2: 'More' }],
    },
  },
};

let id = 1000;
function send(
  operation: string,
  type: string,
  parameters: IDataObject,
  wire: IDataObject,
  resource = 'message',
): Case {
  id += 1;
  return {
    parameters: { resource, operation, phone: '+380 (50) 123-45-67', messageId: String(id), ...parameters },
    wire: { type, id, phone: PHONE, ...wire },
  };
}

const viberCases = (operation: string, type: string, more: Case, without: string[] = []) =>
  Object.entries(viber)
    .filter(([viberType]) => !without.includes(viberType))
    .map(([viberType, content]): [string, Case] => [
      `${operation} ${viberType}`,
      send(
        operation,
        type,
        { viberType, viberSignature: sender, ...content.parameters, ...more.parameters },
        { viber_type: viberType, viber_signature: 'TestSender', ...content.wire, ...more.wire },
      ),
    ]);

const none: Case = { parameters: {}, wire: {} };
const account = (resource: string, operation: string, type: string, parameters = {}, wire = {}): Case => ({
  parameters: { resource, operation, ...parameters },
  wire: { type, ...wire },
});

const CASES: Record<string, Case> = Object.fromEntries([
  [
    'sendSms',
    send(
      'sendSms',
      'sms',
      {
        ...sms,
        options: {
          smsLifetime: 3600,
          shortLink: true,
          unsubscribeLink: true,
          hook: 'http://127.0.0.1:9/hook',
        },
      },
      {
        ...smsWire,
        sms_lifetime: 3600,
        short_link: true,
        unsubscribe_link: true,
        hook: 'http://127.0.0.1:9/hook',
      },
    ),
  ],
  ...viberCases('sendViber', 'viber', none),
  ...viberCases('sendViberSms', 'viber+sms', { parameters: sms, wire: smsWire }, ['carousel']),
  ...viberCases('sendRcsViberSms', 'rcs+viber+sms', {
    parameters: { ...sms, ...rcs },
    wire: { ...smsWire, ...rcsWire },
  }),
  [
    'sendRcs',
    send('sendRcs', 'rcs', { ...rcs, options: { rcsLifetime: 60 } }, { ...rcsWire, rcs_lifetime: 60 }),
  ],
  ['sendRcsSms', send('sendRcsSms', 'rcs+sms', { ...rcs, ...sms }, { ...rcsWire, ...smsWire })],
  [
    'sendVoice',
    send(
      'sendVoice',
      'voice',
      { message: 'Press 1', dtmf: true, voiceGender: 'male', voiceLanguage: 'en-US', voiceName: 'standard' },
      { message: 'Press 1', dtmf: true, voice: { gender: 'male', language: 'en-US', name: 'standard' } },
    ),
  ],
  [
    'sendPipeline',
    send(
      'sendPipeline',
      'pipeline',
      {
        pipeline: {
          stages: [
            { channel: 'telegram', message: '482913' },
            { channel: 'viber', message: 'Hello', signature: 'TestSender', viberType: 'text' },
            { channel: 'voice', voiceGender: 'female', voiceLanguage: 'en-US', voiceName: 'standard' },
            { channel: 'whatsapp', message: 'Hello', signature: 'TestSender' },
            { channel: 'rcs', message: 'Hello', signature: 'TestSender' },
            { channel: 'sms', message: 'Hello', signature: 'TestSender' },
          ],
        },
      },
      {
        pipeline: ['telegram', 'viber', 'voice', 'whatsapp', 'rcs', 'sms'],
        telegram: { message: '482913' },
        viber: { message: 'Hello', signature: 'TestSender', type: 'text' },
        voice: { gender: 'female', language: 'en-US', name: 'standard' },
        whatsapp: { message: 'Hello', signature: 'TestSender' },
        rcs: { message: 'Hello', signature: 'TestSender' },
        sms: { message: 'Hello', signature: 'TestSender' },
      },
    ),
  ],
  [
    'sendTelegram',
    send(
      'sendTelegram',
      'telegram',
      { message: '482913', options: { telegramLifetime: 60 } },
      { message: '482913', telegram_lifetime: 60 },
      'otp',
    ),
  ],
  ['call', send('call', 'call/otp', {}, {}, 'otp')],
  ['lookup', send('lookup', 'hlr', {}, {}, 'number')],
  ['getBalance', account('account', 'getBalance', 'balance')],
  ['getSenders', account('account', 'getSenders', 'sender')],
  [
    'create an SMS template',
    account(
      'smsTemplate',
      'create',
      'template/create',
      { template: 'A', name: 'B' },
      { template: 'A', name: 'B' },
    ),
  ],
  ['list SMS templates', account('smsTemplate', 'getAll', 'template/list')],
  [
    'delete an SMS template',
    account(
      'smsTemplate',
      'delete',
      'template/delete',
      { templateId: { __rl: true, mode: 'id', value: '7' }, template: 'A' },
      { id: '7', template: 'A' },
    ),
  ],
  [
    'create a Viber template',
    account(
      'viberTemplate',
      'create',
      'template/viber/create',
      { template: 'C', signature: sender },
      { template: 'C', signature: 'TestSender' },
    ),
  ],
  ['list Viber templates', account('viberTemplate', 'getAll', 'template/viber/list')],
  [
    'delete a Viber template',
    account(
      'viberTemplate',
      'delete',
      'template/viber/delete',
      { templateId: { __rl: true, mode: 'id', value: '8' } },
      { id: 8 },
    ),
  ],
]);

let sandbox: Sandbox;
let n8n: RealN8n;
let execution: Execution;
let wire: IDataObject[];

beforeAll(async () => {
  sandbox = await startSandbox();
  n8n = await realN8n();
  const credential = await n8n.client.createCredential(
    'Operations',
    CREDENTIAL_TYPE,
    credentialData(sandbox),
  );
  const nodes = Object.entries(CASES).map(([name, { parameters }]) => [
    action(name, credential, parameters, { onError: 'continueRegularOutput' }),
  ]);
  execution = await n8n.client.runToEnd(workflow(...nodes), START);
  wire = sandbox.requests.flatMap(({ body }) => (body as { data: IDataObject[] }).data);
});

afterAll(async () => await sandbox?.close());

it('runs every operation to the end', () => {
  expect(execution.status).toBe('success');
  expect(wire).toHaveLength(Object.keys(CASES).length);
});

it.each(Object.entries(CASES))(
  '%s sends exactly the fields and types of the contract',
  (_, { wire: expected }) => {
    const sent = wire.filter(({ type, id: sentId }) => type === expected.type && sentId === expected.id);
    expect(sent).toEqual([expected]);
  },
);

it('puts nothing on the wire that the contract does not declare', () => {
  expect(sandbox.requests.flatMap(({ undeclared }) => undeclared)).toEqual([]);
});

it.each(Object.keys(CASES).filter((name) => !/delete|list/.test(name)))(
  '%s gives one paired item without an error',
  (name) => {
    const items = execution.items(name);
    expect(items).toEqual([{ json: expect.any(Object), pairedItem: { item: 0 } }]);
    expect(items[0].json.error).toBeUndefined();
  },
);

it('gives sends their id, type, phone, msg_id and parts as numbers', () => {
  const [{ json }] = execution.items('sendSms');
  expect(json).toEqual({
    id: CASES.sendSms.wire.id,
    type: 'sms',
    phone: PHONE,
    msg_id: expect.any(Number),
    parts: 1,
  });
});

it('gives the code of a call, the balance and the senders', () => {
  expect(execution.items('call')[0].json).toMatchObject({
    code: expect.stringMatching(/^\d{4}$/),
    price: expect.any(Number),
  });
  expect(execution.items('getBalance')[0].json).toMatchObject({
    amount: expect.any(Number),
    currency: expect.any(String),
  });
  expect(execution.items('getSenders')[0].json.senders).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'TestSender' })]),
  );
});

it('asks for the status of a message that was sent', async () => {
  const credential = await n8n.client.createCredential('Status', CREDENTIAL_TYPE, credentialData(sandbox));
  const sent = action('Send', credential, smsForm({ phone: PHONE }));
  const status = action('Status', credential, {
    resource: 'message',
    operation: 'getStatus',
    messageId: '={{ $json.id }}',
  });
  const { items } = await n8n.client.runToEnd(workflow([sent, status]), START);
  expect(items('Status')[0].json).toMatchObject({
    id: items('Send')[0].json.id,
    status: expect.any(String),
    outcome: expect.any(String),
    final: expect.any(Boolean),
  });
});
