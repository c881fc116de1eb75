/** What a person or a tool may not ask for: said at once and in words, instead of ending the sandbox later on. */
import { startSandbox } from '../../../sandbox/server.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import { GOOD, post, queue, run } from './client.mts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });
});
afterAll(() => sandbox.close());

async function refusal(path: string, body: unknown): Promise<string> {
  const response = await post(`${sandbox.controlUrl}/${path}`, body);
  const { error } = (await response.json()) as { error: string };
  expect([path, response.status]).toEqual([path, 400]);
  return error;
}

test.each([
  [{ nothing: 1 }, 'Unknown setting: nothing'],
  [{ rules: { nothing: 1 } }, 'Unknown setting: rules.nothing'],
  [{ rules: null }, 'Setting rules has to be an object'],
  [{ latencyMs: -1 }, 'Setting latencyMs has to be a number from 0 to 2147483647'],
  ['{"latencyMs":1e999}', 'Setting latencyMs has to be a number from 0'],
  [
    { outcomes: { afterMs: [5, 1] } },
    'Setting outcomes.afterMs has to be a number of milliseconds, or a list',
  ],
  [{ outcomes: { duplicateShare: 2 } }, 'Setting outcomes.duplicateShare has to be a number from 0 to 1'],
  [
    { outcomes: { fallback: { steps: [{ status: 'READ', replies: 5 }] } } },
    'Setting outcomes.fallback.steps[0].replies has to be a list',
  ],
  [
    { outcomes: { fallback: { steps: [{ status: 'READ', colour: 5 }] } } },
    'Setting outcomes.fallback.steps[0].colour is unknown',
  ],
  [{ outcomes: { fallback: { steps: [], duplicates: 1e9 } } }, 'duplicates has to be a whole number from 0'],
  [{ outcomes: { rules: [{ outcome: null }] } }, 'Setting outcomes.rules[0].outcome has to be an object'],
  [{ connector: { pageSize: 0 } }, 'a whole number of at least 1, or null'],
  // One bad value, and the good one beside it is not taken either.
  [{ latencyMs: 9, keep: { keys: null } }, 'Setting keep.keys has to be true or false'],
])('settings: %j', async (change, words) => {
  const before = JSON.stringify(sandbox.config);
  expect(await refusal('config', change)).toContain(words);
  expect(JSON.stringify(sandbox.config)).toBe(before);
});

test('what the settings are can be given back as it is', async () => {
  const config = await (await fetch(`${sandbox.controlUrl}/config`)).json();
  const response = await post(`${sandbox.controlUrl}/config`, config);
  expect([response.status, await response.json()]).toEqual([200, config]);
});

test.each([
  [{ colour: 1 }, 'Account: colour is unknown'],
  [{ senders: null }, 'Account: senders has to be an object'],
  [{ senders: { sms: ['A'] } }, 'Account: senders.viber is required'],
  [{ notificationUrl: 'my-hook' }, 'Account: notificationUrl has to be an http or https address, or null'],
  [{ tariff: {} }, 'Account: tariff.short_link is required'],
  [{ key: '', name: 'second' }, 'Account: key has to be a string that is not empty'],
])('accounts: %j', async (change, words) => {
  const before = JSON.stringify([...sandbox.accounts]);
  expect(await refusal('accounts', change)).toContain(words);
  expect(JSON.stringify([...sandbox.accounts])).toBe(before);
  expect((await run(sandbox, [GOOD.sms])).success).toBe(true);
  expect((await queue(sandbox, [GOOD.sms])).success).toBe(true);
  await sandbox.settled();
});

test.each([
  [{}, 'Fault: kind is required'],
  [{ kind: 'nothing' }, 'Fault: kind has to be one of drop-before, drop-after'],
  [{ kind: [] }, 'Fault: kind has to name a kind'],
  [{ kind: 'slow', colour: 1 }, 'Fault: colour is unknown'],
  [{ kind: 'slow', when: 'always' }, 'Fault: when has to be a function'],
  [{ kind: 'slow', share: 5 }, 'Fault: share has to be a number from 0 to 1'],
  [
    { kind: 'slow', endpoint: 'everywhere' },
    'Fault: endpoint has to be one of sync, async, mcp, health, any',
  ],
])('faults: %j', async (plan, words) => {
  expect(await refusal('faults', plan)).toContain(words);
  expect(() => sandbox.faults.add(plan as never)).toThrow(words);
  expect(sandbox.faults.list()).toEqual([]);
});
test('what is wrong from the start is said instead of starting', async () => {
  await expect(startSandbox({ accounts: [{ senders: null as never }] })).rejects.toThrow('Account: senders');
  await expect(startSandbox({ config: { latencyMs: NaN } })).rejects.toThrow('Setting latencyMs');
});
