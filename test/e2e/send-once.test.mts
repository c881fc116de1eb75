/** "Send Once Key" in a real n8n: each message is sent once, whichever workflow sends it again, and each row comes out right. */
import type { IDataObject } from 'n8n-workflow';

import { sendOnceId } from '../../nodes/MessagingGateway/sending/send-once.ts';
import type { CredentialReference } from '../../tools/n8n-host/rest-client.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { action, credentialData, CREDENTIAL_TYPE, rows, START, workflow } from '../support/real-n8n.mts';
import { smsForm } from '../support/sends.mts';

const host = e2eHost({ config: { outcomes: { fallback: { steps: [] } } } });

const PHONE = 380500000000;
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
async function run(items: IDataObject[], node: ReturnType<typeof send>) {
  const execution = await host.client.runToEnd(workflow([rows('Rows', items), node]), START);
  expect(execution.failure()).toBe('');
  return {
    json: execution.json('Send'),
    hints: execution.runs('Send')[0].hints?.map(({ message }) => message),
  };
}

/** Every row has the id and the number of its order, and says whether it had been sent before. */
function expectRows(
  json: Array<Record<string, unknown>>,
  items: IDataObject[],
  wasSent: (row: number) => boolean,
) {
  const shown = json.map(({ id, phone, duplicate, outcome, final, arrived, error }) =>
    JSON.stringify([id, phone, duplicate, outcome, final, arrived, error]),
  );
  const expected = items.map(({ order, phone }, row) => {
    const number = Number(phone);
    const told = wasSent(row)
      ? [true, 'pending', false, false]
      : [undefined, undefined, undefined, undefined];
    return JSON.stringify([sendOnceId(`${String(order)}-shipped`, number), number, ...told, undefined]);
  });
  expect(shown).toEqual(expected);
}

it('sends 500 rows once, run twice in a row, by another workflow, and with another credential of the account', async () => {
  const { client, credential, sandbox } = host;
  // What was taken is known with a delay.
  sandbox.configure({ statusLag: 1000 });
  const items = orders(500);
  expectRows((await run(items, send(credential))).json, items, () => false);
  const again = await run(items, send(credential));
  expectRows(again.json, items, () => true);
  expect(again.hints).toEqual(['500 of 500 had been sent before']);
  const mixed = [...orders(38), ...orders(462, 1000)].sort(
    (a, b) => ((Number(a.order) * 7) % 11) - ((Number(b.order) * 7) % 11),
  );
  const changed = await run(mixed, send(credential, { batchSize: 60 }, 'Other words'));
  expectRows(changed.json, mixed, (row) => Number(mixed[row].order) < 1000);
  expect(changed.hints).toEqual(['38 of 500 had been sent before']);
  const other = await client.createCredential('Same account', CREDENTIAL_TYPE, credentialData(sandbox));
  const elsewhere = await run([...items, ...items], send(other));
  expectRows(elsewhere.json, [...items, ...items], () => true);
  expect(sandbox.counts()).toMatchObject({ accepted: 962, distinctIds: 962, doubledIds: 0 });
});
