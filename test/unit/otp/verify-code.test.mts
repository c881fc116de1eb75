/** Verify: what it answers and counts, in this process and in others, what a repeated try does, and what empty input is. */
import type { IDataObject } from 'n8n-workflow';

import { sealChallenge } from '../../../nodes/gateway/otp/challenge.ts';
import { deriveCode, deriveOtpKeys, purposeName } from '../../../nodes/gateway/otp/code.ts';
import { API_KEY, errorOf, jsonOf, LOCKED, OtpHost, restart } from '../../support/otp-memory.mts';
import { wrongFor } from '../../support/otp.mts';

const KEYS = deriveOtpKeys(API_KEY);
const HOUR_MS = 3_600_000;

let id = 1_000_000;
let phone = 447700900001;
/** A full hour. */
let now = Date.UTC(2026, 0, 1);
let host: OtpHost;

beforeEach(() => {
  // Nothing of an earlier test counts any more.
  now = HOUR_MS * (Math.ceil(now / HOUR_MS) + 1000);
  phone += 1000;
  host = new OtpHost();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** A challenge that was sent just now, and items that answer it. */
function sent(more: object = {}) {
  const times = { issuedAt: now, expiresAt: now + 300_000 };
  const purpose = purposeName(KEYS, undefined, 'workflow');
  const challenge = { id: (id += 1), phone, length: 6, root: id, purpose, ...times, ...more };
  const code = deriveCode(KEYS, challenge);
  const given = { challenge: sealChallenge(KEYS, challenge), phone: challenge.phone };
  const right: IDataObject = { ...given, code };
  return { challenge, code, right, wrong: { ...given, code: wrongFor(code) } as IDataObject };
}
const verify = async (items: IDataObject[], ...more: [IDataObject?]) =>
  (await host.verify(items, ...more)).map(jsonOf);
const answer = (reason: string, left = 0) => ({
  ...{ valid: reason === 'ok', reason, attempts_left: left },
  // Nothing is known of a number without a challenge.
  ...(reason !== 'invalid' && { phone }),
});
/** Options that each item has of its own. */
const OWN_OPTIONS = '={{ $json.options }}' as unknown as IDataObject;
const STOP = { onError: 'stopWorkflow' } as const;

describe('The answer', () => {
  it('is ok once, and used after that, also among the items of a run, and in a resend.', async () => {
    const { challenge, right, wrong } = sent();
    expect(await verify([wrong])).toEqual([answer('wrong', 4)]);
    expect(await verify([wrong, right, right])).toEqual([answer('wrong', 3), answer('ok'), answer('used')]);
    expect(await verify([wrong])).toEqual([answer('used')]);
    const { root } = challenge;
    const others = [sent({ root }), sent({ root, phone: phone + 1 }), sent()];
    const reasons = (await verify(others.map((other) => other.right))).map(({ reason }) => reason);
    expect(reasons).toEqual(['used', 'ok', 'ok']);
  });

  it('is invalid or expired for what is not its own, counts nothing, and a hint says what invalid means.', async () => {
    const expired = sent({ expiresAt: now }).right;
    expect(await verify([expired])).toEqual([answer('expired')]);
    expect(host.hints).toEqual([]);
    const { right } = sent();
    const answers = await verify([{ ...right, challenge: 'x' }, { ...right, phone: 1 }, expired]);
    expect(answers).toEqual([answer('invalid'), answer('invalid'), answer('expired')]);
    expect(host.store.recorded).toEqual([]);
    expect(host.hints).toEqual([
      expect.stringContaining("'Challenge' is not a challenge of this API key for this phone number"),
    ]);
  });

  it('allows as many attempts as the options say.', async () => {
    const { wrong } = sent();
    const answers = await verify([wrong, wrong, wrong], { maxAttempts: 2 });
    expect(answers).toEqual([answer('wrong', 1), answer('wrong'), answer('too_many_attempts')]);
    expect(await verify([sent().wrong], { maxAttemptsPerNumber: 2 })).toEqual([answer('number_limit')]);
  });

  it('has the number of the challenge, in whatever notation it was given.', async () => {
    const spaced = String(phone).replace(/(..)(....)/, '+$1 $2 ');
    for (const written of [spaced, `00${phone}`, `tel:+${phone}`])
      expect(await verify([{ ...sent().right, phone: written }])).toEqual([answer('ok')]);
  });
});

describe('What cannot be a code', () => {
  it('costs no attempt, and the code is right after it.', async () => {
    const { right } = sent();
    for (const code of ['12345', '1234567', 'what?', ' ', ',', [], ['1', '2'], { code: 1 }])
      expect(await verify([{ ...right, code } as IDataObject])).toEqual([answer('wrong', 5)]);
    expect(host.store.recorded).toEqual([]);
    expect(await verify([right])).toEqual([answer('ok')]);
    expect(await verify([{ ...right, code: '1' }])).toEqual([answer('used')]);
  });

  it('is told that too many were tried, as a code is.', async () => {
    const { right, wrong } = sent();
    await verify([wrong, wrong], { maxAttempts: 2 });
    expect(await verify([{ ...right, code: '1' }], { maxAttempts: 2 })).toEqual([
      answer('too_many_attempts'),
    ]);
  });
});

describe('A purpose', () => {
  const forLogin = () => sent({ purpose: purposeName(KEYS, 'login', '') });

  it('has to be the same in Send and Verify; otherwise no code is compared or counted, and a hint says why.', async () => {
    const { right } = forLogin();
    for (const purpose of ['newsletter', '', undefined])
      expect(await verify([right], { purpose })).toEqual([answer('invalid')]);
    expect(host.store.recorded).toEqual([]);
    expect(host.hints).toEqual(
      Array(3).fill(expect.stringContaining('the code was sent for another purpose')),
    );
    expect(await verify([right], { purpose: ' login ' })).toEqual([answer('ok')]);
  });

  it('is the workflow where nothing is said, so that a code of another workflow is invalid.', async () => {
    const { right } = sent();
    host.workflowId = 'another';
    expect(await verify([right])).toEqual([answer('invalid')]);
    const { right: login } = forLogin();
    expect(await verify([login], { purpose: 'login' })).toEqual([answer('ok')]);
  });

  it('that is no text fails its item.', async () => {
    const [result] = await host.verify([sent().right], { purpose: { a: 1 } });
    expect(errorOf(result).error.message).toMatch(/^'Purpose' must be/);
  });
});

describe('After a restart', () => {
  it('a used code stays used, attempts go on, and so do the wrong codes of the number, at any node of the workflow.', async () => {
    const [one, two] = [sent(), sent()];
    await verify([one.wrong, one.right, two.wrong, two.wrong]);
    restart();
    host.nodeId = 'another';
    expect(await verify([one.right])).toEqual([answer('used')]);
    expect(await verify([two.wrong])).toEqual([answer('wrong', 2)]);
    const limited = { maxAttemptsPerNumber: 4 };
    for (const typed of ['right', 'wrong'] as const) {
      restart();
      expect(await verify([sent()[typed]], limited)).toEqual([answer('number_limit')]);
    }
  });

  it.each(['right', 'wrong'] as const)('all attempts stay made, before a %s one.', async (typed) => {
    const one = sent();
    await verify([one.wrong, one.wrong], { maxAttempts: 2 });
    restart();
    for (let n = 0; n < 2; n += 1)
      expect(await verify([one[typed]], { maxAttempts: 2 })).toEqual([answer('too_many_attempts')]);
  });
});

it('A code that was used in one workflow is used in another with the same purpose, within a process.', async () => {
  const { right } = sent({ purpose: purposeName(KEYS, 'login', '') });
  expect(await verify([right], { purpose: 'login' })).toEqual([answer('ok')]);
  host.workflowId = 'another';
  expect(await verify([right], { purpose: 'login' })).toEqual([answer('used')]);
});

it('Of simultaneous codes, as many are compared as there are attempts, and one is right.', async () => {
  const { right, wrong } = sent();
  const all = async (items: IDataObject[]) =>
    (await Promise.all(items.map(async (item) => await verify([item])))).flat();
  const reasons = (await all(Array(7).fill(wrong))).map(({ reason }) => reason);
  expect(reasons.sort()).toEqual([...Array(2).fill('too_many_attempts'), ...Array(5).fill('wrong')]);
  expect((await all([right])).map(({ reason }) => reason)).toEqual(['too_many_attempts']);
  const other = sent();
  expect((await all(Array(3).fill(other.right))).map(({ reason }) => reason).sort()).toEqual([
    'ok',
    'used',
    'used',
  ]);
});

describe('The wrong codes of a number', () => {
  /** A wrong code for each of these many challenges of a number. */
  const guess = async (count: number, ...options: [IDataObject?]) =>
    await verify(
      Array.from({ length: count }, () => sent().wrong),
      ...options,
    );

  it('are counted over all its challenges, and then a right code is refused too, for an hour.', async () => {
    const left = [4, 4, 4, 4, 4, 4, 3, 2, 1, 0].map((n) => answer('wrong', n));
    expect(await guess(11)).toEqual([...left, answer('number_limit')]);
    const one = sent({ expiresAt: now + 2 * HOUR_MS });
    // They use up no attempt of a challenge then.
    for (const typed of ['right', 'wrong', 'wrong', 'wrong', 'wrong', 'wrong', 'wrong'] as const)
      expect(await verify([one[typed]])).toEqual([answer('number_limit')]);
    now += HOUR_MS - 1;
    expect(await verify([one.right])).toEqual([answer('number_limit')]);
    expect(await verify([sent({ phone: phone + 1 }).right])).toMatchObject([{ reason: 'ok' }]);
    now += 1;
    expect(await verify([one.right])).toEqual([answer('ok')]);
  });

  it('are not those that were right, however many.', async () => {
    const limited = { maxAttemptsPerNumber: 1 };
    for (let n = 0; n < 30; n += 1) expect(await verify([sent().right], limited)).toEqual([answer('ok')]);
    expect(await guess(2, limited)).toEqual([answer('wrong'), answer('number_limit')]);
  });
});

it('An option out of its range fails its item, and the others go on.', async () => {
  const items = [{ maxAttempts: 11 }, {}].map((options) => ({ ...sent().right, options }));
  const [bad, good] = await host.verify(items, OWN_OPTIONS);
  expect(errorOf(bad).error.message).toBe("'Max Attempts' must be a whole number from 1 to 10, not 11");
  expect(jsonOf(good)).toEqual(answer('ok'));
});

it.each<[string, IDataObject]>([
  ["'Max Attempts' must be a whole number from 1 to 10, not 11", { options: { maxAttempts: 11 } }],
  ["'Code' is empty", { options: {}, code: '' }],
])('%s: that ends the run before anything is counted, where On Error is set to stop.', async (words, bad) => {
  const items = [{ options: {} }, bad].map((more) => ({ ...sent().right, ...more }));
  await expect(host.verify(items, OWN_OPTIONS, STOP)).rejects.toThrow(`${words} [item 1]`);
  expect(host.store.recorded).toEqual([]);
});

describe('A repeated try', () => {
  it('answers what the first one answered, and counts nothing.', async () => {
    const { right, wrong } = sent();
    const memory = {};
    const first = await host.verify([wrong], {}, { memory });
    const { length } = host.store.recorded;
    expect(await host.verify([right], {}, { memory })).toEqual(first);
    expect(host.store.recorded).toHaveLength(length);
    expect(await verify([wrong])).toEqual([answer('wrong', 3)]);
  });

  it('goes on with what could not be recorded, and did not count.', async () => {
    const { right } = sent();
    const memory = {};
    host.store.failures.push(...LOCKED);
    const [first] = await host.verify([right], {}, { memory });
    expect(errorOf(first).error).toMatchObject({
      message: 'n8n could not record this in its database',
      description:
        "Nothing was verified for this row this time. n8n's database answered: locked. Run the node again.",
    });
    expect((await host.verify([right], {}, { memory })).map(jsonOf)).toEqual([answer('ok')]);
  });
});

describe('Empty input', () => {
  const DRAG = 'from the output of the node that sent the code, and not from the form page between them.';

  it.each<[string, unknown, string, string]>([
    ['challenge', '', "'Challenge' is empty", `Nothing was verified. Drag "challenge" ${DRAG}`],
    ['challenge', undefined, "'Challenge' is empty", `Nothing was verified. Drag "challenge" ${DRAG}`],
    ['phone', null, "'Phone Number' is empty", `Nothing was verified. Drag "phone" ${DRAG}`],
    ['code', '', "'Code' is empty", 'Nothing was verified. Drag the field that the person filled in'],
  ])('of %s (%j) is an error: %s, and what to drag there.', async (field, value, message, advice) => {
    const [result] = await host.verify([{ ...sent().right, [field]: value as string }]);
    const { error, json } = errorOf(result);
    expect(error.message).toBe(message);
    expect(error.description).toContain(advice);
    expect(json).toEqual(answer('invalid'));
    expect(host.store.recorded).toEqual([]);
  });

  it('of an API key lets nothing be verified.', async () => {
    for (host.apiKey of ['', '  ', undefined])
      await expect(host.verify([sent().right])).rejects.toMatchObject({
        message: "'API Key' of the credential is empty",
        description: expect.stringMatching(/^Nothing was verified\. Open the credential/),
      });
  });
});
