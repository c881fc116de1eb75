import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { WireOperation } from '../../gateway/contract/operations';
import { measureSms } from '../../gateway/contract/sms-segments';
import { showHint } from '../../n8n/engine';
import type { Item } from '../run/item';
import type { Run } from '../run/run';
import { optionFieldsOf } from '../sending/build';
import { buildByChannels, wireTypeFor } from '../sending/by-channels';
import { smsTextOf } from '../sending/preview';
import { signedAddress } from '../sleeping/address';
import type { ApprovalChannel } from './inputs';

/** The place of the link in the text. */
export const LINK_MARK = '{link}';

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
  channels: readonly ApprovalChannel[];
  link: string;
  text: string;
  /** Caption of the button, where the message has one. */
  button: string;
}

/**
 * Builds the operation of a message: with a button on Viber, and the link in the text elsewhere.
 * @throws InvalidParameter for a parameter that a channel needs
 */
export function buildQuestion(item: Item, message: ApprovalMessage): WireOperation {
  const { phone, channels, link, text, button } = message;
  const type = wireTypeFor(channels);
  const getOption = (name: string) => item.options[name];
  const options = optionFieldsOf({ wireType: type, fields: [] }).map((field) => field.read(getOption, type));
  const optional = Object.assign({}, ...options) as Record<string, unknown>;
  const wording = {
    text: withLink(text, link),
    button: { text: withoutLink(text), caption: button, link },
  };
  return buildByChannels({ type, id: item.id, phone, channels, wording, optional }, item.read);
}

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

/**
 * The addresses of one sleep: a link for each recipient, and one for the gateway's callbacks. They differ in one query
 * parameter, which n8n's signature covers along with the path, so nobody can make another's link out of theirs. It is
 * left out where it can be, since an SMS is billed by its length.
 */

/** Who calls. */
export interface Caller {
  /** The run of the node that made the address: a node in a loop sleeps several times in one execution. */
  run: number;
  /** Index of the recipient; undefined for the gateway. */
  recipient?: number;
}

const PARAMETER = 'r';
const GATEWAY = 'g';

function parametersOf({ run, recipient }: Caller): Record<string, string> {
  if (run === 0 && recipient === 0) return {};
  const who = recipient === undefined ? GATEWAY : String(recipient);
  return { [PARAMETER]: run === 0 ? who : `${who}.${run}` };
}

/** Returns the signed address for a caller. */
export const addressFor = (context: IExecuteFunctions, caller: Caller): string =>
  signedAddress(context, parametersOf(caller));

/** Returns an address that has the length of the signed one and opens nothing, for Check Only. */
export const placeholderFor = (context: IExecuteFunctions, caller: Caller): string =>
  addressFor(context, caller).replace(/(signature=)(.*)$/, (_, name: string, signature: string) =>
    name.concat('x'.repeat(signature.length)),
  );

/** Returns who calls, from the query of an address whose signature n8n has checked; undefined if it isn't ours. */
export function callerOf(query: IDataObject): Caller | undefined {
  const value = query[PARAMETER];
  if (value === undefined) return { run: 0, recipient: 0 };
  if (typeof value !== 'string') return undefined;
  const [, who, run = '0'] = /^(g|\d{1,4})(?:\.(\d{1,6}))?$/.exec(value) ?? [];
  if (who === undefined) return undefined;
  return { run: Number(run), ...(who !== GATEWAY && { recipient: Number(who) }) };
}
