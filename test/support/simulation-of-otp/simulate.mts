import type * as Challenges from '../../../nodes/gateway/otp/challenge.ts';
import type * as Codes from '../../../nodes/gateway/otp/code.ts';
import type { Slot } from '../../../nodes/MessagingGateway/otp/limits.ts';
import { simulation } from '../simulation/outcome.mts';
import type { AskedCode, EnteredCode, Refusal } from './deeds.mts';
import { judgeOtp } from './invariants.mts';
import type { CodePlan, TryPlan } from './scenario.mts';
import { otpScenarioOf } from './scenario.mts';
import { typedFor } from './typed.mts';
import type { Life } from './world.mts';
import { OtpWorld } from './world.mts';

/** People ask for codes and enter them. Counts the codes that were asked for, and the calls of n8n's store. */
export const simulateOtp = simulation(otpScenarioOf, (stage) => {
  const { scenario, clock, product, trace } = stage;
  const { sealChallenge } = product.load('gateway/otp/challenge.ts') as typeof Challenges;
  const { deriveCode, deriveOtpKeys, purposeName } = product.load('gateway/otp/code.ts') as typeof Codes;
  const keys = deriveOtpKeys('a-key');
  const purpose = purposeName(keys, undefined, 'workflow');
  const world = new OtpWorld(stage);
  const asked: AskedCode[] = [];
  const entered: EnteredCode[] = [];
  for (const plan of scenario.codes) clock.after(plan.at, () => void ask(plan, false));
  for (const plan of scenario.tries) clock.after(plan.at, () => void enter(plan));
  for (const { at, process } of scenario.kills) clock.after(at, () => world.restart(process));

  async function ask(plan: CodePlan, isAsTold: boolean): Promise<void> {
    const { perNumber, cooldownMs, workflow } = scenario;
    const life = world.life(plan.process);
    const code: AskedCode = {
      ...{ plan, life, at: clock.now, decidedAt: Infinity },
      ...{ result: 'undecided', unsentAt: Infinity, givenBackAt: Infinity },
    };
    asked.push(code);
    const { limits, sending, run } = life;
    const sent = { phone: phoneOf(plan.number), cooldownMs, perNumber, perWorkflow: workflow };
    const passage = await untilKilled(life, limits.slots.take(run, limits.sendLimits(run, keys, sent)));
    code.decidedAt = clock.now;
    if (passage === 'lost') code.result = passage;
    else if (passage.is !== 'refused') code.result = passage.is;
    else code.result = sending.overLimit(run, sent, passage).json as unknown as Refusal;
    trace(() => `number ${plan.number} at process ${plan.process}: ${JSON.stringify(code.result)}`);
    if (passage !== 'lost' && passage.is === 'passed') giveBackLater(code, passage.slots);
    else if (typeof code.result === 'object' && plan.comesBack && !isAsTold) {
      clock.after(1000 * code.result.retry_after, () => void ask(plan, true));
    }
  }

  function giveBackLater(code: AskedCode, slots: Slot[]): void {
    const { unsentAfter } = code.plan;
    if (unsentAfter === undefined) return;
    clock.after(unsentAfter, () => void giveBack(code, slots));
  }

  async function giveBack(code: AskedCode, slots: Slot[]): Promise<void> {
    const { life, plan } = code;
    if (life.endedAt < Infinity) return;
    code.unsentAt = clock.now;
    trace(() => `number ${plan.number}: the code certainly wasn't sent`);
    const end = await untilKilled(life, life.limits.slots.giveBack(life.run, slots));
    if (end !== 'lost') code.givenBackAt = clock.now;
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
      ...{ plan, life, at: clock.now },
      what: foreign === undefined ? (isExpired ? 'expired' : plan.entry.what) : 'invalid',
      ...{ decidedAt: Infinity, result: 'undecided' },
    };
    entered.push(entry);
    const { maxAttempts, maxWrong } = scenario;
    const compared = life.challenges.compareCode(keys, given, clock.now);
    const answer = life.attempts.answerCode(life.run, keys, compared, { maxAttempts, maxWrong });
    const result = await untilKilled(life, answer);
    entry.result = typeof result === 'object' && 'error' in result ? 'failed' : result;
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

/** What a process comes to, unless it is killed before. */
const untilKilled = async <T,>(life: Life, work: Promise<T>): Promise<T | 'lost'> =>
  await Promise.race([work, life.killed]);

const phoneOf = (number: number): number => 447_700_900_000 + number;
