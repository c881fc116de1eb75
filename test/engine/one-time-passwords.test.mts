/** One-time passwords in n8n's engine: sent through each channel, verified, counted, and seen nowhere else. */
import type { IDataObject } from 'n8n-workflow';

import { previewGaps } from '../support/previews.mts';
import type { NodeRunOptions } from '../support/engine.mts';
import { codeIn, sendForm, verifyForm } from '../support/otp.mts';
import { processedData } from '../support/processed-data.mts';
import type { ProcessedData } from '../support/processed-data.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

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

const run = async (parameters: IDataObject, more: Partial<NodeRunOptions> = {}) =>
  await runOn(sandbox, {
    parameters,
    items: [{ phone }],
    executionId: String((execution += 1)),
    ...more,
  });

const operations = (): IDataObject[] =>
  sandbox.requests
    .flatMap(({ body }) => (body as { data: IDataObject[] }).data)
    .filter(({ type }) => type !== 'status');

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

describe.each(CHANNELS)('through %j', (channels, type) => {
  it('sends a code that verifies once, and shows it nowhere', async () => {
    const sent = await run(sendForm({ channels }));
    expect(sent.error).toBeUndefined();
    expect(operations()).toMatchObject([{ type, phone }]);
    const code = codeIn(sandbox, phone);
    const [output] = sent.json;
    expect(
      Object.keys(output)
        .filter((name) => name !== 'parts')
        .sort(),
    ).toEqual(['challenge', 'channel', 'expires_at', 'id', 'msg_id', 'phone', 'type']);
    expect(output).toMatchObject({ id: operations()[0].id, type, phone, channel: channels[0] });
    expect(previewGaps('otp', 'send', sent.json)).toEqual([]);
    expect(JSON.stringify(sent.execution)).not.toContain(code);
    expect(await verify(output.challenge, code)).toEqual(ok());
    expect(await verify(output.challenge, code)).toEqual({ ...ok(), valid: false, reason: 'used' });
    expect(store.names.join()).not.toContain(code);
    expect(store.names.join()).not.toContain(String(phone));
  });
});

it('The code is nowhere in the data of n8n but in the field in which a person typed it.', async () => {
  const { json, execution: sending } = await run(sendForm());
  const code = codeIn(sandbox, phone);
  expect(placesOf(code, sending)).toEqual([]);
  const items = [{ challenge: json[0].challenge, phone, code, amount: `${code}.00` }];
  const { json: answers, execution: verifying } = await run(verifyForm, { items });
  expect(answers).toEqual([ok()]);
  const places = placesOf(code, verifying);
  expect(new Set(places.map((path) => path.at(-1)))).toEqual(new Set(['amount', 'code']));
  expect(placesOf(code, { names: store.names })).toEqual([]);
  // The input reaches the nodes behind as it came.
  expect(items[0]).toMatchObject({ code, amount: `${code}.00` });
});

/** The paths of the values of an object that contain a text. */
function placesOf(text: string, value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return String(value).includes(text) ? [path] : [];
  return Object.entries(value).flatMap(([key, inner]) => placesOf(text, inner, [...path, key]));
}

// The other limits are in unit/otp.
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
