/** Attempts in the memory of the process and in n8n's store: names, order, other processes, and a store that fails. */
import { countAttempt, isUsed, keepAttempts } from '../../../nodes/MessagingGateway/otp/attempts.ts';
import type { Run } from '../../../nodes/MessagingGateway/run/run.ts';
import { deriveOtpKeys, recordName } from '../../../nodes/gateway/otp/keys.ts';
import { OtpHost } from '../../support/otp-memory.mts';

const KEYS = deriveOtpKeys('a-key');
const HOUR_MS = 3_600_000;
const PHONE = 447700900001;

let now = 1_700_000_000_000;
let root = 1;
let host: OtpHost;

beforeEach(() => {
  // Nothing of an earlier test counts any more.
  now += 1000 * HOUR_MS;
  root += 1000;
  host = new OtpHost();
});

const challengeOf = (more: object = {}) => ({
  id: root,
  root,
  phone: PHONE,
  length: 6,
  issuedAt: now,
  expiresAt: now + 300_000,
  channels: ['sms'],
  ...more,
});
const attempt = async (isRight: boolean, { most = 5, challenge = challengeOf() } = {}) =>
  await countAttempt({ context: host.context({}), now: () => now } as unknown as Run, KEYS, {
    challenge,
    isRight,
    most,
  });
const chain = (of = root) => recordName(KEYS, 'chain', of, PHONE);
const LOCKED = new Error('locked');
const failing = () => host.failures.push(...Array.from({ length: 5 }, () => LOCKED));

it('records each attempt by its number, and the use before it', async () => {
  expect(await attempt(false)).toEqual({ reason: 'wrong', attemptsLeft: 4 });
  expect(isUsed(KEYS, challengeOf())).toBe(false);
  expect(await attempt(true)).toEqual({ reason: 'ok', attemptsLeft: 0 });
  expect(isUsed(KEYS, challengeOf())).toBe(true);
  expect(await attempt(true)).toEqual({ reason: 'used', attemptsLeft: 0 });
  expect(host.recorded).toEqual([[`${chain()} attempt 1`], [`${chain()} used`, `${chain()} attempt 2`]]);
});

it('counts for each number and each chain of resends by itself', async () => {
  await attempt(true);
  expect(await attempt(true, { challenge: challengeOf({ phone: PHONE + 1 }) })).toMatchObject({
    reason: 'ok',
  });
  expect(await attempt(true, { challenge: challengeOf({ root: root + 1 }) })).toMatchObject({ reason: 'ok' });
  expect(await attempt(true, { challenge: challengeOf({ id: root + 1 }) })).toMatchObject({ reason: 'used' });
  expect(isUsed(KEYS, challengeOf({ id: root + 1 }))).toBe(true);
});

it('goes on behind the attempts of another process', async () => {
  host.preset(`${chain()} attempt 1`, `${chain()} attempt 2`);
  expect(await attempt(false)).toEqual({ reason: 'wrong', attemptsLeft: 2 });
  expect(await attempt(true)).toEqual({ reason: 'ok', attemptsLeft: 0 });
  // The use is recorded once, with the first try.
  expect(host.recorded.at(-1)).toEqual([`${chain()} used`, `${chain()} attempt 4`]);
});

it('records the use once where it moves on to a later attempt', async () => {
  host.preset(`${chain()} attempt 1`);
  expect(await attempt(true)).toEqual({ reason: 'ok', attemptsLeft: 0 });
  expect(host.recorded).toEqual([[`${chain()} used`, `${chain()} attempt 1`], [`${chain()} attempt 2`]]);
});

it('finds a chain used by another process', async () => {
  host.preset(`${chain()} used`);
  expect(await attempt(true)).toEqual({ reason: 'used', attemptsLeft: 0 });
  expect(isUsed(KEYS, challengeOf())).toBe(true);
});

it.each([true, false])(
  'takes no more where other processes made all attempts (right: %p)',
  async (isRight) => {
    host.preset(...[1, 2, 3].map((n) => `${chain()} attempt ${n}`));
    expect(await attempt(isRight, { most: 3 })).toEqual({ reason: 'too_many_attempts', attemptsLeft: 0 });
    expect(await attempt(isRight, { most: 3 })).toEqual({ reason: 'too_many_attempts', attemptsLeft: 0 });
    // That the code was right doesn't use the chain up: nobody was told.
    expect(isUsed(KEYS, challengeOf())).toBe(false);
  },
);

it.each([true, false])('does not count what the store could not record (right: %p)', async (isRight) => {
  failing();
  await expect(attempt(isRight)).rejects.toBe(LOCKED);
  expect(isUsed(KEYS, challengeOf())).toBe(false);
  expect(await attempt(false)).toEqual({ reason: 'wrong', attemptsLeft: 4 });
});

describe('what is known of a chain', () => {
  /** Other chains, each of which removes some of the oldest that are over. */
  const others = async (count = 20) => {
    for (let n = 1; n <= count; n += 1) {
      await attempt(false, { challenge: challengeOf({ root: root + n, expiresAt: now + 100 * HOUR_MS }) });
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
