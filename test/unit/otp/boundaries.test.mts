/** Codes, challenges, attempts and fences at the edges of their rules, and what must stay the same over versions. */
import { AttemptMemory } from '../../../nodes/gateway/otp/attempt-memory.ts';
import { openChallenge, sealChallenge } from '../../../nodes/gateway/otp/challenge.ts';
import { calledCode, deriveCode, typedCode } from '../../../nodes/gateway/otp/code.ts';
import type { Fence } from '../../../nodes/gateway/otp/fence-memory.ts';
import { FenceMemory, HOUR_MS } from '../../../nodes/gateway/otp/fence-memory.ts';
import { slotsOf, TakenSlots } from '../../../nodes/gateway/otp/fence-slots.ts';
import { deriveOtpKeys, recordName } from '../../../nodes/gateway/otp/keys.ts';

const KEYS = deriveOtpKeys('a-key-for-tests');
const PHONE = 447700900001;

/** Computed apart from this code, from docs/one-time-passwords.md and the formats below. */
describe('what other processes and later versions have to derive as well', () => {
  it('keys', () => {
    expect(Object.values(KEYS).map((key) => key.toString('hex'))).toEqual([
      '1b74fe82369cbd776582b294059222a3b1023a3528381fb8a99c1feaffa22bae',
      'f607b26690ad851fea25074a413f23cbe288ea3d27dd877322ef7eb48c045c81',
      '7a826caec165309974704a7cc94a8dc6fc3fa0739a012be0cc652cf1ec31a13d',
    ]);
  });

  it.each([
    [1, 4, '7778'],
    [42, 4, '0086'],
    [4_711_000_111, 6, '209672'],
    // The first two 32-bit words are of those that would make some codes likelier than others, so the third one counts.
    [767, 8, '29876796'],
  ])('the code of message %i with %i digits', (id, length, code) => {
    expect(deriveCode(KEYS, { id, phone: PHONE, length })).toBe(code);
    expect(deriveCode(KEYS, { id: String(id), phone: PHONE, length })).toBe(code);
  });

  it('names of records', () => {
    expect(recordName(KEYS, 'chain', 5, PHONE)).toBe('qkxrc1bHQEwOiWOaBLMr-A');
    expect(recordName(KEYS, 'chain', '5', PHONE)).not.toBe(recordName(KEYS, 'chain', 5, PHONE));
  });

  it('challenges', () => {
    const text =
      'AQcHBwcHBwcHBwcHBwMxN0dhAjzFDVz30UaFS89UVYQ2WX55d5xpr53WzXcAtsn_pDL2Z7EckTgG3yTobYgzvOCk3eZOGKTOSgKC7b2dHCPafJ5gm-WTMJeTjlxbZvyyJ0cOWH2UmDhohwutJ44mr63obiCeVcEN5M9mnt8jrH_5HiM5Wp48XLutvoLtnAROPWtyps5Eh7kdqSySoA';
    expect(openChallenge(KEYS, text)).toMatchObject({ id: 5, root: 4, phone: PHONE, code: '0815' });
  });
});

describe('a challenge', () => {
  const challenge = { id: 5, root: 5, phone: PHONE, length: 6, issuedAt: 1, expiresAt: 2, channels: ['sms'] };
  const text = sealChallenge(KEYS, challenge);

  it('is read with blanks around it, up to 4096 characters', () => {
    expect(openChallenge(KEYS, text.padEnd(4096))).toEqual(challenge);
    expect(openChallenge(KEYS, text.padEnd(4097))).toBeUndefined();
  });

  it('is refused, and never throws, where it is too short', () => {
    const bytes = Buffer.from(text, 'base64url');
    for (let length = 0; length < bytes.length; length += 1) {
      expect(openChallenge(KEYS, bytes.subarray(0, length).toString('base64url'))).toBeUndefined();
    }
  });

  it('is one text alone: no other that decodes to the same bytes is taken', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const same = [...alphabet].map((last) => `${text.slice(0, -1)}${last}`);
    const taken = [...same, `${text}=`, `${text}==`, text.replaceAll('-', '+').replaceAll('_', '/')].filter(
      (one) => one !== text && openChallenge(KEYS, one) !== undefined,
    );
    expect(taken).toEqual([]);
  });

  it('has a length in steps of 64 bytes', () => {
    const sizeOf = (channels: string[]) =>
      Buffer.from(sealChallenge(KEYS, { ...challenge, channels }), 'base64url').length;
    // The version, the nonce and the tag are 29 bytes.
    for (let length = 0; length < 200; length += 1) {
      const plain = Buffer.from(JSON.stringify({ ...challenge, channels: ['x'.repeat(length)] })).length;
      expect(sizeOf(['x'.repeat(length)])).toBe(29 + 64 * Math.ceil(plain / 64));
    }
  });
});

describe('a typed code', () => {
  it.each([
    [0, '000000'],
    [`${' '.repeat(94)}123456`, '123456'],
    [`${' '.repeat(95)}123456`, ''],
    ['-1', '1'],
    [2 ** 53, ''],
    [123456n, ''],
  ])('%p is %j', (typed, code) => expect(typedCode(typed, 6)).toBe(code));
});

it.each([
  ['123', undefined],
  ['1234', '1234'],
  ['12345678', '12345678'],
  ['123456789', undefined],
  ['x1234', undefined],
  ['1234x', undefined],
  [0, '0000'],
  [123456789, undefined],
  [['1234'], undefined],
])('the code of a call in %j is %j', (payload, code) => expect(calledCode(payload)).toBe(code));

describe('attempts in memory', () => {
  const at = (now: number, keepUntil = now) => ({ isRight: false, most: 3, now, keepUntil });

  it('move on to the next one as far as the limit goes, and are right no more after it', () => {
    const memory = new AttemptMemory();
    memory.claim('a', { ...at(0), isRight: true });
    expect(memory.moveOn('a', 3)).toEqual({ attempt: 2 });
    expect(memory.closedBy('a')).toBe('used');
    expect(memory.moveOn('a', 3)).toEqual({ attempt: 3 });
    expect(memory.moveOn('a', 3)).toEqual({ refused: 'too_many_attempts' });
    expect(memory.closedBy('a')).toBeUndefined();
    expect(memory.claim('a', at(0))).toEqual({ refused: 'too_many_attempts' });
    expect(memory.moveOn('unknown', 3)).toEqual({ refused: 'too_many_attempts' });
  });

  it('that are taken back leave a use by another one', () => {
    const memory = new AttemptMemory();
    memory.claim('a', at(0));
    memory.claim('a', { ...at(0), isRight: true });
    memory.release('a', false);
    expect(memory.closedBy('a')).toBe('used');
    expect(() => memory.release('unknown', true)).not.toThrow();
    expect(memory.closedBy('unknown')).toBeUndefined();
  });

  it('keep what an attempt or a new challenge needs, and are forgotten in the next millisecond', () => {
    const memory = new AttemptMemory();
    const sweep = (now: number) => memory.claim(`other ${now}`, at(now, Infinity));
    const attempts = () => memory.claim('a', at(0));
    memory.claim('a', at(0, 100));
    memory.claim('a', at(0, 50));
    memory.keep('a', 70);
    sweep(100);
    expect(attempts()).toEqual({ attempt: 3 });
    memory.keep('a', 200);
    sweep(200);
    expect(attempts()).toMatchObject({ refused: 'too_many_attempts' });
    memory.claim('a', at(0, 300));
    sweep(300);
    expect(attempts()).toMatchObject({ refused: 'too_many_attempts' });
    sweep(301);
    expect(attempts()).toEqual({ attempt: 1 });
    expect(() => memory.keep('unknown', 1)).not.toThrow();
  });

  it('look at eight of the oldest chains whenever one is added', () => {
    const memory = new AttemptMemory();
    const isKnown = (name: string) => memory.closedBy(name) === 'used';
    const names = Array.from({ length: 10 }, (_, n) => String(n));
    for (const name of names) memory.claim(name, { ...at(0), isRight: true });
    memory.claim('next', at(1));
    expect(names.filter(isKnown)).toEqual(['8', '9']);
  });

  it('hold as many chains as they may', () => {
    const memory = new AttemptMemory(2);
    for (const name of ['a', 'b', 'c']) memory.claim(name, { ...at(0, 9), isRight: true });
    expect(['a', 'b', 'c'].map((name) => memory.closedBy(name))).toEqual([undefined, 'used', 'used']);
  });
});

const fence = (more: Partial<Fence> = {}): Fence => ({
  reason: 'number_limit',
  name: 'n',
  limit: 2,
  periodMs: HOUR_MS,
  ...more,
});

describe('fences in memory', () => {
  it('name the fence that holds longest', () => {
    const memory = new FenceMemory();
    const cooldown = fence({ reason: 'cooldown', limit: 1, periodMs: 100 });
    const workflow = fence({ reason: 'workflow_limit', name: 'w', limit: 1 });
    expect(memory.reserve([workflow], 0)).toBeUndefined();
    expect(memory.reserve([cooldown], 50)).toBeUndefined();
    const refusal = { reason: 'workflow_limit', limit: 1, retryAfterMs: HOUR_MS - 60 };
    expect(memory.reserve([cooldown, workflow], 60)).toEqual(refusal);
    expect(memory.reserve([workflow, cooldown], 60)).toEqual(refusal);
    expect(memory.reserve([cooldown], 60)).toMatchObject({ reason: 'cooldown', retryAfterMs: 90 });
    const equal = [fence({ limit: 1 }), fence({ reason: 'cooldown', limit: 1 })];
    expect(memory.reserve(equal, 60)).toMatchObject({ reason: 'number_limit' });
    expect(memory.reserve([...equal].reverse(), 60)).toMatchObject({ reason: 'cooldown' });
  });

  it('count a code once for a number with two fences', () => {
    const memory = new FenceMemory();
    const both = [fence({ reason: 'cooldown', limit: 2, periodMs: 100 }), fence()];
    expect([0, 0].map((now) => memory.reserve(both, now))).toEqual([undefined, undefined]);
    expect(memory.reserve(both, 0)).toBeDefined();
  });

  it('take back the newest code of that time alone, and nothing that was not counted', () => {
    const memory = new FenceMemory();
    memory.reserve([fence()], 1);
    memory.reserve([fence()], 2);
    memory.release([fence()], 3);
    memory.release([fence({ name: 'unknown' })], 1);
    expect(memory.reserve([fence()], 3)).toMatchObject({ retryAfterMs: HOUR_MS - 2 });
    memory.release([fence()], 2);
    expect(memory.reserve([fence()], 3)).toBeUndefined();
    memory.release([fence()], 1);
    expect(memory.reserve([fence()], 3)).toBeUndefined();
    expect(memory.reserve([fence()], 3)).toMatchObject({ retryAfterMs: HOUR_MS });
  });

  it('wait for as many codes to grow old as are too many', () => {
    const memory = new FenceMemory();
    for (const now of [0, 10, 20]) expect(memory.reserve([fence({ limit: 3 })], now)).toBeUndefined();
    expect(memory.reserve([fence()], 30)).toMatchObject({ retryAfterMs: HOUR_MS - 20 });
  });

  it('forget a code after an hour, to the millisecond', () => {
    const memory = new FenceMemory(3);
    const one = (name: string) => fence({ name, limit: 1, periodMs: 2 * HOUR_MS });
    memory.reserve([one('a')], 0);
    memory.reserve([one('b')], HOUR_MS - 1);
    // The period of `one` is longer than what is kept, so a refusal shows what is still known.
    expect(memory.reserve([one('a')], HOUR_MS)).toBeDefined();
    memory.reserve([one('c')], HOUR_MS);
    expect(memory.reserve([one('a')], HOUR_MS)).toBeUndefined();
    expect(memory.reserve([one('b')], HOUR_MS)).toBeDefined();
  });

  it('drop codes of a number that are an hour old when it gets another', () => {
    const memory = new FenceMemory();
    const long = (limit: number) => [fence({ limit, periodMs: 2 * HOUR_MS })];
    expect(memory.reserve(long(5), 0)).toBeUndefined();
    expect(memory.reserve(long(5), HOUR_MS)).toBeUndefined();
    expect(memory.reserve(long(2), HOUR_MS)).toBeUndefined();
    expect(memory.reserve(long(2), HOUR_MS)).toBeDefined();
  });

  it('look at eight of the oldest names whenever one is added', () => {
    const memory = new FenceMemory();
    const one = (name: string) => [fence({ name, limit: 1, periodMs: 2 * HOUR_MS })];
    const names = Array.from({ length: 10 }, (_, n) => String(n));
    for (const name of names) memory.reserve(one(name), 0);
    memory.reserve(one('next'), HOUR_MS);
    expect(names.slice(8).map((name) => memory.reserve(one(name), HOUR_MS))).not.toContain(undefined);
    expect(memory.reserve(one('7'), HOUR_MS)).toBeUndefined();
  });

  it('hold as many names as they may, the newest of them', () => {
    const again = new FenceMemory(3);
    const two = (name: string) => [fence({ name })];
    for (const name of ['a', 'b', 'a', 'c', 'd']) again.reserve(two(name), 0);
    expect(again.reserve(two('a'), 1)).toBeDefined();
    const memory = new FenceMemory(2);
    const one = (name: string) => fence({ name, limit: 1 });
    for (const name of ['a', 'b', 'c']) memory.reserve([one(name)], 0);
    expect(memory.reserve([one('c')], 1)).toBeDefined();
    expect(memory.reserve([one('b')], 1)).toBeDefined();
    expect(memory.reserve([one('a')], 1)).toBeUndefined();
  });
});

describe('the slots of a fence', () => {
  it('begin at times that are evenly spread, and those come first that stay taken longest', () => {
    const slots = slotsOf(fence({ limit: 4, periodMs: 100 }), 1030);
    expect(slots).toEqual([
      { name: 'number_limit n 3/4 100 11', opensAt: 1125 },
      { name: 'number_limit n 0/4 100 10', opensAt: 1100 },
      { name: 'number_limit n 1/4 100 10', opensAt: 1075 },
      { name: 'number_limit n 2/4 100 10', opensAt: 1050 },
    ]);
  });

  it('are recorded a tenth at once, given back, and forgotten with their period', async () => {
    const taken = new TakenSlots();
    const one = fence({ limit: 20 });
    const names = slotsOf(one, 0).map(({ name }) => name);
    const recorded: string[][] = [];
    let failure: Error | undefined;
    const take = async (now = 0) =>
      await taken.take(slotsOf(one, now), now, async (block) => {
        recorded.push([...block]);
        if (failure) throw failure;
        return await Promise.resolve(new Set<string>());
      });
    expect(await take()).toBe(names[0]);
    expect(recorded).toEqual([names.slice(0, 2)]);
    // A slot that isn't this process's can't be given back.
    taken.giveBack(names[5]);
    expect(await take()).toBe(names[1]);
    expect(recorded).toHaveLength(1);
    failure = new Error('locked');
    await expect(take()).rejects.toBe(failure);
    failure = undefined;
    expect(await take()).toBe(names[2]);
    expect(recorded.slice(1)).toEqual([names.slice(2, 4), names.slice(2, 4)]);
    taken.giveBack(names[2]);
    expect(await take()).toBe(names[2]);
    const later = 2 * HOUR_MS;
    expect(await take(later)).toBe(slotsOf(one, later)[0].name);
    // What was forgotten with its period isn't given back.
    taken.giveBack(names[3]);
    expect(await take()).toBe(names[0]);
  });

  it('are remembered for a minute after they open again', async () => {
    const one = fence({ limit: 1 });
    const [{ name, opensAt }] = slotsOf(one, 0);
    const take = async (taken: TakenSlots, now: number) => {
      const recorded: string[] = [];
      await taken.take(slotsOf(one, now), now, async (names) => {
        recorded.push(...names);
        return await Promise.resolve(new Set<string>());
      });
      return recorded;
    };
    for (const [after, isForgotten] of [[59_999, false], [60_000, true]] as const) {
      const taken = new TakenSlots();
      expect(await take(taken, 0)).toEqual([name]);
      expect(await take(taken, opensAt + after)).toHaveLength(1);
      expect(await take(taken, 0)).toEqual(isForgotten ? [name] : []);
    }
  });

  it('are recorded once each by codes that came before and after one of them opened', async () => {
    const one = fence({ limit: 5 });
    const opens = Math.min(...slotsOf(one, 0).map(({ opensAt }) => opensAt));
    const taken = new TakenSlots();
    const recorded: string[] = [];
    // Another process has taken them all.
    const record = async (names: readonly string[]) => {
      recorded.push(...names);
      if (recorded.length > 100) throw new Error('There is no end of it');
      return await new Promise<Set<string>>((done) => setImmediate(() => done(new Set(names))));
    };
    const times = [opens - 1, opens, opens - 1, opens];
    const slots = await Promise.all(times.map(async (now) => await taken.take(slotsOf(one, now), now, record)));
    expect(slots).toEqual(times.map(() => undefined));
    expect(recorded).toHaveLength(6);
    expect(new Set(recorded).size).toBe(6);
  });

  it('are recorded by one code for all that come meanwhile, and then by the next', async () => {
    const taken = new TakenSlots();
    const current = slotsOf(fence({ limit: 20 }), 0);
    const names = current.map(({ name }) => name);
    const answers: Array<(known: ReadonlySet<string>) => void> = [];
    const record = async () => await new Promise<ReadonlySet<string>>((resolve) => answers.push(resolve));
    const codes = Array.from({ length: 3 }, async () => await taken.take(current, 0, record));
    expect(answers).toHaveLength(1);
    answers[0](new Set([names[0]]));
    expect(await codes[0]).toBe(names[1]);
    await new Promise(setImmediate);
    expect(answers).toHaveLength(2);
    answers[1](new Set());
    expect(await Promise.all(codes)).toEqual([names[1], names[2], names[3]]);
  });

  it('are not taken where all of them were', async () => {
    const current = slotsOf(fence({ limit: 20 }), 0);
    const blocks: number[] = [];
    const slot = await new TakenSlots().take(current, 0, async (block) => {
      blocks.push(block.length);
      return await Promise.resolve(new Set(block));
    });
    expect(slot).toBeUndefined();
    expect(blocks).toEqual(Array.from({ length: 10 }, () => 2));
  });
});
