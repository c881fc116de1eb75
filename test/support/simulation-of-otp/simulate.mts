import type * as Challenges from '../../../nodes/gateway/otp/challenge.ts';
import type * as Codes from '../../../nodes/gateway/otp/code.ts';
import type * as OtpKeysModule from '../../../nodes/gateway/otp/keys.ts';
import type { Reservation } from '../../../nodes/gateway/otp/rate-limits.ts';
import type { FailedItem } from '../../../nodes/MessagingGateway/run/item-result.ts';
import { simulation } from '../simulation/outcome.mts';
import type { AskedCode, EnteredCode } from './deeds.mts';
import { judgeOtp } from './invariants.mts';
import type { CodePlan, TryPlan } from './scenario.mts';
import { otpScenarioOf } from './scenario.mts';
import { typedFor } from './typed.mts';
import type { Life } from './world.mts';
import { OtpWorld } from './world.mts';

/** People ask for codes and enter them. Counts the codes that were asked for, and the calls of n8n's store. */
export const simulateOtp = simulation(otpScenarioOf, (stage) => {
  const { scenario, clock, product, trace } = stage;
  const otpKeys = product.load('gateway/otp/keys.ts') as typeof OtpKeysModule;
  const { deriveOtpKeys, recordName, purposeName } = otpKeys;
  const { sealChallenge } = product.load('gateway/otp/challenge.ts') as typeof Challenges;
  const { deriveCode } = product.load('gateway/otp/code.ts') as typeof Codes;
  const keys = deriveOtpKeys('a-key');
  const purpose = purposeName(keys, undefined, 'workflow');
  const world = new OtpWorld(stage);
  const asked: AskedCode[] = [];
  const entered: EnteredCode[] = [];
  for (const plan of scenario.codes) clock.after(plan.at, () => void ask(plan, false));
  for (const plan of scenario.tries) clock.after(plan.at, () => void enter(plan));
  for (const { at, process } of scenario.kills) clock.after(at, () => world.restart(process));

  async function ask(plan: CodePlan, isAsTold: boolean): Promise<void> {
    const { perNumber, cooldownMs, workflow = Infinity } = scenario;
    const life = world.life(plan.process);
    const limits = life.sendLimits.limitsOf(life.run, keys, plan.number, {
      perNumber,
      cooldownMs,
      workflow,
    });
    const at = clock.now;
    const code: AskedCode = {
      ...{ plan, life, at, limits, isAsTold, decidedAt: Infinity },
      ...{ result: 'undecided', releasedAt: Infinity },
    };
    asked.push(code);
    const passed = await decide(life, life.counted.reserveCode(life.run, limits));
    code.decidedAt = clock.now;
    code.result = typeof passed === 'object' && 'release' in passed ? 'passed' : passed;
    trace(() => `number ${plan.number} at process ${plan.process}: ${JSON.stringify(code.result)}`);
    if (code.result === 'passed') takeBackLater(code, passed as Reservation);
    else if (typeof code.result === 'object' && plan.comesBack && !isAsTold) {
      clock.after(code.result.retryAfterMs, () => void ask(plan, true));
    }
  }

  function takeBackLater(code: AskedCode, reservation: Reservation): void {
    const { unsentAfter } = code.plan;
    if (unsentAfter === undefined) return;
    clock.after(unsentAfter, () => {
      if (code.life.endedAt < Infinity) return;
      code.releasedAt = clock.now;
      trace(() => `number ${code.plan.number}: the code certainly wasn't sent`);
      reservation.release();
    });
  }

  /** The challenge that somebody answers, and its code. */
  function challengeOf({ chain, isResent, number }: TryPlan) {
    const { length, sentAt, validMs } = scenario.chains[chain];
    const issuedAt = scenario.startsAt + sentAt;
    const source = { id: isResent ? `again ${chain}` : chain, phone: phoneOf(number), length };
    const times = { issuedAt, expiresAt: issuedAt + validMs };
    return { challenge: { ...source, ...times, root: chain, purpose }, code: deriveCode(keys, source) };
  }

  async function enter(plan: TryPlan): Promise<void> {
    const life = world.life(plan.process);
    const { challenge, code } = challengeOf(plan);
    const { foreign } = plan;
    const sealed = sealChallenge(keys, challenge);
    const given = {
      challenge:
        foreign === 'challenge' ? `${sealed.slice(0, -1)}${sealed.endsWith('A') ? 'Q' : 'A'}` : sealed,
      phone: foreign === 'phone' ? challenge.phone + 1000 : challenge.phone,
      purpose: foreign === 'purpose' ? purposeName(keys, 'newsletter', 'workflow') : purpose,
      code: typedFor(code, plan.entry),
    };
    const isExpired = clock.now >= challenge.expiresAt;
    const entry: EnteredCode = {
      ...{ plan, life, at: clock.now, wrongCodes: recordName(keys, 'wrong', challenge.phone) },
      what: foreign === undefined ? (isExpired ? 'expired' : plan.entry.what) : 'invalid',
      ...{ decidedAt: Infinity, result: 'undecided' },
    };
    entered.push(entry);
    const { mostAttempts: most, mostWrong } = scenario;
    const compared = life.challenges.compareCode(keys, given, clock.now);
    const answer = life.attempts.answerCode(life.run, keys, compared, { most, mostWrong });
    entry.result = await decide(life, answer);
    entry.decidedAt = clock.now;
    trace(() => {
      const words = `${JSON.stringify(given.code)} for challenge ${plan.chain} of number ${plan.number}`;
      return `${words}, ${entry.what}: ${JSON.stringify(entry.result)}`;
    });
  }

  return {
    judge: (check) => judgeOtp(world, { asked, entered }, check),
    counts: () => ({ messages: asked.length, requests: world.calls }),
  };
});

/** What the node decides, unless its process is killed before or the database fails. */
const decide = async <T extends object>(
  life: Life,
  decision: Promise<T | FailedItem>,
): Promise<T | 'lost' | 'failed'> => {
  const result = await Promise.race([decision, life.killed]);
  return typeof result === 'object' && 'error' in result ? 'failed' : result;
};

const phoneOf = (number: number): number => 447_700_900_000 + number;
