/** Where callbacks of messages are sent to, in n8n's engine: the option "Delivery Report" and its limits. */
import type { IDataObject } from 'n8n-workflow';

import { triggerIn } from '../../nodes/gateway/callback/address.ts';
import { deriveCallbackKey, openFacts } from '../../nodes/gateway/callback/message-facts.ts';
import { credentialsFor, NODE_NAME, PACKAGE_NAME, retry } from '../support/engine.mts';
import type { NodeRunOptions, WorkflowNode } from '../support/engine.mts';
import { OPERATION_CASES, viberForm } from '../support/operation-cases.mts';
import { grouped, smsForm } from '../support/sends.mts';
import { startGateway } from '../support/web-server.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox({ config: { outcomes: { fallback: { steps: [] } } } });

const WEBHOOK_ID = '0f0f0f0f-1111-4222-8333-444444444444';
const trigger = (more: Partial<WorkflowNode> = {}): WorkflowNode => ({
  name: 'Trigger',
  type: `${PACKAGE_NAME}.messagingGatewayTrigger`,
  typeVersion: 1.1,
  webhookId: WEBHOOK_ID,
  parameters: { outcomes: ['delivered'], options: { secret: 'abcd-efgh' } },
  ...more,
});
const withSecret = (secret: unknown) =>
  trigger({ parameters: { outcomes: ['delivered'], options: { secret } } as IDataObject });
const TRIGGER_URL = `https://n8n.example.com/webhook/${WEBHOOK_ID}/callback`;
const VIBER_SMS = { operation: 'sendViberSms', ...viberForm('text') };
const ITEMS = [
  { id: 1, phone: '+380501234561' },
  { id: 2, phone: '+380501234562' },
];

const send = async (over: IDataObject, more: Partial<NodeRunOptions> = {}) =>
  await runOn(sandbox, {
    ...{ parameters: { ...smsForm(over), options: grouped(over.options as IDataObject) } },
    items: ITEMS.slice(0, 1),
    ...{ active: true, instanceUrl: 'https://n8n.example.com', others: [trigger()] },
    ...more,
  });
const operations = () => sandbox.messages.list().map(({ operation }) => operation);
const hooks = () => operations().map(({ hook }) => hook);
const opened = ({ id, hook }: IDataObject) =>
  openFacts(
    deriveCallbackKey(sandbox.account().key),
    { id: id as number, trigger: triggerIn(String(hook)) },
    new URL(String(hook)).searchParams.get('seal'),
  );

it.each<[type: string, form: IDataObject, options: IDataObject, address: string]>([
  ['sms', {}, { hookFromTrigger: true }, `${TRIGGER_URL}?secret=abcd-efgh`],
  ['viber+sms', VIBER_SMS, { hookFromTrigger: true }, `${TRIGGER_URL}?secret=abcd-efgh&sent_as=viber%2Bsms`],
  ['viber+sms', VIBER_SMS, { hook: `${TRIGGER_URL}#x` }, `${TRIGGER_URL}?sent_as=viber%2Bsms`],
])(
  'the address of a trigger carries the type of a message with a fallback, and sealed its number and type: %s',
  async (type, form, options, address) => {
    const run = await send({ ...form, options });
    expect(run.error).toBeUndefined();
    const [operation] = operations() as IDataObject[];
    // A callback names the channel alone: a trigger that can't open the seal has to know what was sent, too.
    expect(String(operation.hook).split(/[?&]seal=/)[0]).toBe(address);
    expect(opened(operation)).toEqual({ phone: 380501234561, sentAs: type, fields: {} });
    expect(run.hints).toEqual([]);
  },
);

it('the address is that of n8n as it is now, whatever an earlier run had', async () => {
  await send({ options: { hookFromTrigger: true } });
  await send({ options: { hookFromTrigger: true } }, { instanceUrl: 'https://moved.example.com/n8n' });
  expect(hooks().map((hook) => new URL(String(hook)).host)).toEqual(['n8n.example.com', 'moved.example.com']);
});

it.each(['manual', 'error', 'integrated'] as const)(
  'a run (%s) in which n8n does not say that the workflow is published reports to its trigger, and says what it takes',
  async (mode) => {
    const run = await send({ options: { hookFromTrigger: true } }, { active: false, mode, items: ITEMS });
    expect(run.error).toBeUndefined();
    expect(hooks()).toEqual(ITEMS.map(() => expect.stringContaining(TRIGGER_URL)));
    expect(run.hints).toEqual([expect.stringContaining('only if this workflow is published')]);
  },
);

it('an n8n Retry, for which the workflow is not published either, reports to its trigger', async () => {
  sandbox.faults.add({ kind: 'refuse', error: 'Access denied', times: 1 });
  const failed = await send({ options: { hookFromTrigger: true } });
  expect(failed.status).toBe('error');
  const { status, error } = await retry(failed, NODE_NAME);
  expect([status, error]).toEqual(['success', undefined]);
  expect(hooks()).toEqual([expect.stringContaining(TRIGGER_URL)]);
});

it('the address of a trigger whose id somebody chose carries the same', async () => {
  await send({ options: { hookFromTrigger: true } }, { others: [trigger({ webhookId: 'orders' })] });
  const [operation] = operations() as IDataObject[];
  expect(operation.hook).toContain('/webhook/orders/callback?');
  expect(triggerIn(String(operation.hook))).toBe('orders');
  expect(opened(operation)).toEqual({ phone: 380501234561, sentAs: 'sms', fields: {} });
});

it('a copied address of a trigger carries the same, and another one is left as it is', async () => {
  const other = 'https://example.com/callback?x=1';
  for (const hook of [TRIGGER_URL, other]) await send({ options: { hook } });
  const [toTrigger, toOther] = operations() as IDataObject[];
  expect(opened(toTrigger)).toEqual({ phone: 380501234561, sentAs: 'sms', fields: {} });
  expect(toOther.hook).toBe(other);
});

it('the address of a trigger carries the number and the type of a pipeline, too, which calls the address where the queue refuses it', async () => {
  const { parameters, resource, operation } = OPERATION_CASES.find(({ wire }) => wire.type === 'pipeline')!;
  const form = { resource, operation, ...parameters, phone: ITEMS[0].phone, options: { hook: TRIGGER_URL } };
  const { error } = await runOn(sandbox, { parameters: form });
  expect(error).toBeUndefined();
  const [sent] = operations() as IDataObject[];
  expect(opened(sent)).toEqual({ phone: 380501234561, sentAs: 'pipeline', fields: {} });
});

it('a secret that is an expression is evaluated', async () => {
  await send({ options: { hookFromTrigger: true } }, { others: [withSecret('={{ "abcdefg" + "&b" }}')] });
  expect(hooks()[0]).toContain(`${TRIGGER_URL}?secret=abcdefg%26b&seal=`);
});

it('sends the address that somebody entered in place of that of the trigger', async () => {
  const hook = 'https://hooks.example.com/own';
  await send({ options: { hookFromTrigger: true, hook } });
  expect(hooks()).toEqual([hook]);
});

it('sends no address where the option is off or absent', async () => {
  await send({ options: { hookFromTrigger: false } });
  await send({ options: {} });
  expect(hooks()).toEqual([undefined, undefined]);
});

const SECOND = trigger({ name: 'Second', webhookId: '1f0f0f0f-1111-4222-8333-444444444444' });
const NO_TRIGGER = [
  'has no active Messaging Gateway Trigger. Nothing was sent',
  'Add a Messaging Gateway Trigger, or activate it, publish the workflow',
];
const UNREADABLE = ["The secret of the trigger 'Trigger' can't be read here"];
it.each<[string, IDataObject, Partial<NodeRunOptions>, string[]]>([
  ['the workflow has no trigger', {}, { others: [] }, NO_TRIGGER],
  ['the trigger is deactivated', {}, { others: [trigger({ disabled: true })] }, NO_TRIGGER],
  [
    'there are several triggers',
    {},
    { others: [trigger(), SECOND] },
    ['2 Messaging Gateway Triggers', "'Trigger', 'Second'", "'Callback URL'"],
  ],
  ['the secret is empty', {}, { others: [withSecret('')] }, UNREADABLE],
  [
    'the secret would be a part of ordinary words',
    {},
    { others: [withSecret('seven77')] },
    ["The secret of the trigger 'Trigger' is too short", 'at least 8 characters'],
  ],
  ['the secret comes to nothing', {}, { others: [withSecret('={{ $json.nothing }}')] }, UNREADABLE],
  [
    'the secret is wrong in this node',
    {},
    { others: [withSecret('={{ $("Nobody").first() }}')] },
    UNREADABLE,
  ],
  ['the row waits', { waitForDelivery: '={{ true }}' }, {}, ["'Wait for Delivery'"]],
])('sends nothing where %s, and says what to do', async (_, over, more, words) => {
  const { error } = await send({ ...over, options: { hookFromTrigger: true } }, more);
  for (const word of ["'To This Workflow'", ...words])
    expect(`${error?.message} ${error?.description}`).toContain(word);
  expect(JSON.stringify(error)).not.toContain('secret=abcd-efgh');
  expect(sandbox.counts().requests).toBe(0);
});

describe('the secret of an address', () => {
  const SECRET = 'S3cretOfTheTrigger';
  const url = `https://n8n.example.com/webhook/0f/callback?secret=${SECRET}&sent_as=x`;
  // n8n keeps the parameters of the node, which the author of the workflow wrote, beside an error.
  const everything = ({ task, items, error }: Awaited<ReturnType<typeof send>>) =>
    JSON.stringify([task?.data, task?.hints, items, error?.message, error?.description]);

  const HIDDEN = 'https://n8n.example.com/webhook/0f/callback?secret=***&sent_as=x';
  const HIDDEN_TRIGGER = `${TRIGGER_URL}?secret=***&seal=***`;

  it.each<[what: string, over: IDataObject, shown: string]>([
    [
      'by Check Only, which shows the rest',
      { options: { hookFromTrigger: true, checkOnly: true } },
      HIDDEN_TRIGGER,
    ],
    ['by Check Only, of a Callback URL', { options: { hook: url, checkOnly: true } }, HIDDEN],
    [
      'by the error of a wait',
      { waitForDelivery: '={{ true }}', options: { hook: url } },
      "'Wait for Delivery'",
    ],
    [
      'by the error of what is no address',
      { options: { hook: `n8n.example.com/webhook?secret=${SECRET}` } },
      "'Callback URL'",
    ],
    ['by the output of a send', { options: { hookFromTrigger: true } }, 'msg_id'],
  ])('is not shown %s', async (_, over, shown) => {
    const run = await send(over, { others: [withSecret(SECRET)] });
    expect(everything(run)).not.toContain(SECRET);
    expect(everything(run)).toContain(shown);
  });

  it.each([
    ['accepted', 'cc'],
    ['notSent', 'tSen'],
  ])('may be a part of the word "%s"', async (state, secret) => {
    if (state === 'notSent') sandbox.faults.add({ kind: 'refuse', error: 'Access denied', times: 1 });
    const run = await send({ options: { hook: `https://example.com/callback?secret=${secret}` } });
    const message = state === 'notSent' ? expect.stringContaining('Access denied') : undefined;
    expect([run.status, run.error?.message]).toEqual([message ? 'error' : 'success', message]);
  });

  it.each(['secret', 'signature'])(
    '(%s) is not shown where the gateway quotes it in what it refuses and accepts',
    async (key) => {
      const hook = `https://n8n.example.com/webhook/0f/callback?${key}=${SECRET}&sent_as=x`;
      const {
        url: baseUrl,
        received,
        close,
      } = await startGateway(({ id, hook: sent }) => {
        const quoted = `${String(sent)} ${encodeURIComponent(String(sent))}`;
        return id === 1
          ? { success: true, data: { id, msg_id: 5, note: quoted } }
          : { success: false, error: `Forbidden address ${quoted}`, data: { id } };
      });
      const credentials = credentialsFor({ baseUrl, asyncUrl: baseUrl, mcpUrl: baseUrl });
      const form = { options: { messageId: '={{ $json.id }}', hook } };
      const more = { items: ITEMS, credentials, onError: 'continueRegularOutput' } as const;
      const run = await send(form, more);
      await close();
      expect(received[0].body).toContain(SECRET);
      expect(run.json.map(({ error }) => error === undefined)).toEqual([true, false]);
      // The rest of what was quoted is there.
      for (const json of run.json)
        expect(JSON.stringify(json)).toContain('n8n.example.com/webhook/0f/callback');
      expect(everything(run)).not.toContain(SECRET);
    },
  );
});

// Which addresses these are is in unit/callback/address.
it('says once at the node that an address works only for a moment, and nothing of what a gateway beside n8n reaches', async () => {
  const hook = 'http://localhost:5678/webhook-test/x';
  const run = await send({ options: { hook } }, { items: ITEMS });
  expect(hooks()).toEqual([hook, hook]);
  expect(run.hints).toEqual([expect.stringContaining('is the test URL of a trigger')]);
  const near = { instanceUrl: 'http://127.0.0.1:5678' };
  const byTrigger = await send({ options: { hookFromTrigger: true } }, near);
  expect(byTrigger.hints).toEqual([]);
});
