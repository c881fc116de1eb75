/** The first field of the node in its output, `result`, and the columns of a row in front of it, in n8n's engine. */
import { smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

const ROWS = [
  { name: 'Anna', phone: '380501234561' },
  { name: 'Ben', phone: 'nobody' },
  { name: 'Cleo', phone: '' },
];

it('begins each row with what became of it and the number, where the node goes on', async () => {
  const { json } = await runOn(sandbox, {
    parameters: smsForm({}),
    items: ROWS,
    onError: 'continueRegularOutput',
  });
  expect(json.map((row) => Object.keys(row).slice(0, 2))).toEqual(ROWS.map(() => ['result', 'phone']));
  expect(json.map(({ result, phone, what_to_do: todo }) => [result, phone, todo])).toEqual([
    ['sent', 380501234561, undefined],
    ['invalid', 'nobody', "Row 2: correct 'Phone Number'"],
    ['invalid', '', "Row 3: fill in 'Phone Number'"],
  ]);
});

it('has the columns of each row in front, whether the row was sent or failed', async () => {
  const { json } = await runOn(sandbox, {
    parameters: smsForm({ options: { includeInputFields: true } }),
    // A list's own id would pass for the message's.
    items: ROWS.map((row, index) => ({ ...row, id: index })),
    onError: 'continueRegularOutput',
  });
  expect(json.map(({ name, result, id }) => [name, result, id])).toEqual([
    ['Anna', 'sent', expect.any(Number)],
    ['Ben', 'invalid', null],
    ['Cleo', 'invalid', null],
  ]);
  expect(json[0].id).toBeGreaterThan(2);
  for (const row of json) expect(Object.keys(row).slice(0, 4)).toEqual(['name', 'phone', 'id', 'result']);
});

it('shows a checked row without a list or an object but the operation, which is last', async () => {
  const { json } = await runOn(sandbox, {
    parameters: smsForm({ smsMessage: 'Привіт ’', options: { checkOnly: true } }),
    items: ROWS.slice(0, 1),
  });
  expect(json[0]).toMatchObject({ result: 'checked', parts: 1 });
  const nested = Object.keys(json[0]).filter((name) => typeof json[0][name] === 'object');
  expect([nested, Object.keys(json[0]).at(-1)]).toEqual([['operation'], 'operation']);
});
