/** The option "Message ID" in n8n's engine: what is said where the gateway has a message with an id that the user gave. */
import type { IDataObject } from 'n8n-workflow';

import { grouped, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox({
  config: { duplicateIds: 'refuse', outcomes: { fallback: { steps: [] } } },
});

const PHONE = 380501234560;
const rows = (...ids: number[]): IDataObject[] => ids.map((id) => ({ id, phone: PHONE + id }));

const send = async (items: IDataObject[], options: IDataObject) =>
  await runOn(sandbox, { parameters: smsForm({ options }), items });

const MAY_BE_EARLIER = /^(\d) of \d counts? as sent(?:, 1 was sent now)?: .+ perhaps of an earlier run/;
const countOf = ({ hints }: Awaited<ReturnType<typeof send>>) =>
  hints.map((hint) => MAY_BE_EARLIER.exec(hint)?.[1]);

it('says how many rows the gateway refused as duplicates of an ID of theirs, and sends the others', async () => {
  const own = { messageId: '={{ $json.id }}' };
  expect((await send(rows(1, 2), own)).hints).toEqual([]);
  const second = await send(rows(1, 2, 3), own);
  expect(second.error).toBeUndefined();
  expect(second.json.map(({ id, result }) => [id, result])).toEqual([
    [1, 'duplicate'],
    [2, 'duplicate'],
    [3, 'sent'],
  ]);
  expect(countOf(second)).toEqual(['2']);
  expect(sandbox.messages.accepted).toBe(3);
});

it.each([
  ['an ID of the user, whose message may be an earlier one', { messageId: '7' }, ['1']],
  ['an ID that the node made, whose message is that of this run', {}, []],
])('says of a lost answer to %s what is known', async (_, options, counts) => {
  sandbox.faults.add({ kind: 'drop-after', endpoint: 'sync' });
  const run = await send(rows(1), options);
  expect(run.error).toBeUndefined();
  expect(run.json).toMatchObject([{ status: 'ACCEPTED' }]);
  expect(countOf(run)).toEqual(counts);
  expect(sandbox.messages.accepted).toBe(1);
});

describe('an ID that several rows of a run have', () => {
  const items = ['Hi', 'Hi', 'Bye', 'Hi'].map((text) => ({ text }));
  const form = (options: IDataObject) =>
    smsForm({
      phone: String(PHONE),
      smsMessage: '={{ $json.text }}',
      options: grouped({ messageId: '41', ...options }),
    });
  const different = expect.stringContaining("'Message ID' is the same as for row 1");

  it('is that of one message where all else is the same too, and an error where it is another one', async () => {
    const { json, hints } = await runOn(sandbox, {
      parameters: form({}),
      items,
      onError: 'continueRegularOutput',
    });
    const sent = { result: 'sent', id: 41, type: 'sms', phone: PHONE, msg_id: expect.any(Number), parts: 1 };
    const repeated = { ...sent, result: 'duplicate' };
    expect(json).toEqual([sent, repeated, expect.objectContaining({ error: different }), repeated]);
    expect(hints[0]).toContain('3 rows are the same message to the same number: it is sent once');
    expect(sandbox.messages.accepted).toBe(1);
  });

  it('is an error where each row shall send', async () => {
    const { error } = await runOn(sandbox, { parameters: form({ repeatedMessages: 'sendAll' }), items });
    expect(error?.message).toEqual(different);
    expect(sandbox.counts().requests).toBe(0);
  });
});
