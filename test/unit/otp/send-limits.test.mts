/** Send: its limits, the items of a run, and codes that were not sent. */
import type { IDataObject } from 'n8n-workflow';

import type { RunSettings } from '../../support/otp-memory.mts';
import { errorOf, jsonOf, LOCKED, OtpHost, restart, unclear } from '../../support/otp-memory.mts';

const MINUTE = 60_000;

let now = Date.UTC(2026, 0, 1);
let phone = 447700920000;
let host: OtpHost;

beforeEach(() => {
  // A full hour.
  now = Date.UTC(2026, 0, new Date(now).getUTCDate() + 1);
  phone += 100;
  host = new OtpHost();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const send = async (options: IDataObject = {}, settings: RunSettings = {}) =>
  (await host.send({ options }, [{ phone }], settings))[0];
const refusal = (result: Parameters<typeof errorOf>[0]) => errorOf(result).json;
const NO_COOLDOWN = { cooldown: 0 };
const STOP = { onError: 'stopWorkflow' } as const;

describe('The cooldown', () => {
  it('lets one code through, the next one when it is over, and any where it is 0.', async () => {
    jsonOf(await send());
    now += 10_000;
    expect(refusal(await send())).toEqual({ phone, reason: 'cooldown', retry_after: 20 });
    jsonOf(await send(NO_COOLDOWN));
    now += 29_999;
    expect(refusal(await send())).toMatchObject({ reason: 'cooldown', retry_after: 1 });
    now += 1;
    jsonOf(await send());
  });

  it('decides between simultaneous codes, those of other workflows included.', async () => {
    const other = new OtpHost();
    other.workflowId = 'another';
    const both = await Promise.all([send(), other.send({}, [{ phone }])]);
    expect(refusal(both[1][0])).toMatchObject({ reason: 'cooldown' });
    jsonOf(both[0]);
  });

  it('is not begun by a code that another limit refuses.', async () => {
    jsonOf(await send({ workflowLimit: 1 }));
    phone += 1;
    expect(refusal(await send({ workflowLimit: 1 }))).toMatchObject({ reason: 'workflow_limit' });
    jsonOf(await send());
  });

  it('is still that of the code before, where the gateway refuses a code of a shorter one.', async () => {
    jsonOf(await send({ cooldown: 3600 }));
    now += 40_000;
    const { answer } = host;
    host.answer = ({ id }) => ({ success: false, error: 'Error in Alpha-name', data: { id } });
    expect(errorOf(await send()).state).toBe('refused');
    host.answer = answer;
    expect(refusal(await send({ cooldown: 3600 }))).toMatchObject({ reason: 'cooldown', retry_after: 3560 });
  });
});

describe('The limit of a number', () => {
  it('is five codes from one full hour to the next, unless the option says more.', async () => {
    for (let n = 0; n < 5; n += 1) jsonOf(await send(NO_COOLDOWN));
    now += 20 * MINUTE;
    expect(refusal(await send(NO_COOLDOWN))).toMatchObject({ reason: 'number_limit', retry_after: 2400 });
    jsonOf(await send({ ...NO_COOLDOWN, perNumberLimit: 6 }));
    now += 40 * MINUTE - 1;
    expect(refusal(await send(NO_COOLDOWN))).toMatchObject({ reason: 'number_limit', retry_after: 1 });
    now += 1;
    jsonOf(await send(NO_COOLDOWN));
  });

  it('goes on after a restart, over all nodes of the workflow.', async () => {
    for (let n = 0; n < 5; n += 1) jsonOf(await send(NO_COOLDOWN));
    restart();
    host.nodeId = 'another';
    expect(refusal(await send(NO_COOLDOWN))).toMatchObject({ reason: 'number_limit' });
  });

  it('is that of all workflows together, within a process.', async () => {
    const limited = { ...NO_COOLDOWN, perNumberLimit: 1 };
    jsonOf(await send(limited));
    host.workflowId = 'another';
    expect(refusal(await send(limited))).toMatchObject({ reason: 'number_limit' });
  });
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

  it('is none where the option is missing or empty.', async () => {
    for (const workflowLimit of [undefined, null, '']) {
      for (let n = 0; n < 4; n += 1) jsonOf(await by('a', { workflowLimit }));
    }
    // Each number has its own limit.
    expect(host.store.recorded).toHaveLength(12);
  });

  it('counts the codes of its nodes that have the option, also after a restart.', async () => {
    jsonOf(await by('a', { workflowLimit: 2 }));
    jsonOf(await by('without'));
    jsonOf(await by('b', { workflowLimit: 50 }));
    restart();
    expect(refusal(await by('a', { workflowLimit: 2 }))).toMatchObject({
      phone,
      reason: 'workflow_limit',
      retry_after: 3600,
    });
    jsonOf(await by('b', { workflowLimit: 50 }));
  });

  it('is its own, also of a workflow that was never saved.', async () => {
    for (const id of [host.workflowId, `other ${phone}`, undefined]) {
      host.workflowId = id;
      jsonOf(await by('a', { workflowLimit: 1 }));
      expect(refusal(await by('a', { workflowLimit: 1 }))).toMatchObject({ reason: 'workflow_limit' });
    }
  });
});

it.each(['perNumberLimit', 'workflowLimit'])(
  'Once %s is reached, a refusal costs n8n no access to its database.',
  async (option) => {
    const limited = { ...NO_COOLDOWN, [option]: 1 };
    jsonOf(await send(limited));
    if (option === 'workflowLimit') phone += 1;
    host.store.failures.push(...LOCKED);
    expect(errorOf(await send(limited))).toMatchObject({ state: 'notSent' });
    expect(host.store.failures).toHaveLength(LOCKED.length);
  },
);

it.each<[string, number, string]>([
  ['cooldown', 3601, "'Cooldown (Seconds)' must be a whole number from 0 to 3600, not 3601"],
  ['perNumberLimit', 101, "'Limit per Number' must be a whole number from 1 to 100, not 101"],
  ['workflowLimit', 0, "'Limit per Workflow' must be a whole number from 1 to 2000, not 0"],
])('Refuses %s of %i.', async (option, value, message) => {
  expect(errorOf(await send({ [option]: value })).error.message).toBe(message);
  expect(host.store.recorded).toEqual([]);
});

describe('A code that was not sent does not count', () => {
  const ONLY = { perNumberLimit: 1, workflowLimit: 1 };

  it.each<[string, OtpHost['answer'], string]>([
    ['the request', 'Access denied', 'notSent'],
    ['it', ({ id }) => ({ success: false, error: 'Error in Alpha-name', data: { id } }), 'refused'],
  ])('where the gateway refused %s, also after a restart.', async (_, answer, state) => {
    const { answer: accept } = host;
    for (const begin of [() => undefined, restart]) {
      host.answer = answer;
      expect(errorOf(await send(ONLY)).state).toBe(state);
      begin();
    }
    host.answer = accept;
    jsonOf(await send(ONLY));
  });

  it('where n8n could not record it.', async () => {
    host.store.failures.push(...LOCKED);
    expect(errorOf(await send(ONLY)).error).toMatchObject({
      message: 'n8n could not record this in its database',
      description: expect.stringMatching(/^Nothing was sent for this row this time\./),
    });
    expect(host.sent).toEqual([]);
    jsonOf(await send(ONLY));
  });

  it('where the limit of the workflow refused it, of which the process learned only then.', async () => {
    jsonOf(await send({ ...ONLY, ...NO_COOLDOWN }));
    restart();
    phone += 1;
    expect(refusal(await send(ONLY))).toMatchObject({ reason: 'workflow_limit' });
    jsonOf(await send({ perNumberLimit: 1 }));
  });

  it('and still does where nobody knows what became of it.', async () => {
    host.answer = unclear;
    expect(errorOf(await send(ONLY)).state).toBe('unknown');
    expect(refusal(await send({ ...ONLY, ...NO_COOLDOWN }))).toMatchObject({ reason: 'number_limit' });
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

  it('keeps a code unknown where nothing proves that the gateway lacks it.', async () => {
    const wordsFor = (type: unknown) => (type === 'status' ? 'Message not found' : 'Error in Alpha-name');
    host.answer = ({ id, type }) => ({ success: false, error: wordsFor(type), data: { id } });
    expect(errorOf(await send({}, same)).state).toBe('unknown');
    expect(host.sent).toHaveLength(1);
  });
});

describe('A Retry', () => {
  /** Runs a node, and then as n8n's Retry does: in a new execution with the memory of the first. */
  const twice = async (options: IDataObject, before: () => void = () => undefined) => {
    const memory = {};
    const first = await send(options, { memory, executionId: `first ${phone}` });
    before();
    // The gateway is asked about a refused code once `status` surely shows what was taken.
    now += 2000;
    return [first, await send(options, { memory, executionId: `second ${phone}`, mode: 'retry' })];
  };

  it.each<[string, IDataObject]>([
    ['cooldown', {}],
    ['number_limit', { ...NO_COOLDOWN, perNumberLimit: 1 }],
    ['workflow_limit', { ...NO_COOLDOWN, workflowLimit: 1 }],
  ])('is held by the limit that held the first try: %s', async (reason, options) => {
    host.workflowId = `retried ${phone} ${reason}`;
    jsonOf(await send(options));
    const results = await twice(options);
    expect(results.map((result) => refusal(result)?.reason)).toEqual([reason, reason]);
    expect(errorOf(results[1]).error.description).toMatch(/^Nothing was sent for this row this time\./);
    expect(host.sent).toHaveLength(1);
  });

  it('counts a code anew that the gateway refused, and no code anew that is in doubt', async () => {
    const { answer: accept } = host;
    const once = { ...NO_COOLDOWN, perNumberLimit: 1 };
    host.answer = ({ id }) => ({ success: false, error: 'Error in Alpha-name', data: { id } });
    jsonOf((await twice(once, () => (host.answer = accept)))[1]);
    expect(refusal(await send(once))).toMatchObject({ reason: 'number_limit' });
    phone += 1;
    host.answer = unclear;
    const [first, second] = await twice(once, () => host.remember());
    expect(errorOf(first).state).toBe('unknown');
    jsonOf(second);
  });
});

describe('The items of a run', () => {
  const three = async (settings: RunSettings = {}) =>
    await host.send({}, [{ phone }, { phone }, { phone: phone + 1 }], settings);

  it('count for each other and for later runs, and each has its own answer.', async () => {
    const [first, second, third] = await three();
    expect([first, third].map((result) => jsonOf(result).phone)).toEqual([phone, phone + 1]);
    expect(refusal(second)).toMatchObject({ reason: 'cooldown', retry_after: 30 });
    expect(errorOf(second).error).toEqual({
      kind: 'input',
      message: 'This number gets one code in 30 seconds at most',
      description:
        "Nothing was sent for this row this time. The limit keeps strangers from having codes sent at your cost. Another code can be sent in 30 seconds. All rows of a run count. The option 'Cooldown (Seconds)' sets the limit.",
      todo: 'send another code in 30 seconds',
    });
    expect(host.sent.map(({ phone: to }) => to)).toEqual([phone, phone + 1]);
    expect(refusal(await send())).toMatchObject({ reason: 'cooldown' });
  });

  it('are all left unsent where one is refused and On Error is set to stop, and none counts.', async () => {
    await expect(three(STOP)).rejects.toMatchObject({
      message: 'This number gets one code in 30 seconds at most [item 1]',
      description: expect.stringMatching(
        /^Row 2 of 3\. Nothing was sent this time\. .* All rows of a run count\. Set 'On Error' to continue/,
      ),
    });
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
    const limited = { ...NO_COOLDOWN, workflowLimit: 2 };
    host.answer = ({ id, phone: to }) => ({
      success: to === phone,
      error: 'Error in Alpha-name',
      data: { id },
    });
    const both = await host.send({ options: limited }, [{ phone }, { phone: phone + 1 }]);
    expect([jsonOf(both[0]).phone, errorOf(both[1]).state]).toEqual([phone, 'refused']);
    jsonOf(await send(limited));
    expect(refusal(await send(limited))).toMatchObject({ reason: 'workflow_limit' });
  });
});
