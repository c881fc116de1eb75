/**
 * One-time passwords in n8n's engine: sent through each channel, verified, counted, and seen nowhere else. The other limits,
 * resends and what outlasts a restart are in unit/otp, e2e/one-time-passwords and e2e/killed.
 */
import type { IDataObject } from 'n8n-workflow';

import { credentialsFor } from '../support/engine.mts';
import type { NodeRunOptions } from '../support/engine.mts';
import { shortOrLong } from '../support/long-form.mts';
import { codeIn, sendForm, verifyForm, wrongFor } from '../support/otp.mts';
import { previewGaps } from '../support/previews.mts';
import { processedData } from '../support/processed-data.mts';
import type { ProcessedData } from '../support/processed-data.mts';
import { sentTo } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';
import { startGateway } from '../support/web-server.mts';

const sandbox = testSandbox();
let store: ProcessedData;
/** Numbers are counted for an hour, so each test has its own. */
let phone = 447700900000;
/** The ids of messages follow from it. */
let execution = 0;

beforeAll(async () => {
  store = await processedData();
});
beforeEach(() => {
  store.clear();
  phone += 1;
});

const run = async (parameters: IDataObject, more: Partial<NodeRunOptions> = {}) => {
  const executionId = String((execution += 1));
  return await runOn(sandbox, { parameters, items: [{ phone }], executionId, ...more });
};

const operations = () => sentTo(sandbox);

/** The paths of the values of an object that contain a text. */
function placesOf(text: string, value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return String(value).includes(text) ? [path] : [];
  return Object.entries(value).flatMap(([key, inner]) => placesOf(text, inner, [...path, key]));
}

const verify = async (challenge: unknown, code: unknown, more: IDataObject = {}) => {
  const { json } = await run(verifyForm, { items: [{ challenge, code, phone, ...more } as IDataObject] });
  expect(previewGaps('otp', 'verify', json)).toEqual([]);
  return json[0];
};

const ok = () => ({ valid: true, reason: 'ok', attempts_left: 0, phone });
const CHANNELS: Array<[channels: string[], type: string]> = [
  [['sms'], 'sms'],
  [['viber'], 'viber'],
  [['telegram'], 'telegram'],
  [['voice'], 'voice'],
  [['call'], 'call/otp'],
  [['rcs'], 'pipeline'],
  [['whatsapp'], 'pipeline'],
  [['telegram', 'viber', 'sms', 'voice', 'rcs', 'whatsapp'], 'pipeline'],
];

it.each(CHANNELS)(
  'Through %j, a code is sent that verifies once, and is seen nowhere.',
  async (channels, type) => {
    const sent = await run(sendForm({ channels }));
    expect(sent.error).toBeUndefined();
    expect(operations()).toMatchObject([{ type, phone }]);
    const code = codeIn(sandbox, phone);
    const [{ parts: _, ...output }] = sent.json;
    const text = expect.any(String) as string;
    const named = { id: operations()[0].id, msg_id: expect.any(Number) as number, type, phone };
    expect(output).toEqual({ ...named, channel: channels[0], challenge: text, expires_at: text });
    expect(previewGaps('otp', 'send', sent.json)).toEqual([]);
    expect(placesOf(code, sent.execution)).toEqual([]);
    expect(await verify(output.challenge, code)).toEqual(ok());
    expect(await verify(output.challenge, code)).toEqual({ ...ok(), valid: false, reason: 'used' });
    expect(store.names.join()).not.toContain(code);
    expect(store.names.join()).not.toContain(String(phone));
  },
);

it('A code that a person typed is in the fields of the input that hold it, as it came, and nowhere else.', async () => {
  const { json } = await run(sendForm());
  const code = codeIn(sandbox, phone);
  const items = [{ challenge: json[0].challenge, phone, code, amount: `${code}.00` }];
  const { json: answers, execution: verifying } = await run(verifyForm, { items });
  expect(answers).toEqual([ok()]);
  const places = placesOf(code, verifying);
  expect(new Set(places.map((path) => path.at(-1)))).toEqual(new Set(['amount', 'code']));
  expect(items[0]).toMatchObject({ code, amount: `${code}.00` });
});

it('A second code within the cooldown is refused, with the reason and the time to wait.', async () => {
  await run(sendForm());
  const [refused] = (await run(sendForm(), { onError: 'continueRegularOutput' })).json;
  const error = 'This number got a code less than 30 seconds ago';
  expect(refused).toMatchObject({ phone, state: 'notSent', reason: 'cooldown', error });
  // Whatever the test took until then.
  expect(refused.retry_after).toBeGreaterThan(15);
  expect(refused.retry_after).toBeLessThanOrEqual(30);
  expect((await run(sendForm())).error?.message).toContain(error);
  const { outputs } = await run(sendForm(), { onError: 'continueErrorOutput' });
  const details = { reason: 'cooldown', retry_after: expect.any(Number) as number };
  expect(outputs[1]).toMatchObject([{ json: { details } }]);
  expect(operations()).toHaveLength(1);
});

it('Wrong codes that come at once are counted exactly, and then the right one comes too late.', async () => {
  const count = shortOrLong(200, 1000);
  const { challenge } = (await run(sendForm())).json[0];
  const code = codeIn(sandbox, phone);
  store.delayMs = 5;
  const all = Array.from({ length: count }, async (_, n) => await verify(challenge, wrongFor(code, n)));
  const answers = await Promise.all(all);
  expect(answers.filter(({ reason }) => reason === 'wrong')).toHaveLength(5);
  expect(answers.filter(({ reason }) => reason === 'too_many_attempts')).toHaveLength(count - 5);
  // Those that are being compared at the same moment are counted.
  for (const { attempts_left: left } of answers) expect(left).toBe(0);
  expect(await verify(challenge, code)).toMatchObject({ reason: 'too_many_attempts' });
});

describe('Repeated tries', () => {
  const RETRY = { retryOnFail: true, maxTries: 3 };

  // What else may break is in unit/client.
  it.each([{ kind: 'drop-after' }, { kind: 'drop-before', commitDelay: 300 }] as const)(
    'send one message, whose code fits the challenge, after %j.',
    async (fault) => {
      sandbox.faults.add({ ...fault, times: 1 });
      const { json } = await run(sendForm(), RETRY);
      expect(json[0].id).toBe(operations()[0].id);
      expect(sandbox.counts()).toMatchObject({ accepted: 1, doubledIds: 0 });
      expect(await verify(json[0].challenge, codeIn(sandbox, phone))).toEqual(ok());
    },
  );

  it('return what was accepted, and send the same code again to the others.', async () => {
    sandbox.faults.add({ kind: 'refuse', error: 'Access denied', after: 1, times: 1 });
    const items = [{ phone }, { phone: phone + 5000 }];
    const { json } = await run(sendForm({ options: { batchSize: 1 } }), { ...RETRY, items });
    expect(json).toHaveLength(2);
    for (const { challenge, phone: to } of json)
      expect(await verify(challenge, codeIn(sandbox, Number(to)), { phone: to })).toMatchObject({
        reason: 'ok',
      });
    const again = operations().filter((one) => one.phone === phone + 5000);
    expect(again).toHaveLength(2);
    expect(again[1].sms_message).toBe(again[0].sms_message);
    expect(sandbox.counts().accepted).toBe(2);
  });
});

it('The code is kept out of errors, where the gateway repeats the message.', async () => {
  const codes: string[] = [];
  const { url, close } = await startGateway(({ id, message }) => {
    if (message === undefined) return { success: false, error: 'No such message', data: { id } };
    const code = (/\d(?:, \d)+/.exec(String(message))?.[0] ?? '').replaceAll(', ', '');
    codes.push(code);
    return { success: false, error: `Rejected text "${String(message)}" (${code})`, data: { id } };
  });
  for (const onError of ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const) {
    phone += 1;
    const credentials = credentialsFor({ baseUrl: url, asyncUrl: '', mcpUrl: '' });
    const voice = sendForm({ channels: ['voice'] });
    const { execution: sending, error } = await run(voice, { onError, credentials });
    const code = codes.at(-1) ?? '';
    expect(code).toMatch(/^\d{6}$/);
    const all = JSON.stringify([sending, error?.message, error?.description, error?.stack]);
    expect(all).toContain('Rejected text');
    expect(all).not.toContain(code);
    expect(all).not.toContain([...code].join(', '));
  }
  await close();
});
