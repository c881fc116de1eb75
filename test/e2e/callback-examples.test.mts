import { readExamples, withCredential } from '../../tools/n8n-host/workflow.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { CREDENTIAL_TYPE, TRIGGER } from '../support/real-n8n.mts';

/** The example workflows around callbacks, as a user would import them. Others are in the core checks, as 0.1.0 had them. */

const host = e2eHost();

/** Publishes an example, posts the callbacks one after the other, and gives the items of a node by execution. */
async function run(file: string, callbacks: object[]) {
  const { [file]: example } = await readExamples();
  const workflow = withCredential(example, CREDENTIAL_TYPE, host.credential);
  const { id } = await host.publish(workflow);
  const trigger = workflow.nodes.find(({ type }) => type === TRIGGER);
  for (const callback of callbacks) {
    expect((await host.client.postWebhook(`${trigger?.webhookId}/callback`, callback)).status).toBe(200);
  }
  return async (node: string, executions: number): Promise<Array<Record<string, unknown>>> => {
    const ended = await host.client.waitForExecutions(id, executions);
    return ended.flatMap((execution) => execution.json(node));
  };
}

it('two-way replies: one row for each reply, none twice', async () => {
  const replies = [
    { datetime: '2026-01-01T00:00:00Z', message: 'Yes' },
    { datetime: '2026-01-01T00:01:00Z', message: '', media: { url: 'https://example.com/a.png' } },
  ];
  const replied = { success: true, id: '5', msg_id: '6', type: 'viber', status: 'REPLIED', replies };
  const items = await run('two-way-replies', [replied, replied]);
  expect(await items('Row for the Table', 1)).toEqual([
    { received: '2026-01-01T00:00:00Z', message: '5', channel: 'viber', text: 'Yes', media: '' },
    {
      received: '2026-01-01T00:01:00Z',
      message: '5',
      channel: 'viber',
      text: '',
      media: 'https://example.com/a.png',
    },
  ]);
});

it('DTMF routing: each digit goes its own way', async () => {
  const call = (id: number, fields: object) => ({
    success: true,
    id,
    type: 'voice',
    status: 'DELIVERED',
    ...fields,
  });
  const items = await run('dtmf-routing', [
    call(1, { reply: '1', duration: 12 }),
    call(2, { reply: 2 }),
    call(3, {}),
    call(4, { success: false, status: 'EXPIRED' }),
  ]);
  const notes = async (node: string) => (await items(node, 4)).map(({ note }) => note).sort();
  expect(await notes('Confirmed')).toEqual(['Message 1: confirmed after 12 s']);
  expect(await notes('Another Time')).toEqual(['Message 2: wants another time']);
  expect(await notes('No Answer')).toEqual([
    'Message 3: no answer (DELIVERED)',
    'Message 4: no answer (EXPIRED)',
  ]);
});
