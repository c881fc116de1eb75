import type { Channel } from '../../gateway/contract/channels';
import { LIFETIME_LIMITS } from '../../gateway/contract/limits';
import type { LifetimeField } from '../../gateway/contract/limits';
import type { WireOperation } from '../../gateway/contract/operations';
import { spokenCode } from '../../gateway/otp/code';
import type { Get } from '../fields/field';
import { InvalidParameter, quoted } from '../fields/field';
import { pipeline } from '../fields/pipeline';
import { smsMessage, smsSignature } from '../fields/sms';
import { messageId, phone } from '../fields/target';
import { telegramMessage } from '../fields/telegram';
import { asLocated } from '../fields/values';
import { viberFields } from '../fields/viber';
import { dtmf, voice, voiceMessage } from '../fields/voice';
import { compileBuilder } from '../sending/build';
import type { CodeChannel } from './fields';
import { CODE_MARK, MINUTES_MARK, SENDERS } from './fields';

/** A message that carries a code. */
export interface CodeMessage {
  id: number | string;
  channels: readonly CodeChannel[];
  /** Text with the places of the code and of the minutes. */
  text: string;
  code: string;
  /** Seconds for which the code is valid. */
  expiresIn: number;
  /** Reads the other parameters of the item. */
  read: Get;
}

/** The parameters that a builder reads in place of the form's. */
type Replaced = (message: CodeMessage) => Record<string, unknown>;

const withFields = (
  spec: Parameters<typeof compileBuilder>[0],
  replaced: Replaced,
): ((message: CodeMessage) => WireOperation) => {
  const build = compileBuilder(spec);
  return (message) => {
    const values = replaced(message);
    const read = (name: string) => (name in values ? values[name] : message.read(name));
    return build({ id: message.id, options: lifetimes(message.expiresIn), read });
  };
};

/** The lifetimes of channels, by the option that sets them. */
const LIFETIMES = {
  smsLifetime: 'sms_lifetime',
  viberLifetime: 'viber_lifetime',
  telegramLifetime: 'telegram_lifetime',
} as const satisfies Record<string, LifetimeField>;

/** A message ends with its code, as far as the channel lets it (gateway-api.md, "Limits"). */
const lifetimes = (expiresIn: number): Record<string, number> =>
  Object.fromEntries(
    Object.entries(LIFETIMES).map(([option, field]) => [
      option,
      Math.max(LIFETIME_LIMITS[field].min, expiresIn),
    ]),
  );

const TARGET = [phone, messageId];

/** The operations that carry one code each, by the channel that is their own. */
const ALONE: Partial<Record<CodeChannel, (message: CodeMessage) => WireOperation>> = {
  call: withFields({ wireType: 'call/otp', fields: TARGET }, () => ({})),
  sms: withFields({ wireType: 'sms', fields: [...TARGET, smsSignature, smsMessage] }, (message) => ({
    smsMessage: textOf(message),
  })),
  telegram: withFields({ wireType: 'telegram', fields: [...TARGET, telegramMessage] }, ({ code }) => ({
    message: code,
  })),
  viber: withFields({ wireType: 'viber', fields: [...TARGET, ...viberFields] }, (message) => ({
    viberType: 'text',
    viberMessage: textOf(message),
  })),
  voice: withFields({ wireType: 'voice', fields: [...TARGET, voiceMessage, dtmf, voice] }, (message) => ({
    message: spokenText(message),
    dtmf: false,
  })),
};

/** Several channels, or one that exists only as a stage. */
const buildPipeline = withFields({ wireType: 'pipeline', fields: [...TARGET, pipeline] }, (message) => ({
  // A call is always alone.
  pipeline: { stages: (message.channels as Channel[]).map((channel) => stageOf(channel, message)) },
}));

/**
 * Builds the operation that sends a code.
 * @throws InvalidParameter for a parameter that a channel needs
 */
export function buildCodeOperation(message: CodeMessage): WireOperation {
  const { channels } = message;
  const alone = channels.length === 1 ? ALONE[channels[0]] : undefined;
  return (alone ?? buildPipeline)(message);
}

function stageOf(channel: Channel, message: CodeMessage): Record<string, unknown> {
  const { code, read } = message;
  if (channel === 'telegram') return { channel, message: code };
  if (channel === 'voice') {
    const [voiceGender, voiceLanguage, voiceName] = ['voiceGender', 'voiceLanguage', 'voiceName'].map(read);
    return { channel, message: spokenText(message), voiceGender, voiceLanguage, voiceName };
  }
  return { channel, message: textOf(message), signature: readSender(channel, read), viberType: 'text' };
}

function readSender(channel: keyof typeof SENDERS, read: Get): string {
  const { displayName, properties } = SENDERS[channel];
  const [{ name }] = properties('sms');
  const sender = asLocated(read(name), displayName);
  if (sender !== undefined) return sender;
  throw new InvalidParameter(
    quoted(displayName),
    'the name of a sender that is approved for your account',
    '',
  );
}

const textOf = (message: CodeMessage): string => filledIn(message, message.code);
const spokenText = (message: CodeMessage): string => filledIn(message, spokenCode(message.code));

/** The minutes never promise more than the code keeps. */
const filledIn = ({ text, expiresIn }: CodeMessage, code: string): string =>
  text
    .split(MINUTES_MARK)
    .join(String(Math.max(1, Math.floor(expiresIn / 60))))
    .split(CODE_MARK)
    .join(code);
