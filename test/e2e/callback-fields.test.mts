/** Callback Fields in a real n8n, from the send to the trigger and through a reply, and where nobody may find them. */
import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { e2eHost } from '../support/e2e-host.mts';
import { viberForm } from '../support/operation-cases.mts';
import { action, listener, rows, START, workflow } from '../support/real-n8n.mts';
import { filesWith } from '../support/secret-search.mts';
import { grouped, smsForm } from '../support/sends.mts';
import { postJson } from '../support/web-server.mts';

const host = e2eHost({ config: { outcomes: { afterMs: 20 } } });

// Each type of a send, queued or not, is in engine/callback-fields; each forged seal in unit/callback/message-facts.
const CASES = [
  { type: 'sms', operation: 'sendSms', delivery: 'queued', form: {} },
  { type: 'viber', operation: 'sendViber', delivery: 'now', form: viberForm('text') },
];
const SECRET_NOTE = `note-${randomUUID()}`;
const phoneOf = (i: number) => 380501230000 + i;
const fieldsOf = (i: number) => ({ row: i, note: SECRET_NOTE });

it('says whose a pipeline was that the queue refused', async () => {
  const webhookId = randomUUID();
  const listening = await host.publish(listener(webhookId, { outcomes: ['failed'] }, host.credential));
  const send = action('Send', host.credential, {
    ...{ resource: 'message', operation: 'sendPipeline', phone: phoneOf(7) },
    pipeline: { stages: [{ channel: 'sms', message: 'Hi', signature: 'Stranger' }] },
    options: { delivery: 'queued', hook: `${host.url}/webhook/${webhookId}/callback` },
  });
  await host.client.runToEnd(workflow([rows('Row', [{}]), send]), START);
  await host.sandbox.settled();
  const [started] = await host.client.waitForExecutions(listening.id, 1);
  expect(started.json('Callback')).toMatchObject([
    { status: 'REJECTED', phone: phoneOf(7), sent_as: 'pipeline' },
  ]);
});

it('says of every callback and reply whose it is, and of a seal that was tampered with nothing', async () => {
  const webhookId = randomUUID();
  const options = { secret: 'Gr8-Secret' };
  const outcomes = ['delivered', 'read', 'replied'];
  const listening = await host.publish(listener(webhookId, { outcomes, options }, host.credential));
  const url = `${host.url}/webhook/${webhookId}/callback`;

  const sends = CASES.map(({ operation, delivery, form }, i) =>
    action(`Send ${i}`, host.credential, {
      ...smsForm({ operation, ...form }),
      phone: phoneOf(i),
      options: grouped({
        delivery,
        hook: `${url}?secret=Gr8-Secret`,
        callbackFields: {
          values: [
            { name: 'row', value: `={{ ${i} }}` },
            { name: 'note', value: '={{ $json.note }}' },
          ],
        },
      }),
    }),
  );
  const created = await host.client.createWorkflow(
    workflow(...sends.map((send, i) => [rows(`Row ${i}`, [{ note: SECRET_NOTE }]), send])),
  );
  const run = await host.client.waitForExecution(await host.client.runManually(created.id, START));
  expect([run.status, run.failure()]).toEqual(['success', '']);
  await host.sandbox.settled();
  const messages = host.sandbox.messages.list();
  expect(messages.map(({ operation }) => operation.type).sort()).toEqual(
    CASES.map(({ type }) => type).sort(),
  );

  // A reply comes to the same address as the status.
  const answered = messages.find(({ operation }) => operation.type === 'viber')!;
  host.sandbox.act(answered.msgId, 'reply', { message: 'STOP' });
  await host.sandbox.settled();

  const count = CASES.length + 1;
  const heard = (await host.client.waitForExecutions(listening.id, count)).flatMap(
    (execution) => execution.json('Callback') as IDataObject[],
  );
  const byPhone = (phone: unknown) => heard.filter((row) => row.phone === phone);
  for (const [i, { type }] of CASES.entries()) {
    const found = byPhone(phoneOf(i));
    expect(found.length).toBeGreaterThan(0);
    for (const row of found) {
      expect(row).toMatchObject({ fields: fieldsOf(i), ...fieldsOf(i), sent_as: type });
      expect(Object.keys(row).slice(0, 4)).toEqual(['outcome', 'phone', 'row', 'note']);
    }
  }
  expect(heard.filter(({ reply }) => reply === 'STOP')).toEqual([
    expect.objectContaining({ phone: answered.phone, sent_as: 'viber', outcome: 'replied' }),
  ]);

  // Anyone may call the address again, about other messages and with parts of seals.
  const [one, other] = messages.map(({ operation }) => operation as IDataObject);
  const sealOf = (operation: IDataObject) =>
    new URL(String(operation.hook)).searchParams.get('seal') as string;
  const forged: Array<[id: unknown, seal: string | undefined]> = [
    [999_002, undefined],
    [other.id, sealOf(one)],
    [one.id, sealOf(one).slice(0, -8)],
  ];
  for (const [index, [id, seal]] of forged.entries()) {
    const body = {
      success: true,
      id,
      msg_id: 880_000 + index,
      type: 'sms',
      status: 'READ',
      phone: 380501239999,
      fields: { row: 1 },
    };
    const response = await postJson(
      `${url}?secret=Gr8-Secret${seal === undefined ? '' : `&seal=${seal}`}`,
      body,
    );
    expect(response.status).toBe(200);
  }
  const all = (await host.client.waitForExecutions(listening.id, count + forged.length)).flatMap(
    (execution) => execution.json('Callback') as IDataObject[],
  );
  const unreadable = all.filter((row) => row.fields_unreadable === true);
  expect(unreadable).toHaveLength(forged.length - 1);
  for (const row of [...unreadable, ...all.filter(({ id }) => id === 999_002)]) {
    expect(row).not.toHaveProperty('fields');
    expect(row).not.toHaveProperty('phone');
  }

  // A whole address that is called once more brings back what it holds, for its own message.
  const again = {
    success: true,
    id: one.id,
    msg_id: 890_000,
    type: 'sms',
    status: 'READ',
    fields: { row: 99 },
  };
  await postJson(String(one.hook), again);
  const [replayed] = await host.client.waitForExecutions(listening.id, count + forged.length + 1);
  const [{ fields, phone }] = replayed.json('Callback') as IDataObject[];
  expect([fields, phone]).toEqual([fieldsOf(Number((fields as IDataObject).row)), Number(one.phone)]);

  // No seal is kept anywhere, and what it holds only where the workflows themselves put it out.
  expect(await filesWith(host.folder, sealOf(one))).toEqual([]);
  const places = await filesWith(host.folder, SECRET_NOTE);
  expect(places.filter((path) => !/database\.sqlite/.test(path))).toEqual([]);
});
