import { startSandbox } from '../../../sandbox/server.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import { letTimeRun, pass, stopTime } from '../../support/virtual-time.mts';
import { runOne } from './client.mts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const create = (template: unknown, more: object = {}) =>
  runOne(sandbox, { type: 'template/create', template, ...more });
const createViber = (template: unknown, more: object = {}) =>
  runOne(sandbox, { type: 'template/viber/create', template, ...more });

test('an SMS template is made, listed and deleted by id', async () => {
  const made = await create('Hello {name}', { name: 'Greeting' });
  expect(made.data).toEqual({
    id: expect.any(String),
    name: 'Greeting',
    text: 'Hello {name}',
    characters: 12,
    parts: 1,
  });
  expect((await runOne(sandbox, { type: 'template/list' })).data).toEqual({
    templates: [{ ...made.data, created: expect.stringMatching(/^\d{4}-/) }],
  });
  const gone = await runOne(sandbox, { type: 'template/delete', id: made.data.id });
  expect(gone).toEqual({ success: true, data: { deleted: 1 } });
  expect(sandbox.templates().sms).toEqual([]);
});

test('deleting by exact text takes all that match; by both, only what matches both', async () => {
  const first = await create('Same');
  await create('Same');
  await create('Same!');
  const remove = async (criteria: object) =>
    (await runOne(sandbox, { type: 'template/delete', ...criteria })).data;
  expect(await remove({ id: first.data.id, template: 'Same!' })).toEqual({ deleted: 0 });
  expect(await remove({ template: 'Same' })).toEqual({ deleted: 2 });
  expect(sandbox.templates().sms).toHaveLength(1);
});

test('neither id nor text would delete everything, so it is refused', async () => {
  await create('Kept');
  expect((await runOne(sandbox, { type: 'template/delete' })).success).toBe(false);
  expect((await runOne(sandbox, { type: 'template/viber/delete' })).success).toBe(false);
  expect(sandbox.templates().sms).toHaveLength(1);
});

test('the id of an SMS template is a string, and that of Viber an integer', async () => {
  expect((await runOne(sandbox, { type: 'template/delete', id: 1 })).success).toBe(false);
  expect((await runOne(sandbox, { type: 'template/viber/delete', id: '1' })).success).toBe(false);
  expect((await runOne(sandbox, { type: 'template/viber/delete', id: 1 })).data).toEqual({ deleted: 0 });
  for (const bad of [undefined, '', 5]) {
    expect((await create(bad)).success).toBe(false);
    expect((await createViber(bad)).success).toBe(false);
  }
  expect((await create('x', { name: 5 })).success).toBe(false);
  expect((await createViber('x', { signature: 5 })).success).toBe(false);
});

test('a Viber template is moderated before it is approved', async () => {
  stopTime();
  const made = await createViber('Sale', { signature: 'ViberSender' });
  expect(made.data).toEqual({ id: expect.any(Number), status: 'moderation' });
  await pass(2000);
  expect((await runOne(sandbox, { type: 'template/viber/list' })).data).toEqual({
    templates: [{ id: made.data.id, text: 'Sale', signature: 'ViberSender', status: 'approved' }],
  });
  letTimeRun();
  const gone = await runOne(sandbox, { type: 'template/viber/delete', id: made.data.id, template: 'Sale' });
  expect(gone.data).toEqual({ deleted: 1 });
});

test('accounts do not see each other', async () => {
  const other = sandbox.addAccount({ key: 'other', name: 'other' });
  await create('Mine');
  expect(sandbox.templates().sms).toHaveLength(1);
  expect(sandbox.templates(other.key).sms).toHaveLength(0);
});
