/** Attempts in the memory of the process and in n8n's store: names, order, other processes, and a store that fails. */
import { AttemptMemory, release } from '../../../nodes/gateway/otp/attempt-memory.ts';
import { closedBy, countAttempt, keepAttempts } from '../../../nodes/MessagingGateway/otp/attempts.ts';
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
  channels: ['sms'],
  ...more,
});
const attempt = async (isRight: boolean, { most = 5, mostWrong = 10, challenge = challengeOf() } = {}) =>
  await countAttempt({ context: host.context({}), now: () => now } as unknown as Run, KEYS, {
    challenge,
    isRight,
    most,
    mostWrong,
  });
/** What was recorded of chains; wrong codes of a number are recorded besides. */
const recorded = () =>
  host.recorded
    .map((names) => names.filter((name) => !name.startsWith('number_limit')))
    .filter((names) => names.length > 0);
const chain = (of = root) => recordName(KEYS, 'chain', of, phone);
const LOCKED = new Error('locked');
const failing = () => host.failures.push(...Array.from({ length: 5 }, () => LOCKED));

it('records each attempt by its number, and the use before it', async () => {
  expect(await attempt(false)).toEqual({ reason: 'wrong', attemptsLeft: 4 });
  expect(closedBy(KEYS, challengeOf())).not.toBe('used');
  expect(await attempt(true)).toEqual({ reason: 'ok', attemptsLeft: 0 });
  expect(closedBy(KEYS, challengeOf())).toBe('used');
  expect(await attempt(true)).toEqual({ reason: 'used', attemptsLeft: 0 });
  expect(recorded()).toEqual([[`${chain()} attempt 1`], [`${chain()} used`, `${chain()} attempt 2`]]);
});

it('counts for each number and each chain of resends by itself', async () => {
  await attempt(true);
  expect(await attempt(true, { challenge: challengeOf({ phone: phone + 1 }) })).toMatchObject({
    reason: 'ok',
  });
  expect(await attempt(true, { challenge: challengeOf({ root: root + 1 }) })).toMatchObject({ reason: 'ok' });
  expect(await attempt(true, { challenge: challengeOf({ id: root + 1 }) })).toMatchObject({ reason: 'used' });
  expect(closedBy(KEYS, challengeOf({ id: root + 1 }))).toBe('used');
});

it('goes on behind the attempts of another process', async () => {
  host.preset(`${chain()} attempt 1`, `${chain()} attempt 2`);
  expect(await attempt(false)).toEqual({ reason: 'wrong', attemptsLeft: 2 });
  expect(await attempt(true)).toEqual({ reason: 'ok', attemptsLeft: 0 });
  // The use is recorded once, with the first try.
  expect(recorded().at(-1)).toEqual([`${chain()} used`, `${chain()} attempt 4`]);
});

it('records the use once where it moves on to a later attempt', async () => {
  host.preset(`${chain()} attempt 1`);
  expect(await attempt(true)).toEqual({ reason: 'ok', attemptsLeft: 0 });
  expect(recorded()).toEqual([[`${chain()} used`, `${chain()} attempt 1`], [`${chain()} attempt 2`]]);
});

it('finds a chain used by another process', async () => {
  host.preset(`${chain()} used`);
  expect(await attempt(true)).toEqual({ reason: 'used', attemptsLeft: 0 });
  expect(closedBy(KEYS, challengeOf())).toBe('used');
});

it.each([true, false])(
  'takes no more where other processes made all attempts (right: %p)',
  async (isRight) => {
    host.preset(...[1, 2, 3].map((n) => `${chain()} attempt ${n}`));
    expect(await attempt(isRight, { most: 3 })).toEqual({ reason: 'too_many_attempts', attemptsLeft: 0 });
    expect(await attempt(isRight, { most: 3 })).toEqual({ reason: 'too_many_attempts', attemptsLeft: 0 });
    // That the code was right doesn't use the chain up: nobody was told.
    expect(closedBy(KEYS, challengeOf())).not.toBe('used');
  },
);

it.each([true, false])('does not count what the store could not record (right: %p)', async (isRight) => {
  failing();
  await expect(attempt(isRight)).rejects.toBe(LOCKED);
  expect(closedBy(KEYS, challengeOf())).not.toBe('used');
  expect(await attempt(false)).toEqual({ reason: 'wrong', attemptsLeft: 4 });
});

it.each([true, false])(
  'does not count what the store recorded for the number and not for the challenge (right: %p)',
  async (isRight) => {
    // Its place among the wrong codes of the number is recorded and free again, so that only the second record fails.
    await attempt(true, { challenge: challengeOf({ root: root + 1 }), mostWrong: 1 });
    failing();
    await expect(attempt(isRight, { most: 1, mostWrong: 1 })).rejects.toBe(LOCKED);
    expect(closedBy(KEYS, challengeOf())).not.toBe('used');
    expect(await attempt(false, { most: 1, mostWrong: 1 })).toEqual({ reason: 'wrong', attemptsLeft: 0 });
  },
);

it('leaves a chain used by a right code where a wrong one before it could not be recorded', () => {
  const memory = new AttemptMemory();
  const at = { most: 5, now, keepUntil: now };
  const wrong = memory.claim('a', { ...at, isRight: false });
  memory.claim('a', { ...at, isRight: true });
  if ('chain' in wrong) release(wrong.chain, false);
  expect(memory.closedBy('a')).toBe('used');
});

describe('The wrong codes of a number', () => {
  /** A wrong code for each of these many challenges of a number. */
  const guess = async (count: number, mostWrong?: number) => {
    const reasons: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const challenge = challengeOf({ root: (root += 1) });
      reasons.push((await attempt(false, { challenge, mostWrong })).reason);
    }
    return reasons;
  };
  const times = (count: number, reason: string) => Array.from({ length: count }, () => reason);

  it('are counted over all its challenges, and then a right code is refused too, for an hour.', async () => {
    expect(await guess(12)).toEqual([...times(10, 'wrong'), ...times(2, 'number_limit')]);
    const challenge = challengeOf({ root: root + 1, expiresAt: now + 2 * HOUR_MS });
    expect(await attempt(true, { challenge })).toEqual({ reason: 'number_limit', attemptsLeft: 0 });
    now += HOUR_MS - 1;
    expect(await attempt(true, { challenge })).toMatchObject({ reason: 'number_limit' });
    now += 1;
    expect(await attempt(true, { challenge })).toMatchObject({ reason: 'ok' });
  });

  it('use up no attempt of a challenge once they are too many.', async () => {
    await guess(9);
    expect(await attempt(false)).toMatchObject({ reason: 'wrong', attemptsLeft: 0 });
    for (let n = 0; n < 5; n += 1) expect(await attempt(false)).toMatchObject({ reason: 'number_limit' });
    expect(closedBy(KEYS, challengeOf())).toBeUndefined();
  });

  it('are those of one number: another one is verified meanwhile.', async () => {
    await guess(10);
    expect(await attempt(true, { challenge: challengeOf({ phone: phone + 1 }) })).toMatchObject({
      reason: 'ok',
    });
  });

  it('leave as many attempts as the number allows, where that is less than the challenge does.', async () => {
    await guess(7);
    const left = [await attempt(false), await attempt(false), await attempt(false)];
    expect(left.map(({ attemptsLeft }) => attemptsLeft)).toEqual([2, 1, 0]);
  });

  it('are not those that were right, however many.', async () => {
    for (let n = 0; n < 30; n += 1) {
      const challenge = challengeOf({ root: (root += 1) });
      expect(await attempt(true, { challenge, mostWrong: 1 })).toMatchObject({ reason: 'ok' });
      expect(await attempt(true, { challenge, mostWrong: 1 })).toMatchObject({ reason: 'used' });
    }
    expect(await guess(2, 1)).toEqual(['wrong', 'number_limit']);
  });

  it('go on where another process has counted them.', async () => {
    await guess(10);
    const counted = [...host.known.values()]
      .flatMap((names) => [...names])
      .filter((name) => name.startsWith('number_limit'));
    expect(counted).toHaveLength(10);
    // This process knows nothing of another number; its names in the record are those of the other process.
    const names = counted.map((name) =>
      name.replace(recordName(KEYS, 'wrong', phone), recordName(KEYS, 'wrong', phone + 1)),
    );
    host.preset(...names);
    const challenge = challengeOf({ phone: phone + 1 });
    expect(await attempt(false, { challenge })).toEqual({ reason: 'number_limit', attemptsLeft: 0 });
  });

  it('are not more than allowed where a crowd enters them at once.', async () => {
    const results = await Promise.all(
      Array.from(
        { length: 50 },
        async (_, n) => await attempt(false, { challenge: challengeOf({ root: root + n }) }),
      ),
    );
    expect(results.filter(({ reason }) => reason === 'wrong')).toHaveLength(10);
    expect(results.filter(({ reason }) => reason === 'number_limit')).toHaveLength(40);
  });
});

describe('what is known of a chain', () => {
  /** Other chains, each of which removes some of the oldest that are over. */
  const others = async (count = 20) => {
    for (let n = 1; n <= count; n += 1) {
      const more = { root: root + n, phone: phone + n, expiresAt: now + 100 * HOUR_MS };
      await attempt(false, { challenge: challengeOf(more) });
    }
    root += 100;
  };
  /** Only the memory counts: the store has forgotten. */
  const again = async (challenge: ReturnType<typeof challengeOf>) => {
    host = new OtpHost();
    return await attempt(false, { challenge });
  };

  it('is kept for an hour after its challenge, in which another may follow', async () => {
    const challenge = challengeOf();
    await attempt(false, { challenge });
    now = challenge.expiresAt + HOUR_MS;
    await others();
    expect(await again(challenge)).toMatchObject({ attemptsLeft: 3 });
  });

  it('is forgotten after that', async () => {
    const challenge = challengeOf();
    await attempt(false, { challenge });
    now = challenge.expiresAt + HOUR_MS + 1;
    await others();
    expect(await again(challenge)).toMatchObject({ attemptsLeft: 4 });
  });

  it('is kept longer where another challenge of the chain was sent', async () => {
    const challenge = challengeOf();
    await attempt(false, { challenge });
    keepAttempts(KEYS, { ...challenge, id: 5, expiresAt: challenge.expiresAt + 10 });
    now = challenge.expiresAt + 10 + HOUR_MS;
    await others();
    expect(await again(challenge)).toMatchObject({ attemptsLeft: 3 });
  });
});
