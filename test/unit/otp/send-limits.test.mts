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
  /** A node of the workflow sends a code to a number of its own. */
  const by = async (nodeId: string, options: IDataObject = {}) => {
    host.nodeId = nodeId;
    phone += 1;
    return await send({ ...NO_COOLDOWN, ...options });
  };
  const isFull = async (...given: Parameters<typeof by>) =>
    expect(refusal(await by(...given))).toMatchObject({ phone, reason: 'workflow_limit' });

  it('is none where no node has one, however empty the option is.', async () => {
    for (const workflowLimit of [undefined, null, '']) {
      for (let n = 0; n < 4; n += 1) jsonOf(await by('a', { workflowLimit }));
    }
    expect(host.store.recorded.flat().filter((name) => name.startsWith('workflow_limit'))).toEqual([]);
  });

  it('counts the codes of all its nodes, those without the option included, also those of before.', async () => {
    jsonOf(await by('resend'));
    jsonOf(await by('first', { perNumberLimit: 100, workflowLimit: 3 }));
    jsonOf(await by('resend'));
    await isFull('resend');
    await isFull('first', { workflowLimit: 3 });
    expect(host.sent).toHaveLength(3);
  });

  it('is the smallest that one of its nodes has.', async () => {
    jsonOf(await by('a', { workflowLimit: 50 }));
    jsonOf(await by('b', { workflowLimit: 2 }));
    const { message } = errorOf(await by('a', { workflowLimit: 50 })).error;
    expect(message).toBe('This workflow sends 2 codes within an hour at most');
  });

  it('follows the option of a node at once, and forgets a node that has not run for a day.', async () => {
    jsonOf(await by('a', { workflowLimit: 1 }));
    await isFull('a', { workflowLimit: 1 });
    jsonOf(await by('a', { workflowLimit: 2 }));
    await isFull('b');
    jsonOf(await by('a'));
    jsonOf(await by('deleted', { workflowLimit: 5 }));
    now += 86_400_000 - 1;
    for (let n = 0; n < 5; n += 1) jsonOf(await by('b'));
    await isFull('b');
    now += 1;
    jsonOf(await by('b'));
  });

  it('says that nothing was sent, and not when, where items of the same run that fill it are not sent either.', async () => {
    const items = [{ phone }, { phone: phone + 1 }, { phone: phone + 2 }];
    const run = async (settings: RunSettings) =>
      await host.send({ options: { workflowLimit: 2 } }, items, settings);
    const message = 'This workflow sends 2 codes within an hour at most';
    await expect(run({ onError: 'stopWorkflow' })).rejects.toMatchObject({
      message: expect.stringContaining(message),
      description:
        "Nothing was sent, since strangers could have codes sent at your cost. Run fewer items at once, or have this node continue in Settings: then as many items as the limit lets through get their codes. The option 'Limit per Workflow' sets the limit.",
    });
    expect(host.sent).toEqual([]);
    const { error } = errorOf((await run({}))[2]);
    expect(error).toMatchObject({
      message,
      description: expect.stringContaining(
        'Nothing was sent for this item, since strangers could have codes sent at your cost. Another code can be sent in 60 minutes.',
      ),
    });
    expect(host.sent).toHaveLength(2);
  });

  it('says when it opens again, where earlier runs have filled it, or another limit holds.', async () => {
    const STOP = { onError: 'stopWorkflow' } as const;
    const when = expect.stringContaining('Another code can be sent in');
    const run = async (phones: number[], options: IDataObject) =>
      await host.send(
        { options },
        phones.map((one) => ({ phone: one })),
        STOP,
      );
    jsonOf(await send({ workflowLimit: 1 }));
    await expect(run([phone + 1], { workflowLimit: 1 })).rejects.toMatchObject({ description: when });
    const second = run([phone + 1, phone], { workflowLimit: 100 });
    await expect(second).rejects.toMatchObject({
      message: expect.stringContaining('This number got a code less than 30 seconds ago'),
      description: when,
    });
  });

  it('is known once a code is sent under it, and not where a plan is only read.', async () => {
    jsonOf(await by('a', { checkOnly: true, workflowLimit: 1 }));
    errorOf(await by('a', { workflowLimit: 1, perNumberLimit: 101 }));
    for (let n = 0; n < 3; n += 1) jsonOf(await by('b'));
  });

  it('is its own, also of a workflow that was never saved, and stays while others send.', async () => {
    const first = host.workflowId;
    jsonOf(await by('a', { workflowLimit: 1 }));
    for (const other of [`other ${phone}`, undefined]) {
      host.workflowId = other;
      jsonOf(await by('a', { workflowLimit: 1 }));
      await isFull('a', { workflowLimit: 1 });
    }
    host.workflowId = first;
    await isFull('b');
  });
});

it('A number with too many wrong codes gets none that would expire before it could be verified.', async () => {
  for (let n = 0; n < 2; n += 1) {
    const { challenge } = jsonOf(await send(NO_COOLDOWN));
    // One of a million is right.
    for (let m = 0; m < 5; m += 1) await host.verify([{ challenge, phone, code: '000000' }]);
  }
  const { error, json } = errorOf(await send(NO_COOLDOWN));
  expect(error.message).toBe('Too many wrong codes were tried for this number');
  expect(error.description).toContain(
    ": a code could not be verified before it expires. Another code can be sent in 55 minutes. The option 'Max Attempts per Number' of the operation Verify sets",
  );
  expect(json).toEqual({ phone, state: 'notSent', reason: 'number_limit', retry_after: 3300 });
  now += 3_300_000;
  expect(refusal(await send(NO_COOLDOWN))).toMatchObject({ reason: 'number_limit', retry_after: 1 });
  expect(host.sent).toHaveLength(2);
  now += 1;
  jsonOf(await send(NO_COOLDOWN));
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
      message: 'Item 0 has the same number, and a number gets one code in a run',
      description: expect.stringContaining('Remove the repeats before this node'),
    });
    expect(host.sent.map(({ phone: to }) => to)).toEqual([phone, phone + 1]);
    expect(refusal(await send())).toMatchObject({ reason: 'cooldown' });
  });

  it('are all left unsent where one is refused and On Error is set to stop, and none counts.', async () => {
    const STOP = { onError: 'stopWorkflow' } as const;
    await expect(three(STOP)).rejects.toThrow(
      'Item 0 has the same number, and a number gets one code in a run [item 1]',
    );
    expect(host.sent).toEqual([]);
    const fresh = await host.send({}, [{ phone }, { phone: phone + 1 }], STOP);
    expect(fresh.map(jsonOf)).toHaveLength(2);
    expect(refusal(await send())).toMatchObject({ reason: 'cooldown' });
  });

  it('may have a number several times where there is no cooldown.', async () => {
    const results = await host.send({ options: NO_COOLDOWN }, [{ phone }, { phone }]);
    expect(results.map((result) => jsonOf(result).phone)).toEqual([phone, phone]);
  });

  it('are told of a number that is there twice by Check Only too.', async () => {
    const [first, second] = await host.send({ options: { checkOnly: true } }, [{ phone }, { phone }]);
    expect(jsonOf(first)).toMatchObject({ checked: true });
    expect(errorOf(second).error.message).toBe(
      "'Phone Number' must be different for each item: a number gets one code in a run",
    );
    const free = { options: { checkOnly: true, ...NO_COOLDOWN } };
    for (const result of await host.send(free, [{ phone }, { phone }]))
      expect(jsonOf(result)).toMatchObject({ checked: true });
    expect(host.store.recorded).toEqual([]);
  });

  it('share no refusal of an earlier run, which has its own words.', async () => {
    jsonOf(await send());
    const both = await host.send({}, [{ phone }, { phone }]);
    for (const result of both)
      expect(errorOf(result).error.message).toBe('This number got a code less than 30 seconds ago');
  });

  it('count though the gateway refused another one.', async () => {
    host.workflowId = `workflow ${phone}`;
    host.answer = ({ id, phone: to }) => ({
      success: to === phone,
      error: 'Error in Alpha-name',
      data: { id },
    });
    const [sent, refused] = await host.send({}, [{ phone }, { phone: phone + 1 }]);
    expect([jsonOf(sent).phone, errorOf(refused).state]).toEqual([phone, 'refused']);
    const limited = { ...NO_COOLDOWN, workflowLimit: 1 };
    expect(refusal(await send(limited))).toMatchObject({ reason: 'workflow_limit' });
  });
});
