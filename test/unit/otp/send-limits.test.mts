/** Send: its limits, the items of a run, and codes that were not sent. */
import type { IDataObject } from 'n8n-workflow';

import type { RunSettings } from '../../support/otp-memory.mts';
import { errorOf, jsonOf, LOCKED, OtpHost, unclear } from '../../support/otp-memory.mts';

let now = Date.UTC(2026, 0, 1);
let phone = 447700920000;
let host: OtpHost;

beforeEach(() => {
  now += 86_400_000;
  phone += 100;
  host = new OtpHost();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const send = async (options: IDataObject = {}, settings: RunSettings = {}) =>
  (await host.send({ options }, [{ phone }], settings))[0];
const refusal = (result: Parameters<typeof errorOf>[0]) => errorOf(result).json;
const NO_COOLDOWN = { cooldown: 0 };

it('Sends one code within the cooldown, the next one when it is over, and any where it is 0.', async () => {
  jsonOf(await send());
  now += 10_000;
  expect(refusal(await send())).toEqual({ phone, state: 'notSent', reason: 'cooldown', retry_after: 20 });
  jsonOf(await send(NO_COOLDOWN));
  now += 30_000;
  jsonOf(await send());
});

it('Sends five codes an hour to a number unless the option says more.', async () => {
  for (let n = 0; n < 5; n += 1) jsonOf(await send(NO_COOLDOWN));
  expect(refusal(await send(NO_COOLDOWN))).toMatchObject({ reason: 'number_limit', retry_after: 3600 });
  jsonOf(await send({ ...NO_COOLDOWN, perNumberLimit: 6 }));
});

describe('The limit of a workflow', () => {
  beforeEach(() => {
    host.workflowId = `workflow ${phone}`;
  });
  /** The workflow sends a code to another number. */
  const sendNext = async (options: IDataObject = {}) => {
    phone += 1;
    return await send({ ...NO_COOLDOWN, ...options });
  };

  it('is none where the option is missing or empty.', async () => {
    for (const workflowLimit of [undefined, null, '']) {
      for (let n = 0; n < 4; n += 1) jsonOf(await sendNext({ workflowLimit }));
    }
    expect(host.store.recorded.flat().filter((name) => name.startsWith('workflow_limit'))).toEqual([]);
  });

  it('is its own, also of a workflow that was never saved.', async () => {
    for (const id of [host.workflowId, `other ${phone}`, undefined]) {
      host.workflowId = id;
      jsonOf(await sendNext({ workflowLimit: 1 }));
      expect(refusal(await sendNext({ workflowLimit: 1 }))).toMatchObject({
        phone,
        reason: 'workflow_limit',
      });
    }
  });
});

it.each<[string, number, string]>([
  ['cooldown', 3601, "'Cooldown (Seconds)' must be a whole number from 0 to 3600"],
  ['perNumberLimit', 101, "'Limit per Number' must be a whole number from 1 to 100"],
  ['workflowLimit', 0, "'Limit per Workflow' must be a whole number from 1 to 2000"],
])('Refuses %s of %i.', async (option, value, message) => {
  expect(errorOf(await send({ [option]: value })).error.message).toBe(message);
  expect(host.store.recorded).toEqual([]);
});

describe('A code that was not sent does not count', () => {
  it.each<[string, OtpHost['answer'], string]>([
    ['the request', 'Access denied', 'notSent'],
    ['it', ({ id }) => ({ success: false, error: 'Error in Alpha-name', data: { id } }), 'refused'],
  ])('where the gateway refused %s.', async (_, answer, state) => {
    host.answer = answer;
    expect(errorOf(await send()).state).toBe(state);
    host = new OtpHost();
    jsonOf(await send());
  });

  it('where n8n could not record it.', async () => {
    host.store.failures.push(...LOCKED);
    expect(errorOf(await send()).error).toMatchObject({
      message: 'n8n could not record this in its database',
      description: expect.stringMatching(/^Nothing was sent for this item, and it does not count\./),
    });
    expect(host.sent).toEqual([]);
    jsonOf(await send());
  });
});

describe('A repeated try', () => {
  let same: RunSettings;
  beforeEach(async () => {
    same = { memory: {}, executionId: String(phone) };
    host.answer = unclear;
    expect(errorOf(await send({}, same)).state).toBe('unknown');
  });

  it('is not held by the limits that the first one passed.', async () => {
    const { length } = host.store.recorded;
    host.remember();
    jsonOf(await send({}, same));
    expect(host.store.recorded).toHaveLength(length);
    expect(host.sent).toHaveLength(1);
  });

  it('says what became of a code that the gateway refuses in the end.', async () => {
    const wordsFor = (type: unknown) => (type === 'status' ? 'Message not found' : 'Error in Alpha-name');
    host.answer = ({ id, type }) => ({ success: false, error: wordsFor(type), data: { id } });
    expect(errorOf(await send({}, same)).state).toBe('refused');
  });
});

describe('The items of a run', () => {
  const three = async (settings: RunSettings = {}) =>
    await host.send({}, [{ phone }, { phone }, { phone: phone + 1 }], settings);

  it('count for each other and for later runs, and each has its own answer.', async () => {
    const [first, second, third] = await three();
    expect([first, third].map((result) => jsonOf(result).phone)).toEqual([phone, phone + 1]);
    expect(refusal(second)).toMatchObject({ reason: 'cooldown', retry_after: 30 });
    expect(errorOf(second).error).toMatchObject({
      message: 'This number gets one code in 30 seconds at most',
      description: expect.stringContaining('The items of a run count for each other'),
    });
    expect(host.sent.map(({ phone: to }) => to)).toEqual([phone, phone + 1]);
    expect(refusal(await send())).toMatchObject({ reason: 'cooldown' });
  });

  it('are all left unsent where one is refused and On Error is set to stop, and none counts.', async () => {
    const STOP = { onError: 'stopWorkflow' } as const;
    await expect(three(STOP)).rejects.toThrow('This number gets one code in 30 seconds at most [item 1]');
    expect(host.sent).toEqual([]);
    const fresh = await host.send({}, [{ phone }, { phone: phone + 1 }], STOP);
    expect(fresh.map(jsonOf)).toHaveLength(2);
    expect(refusal(await send())).toMatchObject({ reason: 'cooldown' });
  });

  it('may have a number several times where there is no cooldown.', async () => {
    const results = await host.send({ options: NO_COOLDOWN }, [{ phone }, { phone }]);
    expect(results.map((result) => jsonOf(result).phone)).toEqual([phone, phone]);
  });

  it('count though the gateway refused another one.', async () => {
    host.workflowId = `workflow ${phone}`;
    host.answer = ({ id, phone: to }) => ({
      success: to === phone,
      error: 'Error in Alpha-name',
      data: { id },
    });
    const limit = { options: { workflowLimit: 2 } };
    const [sent, refused] = await host.send(limit, [{ phone }, { phone: phone + 1 }]);
    expect([jsonOf(sent).phone, errorOf(refused).state]).toEqual([phone, 'refused']);
    const limited = { ...NO_COOLDOWN, workflowLimit: 2 };
    host.answer = ({ id }) => ({ success: true, data: { id } });
    jsonOf(await send(limited));
    expect(refusal(await send(limited))).toMatchObject({ reason: 'workflow_limit' });
  });
});
