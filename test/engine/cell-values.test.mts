/** The cells of the corpus as the node reads them: alone and inside a text, in messages and in keys. */
import type { IDataObject } from 'n8n-workflow';

import { titled } from '../corpus/case.mts';
import { CELL_VALUES } from '../corpus/cell-values.mts';
import { grouped, smsForm } from '../support/sends.mts';
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
  'with Gaps in Texts set to %s, what has no value is %s, and what nobody means is refused',
  async (emptyPlaceholders, empty) => {
    const { json, hints } = await check(`=Dear ${SOURCE}, hello`, { emptyPlaceholders });
    const fates = CELL_VALUES.map(({ right }) => ({ refused: 'refused', empty, sent: 'taken' })[right]);
    const named = (all: string[]) => all.map((fate, row) => [CELL_VALUES[row].input, fate]);
    expect(named(json.map(fateOf))).toEqual(named(fates));
    expect(hints.some((hint) => / ha(ve|s) an empty /.test(hint))).toBe(emptyPlaceholders === 'warn');
  },
);

it.each(titled(CELL_VALUES))(
  'a key takes only what is sent as an ordinary value: %s',
  async (_, { input, right }) => {
    const { error } = await runOn(sandbox, {
      parameters: smsForm({ options: grouped({ checkOnly: true, sendOnceKey: `=${SOURCE}-shipped` }) }),
      items: [{ name: input, phone: 380501234567 } as IDataObject],
    });
    expect(error === undefined).toBe(right === 'sent');
  },
);

it('a text that shows nothing is empty', async () => {
  const { error } = await runOn(sandbox, {
    parameters: smsForm({ phone: '380501234567', smsMessage: '\u200b', options: { checkOnly: true } }),
  });
  expect(error?.message).toContain("'SMS Text' is empty");
});
