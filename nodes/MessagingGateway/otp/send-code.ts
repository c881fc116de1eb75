import type { IDataObject } from 'n8n-workflow';

import { LIFETIME_LIMITS } from '../../gateway/contract/wire-fields';
import type { WireOperation } from '../../gateway/contract/operations';
import { smsTextOf } from '../../gateway/contract/operations';
import type { Challenge } from '../../gateway/otp/challenge';
import { sealChallenge } from '../../gateway/otp/challenge';
import { calledCode, deriveCode, spokenCode } from '../../gateway/otp/code';
import type { OtpKeys } from '../../gateway/otp/keys';
import { payloadFields } from '../../gateway/contract/payloads';
import { measureSms } from '../../gateway/sms/segments';
import type { Get } from '../fields/field';
import { InvalidParameter, quoted } from '../fields/field';
import { buildByChannels, wireTypeFor } from '../message-parts/by-channels';
import type { Item } from '../run/item';
import type { ItemResult } from '../run/item-result';
import { stopAtInvalidItems } from '../run/output';
import type { Run } from '../run/run';
import { prepareRows } from '../sending/prepare';
import type { Accepted, Step } from '../sending/row';
import { isRow } from '../sending/row';
import { sendRows } from '../sending/send-rows';
import { stepsOf } from '../sending/steps';
import type { CodePlan } from './code-plan';
import { planOf } from './code-plan';
import * as fields from './fields';
import { accountKeys, giveBack } from './record';
import { takeSendPlaces } from './send-limits';

/**
 * Sends a one-time password for each item, and returns its challenge. The code is in the message and nowhere else.
 * @returns one result for each item, in order
 * @throws NodeOperationError for invalid input, settings or addresses
 */
export async function sendCodes(run: Run): Promise<ItemResult[]> {
  const keys = await accountKeys(run);

  /** By the index of the item. */
  const plans: CodePlan[] = [];
  const build = (item: Item): WireOperation => {
    const plan = planOf(run, keys, item);
    plans[item.index] = plan;
    const operation = buildCodeOperation(plan, deriveCode(keys, plan), item.read);
    refuseLongText(operation);
    return operation;
  };
  const hideCode: Step = (row) => {
    const code = deriveCode(keys, plans[row.index]);
    row.secrets = [spokenCode(code), code];
    return undefined;
  };
  const rows = prepareRows(run, build, [hideCode, ...stepsOf(run, await run.connection())]);

  /** By the index of the item: the places that its code has taken in this run. */
  const taken = new Map<number, readonly string[]>();
  try {
    for (const [index, row] of rows.entries()) {
      // A code that an earlier try may have sent has its places.
      if (!isRow(row) || row.state.is === 'unknown' || row.mayBeSent) continue;
      const places = await takeSendPlaces(run, keys, plans[index]);
      if ('error' in places) rows[index] = places;
      else taken.set(index, places);
    }
    stopAtInvalidItems(run, rows);
    return await sendRows(run, rows, {
      recovery: 'status',
      output: (accepted, { index }) => challengeOutput(run, keys, plans[index], accepted),
    });
  } finally {
    const unsent = Array.from(taken).flatMap(([index, places]) => (isUnsent(run, index) ? places : []));
    await giveBack(run, unsent);
  }
}

/** Whether the code of an item certainly didn't reach the gateway, or was refused there. */
function isUnsent({ journal }: Run, index: number): boolean {
  const entry = journal.find(index);
  return !entry || entry.state?.is === 'refused' || entry.state?.is === 'notSent';
}

/**
 * Refuses a code that would be billed as too many SMS.
 * @throws InvalidParameter
 */
function refuseLongText(operation: WireOperation): void {
  const { segments } = measureSms(smsTextOf(operation) ?? '');
  if (segments <= fields.MOST_PARTS) return;
  const accepted = `text that is billed as ${fields.MOST_PARTS} SMS parts at most`;
  const reason = `would be billed as ${segments} SMS parts`;
  throw new InvalidParameter(quoted(fields.MESSAGE_LABEL), accepted, undefined, reason);
}

/**
 * Builds the operation that sends a code; `read` reads senders and voice.
 * @throws InvalidParameter if one is missing
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
  // The minutes never promise more than the code keeps.
  const minutes = String(Math.max(1, Math.floor(expiresIn / 60)));
  const filledIn = (shown: string) =>
    plan.text.replaceAll(fields.MINUTES_MARK, minutes).replaceAll(fields.CODE_MARK, shown);
  const wording = { text: filledIn(code), spoken: filledIn(spokenCode(code)), code };
  return buildByChannels(
    { type, id, phone, channels, wording, optional: Object.fromEntries(lifetimes) },
    read,
  );
}

function challengeOutput(
  run: Run,
  keys: OtpKeys,
  { id, phone, length, channels, expiresIn, earlier, purpose }: CodePlan,
  { sent, payload, report }: Accepted,
): IDataObject[] | undefined {
  const { code: called, msg_id: messageId, parts } = payloadFields(payload ?? report) as IDataObject;
  const code = channels.includes('call') ? calledCode(called) : undefined;
  if (sent.type === 'call/otp' && code === undefined) return undefined;
  const issuedAt = run.now();
  const challenge: Challenge = {
    ...{ id, phone, length, issuedAt, purpose },
    root: earlier?.root ?? id,
    expiresAt: issuedAt + 1000 * expiresIn,
    ...(code !== undefined && { code, length: code.length }),
  };
  return [
    {
      ...sent,
      ...(messageId !== undefined && { msg_id: messageId }),
      ...(parts !== undefined && { parts }),
      channel: channels[0],
      challenge: sealChallenge(keys, challenge),
      expires_at: new Date(challenge.expiresAt).toISOString(),
    },
  ];
}
