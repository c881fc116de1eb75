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

/**
 * Returns the output of an item that is only checked: its operation, without the secret of its callback address, and the
 * segments billed for its SMS, with the characters that cost some of them. `unshortened` is the text of an SMS that was shortened.
 */
export function previewOf(operation: WireOperation, unshortened?: string): IDataObject {
  const { id, type, phone, hook } = operation;
  const shown = { ...operation, ...(typeof hook === 'string' && { hook: withoutSecret(hook) }) };
  const text = smsTextOf(operation);
  const preview = { id, type, phone, checked: true, operation: shown as IDataObject };
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
