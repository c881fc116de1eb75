/** Rows with a "Send Once Key" in a real n8n, and what they come out with. */
import type { IDataObject } from 'n8n-workflow';

import { sendOnceId } from '../../nodes/gateway/keys/send-once-id.ts';
import type { CredentialReference, N8nClient } from '../../tools/n8n-host/rest-client.mts';
import { action, rows, START, workflow } from './real-n8n.mts';
import { grouped, smsForm } from './sends.mts';

const PHONE = 380500001000;

/** Rows, each with the number of its order and a phone number of its own. */
export const orders = (count: number, first = 0): IDataObject[] =>
  Array.from({ length: count }, (_, i) => ({ order: first + i, phone: String(PHONE + first + i) }));

/** The id that the message of a row has, in whichever n8n. */
export const idOf = ({ order, phone }: IDataObject): number =>
  sendOnceId(`${String(order)}-shipped`, Number(phone));

/** A node that sends each row once. */
export const sendOnce = (
  credential: CredentialReference,
  options: IDataObject = {},
  text = 'Your order is on its way',
) =>
  action(
    'Send',
    credential,
    smsForm({
      smsMessage: text,
      options: grouped({ sendOnceKey: '={{ $json.order }}-shipped', ...options }),
    }),
  );

/** A workflow that sends rows. */
export const mailingOf = (items: IDataObject[], node: ReturnType<typeof sendOnce>) =>
  workflow([rows('Rows', items), node]);

/** Runs a workflow to its end; returns what each row came out with, and the hints below the output. */
export async function runOnce(client: N8nClient, items: IDataObject[], node: ReturnType<typeof sendOnce>) {
  const execution = await client.runToEnd(mailingOf(items, node), START);
  expect(execution.failure()).toBe('');
  return {
    json: execution.json('Send'),
    hints: execution.runs('Send')[0].hints?.map(({ message }) => message),
  };
}

/** Every row has the id and the number of its order, and says whether it had been sent before, and what `status` says. */
export function expectRows(
  json: Array<Record<string, unknown>>,
  items: IDataObject[],
  wasSent: (row: number) => boolean,
  isConfirmed = wasSent,
): void {
  const shown = json.map(({ id, phone, result, outcome, final, arrived, error }) =>
    JSON.stringify([id, phone, result, outcome, final, arrived, error]),
  );
  const expected = items.map((item, row) => {
    const report = isConfirmed(row) ? ['pending', false, false] : [undefined, undefined, undefined];
    const told = [wasSent(row) ? 'duplicate' : 'sent', ...report];
    return JSON.stringify([idOf(item), Number(item.phone), ...told, undefined]);
  });
  expect(shown).toEqual(expected);
}
