import type { Fence, FenceRefusal } from '../../../nodes/gateway/otp/fence-memory.ts';
import type { Violation } from '../simulation/outcome.mts';
import type { AskedCode, EnteredCode } from './simulate.mts';
import type { OtpWorld } from './world.mts';

type Check = (invariant: string, holds: boolean, words: () => string) => void;

/** What the node promises about one-time passwords (docs/one-time-passwords.md), checked after the end. */
export function otpViolationsOf(world: OtpWorld, asked: AskedCode[], entered: EnteredCode[]): Violation[] {
  const found: Violation[] = [];
  const check: Check = (invariant, holds, words) => {
    if (!holds) found.push({ invariant, words: words() });
  };
  const decided = [...asked, ...entered].every(({ result }) => result !== 'undecided');
  check('answers', decided, () => 'somebody never got an answer');
  const failed = [...asked, ...entered].filter(({ result }) => result === 'failed').length;
  check('tries again', failed === 0 || world.failures >= FAILURES, () => `${failed} failed too soon`);
  checkFences(world, asked, check);
  checkRefusals(world, asked, check);
  for (const chain of new Set(entered.map(({ plan }) => plan.chain))) {
    const ofChain = entered.filter(({ plan }) => plan.chain === chain);
    checkAttempts(world, ofChain, check);
  }
  return found;
}

/** Failures of the database in a row that a code survives, and one more. */
const FAILURES = 5;

/** Whether what one process records is there for the next, whoever that is. */
const isExact = ({ scenario }: OtpWorld): boolean =>
  scenario.hasStore && (scenario.processes === 1 || scenario.isSerial);

const isSent = ({ result, releasedAt }: AskedCode): boolean => result === 'passed' && releasedAt === Infinity;
const sameFence = (fence: Fence) => (other: Fence) =>
  other.reason === fence.reason && other.name === fence.name;

/** Codes by the fence that they passed. */
function byFence(asked: AskedCode[]): Array<{ fence: Fence; codes: AskedCode[] }> {
  const groups = new Map<string, { fence: Fence; codes: AskedCode[] }>();
  for (const code of asked) {
    for (const fence of code.fences) {
      const key = `${fence.reason} ${fence.name}`;
      const group = groups.get(key) ?? { fence, codes: [] };
      group.codes.push(code);
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

function checkFences(world: OtpWorld, asked: AskedCode[], check: Check): void {
  for (const { fence, codes } of byFence(asked)) {
    const { reason, limit, periodMs } = fence;
    const sent = codes.filter(isSent);
    for (const { index } of world.lives) {
      const times = sent.filter(({ life }) => life.index === index).map(({ at }) => at);
      const most = Math.max(
        0,
        ...times.map((last) => times.filter((at) => at > last - periodMs && at <= last).length),
      );
      check('limit', most <= limit, () => `${most} codes within ${periodMs} ms (${reason}: ${limit})`);
    }
    const calls = new Map<number, number>();
    for (const { name, call } of world.written) {
      if (name.startsWith(slotNames(fence))) calls.set(call, (calls.get(call) ?? 0) + 1);
    }
    const block = Math.max(0, ...calls.values());
    check(
      'few at once',
      block <= Math.ceil(limit / 10),
      () => `${block} slots at once (${reason}: ${limit})`,
    );
    if (!isExact(world)) continue;
    const times = sent.map(({ at }) => at).sort((a, b) => a - b);
    times.forEach((first, i) => {
      for (const [more, last] of times.slice(i).entries()) {
        if (last - first >= periodMs) break;
        // Of the slots, this many may open again in between.
        const opened = Math.floor(((last - first) * limit) / periodMs) + 1;
        check(
          'no burst',
          more + 1 <= limit + opened,
          () => `${more + 1} codes in ${last - first} ms (${reason}: ${limit})`,
        );
      }
    });
  }
}

function checkRefusals(world: OtpWorld, asked: AskedCode[], check: Check): void {
  const { processes, profile } = world.scenario;
  for (const code of asked) {
    const { result, fences, at, isAsTold } = code;
    if (typeof result !== 'object') continue;
    const fence = fences.find(({ reason }) => reason === result.reason);
    check(
      'refusal',
      fence !== undefined && result.limit === fence.limit,
      () => `refused: ${JSON.stringify(result)}`,
    );
    if (fence === undefined) continue;
    const { retryAfterMs } = result;
    const isSoon = retryAfterMs > 0 && retryAfterMs <= fence.periodMs;
    check('retry', isSoon, () => `told to come back in ${retryAfterMs} ms (${fence.periodMs})`);
    // Where several processes share the record, one may hold slots that another one needs.
    if (processes > 1) continue;
    const counted = othersBefore(asked, code, fence).length + lostSlots(world, code, fence);
    check(
      'no sooner',
      counted >= fence.limit,
      () => `refused at ${at}: ${JSON.stringify(result)}, after ${counted}`,
    );
    if (profile !== 'calm' || !isAsTold) continue;
    const since = asked.filter(
      (other) => other !== code && other.decidedAt > at - fence.periodMs && isBetween(asked, code, other),
    );
    check('as told', since.length > 0, () => `refused again: ${JSON.stringify(result)}`);
  }
}

/** Whether a code was asked for between a refusal and the return of who was refused. */
function isBetween(asked: AskedCode[], back: AskedCode, other: AskedCode): boolean {
  const refusals = asked.filter(
    ({ plan, result, isAsTold }) => plan === back.plan && !isAsTold && typeof result === 'object',
  );
  const told = refusals.find(
    ({ decidedAt, result }) => decidedAt + (result as FenceRefusal).retryAfterMs === back.at,
  );
  if (told === undefined) return false;
  const isLater = asked.indexOf(other) > asked.indexOf(told) || other.decidedAt > told.at;
  return isLater && other !== told && other.at <= back.decidedAt;
}

/** Codes that count against a fence when another one is decided: sent, or not decided then. */
function othersBefore(asked: AskedCode[], code: AskedCode, fence: Fence): AskedCode[] {
  return asked.filter(
    (other) =>
      other !== code &&
      other.fences.some(sameFence(fence)) &&
      // It is let through when the record has it, which is a moment later.
      other.decidedAt > code.at - fence.periodMs &&
      other.at <= code.decidedAt &&
      other.releasedAt >= code.at &&
      (other.decidedAt >= code.at || other.result === 'passed' || other.result === 'lost'),
  );
}

/** What the names of the slots of a fence begin with. */
const slotNames = ({ reason, name }: Fence): string => `${reason} ${name} `;

/** Slots that nobody can use any more: of processes that were killed, or written by a call that failed. */
function lostSlots({ written }: OtpWorld, { life, at, decidedAt }: AskedCode, fence: Fence): number {
  return written.filter(
    (slot) =>
      slot.name.startsWith(slotNames(fence)) &&
      (slot.life !== life || slot.isUnnoticed) &&
      slot.at > at - fence.periodMs &&
      slot.at <= decidedAt,
  ).length;
}

function checkAttempts(world: OtpWorld, entered: EnteredCode[], check: Check): void {
  const { mostAttempts, profile } = world.scenario;
  const reasonOf = ({ result }: EnteredCode) => (typeof result === 'object' ? result.reason : undefined);
  const groups = isExact(world)
    ? [entered]
    : world.lives.map(({ index }) => entered.filter(({ life }) => life.index === index));
  for (const group of groups) {
    const right = group.filter((entry) => reasonOf(entry) === 'ok');
    const wrong = group.filter((entry) => reasonOf(entry) === 'wrong');
    check('one success', right.length <= 1, () => `${right.length} right codes were accepted`);
    const answered = right.length + wrong.length;
    check(
      'attempts',
      answered <= mostAttempts,
      () => `${answered} codes were compared (${mostAttempts} allowed)`,
    );
    const left = wrong.map(({ result }) => (typeof result === 'object' ? result.attemptsLeft : -1));
    const areTrue = new Set(left).size === left.length && left.every((n) => n >= 0 && n < mostAttempts);
    check('attempts left', areTrue, () => `attempts left: ${left.join()}`);
  }
  for (const entry of entered) {
    const { plan, decidedAt } = entry;
    const reason = reasonOf(entry);
    const before = entered.filter(
      (other) => other !== entry && other.at <= decidedAt && other.result !== 'failed',
    );
    const isUsed = before.some((other) => other.plan.isRight);
    check('right', plan.isRight || reason !== 'ok', () => 'a wrong code was accepted');
    check('wrong', !plan.isRight || reason !== 'wrong', () => 'a right code was taken for a wrong one');
    if (profile === 'failures') continue;
    check('used', reason !== 'used' || isUsed, () => 'a code was taken for a used one');
    const isClosed = before.length >= mostAttempts;
    check(
      'not closed',
      reason !== 'too_many_attempts' || isClosed,
      () => `closed after ${before.length} attempts`,
    );
    check('failed', entry.result !== 'failed', () => 'the database failed without a failure');
  }
}
