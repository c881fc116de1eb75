/** What is recorded of people with one-time passwords. */
import type { LimitRefusal, RateLimit } from '../../../nodes/gateway/otp/rate-limits.ts';
import type { VerifyAnswer } from '../../../nodes/MessagingGateway/otp/attempts.ts';
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

/** Somebody asked for a code. */
export interface AskedCode extends Deed<CodePlan, 'passed' | LimitRefusal> {
  limits: RateLimit[];
  /** Whether it came after a refusal, when that told. */
  isAsTold: boolean;
  /** When it was taken back because it certainly wasn't sent. */
  releasedAt: number;
}

/** Somebody entered a code. */
export interface EnteredCode extends Deed<TryPlan, VerifyAnswer> {
  /** What it is to its challenge, whatever was counted before. */
  what: 'invalid' | 'expired' | 'right' | 'wrong' | 'noCode';
  /** The name of the limit of wrong codes of the number. */
  wrongCodes: string;
}
