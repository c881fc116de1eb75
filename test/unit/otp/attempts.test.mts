/** Attempts in the memory of the process and in n8n's store: what is answered, other processes, and a store that fails. */
import { closedBy, countAttempt } from '../../../nodes/MessagingGateway/otp/limits.ts';
import { verifyOtp } from '../../../nodes/MessagingGateway/operations/verify-otp.ts';
import type { Run } from '../../../nodes/MessagingGateway/run/run.ts';
import { deriveOtpKeys, recordName } from '../../../nodes/gateway/otp/keys.ts';
import { OtpHost } from '../../support/otp-memory.mts';

const KEYS = deriveOtpKeys('a-key');
const HOUR_MS = 3_600_000;

let now = 1_700_000_000_000;
let root = 1;
let phone = 447700900001;
let host: OtpHost;

beforeEach(() => {
  // Nothing of an earlier test counts any more.
  now += 1000 * HOUR_MS;
  root += 1000;
  phone += 1000;
  host = new OtpHost();
});

const challengeOf = (more: object = {}) => ({
  id: root,
  root,
  phone,
  length: 6,
  issuedAt: now,
  expiresAt: now + 300_000,
  ...more,
});
const attempt = async (isRight: boolean, { most = 5, mostWrong = 10, challenge = challengeOf() } = {}) => {
  const run = { context: host.context({}), definition: verifyOtp, now: () => now } as unknown as Run;
  return await countAttempt(run, KEYS, { challenge, isRight, most, mostWrong });
};
const answer = (reason: string, left = 0) => ({ valid: reason === 'ok', reason, attempts_left: left });
const closed = (more: object = {}) => closedBy(KEYS, challengeOf(more), now);
/** What is recorded of the first, second ... attempt of a chain. */
const nth = (n: number, most = 5) =>
  `too_many_attempts ${recordName(KEYS, 'chain', root, phone)} ${most}/Infinity ${1 - n}`;
/** The store fails at all tries of its next call. */
const failing = () => host.failures.push(...Array.from({ length: 5 }, () => new Error('locked')));
const UNRECORDED = {
  error: {
    kind: 'input',
    message: 'n8n could not record this in its database',
    description:
      "Nothing was verified for this item, and it does not count. n8n's database answered: locked. Run the node again.",
  },
};

it('Each number and each chain of resends counts by itself, and a resend with its chain.', async () => {
  await attempt(true);
  expect(await attempt(true, { challenge: challengeOf({ phone: phone + 1 }) })).toEqual(answer('ok'));
  expect(await attempt(true, { challenge: challengeOf({ root: root + 1 }) })).toEqual(answer('ok'));
  expect(await attempt(true, { challenge: challengeOf({ id: root + 1 }) })).toEqual(answer('used'));
  expect(closed({ id: root + 1 })).toBe('used');
});

describe('Another process, or one before a restart,', () => {
  it.each([true, false])('may have made all attempts (right: %p).', async (isRight) => {
    host.preset(...[1, 2, 3].map((n) => nth(n, 3)));
    for (let n = 0; n < 2; n += 1)
      expect(await attempt(isRight, { most: 3 })).toEqual(answer('too_many_attempts'));
    // That the code was right doesn't use the chain up: nobody was told.
    expect(closed()).not.toBe('used');
  });

  it('may have counted wrong codes of the number.', async () => {
    const period = Math.floor((now * 2) / HOUR_MS);
    const slots = [period, period - 1].map(
      (slot) => `number_limit ${recordName(KEYS, 'wrong', phone)} 2/${HOUR_MS} ${slot}`,
    );
    host.preset(...slots);
    expect(await attempt(false, { mostWrong: 2 })).toEqual(answer('number_limit'));
    expect(await attempt(true, { mostWrong: 2 })).toEqual(answer('number_limit'));
  });
});

it.each([
  [true, 0],
  [false, 0],
  [true, 1],
  [false, 1],
])('Nothing counts where the store fails (right: %p, after %i calls).', async (isRight, calls) => {
  // A place among the wrong codes of the number is recorded and free again, so that only the second record fails.
  if (calls > 0) await attempt(true, { challenge: challengeOf({ root: root + 1 }), mostWrong: 1 });
  failing();
  expect(await attempt(isRight, { most: 1, mostWrong: 1 })).toEqual(UNRECORDED);
  expect(closed()).toBeUndefined();
  expect(await attempt(false, { most: 1, mostWrong: 1 })).toEqual(answer('wrong'));
});

describe('The wrong codes of a number', () => {
  /** A wrong code for each of these many challenges of a number. */
  const guess = async (count: number, mostWrong?: number) => {
    const answers = [];
    for (let n = 0; n < count; n += 1) {
      answers.push(await attempt(false, { challenge: challengeOf({ root: (root += 1) }), mostWrong }));
    }
    return answers;
  };

  it('are counted over all its challenges, and then a right code is refused too, for an hour.', async () => {
    const left = [4, 4, 4, 4, 4, 4, 3, 2, 1, 0].map((n) => answer('wrong', n));
    expect(await guess(11)).toEqual([...left, answer('number_limit')]);
    const challenge = challengeOf({ root: root + 1 });
    expect(await attempt(true, { challenge })).toEqual(answer('number_limit'));
    expect(closed({ root: root + 1 })).toBeUndefined();
    now += HOUR_MS - 1;
    expect(await attempt(true, { challenge })).toEqual(answer('number_limit'));
    expect(await attempt(true, { challenge: challengeOf({ phone: phone + 1 }) })).toEqual(answer('ok'));
    now += 1;
    expect(await attempt(true, { challenge })).toEqual(answer('ok'));
  });

  it('use up no attempt of a challenge once they are too many.', async () => {
    await guess(10);
    for (let n = 0; n < 6; n += 1) expect(await attempt(false)).toEqual(answer('number_limit'));
    expect(closed()).toBeUndefined();
  });

  it('are not those that were right, however many.', async () => {
    for (let n = 0; n < 30; n += 1) {
      const challenge = challengeOf({ root: (root += 1) });
      expect(await attempt(true, { challenge, mostWrong: 1 })).toEqual(answer('ok'));
    }
    expect(await guess(2, 1)).toEqual([answer('wrong'), answer('number_limit')]);
  });
});

it('What is known of a chain is known for as long as a resend may follow, and forgotten then.', async () => {
  const challenge = challengeOf();
  // Only the memory counts: the store has forgotten.
  const again = async () => {
    host = new OtpHost();
    return await attempt(false, { challenge });
  };
  await attempt(false, { challenge });
  now += 2 * HOUR_MS;
  expect(await again()).toEqual(answer('wrong', 3));
  now += HOUR_MS;
  expect(closed()).toBeUndefined();
  now += 2 * HOUR_MS;
  expect(await again()).toEqual(answer('wrong', 2));
  now += 2 * HOUR_MS + 1;
  await attempt(false, { challenge: challengeOf({ root: root + 1 }) });
  expect(await again()).toEqual(answer('wrong', 4));
});
