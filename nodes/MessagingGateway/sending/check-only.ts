import type { IDataObject } from 'n8n-workflow';

import { withoutSecret } from '../../gateway/callback/address';
import type { WireOperation } from '../../gateway/contract/operations';
import { smsTextOf, triedChannels } from '../../gateway/contract/operations';
import { costlyCharacters, measureSms } from '../../gateway/sms/segments';
import { secretMasker } from '../../gateway/text/secrets';
import { InvalidParameter, quoted } from '../fields/field';
import { NOT_FOR_AGENTS, property, readOnce } from '../fields/property';
import { asBoolean } from '../fields/values';
import { notAcceptedItem } from '../run/item-errors';
import type { DoneItem, DoneState } from '../run/item-result';
import type { RowChange, OutgoingRow, RowSpare } from '../run/row';
import { secretsOf } from '../run/row';
import type { Run } from '../run/run';

export const CHECK_ONLY = property(
  'Check Only',
  'checkOnly',
  'Whether to check every item and show what would be sent and billed, without sending anything',
  { type: 'boolean', default: true, ...NOT_FOR_AGENTS },
);

/**
 * Returns whether the option is on, by the options of an item. Where it was added and is empty, as an
 * expression with a misspelled column is, nobody said that the item may be sent.
 * @throws InvalidParameter for anything but on and off
 */
export const onlyChecks = readOnce((options): boolean => {
  if (!('checkOnly' in options)) return false;
  const isOn = asBoolean(options.checkOnly, CHECK_ONLY.displayName);
  if (isOn !== undefined) return isOn;
  throw new InvalidParameter(quoted(CHECK_ONLY.displayName), 'true or false', undefined);
});

/** Returns the text that a recipient would read first: that of the SMS, else of the first channel that has one. */
function firstTextOf(operation: WireOperation): string | undefined {
  const texts = triedChannels(operation).flatMap((channel) => {
    const stage = operation[channel] as { message?: unknown } | undefined;
    return [operation[`${channel}_message`], stage?.message];
  });
  return [smsTextOf(operation), ...texts, operation.message].find((text) => typeof text === 'string');
}

/** What an SMS is billed as, with the names of the characters that cost some of its parts, each once. */
function billOf(text: string) {
  const { segments: parts, units: characters, encoding, unitsLeft } = measureSms(text);
  const costly = [...new Set(costlyCharacters(text).map(nameOfCharacter))];
  return { parts, characters, encoding, characters_left: unitsLeft, costly };
}

/** Letters of a script are one name: a text has dozens of them. */
function nameOfCharacter(character: string): string {
  if (/\p{Script=Cyrillic}/u.test(character)) return 'Cyrillic';
  // A mark, a blank or a control can't be seen alone.
  if (!/[\p{C}\p{M}\p{Z}]/u.test(character)) return character;
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Returns the fields that tell how an SMS was before it was shortened. */
function before(unshortened: string): IDataObject {
  const { encoding, segments } = measureSms(unshortened);
  return { text_before: unshortened, parts_before: segments, encoding_before: encoding };
}

/**
 * Returns the result of a row that is only checked: its text and, for an SMS, what is billed, then the operation without the secret
 * of its callback address, which is the only field with others in it. `unshortened` is the text of an SMS that was shortened.
 */
function previewOf(operation: WireOperation, unshortened?: string): DoneItem {
  const { id, type, phone, hook } = operation;
  const shown = { ...operation, ...(typeof hook === 'string' && { hook: withoutSecret(hook) }) };
  const text = firstTextOf(operation);
  const smsText = smsTextOf(operation);
  const bill = smsText === undefined ? undefined : billOf(smsText);
  const { parts, costly, ...measured } = bill ?? {};
  const json: IDataObject = {
    result: 'checked' satisfies DoneState,
    ...(text !== undefined && { text }),
    ...(parts !== undefined && { parts }),
    phone,
    ...measured,
    ...(costly && costly.length > 0 && { costly: costly.join(', ') }),
    ...(unshortened !== undefined && before(unshortened)),
    id,
    type,
    operation: shown as IDataObject,
  };
  return { jsons: [json], checked: true, ...(bill && { bill }) };
}

/** Marks a row that is only checked. */
export const setCheckOnly: RowChange = (row, { options }): undefined => {
  row.checkOnly = onlyChecks(options);
};

/** Ends a row that is only checked, whose message an earlier try left in doubt: a preview would hide that. */
export const keepDoubt =
  (run: Run): RowSpare =>
  (row) =>
    row.checkOnly && row.state.is === 'unknown' ? notAcceptedItem(run, row.state, row) : undefined;

/** Ends a row that is only checked, with what would be sent. */
export function showOnly(row: Readonly<OutgoingRow>): DoneItem | undefined {
  if (!row.checkOnly) return undefined;
  const preview = previewOf(row.operation, row.unshortened);
  return { ...preview, jsons: secretMasker(secretsOf(row))(preview.jsons) };
}
