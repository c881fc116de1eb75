import type { IDataObject } from 'n8n-workflow';

import { withoutSecret } from '../../gateway/callback/address';
import type { WireOperation } from '../../gateway/contract/operations';
import { smsTextOf, triedChannels } from '../../gateway/contract/operations';
import { costlyCharacters, measureSms } from '../../gateway/sms/segments';
import { secretMasker } from '../../gateway/text/secrets';
import { InvalidParameter, quoted } from '../fields/field';
import { NOT_FOR_AGENTS, property } from '../fields/property';
import { asBoolean } from '../fields/values';
import type { Item } from '../run/item';
import { notAcceptedItem } from '../run/item-errors';
import type { DoneItem } from '../run/item-result';
import type { OutgoingRow, Step } from '../run/row';
import { secretsOf } from '../run/row';

export const CHECK_ONLY = property(
  'Check Only',
  'checkOnly',
  'Whether to check every item and show what would be sent and billed, without sending anything',
  { type: 'boolean', default: true, ...NOT_FOR_AGENTS },
);

/**
 * Returns whether the option is on, by the options of an item. Where it was added and comes to nothing, as an
 * expression with a misspelled column does, nobody said that the item may be sent.
 * @throws InvalidParameter for anything but on and off
 */
export function onlyChecks(options: Record<string, unknown>): boolean {
  if (!('checkOnly' in options)) return false;
  const isOn = asBoolean(options.checkOnly, CHECK_ONLY.displayName);
  if (isOn !== undefined) return isOn;
  throw new InvalidParameter(quoted(CHECK_ONLY.displayName), 'true or false', undefined);
}

/** Returns the text that a recipient would read first: that of the SMS, else of the first channel that has one. */
function firstTextOf(operation: WireOperation): string | undefined {
  const texts = triedChannels(operation).flatMap((channel) => {
    const stage = operation[channel] as { message?: unknown } | undefined;
    return [operation[`${channel}_message`], stage?.message];
  });
  return [smsTextOf(operation), ...texts, operation.message].find((text) => typeof text === 'string');
}

/**
 * Returns the output of an item that is only checked: its text and, for an SMS, how many parts and characters are billed, the
 * columns of its row, the operation without the secret of its callback address, and how the SMS is measured, with the
 * characters that cost some of its parts. `unshortened` is the text of an SMS that was shortened.
 */
function previewOf(operation: WireOperation, row: IDataObject, unshortened?: string): IDataObject {
  const { id, type, phone, hook } = operation;
  const shown = { ...operation, ...(typeof hook === 'string' && { hook: withoutSecret(hook) }) };
  const text = firstTextOf(operation);
  const smsText = smsTextOf(operation);
  const measured = smsText === undefined ? undefined : measureSms(smsText);
  const own: IDataObject = {
    id,
    phone,
    ...(text !== undefined && { text }),
    ...(measured && { parts: measured.segments, characters: measured.units }),
    type,
    checked: true,
  };
  const preview = { ...own, ...row, ...own, operation: shown as IDataObject };
  if (smsText === undefined) return preview;
  const costly = costlyCharacters(smsText);
  const sms: IDataObject = { ...measured };
  if (costly.length > 0) sms.costly = costly;
  if (unshortened !== undefined) {
    const { encoding, segments } = measureSms(unshortened);
    sms.before = { text: unshortened, encoding, segments };
  }
  return { ...preview, sms };
}

/** Marks a row that is only checked, and ends one whose message an earlier try left in doubt: a preview would hide that. */
export const setCheckOnly: Step = (row, { options, run }) => {
  row.checkOnly = onlyChecks(options);
  return row.checkOnly && row.state.is === 'unknown' ? notAcceptedItem(run, row.state, row) : undefined;
};

/** Ends a row that is only checked, with what would be sent. */
export function showOnly(row: OutgoingRow, { json }: Item): DoneItem | undefined {
  if (!row.checkOnly) return undefined;
  const mask = secretMasker(secretsOf(row));
  return { jsons: [mask(previewOf(row.operation, json, row.unshortened))], checked: true };
}
