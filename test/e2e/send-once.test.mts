/**
 * "Send Once Key" in a real n8n: the same rows twice in a row, in two workflows, and with a gateway that is late. Each
 * message is sent once, and each row comes out right. After a kill, and in another n8n of the account: killed.test.mts.
 */
import { e2eHost } from '../support/e2e-host.mts';
import { expectRows, orders, runOnce, sendOnce } from '../support/keyed-rows.mts';
import { shortOrLong } from '../support/long-form.mts';

const host = e2eHost({ config: { outcomes: { fallback: { steps: [] } } } });
beforeEach(() => host.sandbox.reset());

const expectOnce = (accepted: number) =>
  expect(host.sandbox.counts()).toMatchObject({ accepted, distinctIds: accepted, doubledIds: 0 });

it('sends 500 rows once, run twice in a row, and by another workflow', async () => {
  const { client, credential } = host;
  // What was taken is known with a delay.
  host.sandbox.configure({ statusLag: 1000 });
  const items = orders(500);
  expectRows((await runOnce(client, items, sendOnce(credential))).json, items, () => false);
  const again = await runOnce(client, items, sendOnce(credential));
  expectRows(again.json, items, () => true);
  expect(again.hints).toEqual(['500 of 500 had been sent before']);
  const mixed = [...orders(38), ...orders(462, 1000)].sort(
    (a, b) => ((Number(a.order) * 7) % 11) - ((Number(b.order) * 7) % 11),
  );
  const changed = await runOnce(client, mixed, sendOnce(credential, { batchSize: 60 }, 'Other words'));
  expectRows(changed.json, mixed, (row) => Number(mixed[row].order) < 1000);
  expect(changed.hints).toEqual(['38 of 500 had been sent before']);
  expectOnce(962);
  host.sandbox.configure({ statusLag: 0 });
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
  const first = await runOnce(client, items, sendOnce(credential, { batchSize: 20 }));
  const isLate = (row: number) => row >= 20 && row < 40;
  expectRows(first.json, items, () => false, isLate);
  expectRows((await runOnce(client, items, sendOnce(credential))).json, items, () => true);
  expectOnce(60);
});
