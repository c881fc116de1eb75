import type { IDataObject } from 'n8n-workflow';

import { payloadFields } from '../../gateway/payloads/fields';
import type { Closed } from '../../gateway/otp/attempt-memory';
import type { Challenge } from '../../gateway/otp/challenge';
import { openChallenge, sealChallenge } from '../../gateway/otp/challenge';
import { calledCode, deriveCode, spokenCode } from '../../gateway/otp/code';
import type { CodeSource } from '../../gateway/otp/code';
import type { OtpKeys } from '../../gateway/otp/keys';
import type { LimitRefusal, RateLimit, Reservation } from '../../gateway/otp/rate-limits';
import { InvalidParameter } from '../fields/field';
import { phone as phoneField } from '../fields/target';
import { asBoolean, asText } from '../fields/values';
import type { Item } from '../run/item';
import type { FailedItem, ItemResult } from '../run/item-result';
import type { Run } from '../run/run';
import { CHECK_ONLY } from '../sending/properties';
import { send } from '../sending/send';
import type { Accepted, Outgoing, Pending, ResultReader, SentOperation } from '../sending/sending';
import { accountKeys } from './account-keys';
import { closedBy, closedForMs, keepAttempts } from './attempts';
import type { CodeChannel } from './fields';
import {
  challengeLabel,
  COOLDOWN,
  PER_NUMBER_LIMIT,
  readChannels,
  readCodeLength,
  readExpiresIn,
  readMessage,
  readNumberOption,
  WORKFLOW_LIMIT,
} from './fields';
import { limitsOf, reserveCode } from './limits';
import { buildCodeOperation } from './operation';
import { refusedByLimit, refusedByWrongCodes, unrecorded } from './refusals';

/** How an item will be sent: its code, its challenge and its limits. */
interface Plan {
  source: CodeSource;
  channels: CodeChannel[];
  expiresIn: number;
  /** The challenge before this one, in a resend. */
  earlier?: Challenge;
  cooldownMs: number;
  limits: RateLimit[];
}

/**
 * Sends a one-time password for each item, and returns its challenge. The code is in the message and nowhere else.
 *
 * @returns one result for each item, in order
 * @throws NodeOperationError for invalid input, settings or addresses
 */
export async function sendCodes(run: Run): Promise<ItemResult[]> {
  const codes = new CodeRun(run, await accountKeys(run));
  return await send(run, {
    recovery: 'status',
    build: (item) => codes.build(item),
    admit: async (pending) => await codes.admit(pending),
    notSent: (index) => codes.notSent(index),
    result: (accepted, item) => codes.result(accepted, item),
    lacking: (payload, sent) => (isCallWithoutCode(payload, sent) ? 'its one-time password' : undefined),
  });
}

/** What a resend must have in place of a challenge with which nothing can be verified any more, and why. */
const CLOSED: Record<Closed, [accepted: string, reason: string]> = {
  used: ['a challenge that has not been verified yet', 'was used'],
  too_many_attempts: [
    'a challenge with attempts left; leave it empty to begin anew',
    'was tried too often, so no code of it can be verified any more',
  ],
};

/** Only the answer to a call contains its code; `status` doesn't report it. */
const isCallWithoutCode = (payload: unknown, { type }: SentOperation): boolean =>
  type === 'call/otp' && calledCode(payloadFields(payload).code) === undefined;

class CodeRun {
  private readonly run: Run;

  private readonly keys: OtpKeys;

  private readonly plans = new Map<number, Plan>();

  private readonly reservations = new Map<number, Reservation>();

  constructor(run: Run, keys: OtpKeys) {
    this.run = run;
    this.keys = keys;
  }

  build(item: Item): Outgoing {
    const { read, options } = item;
    const getOption = (name: string) => options[name];
    const phone = Number(phoneField.read(read, 'sms').phone);
    const channels = readChannels(read);
    const source = { id: item.id, phone, length: readCodeLength(read, channels) };
    const expiresIn = readExpiresIn(read);
    const text = readMessage(read, channels);
    const earlier = this.readEarlier(item, phone);
    const cooldownMs = 1000 * readNumberOption(COOLDOWN, getOption);
    const limits = limitsOf(this.run, this.keys, phone, {
      perNumber: readNumberOption(PER_NUMBER_LIMIT, getOption),
      cooldownMs,
      ...(isGiven(options[WORKFLOW_LIMIT.name]) && { workflow: readNumberOption(WORKFLOW_LIMIT, getOption) }),
    });
    this.plans.set(item.index, {
      source,
      channels,
      expiresIn,
      cooldownMs,
      limits,
      ...(earlier && { earlier }),
    });
    const code = deriveCode(this.keys, source);
    return {
      operation: buildCodeOperation({ id: item.id, channels, text, code, expiresIn, read }),
      endpoint: 'sync',
      checkOnly: asBoolean(options.checkOnly, CHECK_ONLY.displayName) === true,
      secrets: [spokenCode(code), code],
    };
  }

  /** Counts codes under their limits one after the other, so that the items of a run count for each other. */
  async admit(pending: readonly Pending[]): Promise<Map<number, FailedItem>> {
    const failures = new Map<number, FailedItem>();
    for (const { index, doubt } of pending) {
      // What an earlier try may have sent has been counted.
      const failure = doubt ? undefined : await this.pass(index);
      if (failure) failures.set(index, failure);
    }
    if (failures.size > 0 && this.run.stopsAtErrors) {
      for (const index of this.reservations.keys()) this.notSent(index);
    }
    return failures;
  }

  notSent(index: number): void {
    this.reservations.get(index)?.release();
  }

  result({ sent, payload }: Accepted, { index }: ResultReader): IDataObject[] {
    const plan = this.planOf(index);
    const { source, channels, expiresIn, earlier } = plan;
    const code = channels.includes('call') ? calledCode(payloadFields(payload).code) : undefined;
    const issuedAt = this.run.now();
    const challenge: Challenge = {
      ...source,
      root: earlier?.root ?? source.id,
      issuedAt,
      expiresAt: issuedAt + 1000 * expiresIn,
      channels,
      ...(code !== undefined && { code, length: code.length }),
    };
    keepAttempts(this.keys, challenge);
    const { id, type, phone } = sent;
    const { msg_id: messageId, parts } = payloadFields(payload) as IDataObject;
    return [
      {
        id,
        type,
        phone,
        ...(messageId !== undefined && { msg_id: messageId }),
        ...(parts !== undefined && { parts }),
        channel: channels[0],
        challenge: sealChallenge(this.keys, challenge),
        expires_at: new Date(challenge.expiresAt).toISOString(),
      },
    ];
  }

  private async pass(index: number): Promise<FailedItem | undefined> {
    const { source, earlier, cooldownMs, limits, expiresIn } = this.planOf(index);
    const { phone } = source;
    const now = this.run.now();
    const closedMs = closedForMs(this.keys, phone, now);
    if (closedMs >= 1000 * expiresIn) return refusedByWrongCodes(phone, closedMs - 1000 * expiresIn);
    const sinceMs = now - (earlier?.issuedAt ?? -Infinity);
    if (sinceMs < cooldownMs) {
      const refusal: LimitRefusal = { reason: 'cooldown', limit: 1, retryAfterMs: cooldownMs - sinceMs };
      return refusedByLimit(refusal, { phone, cooldownMs });
    }
    try {
      const passed = await reserveCode(this.run, limits);
      if ('reason' in passed) return refusedByLimit(passed, { phone, cooldownMs });
      this.reservations.set(index, passed);
      return undefined;
    } catch (thrown) {
      return unrecorded(thrown, 'Nothing was sent for this item.');
    }
  }

  /** Returns the challenge of the earlier send, in a resend. */
  private readEarlier({ options, index }: Item, phone: number): Challenge | undefined {
    const text = asText(options.challenge, 'Challenge');
    if (text === undefined) return undefined;
    const refuse = (accepted: string, reason: string) =>
      new InvalidParameter(challengeLabel, accepted, text, reason);
    const challenge = openChallenge(this.keys, text);
    if (!challenge) {
      throw refuse(
        'the challenge of an earlier send with the same API key',
        "isn't a challenge of this API key, or was altered",
      );
    }
    if (challenge.phone !== phone)
      throw refuse('a challenge for the same phone number', 'belongs to another number');
    const closed = closedBy(this.keys, challenge);
    if (closed) throw refuse(...CLOSED[closed]);
    // Retry On Fail goes on with what it began while the challenge was valid.
    const isRepeated = this.run.journal.find(index) !== undefined;
    if (!isRepeated && this.run.now() >= challenge.expiresAt) {
      throw refuse('a challenge that is still valid; leave it empty to begin anew', 'has expired');
    }
    return challenge;
  }

  private planOf(index: number): Plan {
    return this.plans.get(index) as Plan;
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
