/** Send: what is sent and returned, resends, and repeated tries. */
import type { IDataObject } from 'n8n-workflow';

import { openChallenge, sealChallenge } from '../../../nodes/gateway/otp/challenge.ts';
import type { Challenge } from '../../../nodes/gateway/otp/challenge.ts';
import { deriveCode, deriveOtpKeys, purposeName } from '../../../nodes/gateway/otp/code.ts';
import type { RunSettings } from '../../support/otp-memory.mts';
import { API_KEY, errorOf, jsonOf, OtpHost, unclear } from '../../support/otp-memory.mts';

const KEYS = deriveOtpKeys(API_KEY);
const PURPOSE = purposeName(KEYS, undefined, 'workflow');

let now = Date.UTC(2026, 0, 1);
let phone = 447700910000;
let host: OtpHost;

beforeEach(() => {
  now += 86_400_000;
  phone += 1;
  host = new OtpHost();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const send = async (overrides: IDataObject = {}, settings: RunSettings = {}) =>
  (await host.send(overrides, [{ phone }], settings))[0];
const opened = (json: IDataObject) => openChallenge(KEYS, json.challenge) as Challenge;
const VOICE = { channels: ['voice'], voiceGender: 'female' };
const CALL = { channels: ['call'] };
const options = (more: IDataObject) => ({ options: more });

describe('A code', () => {
  it('is sent, and its challenge holds what verifies it.', async () => {
    host.answer = ({ id }) => ({
      success: true,
      data: { id, msg_id: '12', parts: 2, other: 1, code: '0815' },
    });
    const json = jsonOf(await send({ expiresIn: 90, codeLength: 7, channels: ['viber', 'sms'] }));
    const [operation] = host.sent;
    expect(json).toEqual({
      id: operation.id,
      type: 'pipeline',
      phone,
      msg_id: 12,
      parts: 2,
      channel: 'viber',
      challenge: expect.any(String) as string,
      expires_at: new Date(now + 90_000).toISOString(),
    });
    const source = { id: operation.id as number, phone, length: 7 };
    const times = { issuedAt: now, expiresAt: now + 90_000 };
    expect(opened(json)).toEqual({ ...source, ...times, root: operation.id, purpose: PURPOSE });
    expect(operation.sms).toMatchObject({
      message: `Code ${deriveCode(KEYS, source)}, good for 1.5 minutes`,
    });
    host.answer = ({ id }) => ({ success: true, data: { id } });
    now += 30_000;
    const bare = jsonOf(await send());
    for (const field of ['msg_id', 'parts']) expect(Object.keys(bare)).not.toContain(field);
  });

  it.each(['0815', 815])('of a call is the one in the answer, with its four digits: %j', async (code) => {
    host.answer = ({ id }) => ({ success: true, data: { id, code } });
    expect(opened(jsonOf(await send(CALL)))).toMatchObject({ code: '0815', length: 4 });
    expect(host.sent).toMatchObject([{ type: 'call/otp' }]);
  });

  it.each([undefined, '081', '08150'])(
    'of a call whose answer has none (%j) is unknown, and is not called again.',
    async (code) => {
      host.answer = ({ id }) => ({ success: true, data: { id, code } });
      const settings = { memory: {}, executionId: '1' };
      const failed = errorOf(await send(CALL, settings));
      expect(failed.error.message).toContain('its code is unknown');
      host.answer = ({ id }) => ({ success: true, data: { id, status: 'SENT' } });
      errorOf(await send(CALL, settings));
      expect(host.sent).toHaveLength(1);
    },
  );

  it('is hidden in Check Only and in the words of the gateway, also as a voice reads it.', async () => {
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

it('A code that would be more than three SMS is refused.', async () => {
  const { error } = errorOf(await send({ message: `Dear ${'Ж'.repeat(200)}, your code is {code}` }));
  expect(error.message).toBe("'Message' would be billed as 4 SMS parts");
  expect(error.description).toContain('It must be text that is billed as 3 SMS parts at most');
  expect([host.sent, host.store.recorded]).toEqual([[], []]);
});

it('A purpose is sealed into the challenge.', async () => {
  const purpose = purposeName(KEYS, 'login', '');
  expect(opened(jsonOf(await send(options({ purpose: 'login' }))))).toMatchObject({ purpose });
});

it('Nothing is sent where the API key of the credential is empty.', async () => {
  for (host.apiKey of ['', '  '])
    await expect(send()).rejects.toMatchObject({
      message: "'API Key' of the credential is empty",
      description: expect.stringMatching(/^Nothing was sent\. Open the credential/),
    });
  expect(host.sent).toEqual([]);
});

describe('A resend', () => {
  const again = async ({ challenge }: IDataObject, more: IDataObject = {}) =>
    await send(options({ challenge, ...more }));
  const refusalOf = async (json: IDataObject) => {
    const { error } = errorOf(await again(json));
    return [error.message, error.description].join(' ');
  };

  it('belongs to the chain of the first code.', async () => {
    const json = jsonOf(await send());
    now += 30_000;
    const second = jsonOf(await again(json));
    now += 30_000;
    const third = jsonOf(await again(second));
    expect([second, third].map(opened)).toMatchObject([json, json].map(({ id }) => ({ root: id })));
    expect(new Set([json.id, second.id, third.id]).size).toBe(3);
  });

  it('waits for the cooldown of its challenge to the millisecond, whoever sent that.', async () => {
    const times = { issuedAt: now, expiresAt: now + 60_000 };
    const first = { id: 1, phone, length: 6, root: 1, purpose: PURPOSE, ...times };
    const json = { challenge: sealChallenge(KEYS, first) };
    for (const [at, left] of Object.entries({ 20_000: 10, 29_999: 1 })) {
      now = first.issuedAt + Number(at);
      const refused = { phone, reason: 'cooldown', retry_after: left };
      expect(errorOf(await again(json)).json).toEqual(refused);
    }
    expect(host.store.recorded).toEqual([]);
    now += 1;
    jsonOf(await again(json));
  });

  it('is refused for another purpose.', async () => {
    const json = jsonOf(await send());
    now += 30_000;
    expect(errorOf(await again(json, { purpose: 'login' })).error.description).toContain(
      'It must be a challenge of this workflow',
    );
    expect(host.sent).toHaveLength(1);
  });

  it.each([0, 1])('is refused %i ms after the challenge has expired.', async (late) => {
    const json = jsonOf(await send());
    now += 299_999;
    jsonOf(await again(json));
    now += 1 + late;
    expect(await refusalOf(json)).toMatch(
      /^'Challenge' has expired: .*It must be a challenge that is still valid; leave it empty to begin anew\./,
    );
  });

  it('of a repeated try goes on though the challenge has expired meanwhile.', async () => {
    const json = jsonOf(await send());
    now += 299_000;
    const settings = { memory: {}, executionId: '7' };
    const resend = options({ challenge: json.challenge });
    host.answer = unclear;
    expect(errorOf(await send(resend, settings)).state).toBe('unknown');
    now += 2000;
    host.remember();
    expect(opened(jsonOf(await send(resend, settings)))).toMatchObject({ root: json.id });
  });

  it('is refused for what is no challenge, and for another number.', async () => {
    expect(await refusalOf({ challenge: 'abc' })).toMatch(
      /^'Challenge' isn't a challenge of this API key, or was altered: .*It must be the challenge of an earlier send with the same API key\./,
    );
    const json = jsonOf(await send());
    phone += 5000;
    expect(await refusalOf(json)).toMatch(
      /^'Challenge' belongs to another number: .*It must be a challenge for the same phone number\./,
    );
    phone -= 5000;
    expect(host.sent).toHaveLength(1);
  });
});
