/** Send: what is sent and returned, resends, limits, repeated tries, and codes that were not sent. */
import type { IDataObject } from 'n8n-workflow';

import { openChallenge, sealChallenge } from '../../../nodes/gateway/otp/challenge.ts';
import type { Challenge } from '../../../nodes/gateway/otp/challenge.ts';
import { deriveCode } from '../../../nodes/gateway/otp/code.ts';
import { deriveOtpKeys } from '../../../nodes/gateway/otp/keys.ts';
import type { RunSettings } from '../../support/otp-memory.mts';
import { API_KEY, errorOf, jsonOf, OtpHost } from '../../support/otp-memory.mts';

const KEYS = deriveOtpKeys(API_KEY);
const START = Date.UTC(2026, 0, 1);

let now = START;
let phone = 447700910000;
let host: OtpHost;

beforeEach(() => {
  now += 86_400_000;
  phone += 1;
  host = new OtpHost();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const send = async (overrides: IDataObject = {}, settings: RunSettings = {}) =>
  (await host.send(overrides, [{ phone }], settings))[0];
const opened = (json: IDataObject) => openChallenge(KEYS, json.challenge) as Challenge;
const VOICE = { channels: ['voice'], voiceGender: 'female' };
const options = (more: IDataObject) => ({ options: more });
const refusal = (result: Parameters<typeof errorOf>[0]) => errorOf(result).json;
const waiting = (seconds: number) => ({ phone, state: 'notSent', reason: 'cooldown', retry_after: seconds });

describe('a code', () => {
  it('is sent, and its challenge holds what verifies it', async () => {
    const json = jsonOf(await send({ expiresIn: 90, codeLength: 7, channels: ['viber', 'sms'] }));
    const [operation] = host.sent;
    expect(json).toEqual({
      id: operation.id,
      type: 'pipeline',
      phone,
      msg_id: 77,
      channel: 'viber',
      challenge: expect.any(String) as string,
      expires_at: new Date(now + 90_000).toISOString(),
    });
    const source = { id: operation.id as number, phone, length: 7 };
    expect(opened(json)).toEqual({
      ...source,
      root: operation.id,
      issuedAt: now,
      expiresAt: now + 90_000,
      channels: ['viber', 'sms'],
    });
    expect(operation.sms).toMatchObject({ message: `Code ${deriveCode(KEYS, source)}, good for 1 minutes` });
  });

  it('comes with the parts that the gateway bills and the id that it gave, and nothing else of its answer', async () => {
    host.answer = ({ id }) => ({ success: true, data: { id, msg_id: '12', parts: 2, other: 1 } });
    const json = jsonOf(await send());
    expect(json).toMatchObject({ msg_id: 12, parts: 2 });
    expect(json).not.toHaveProperty('other');
  });

  it('comes without what the gateway did not name.', async () => {
    host.answer = ({ id }) => ({ success: true, data: { id } });
    const fields = Object.keys(jsonOf(await send())).sort();
    expect(fields).toEqual(['challenge', 'channel', 'expires_at', 'id', 'phone', 'type']);
  });

  it('of a call is the one in the answer, as long as it is', async () => {
    host.answer = ({ id }) => ({ success: true, data: { id, code: '00815' } });
    expect(opened(jsonOf(await send({ channels: ['call'] })))).toMatchObject({ code: '00815', length: 5 });
    expect(host.sent).toMatchObject([{ type: 'call/otp' }]);
  });

  it('of any other channel is derived, whatever the answer holds', async () => {
    host.answer = ({ id }) => ({ success: true, data: { id, code: '0815' } });
    expect(opened(jsonOf(await send()))).not.toHaveProperty('code');
  });

  it('of a call whose answer has none is unknown, and is not called again', async () => {
    host.answer = ({ id }) => ({ success: true, data: { id } });
    const memory = {};
    const failed = errorOf(await send({ channels: ['call'] }, { memory, executionId: '1' }));
    expect(failed.error.message).toContain('its one-time password is unknown');
    host.answer = ({ id }) => ({ success: true, data: { id, status: 'SENT' } });
    errorOf(await send({ channels: ['call'] }, { memory, executionId: '1' }));
    expect(host.sent).toHaveLength(1);
  });

  it('is hidden in Check Only and in the words of the gateway, also as a voice reads it', async () => {
    const json = jsonOf(await send({ ...VOICE, ...options({ checkOnly: true }) }));
    expect(json.operation).toMatchObject({ message: `Code ${'*'.repeat(16)}, good for 5 minutes` });
    expect(host.sent).toEqual([]);
    host.answer = ({ id, message, sms_message: text }) => ({
      success: false,
      error: `Refused: ${String(message ?? text)}`,
      data: { id },
    });
    for (const form of [VOICE, {}]) {
      const { error } = errorOf(await send(form));
      expect(`${error.message} ${error.description}`).toMatch(/Refused: Code \*+, good/);
    }
  });
});

it.each(['', '  '])('Nothing is sent where the API key of the credential is %j.', async (apiKey) => {
  host.apiKey = apiKey;
  await expect(send()).rejects.toMatchObject({
    message: "'API Key' of the credential is empty",
    description: expect.stringMatching(/^Nothing was sent\. Enter the API key in the credential/) as string,
  });
  expect(host.sent).toEqual([]);
});

describe('a resend', () => {
  const first = async (more: IDataObject = {}) => jsonOf(await send(more));
  const again = async (json: IDataObject, more: IDataObject = {}) =>
    await send({ ...options({ challenge: json.challenge, ...more }) });

  it('belongs to the chain of the first code', async () => {
    const json = await first();
    now += 30_000;
    const second = jsonOf(await again(json));
    now += 30_000;
    const third = jsonOf(await again(second));
    expect([second, third].map(opened)).toMatchObject([json, json].map(({ id }) => ({ root: id })));
    expect(new Set([json.id, second.id, third.id]).size).toBe(3);
  });

  it('waits for the cooldown of its challenge to the millisecond', async () => {
    const json = await first(options({ cooldown: 0 }));
    now += 29_999;
    expect(refusal(await again(json))).toEqual(waiting(1));
    now -= 9999;
    const { error, json: fields } = errorOf(await again(json));
    expect(fields).toEqual(waiting(10));
    expect(error.message).toBe('This number got a code less than 30 seconds ago');
    now += 10_000;
    jsonOf(await again(json));
  });

  it('waits for that cooldown where another process sent the first code', async () => {
    const first = {
      id: 1,
      phone,
      length: 6,
      root: 1,
      issuedAt: now - 10_000,
      expiresAt: now + 1000,
      channels: [],
    };
    const challenge = sealChallenge(KEYS, first);
    expect(refusal(await send(options({ challenge })))).toEqual(waiting(20));
    expect(host.recorded).toEqual([]);
  });

  it.each([0, 1])('is refused %i ms after the challenge has expired', async (late) => {
    const json = await first();
    now += 299_999;
    jsonOf(await again(json));
    now += 1 + late;
    const { error } = errorOf(await again(json));
    expect(error.message).toBe(
      "'Challenge' must be a challenge that is still valid; leave it empty to begin anew",
    );
    expect(error.description).toContain('It has expired.');
  });

  it('of a repeated try goes on though the challenge has expired meanwhile', async () => {
    const json = await first();
    now += 299_000;
    const memory = {};
    const settings = { memory, executionId: '7' };
    const resend = options({ challenge: json.challenge });
    // The `id` of another message, so that nobody knows what became of this one.
    host.answer = ({ id, type }) =>
      type === 'status'
        ? { success: false, error: 'Internal error', data: { id } }
        : { success: true, data: { id: 1 } };
    expect(errorOf(await send(resend, settings)).state).toBe('unknown');
    now += 2000;
    host.answer = ({ id, type }) =>
      type === 'status' && host.sent.every((sent) => sent.id !== id)
        ? { success: false, error: 'No such message', data: { id } }
        : { success: true, data: { id, status: 'SENT', msg_id: 5 } };
    const second = jsonOf(await send(resend, settings));
    expect(opened(second)).toMatchObject({ root: json.id });
  });

  it('is refused for what is no challenge', async () => {
    const { error } = errorOf(await send(options({ challenge: 'abc' })));
    expect(error.message).toBe("'Challenge' must be the challenge of an earlier send with the same API key");
    expect(error.description).toContain("It isn't a challenge of this API key, or was altered.");
    expect(host.sent).toEqual([]);
  });

  it('is refused for another number, and after the code was verified', async () => {
    const json = await first();
    now += 30_000;
    phone += 5000;
    const other = errorOf(await again(json)).error;
    expect(other.message).toBe("'Challenge' must be a challenge for the same phone number");
    expect(other.description).toContain('It belongs to another number.');
    phone -= 5000;
    const code = deriveCode(KEYS, opened(json));
    expect(jsonOf((await host.verify([{ challenge: json.challenge, phone, code }]))[0])).toMatchObject({
      valid: true,
    });
    const used = errorOf(await again(json)).error;
    expect(used.message).toBe("'Challenge' must be a challenge that has not been verified yet");
    expect(used.description).toContain('It was used.');
  });

  it('is refused, and not paid for, once too many codes were tried', async () => {
    const json = await first();
    for (let n = 0; n < 5; n += 1) {
      await host.verify([{ challenge: json.challenge, phone, code: 'wrong' }]);
    }
    now += 30_000;
    const { error } = errorOf(await again(json));
    expect(error.message).toBe(
      "'Challenge' must be a challenge with attempts left; leave it empty to begin anew",
    );
    expect(error.description).toContain('It was tried too often, so no code of it can be verified any more.');
    expect(host.sent).toHaveLength(1);
  });

  it('keeps the attempts of its chain in memory, however long the chain gets', async () => {
    const json = await first({ expiresIn: 30 });
    const verifyWrong = async ({ challenge }: IDataObject) => {
      const code = deriveCode(KEYS, opened({ challenge }));
      const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
      return jsonOf((await host.verify([{ challenge, phone, code: wrong }]))[0]);
    };
    expect(await verifyWrong(json)).toMatchObject({ attempts_left: 4 });
    now += 29_000;
    const long = { expiresIn: 3600 };
    const second = jsonOf(await send({ ...options({ challenge: json.challenge, cooldown: 0 }), ...long }));
    now += 3_500_000;
    const third = jsonOf(await send({ ...options({ challenge: second.challenge, cooldown: 0 }), ...long }));
    now += 200_000;
    // n8n's store forgets, and other chains take the place of those that are over.
    host.known.clear();
    const own = phone;
    for (let n = 0; n < 20; n += 1) {
      phone += 1;
      await verifyWrong(await first());
    }
    phone = own;
    expect(await verifyWrong(third)).toMatchObject({ attempts_left: 3 });
  });
});
