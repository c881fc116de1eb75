import type { IDataObject } from 'n8n-workflow';

import { LIFETIME_LIMITS } from '../../gateway/contract/limits';
import type { WireOperation } from '../../gateway/contract/operations';
import { measureSms } from '../../gateway/sms/segments';
import { counted } from '../../gateway/text/phrases';
import type { Challenge } from '../../gateway/otp/challenge';
import { openChallenge, sealChallenge } from '../../gateway/otp/challenge';
import type { CodeSource } from '../../gateway/otp/code';
import { CALL_DIGITS, calledCode, deriveCode, spokenCode } from '../../gateway/otp/code';
import type { OtpKeys } from '../../gateway/otp/keys';
import type { LimitRefusal, Reservation } from '../../gateway/otp/rate-limits';
import { payloadFields } from '../../gateway/payloads/fields';
import type { Get } from '../fields/field';
import { InvalidParameter, quoted } from '../fields/field';
import { phone as phoneField } from '../fields/target';
import { asBoolean, asNumber, asText } from '../fields/values';
import type { WholeNumber } from '../fields/whole-number';
import { readWhole } from '../fields/whole-number';
import type { MarkedText } from '../parameters/marked-text';
import { fillMarks } from '../parameters/marked-text';
import type { Item } from '../run/item';
import type { FailedItem, ItemResult } from '../run/item-result';
import type { Run } from '../run/run';
import { buildByChannels, wireTypeFor } from '../message-parts/by-channels';
import { smsTextOf } from '../../gateway/contract/operations';
import { CHECK_ONLY } from '../sending/properties';
import { send } from '../sending/send';
import { withSender } from '../message-parts/sender-by-country';
import type { Accepted } from '../sending/sending';
import type { CodeChannel } from './fields';
import * as fields from './fields';
import type { SendReason } from './send-limits';
import { closedBy, lockoutMs } from './attempts';
import { limitsOf, noteWorkflowLimit } from './send-limits';
import { accountKeys, reserveCode } from './counted';

interface CodePlan extends CodeSource {
  channels: CodeChannel[];
  /** Text with the places of the code and of the minutes. */
  text: MarkedText;
  /** Seconds for which the code is valid. */
  expiresIn: number;
  /** The challenge before this one, in a resend. */
  earlier?: Challenge;
  /** As `purposeName` has it. */
  purpose: string;
  cooldownMs: number;
  /** Codes within an hour; Infinity for no limit. */
  limits: Record<'perNumber' | 'workflow', number>;
}

/**
 * Sends a one-time password for each item, and returns its challenge. The code is in the message and nowhere else.
 * @returns one result for each item, in order
 * @throws NodeOperationError for invalid input, settings or addresses
 */
export async function sendCodes(run: Run): Promise<ItemResult[]> {
  const keys = await accountKeys(run);
  const plans = new Map<number, CodePlan>();
  const numbers = new NumbersOfRun();
  return await send(run, {
    recovery: 'status',
    build(item) {
      const plan = planOf(run, keys, item);
      plans.set(item.index, plan);
      const code = deriveCode(keys, plan);
      const operation = withSender(buildCodeOperation(plan, code, item.read), item.options);
      refuseLongText(item, operation);
      const checkOnly = asBoolean(item.options.checkOnly, CHECK_ONLY.displayName) === true;
      if (checkOnly) numbers.check(plan, item.index);
      return {
        operation,
        endpoint: 'sync',
        checkOnly,
        secrets: [spokenCode(code), code],
        reserve: async () =>
          numbers.refusalOf(plan) ?? numbers.take(await reserve(run, keys, plan), plan, item.index),
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
  const text = fields.readMessage(item, channels);
  const purpose = fields.readPurpose(keys, options, run);
  const earlier = readEarlier(run, keys, item, { phone, purpose });
  const cooldownMs = 1000 * readWhole(fields.COOLDOWN, getOption);
  const { name, displayName } = fields.WORKFLOW_LIMIT;
  const isUnlimited = asNumber(options[name], displayName) === undefined;
  const limits = {
    perNumber: readWhole(fields.PER_NUMBER_LIMIT, getOption),
    workflow: isUnlimited ? Infinity : readWhole(fields.WORKFLOW_LIMIT, getOption),
  };
  return { id: item.id, phone, length, channels, text, expiresIn, earlier, purpose, cooldownMs, limits };
}

/** Throws InvalidParameter for a code that would be billed as more SMS than its item allows; counts long ones for the hint. */
function refuseLongText({ options, run }: Item, operation: WireOperation): void {
  const most = readWhole(fields.MAX_PARTS, (name) => options[name]);
  const { segments } = measureSms(smsTextOf(operation) ?? '');
  run.texts.countParts(segments);
  if (segments <= most) return;
  const accepted = `text that is billed as ${counted(most, 'SMS part')} at most, as the option ${quoted(fields.MAX_PARTS.displayName)} says`;
  const reason = `would be billed as ${segments}`;
  throw new InvalidParameter(quoted(fields.MESSAGE_LABEL), accepted, undefined, reason);
}

/** The numbers that get a code in a run: each gets one, as far as there is a cooldown at all. */
class NumbersOfRun {
  /** The item of each number: in Check Only the one that was read first, else the one whose code may be sent. */
  private readonly items = new Map<number, number>();

  /** Throws InvalidParameter for a number that an item before this one has. */
  check({ phone, cooldownMs }: CodePlan, index: number): void {
    const first = this.items.get(phone);
    if (first !== undefined && cooldownMs > 0) {
      const accepted = `different for each item: ${ONCE}`;
      throw new InvalidParameter(
        quoted(phoneField.displayName),
        accepted,
        phone,
        `is the same as for item ${first}`,
      );
    }
    this.items.set(phone, index);
  }

  refusalOf({ phone, cooldownMs }: CodePlan): FailedItem | undefined {
    const first = this.items.get(phone);
    if (first === undefined || cooldownMs === 0) return undefined;
    return notSent(phone, { reason: 'cooldown', retryAfterMs: cooldownMs }, [
      `Item ${first} has the same number, and ${ONCE}`,
      'Nothing was sent for this item. Remove the repeats before this node, or have it continue in Settings, so that the first item of each number gets its code.',
    ]);
  }

  /** Remembers the item whose code passed its limits. */
  take<T extends Reservation | FailedItem>(passed: T, { phone }: CodePlan, index: number): T {
    if (!('error' in passed)) this.items.set(phone, index);
    return passed;
  }
}

const ONCE = 'a number gets one code in a run';

/** Returns the challenge of the earlier send. Throws InvalidParameter for one with which no code can be sent. */
function readEarlier(
  run: Run,
  keys: OtpKeys,
  { options, index }: Item,
  { phone, purpose }: Pick<Challenge, 'phone' | 'purpose'>,
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
  if (challenge.purpose !== purpose) {
    const accepted = `a challenge of this workflow, or of one with the same text in the option ${quoted(fields.PURPOSE_OPTION.displayName)}`;
    throw refuse(accepted, 'belongs to another purpose');
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
  const minutes = String(Math.max(1, Math.floor(expiresIn / 60)));
  const filledIn = (shown: string) =>
    fillMarks(plan.text, { [fields.CODE_MARK]: shown, [fields.MINUTES_MARK]: minutes });
  const wording = { text: filledIn(code), spoken: filledIn(spokenCode(code)), code };
  return buildByChannels(
    { type, id, phone, channels, wording, optional: Object.fromEntries(lifetimes) },
    read,
  );
}

async function reserve(run: Run, keys: OtpKeys, plan: CodePlan): Promise<Reservation | FailedItem> {
  const { phone, earlier, cooldownMs, limits, expiresIn } = plan;
  const now = run.now();
  const closedMs = lockoutMs(keys, phone, now) - 1000 * expiresIn;
  if (closedMs >= 0) return refused(plan, { reason: 'wrong_codes', limit: 0, retryAfterMs: closedMs });
  const leftMs = cooldownMs - (now - (earlier?.issuedAt ?? -Infinity));
  if (leftMs > 0) return refused(plan, { reason: 'cooldown', limit: 1, retryAfterMs: leftMs });
  noteWorkflowLimit(run, keys, limits.workflow);
  const passed = await reserveCode(run, limitsOf(run, keys, phone, { ...limits, cooldownMs }));
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
  const retryAfter = secondsOf(retryAfterMs);
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
  return notSent(phone, { reason: areWrong ? 'number_limit' : reason, retryAfterMs }, [
    message,
    `Nothing was sent for this item${why}. Another code can be sent in ${inWords(retryAfter)}. The option ${where} sets the limit.`,
  ]);
}

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

const notSent = (
  phone: number,
  { reason, retryAfterMs }: Pick<LimitRefusal<SendReason>, 'reason' | 'retryAfterMs'>,
  [message, description]: [message: string, description: string],
): FailedItem => ({
  error: { kind: 'input', message, description },
  state: 'notSent',
  json: { phone, state: 'notSent', reason, retry_after: secondsOf(retryAfterMs) },
});

function challengeOutput(
  run: Run,
  keys: OtpKeys,
  { id, phone, length, channels, expiresIn, earlier, purpose }: CodePlan,
  { sent, payload, report }: Accepted,
): IDataObject {
  const { code: called, msg_id: messageId, parts } = payloadFields(payload ?? report) as IDataObject;
  const code = channels.includes('call') ? calledCode(called) : undefined;
  const issuedAt = run.now();
  const challenge: Challenge = {
    ...{ id, phone, length, issuedAt, purpose },
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
