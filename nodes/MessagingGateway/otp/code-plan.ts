import type { Challenge } from '../../gateway/otp/challenge';
import { openChallenge } from '../../gateway/otp/challenge';
import type { CodeSource } from '../../gateway/otp/code';
import { CALL_DIGITS } from '../../gateway/otp/code';
import type { OtpKeys } from '../../gateway/otp/keys';
import { isEmpty } from '../../gateway/text/json';
import { InvalidParameter, quoted, readFields } from '../fields/field';
import { phone as phoneField } from '../fields/target';
import { asText } from '../fields/values';
import { readWhole } from '../fields/property';
import type { Item } from '../run/item';
import type { Run } from '../run/run';
import type { CodeChannel } from './fields';
import * as fields from './fields';

export interface CodePlan extends CodeSource {
  channels: CodeChannel[];

  /** Text with the places of the code and of the minutes. */
  text: string;

  /** Seconds for which the code is valid. */
  expiresIn: number;

  /** The challenge before this one, in a resend. */
  earlier?: Challenge;

  /** As `purposeName` has it. */
  purpose: string;
  cooldownMs: number;

  /** Codes from one full hour to the next; undefined for no limit. */
  perNumber: number;
  perWorkflow?: number;
}

/**
 * Reads the send of an item.
 * @throws InvalidParameter
 */
export function planOf(run: Run, keys: OtpKeys, item: Item): CodePlan {
  const { read, options } = item;
  const getOption = (name: string) => options[name];
  const phone = Number(readFields([phoneField], read, 'sms', options).phone);
  const purpose = fields.readPurpose(keys, options, run);
  const channels = fields.readCodeChannels(read);
  return {
    id: item.id,
    phone,
    purpose,
    channels,
    length: channels.includes('call') ? CALL_DIGITS : readWhole(fields.CODE_LENGTH, read),
    expiresIn: readWhole(fields.EXPIRES_IN, read),
    text: fields.readMessage(read, channels),
    earlier: readEarlier(run, keys, item, { phone, purpose }),
    cooldownMs: 1000 * readWhole(fields.COOLDOWN, getOption),
    perNumber: readWhole(fields.PER_NUMBER_LIMIT, getOption),
    perWorkflow: isEmpty(options[fields.WORKFLOW_LIMIT.name])
      ? undefined
      : readWhole(fields.WORKFLOW_LIMIT, getOption),
  };
}

/**
 * Returns the challenge of the earlier send.
 * @throws InvalidParameter for a challenge with which no code can be sent
 */
function readEarlier(
  run: Run,
  keys: OtpKeys,
  { options, index }: Item,
  { phone, purpose }: Pick<Challenge, 'phone' | 'purpose'>,
): Challenge | undefined {
  const label = fields.RESEND_OPTION.displayName;
  const text = asText(options.challenge, label);
  if (text === undefined) return undefined;
  const badChallenge = (accepted: string, reason: string) =>
    new InvalidParameter(quoted(label), accepted, text, reason);
  const challenge = openChallenge(keys, text);
  if (!challenge) {
    const accepted = 'the challenge of an earlier send with the same API key';
    throw badChallenge(accepted, "isn't a challenge of this API key, or was altered");
  }
  if (challenge.phone !== phone) {
    throw badChallenge('a challenge for the same phone number', 'belongs to another number');
  }
  if (challenge.purpose !== purpose) {
    const accepted = `a challenge of this workflow, or of one with the same text in the option ${quoted(fields.PURPOSE_OPTION.displayName)}`;
    throw badChallenge(accepted, 'belongs to another purpose');
  }
  // Retry On Fail goes on with a send that began while the challenge was valid.
  const isRepeated = run.journal.find(index) !== undefined;
  if (!isRepeated && run.now() >= challenge.expiresAt) {
    throw badChallenge('a challenge that is still valid; leave it empty to begin anew', 'has expired');
  }
  return challenge;
}
