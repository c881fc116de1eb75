/** Verify: what it answers, what it counts, what a repeated try does, and what it does with empty input. */
import type { IDataObject } from 'n8n-workflow';

import { sealChallenge } from '../../../nodes/gateway/otp/challenge.ts';
import { deriveCode } from '../../../nodes/gateway/otp/code.ts';
import { deriveOtpKeys } from '../../../nodes/gateway/otp/keys.ts';
import { API_KEY, errorOf, jsonOf, OtpHost } from '../../support/otp-memory.mts';
import { wrongFor } from '../../support/otp.mts';

const KEYS = deriveOtpKeys(API_KEY);
const PHONE = 447700900001;
const answer = (reason: string, left = 0) => ({
  ...{ valid: reason === 'ok', reason, attempts_left: left },
  // Nothing is known of a number without a challenge.
  ...(reason !== 'invalid' && { phone: PHONE }),
});

let id = 1_000_000;
let now = Date.UTC(2026, 0, 1);
let host: OtpHost;

beforeEach(() => {
  // Wrong codes of earlier tests count no more.
  now += 86_400_000;
  host = new OtpHost();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A challenge that was sent just now, its code, and an item that answers it. */
function sent(more: object = {}) {
  const source = { id: (id += 1), phone: PHONE, length: 6 };
  const times = { issuedAt: now, expiresAt: now + 300_000 };
  const challenge = sealChallenge(KEYS, { ...source, ...times, root: id, ...more });
  const code = deriveCode(KEYS, source);
  const item = (typed = code): IDataObject => ({ challenge, phone: PHONE, code: typed });
  return { item, code, wrong: item(wrongFor(code)) };
}
const verify = async (...items: IDataObject[]) => (await host.verify(items)).map(jsonOf);
/** Options that each item has of its own. */
const OWN_OPTIONS = '={{ $json.options }}' as unknown as IDataObject;
const STOP = { onError: 'stopWorkflow' } as const;

describe('The answer', () => {
  it('is ok once, and used after that, also among the items of a run.', async () => {
    const { item, wrong } = sent();
    expect(await verify(wrong)).toEqual([answer('wrong', 4)]);
    expect(await verify(wrong, item(), item())).toEqual([answer('wrong', 3), answer('ok'), answer('used')]);
    expect(await verify(item())).toEqual([answer('used')]);
  });

  it('is invalid or expired for what is not its own, counts nothing, and a hint says what invalid means.', async () => {
    const { item } = sent();
    expect(await verify(sent({ expiresAt: now }).item())).toEqual([answer('expired')]);
    expect(host.hints).toEqual([]);
    const expired = sent({ expiresAt: now }).item();
    const answers = await verify({ ...item(), challenge: 'x' }, { ...item(), phone: 1 }, expired);
    expect(answers).toEqual([answer('invalid'), answer('invalid'), answer('expired')]);
    expect(host.recorded).toEqual([]);
    expect(host.hints).toEqual([
      expect.stringContaining("'Challenge' is not a challenge of this API key for this phone number"),
    ]);
  });

  it('allows as many attempts as the option says.', async () => {
    const { wrong } = sent();
    const answers = (await host.verify([wrong, wrong, wrong], { maxAttempts: 2 })).map(jsonOf);
    expect(answers).toEqual([answer('wrong', 1), answer('wrong'), answer('too_many_attempts')]);
    const limited = { maxAttemptsPerNumber: 2 };
    expect((await host.verify([sent().wrong], limited)).map(jsonOf)).toEqual([answer('number_limit')]);
  });

  it('has the number of the challenge, in whatever notation it was given.', async () => {
    for (const phone of ['+44 7700 900001', '00447700900001', 'tel:+447700900001']) {
      expect(await verify({ ...sent().item(), phone })).toEqual([answer('ok')]);
    }
  });

  it('leaves the input as it is, whatever was typed.', async () => {
    const { item, code } = sent();
    const input = { ...item(), amount: Number(code), list: [code, { deep: code }] };
    const before = structuredClone(input);
    await host.verify([input]);
    expect(input).toEqual(before);
  });
});

describe('An option out of its range', () => {
  const two = () => [
    { ...sent().item(), options: { maxAttempts: 11 } },
    { ...sent().item(), options: {} },
  ];

  it('fails its item, and the others go on.', async () => {
    const [bad, good] = await host.verify(two(), OWN_OPTIONS);
    expect(errorOf(bad).error.message).toBe("'Max Attempts' must be a whole number from 1 to 10");
    expect(jsonOf(good)).toEqual(answer('ok'));
  });

  it('ends the run before anything is counted, where On Error is set to stop.', async () => {
    await expect(host.verify(two().reverse(), OWN_OPTIONS, STOP)).rejects.toThrow(
      "'Max Attempts' must be a whole number from 1 to 10 [item 1]",
    );
    expect(host.recorded).toEqual([]);
  });
});

describe('A repeated try', () => {
  it('answers what the first one answered, and counts nothing.', async () => {
    const { item, wrong } = sent();
    const memory = {};
    const first = await host.verify([wrong], {}, { memory });
    const { length } = host.recorded;
    expect(await host.verify([item()], {}, { memory })).toEqual(first);
    expect(host.recorded).toHaveLength(length);
    expect(await verify(wrong)).toEqual([answer('wrong', 3)]);
  });

  it('goes on with what could not be recorded.', async () => {
    const { item } = sent();
    const memory = {};
    host.failures.push(...Array.from({ length: 5 }, () => new Error('locked')));
    const [first] = await host.verify([item()], {}, { memory });
    expect(errorOf(first).error.message).toBe('n8n could not record this in its database');
    expect((await host.verify([item()], {}, { memory })).map(jsonOf)).toEqual([answer('ok')]);
  });
});

describe('Empty input', () => {
  const DRAG = 'from the output of the node that sent the code, and not from the form page between them.';

  it.each<[string, unknown, string, string]>([
    ['challenge', '', "'Challenge' is empty", `Nothing was verified. Drag "challenge" ${DRAG}`],
    ['challenge', undefined, "'Challenge' is empty", `Nothing was verified. Drag "challenge" ${DRAG}`],
    ['phone', null, "'Phone Number' is empty", `Nothing was verified. Drag "phone" ${DRAG}`],
    ['code', ' ', "'Code' is empty", 'Nothing was verified. Drag the field that the person filled in'],
  ])(
    'of %s (%j) is an error that names the field and what to drag there.',
    async (field, value, message, advice) => {
      const [result] = await host.verify([{ ...sent().item(), [field]: value as string }]);
      const { error, json } = errorOf(result);
      expect(error.message).toBe(message);
      expect(error.description).toContain(advice);
      expect(json).toEqual(answer('invalid'));
      expect(host.recorded).toEqual([]);
    },
  );

  it('ends the run before anything is counted, where On Error is set to stop.', async () => {
    const items = [sent().item(), { ...sent().item(), code: '' }];
    await expect(host.verify(items, {}, STOP)).rejects.toThrow("'Code' is empty [item 1]");
    expect(host.recorded).toEqual([]);
  });
});

it.each(['', '  ', undefined])(
  'Nothing is verified where the API key of the credential is %j.',
  async (apiKey) => {
    host.apiKey = apiKey;
    await expect(host.verify([sent().item()])).rejects.toMatchObject({
      message: "'API Key' of the credential is empty",
      description: expect.stringMatching(
        /^Nothing was verified\. Enter the API key in the credential/,
      ) as string,
    });
  },
);
