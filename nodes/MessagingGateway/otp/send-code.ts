import type { IDataObject } from 'n8n-workflow';

import { payloadFields } from '../../gateway/payloads/fields';
import type { Closed } from '../../gateway/otp/attempt-memory';
import type { Challenge } from '../../gateway/otp/challenge';
import { openChallenge, sealChallenge } from '../../gateway/otp/challenge';
import { calledCode, deriveCode, spokenCode } from '../../gateway/otp/code';
import type { CodeSource } from '../../gateway/otp/code';
import type { OtpKeys } from '../../gateway/otp/keys';
import type { RateLimit, Reservation } from '../../gateway/otp/rate-limits';
import { InvalidParameter, quoted } from '../fields/field';
import { phone as phoneField } from '../fields/target';
import { asBoolean, asText } from '../fields/values';
import { readWhole } from '../fields/whole-number';
import type { Item } from '../run/item';
import type { FailedItem, ItemResult } from '../run/item-result';
import type { Run } from '../run/run';
import { CHECK_ONLY } from '../sending/properties';
import { send } from '../sending/send';
import type { Accepted, Outgoing, SentOperation } from '../sending/sending';
import { closedBy, closedForMs, keepAttempts } from './attempts';
import type { CodeChannel } from './fields';
import {
  COOLDOWN,
  PER_NUMBER_LIMIT,
  readChannels,
  readCodeLength,
  readExpiresIn,
  readMessage,
  RESEND_OPTION,
  WORKFLOW_LIMIT,
} from './fields';
import { limitsOf, reserveCode } from './limits';
import { buildCodeOperation } from './operation';
import { accountKeys, refusedByLimit, refusedByWrongCodes, unrecorded } from './refusals';

/** How an item will be sent: its code, its challenge and its limits. */
interface CodePlan {
  source: CodeSource;
  channels: CodeChannel[];
  text: string;
  expiresIn: number;
  /** The challenge before this one, in a resend. */
  earlier?: Challenge;
  cooldownMs: number;
  limits: RateLimit[];
}

/** Sends of one account. */
interface CodeRun {
  run: Run;
  keys: OtpKeys;
}

/**
 * Sends a one-time password for each item, and returns its challenge. The code is in the message and nowhere else.
 *
 * @returns one result for each item, in order
 * @throws NodeOperationError for invalid input, settings or addresses
 */
export async function sendCodes(run: Run): Promise<ItemResult[]> {
  const codes: CodeRun = { run, keys: await accountKeys(run) };
  const plans = new Map<number, CodePlan>();
  return await send(run, {
    recovery: 'status',
    build(item): Outgoing {
      const plan = planOf(codes, item);
      plans.set(item.index, plan);
      return outgoingOf(codes, plan, item);
    },
    result: (accepted, { index }) => [challengeOutput(codes, plans.get(index) as CodePlan, accepted)],
    lacking: (payload, sent) => (isCallWithoutCode(payload, sent) ? 'its one-time password' : undefined),
  });
}

/** Only the answer to a call contains its code; `status` doesn't report it. */
const isCallWithoutCode = (payload: unknown, { type }: SentOperation): boolean =>
  type === 'call/otp' && calledCode(payloadFields(payload).code) === undefined;

function planOf(codes: CodeRun, item: Item): CodePlan {
  const { read, options } = item;
  const getOption = (name: string) => options[name];
  const phone = Number(phoneField.read(read, 'sms', options).phone);
  const channels = readChannels(read);
  const source = { id: item.id, phone, length: readCodeLength(read, channels) };
  const expiresIn = readExpiresIn(read);
  const text = readMessage(read, channels);
  const earlier = readEarlier(codes, item, phone);
  const cooldownMs = 1000 * readWhole(COOLDOWN, getOption);
  const limits = limitsOf(codes.run, codes.keys, phone, {
    perNumber: readWhole(PER_NUMBER_LIMIT, getOption),
    cooldownMs,
    ...(isGiven(options[WORKFLOW_LIMIT.name]) && { workflow: readWhole(WORKFLOW_LIMIT, getOption) }),
  });
  return { source, channels, text, expiresIn, cooldownMs, limits, ...(earlier && { earlier }) };
}

function outgoingOf(codes: CodeRun, plan: CodePlan, { read, options }: Item): Outgoing {
  const { source, channels, text, expiresIn } = plan;
  const code = deriveCode(codes.keys, source);
  return {
    operation: buildCodeOperation({ ...source, channels, text, code, expiresIn }, read),
    endpoint: 'sync',
    checkOnly: asBoolean(options.checkOnly, CHECK_ONLY.displayName) === true,
    secrets: [spokenCode(code), code],
    reserve: async () => await reserve(codes, plan),
  };
}

/** Counts a code under its limits, or returns why it may not be sent. */
async function reserve(
  { run, keys }: CodeRun,
  { source: { phone }, earlier, cooldownMs, limits, expiresIn }: CodePlan,
): Promise<Reservation | FailedItem> {
  const now = run.now();
  const closedMs = closedForMs(keys, phone, now);
  if (closedMs >= 1000 * expiresIn) return refusedByWrongCodes(phone, closedMs - 1000 * expiresIn);
  const sinceMs = now - (earlier?.issuedAt ?? -Infinity);
  if (sinceMs < cooldownMs) {
    const retryAfterMs = cooldownMs - sinceMs;
    return refusedByLimit({ reason: 'cooldown', limit: 1, retryAfterMs }, { phone, cooldownMs });
  }
  try {
    const passed = await reserveCode(run, limits);
    return 'reason' in passed ? refusedByLimit(passed, { phone, cooldownMs }) : passed;
  } catch (thrown) {
    return unrecorded(thrown, 'Nothing was sent for this item.');
  }
}

function challengeOutput(
  { run, keys }: CodeRun,
  { source, channels, expiresIn, earlier }: CodePlan,
  { sent, payload }: Accepted,
): IDataObject {
  const fields = payloadFields(payload) as IDataObject;
  const code = channels.includes('call') ? calledCode(fields.code) : undefined;
  const issuedAt = run.now();
  const challenge: Challenge = {
    ...source,
    root: earlier?.root ?? source.id,
    issuedAt,
    expiresAt: issuedAt + 1000 * expiresIn,
    channels,
    ...(code !== undefined && { code, length: code.length }),
  };
  keepAttempts(keys, challenge);
  const { id, type, phone } = sent;
  const { msg_id: messageId, parts } = fields;
  return {
    id,
    type,
    phone,
    ...(messageId !== undefined && { msg_id: messageId }),
    ...(parts !== undefined && { parts }),
    channel: channels[0],
    challenge: sealChallenge(keys, challenge),
    expires_at: new Date(challenge.expiresAt).toISOString(),
  };
}

/** What a resend must have in place of a challenge with which nothing can be verified any more, and why. */
const CLOSED: Record<Closed, [accepted: string, reason: string]> = {
  used: ['a challenge that has not been verified yet', 'was used'],
  too_many_attempts: [
    'a challenge with attempts left; leave it empty to begin anew',
    'was tried too often, so no code of it can be verified any more',
  ],
};

/**
 * Returns the challenge of the earlier send, in a resend.
 * @throws InvalidParameter for one with which no code can be sent
 */
function readEarlier({ run, keys }: CodeRun, { options, index }: Item, phone: number): Challenge | undefined {
  const label = RESEND_OPTION.displayName;
  const text = asText(options.challenge, label);
  if (text === undefined) return undefined;
  const refuse = (accepted: string, reason: string) =>
    new InvalidParameter(quoted(label), accepted, text, reason);
  const challenge = openChallenge(keys, text);
  if (!challenge) {
    throw refuse(
      'the challenge of an earlier send with the same API key',
      "isn't a challenge of this API key, or was altered",
    );
  }
  if (challenge.phone !== phone)
    throw refuse('a challenge for the same phone number', 'belongs to another number');
  const closed = closedBy(keys, challenge);
  if (closed) throw refuse(...CLOSED[closed]);
  // Retry On Fail goes on with what it began while the challenge was valid.
  const isRepeated = run.journal.find(index) !== undefined;
  if (!isRepeated && run.now() >= challenge.expiresAt) {
    throw refuse('a challenge that is still valid; leave it empty to begin anew', 'has expired');
  }
  return challenge;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
