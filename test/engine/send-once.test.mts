/** "Send Once Key" in n8n's engine: what was sent before, by whichever workflow, is not sent again and comes out in its place. */
import type { IDataObject } from 'n8n-workflow';

import { sendOnceId } from '../../nodes/gateway/keys/send-once-id.ts';
import { viberForm } from '../support/operation-cases.mts';
import { grouped, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox({ config: { outcomes: { fallback: { steps: [] } } } });

const PHONE = 380501234560;
const orders = (count: number, first = 0): IDataObject[] =>
  Array.from({ length: count }, (_, i) => ({ order: `${first + i}`, phone: `${PHONE + first + i}` }));
const KEY = { sendOnceKey: '={{ $json.order }}-shipped' };

const run = async (items: IDataObject[], { options, ...parameters }: IDataObject = {}) =>
  await runOn(sandbox, {
    parameters: smsForm({ ...parameters, options: grouped({ ...KEY, ...(options as IDataObject) }) }),
    items,
  });

/** What a run says of duplicates, row by row. */
const resultsOf = ({ json }: Awaited<ReturnType<typeof run>>) => json.map(({ result }) => result);

it('sends each key and number once, and says of the others what became of them', async () => {
  const first = await run(orders(3));
  expect(first.json.map(({ id }) => id)).toEqual([0, 1, 2].map((n) => sendOnceId(`${n}-shipped`, PHONE + n)));
  expect(first.hints).toEqual([]);
  expect(resultsOf(first)).toEqual(['sent', 'sent', 'sent']);
  sandbox.act(sandbox.messages.list()[1].msgId, 'status', { status: 'READ', silent: true });
  sandbox.act(sandbox.messages.list()[2].msgId, 'status', { status: 'UNDELIVERED', silent: true });

  const second = await run(orders(5), { smsMessage: 'Other words' });
  expect(second.error).toBeUndefined();
  const told = ({ id, result, outcome, final }: IDataObject) => ({ id, result, outcome, final });
  expect(second.json.slice(0, 3).map(told)).toEqual([
    { id: first.json[0].id, result: 'duplicate', outcome: 'pending', final: false },
    { id: first.json[1].id, result: 'duplicate', outcome: 'read', final: true },
    { id: first.json[2].id, result: 'duplicate', outcome: 'failed', final: true },
  ]);
  const updated = expect.any(String) as string;
  expect(second.json[1]).toMatchObject({ type: 'sms', phone: PHONE + 1, status: 'READ', updated });
  expect(resultsOf(second)).toEqual(['duplicate', 'duplicate', 'duplicate', 'sent', 'sent']);
  expect(second.hints).toEqual([expect.stringMatching(/^3 of 5 count as sent, 2 were sent now: the gateway has a message/)]);
  expect(sandbox.counts()).toMatchObject({ accepted: 5, distinctIds: 5 });
});

it('sends one key to two numbers as two messages, and no second one for other blanks, another text or another type', async () => {
  await run([{ order: '1', phone: String(PHONE) }]);
  const viber = await run([{ order: ' 1', phone: `+${PHONE}` }], {
    ...{ operation: 'sendViberSms', ...viberForm('text+image+link') },
    options: { sendOnceKey: '={{ $json.order }}-shipped\n' },
  });
  expect(viber.json[0]).toMatchObject({ result: 'duplicate', type: 'viber+sms', channel: 'sms' });
  const others = await run([
    { order: '1', phone: String(PHONE + 1) },
    { order: '2', phone: String(PHONE) },
  ]);
  expect(resultsOf(others)).toEqual(['sent', 'sent']);
  expect(sandbox.messages.accepted).toBe(3);
});

// Every other repetition, and what becomes of them in later tries, is in unit/simulation.
it('gives a row that repeats another one its result, and sends one message', async () => {
  const [one, other] = orders(2);
  const { json, hints } = await run([one, other, one, one]);
  expect(hints).toEqual(['2 of 4 repeat the key and number of another one']);
  expect(json.slice(2)).toEqual(Array(2).fill({ ...json[0], result: 'duplicate' }));
  expect(json.slice(0, 2).map(({ result }) => result)).toEqual(['sent', 'sent']);
  expect(sandbox.counts()).toMatchObject({ accepted: 2, distinctIds: 2 });
});

const NO_KEY = "'Send Once Key' is empty";

it.each<[string, IDataObject, string]>([
  ['a Message ID too', { options: { messageId: '5' } }, "'Send Once Key' is set beside 'Message ID'"],
  ['an empty key', { options: { sendOnceKey: ' \n' } }, NO_KEY],
  ['an object', { options: { sendOnceKey: '={{ $json }}' } }, "'Send Once Key' must be text"],
  [
    'an empty placeholder',
    { options: { sendOnceKey: '={{ $json.order }}/{{ $json.nothing }}' } },
    "'Send Once Key' has an empty {{ $json.nothing",
  ],
  [
    'what an expression leaves of a missing value',
    { options: { sendOnceKey: "={{ 'no ' + $json.nothing }}/{{ String($json.nothing) }}" } },
    '\'Send Once Key\' contains "undefined"',
  ],
])('refuses %s before anything leaves', async (_, parameters, words) => {
  expect((await run(orders(1), parameters)).error?.message).toContain(words);
  expect(sandbox.counts().requests).toBe(0);
});

it('is not read where the form does not show it', async () => {
  const pipeline = { stages: [{ channel: 'sms', message: 'Hello', signature: 'TestSender' }] };
  const form = { operation: 'sendPipeline', pipeline, options: { sendOnceKey: '' } };
  expect((await run(orders(1), form)).error).toBeUndefined();
  expect(sandbox.counts()).toMatchObject({ requests: 1, accepted: 1 });
});

it('waits for the delivery of what was sent before, and not for what has arrived', async () => {
  await run(orders(2));
  const [arrived] = sandbox.messages.list();
  sandbox.act(arrived.msgId, 'status', { status: 'DELIVERED', silent: true });
  const waiting = await run(orders(2), { waitForDelivery: true });
  expect(waiting.waitTill).toBeDefined();
  expect(waiting.json.map(({ result, outcome, final }) => [result, outcome, final])).toEqual([
    ['duplicate', 'delivered', true],
    ['duplicate', 'unknown', false],
  ]);
  const done = await run(orders(1), { waitForDelivery: true });
  expect(done.waitTill).toBeUndefined();
  expect(done.json).toMatchObject([{ result: 'duplicate', final: true }]);
});

it('advises a new key where the gateway refuses a repeat that its status does not tell of', async () => {
  sandbox.faults.add({ kind: 'refuse-items', error: 'Duplicate id', times: 1 });
  const { error } = await run(orders(1));
  expect(error?.message).toContain('The gateway already has a message with this ID: "Duplicate id"');
  expect(error?.description).toMatch(
    /^It was not sent again, .* give it another 'Message ID' or 'Send Once Key'; /,
  );
});
