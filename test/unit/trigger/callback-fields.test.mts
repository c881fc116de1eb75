/** Who a callback is about: what the trigger makes of the seal in the address that was called. */
import type { IDataObject } from 'n8n-workflow';

import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { deriveCallbackKey, sealFacts, withFacts } from '../../../nodes/gateway/callback/message-facts.ts';
import { withAddressFacts } from '../../../nodes/MessagingGatewayTrigger/address-facts.ts';
import { triggerContext } from '../../support/trigger-call.mts';

const PHONE = 380501234567;
const TRIGGER = '07000045-0000-4000-8000-0000000000f0';
const FIELDS = { order_id: 'A-7', amount: 12.5, vip: true };
const sealOf = (id: number, over: object = {}, apiKey = 'the-key') =>
  sealFacts(
    deriveCallbackKey(apiKey),
    { id, trigger: TRIGGER },
    { phone: PHONE, sentAs: 'sms', fields: FIELDS, ...over },
  );

const CALLBACK = { success: true, id: 1, msg_id: 2, type: 'sms', status: 'DELIVERED' };

/** The events that a call with this body and seal makes. */
async function eventsOf(
  body: unknown,
  seal: unknown,
  {
    sentAs,
    apiKey = 'the-key' as unknown,
    hasCredential = true,
    called = TRIGGER,
  }: { sentAs?: string; apiKey?: unknown; hasCredential?: boolean; called?: string } = {},
) {
  const { context } = triggerContext({
    ...(hasCredential && { credential: apiKey instanceof Error ? apiKey : ({ apiKey } as IDataObject) }),
    more: {
      getQueryData: () => ({ ...(seal !== undefined && { seal }), sent_as: sentAs }),
      getNodeWebhookUrl: () => `https://n8n.example.com/webhook/${called}/callback`,
    },
  });
  return (await withAddressFacts(context, parseCallback(body).callbacks)) as unknown as IDataObject[];
}

it.each([
  ['delivered', CALLBACK],
  ['with its ids as text', { ...CALLBACK, id: '1' }],
  ['replied', { ...CALLBACK, type: 'viber', replies: [{ datetime: '2026-01-01', message: 'STOP' }] }],
  ['refused, without an id of the gateway', { success: false, id: 1, status: 'REJECTED' }],
])('brings back phone, fields and type of a message that was %s', async (_, body) => {
  const [event] = await eventsOf(body, sealOf(1));
  expect(event).toMatchObject({ phone: PHONE, fields: FIELDS, sent_as: 'sms' });
  expect(event).not.toHaveProperty('fields_unreadable');
});

it('adds nothing to a call without a seal, and takes nothing of the kind from its body', async () => {
  const forged = { phone: PHONE, fields: { order_id: 'B' }, sent_as: 'viber', fields_unreadable: true };
  const [event] = await eventsOf({ ...CALLBACK, ...forged }, undefined);
  for (const name of Object.keys(forged)) expect(event).not.toHaveProperty(name);
});

it('opens in no other trigger, though it has the same credential', async () => {
  const [event] = await eventsOf(CALLBACK, sealOf(1), { called: TRIGGER.replace('f0', 'f1') });
  expect(event).toMatchObject({ fields_unreadable: true });
  for (const name of ['phone', 'fields', 'sent_as']) expect(event).not.toHaveProperty(name);
});

it('opens in a trigger whose id somebody chose, at the address that carried the seal', async () => {
  const key = deriveCallbackKey('the-key');
  const facts = { phone: PHONE, sentAs: 'sms', fields: {} } as const;
  const address = withFacts('https://n8n.example.com/webhook/orders/callback?secret=a', key, 1, facts);
  const seal = new URL(address).searchParams.get('seal');
  expect(await eventsOf(CALLBACK, seal, { called: 'orders' })).toMatchObject([{ phone: PHONE }]);
});

it('has no fields where none was attached', async () => {
  const [event] = await eventsOf(CALLBACK, sealOf(1, { fields: {} }));
  expect(event).toMatchObject({ phone: PHONE, sent_as: 'sms' });
  expect(event).not.toHaveProperty('fields');
});

it.each<[what: string, body: object, seal: unknown, more?: Parameters<typeof eventsOf>[2]]>([
  ['of another message', CALLBACK, sealOf(2)],
  ['beside an id that the message does not have', { ...CALLBACK, id: 2 }, sealOf(1)],
  ['of a message that names only the id of the gateway', { ...CALLBACK, id: undefined }, sealOf(1)],
  ['of a request without an id', { success: false, request_id: 'r', status: 'REJECTED' }, sealOf(1)],
  ['that was cut', CALLBACK, sealOf(1).slice(0, -3)],
  ['that is empty', CALLBACK, ''],
  ['that is there twice', CALLBACK, [sealOf(1), sealOf(1)]],
  ['of another key', CALLBACK, sealOf(1, {}, 'an-earlier-key')],
  ['without a credential', CALLBACK, sealOf(1), { hasCredential: false }],
  ['without a key', CALLBACK, sealOf(1), { apiKey: ' ' }],
  ['with a credential that was deleted', CALLBACK, sealOf(1), { apiKey: new Error('gone') }],
])('starts the workflow without fields for a seal %s', async (_, body, seal, more = {}) => {
  const [event] = await eventsOf({ ...body, phone: 447700900001 }, seal, more);
  expect(event).toMatchObject({ fields_unreadable: true });
  for (const name of ['fields', 'phone', 'sent_as']) expect(event).not.toHaveProperty(name);
});

it('gives the fields to the message of the seal alone, where a call has several', async () => {
  const events = await eventsOf([{ ...CALLBACK, id: 5 }, CALLBACK, { ...CALLBACK, id: 6 }], sealOf(1));
  expect(events.map(({ fields, fields_unreadable: no }) => [fields, no])).toEqual([
    [undefined, true],
    [FIELDS, undefined],
    [undefined, true],
  ]);
});

it('believes the sealed type of the send, whatever the address says beside it', async () => {
  const failed = { ...CALLBACK, success: false, status: 'UNDELIVERED', type: 'viber' };
  const seal = sealOf(1, { sentAs: 'viber+sms' });
  const [tampered] = await eventsOf(failed, seal, { sentAs: 'rcs' });
  expect(tampered).toMatchObject({ outcome: 'pending', final: false, sent_as: 'viber+sms' });
  const [plain] = await eventsOf(failed, sealOf(1, { sentAs: 'viber' }), { sentAs: 'viber+sms' });
  expect(plain).toMatchObject({ outcome: 'failed', final: true, sent_as: 'viber' });
});

it('calls no failure final that an SMS may follow, though the seal cannot be opened', async () => {
  const failed = { ...CALLBACK, success: false, status: 'UNDELIVERED', type: 'viber' };
  const given = { sentAs: 'viber+sms', hasCredential: false };
  const [event] = await eventsOf(failed, sealOf(1, { sentAs: 'viber+sms' }), given);
  expect(event).toMatchObject({ outcome: 'pending', final: false, fields_unreadable: true });
});
