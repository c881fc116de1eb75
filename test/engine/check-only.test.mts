/** "Check Only" in n8n's engine: beside items that are wrong, or sent, or would wait. What it shows of each operation is in operations.test.mts. */
import type { IDataObject } from 'n8n-workflow';

import { grouped, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

const CHECK = { checkOnly: true };

const sms = (over: IDataObject, items: IDataObject[], onError?: 'continueRegularOutput') =>
  runOn(sandbox, {
    parameters: smsForm({ smsMessage: '={{ $json.text }}', ...over }),
    items,
    onError,
  });

const PHONE = '380501234567';

it.each([undefined, 'continueRegularOutput'] as const)(
  'reports all rows beside their columns, whatever On Error says: %s',
  async (onError) => {
    const items = [
      { phone: PHONE, text: 'a' },
      { phone: 'nobody', text: 'b' },
    ];
    const { json, hints } = await sms({ options: CHECK }, items, onError);
    expect(json).toEqual([
      expect.objectContaining({ result: 'checked' }),
      {
        ...items[1],
        result: 'invalid',
        error: "'Phone Number' is not a phone number: nobody",
        what_to_do: "Row 2: correct 'Phone Number'",
      },
    ]);
    expect(hints).toEqual([
      '1 message, 1 SMS part. Nothing was sent: \'Check Only\' is on. 1 of 2 rows is invalid: see "error" in its row',
    ]);
    expect(sandbox.counts().requests).toBe(0);
  },
);

it('ends with an error where no row could be checked', async () => {
  const bad = [{ phone: 'nobody' }, { phone: '' }];
  const { error } = await sms({ options: CHECK }, bad);
  expect(error?.message).toBe("'Phone Number' is not a phone number: nobody [item 0]");
  expect(error?.description).toContain('2 of 2 rows are invalid; this is the first.');
});

it('shows the text, its parts and characters beside the columns of the row, and no column in their place', async () => {
  const row = { phone: PHONE, text: 'column', order: 7, parts: 'column', Text: 'Dear Ann €' };
  const { json } = await sms({ smsMessage: '={{ $json.Text }}', options: CHECK }, [row]);
  const own = { result: 'checked', text: 'Dear Ann €', parts: 1, characters: 11 };
  expect(json).toEqual([
    expect.objectContaining({ ...own, order: 7, Text: 'Dear Ann €', phone: Number(PHONE) }),
  ]);
  expect(Object.keys(json[0])).toEqual([
    ...Object.keys(row),
    ...['result', 'characters', 'encoding', 'characters_left', 'id', 'type', 'operation'],
  ]);
});

it('counts messages by what the run does, not by columns of the same name', async () => {
  const rows = ['duplicate', 'skipped', 'sent'].map((result, i) => ({
    result,
    phone: PHONE,
    text: `${i}`,
  }));
  const { hints } = await sms({ options: CHECK }, rows);
  expect(hints).toEqual(["3 messages, 3 SMS parts. Nothing was sent: 'Check Only' is on"]);
});

it('is decided for each item: the others are sent, and the editor says how many were', async () => {
  const items = [true, false, 'true'].map((check, i) => ({ phone: PHONE, text: `${i}`, check }));
  const { json, task } = await sms({ options: { checkOnly: '={{ $json.check }}' } }, items);
  expect(json.map(({ result, msg_id }) => [result, typeof msg_id])).toEqual([
    ['checked', 'undefined'],
    ['sent', 'number'],
    ['checked', 'undefined'],
  ]);
  expect(sandbox.messages.list().map(({ operation }) => operation.sms_message)).toEqual(['1']);
  expect(task?.hints?.map(({ message, type }) => [type, message])).toEqual([
    ['info', "2 of 3 messages were not sent: 'Check Only' is on for them"],
  ]);
});

it('keeps no row from leaving that has the key of a row that is only checked', async () => {
  const items = [true, false].map((check) => ({ phone: PHONE, text: 'a', check }));
  const options = grouped({ checkOnly: '={{ $json.check }}', sendOnceKey: 'order 7' });
  const { json } = await sms({ options }, items);
  expect(json.map(({ result, msg_id }) => [result, typeof msg_id])).toEqual([
    ['checked', 'undefined'],
    ['sent', 'number'],
  ]);
  expect(sandbox.messages.accepted).toBe(1);
});

it('shows no address of the execution, which holds its signature, where the item would wait', async () => {
  const { json } = await sms({ phone: PHONE, waitForDelivery: true, options: CHECK }, [{ text: 'a' }]);
  expect(json).toMatchObject([{ result: 'checked' }]);
  expect(JSON.stringify(json)).not.toMatch(/webhook-waiting|signature=/);
  expect(json[0].operation).not.toHaveProperty('hook');
});

it('sends nothing where an expression that decides it comes to nothing', async () => {
  for (const checkOnly of ['={{ $json.chekc }}', '={{ null }}', "={{ '' }}"]) {
    const { error } = await sms({ options: { checkOnly } }, [{ phone: PHONE, text: 'a', check: true }]);
    expect(error?.message).toBe("'Check Only' is empty");
    expect(error?.description).toContain("Fill in 'Check Only'");
  }
  expect(sandbox.counts().requests).toBe(0);
});
