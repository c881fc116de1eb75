import type { IDataObject } from 'n8n-workflow';

import { LIFETIME_LIMITS } from '../../gateway/contract/limits';
import type { WireOperation } from '../../gateway/contract/operations';
import { counted } from '../../gateway/errors/words';
import type { Challenge } from '../../gateway/otp/challenge';
import { openChallenge, sealChallenge } from '../../gateway/otp/challenge';
import type { CodeSource } from '../../gateway/otp/code';
import { CALL_DIGITS, calledCode, deriveCode, spokenCode } from '../../gateway/otp/code';
import type { OtpKeys } from '../../gateway/otp/keys';
import type { LimitRefusal, RateLimit, Reservation } from '../../gateway/otp/rate-limits';
import { payloadFields } from '../../gateway/payloads/fields';
import type { Get } from '../fields/field';
import { InvalidParameter, quoted } from '../fields/field';
import { phone as phoneField } from '../fields/target';
import { asBoolean, asNumber, asText } from '../fields/values';
import type { WholeNumber } from '../fields/whole-number';
import { readWhole } from '../fields/whole-number';
import type { Item } from '../run/item';
import type { FailedItem, ItemResult } from '../run/item-result';
import type { Run } from '../run/run';
import { buildByChannels, wireTypeFor } from '../sending/by-channels';
import { CHECK_ONLY } from '../sending/properties';
import { send } from '../sending/send';
import type { Accepted } from '../sending/sending';
import type { CodeChannel } from './fields';
import * as fields from './fields';
import type { SendReason } from './limits';
import { accountKeys, closedBy, closedForMs, limitsOf, reserveCode } from './limits';

interface CodePlan extends CodeSource {
  channels: CodeChannel[];
  /** Text with the places of the code and of the minutes. */
  text: string;
  /** Seconds for which the code is valid. */
  expiresIn: number;
  /** The challenge before this one, in a resend. */
  earlier?: Challenge;
  cooldownMs: number;
  limits: Array<RateLimit<SendReason>>;
}

/**
 * Sends a one-time password for each item, and returns its challenge. The code is in the message and nowhere else.
 * @returns one result for each item, in order
 * @throws NodeOperationError for invalid input, settings or addresses
 */
export async function sendCodes(run: Run): Promise<ItemResult[]> {
  const keys = await accountKeys(run);
  const plans = new Map<number, CodePlan>();
  return await send(run, {
    recovery: 'status',
    build(item) {
      const plan = planOf(run, keys, item);
      plans.set(item.index, plan);
      const code = deriveCode(keys, plan);
      return {
        operation: buildCodeOperation(plan, code, item.read),
        endpoint: 'sync',
        checkOnly: asBoolean(item.options.checkOnly, CHECK_ONLY.displayName) === true,
        secrets: [spokenCode(code), code],
        reserve: async () => await reserve(run, keys, plan),
      };
    },
    result: (accepted, { index }) => [challengeOutput(run, keys, plans.get(index) as CodePlan, accepted)],
    lacksCode: (payload, { type }) =>
      type === 'call/otp' && calledCode(payloadFields(payload).code) === undefined,
  });
}

function planOf(run: Run, keys: OtpKeys, item: Item): CodePlan {
  const { read, options } = item;
  const getOption = (name: string) => options[name];
  const phone = Number(phoneField.read(read, 'sms', options).phone);
  const channels = fields.readCodeChannels(read);
  const length = channels.includes('call') ? CALL_DIGITS : readWhole(fields.CODE_LENGTH, read);
  const expiresIn = readWhole(fields.EXPIRES_IN, read);
  const text = fields.readMessage(read, channels);
  const earlier = readEarlier(run, keys, item, phone);
  const cooldownMs = 1000 * readWhole(fields.COOLDOWN, getOption);
  const { name, displayName } = fields.WORKFLOW_LIMIT;
  const isUnlimited = asNumber(options[name], displayName) === undefined;
  const limits = limitsOf(run, keys, phone, {
    perNumber: readWhole(fields.PER_NUMBER_LIMIT, getOption),
    cooldownMs,
    workflow: isUnlimited ? Infinity : readWhole(fields.WORKFLOW_LIMIT, getOption),
  });
  return { id: item.id, phone, length, channels, text, expiresIn, earlier, cooldownMs, limits };
}

/** Returns the challenge of the earlier send. Throws InvalidParameter for one with which no code can be sent. */
function readEarlier(
  run: Run,
  keys: OtpKeys,
  { options, index }: Item,
  phone: number,
): Challenge | undefined {
  const label = fields.RESEND_OPTION.displayName;
  const text = asText(options.challenge, label);
  if (text === undefined) return undefined;
  const refuse = (accepted: string, reason: string) =>
    new InvalidParameter(quoted(label), accepted, text, reason);
  const challenge = openChallenge(keys, text);
  if (!challenge) {
    const accepted = 'the challenge of an earlier send with the same API key';
    throw refuse(accepted, "isn't a challenge of this API key, or was altered");
  }
  if (challenge.phone !== phone) {
    throw refuse('a challenge for the same phone number', 'belongs to another number');
  }
  const closed = closedBy(keys, challenge, run.now());
  if (closed === 'used') throw refuse('a challenge that has not been verified yet', 'was used');
  if (closed) {
    const reason = 'was tried too often, so no code of it can be verified any more';
    throw refuse('a challenge with attempts left; leave it empty to begin anew', reason);
  }
  // Retry On Fail goes on with what it began while the challenge was valid.
  const isRepeated = run.journal.find(index) !== undefined;
  if (!isRepeated && run.now() >= challenge.expiresAt) {
    throw refuse('a challenge that is still valid; leave it empty to begin anew', 'has expired');
  }
  return challenge;
}

/** Builds the operation that sends a code; `read` reads senders and voice. Throws InvalidParameter if one is missing. */
export function buildCodeOperation(
  plan: Pick<CodePlan, 'id' | 'phone' | 'channels' | 'text' | 'expiresIn'>,
  code: string,
  read: Get,
): WireOperation {
  const { id, phone, expiresIn } = plan;
  const channels = plan.channels.filter((channel) => channel !== 'call');
  if (channels.length === 0) return { type: 'call/otp', id, phone };
  // A message ends with its code, as far as the channel lets it (gateway-api.md, "Limits").
  const lifetimes = Object.entries(LIFETIME_LIMITS).map(([field, { min }]) => [
    field,
    Math.max(min, expiresIn),
  ]);
  const type = channels.length === 1 ? wireTypeFor(channels) : 'pipeline';
  // The minutes never promise more than the code keeps.
  const text = plan.text.replaceAll(fields.MINUTES_MARK, String(Math.max(1, Math.floor(expiresIn / 60))));
  const filledIn = (shown: string) => text.replaceAll(fields.CODE_MARK, shown);
  const wording = { text: filledIn(code), spoken: filledIn(spokenCode(code)), code };
  return buildByChannels(
    { type, id, phone, channels, wording, optional: Object.fromEntries(lifetimes) },
    read,
  );
}

async function reserve(run: Run, keys: OtpKeys, plan: CodePlan): Promise<Reservation | FailedItem> {
  const { phone, earlier, cooldownMs, limits, expiresIn } = plan;
  const now = run.now();
  const closedMs = closedForMs(keys, phone, now) - 1000 * expiresIn;
  if (closedMs >= 0) return refused(plan, { reason: 'wrong_codes', limit: 0, retryAfterMs: closedMs });
  const leftMs = cooldownMs - (now - (earlier?.issuedAt ?? -Infinity));
  if (leftMs > 0) return refused(plan, { reason: 'cooldown', limit: 1, retryAfterMs: leftMs });
  const passed = await reserveCode(run, limits);
  return 'reason' in passed ? refused(plan, passed) : passed;
}

const inWords = (seconds: number): string =>
  seconds < 120 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute');

/**
 * Returns the failure of an item that a limit kept from being sent, or that would be paid for though nobody could verify
 * its code. Its json has `reason` and, in seconds, `retry_after`, on which a workflow can branch.
 */
export function refused(
  { phone, cooldownMs }: Pick<CodePlan, 'phone' | 'cooldownMs'>,
  { reason, limit, retryAfterMs }: LimitRefusal<SendReason | 'wrong_codes'>,
): FailedItem {
  const retryAfter = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const withinHour = `${counted(limit, 'code')} within an hour`;
  const about: Record<typeof reason, [message: string, option: WholeNumber]> = {
    cooldown: [`This number got a code less than ${inWords(cooldownMs / 1000)} ago`, fields.COOLDOWN],
    number_limit: [`This number got ${withinHour}`, fields.PER_NUMBER_LIMIT],
    workflow_limit: [`This workflow sent ${withinHour}`, fields.WORKFLOW_LIMIT],
    wrong_codes: ['Too many wrong codes were tried for this number', fields.MAX_ATTEMPTS_PER_NUMBER],
  };
  const [message, { displayName }] = about[reason];
  const areWrong = reason === 'wrong_codes';
  const why = areWrong
    ? ': a code could not be verified before it expires'
    : ', since strangers could have codes sent at your cost';
  const where = `${quoted(displayName)}${areWrong ? ' of the operation Verify' : ''}`;
  return {
    error: {
      kind: 'input',
      message,
      description: `Nothing was sent for this item${why}. Another code can be sent in ${inWords(retryAfter)}. The option ${where} sets the limit.`,
    },
    state: 'notSent',
    json: { phone, state: 'notSent', reason: areWrong ? 'number_limit' : reason, retry_after: retryAfter },
  };
}

function challengeOutput(
  run: Run,
  keys: OtpKeys,
  { id, phone, length, channels, expiresIn, earlier }: CodePlan,
  { sent, payload, report }: Accepted,
): IDataObject {
  const { code: called, msg_id: messageId, parts } = payloadFields(payload ?? report) as IDataObject;
  const code = channels.includes('call') ? calledCode(called) : undefined;
  const issuedAt = run.now();
  const challenge: Challenge = {
    ...{ id, phone, length, issuedAt },
    root: earlier?.root ?? id,
    expiresAt: issuedAt + 1000 * expiresIn,
    ...(code !== undefined && { code, length: code.length }),
  };
  return {
    ...sent,
    ...(messageId !== undefined && { msg_id: messageId }),
    ...(parts !== undefined && { parts }),
    channel: channels[0],
    challenge: sealChallenge(keys, challenge),
    expires_at: new Date(challenge.expiresAt).toISOString(),
  };
}
