/** The option "Limits" in n8n's engine: a run that would exceed one of them sends nothing. */
import type { IDataObject } from 'n8n-workflow';

import { runAgent } from '../support/agent.mts';
import { credentialsFor } from '../support/engine.mts';
import type { NodeRunOptions } from '../support/engine.mts';
import { grouped, senderNamed, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

const rows = (count: number, text = 'Hi'): IDataObject[] =>
  Array.from({ length: count }, (_, i) => ({ order: i, phone: 380501234560 + i, text }));

const run = async (
  limits: unknown,
  items: IDataObject[],
  { options, ...parameters }: IDataObject = {},
  more: Partial<NodeRunOptions> = {},
) =>
  await runOn(sandbox, {
    parameters: smsForm({
      smsMessage: '={{ $json.text }}',
      ...parameters,
      options: { ...(options as IDataObject), limits: { values: limits } } as IDataObject,
    }),
    items,
    ...more,
  });

const TWO_PARTS = 'ї'.repeat(71);

it.each<[IDataObject, IDataObject[], string]>([
  [{ maxMessages: 1000 }, rows(1001), "This run would send 1,001 messages; 'Max Messages per Run' is 1,000"],
  [{ maxTotalParts: 5 }, rows(3, TWO_PARTS), "This run would send 6 SMS parts; 'Max Parts per Run' is 5"],
])('sends nothing where a run exceeds %j', async (limits, items, message) => {
  const { error } = await run(limits, items);
  const description = expect.stringMatching(/^Nothing was sent\. /) as string;
  expect(error).toMatchObject({ message, description });
  expect(sandbox.messages.accepted).toBe(0);
});

it.each<[string, IDataObject]>([
  ['within them', { maxMessages: 3, maxParts: 2, maxTotalParts: 6 }],
  ['that are empty', { maxMessages: '', maxParts: '', maxTotalParts: '' }],
  ['that are missing', {}],
  ['that are missing but for one', { maxMessages: '3' }],
])('sends a run with limits %s', async (_, limits) => {
  const { json, error } = await run(limits, rows(3, TWO_PARTS));
  expect([error, json.length]).toEqual([undefined, 3]);
});

it('counts the SMS of a fallback and of a pipeline', async () => {
  const stages = [{ channel: 'sms', message: '={{ $json.text }}', signature: 'TestSender' }];
  const viber = { viberSignature: senderNamed('ViberSender'), viberType: 'text', viberMessage: TWO_PARTS };
  for (const parameters of [
    { operation: 'sendPipeline', pipeline: { stages } },
    { operation: 'sendViberSms', ...viber },
  ]) {
    const { error } = await run({ maxParts: 1 }, rows(1, TWO_PARTS), parameters);
    expect(error?.message).toBe("The SMS would be billed as 2 parts, and 'Max Parts per SMS' is 1");
  }
  expect(sandbox.messages.accepted).toBe(0);
});

it.each([
  ['of emojis', '😀'.repeat(100)],
  ['with an emoji at the end of its first part', `${'є'.repeat(66)}😀${'є'.repeat(133)}`],
])('counts the units that stay free in a text %s', async (_, text) => {
  const { error } = await run({ maxParts: 3 }, rows(1, text));
  expect(error?.message).toBe("The SMS would be billed as 4 parts, and 'Max Parts per SMS' is 3");
});

it('refuses an SMS of more than six parts alone, unless the limits allow more', async () => {
  const items = [...rows(1), ...rows(1, 'x'.repeat(7 * 153)), ...rows(1, 'x'.repeat(6 * 153))];
  const parameters = smsForm({ smsMessage: '={{ $json.text }}' });
  const onError = { onError: 'continueRegularOutput' } as const;
  const { json } = await runOn(sandbox, { parameters, items, ...onError });
  const said = expect.stringContaining('billed as 7 parts') as string;
  expect(json).toMatchObject([{ parts: 1 }, { error: said }, { parts: 6 }]);
  expect(json[1].what_to_do).toBe(
    "Row 2: shorten the text, or add the option 'Limits' and raise 'Max Parts per SMS'",
  );
  const checked = await run({}, items, { options: { checkOnly: true } }, onError);
  expect(checked.json).toMatchObject([{ result: 'checked' }, { error: said }, { result: 'checked' }]);
  expect((await run({ maxParts: 7 }, items)).error).toBeUndefined();
});

it('counts rows that repeat a key once, those that were sent before as well, and neither invalid nor checked ones', async () => {
  const options = grouped({ sendOnceKey: '={{ $json.order }}' });
  const [one, two, three] = rows(3);
  expect((await run({ maxMessages: 2 }, [one, one, two], { options })).error).toBeUndefined();
  const exceeding = await run({ maxMessages: 2 }, [one, two, three], { options });
  expect(exceeding.error?.message).toMatch(/would send 3/);
  const invalid = [one, { ...two, text: '' }];
  const { json } = await run({ maxMessages: 1 }, invalid, {}, { onError: 'continueRegularOutput' });
  expect(json.map(({ error }) => error === undefined)).toEqual([true, false]);
  const { requests } = sandbox.counts();
  const checkOnly = { options: { checkOnly: true } };
  const checked = await run({ maxMessages: 1 }, [one, two], checkOnly);
  expect(checked.json.every(({ result }) => result === 'checked')).toBe(true);
  expect(sandbox.counts().requests).toBe(requests);
});

it('gives each item the reason with On Error set to continue, and asks the gateway nothing', async () => {
  const { json } = await run({ maxMessages: 1 }, rows(2), {}, { onError: 'continueRegularOutput' });
  const error = "This run would send 2 messages; 'Max Messages per Run' is 1";
  expect(json).toMatchObject(rows(2).map(({ phone }) => ({ phone, result: 'notSent', error })));
  expect(sandbox.counts().requests).toBe(0);
});

it.each<[IDataObject, string]>([
  [{ maxMessages: 'many' }, "'Max Messages per Run' must be a number"],
  [{ maxMessages: '={{ 10 }}' }, "'Limits' must be numbers without expressions"],
  [{ maxParts: 1.5 }, "'Max Parts per SMS' must be a whole number from 1 on"],
  [{ maxMessages: 0 }, "'Max Messages per Run' must be a whole number from 1 on"],
  [{ maxTotalParts: -1 }, "'Max Parts per Run' must be a whole number"],
])('the limits %j are refused with their label', async (limits, words) => {
  expect((await run(limits, rows(1))).error?.message).toContain(words);
  expect(sandbox.counts().requests).toBe(0);
});

it("takes the author's own numbers alone in a tool of an agent", async () => {
  const asTool = async (maxMessages: unknown) =>
    await runAgent({
      parameters: smsForm({
        phone: "={{ $fromAI('phone', 'Number to send to', 'string') }}",
        allowSending: true,
        options: { limits: { values: { maxMessages } } } as IDataObject,
      }),
      calls: [{ phone: '+380501234567', confirm: true }],
      credentials: credentialsFor(sandbox),
    });
  const { answers } = await asTool("={{ $fromAI('most', '', 'number') }}");
  expect(JSON.stringify(answers)).toContain("'Limits' must be numbers without expressions");
  expect(sandbox.counts().requests).toBe(0);
  expect((await asTool(1)).answers).toMatchObject([[{ phone: 380501234567 }]]);
});
