import type { IDataObject } from 'n8n-workflow';

import type { WireOperation } from '../../gateway/contract/operations';
import { measureSms } from '../../gateway/contract/sms-segments';

/** The text that an operation would send as SMS, at once or as its last resort. */
function smsText(operation: WireOperation): string | undefined {
  const stage = operation.sms as { message?: unknown } | undefined;
  const text = operation.sms_message ?? stage?.message;
  return typeof text === 'string' ? text : undefined;
}

/** The output of an item that is only checked: the operation as it would be sent, and what its SMS is billed as. */
export function previewOf(operation: WireOperation): IDataObject {
  const { id, type, phone } = operation;
  const text = smsText(operation);
  return {
    id,
    type,
    phone,
    checked: true,
    operation: { ...operation } as IDataObject,
    ...(text !== undefined && { sms: { ...measureSms(text) } as IDataObject }),
  };
}
