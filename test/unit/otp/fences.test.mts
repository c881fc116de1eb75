/** Fences in the memory of the process and in n8n's store: names, order, other processes, and a store that fails. */
import { fencesOf, passFences } from '../../../nodes/MessagingGateway/otp/fences.ts';
import type { FenceLimits, Passage } from '../../../nodes/MessagingGateway/otp/fences.ts';
import type { Run } from '../../../nodes/MessagingGateway/run/run.ts';
import type { Fence, FenceRefusal } from '../../../nodes/gateway/otp/fence-memory.ts';
import { HOUR_MS } from '../../../nodes/gateway/otp/fence-memory.ts';
import { slotsOf } from '../../../nodes/gateway/otp/fence-slots.ts';
import { deriveOtpKeys, recordName } from '../../../nodes/gateway/otp/keys.ts';
import { OtpHost } from '../../support/otp-memory.mts';

const KEYS = deriveOtpKeys('a-key');
const MINUTE_MS = 60_000;

let now = 1_700_000_000_000;
let phone = 447700900001;
let host: OtpHost;

beforeEach(() => {
  now += 1000 * HOUR_MS;
  phone += 1;
  host = new OtpHost();
});

const run = () => ({ context: host.context({}), now: () => now }) as unknown as Run;
const fences = (limits: Partial<FenceLimits> = {}) =>
  fencesOf(run(), KEYS, phone, { perNumber: 2, cooldownMs: 0, ...limits });
const pass = async (list: readonly Fence[] = fences()) => await passFences(run(), list);
const isPassage = (passed: Passage | FenceRefusal): passed is Passage => 'release' in passed;
const namesOf = (fence: Fence) => slotsOf(fence, now).map(({ name }) => name);
const LOCKED = new Error('locked');
const failing = () => host.failures.push(...Array.from({ length: 5 }, () => LOCKED));

describe('the fences of a code', () => {
  it('are the limit of its number, and those that are asked for', () => {
    const name = recordName(KEYS, 'number', phone);
    const workflow = recordName(KEYS, 'workflow', 'workflow');
    const limit = { reason: 'number_limit', name, limit: 2, periodMs: HOUR_MS };
    expect(fences()).toEqual([limit]);
    expect(fences({ cooldownMs: 1, workflow: 100 })).toEqual([
      { reason: 'cooldown', name, limit: 1, periodMs: 1 },
      limit,
      { reason: 'workflow_limit', name: workflow, limit: 100, periodMs: HOUR_MS },
    ]);
  });

  it('belong to the workflow, also to one that was never saved', () => {
    const nameOf = () => fences({ workflow: 1 })[1].name;
    const saved = nameOf();
    host.workflowId = undefined;
    expect(nameOf()).toBe(recordName(KEYS, 'workflow', ''));
    expect(nameOf()).not.toBe(saved);
  });
});

it('takes a slot of each fence, in order, before the code counts', async () => {
  const list = fences({ cooldownMs: 30_000, workflow: 3 });
  expect(isPassage(await pass(list))).toBe(true);
  expect(host.recorded).toEqual(list.map((fence) => namesOf(fence).slice(0, 1)));
});

it('refuses by its memory without asking the store', async () => {
  expect(isPassage(await pass())).toBe(true);
  now += 10 * MINUTE_MS;
  expect(isPassage(await pass())).toBe(true);
  const { length } = host.recorded;
  expect(await pass()).toEqual({ reason: 'number_limit', limit: 2, retryAfterMs: 50 * MINUTE_MS });
  expect(host.recorded).toHaveLength(length);
});

describe('where other processes have sent codes', () => {
  it('takes the next slot', async () => {
    const [fence] = fences();
    host.preset(namesOf(fence)[0]);
    expect(isPassage(await pass())).toBe(true);
    expect(host.recorded).toEqual(namesOf(fence).map((name) => [name]));
  });

  it('refuses until the first slot opens where all are taken, and counts nothing', async () => {
    const list = fences({ cooldownMs: 30_000 });
    host.preset(...list.flatMap(namesOf));
    const cooldown = slotsOf(list[0], now)[0].opensAt - now;
    expect(await pass(list)).toEqual({ reason: 'cooldown', limit: 1, retryAfterMs: cooldown });
    const opens = slotsOf(list[1], now).map(({ opensAt }) => opensAt - now);
    expect(await pass([list[1]])).toEqual({
      reason: 'number_limit',
      limit: 2,
      retryAfterMs: Math.min(...opens),
    });
    now += Math.min(...opens);
    expect(isPassage(await pass([list[1]]))).toBe(true);
  });

  it('gives back the slots of earlier fences', async () => {
    const list = fences({ cooldownMs: 30_000, workflow: 1 });
    host.preset(...namesOf(list[2]));
    expect(await pass(list)).toMatchObject({ reason: 'workflow_limit', limit: 1 });
    // Neither memory nor slots are used up: the same code passes without the third fence, and records nothing new.
    const { length } = host.recorded;
    expect(isPassage(await pass(list.slice(0, 2)))).toBe(true);
    expect(host.recorded).toHaveLength(length);
  });

  it('keeps slots beyond the one that it needs for the next codes', async () => {
    const list = fences({ perNumber: 20 });
    expect(isPassage(await pass(list))).toBe(true);
    expect(host.recorded).toEqual([namesOf(list[0]).slice(0, 2)]);
    expect(isPassage(await pass(list))).toBe(true);
    expect(host.recorded).toHaveLength(1);
    expect(isPassage(await pass(list))).toBe(true);
    expect(host.recorded).toHaveLength(2);
  });
});

describe('simultaneous codes', () => {
  const crowd = (count: number, limits: Partial<FenceLimits>) =>
    Array.from({ length: count }, (_, i) => fencesOf(run(), KEYS, phone + 1000 * i, { perNumber: 1, cooldownMs: 0, ...limits }));

  it('all pass while there is room, and share what one of them records', async () => {
    const passed = await Promise.all(crowd(150, { workflow: 1000 }).map(pass));
    expect(passed.filter((one) => !isPassage(one))).toEqual([]);
    // Two tenths of the limit, since one isn't enough.
    const slots = new Set(host.recorded.flat().filter((name) => name.startsWith('workflow_limit')));
    expect(slots.size).toBe(200);
  });

  it('pass up to the limit', async () => {
    const passed = await Promise.all(crowd(30, { workflow: 20 }).map(pass));
    expect(passed.filter(isPassage)).toHaveLength(20);
    expect(passed.filter((one) => !isPassage(one))).toEqual(
      Array.from({ length: 10 }, () => expect.objectContaining({ reason: 'workflow_limit', limit: 20 })),
    );
  });

  it('fail together where the store fails, and count nothing', async () => {
    const lists = crowd(15, { workflow: 1000 }).map((list) => [list[1]]);
    failing();
    const results = await Promise.allSettled(lists.map(pass));
    expect(results.map(({ status }) => status)).toEqual(lists.map(() => 'rejected'));
    expect(isPassage(await pass(lists[0]))).toBe(true);
  });
});

it('counts a code that was not sent under none of its fences', async () => {
  const list = fences({ cooldownMs: 30_000, perNumber: 1 });
  for (let n = 0; n < 5; n += 1) {
    const passed = await pass(list);
    if (!isPassage(passed)) throw new Error(passed.reason);
    passed.release();
  }
  // The slots are used again.
  expect(host.recorded).toHaveLength(2);
});

it('fails with the error of the store, and counts nothing', async () => {
  const list = fences({ cooldownMs: 30_000, perNumber: 1 });
  failing();
  await expect(pass(list)).rejects.toBe(LOCKED);
  expect(isPassage(await pass(list))).toBe(true);
  expect(host.recorded.slice(-2)).toEqual(list.map(namesOf));
});

it('gives back what it took before the store failed', async () => {
  const [cooldown, limit] = fences({ cooldownMs: 30_000, perNumber: 1 });
  const passed = await pass([cooldown]);
  if (isPassage(passed)) passed.release();
  failing();
  await expect(pass([cooldown, limit])).rejects.toBe(LOCKED);
  const { length } = host.recorded;
  expect(isPassage(await pass([cooldown]))).toBe(true);
  expect(host.recorded).toHaveLength(length);
});

it('keeps the slots of fences apart that differ in anything', async () => {
  const [one] = fences({ perNumber: 1 });
  const others: Fence[] = [
    { ...one, name: `${one.name}x` },
    { ...one, reason: 'workflow_limit', name: `${one.name}y` },
    { ...one, periodMs: one.periodMs / 2, name: `${one.name}z` },
  ];
  for (const fence of [one, ...others]) {
    expect(isPassage(await pass([fence]))).toBe(true);
    expect(host.recorded.at(-1)).toEqual(namesOf(fence));
  }
});
