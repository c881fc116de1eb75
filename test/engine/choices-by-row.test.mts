/** What is chosen for each row in n8n's engine, such as the sender of its country, and what the first row decides for the whole run. */
import type { IDataObject } from 'n8n-workflow';

import { viberForm } from '../support/operation-cases.mts';
import { sendForm } from '../support/otp.mts';
import { grouped, sentTo, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

const ITEMS = [
  { phone: '+380501234561', channel: 'sms', sender: 'TestSender' },
  { phone: '+447700900001', channel: '', sender: 'TestSender' },
];
const ROWS = { rows: [{ prefix: '380', sender: '={{ $json.sender }}' }] };
const run = async (parameters: IDataObject, more: object = {}) =>
  await runOn(sandbox, { parameters, items: ITEMS, ...more });

it.each<[what: string, form: IDataObject]>([
  ['sendSms', smsForm({ smsSignature: { __rl: true, mode: 'name', value: 'Unknown' } })],
  [
    'sendViberSms',
    {
      ...smsForm({ operation: 'sendViberSms', smsSignature: { __rl: true, mode: 'name', value: 'Unknown' } }),
      ...viberForm('text'),
    },
  ],
  ['otp / send', sendForm({ smsSignature: { __rl: true, mode: 'name', value: 'Unknown' } })],
])('sends with the sender of the country, and elsewhere with that of the form: %s', async (_, form) => {
  await run({ ...form, options: grouped({ senderByCountry: ROWS }) }, { onError: 'continueRegularOutput' });
  expect(sentTo(sandbox).map(({ phone, sms_signature: sender }) => [phone, sender])).toEqual([
    [380501234561, 'TestSender'],
    [447700900001, 'Unknown'],
  ]);
});

it('tries the channel first that a row prefers, with the sender of the country in every stage', async () => {
  const stages = ['viber', 'sms'].map((channel) => ({ channel, message: 'Hi', signature: 'Usual' }));
  await run(
    {
      ...smsForm({ operation: 'sendPipeline', pipeline: { stages } }),
      options: grouped({ preferredChannel: '={{ $json.channel }}', senderByCountry: ROWS }),
    },
    { onError: 'continueRegularOutput' },
  );
  expect(sentTo(sandbox)).toEqual([
    expect.objectContaining({
      pipeline: ['sms', 'viber'],
      sms: { message: 'Hi', signature: 'TestSender' },
      viber: { message: 'Hi', signature: 'TestSender', type: 'text' },
    }),
    expect.objectContaining({
      pipeline: ['viber', 'sms'],
      sms: { message: 'Hi', signature: 'Usual' },
    }),
  ]);
});

it.each<[options: IDataObject, words: string]>([
  [
    { senderByCountry: { rows: [{ prefix: 'Ukraine', sender: 'A' }] } },
    "'Prefix' of row 1 in 'Sender by Country'",
  ],
  [
    { senderByCountry: { rows: [{ prefix: '380', sender: '' }] } },
    "'Sender' of row 1 in 'Sender by Country'",
  ],
])('sends nothing with %j', async (options, words) => {
  const { error } = await run(smsForm({ options: grouped(options) }));
  expect(error?.message).toContain(words);
  expect(sandbox.counts().requests).toBe(0);
});

it('reads settings for the whole run from its first row', async () => {
  const items = [1, 50, 50].map((size, i) => ({ phone: `+38050123456${i}`, size }));
  const { error } = await run(smsForm({ options: grouped({ batchSize: '={{ $json.size }}' }) }), { items });
  expect(error).toBeUndefined();
  expect(sandbox.counts()).toMatchObject({ requests: 3, accepted: 3 });
});
