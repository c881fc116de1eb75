/**
 * One-time passwords in n8n's engine: sent through each channel, verified, and seen nowhere else. Limits and resends are in
 * unit/otp, answers that come at once in unit/simulation, a code that a person typed in e2e/one-time-passwords, and what
 * outlasts a restart in e2e/killed.
 */
import type { IDataObject } from 'n8n-workflow';

import { CHANNEL_NAMES } from '../../sandbox/operations/channels.mts';
import { SEND_SHAPES } from '../../sandbox/operations/fields.mts';
import { credentialsFor } from '../support/engine.mts';
import type { NodeRunOptions } from '../support/engine.mts';
import { codeIn, sendForm, verifyForm } from '../support/otp.mts';
import { previewGaps } from '../support/previews.mts';
import { processedData } from '../support/processed-data.mts';
import { grouped, sentTo } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';
import { startGateway } from '../support/web-server.mts';

const sandbox = testSandbox();
const store = processedData();
/** Numbers are counted for an hour, so each test has its own. */
let phone = 447700900000;
/** The ids of messages follow from it. */
let execution = 0;

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

/** The operation type of a code: that of its channel, or `pipeline` for several, and where the type needs more than a text. */
function typeOf([channel, ...others]: string[]): string {
  if (channel === 'call') return 'call/otp';
  const needed = SEND_SHAPES[channel]?.required;
  const isAlone = others.length === 0 && needed !== undefined && !needed.some((name) => /_image$/.test(name));
  return isAlone ? channel : 'pipeline';
}
const WAYS = [...[...CHANNEL_NAMES, 'call'].map((channel) => [channel]), CHANNEL_NAMES];

it('The code stands wherever its mark is, and the words of a stranger make no long SMS.', async () => {
  const message = '={{ "Dear " + $json.name }}, your code is {code}, for {minutes} minutes';
  const send = async (name: string) =>
    await run({ ...sendForm(), message }, { items: [{ phone, name }], onError: 'continueRegularOutput' });
  await send('{code} {minutes}');
  expect(operations()).toMatchObject([
    { sms_message: expect.stringMatching(/^Dear (\d{6}) 5, your code is \1, for 5 minutes$/) },
  ]);
  phone += 1;
  const { json } = await send('Ж'.repeat(3000));
  expect(JSON.stringify(json)).toContain("'Message' would be billed as 46 SMS parts");
  expect(JSON.stringify(json)).not.toContain('is empty');
  expect(operations()).toHaveLength(1);
});

it.each(WAYS.map((channels) => [channels]))(
  'Through %j, a code is sent that verifies once, and is seen nowhere.',
  async (channels) => {
    const type = typeOf(channels);
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

it('Once a code or its resend was verified, another one, which could not be, is not sent.', async () => {
  const resend = async (challenge: unknown) => await run(sendForm({ options: { challenge, cooldown: 0 } }));
  const [first] = (await run(sendForm())).json;
  const [second] = (await resend(first.challenge)).json;
  expect(await verify(second.challenge, codeIn(sandbox, phone))).toEqual(ok());
  for (const { challenge } of [first, second]) {
    const { error } = await resend(challenge);
    expect(error?.message).toMatch(/^'Challenge' belongs to a code that was verified: /);
    expect(error?.description).toMatch(/leave it empty to begin anew\. Nothing was sent\./);
  }
  expect(operations()).toHaveLength(2);
});

it('The code of a call is never taken for another one, which is hidden: each of 300 calls has its challenge.', async () => {
  const items = Array.from({ length: 300 }, (_, index) => ({ phone: 447700800000 + index }));
  const { json } = await run(sendForm({ channels: ['call'] }), { items, onError: 'continueRegularOutput' });
  expect(json.filter(({ challenge }) => typeof challenge === 'string')).toHaveLength(items.length);
});

it('A second code within the cooldown is refused, with the reason and the time to wait.', async () => {
  await run(sendForm());
  const [refused] = (await run(sendForm(), { onError: 'continueRegularOutput' })).json;
  const details = { reason: 'cooldown', retry_after: expect.any(Number) as number };
  const error = 'This number gets one code in 30 seconds at most';
  expect(refused).toMatchObject({ phone, result: 'notSent', error, ...details });
  const { outputs } = await run(sendForm(), { onError: 'continueErrorOutput' });
  expect(outputs[1]).toMatchObject([{ json: details }]);
  expect(operations()).toHaveLength(1);
});

it('Repeated tries return what was accepted, and send the same code again to the others.', async () => {
  sandbox.faults.add({ kind: 'refuse', error: 'Access denied', after: 1, times: 1 });
  const items = [{ phone }, { phone: phone + 5000 }];
  const { json } = await run(sendForm({ options: grouped({ batchSize: 1 }) }), {
    retryOnFail: true,
    maxTries: 3,
    items,
  });
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
