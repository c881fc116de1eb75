import type { WireOperation } from '../../gateway/contract/operations';
import { measureSms } from '../../gateway/contract/sms-segments';
import { showHint } from '../../n8n/engine';
import type { Run } from '../run/run';
import { smsTextOf } from '../sending/preview';

/** Warns where the SMS of an operation is billed as more than one; the gateway's short links have another length. */
export function warnOfLength({ context }: Run, operation: WireOperation, link: string): void {
  const text = smsTextOf(operation);
  if (text === undefined || operation.short_link === true) return;
  const { segments, units, encoding, unitsPerSegment } = measureSms(text);
  if (segments < 2) return;
  const single = encoding === 'GSM-7' ? 160 : 70;
  const message = `The message is billed as ${segments} SMS: it has ${units} characters (${encoding}, ${unitsPerSegment} in each), ${link.length} of them in the link. A single SMS has ${single}. The option Shorten Links makes the link shorter, where your tariff has it.`;
  showHint(context, { message, type: 'warning', location: 'outputPane' });
}
