/** Send: its limits, the items of a run, and codes that were not sent. */
import type { IDataObject } from 'n8n-workflow';

import type { RunSettings } from '../../support/otp-memory.mts';
import { errorOf, jsonOf, OtpHost } from '../../support/otp-memory.mts';

let now = Date.UTC(2026, 0, 1);
let phone = 447700920000;
let host: OtpHost;

beforeEach(() => {
  now += 86_400_000;
  phone += 100;
  host = new OtpHost();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const send = async (options: IDataObject = {}, settings: RunSettings = {}) =>
  (await host.send({ options }, [{ phone }], settings))[0];
const refusal = (result: Parameters<typeof errorOf>[0]) => errorOf(result).json;
const NO_COOLDOWN = { cooldown: 0 };
const STOP = { onError: 'stopWorkflow' } as const;

it('sends one code within the cooldown, and the next one when it is over', async () => {
  jsonOf(await send());
  now += 10_000;
  expect(refusal(await send())).toEqual({ phone, state: 'notSent', reason: 'cooldown', retry_after: 20 });
  now += 20_000;
  jsonOf(await send());
});

it('sends without a cooldown where that is 0', async () => {
  jsonOf(await send(NO_COOLDOWN));
  jsonOf(await send(NO_COOLDOWN));
});

it('sends five codes an hour to a number unless the option says more', async () => {
  for (let n = 0; n < 5; n += 1) jsonOf(await send(NO_COOLDOWN));
  expect(refusal(await send(NO_COOLDOWN))).toMatchObject({ reason: 'number_limit', retry_after: 3600 });
  jsonOf(await send({ ...NO_COOLDOWN, perNumberLimit: 6 }));
});

describe('The limit of a workflow', () => {
  beforeEach(() => {
    host.workflowId = `workflow ${phone}`;
  });
  /** A node of the workflow sends a code to a number of its own. */
  const by = async (nodeId: string, options: IDataObject = {}) => {
    host.nodeId = nodeId;
    phone += 1;
    return await send({ ...NO_COOLDOWN, ...options });
  };
  const LIMITED = { perNumberLimit: 100, workflowLimit: 3 };

  it('is none where no node has one, however empty the option is.', async () => {
    for (const workflowLimit of [undefined, null, '']) {
      for (let n = 0; n < 4; n += 1) jsonOf(await by('a', { workflowLimit }));
    }
    expect(host.recorded.flat().filter((name) => name.startsWith('workflow_limit'))).toEqual([]);
  });

  it('counts the codes of all its nodes, those without the option included.', async () => {
    jsonOf(await by('first', LIMITED));
    for (let n = 0; n < 2; n += 1) jsonOf(await by('resend'));
    expect(refusal(await by('resend'))).toMatchObject({ phone, reason: 'workflow_limit' });
    expect(refusal(await by('first', LIMITED))).toMatchObject({ phone, reason: 'workflow_limit' });
    expect(host.sent).toHaveLength(3);
  });

  it('counts codes that a node without it sent before.', async () => {
    for (let n = 0; n < 3; n += 1) jsonOf(await by('resend'));
    expect(refusal(await by('first', LIMITED))).toMatchObject({
      reason: 'workflow_limit',
      retry_after: 3600,
    });
  });

  it('is the smallest that one of its nodes has.', async () => {
    jsonOf(await by('a', { workflowLimit: 50 }));
    jsonOf(await by('b', { workflowLimit: 2 }));
    expect(errorOf(await by('a', { workflowLimit: 50 })).error.message).toBe(
      'This workflow sent 2 codes within an hour',
    );
  });

  it('follows the option of a node at once, and forgets a node that has not run for a day.', async () => {
    jsonOf(await by('a', { workflowLimit: 1 }));
    expect(refusal(await by('a', { workflowLimit: 1 }))).toMatchObject({ reason: 'workflow_limit' });
    jsonOf(await by('a', { workflowLimit: 2 }));
    expect(refusal(await by('b'))).toMatchObject({ reason: 'workflow_limit' });
    jsonOf(await by('a'));
    jsonOf(await by('deleted', { workflowLimit: 5 }));
    now += 86_400_000 - 1;
    for (let n = 0; n < 5; n += 1) jsonOf(await by('b'));
    expect(refusal(await by('b'))).toMatchObject({ reason: 'workflow_limit' });
    now += 1;
    jsonOf(await by('b'));
  });

  it('is its own, also of a workflow that was never saved, and stays while others send.', async () => {
    const first = host.workflowId;
    jsonOf(await by('a', { workflowLimit: 1 }));
    host.workflowId = `other ${phone}`;
    jsonOf(await by('a', { workflowLimit: 1 }));
    host.workflowId = first;
    expect(refusal(await by('b'))).toMatchObject({ reason: 'workflow_limit' });
    host.workflowId = undefined;
    jsonOf(await by('a', { workflowLimit: 1 }));
    expect(refusal(await by('a', { workflowLimit: 1 }))).toMatchObject({ reason: 'workflow_limit' });
  });
});

describe('A number for which too many wrong codes were tried', () => {
  /** Enters ten wrong codes for the number, five for each of two challenges. */
  const exhaust = async () => {
    for (let n = 0; n < 2; n += 1) {
      const { challenge } = jsonOf(await send(NO_COOLDOWN));
      for (let m = 0; m < 5; m += 1) await host.verify([{ challenge, phone, code: 'wrong' }]);
    }
  };

  it('gets no code that would expire before it could be verified.', async () => {
    await exhaust();
    const { error, json } = errorOf(await send(NO_COOLDOWN));
    expect(error.message).toBe('Too many wrong codes were tried for this number');
    expect(json).toEqual({ phone, state: 'notSent', reason: 'number_limit', retry_after: 3300 });
    expect(host.sent).toHaveLength(2);
    now += 3_300_000;
    expect(refusal(await send(NO_COOLDOWN))).toMatchObject({ reason: 'number_limit', retry_after: 1 });
    now += 1;
    jsonOf(await send(NO_COOLDOWN));
  });
});

it.each<[string, number, string]>([
  ['cooldown', 3601, "'Cooldown (Seconds)' must be a whole number from 0 to 3600"],
  ['perNumberLimit', 101, "'Limit per Number' must be a whole number from 1 to 100"],
  ['workflowLimit', 0, "'Limit per Workflow' must be a whole number from 1 to 2000"],
])('refuses %s of %i', async (option, value, message) => {
  expect(errorOf(await send({ [option]: value })).error.message).toBe(message);
  expect(host.recorded).toEqual([]);
});

it('counts the codes of a run of which the gateway refused another', async () => {
  host.workflowId = `workflow ${phone}`;
  host.answer = ({ id, phone: to, type }) =>
    type !== 'status' && to === phone
      ? { success: true, data: { id } }
      : { success: false, error: 'Error in Alpha-name', data: { id } };
  const [sent, refused] = await host.send({}, [{ phone }, { phone: phone + 1 }]);
  expect([jsonOf(sent).phone, errorOf(refused).state]).toEqual([phone, 'refused']);
  const limited = { ...NO_COOLDOWN, workflowLimit: 1 };
  expect(refusal(await send(limited))).toMatchObject({ reason: 'workflow_limit' });
});

describe('a code that was not sent', () => {
  it.each<[string, OtpHost['answer'], string]>([
    ['the request', 'Access denied', 'notSent'],
    ['it', ({ id }) => ({ success: false, error: 'Error in Alpha-name', data: { id } }), 'refused'],
  ])('does not count where the gateway refused %s', async (_, answer, state) => {
    host.answer = answer;
    expect(errorOf(await send()).state).toBe(state);
    host = new OtpHost();
    jsonOf(await send());
  });

  it('does not count where n8n could not record it, and says so', async () => {
    host.failures.push(...Array.from({ length: 5 }, () => new Error('locked')));
    expect(errorOf(await send())).toEqual({
      error: {
        kind: 'input',
        message: 'n8n could not record this in its database',
        description: "Nothing was sent for this item. n8n's database answered: locked. Run the node again.",
      },
    });
    expect(host.sent).toEqual([]);
    jsonOf(await send());
  });
});

/** An answer with this `id` isn't that of the message, so that nobody knows what became of it. */
const ANOTHER_ID = 1;

describe('a repeated try', () => {
  it('is not held by the limits that the first one passed', async () => {
    const settings = { memory: {}, executionId: '1' };
    host.answer = ({ id, type }) =>
      type === 'status'
        ? { success: false, error: 'Internal error', data: { id } }
        : { success: true, data: { id: ANOTHER_ID } };
    expect(errorOf(await send({}, settings)).state).toBe('unknown');
    const { length } = host.recorded;
    host.answer = ({ id, type }) =>
      type === 'status' && host.sent.every((sent) => sent.id !== id)
        ? { success: false, error: 'No such message', data: { id } }
        : { success: true, data: { id, status: 'SENT', msg_id: 5 } };
    jsonOf(await send({}, settings));
    expect(host.recorded).toHaveLength(length);
    expect(host.sent).toHaveLength(1);
  });
});

it('counts a code in a run that stops at errors and has none', async () => {
  jsonOf(await send({}, STOP));
  expect(refusal(await send())).toMatchObject({ reason: 'cooldown' });
});

it('says what became of a repeated code that the gateway refuses in the end', async () => {
  const settings = { memory: {}, executionId: '2' };
  host.answer = ({ id, type }) =>
    type === 'status'
      ? { success: false, error: 'Database error', data: { id } }
      : { success: true, data: { id: ANOTHER_ID } };
  expect(errorOf(await send({}, settings)).state).toBe('unknown');
  host.answer = ({ id, type }) => ({
    success: false,
    error: type === 'status' ? 'Message not found' : 'Error in Alpha-name',
    data: { id },
  });
  expect(errorOf(await send({}, settings)).state).toBe('refused');
});

describe('the items of a run', () => {
  const two = async (settings: RunSettings = {}) =>
    await host.send({}, [{ phone }, { phone }, { phone: phone + 1 }], settings);

  it('count for each other, and each has its own answer', async () => {
    const [first, second, third] = await two();
    expect(jsonOf(first)).toMatchObject({ phone });
    expect(refusal(second)).toMatchObject({ reason: 'cooldown' });
    expect(jsonOf(third)).toMatchObject({ phone: phone + 1 });
    expect(host.sent.map(({ phone: to }) => to)).toEqual([phone, phone + 1]);
  });

  it('are all left unsent where one is refused and On Error is set to stop, and none counts', async () => {
    await expect(two(STOP)).rejects.toThrow('This number got a code less than 30 seconds ago [item 1]');
    expect(host.sent).toEqual([]);
    const fresh = await host.send({}, [{ phone }, { phone: phone + 1 }], STOP);
    expect(fresh.map(jsonOf)).toHaveLength(2);
  });

  it('count though one of several is refused, where the run goes on', async () => {
    await two();
    expect(refusal(await send())).toMatchObject({ reason: 'cooldown' });
  });
});
