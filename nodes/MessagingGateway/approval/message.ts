import type { WireOperation } from '../../gateway/contract/operations';
import type { Field } from '../fields/field';
import { InvalidParameter, quoted } from '../fields/field';
import { textField } from '../fields/make-field';
import { pipeline } from '../fields/pipeline';
import { rcsSignature } from '../fields/rcs';
import { smsMessage, smsSignature } from '../fields/sms';
import { messageId, phone } from '../fields/target';
import { asLocated } from '../fields/values';
import { viberFields, viberSignature } from '../fields/viber';
import type { Item } from '../run/item';
import { compileBuilder } from '../sending/build';
import type { ApprovalChannel, ApprovalWireType } from './channels';
import { wireTypeFor } from './channels';

/** The place of the link in the text. */
export const LINK_MARK = '{link}';

export const whatsappSender = textField({
  parameter: 'whatsappSignature',
  wire: 'signature',
  displayName: 'WhatsApp Sender',
  placeholder: 'e.g. TestSender',
  description: 'Sender name that the recipient sees. It must be approved for your account.',
});

/** The field with the sender of each channel. */
export const SENDER_FIELDS: Record<ApprovalChannel, Field> = {
  viber: viberSignature,
  sms: smsSignature,
  rcs: rcsSignature,
  whatsapp: whatsappSender,
};

const FIELDS: Record<ApprovalWireType, Field[]> = {
  sms: [phone, smsSignature, smsMessage, messageId],
  viber: [phone, ...viberFields, messageId],
  'viber+sms': [phone, ...viberFields, smsSignature, smsMessage, messageId],
  pipeline: [phone, pipeline, messageId],
};

/** The text with the link where it is marked, or at the end. */
export const withLink = (text: string, link: string): string =>
  text.includes(LINK_MARK) ? text.split(LINK_MARK).join(link) : `${text.trimEnd()} ${link}`;

/** The text where the link is somewhere else: on a button, or on the page itself. */
export const withoutLink = (text: string): string =>
  text
    .split(LINK_MARK)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');

/** One message that asks one person. */
export interface ApprovalMessage {
  phone: number;
  link: string;
  text: string;
  /** Caption of the button, where the message has one. */
  button: string;
}

/** Returns the function that builds the operation of a message; that function throws InvalidParameter. */
export function messageBuilder(
  channels: readonly ApprovalChannel[],
): (item: Item, message: ApprovalMessage) => WireOperation {
  const wireType = wireTypeFor(channels);
  const build = compileBuilder({ wireType, fields: FIELDS[wireType] });
  return (item, { phone: number, link, text, button }) => {
    const full = withLink(text, link);
    const values = new Map<string, unknown>([
      ['phone', number],
      ['smsMessage', full],
      ['viberType', 'text+link'],
      ['viberMessage', withoutLink(text)],
      ['viberButton', button],
      ['viberLink', link],
    ]);
    if (wireType === 'pipeline') values.set('pipeline', { stages: stagesOf(channels, item, full) });
    const read = (name: string, fallback?: unknown) =>
      values.has(name) ? values.get(name) : item.read(name, fallback);
    return build({ read, options: item.options, id: item.id });
  };
}

const stagesOf = (channels: readonly ApprovalChannel[], item: Item, message: string) =>
  channels.map((channel) => ({ channel, message, signature: senderOf(channel, item), viberType: 'text' }));

function senderOf(channel: ApprovalChannel, item: Item): string {
  const { displayName } = SENDER_FIELDS[channel];
  const sender = asLocated(item.read(`${channel}Signature`), displayName);
  if (sender !== undefined) return sender;
  throw new InvalidParameter(quoted(displayName), 'the name of a sender', '', 'is empty');
}
