/**
 * "Send Once Key" in a real n8n: the same rows twice in a row, in two workflows, in two n8n with one account, after n8n was
 * killed in the middle of them, and with a gateway that is late. Each message is sent once, and each row comes out right.
 */
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { sendOnceId } from '../../nodes/MessagingGateway/sending/send-once.ts';
import type { N8nProcess } from '../../tools/n8n-host/n8n-process.mts';
import { OWNER, startN8n, startWithOwner } from '../../tools/n8n-host/n8n-process.mts';
import type { CredentialReference, N8nClient } from '../../tools/n8n-host/rest-client.mts';
import { packed } from '../../tools/package.mts';
import { TMP } from '../../tools/paths.mts';
import { until } from '../../tools/until.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { shortOrLong } from '../support/long-form.mts';
import { action, credentialData, CREDENTIAL_TYPE, rows, START, workflow } from '../support/real-n8n.mts';
import { smsForm } from '../support/sends.mts';

const host = e2eHost({ config: { outcomes: { fallback: { steps: [] } } } });

const folder = join(TMP, 'e2e-send-once');
/** Another n8n, whose credential has the key of the same account. */
let other: { n8n: N8nProcess; client: N8nClient; credential: CredentialReference };

beforeAll(async () => {
  const started = await startWithOwner({ folder, tarball: await packed() });
  const data = credentialData(host.sandbox);
  const credential = await started.client.createCredential('Same account', CREDENTIAL_TYPE, data);
  other = { ...started, credential };
});
beforeEach(() => host.sandbox.reset());
afterAll(async () => await other?.n8n.stop());

const PHONE = 380500001000;
const orders = (count: number, first = 0): IDataObject[] =>
  Array.from({ length: count }, (_, i) => ({ order: first + i, phone: String(PHONE + first + i) }));

const send = (
  credential: CredentialReference,
  options: IDataObject = {},
  text = 'Your order is on its way',
) =>
  action(
    'Send',
    credential,
    smsForm({ smsMessage: text, options: { sendOnceKey: '={{ $json.order }}-shipped', ...options } }),
  );

/** Runs a workflow to its end; returns what each row came out with, and the hints below the output. */
async function run(client: N8nClient, items: IDataObject[], node: ReturnType<typeof send>) {
  const execution = await client.runToEnd(workflow([rows('Rows', items), node]), START);
  expect(execution.failure()).toBe('');
  return {
    json: execution.json('Send'),
    hints: execution.runs('Send')[0].hints?.map(({ message }) => message),
  };
}

/** Every row has the id and the number of its order, and says whether it had been sent before, and what `status` says. */
function expectRows(
  json: Array<Record<string, unknown>>,
  items: IDataObject[],
  wasSent: (row: number) => boolean,
  isConfirmed = wasSent,
) {
  const shown = json.map(({ id, phone, duplicate, outcome, final, arrived, error }) =>
    JSON.stringify([id, phone, duplicate, outcome, final, arrived, error]),
  );
  const expected = items.map(({ order, phone }, row) => {
    const number = Number(phone);
    const report = isConfirmed(row) ? ['pending', false, false] : [undefined, undefined, undefined];
    const told = [wasSent(row) ? true : undefined, ...report];
    return JSON.stringify([sendOnceId(`${String(order)}-shipped`, number), number, ...told, undefined]);
  });
  expect(shown).toEqual(expected);
}

const expectOnce = (accepted: number) =>
  expect(host.sandbox.counts()).toMatchObject({ accepted, distinctIds: accepted, doubledIds: 0 });

it('sends 500 rows once, run twice in a row, by another workflow, and by another n8n of the account', async () => {
  const { client, credential } = host;
  // What was taken is known with a delay.
  host.sandbox.configure({ statusLag: 1000 });
  const items = orders(500);
  expectRows((await run(client, items, send(credential))).json, items, () => false);
  const again = await run(client, items, send(credential));
  expectRows(again.json, items, () => true);
  expect(again.hints).toEqual(['500 of 500 had been sent before']);
  const mixed = [...orders(38), ...orders(462, 1000)].sort(
    (a, b) => ((Number(a.order) * 7) % 11) - ((Number(b.order) * 7) % 11),
  );
  const changed = await run(client, mixed, send(credential, { batchSize: 60 }, 'Other words'));
  expectRows(changed.json, mixed, (row) => Number(mixed[row].order) < 1000);
  expect(changed.hints).toEqual(['38 of 500 had been sent before']);
  const elsewhere = await run(other.client, [...items, ...items], send(other.credential));
  expectRows(elsewhere.json, [...items, ...items], () => true);
  expectOnce(962);
  host.sandbox.configure({ statusLag: 0 });
});

it('finishes a mailing of 400 rows in the middle of which n8n was killed, when its workflow is run again', async () => {
  const { sandbox } = host;
  sandbox.configure({ latencyMs: 1000 });
  const items = orders(400);
  const node = send(other.credential, { batchSize: 20 });
  const created = await other.client.createWorkflow(workflow([rows('Rows', items), node]));
  await other.client.runManually(created.id, START);
  await until('a quarter of them', () => sandbox.messages.accepted >= 100 || undefined);
  await other.n8n.kill();
  const port = Number(new URL(other.n8n.url).port);
  other.n8n = await startN8n({ folder, port });
  await other.client.logIn(OWNER);
  // The last request may still be on its way when n8n starts again.
  sandbox.configure({ latencyMs: 0 });
  const before = new Set(sandbox.messages.list().map(({ id }) => Number(id)));
  expect(before.size).toBeGreaterThanOrEqual(100);
  expect(before.size).toBeLessThan(400);
  const { json, hints } = await run(other.client, items, node);
  expectRows(json, items, (row) => before.has(sendOnceId(`${row}-shipped`, PHONE + row)));
  expect(hints).toEqual([`${before.size} of 400 had been sent before`]);
  expectOnce(400);
});

it('sends each message once with a gateway that takes a batch after it has answered for it', async () => {
  const { client, credential, sandbox } = host;
  const late = {
    kind: 'status-before',
    status: 504,
    commitDelay: shortOrLong(3000, 20_000),
    times: 1,
  } as const;
  sandbox.faults.add({ ...late, after: 1 });
  const items = orders(60);
  const first = await run(client, items, send(credential, { batchSize: 20 }));
  const isLate = (row: number) => row >= 20 && row < 40;
  expectRows(first.json, items, () => false, isLate);
  expectRows((await run(client, items, send(credential))).json, items, () => true);
  expectOnce(60);
});
