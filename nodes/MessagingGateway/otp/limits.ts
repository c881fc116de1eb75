import type { Challenge } from '../../gateway/otp/challenge';
import type { OtpKeys } from '../../gateway/otp/keys';
import { recordName } from '../../gateway/otp/keys';
import type { LimitRefusal, RateLimit, Reservation } from '../../gateway/otp/rate-limits';
import { HOUR_MS, RateLimits } from '../../gateway/otp/rate-limits';
import { requireKeys } from '../run/account';
import type { FailedItem } from '../run/item-result';
import type { Run } from '../run/run';
import { recordNames } from './record';

/** What this process knows, shared by all nodes and executions: codes that were sent, and codes that were tried. */
const counts = new RateLimits();

/** By workflow, the limits that its nodes had when they ran last, by their ids. */
const workflowLimits = new Map<string, Map<string, { limit: number; at: number }>>();
/** A node that was deleted limits its workflow no longer than this. */
const SEEN_MS = 24 * HOUR_MS;

export type SendReason = 'cooldown' | 'number_limit' | 'workflow_limit';

/**
 * Returns the limits of a code to a number, and registers them: call it when the code is about to be sent. Every code counts for its workflow, also that of a node without a limit for
 * it; the smallest limit that any node of the workflow has, Infinity for none, holds for all of them.
 */
export function limitsOf(
  { context, now }: Run,
  keys: OtpKeys,
  phone: number,
  { perNumber, cooldownMs, workflow }: Record<'perNumber' | 'cooldownMs' | 'workflow', number>,
): Array<RateLimit<SendReason>> {
  const number = recordName(keys, 'number', phone);
  const name = recordName(keys, 'workflow', context.getWorkflow().id ?? '');
  const nodes = workflowLimits.get(name) ?? new Map<string, { limit: number; at: number }>();
  workflowLimits.set(name, nodes.set(context.getNode().id, { limit: workflow, at: now() }));
  const limits = [...nodes.values()].filter(({ at }) => at > now() - SEEN_MS).map(({ limit }) => limit);
  const all: Array<RateLimit<SendReason>> = [
    { reason: 'cooldown', name: number, limit: 1, periodMs: cooldownMs },
    { reason: 'number_limit', name: number, limit: perNumber, periodMs: HOUR_MS },
    { reason: 'workflow_limit', name, limit: Math.min(...limits), periodMs: HOUR_MS },
  ];
  return all.filter(({ periodMs }) => periodMs > 0);
}

const doneBy = ({ definition }: Run): string => (definition.effect === 'sends' ? 'sent' : 'verified');

/** Returns the account's keys. Throws NodeOperationError without an API key: anybody could derive such keys. */
export async function accountKeys(run: Run): Promise<OtpKeys> {
  const { otpKeys } = await run.connection();
  return requireKeys(run, otpKeys(), `Nothing was ${doneBy(run)}`);
}

/**
 * Counts a code under its limits; or returns why it may not pass, or the failure of its item where n8n's database can't
 * be written to, and counts nothing. The memory of the process decides at once, the record after it.
 */
export async function reserveCode<Reason extends string>(
  run: Run,
  limits: ReadonlyArray<RateLimit<Reason>>,
): Promise<Reservation | LimitRefusal<Reason> | FailedItem> {
  try {
    return await counts.reserve(limits, run.now(), async (names) => await recordNames(run.context, names));
  } catch (thrown) {
    const description = `Nothing was ${doneBy(run)} for this item, and it does not count. n8n's database answered: ${(thrown as Error).message}. Run the node again.`;
    return {
      error: { kind: 'input', message: 'n8n could not record this in its database', description },
    };
  }
}

/** What is counted of tried codes: those of a chain of resends, the right one of it, the wrong ones of a number. */
const triedNames = (keys: OtpKeys, { root, phone }: Pick<Challenge, 'root' | 'phone'>) => ({
  chain: recordName(keys, 'chain', root, phone),
  used: recordName(keys, 'used', root, phone),
  wrong: recordName(keys, 'wrong', phone),
});

export type Closed = 'used' | 'too_many_attempts';

/** Returns why no code of the chain of a challenge can be verified any more, as far as this process knows. */
export function closedBy(keys: OtpKeys, challenge: Challenge, now: number): Closed | undefined {
  const { chain, used } = triedNames(keys, challenge);
  return counts.closedFor([used, chain], now)?.reason as Closed | undefined;
}

/** Milliseconds until this process would compare a code for a number again, by what Verify allowed last; 0 for now. */
export const closedForMs = (keys: OtpKeys, phone: number, now: number): number =>
  counts.closedFor([triedNames(keys, { root: 0, phone }).wrong], now)?.retryAfterMs ?? 0;

/** A code that was compared, and how many attempts its chain and wrong codes its number allow. */
export interface Attempt {
  challenge: Challenge;
  isRight: boolean;
  most: number;
  /** Within an hour, over all challenges of the number. */
  mostWrong: number;
}

export interface VerifyAnswer {
  valid: boolean;
  reason: 'ok' | 'wrong' | 'expired' | 'invalid' | 'number_limit' | Closed;
  /** How many more wrong codes can be tried: those that the chain allows, or the number where it allows less. */
  attempts_left: number;
}

export const answerOf = (reason: VerifyAnswer['reason'], left = 0): VerifyAnswer => ({
  valid: reason === 'ok',
  reason,
  attempts_left: left,
});

/** How many texts that can't be a code, within an hour, a chain takes before each counts as an attempt. */
const NO_CODES = 20;

/**
 * Answers a text that can't be a code without counting it, up to a limit; from then on it is an attempt like any other. Kept
 * in the memory of this process alone, since nobody guesses a code in this way.
 */
export async function answerNoCode(
  run: Run,
  keys: OtpKeys,
  attempt: Attempt,
): Promise<VerifyAnswer | FailedItem> {
  const { wrong, used, tried } = triedLimits(keys, attempt);
  const { root, phone } = attempt.challenge;
  const closed = counts.refusalOf([used], run.now()) ?? counts.refusalOf([wrong, tried], run.now());
  if (closed) return answerOf(closed.reason);
  const name = recordName(keys, 'no code', root, phone);
  const limit = { reason: 'no_code', name, limit: NO_CODES, periodMs: HOUR_MS } as const;
  const passed = await counts.reserve([limit], run.now(), async () => await Promise.resolve(new Set()));
  return 'reason' in passed
    ? await countAttempt(run, keys, attempt)
    : answerOf('wrong', leftOf(run, keys, attempt));
}

/**
 * Counts an attempt before it is answered, or returns the failure of its item. A right code counts as none of the wrong
 * ones of its number, but passes their limit: otherwise guessing would go on behind it.
 */
export async function countAttempt(
  run: Run,
  keys: OtpKeys,
  attempt: Attempt,
): Promise<VerifyAnswer | FailedItem> {
  const { isRight } = attempt;
  const { wrong, used, tried } = triedLimits(keys, attempt);
  const passed =
    counts.refusalOf([used], run.now()) ??
    (await reserveCode(run, isRight ? [wrong, used, tried] : [wrong, tried]));
  if ('error' in passed) return passed;
  if ('reason' in passed) return answerOf(passed.reason);
  if (isRight) passed.release(wrong.name);
  return isRight ? answerOf('ok') : answerOf('wrong', leftOf(run, keys, attempt));
}

function triedLimits(keys: OtpKeys, { challenge, most, mostWrong }: Attempt) {
  const names = triedNames(keys, challenge);
  return {
    wrong: { reason: 'number_limit', name: names.wrong, limit: mostWrong, periodMs: HOUR_MS },
    used: { reason: 'used', name: names.used, limit: 1, periodMs: Infinity },
    tried: { reason: 'too_many_attempts', name: names.chain, limit: most, periodMs: Infinity },
  } as const;
}

function leftOf(run: Run, keys: OtpKeys, attempt: Attempt): number {
  const { wrong, tried } = triedLimits(keys, attempt);
  return Math.min(...[wrong, tried].map((limit) => counts.leftOf(limit, run.now())));
}
