import type { LimitRefusal, RateLimit } from '../../../nodes/gateway/otp/rate-limits.ts';
import type { Check } from '../simulation/outcome.mts';
import type { AskedCode, EnteredCode } from './deeds.mts';
import type { Life, OtpWorld } from './world.mts';

/** What the node promises about one-time passwords (docs/one-time-passwords.md), checked after the end. */
export function judgeOtp(
  world: OtpWorld,
  { asked, entered }: { asked: AskedCode[]; entered: EnteredCode[] },
  check: Check,
): void {
  const decided = [...asked, ...entered].every(({ result }) => result !== 'undecided');
  check('answers', decided, 'somebody never got an answer');
  const failed = [...asked, ...entered].filter(({ result }) => result === 'failed').length;
  check('tries again', failed === 0 || world.failures >= FAILURES, `${failed} failed too soon`);
  checkLimits(world, asked, check);
  checkRefusals(world, asked, check);
  checkForeign(entered, check);
  const attempts = attemptsAmong(entered);
  for (const number of new Set(attempts.map(({ plan }) => plan.number))) {
    const ofNumber = attempts.filter(({ plan }) => plan.number === number);
    checkWrongCodes(world, ofNumber, check);
  }
  for (const chain of new Set(entered.map(({ plan }) => plan.chain))) {
    checkAttempts(
      world,
      {
        attempts: attempts.filter(({ plan }) => plan.chain === chain),
        entered: entered.filter((entry) => entry.plan.chain === chain),
      },
      check,
    );
  }
}

/** What is no answer to its challenge is told so, and nothing else is. */
function checkForeign(entered: EnteredCode[], check: Check): void {
  for (const { what, result, plan } of entered) {
    if (typeof result !== 'object') continue;
    const { reason } = result;
    const words = `"${reason}" for what is ${what} (${JSON.stringify(plan)})`;
    for (const one of ['invalid', 'expired'] as const) check(one, (what === one) === (reason === one), words);
    check('right', reason !== 'ok' || what === 'right', words);
    check('valid', result.valid === (reason === 'ok'), words);
  }
}

/** Returns what was compared: what can't be a code is told so, however often. */
const attemptsAmong = (entered: EnteredCode[]): EnteredCode[] =>
  entered.filter(({ what }) => what === 'right' || what === 'wrong');

/** Failures of the database in a row that a code survives, and one more. */
const FAILURES = 5;

const HOUR_MS = 3_600_000;

/** Whether what one process records is there for the next, whoever that is. */
const isExact = ({ scenario }: OtpWorld): boolean =>
  scenario.hasStore && (scenario.processes === 1 || scenario.isSerial);

const isSent = ({ result, releasedAt }: AskedCode): boolean => result === 'passed' && releasedAt === Infinity;
const sameLimit = (limit: RateLimit) => (other: RateLimit) =>
  other.reason === limit.reason && other.name === limit.name;

/** Codes by the limit that they passed. */
function byLimit(asked: AskedCode[]): Array<{ limit: RateLimit; codes: AskedCode[] }> {
  const groups = new Map<string, { limit: RateLimit; codes: AskedCode[] }>();
  for (const code of asked) {
    for (const limit of code.limits.filter((one) => one.limit < Infinity)) {
      const key = `${limit.reason} ${limit.name}`;
      const group = groups.get(key) ?? { limit, codes: [] };
      group.codes.push(code);
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

/** What counts against a limit, of one process and of all. */
interface Events {
  limit: Pick<RateLimit, 'reason' | 'limit' | 'periodMs'>;
  events: ReadonlyArray<{ life: Life; at: number }>;
  what: string;
}

/** At most the limit in each process, and over all of them one more for each slot that opens meanwhile. */
function checkRate(
  world: OtpWorld,
  { limit: { reason, limit, periodMs }, events, what }: Events,
  check: Check,
): void {
  for (const { index } of world.lives) {
    const times = events.filter(({ life }) => life.index === index).map(({ at }) => at);
    const most = Math.max(
      0,
      ...times.map((last) => times.filter((at) => at > last - periodMs && at <= last).length),
    );
    check('limit', most <= limit, `${most} ${what} within ${periodMs} ms (${reason}: ${limit})`);
  }
  if (!isExact(world)) return;
  const times = events.map(({ at }) => at).sort((a, b) => a - b);
  times.forEach((first, i) => {
    for (const [more, last] of times.slice(i).entries()) {
      if (last - first >= periodMs) break;
      // Of the slots, this many may open again in between.
      const opened = Math.floor(((last - first) * limit) / periodMs) + 1;
      check(
        'no burst',
        more + 1 <= limit + opened,
        `${more + 1} ${what} in ${last - first} ms (${reason}: ${limit})`,
      );
    }
  });
}

function checkLimits(world: OtpWorld, asked: AskedCode[], check: Check): void {
  for (const { limit, codes } of byLimit(asked)) {
    checkRate(world, { limit, events: codes.filter(isSent), what: 'codes' }, check);
    for (const { call, life, calledAt } of world.written) {
      const slots = world.written.filter((one) => one.call === call && one.name.startsWith(slotNames(limit)));
      const waiting = codes.filter(
        (code) => code.life === life && code.at <= calledAt && code.decidedAt >= calledAt,
      );
      const most = Math.ceil(limit.limit / 10) * waiting.length;
      check(
        'few at once',
        slots.length <= most,
        `${slots.length} slots at once (${limit.reason}: ${limit.limit})`,
      );
    }
  }
}

/** Wrong codes are counted for a number, whichever of its challenges they were meant for. */
function checkWrongCodes(world: OtpWorld, entered: EnteredCode[], check: Check): void {
  const { mostWrong, processes } = world.scenario;
  const limit = { reason: 'number_limit', limit: mostWrong, periodMs: HOUR_MS } as const;
  const events = entered.filter((entry) => reasonOf(entry) === 'wrong');
  checkRate(world, { limit, events, what: 'wrong codes' }, check);
  for (const { life, at } of entered.filter((entry) => reasonOf(entry) === 'ok')) {
    const wrong = events.filter((other) => other.life === life && other.at < at && other.at > at - HOUR_MS);
    check('closed', wrong.length < mostWrong, `accepted at ${at} after ${wrong.length} wrong codes`);
  }
  if (processes > 1) return;
  for (const entry of entered) {
    if (reasonOf(entry) !== 'number_limit') continue;
    // A right code takes a slot too, and gives it back to its process.
    const before = entered.filter(
      (other) =>
        other !== entry &&
        other.life === entry.life &&
        other.at <= entry.decidedAt &&
        other.decidedAt > entry.at - HOUR_MS &&
        (other.decidedAt >= entry.at || reasonOf(other) === 'wrong'),
    );
    const lost = lostSlots(world, entry, { ...limit, name: entry.wrongCodes });
    check(
      'guessed so often',
      before.length + lost >= mostWrong,
      `refused at ${entry.at} after ${before.length} wrong codes (${mostWrong} allowed)`,
    );
  }
}

function checkRefusals(world: OtpWorld, asked: AskedCode[], check: Check): void {
  const { processes, profile } = world.scenario;
  for (const code of asked) {
    const { result, limits, at, isAsTold } = code;
    if (typeof result !== 'object') continue;
    const limit = limits.find(({ reason }) => reason === result.reason);
    check(
      'refusal',
      limit !== undefined && result.limit === limit.limit,
      `refused: ${JSON.stringify(result)}`,
    );
    if (limit === undefined) continue;
    const { retryAfterMs } = result;
    const isSoon = retryAfterMs > 0 && retryAfterMs <= limit.periodMs;
    check('retry', isSoon, `told to come back in ${retryAfterMs} ms (${limit.periodMs})`);
    // Where several processes share the record, one may hold slots that another one needs.
    if (processes > 1) continue;
    const counted = othersBefore(asked, code, limit).length + lostSlots(world, code, limit);
    check(
      'no sooner',
      counted >= limit.limit,
      `refused at ${at}: ${JSON.stringify(result)}, after ${counted}`,
    );
    if (profile !== 'calm' || !isAsTold) continue;
    const since = asked.filter(
      (other) => other !== code && other.decidedAt > at - limit.periodMs && isBetween(asked, code, other),
    );
    check('as told', since.length > 0, `refused again: ${JSON.stringify(result)}`);
  }
}

/** Whether a code was asked for between a refusal and the return of who was refused. */
function isBetween(asked: AskedCode[], back: AskedCode, other: AskedCode): boolean {
  const refusals = asked.filter(
    ({ plan, result, isAsTold }) => plan === back.plan && !isAsTold && typeof result === 'object',
  );
  const told = refusals.find(
    ({ decidedAt, result }) => decidedAt + (result as LimitRefusal).retryAfterMs === back.at,
  );
  if (told === undefined) return false;
  const isLater = asked.indexOf(other) > asked.indexOf(told) || other.decidedAt > told.at;
  return isLater && other !== told && other.at <= back.decidedAt;
}

/** Codes that count against a limit when another one is decided: sent, or not decided then. */
function othersBefore(asked: AskedCode[], code: AskedCode, limit: RateLimit): AskedCode[] {
  return asked.filter(
    (other) =>
      other !== code &&
      other.limits.some(sameLimit(limit)) &&
      // It is let through when the record has it, which is a moment later.
      other.decidedAt > code.at - limit.periodMs &&
      other.at <= code.decidedAt &&
      other.releasedAt >= code.at &&
      (other.decidedAt >= code.at || other.result === 'passed' || other.result === 'lost'),
  );
}

/** What the names of the slots of a limit begin with. */
const slotNames = ({ reason, name }: RateLimit): string => `${reason} ${name} `;

/** Slots that nobody can use any more: of processes that were killed, or written by a call that failed. */
function lostSlots(
  { written }: OtpWorld,
  { life, at, decidedAt }: Pick<AskedCode, 'life' | 'at' | 'decidedAt'>,
  limit: RateLimit,
): number {
  return written.filter(
    (slot) =>
      slot.name.startsWith(slotNames(limit)) &&
      (slot.life !== life || slot.isUnnoticed) &&
      slot.at > at - limit.periodMs &&
      slot.at <= decidedAt,
  ).length;
}

const reasonOf = ({ result }: EnteredCode): string | undefined =>
  typeof result === 'object' ? result.reason : undefined;

function checkAttempts(
  world: OtpWorld,
  { attempts, entered }: Record<'attempts' | 'entered', EnteredCode[]>,
  check: Check,
): void {
  const { mostAttempts, profile } = world.scenario;
  const groups = isExact(world)
    ? [attempts]
    : world.lives.map(({ index }) => attempts.filter(({ life }) => life.index === index));
  for (const group of groups) {
    const right = group.filter((entry) => reasonOf(entry) === 'ok');
    const wrong = group.filter((entry) => reasonOf(entry) === 'wrong');
    check('one success', right.length <= 1, `${right.length} right codes were accepted`);
    const answered = right.length + wrong.length;
    check('attempts', answered <= mostAttempts, `${answered} codes were compared (${mostAttempts} allowed)`);
    const left = wrong.map(({ result }) => (typeof result === 'object' ? result.attempts_left : -1));
    // The number may allow less.
    left.sort((a, b) => b - a);
    const areTrue = left.every((n, i) => n >= 0 && n < mostAttempts - i);
    check('attempts left', areTrue, `attempts left: ${left.join()}`);
  }
  for (const entry of entered) {
    const { what, at, decidedAt } = entry;
    const reason = reasonOf(entry);
    const before = attempts.filter(
      (other) => other !== entry && other.at <= decidedAt && other.result !== 'failed',
    );
    const isUsed = before.some((other) => other.what === 'right');
    check('wrong', what !== 'right' || reason !== 'wrong', 'a right code was taken for a wrong one');
    if (what === 'noCode' && reason === 'wrong') {
      const own = attempts.filter(({ life, decidedAt: then }) => life === entry.life && then < at);
      const counted = own.filter((other) => other.what === 'wrong' && reasonOf(other) === 'wrong');
      const { attempts_left: left } = entry.result as { attempts_left: number };
      const isTrue = left >= 0 && left <= mostAttempts - counted.length;
      check('attempts left', isTrue, `${left} left after ${counted.length} of ${mostAttempts}`);
    }
    if (profile === 'failures') continue;
    check('used', reason !== 'used' || isUsed, 'a code was taken for a used one');
    const isClosed = before.length >= mostAttempts;
    check('not closed', reason !== 'too_many_attempts' || isClosed, `closed after ${before.length} attempts`);
    check('failed', entry.result !== 'failed', 'the database failed without a failure');
  }
}
