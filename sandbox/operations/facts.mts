/** Facts of a send that the gateway accepts: channels, parts, price, and where the status goes. */
import type { Account } from '../account.mts';
import { smsParts } from '../sms.mts';
import type { JsonObject } from '../types.mts';
import { CHANNELS } from './channels.mts';
import { isDeclared } from './extras.mts';
import { SEND_SHAPES } from './fields.mts';

export interface SendFacts {
  /** In trial order. */
  channels: readonly string[];
  parts: number;
  price: number;
  hook?: string;
  /** One-time code of a `call/otp`. */
  code?: string;
}

/** Facts of a send that has passed all checks. */
export function factsOf(account: Account, operation: JsonObject): SendFacts {
  const type = operation.type as string;
  const channels = type === 'pipeline' ? (operation.pipeline as string[]) : SEND_SHAPES[type].channels;
  const parts = partsOf(operation, channels[0]);
  return {
    channels,
    parts,
    price: CHANNELS[channels[0]].price * parts,
    hook: hookOf(account, operation, type),
  };
}

/** The text of an operation that goes out by SMS, if one does. */
export function smsTextOf(operation: JsonObject): unknown {
  const stage = operation.sms as JsonObject | undefined;
  return operation.type === 'pipeline' ? stage?.message : operation.sms_message;
}

function partsOf(operation: JsonObject, channel: string): number {
  return channel === 'sms' ? smsParts(smsTextOf(operation) as string) : 1;
}

/**
 * Where the status of a message goes (gateway-api.md, "Callbacks"). That of a `pipeline` goes to the account's own
 * address, and so does that of a voice call, which has no `hook` but a digit and a duration to report.
 */
function hookOf(account: Account, operation: JsonObject, type: string): string | undefined {
  if (type === 'pipeline' || type === 'voice') return account.notificationUrl ?? undefined;
  return isDeclared(type, 'hook') ? (operation.hook as string | undefined) : undefined;
}
