import { LIFETIME_LIMITS } from '../../gateway/contract/limits';
import type { WireOperation } from '../../gateway/contract/operations';
import { spokenCode } from '../../gateway/otp/code';
import type { Get } from '../fields/field';
import { buildByChannels, wireTypeFor } from '../sending/by-channels';
import type { CodeChannel } from './fields';
import { CODE_MARK, MINUTES_MARK } from './fields';

/** A message that carries a code. */
export interface CodeMessage {
  id: number | string;
  phone: number;
  /** Several channels, or `call` alone. */
  channels: readonly CodeChannel[];
  /** Text with the places of the code and of the minutes. */
  text: string;
  code: string;
  /** Seconds for which the code is valid. */
  expiresIn: number;
}

const LIFETIMES = ['sms_lifetime', 'viber_lifetime', 'telegram_lifetime'] as const;

/**
 * Builds the operation that sends a code; `read` reads senders and voice from the parameters.
 * @throws InvalidParameter for a parameter that a channel needs
 */
export function buildCodeOperation(message: CodeMessage, read: Get): WireOperation {
  const { id, phone, code, expiresIn } = message;
  const channels = message.channels.filter((channel) => channel !== 'call');
  if (channels.length === 0) return { type: 'call/otp', id, phone };
  // A message ends with its code, as far as the channel lets it (gateway-api.md, "Limits").
  const optional = Object.fromEntries(
    LIFETIMES.map((field) => [field, Math.max(LIFETIME_LIMITS[field].min, expiresIn)]),
  );
  const type = channels.length === 1 ? wireTypeFor(channels) : 'pipeline';
  const wording = { text: filledIn(message, code), spoken: filledIn(message, spokenCode(code)), code };
  return buildByChannels({ type, id, phone, channels, wording, optional }, read);
}

/** The minutes never promise more than the code keeps. */
const filledIn = ({ text, expiresIn }: CodeMessage, code: string): string =>
  text
    .split(MINUTES_MARK)
    .join(String(Math.max(1, Math.floor(expiresIn / 60))))
    .split(CODE_MARK)
    .join(code);
