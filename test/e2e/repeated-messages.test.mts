/**
 * Thirty rows with a fixed number in a real n8n, with the packed package: one message leaves. Retries, refusals, waits and other
 * kinds of message are in engine/repeated-messages.
 */
import { e2eHost } from '../support/e2e-host.mts';
import { action, rows, START, workflow } from '../support/real-n8n.mts';
import { sentTo, smsForm } from '../support/sends.mts';

const host = e2eHost();

it('thirty equal rows leave once, and each has the result', async () => {
  const form = smsForm({ phone: '447700900161', smsMessage: 'The import is done' });
  const flow = workflow([
    rows(
      'Rows',
      Array.from({ length: 30 }, (_, row) => ({ row })),
    ),
    action('Send', host.credential, form),
  ]);
  const execution = await host.client.runToEnd(flow, START);
  const json = execution.json('Send');
  const repeated = json.filter(({ duplicate }) => duplicate === true);
  expect([json.length, repeated.length, new Set(json.map(({ id }) => id)).size]).toEqual([30, 29, 1]);
  expect(sentTo(host.sandbox)).toHaveLength(1);
});
