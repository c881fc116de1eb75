/** What is recorded of people with one-time passwords. */
import type { VerifyAnswer } from '../../../nodes/MessagingGateway/otp/verify-code.ts';
import type { SendReason } from '../../../nodes/MessagingGateway/otp/limits.ts';
import type { CodePlan, TryPlan } from './scenario.mts';
import type { Life } from './world.mts';

/** What somebody did, and what came of it. Times are in milliseconds since 1970. */
interface Deed<Plan, Result> {
  plan: Plan;
  life: Life;
  at: number;
  decidedAt: number;
  /** `lost` with its process; `failed` with n8n's database. */
  result: 'undecided' | 'lost' | 'failed' | Result;
}

/** Why a code wasn't sent, as a workflow reads it. */
export interface Refusal {
  reason: SendReason;
  retry_after: number;
}

/** Somebody asked for a code. */
export interface AskedCode extends Deed<CodePlan, 'passed' | Refusal> {
  /** When it was known that the code certainly wasn't sent, and when its slots had been given back for that. */
  unsentAt: number;
  givenBackAt: number;
}

/** Somebody entered a code. */
export interface EnteredCode extends Deed<TryPlan, VerifyAnswer> {
  /** What it is to its challenge, whatever was counted before. */
  what: 'invalid' | 'expired' | 'right' | 'wrong' | 'noCode';
}
