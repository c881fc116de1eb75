import type { Check } from '../simulation/outcome.mts';
import type { AskedCode, EnteredCode, Refusal } from './deeds.mts';
import type { OtpWorld } from './world.mts';

type Deed = AskedCode | EnteredCode;

/** What the node promises about one-time passwords (docs/one-time-passwords.md), checked after the end. */
export function judgeOtp(
  world: OtpWorld,
  { asked, entered }: { asked: AskedCode[]; entered: EnteredCode[] },
  check: Check,
): void {
  const deeds: Deed[] = [...asked, ...entered];
  const decided = deeds.every(({ result }) => result !== 'undecided');
  check('answers', decided, 'somebody never got an answer');
  const failed = deeds.filter(({ result }) => result === 'failed').length;
  check('tries again', failed === 0 || world.failures >= FAILURES, `${failed} failed too soon`);
  for (const group of groupsOf(world, asked)) {
    checkRate(world, { ...group, deeds: group.deeds.filter(isSent), what: 'codes' }, check);
    checkRefusals(world, group, check);
  }
  checkCooldown(world, asked, check);
  checkForeign(entered, check);
  const attempts = entered.filter(({ what }) => what === 'right' || what === 'wrong');
  for (const ofHour of groupBy(attempts, (entry) => `${entry.plan.number} ${hourOf(entry)}`)) {
    checkWrongCodes(world, ofHour, check);
  }
  checkNumberLimit(world, { attempts, entered }, check);
  for (const ofChain of groupBy(entered, ({ plan }) => String(plan.chain))) {
    checkAttempts(
      world,
      { attempts: ofChain.filter((one) => attempts.includes(one)), entered: ofChain },
      check,
    );
  }
}

/** Failures of the database in a row that end a call of it. */
const FAILURES = 2;

const HOUR_MS = 3_600_000;

/** The hour of the clock in which somebody did something. */
const hourOf = ({ at }: { at: number }): number => Math.floor(at / HOUR_MS);

function groupBy<T>(all: readonly T[], nameOf: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one]);
  return [...groups.values()];
}

/** Whether what one process records is there for the next, whoever that is. */
const isExact = ({ scenario }: OtpWorld): boolean =>
  scenario.hasStore && (scenario.processes === 1 || scenario.isSerial);

/** Whether all knew of a slot that it is free again: of several processes, each remembers what another one gave back. */
const areRefusalsExact = ({ scenario }: OtpWorld): boolean =>
  scenario.profile !== 'failures' && scenario.processes === 1;

/** What has to be true of each process, and of all together where they share a record that loses nothing. */
const scopesOf = <T extends Deed>(world: OtpWorld, deeds: readonly T[]): Array<readonly T[]> =>
  isExact(world) ? [deeds] : world.lives.map((life) => deeds.filter((deed) => deed.life === life));

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

const isSent = ({ result, givenBackAt }: AskedCode): boolean =>
  result === 'passed' && givenBackAt === Infinity;

const isRefused = (result: AskedCode['result']): result is Refusal => typeof result === 'object';

/** Deeds that count for each other under a limit. */
interface Group<T extends Deed = Deed> {
  reason: string;
  max: number;
  deeds: readonly T[];
}

function groupsOf({ scenario }: OtpWorld, asked: AskedCode[]): Array<Group<AskedCode>> {
  const { perNumber, workflow = Infinity } = scenario;
  const ofNumbers = groupBy(asked, (code) => `${code.plan.number} ${hourOf(code)}`);
  const ofWorkflow = groupBy(asked, (code) => String(hourOf(code)));
  return [
    ...ofNumbers.map((deeds) => ({ reason: 'number_limit', max: perNumber, deeds })),
    ...ofWorkflow.map((deeds) => ({ reason: 'workflow_limit', max: workflow, deeds })),
  ];
}

function checkRate(
  world: OtpWorld,
  { reason, max, deeds, what }: Group & { what: string },
  check: Check,
): void {
  for (const { length } of scopesOf(world, deeds)) {
    check('limit', length <= max, `${length} ${what} in an hour of the clock (${reason}: ${max})`);
  }
}

/** Of two codes to a number, a process sends the second one after the cooldown. */
function checkCooldown(world: OtpWorld, asked: AskedCode[], check: Check): void {
  const { cooldownMs, profile } = world.scenario;
  for (const codes of groupBy(asked, ({ plan, life }) => `${plan.number} ${life.index}`)) {
    for (const code of codes) {
      const recent = codes.filter(
        (other) => other !== code && other.at <= code.at && other.at > code.at - cooldownMs,
      );
      if (code.result === 'passed') {
        // Of two that came at the same moment, each sees the other here.
        const sent = recent.filter(
          (other) => other.result === 'passed' && other.unsentAt > code.at && isBefore(codes, other, code),
        );
        check('cooldown', sent.length === 0, `sent at ${code.at} though one was sent at ${sent[0]?.at}`);
      }
      if (profile === 'failures' || !isRefused(code.result) || code.result.reason !== 'cooldown') continue;
      const { retry_after: seconds } = code.result;
      const isSoon = seconds > 0 && seconds <= cooldownMs / 1000;
      check('retry', isSoon, `told to come back in ${seconds} s (cooldown ${cooldownMs} ms)`);
      const held = recent.filter((other) => mayHold(other, code));
      check('no sooner', held.length > 0, `refused by the cooldown at ${code.at}`);
    }
  }
}

const isBefore = <T,>(all: readonly T[], one: T, other: T): boolean => all.indexOf(one) < all.indexOf(other);

/** Whether a code may have a slot while another one is decided: sent, lost with its process, or not decided yet. */
const mayHold = (other: AskedCode, code: AskedCode): boolean =>
  other !== code &&
  other.at <= code.decidedAt &&
  other.givenBackAt >= code.at &&
  (other.result === 'passed' || other.result === 'lost' || other.decidedAt >= code.at);

/** A code is refused only where as many others have the slots, and may be sent when the next hour begins. */
function checkRefusals(world: OtpWorld, { reason, max, deeds }: Group<AskedCode>, check: Check): void {
  for (const code of deeds) {
    const { result, at } = code;
    if (!isRefused(result) || result.reason !== reason) continue;
    const seconds = Math.max(1, Math.ceil((HOUR_MS - (at % HOUR_MS)) / 1000));
    check('retry', result.retry_after === seconds, `told to come back in ${result.retry_after} s at ${at}`);
    if (!areRefusalsExact(world)) continue;
    const held = deeds.filter((other) => mayHold(other, code)).length;
    check('no sooner', held >= max, `refused at ${at} after ${held} (${reason}: ${max})`);
  }
}

const reasonOf = ({ result }: EnteredCode): string | undefined =>
  typeof result === 'object' ? result.reason : undefined;

/** Takes the attempts at one number in one hour of the clock, whichever of its challenges they were meant for. */
function checkWrongCodes(world: OtpWorld, attempts: EnteredCode[], check: Check): void {
  const { maxWrong: max } = world.scenario;
  const wrong = attempts.filter((entry) => reasonOf(entry) === 'wrong');
  checkRate(world, { reason: 'number_limit', max, deeds: wrong, what: 'wrong codes' }, check);
  for (const scope of scopesOf(world, attempts)) {
    for (const { at } of scope.filter((entry) => reasonOf(entry) === 'ok')) {
      const before = wrong.filter((other) => scope.includes(other) && other.decidedAt < at);
      check('closed', before.length < max, `accepted at ${at} after ${before.length} wrong codes`);
    }
  }
}

/** A number is closed only after so many wrong codes in that hour. */
function checkNumberLimit(
  world: OtpWorld,
  { attempts, entered }: Record<'attempts' | 'entered', EnteredCode[]>,
  check: Check,
): void {
  const { maxWrong } = world.scenario;
  if (!areRefusalsExact(world)) return;
  for (const entry of entered.filter((one) => reasonOf(one) === 'number_limit')) {
    // A right code has a slot too, until it is answered.
    const before = attempts.filter(
      (other) =>
        other !== entry &&
        other.plan.number === entry.plan.number &&
        hourOf(other) === hourOf(entry) &&
        other.at <= entry.decidedAt &&
        (other.decidedAt >= entry.at || reasonOf(other) === 'wrong' || other.result === 'lost'),
    );
    const words = `refused at ${entry.at} after ${before.length} wrong codes (${maxWrong} allowed)`;
    check('guessed so often', before.length >= maxWrong, words);
  }
}

/** Takes what was entered for one chain of challenges. */
function checkAttempts(
  world: OtpWorld,
  { attempts, entered }: Record<'attempts' | 'entered', EnteredCode[]>,
  check: Check,
): void {
  const { maxAttempts, profile } = world.scenario;
  for (const scope of scopesOf(world, attempts)) {
    const right = scope.filter((entry) => reasonOf(entry) === 'ok');
    const wrong = scope.filter((entry) => reasonOf(entry) === 'wrong');
    check('one success', right.length <= 1, `${right.length} right codes were accepted`);
    const answered = right.length + wrong.length;
    check('attempts', answered <= maxAttempts, `${answered} codes were compared (${maxAttempts} allowed)`);
    const left = wrong.map(({ result }) => (typeof result === 'object' ? result.attempts_left : -1));
    // The number may allow less.
    left.sort((a, b) => b - a);
    const areTrue = left.every((n, i) => n >= 0 && n < maxAttempts - i);
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
      const isTrue = left >= 0 && left <= maxAttempts - counted.length;
      check('attempts left', isTrue, `${left} left after ${counted.length} of ${maxAttempts}`);
    }
    if (profile === 'failures') continue;
    check('used', reason !== 'used' || isUsed, 'a code was taken for a used one');
    const isClosed = before.length >= maxAttempts;
    check('not closed', reason !== 'too_many_attempts' || isClosed, `closed after ${before.length} attempts`);
    check('failed', entry.result !== 'failed', 'the database failed without a failure');
  }
}
