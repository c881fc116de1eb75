/** Templates with nodes of other services, in a real n8n: what these would give or take is stood in for. */
import type { IDataObject } from 'n8n-workflow';

import { callbackPath } from '../../tools/n8n-host/workflow.mts';
import type { WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { until } from '../../tools/until.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { START } from '../support/real-n8n.mts';
import { withEcho, withItems, withParameters, withStart } from '../support/stand-ins.mts';

// What becomes of a message is up to each test.
const host = e2eHost({ config: { outcomes: { fallback: { steps: [] } } } });
beforeEach(async () => await host.anew());

const sent = () => host.sandbox.messages.list();
const sentTo = (phone: number) => sent().filter((message) => Number(message.phone) === phone);
/** A day by its distance from today, in UTC as the n8n of the tests. */
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Runs a workflow by one of its triggers until it has ended, without an error. */
async function run(id: string, trigger: string) {
  const execution = await host.client.waitForExecution(await host.client.runManually(id, trigger));
  expect([execution.status, execution.failure()]).toEqual(['success', '']);
  return execution;
}

/** What a node put out in so many executions of a workflow. */
async function outputOf(id: string, executions: number, node: string): Promise<IDataObject[]> {
  const ended = await host.client.waitForExecutions(id, executions);
  expect(ended.map((execution) => execution.failure()).filter(Boolean)).toEqual([]);
  return ended.flatMap((execution) => execution.json(node) as IDataObject[]);
}

it('reminds of the appointments in a calendar, notes who confirms, and writes an SMS where Viber fails', async () => {
  const event = (id: string, phone: string, start: IDataObject) => ({
    ...{ id, summary: `Visit ${id}`, description: `Customer, ${phone}, first visit`, start },
  });
  const time = `${day(1)}T10:30:00+02:00`;
  let workflow = withItems(await host.example('calendar-reminders'), "Tomorrow's Appointments", [
    event('a', '+44 7700 900001', { dateTime: time }),
    event('b', '+44 7700 900002', { dateTime: time }),
    event('c', '+44 7700 900003', { dateTime: time }),
    event('d', 'no number', { dateTime: time }),
    event('e', '+44 7700 900005', { date: day(1) }),
  ]);
  for (const node of ['Mark as Confirmed', 'Mark as Another Time']) workflow = withEcho(workflow, node);
  const { id } = await host.publish(workflow);
  await run(id, 'Every Day at 17:00');
  expect(sent().map(({ phone, operation }) => [phone, operation.viber_message])).toEqual(
    [447700900001, 447700900002, 447700900003].map((phone) => [
      phone,
      'Your appointment is tomorrow at 10:30. Reply 1 to confirm, or 2 for another time.',
    ]),
  );
  // A second run on the same day reminds nobody again.
  await run(id, 'Every Day at 17:00');
  expect(sent()).toHaveLength(3);

  const [one, two, three] = sent();
  host.sandbox.act(one.msgId, 'reply', { message: ' 1' });
  host.sandbox.act(two.msgId, 'reply', { message: '2' });
  host.sandbox.act(three.msgId, 'fail');
  await host.sandbox.settled();
  expect(await outputOf(id, 5, 'Mark as Confirmed')).toEqual([
    { eventId: 'a', summary: 'Confirmed: Visit a' },
  ]);
  expect(await outputOf(id, 5, 'Mark as Another Time')).toEqual([
    { eventId: 'b', summary: 'Another time: Visit b' },
  ]);
  expect(sentTo(447700900003).map(({ operation }) => operation.sms_message)).toEqual([
    undefined,
    'Your appointment is tomorrow at 10:30.',
  ]);
});

it('reminds of overdue invoices, each reminder once, and notes in the sheet what was sent or is wrong', async () => {
  const invoice = (number: string, more: IDataObject) => ({
    ...{ invoice: number, name: 'Ann', phone: '07700 900001', amount: '120 EUR', due: day(-10) },
    ...{ paid: '', reminders: '', reminded: '', note: '', ...more },
  });
  let workflow = withItems(await host.example('invoice-chaser'), 'Invoices', [
    invoice('R-1', {}),
    invoice('R-2', { paid: 'yes' }),
    invoice('R-3', { due: day(3) }),
    invoice('R-4', { reminders: 1, reminded: day(-3) }),
    invoice('R-5', { phone: '07700 900005', reminders: 1, reminded: day(-8) }),
    invoice('R-6', { reminders: 3, reminded: day(-30) }),
    invoice('R-7', { phone: 'call the office' }),
  ]);
  for (const node of ['Note the Reminder', 'Note What Is Wrong']) workflow = withEcho(workflow, node);
  const { id } = await host.client.createWorkflow(workflow);
  const execution = await run(id, 'Every Day at 10:00');
  expect(execution.json('Note the Reminder')).toEqual([
    { invoice: 'R-1', reminders: '1', reminded: day(0), note: '' },
    { invoice: 'R-5', reminders: '2', reminded: day(0), note: '' },
  ]);
  expect(execution.json('Note What Is Wrong')).toEqual([
    { invoice: 'R-7', note: expect.stringContaining("'Phone Number'") },
  ]);
  expect(sent().map(({ phone }) => phone)).toEqual([447700900001, 447700900005]);
  // The sheet of this test stays as it was, as one that couldn't be written.
  await run(id, 'Every Day at 10:00');
  expect(sent()).toHaveLength(2);
});

it('tells customers of both shops once what is new of their order, by the numbers of their countries', async () => {
  const billing = { phone: '07700 900001', country: 'GB', first_name: 'Ann' };
  const woo = { number: 17, status: 'processing', billing };
  const shopify = {
    ...{ name: '#1001', financial_status: 'paid', order_status_url: 'https://shop.example.com/orders/1' },
    ...{ fulfillment_status: null, customer: { first_name: 'Olena' } },
    shipping_address: { phone: '050 123 45 67', country_code: 'UA' },
  };
  let workflow = withItems(await host.example('order-updates'), 'WooCommerce', [
    woo,
    { ...woo, status: 'pending' },
    { ...woo, status: 'completed' },
  ]);
  workflow = withItems(workflow, 'Shopify', [
    shopify,
    { ...shopify, fulfillment_status: 'fulfilled' },
    { ...shopify, cancelled_at: '2026-01-01' },
  ]);
  const { id } = await host.client.createWorkflow(withStart(workflow, 'WooCommerce', 'Shopify'));
  for (const _ of ['first', 'again']) {
    await run(id, START);
    expect(sent().map(({ phone, operation }) => [phone, operation.sms_message])).toEqual([
      [447700900001, 'Hello Ann, your order 17 is paid and being packed.'],
      [447700900001, 'Hello Ann, your order 17 is on its way.'],
      [380501234567, 'Hello Olena, your order #1001 is paid and being packed.'],
      [380501234567, 'Hello Olena, your order #1001 is on its way.'],
    ]);
  }
});

describe('the alert', () => {
  const ANNA = 447700900001;
  const BEN = 447700900002;
  const calls = () => sent().filter(({ type }) => type === 'voice');
  let workflow: WorkflowJson;
  let id: string;
  beforeAll(async () => {
    const example = await host.example('on-call-alert');
    workflow = withParameters(example, 'Ring for 2 Minutes', { amount: 5, unit: 'seconds' });
    ({ id } = await host.publish(workflow));
    await run(id, 'Start by Hand');
  });
  beforeEach(() => {
    host.sandbox.account().notificationUrl = `${host.url}/webhook/${callbackPath(workflow)}`;
  });

  /** Waits for so many calls, presses a digit in the last one, and returns how many there are in the end. */
  async function answer(count: number, digit: string): Promise<number> {
    const found = await until(`${count} calls`, () => (calls().length >= count ? calls() : undefined));
    host.sandbox.act(found[count - 1].msgId, 'dtmf', { digit });
    await until('the end of the alert', async () => {
      const executions = await host.client.listExecutions(id);
      return executions.every(({ status }) => status === 'success') || undefined;
    });
    return calls().length;
  }

  it('of a monitor goes to everybody by SMS, and calls one after the other until one presses 1', async () => {
    expect((await host.client.postWebhook('on-call-alert', { text: 'The shop is down' })).status).toBe(200);
    expect(await answer(2, '1')).toBe(2);
    expect(calls().map(({ phone, operation }) => [phone, operation.message])).toEqual(
      [ANNA, BEN].map((phone) => [phone, 'The shop is down. Press 1 if you take care of it.']),
    );
    // n8n runs the upper branch first: a text must not wait for calls that ring.
    expect(sent().map(({ type }) => type)).toEqual(['sms', 'sms', 'voice', 'voice']);
    const texts = sent().filter(({ type }) => type === 'sms');
    expect(texts.map(({ phone, operation }) => [phone, operation.sms_message])).toEqual(
      [ANNA, BEN].map((phone) => [phone, 'The shop is down']),
    );
  });

  it('of a workflow that failed says which, and another digit ends nothing', async () => {
    const failing: WorkflowJson = {
      name: 'Nightly import',
      settings: { errorWorkflow: id, executionOrder: 'v1' },
      nodes: [
        {
          ...{ id: 'hook', name: 'Hook', type: 'n8n-nodes-base.webhook', typeVersion: 2.1, position: [0, 0] },
          ...{
            parameters: { httpMethod: 'POST', path: 'nightly-import', options: {} },
            webhookId: 'nightly',
          },
        },
        {
          ...{ id: 'stop', name: 'Stop', type: 'n8n-nodes-base.stopAndError', typeVersion: 1 },
          ...{ position: [200, 0], parameters: { errorMessage: 'The file is missing' } },
        },
      ],
      connections: { Hook: { main: [[{ node: 'Stop', type: 'main', index: 0 }]] } },
    };
    await host.publish(failing);
    await host.client.postWebhook('nightly-import', {});
    const found = await until('a call', () => calls().at(0));
    host.sandbox.act(found.msgId, 'dtmf', { digit: '2' });
    expect(await answer(2, '1')).toBe(2);
    expect(calls()[0].operation.message).toBe(
      'The workflow Nightly import failed: The file is missing. Press 1 if you take care of it.',
    );
  });
});

it('asks who was there today, sends the happy ones to the review page once, and tells a person of the others', async () => {
  const visit = (nr: number, name: string, phone: string, on = day(0)) => ({
    visit: nr,
    name,
    phone,
    day: on,
  });
  const workflow = withItems(await host.example('review-request'), 'Visits', [
    visit(1, 'Ann', '07700 900001'),
    visit(2, 'Ben', '07700 900002'),
    visit(4, 'Dan', '07700 900004'),
    visit(5, 'Eve', '07700 900005', day(-1)),
  ]);
  const { id } = await host.publish(workflow);
  await run(id, 'Every Day at 18:00');
  const [ann, ben, dan] = sent();
  expect(sent()).toHaveLength(3);
  // One after the other: executions at the same moment don't see each other's key.
  let executions = 1;
  for (const [{ msgId }, message] of [
    [ann, '5'],
    [ann, '4 '],
    [ben, '2, the soup was cold'],
    [dan, 'Stop'],
  ] as const) {
    host.sandbox.act(msgId, 'reply', { message });
    await host.client.untilExecutions(id, ++executions);
  }
  await outputOf(id, 5, 'Ask for a Review');
  expect(sentTo(447700900001).map(({ operation }) => operation.viber_link)).toEqual([
    undefined,
    'https://example.com/review',
  ]);
  expect(sentTo(447700900003).map(({ operation }) => operation.sms_message)).toEqual([
    'Ben, +447700900002, replied: 2, the soup was cold',
  ]);
  expect([sentTo(447700900002).length, sentTo(447700900004).length]).toEqual([1, 1]);
});
