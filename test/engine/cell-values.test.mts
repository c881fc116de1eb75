/** The cells of the corpus as the node reads them: alone and inside a text, in messages and in keys. */
import type { IDataObject } from 'n8n-workflow';

import { titled } from '../corpus/case.mts';
import { CELL_VALUES } from '../corpus/cell-values.mts';
import { smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

const SOURCE = '{{ $json.name }}';
const ROWS = CELL_VALUES.map(({ input }, row) => ({ name: input, phone: 380501234560 + row }) as IDataObject);

const check = async (smsMessage: string, options: IDataObject = {}) =>
  await runOn(sandbox, {
    parameters: smsForm({ smsMessage, options: { checkOnly: true, ...options } }),
    items: ROWS,
    onError: 'continueRegularOutput',
  });

const fateOf = ({ error }: IDataObject): string => {
  if (error === undefined) return 'taken';
  return String(error).includes(' has an empty ') ? 'empty' : 'refused';
};

it.each<[mode: string, becomes: string]>([
  ['warn', 'taken'],
  ['allow', 'taken'],
  ['refuse', 'empty'],
])(
  'with Empty Placeholders set to %s, what has no value is %s, and what no sheet means is refused',
  async (emptyPlaceholders, empty) => {
    for (const text of [`=Dear ${SOURCE}, hello`, '=Dear {{ $json.name ?? undefined }}, hello']) {
      const { json, hints } = await check(text, { emptyPlaceholders });
      const fates = CELL_VALUES.map(({ right }) => ({ refused: 'refused', empty, sent: 'taken' })[right]);
      const named = (all: string[]) => all.map((fate, row) => [CELL_VALUES[row].input, fate]);
      expect(named(json.map(fateOf))).toEqual(named(fates));
      expect(hints.some((hint) => / ha(ve|s) an empty /.test(hint))).toBe(emptyPlaceholders === 'warn');
    }
  },
);

it('a warning counts what is empty by its source, and by the word that stands for it', async () => {
  const { hints } = await check(`=Dear ${SOURCE}`);
  expect(hints).toContainEqual(
    expect.stringMatching(/^\d+ of \d+ texts have an empty \{\{ \$json\.name \}\} \(first: item \d+\)$/),
  );
  expect(hints).toContainEqual(
    expect.stringMatching(
      /^2 of \d+ texts have an empty \{\{ \$json\.name \}\}, which is "NULL" \(first: item \d+\)$/,
    ),
  );
});

it('an error of a sheet is named with its source', async () => {
  const { json } = await check(`=Dear ${SOURCE}`);
  expect(json[0].error).toBe(`'SMS Text' contains "#N/A" from ${SOURCE}: Dear #N/A [item 0]`);
  expect(json[0].message).toContain('It must be text without what a spreadsheet shows for a broken formula.');
});

it.each(titled(CELL_VALUES))(
  'a key takes only what is sent as an ordinary value: %s',
  async (_, { input, right }) => {
    const { error } = await runOn(sandbox, {
      parameters: smsForm({ options: { checkOnly: true, sendOnceKey: `=${SOURCE}-shipped` } }),
      items: [{ name: input, phone: 380501234567 } as IDataObject],
    });
    expect(error === undefined).toBe(right === 'sent');
  },
);

it('a word for nothing is meant where the expression has it, and a text of the author is left as it is', async () => {
  const refusing = { emptyPlaceholders: 'refuse' };
  const send = async (smsMessage: string, item: IDataObject = {}) =>
    await runOn(sandbox, {
      parameters: smsForm({ phone: '380501234567', smsMessage, options: { checkOnly: true, ...refusing } }),
      items: [item],
    });
  expect((await send(`=Table: {{ $json.table || '-' }}`)).error).toBeUndefined();
  expect((await send(`=Table: {{ $json.table || 'N/A' }}`)).error).toBeUndefined();
  expect((await send(`=Table: {{ $json.table || 'N/A' }}`, { table: 'NULL' })).error).toBeDefined();
  expect((await send('The cell says #N/A')).error).toBeUndefined();
  expect((await send('\u200b')).error?.message).toContain("'SMS Text' is empty");
});
