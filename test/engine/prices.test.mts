/** "Prices" in n8n's engine: what Check Only says a run costs, and the limit on it, which refuses before anything leaves. */
import type { IDataObject } from 'n8n-workflow';

import { runAgent } from '../support/agent.mts';
import { credentialsFor } from '../support/engine.mts';
import { viberForm } from '../support/operation-cases.mts';
import { senderNamed, sentTo, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

const TWO_PARTS = 'ї'.repeat(71);
const ITEMS: IDataObject[] = [
  { phone: '+380501234561', text: 'Hi', cost: 'column' },
  { phone: '+380501234562', text: TWO_PARTS },
  { phone: '+380501234562', text: TWO_PARTS },
  { phone: '+447700900001', text: 'Hi' },
];
const UKRAINE = { prefix: '380', channel: 'sms', price: 0.1, currency: 'EUR' };
const BRITAIN = { prefix: '+44', channel: 'sms', price: '0.05', currency: 'EUR' };

const run = async (rows: IDataObject[] | undefined, options: IDataObject, form: IDataObject = {}) =>
  await runOn(sandbox, {
    parameters: smsForm({
      smsMessage: '={{ $json.text }}',
      ...form,
      options: { ...options, ...(rows && { prices: { rows } }) },
    }),
    items: ITEMS,
  });
const limited = (maxCost: unknown): IDataObject => ({ limits: { values: { maxCost } } }) as IDataObject;

it('shows the cost of each row and their sum, in which a repeated row and a skipped one cost nothing', async () => {
  const checked = await run([UKRAINE, BRITAIN], { checkOnly: true, stopList: '447700900001' });
  expect(checked.json.map(({ cost, currency, duplicate }) => [cost, currency, duplicate])).toEqual([
    [0.1, 'EUR', undefined],
    [0.2, 'EUR', undefined],
    [0, 'EUR', true],
    [undefined, undefined, undefined],
  ]);
  expect(checked.hints).toContain('Cost: 0.30 EUR');
  expect(sandbox.counts().requests).toBe(0);
});

it('shows a range for a fallback, and says which rows have no price', async () => {
  const viber = { prefix: '380', channel: 'viber', price: 0.02, currency: 'EUR' };
  const form = { operation: 'sendViberSms', ...viberForm('text') };
  const { json, hints } = await run([UKRAINE, viber, BRITAIN], { checkOnly: true }, form);
  expect(json).toMatchObject([
    { cost: 0.1, cost_min: 0.02, cost_max: 0.1, currency: 'EUR' },
    { cost: 0.2, cost_min: 0.02, cost_max: 0.2 },
    { cost: 0, cost_min: 0, cost_max: 0, duplicate: true },
    { cost: null, cost_unknown: 'no price for Viber to 447700900001' },
  ]);
  const unknown = '1 of 3 messages has no known cost: see "cost_unknown" in its item';
  expect(hints).toContain(`Cost: 0.04 to 0.30 EUR; ${unknown}`);
});

it.each<[rows: IDataObject[] | undefined, maxCost: unknown, message: string]>([
  [[UKRAINE, BRITAIN], 0.349999, "This run would cost 0.35 EUR; 'Max Cost per Run' is 0.349999"],
  [
    [UKRAINE],
    100,
    "The cost of item 3 isn't known: no price for SMS to 447700900001; 'Max Cost per Run' is 100",
  ],
  [
    undefined,
    100,
    "The cost of item 0 isn't known: no price for SMS to 380501234561; 'Max Cost per Run' is 100",
  ],
  [
    [UKRAINE, { ...BRITAIN, currency: 'GBP' }],
    100,
    "'Prices' are in EUR and GBP, which don't add up; 'Max Cost per Run' is 100",
  ],
  [[{ ...UKRAINE, price: '' }], 0, "'Price' of row 1 in 'Prices' must be a number"],
  [[UKRAINE, BRITAIN], 1e-8, "'Max Cost per Run' must be a number from 0 to 1,000,000,000"],
])('sends nothing with the prices %j and a limit of %j', async (rows, maxCost, message) => {
  const { error } = await run(rows, limited(maxCost));
  expect(error?.message).toContain(message);
  expect(sandbox.counts().requests).toBe(0);
});

it.each([[0.35], [0]])('sends a run within its limit, and with no limit: %d', async (maxCost) => {
  const { error, json } = await run([UKRAINE, BRITAIN], limited(maxCost));
  expect([error, json.length, sentTo(sandbox).length]).toEqual([undefined, 4, 3]);
  expect(json[0]).not.toHaveProperty('cost');
});

it('takes prices without expressions alone in a tool of an agent, where the cost is limited', async () => {
  const asTool = async (price: unknown) =>
    await runAgent({
      parameters: smsForm({
        phone: "={{ $fromAI('phone', 'Number to send to', 'string') }}",
        smsSignature: senderNamed(),
        allowSending: true,
        options: { ...limited(1), prices: { rows: [{ ...UKRAINE, price }] } } as IDataObject,
      }),
      calls: [{ phone: '+380501234567', confirm: true, price: 0 }],
      credentials: credentialsFor(sandbox),
    });
  const { answers } = await asTool("={{ $fromAI('price', '', 'number') }}");
  expect(JSON.stringify(answers)).toContain("'Prices' must be without expressions in an agent's tool");
  expect(sandbox.counts().requests).toBe(0);
  expect((await asTool(0.1)).answers).toMatchObject([[{ phone: 380501234567 }]]);
});
