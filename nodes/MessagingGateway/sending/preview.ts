import type { IDataObject } from 'n8n-workflow';

import { withoutSecret } from '../../gateway/callback/address';
import type { WireOperation } from '../../gateway/contract/operations';
import { costlyCharacters, measureSms } from '../../gateway/contract/sms-segments';

/** Returns the text that an operation would send as SMS, directly or as a fallback. */
export function smsTextOf(operation: WireOperation): string | undefined {
  const stage = operation.sms as { message?: unknown } | undefined;
  const text = operation.sms_message ?? stage?.message;
  return typeof text === 'string' ? text : undefined;
}

/** Returns an operation as it would be sent, except for the secret of its callback address. */
const shown = (operation: WireOperation): IDataObject => {
  const { hook } = operation;
  return { ...operation, ...(typeof hook === 'string' && { hook: withoutSecret(hook) }) } as IDataObject;
};

/**
 * Returns the output of an item that is only checked: its operation, and the segments billed for its SMS, with the
 * characters that cost some of them. `unshortened` is the text of an SMS that was shortened.
 */
export function previewOf(operation: WireOperation, unshortened?: string): IDataObject {
  const { id, type, phone } = operation;
  const text = smsTextOf(operation);
  const preview = { id, type, phone, checked: true, operation: shown(operation) };
  if (text === undefined) return preview;
  const costly = costlyCharacters(text);
  const sms: IDataObject = { ...measureSms(text) };
  if (costly.length > 0) sms.costly = costly;
  if (unshortened !== undefined) {
    const { encoding, segments } = measureSms(unshortened);
    sms.before = { text: unshortened, encoding, segments };
  }
  return { ...preview, sms };
}
