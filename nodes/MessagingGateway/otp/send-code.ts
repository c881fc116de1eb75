import type { IDataObject } from 'n8n-workflow';

import { LIFETIME_LIMITS } from '../../gateway/contract/wire-fields';
import type { WireOperation } from '../../gateway/contract/operations';
import { rulesOf, smsTextOf } from '../../gateway/contract/operations';
import type { Challenge } from '../../gateway/otp/challenge';
import { openChallenge, sealChallenge } from '../../gateway/otp/challenge';
import type { CodeSource, OtpKeys } from '../../gateway/otp/code';
import { CALL_DIGITS, calledCode, deriveCode, deriveOtpKeys, spokenCode } from '../../gateway/otp/code';
import { payloadFields } from '../../gateway/contract/payloads';
import { measureSms } from '../../gateway/sms/segments';
import { isEmpty } from '../../gateway/text/json';
import { counted, lengthOfTime } from '../../gateway/text/phrases';
import { requireKeys } from '../../n8n/connection';
import type { Get } from '../fields/field';
import { InvalidParameter, quoted, readFields } from '../fields/field';
import { phone as phoneField } from '../fields/target';
import { asText } from '../fields/values';
import type { WholeNumber } from '../fields/property';
import { readWhole } from '../fields/property';
import { buildByChannels, wireTypeFor } from '../message-parts/by-channels';
import { refuseLeftover } from '../message-parts/text-gaps';
import { Item } from '../run/item';
import type { FailedItem, ItemResult } from '../run/item-result';
import { stopAtInvalidItems } from '../run/output';
import type { Accepted, RowChange } from '../run/row';
import { isRow, prepareRows } from '../run/row';
import type { Run } from '../run/run';
import { sendRows } from '../sending/send-rows';
import { decisionsOf } from '../sending/steps';
import type { CodeChannel } from './fields';
import * as fields from './fields';
import type { SendLimits, SendReason, Slot } from './limits';
import { sendLimits, slots, usedLimit } from './limits';

/**
 * Sends a one-time password for each item, and returns its challenge. The code is in the message alone; that of a call, which the
 * gateway chooses, is sealed in the challenge.
 * @returns one result for each item, in order
 * @throws NodeOperationError for invalid input, settings or addresses
 */
export async function sendCodes(run: Run): Promise<ItemResult[]> {
  const connection = await run.connection();
  const keys = requireKeys(run.node, connection, deriveOtpKeys, 'Nothing was sent');

  /** The plans of the items whose forms were read, by index. */
  const plans: CodePlan[] = [];
  const planOf = (index: number): CodePlan =>
    (plans[index] ??= readCodePlan(run, keys, new Item(run, index)));
  const build = ({ index, read }: Item): WireOperation =>
    buildCodeOperation(planOf(index), deriveCode(keys, planOf(index)), read);
  const hideCode: RowChange = (row): undefined => {
    // The gateway chooses the code of a call. To hide the code that the node would choose could mask digits of the gateway's answer.
    if (row.operation.type === 'call/otp') return;
    const code = deriveCode(keys, planOf(row.index));
    row.secrets = [spokenCode(code), code];
  };
  const { steps, comparisons } = decisionsOf({ run, connection });
  const rows = prepareRows(run, build, { steps: [hideCode, ...steps], comparisons });

  /** The slots that the code of an item has taken in this run, by index. */
  const taken = new Map<number, readonly Slot[]>();
  try {
    for (const [index, row] of rows.entries()) {
      // A code of an earlier try about which there is doubt still has its slots.
      if (!isRow(row) || row.state.is === 'unknown') continue;
      const plan = planOf(index);
      const passage = await slots.take(run, sendLimits(run, keys, plan));
      if (passage.is === 'passed') taken.set(index, passage.slots);
      else rows[index] = passage.is === 'failed' ? passage.failure : overLimit(run, plan, passage);
    }
    stopAtInvalidItems(run, rows);
    return await sendRows(run, rows, {
      recovery: 'status',
      output: (accepted, { index }) => challengeOutput(run, keys, planOf(index), accepted),
    });
  } finally {
    const unsent = Array.from(taken).flatMap(([index, own]) => (isUnsent(run, index) ? own : []));
    await slots.giveBack(run, unsent);
  }
}

/** Whether the gateway certainly didn't get the code of an item, or refused the code. */
function isUnsent({ journal }: Run, index: number): boolean {
  const entry = journal.find(index);
  return !entry || entry.state?.is === 'refused' || entry.state?.is === 'notSent';
}

/** The send of an item, read from the form. */
export interface CodePlan extends CodeSource, SendLimits {
  channels: CodeChannel[];

  /** Text with the marks of the code and of the minutes. */
  text: string;

  /** Seconds for which the code is valid. */
  expiresIn: number;

  /** The name that `purposeName` returns. */
  purpose: string;
}

/**
 * Reads the send of an item.
 * @throws InvalidParameter
 */
function readCodePlan(run: Run, keys: OtpKeys, item: Item): CodePlan {
  const { read, options } = item;
  const getOption = (name: string) => options[name];
  const phone = Number(readFields([phoneField], read, rulesOf('sms'), options).phone);
  const purpose = fields.readPurpose(keys, options, run);
  const channels = fields.readCodeChannels(read);
  const text = fields.readMessage(read, channels);
  refuseLeftover(item, ({ parameter }) => parameter === 'message');
  return {
    id: item.idFor({ phone }),
    phone,
    purpose,
    channels,
    length: channels.includes('call') ? CALL_DIGITS : readWhole(fields.CODE_LENGTH, read),
    expiresIn: readWhole(fields.EXPIRES_IN, read),
    text,
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
  // A later try goes on with a send that began while the challenge was valid.
  const isRepeated = run.journal.find(index) !== undefined;
  if (isRepeated) return challenge;
  if (run.now() >= challenge.expiresAt) {
    throw badChallenge('a challenge that is still valid; leave it empty to begin anew', 'has expired');
  }
  // A right code uses up a challenge and its resends: another code could never be verified.
  if (slots.left(usedLimit(keys, challenge), run.now()) === 0) {
    const accepted = 'a challenge whose code was not verified yet; leave it empty to begin anew';
    throw badChallenge(accepted, 'belongs to a code that was verified');
  }
  return challenge;
}

/**
 * Builds the operation that sends a code; `read` reads senders and voice.
 * @throws InvalidParameter for a sender or a voice that is missing, and for a text that would be billed as too many SMS
 */
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
  // Rounded down to tenths: 0.5 for a code that is valid for 30 seconds.
  const minutes = String(Math.floor(expiresIn / 6) / 10);
  const filledIn = (shown: string) =>
    plan.text.replaceAll(fields.MINUTES_MARK, minutes).replaceAll(fields.CODE_MARK, shown);
  const wording = { text: filledIn(code), spoken: filledIn(spokenCode(code)), code };
  const operation = buildByChannels(
    { type, id, phone, channels, wording, optional: Object.fromEntries(lifetimes) },
    read,
  );
  const { segments } = measureSms(smsTextOf(operation) ?? '');
  if (segments <= fields.MAX_PARTS) return operation;
  const accepted = `text that is billed as ${fields.MAX_PARTS} SMS parts at most`;
  const reason = `would be billed as ${segments} SMS parts`;
  throw new InvalidParameter(quoted(fields.MESSAGE_LABEL), accepted, undefined, reason);
}

/**
 * Returns the failure of an item that a limit kept from being sent. A workflow can branch on its `reason` and
 * `retry_after`, in seconds.
 */
export function overLimit(
  { stopsAtErrors, items }: Pick<Run, 'stopsAtErrors' | 'items'>,
  { phone, cooldownMs }: Pick<CodePlan, 'phone' | 'cooldownMs'>,
  { by: { reason, max }, retryAfterMs }: { by: { reason: SendReason; max: number }; retryAfterMs: number },
): FailedItem {
  const codes = `${counted(max, 'code')} an hour at most`;
  const about: Record<SendReason, [message: string, option: WholeNumber]> = {
    cooldown: [`This number gets one code in ${lengthOfTime(cooldownMs / 1000)} at most`, fields.COOLDOWN],
    number_limit: [`This number gets ${codes}`, fields.PER_NUMBER_LIMIT],
    workflow_limit: [`This workflow sends ${codes}`, fields.WORKFLOW_LIMIT],
  };
  const [message, { displayName }] = about[reason];
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const description = [
    // "This time", since another Retry of the execution may have sent the code.
    `Nothing was sent${stopsAtErrors ? '' : ' for this row'} this time.`,
    'The limit keeps strangers from having codes sent at your cost.',
    `Another code can be sent in ${lengthOfTime(seconds)}.`,
    ...(items.length > 1 ? ['All rows of a run count.'] : []),
    ...(items.length > 1 && stopsAtErrors ? [CONTINUE] : []),
    `The option ${quoted(displayName)} sets the limit.`,
  ].join(' ');
  return {
    error: { kind: 'input', message, description, todo: `send another code in ${lengthOfTime(seconds)}` },
    state: 'notSent',
    json: { phone, reason, retry_after: seconds },
  };
}

const CONTINUE = "Set 'On Error' to continue, and the first rows, up to the limit, get their codes.";

/** Returns the output of an accepted code; undefined for a call whose answer has no code. */
function challengeOutput(
  run: Run,
  keys: OtpKeys,
  { id, phone, length, channels, expiresIn, earlier, purpose }: CodePlan,
  { result, sent, payload, report }: Accepted,
): IDataObject[] | undefined {
  const { code: called, msg_id: messageId, parts } = payloadFields(payload ?? report) as IDataObject;
  const code = channels.includes('call') ? calledCode(called) : undefined;
  if (sent.type === 'call/otp' && code === undefined) return undefined;
  const issuedAt = run.now();
  const challenge: Challenge = {
    id,
    phone,
    length,
    issuedAt,
    purpose,
    root: earlier?.root ?? id,
    expiresAt: issuedAt + 1000 * expiresIn,
    ...(code !== undefined && { code, length: code.length }),
  };
  return [
    {
      // The output of a code has this field only where another run sent the message.
      ...(result === 'duplicate' && { result }),
      ...sent,
      ...(messageId !== undefined && { msg_id: messageId }),
      ...(parts !== undefined && { parts }),
      channel: channels[0],
      challenge: sealChallenge(keys, challenge),
      expires_at: new Date(challenge.expiresAt).toISOString(),
    },
  ];
}
