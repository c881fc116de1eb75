/** Verify: what it answers, what it counts, what a repeated try does, and what it does with empty input. */
import type { IDataObject } from 'n8n-workflow';

import { sealChallenge } from '../../../nodes/gateway/otp/challenge.ts';
import { deriveCode } from '../../../nodes/gateway/otp/code.ts';
import { deriveOtpKeys } from '../../../nodes/gateway/otp/keys.ts';
import { API_KEY, errorOf, jsonOf, OtpHost } from '../../support/otp-memory.mts';

const KEYS = deriveOtpKeys(API_KEY);
const PHONE = 447700900001;
const OK = { valid: true, reason: 'ok', attempts_left: 0, phone: PHONE };
const wrong = (left: number) => ({ valid: false, reason: 'wrong', attempts_left: left, phone: PHONE });
const failed = (reason: string) => ({ valid: false, reason, attempts_left: 0, phone: PHONE });
/** Nothing is known of a number without a challenge. */
const NOT_VALID = { valid: false, reason: 'invalid', attempts_left: 0 };

let id = 1_000_000;
let now = Date.UTC(2026, 0, 1);
let host: OtpHost;

beforeEach(() => {
  id += 1;
  // Wrong codes of earlier tests count no more.
  now += 86_400_000;
  host = new OtpHost();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A challenge that was sent just now, and an item that answers it. */
function sent(more: object = {}, phone = PHONE) {
  const issuedAt = Date.now();
  const source = { id, phone, length: 6 };
  const challenge = sealChallenge(KEYS, {
    ...source,
    root: id,
    issuedAt,
    expiresAt: issuedAt + 300_000,
    channels: ['sms'],
    ...more,
  });
  const code = deriveCode(KEYS, source);
  const item = (typed: unknown = code): IDataObject => ({ challenge, phone, code: typed as string });
  return { item, code, challenge };
}
const other = (code: string) => String((Number(code) + 1) % 10 ** code.length).padStart(code.length, '0');
const verify = async (...items: IDataObject[]) => (await host.verify(items)).map(jsonOf);

describe('the answer', () => {
  it('is ok once, and used after that', async () => {
    const { item, code } = sent();
    expect(await verify(item(other(code)))).toEqual([wrong(4)]);
    expect(await verify(item())).toEqual([OK]);
    expect(await verify(item())).toEqual([failed('used')]);
  });

  it('counts the items of a run for each other, in order', async () => {
    const { item, code } = sent();
    expect(await verify(item(other(code)), item(), item())).toEqual([wrong(4), OK, failed('used')]);
  });

  it('is that of the challenge for what is not its own, and counts nothing', async () => {
    const { item } = sent();
    const { item: late } = sent({ expiresAt: Date.now() });
    expect(await verify({ ...item(), challenge: 'x' }, { ...item(), phone: 1 }, late())).toEqual([
      NOT_VALID,
      NOT_VALID,
      failed('expired'),
    ]);
    expect(host.recorded).toEqual([]);
  });

  it('allows as many attempts as the option says', async () => {
    const { item, code } = sent();
    const run = async () => (await host.verify([item(other(code))], { maxAttempts: 2 })).map(jsonOf);
    expect([...(await run()), ...(await run()), ...(await run())]).toEqual([
      wrong(1),
      wrong(0),
      failed('too_many_attempts'),
    ]);
  });
});

describe('an option out of its range', () => {
  it('fails its item, and the others go on', async () => {
    const { item } = sent();
    const options = '={{ $json.options }}' as unknown as IDataObject;
    const [bad, good] = await host.verify(
      [
        { ...item(), options: { maxAttempts: 11 } },
        { ...item(), options: {} },
      ],
      options,
    );
    expect(errorOf(bad).error.message).toBe("'Max Attempts' must be a whole number from 1 to 10");
    expect(jsonOf(good)).toEqual(OK);
  });

  it('ends the run before anything is counted, where On Error is set to stop', async () => {
    const { item, code } = sent();
    const options = '={{ $json.options }}' as unknown as IDataObject;
    const items = [item(other(code)), { ...item(), options: { maxAttempts: 0 } }];
    await expect(host.verify(items, options, { onError: 'stopWorkflow' })).rejects.toThrow(
      "'Max Attempts' must be a whole number from 1 to 10",
    );
    expect(host.recorded).toEqual([]);
  });
});

describe('a repeated try', () => {
  it('answers what the first one answered, and counts nothing', async () => {
    const { item, code } = sent();
    const memory = {};
    const first = await host.verify([item(other(code))], {}, { memory });
    const { length } = host.recorded;
    expect(await host.verify([item()], {}, { memory })).toEqual(first);
    expect(host.recorded).toHaveLength(length);
    expect(await verify(item(other(code)))).toEqual([wrong(3)]);
  });

  it('goes on with what could not be recorded', async () => {
    const { item } = sent();
    const memory = {};
    host.failures.push(...Array.from({ length: 5 }, () => new Error('locked')));
    const [first] = await host.verify([item()], {}, { memory });
    expect(errorOf(first).error).toEqual({
      kind: 'input',
      message: 'n8n could not record this in its database',
      description:
        "The code was not verified, and the attempt does not count. n8n's database answered: locked. Run the node again.",
    });
    expect((await host.verify([item()], {}, { memory })).map(jsonOf)).toEqual([OK]);
  });
});

it('The input stays as it is, whatever was typed.', async () => {
  const { item, code } = sent();
  const input = { ...item(), amount: Number(code), list: [code, { deep: code }] };
  const before = structuredClone(input);
  await host.verify([input]);
  expect(input).toEqual(before);
});

it('The number in the output is that of the challenge, in whatever notation it was given.', async () => {
  for (const notation of ['+44 7700 900001', '00447700900001', 'tel:+447700900001']) {
    id += 1;
    const { item } = sent();
    expect(await verify({ ...item(), phone: notation })).toEqual([OK]);
  }
  const { item } = sent({ expiresAt: 0 });
  expect(await verify(item())).toEqual([failed('expired')]);
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
      const { item } = sent();
      const [result] = await host.verify([{ ...item(), [field]: value as string }]);
      const { error, json } = errorOf(result);
      expect(error.message).toBe(message);
      expect(error.description).toContain(advice);
      expect(json).toEqual(NOT_VALID);
      expect(host.recorded).toEqual([]);
    },
  );

  it('ends the run before anything is counted, where On Error is set to stop.', async () => {
    const { item } = sent();
    const items = [item(), { ...item(), code: '' }];
    await expect(host.verify(items, {}, { onError: 'stopWorkflow' })).rejects.toThrow(
      "'Code' is empty [item 1]",
    );
    expect(host.recorded).toEqual([]);
  });
});

describe('A hint', () => {
  it('says what invalid means.', async () => {
    const { item } = sent();
    await verify({ ...item(), challenge: 'abc' }, item());
    expect(host.hints).toEqual([
      expect.stringContaining("'Challenge' is not a challenge of this API key for this phone number"),
    ]);
  });

  it('is not given for a code that was compared.', async () => {
    const { item, code } = sent();
    await verify(item(other(code)), item());
    expect(host.hints).toEqual([]);
  });
});

it.each(['', '  ', undefined])(
  'Nothing is verified where the API key of the credential is %j, not even what was made with such a key.',
  async (apiKey) => {
    const { item } = sent();
    host.apiKey = apiKey;
    await expect(host.verify([item()])).rejects.toMatchObject({
      message: "'API Key' of the credential is empty",
      description: expect.stringMatching(
        /^Nothing was verified\. Enter the API key in the credential/,
      ) as string,
    });
  },
);
