/** Where callbacks of messages are sent to, in n8n's engine: the option "Callback to This Workflow" and its limits. */
import type { IDataObject } from 'n8n-workflow';

import { credentialsFor } from '../support/engine.mts';
import type { NodeRunOptions } from '../support/engine.mts';
import { INSTANCE_ID } from '../support/engine-parts.mts';
import { viberForm } from '../support/operation-cases.mts';
import { smsForm } from '../support/sends.mts';
import { startGateway } from '../support/web-server.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox({ config: { outcomes: { fallback: { steps: [] } } } });

const TRIGGER_URL = 'https://n8n.example.com/webhook/0f/callback?secret=abc';
const leftBy = (...urls: string[]) => ({
  global: {
    messagingGatewayCallbackUrls: Object.fromEntries(
      urls.map((url, i) => [`id${i}`, { name: `Trigger ${i}`, url, instanceId: INSTANCE_ID }]),
    ),
  },
});
const ITEMS = [
  { id: 1, phone: '+380501234561' },
  { id: 2, phone: '+380501234562' },
];

const send = async (
  over: IDataObject,
  workflowStaticData: IDataObject = leftBy(TRIGGER_URL),
  more: Partial<NodeRunOptions> = {},
) =>
  await runOn(sandbox, { parameters: smsForm(over), items: ITEMS.slice(0, 1), workflowStaticData, ...more });
const hooks = () => sandbox.messages.list().map(({ operation }) => operation.hook);

it.each([
  ['sms', {}],
  ['viber+sms', { operation: 'sendViberSms', ...viberForm('text') }],
])('%s gets the URL that the trigger of the workflow left', async (type, form) => {
  const run = await send({ ...form, options: { hookFromTrigger: true } });
  expect(run.error).toBeUndefined();
  // A callback names the channel alone; of a message with a fallback the trigger has to know what was sent.
  const sentAs = type.includes('+') ? `&sent_as=${encodeURIComponent(type)}` : '';
  expect(hooks()).toEqual([`${TRIGGER_URL}${sentAs}`]);
  expect(run.hints).toEqual([]);
});

it('sends no address where the option is off or absent', async () => {
  await send({ options: { hookFromTrigger: false } });
  await send({ options: {} });
  expect(hooks()).toEqual([undefined, undefined]);
});

it.each<[string, IDataObject, IDataObject | undefined, string[]]>([
  [
    'the workflow is not published',
    {},
    {},
    [
      'has no published Messaging Gateway Trigger. Nothing was sent',
      'Add a Messaging Gateway Trigger if there is none yet, click Publish',
    ],
  ],
  [
    'several triggers are published',
    {},
    leftBy(TRIGGER_URL, 'https://n8n.example.com/webhook/1f/callback'),
    ['2 published Messaging Gateway Triggers', "'Trigger 0', 'Trigger 1'", "'Callback URL'"],
  ],
  ['there is a Callback URL as well', { hook: 'https://example.com/cb' }, undefined, ["'Callback URL'"]],
  ['the node waits', { waitForDelivery: true }, undefined, ["'Wait for Delivery'"]],
])('sends nothing where %s, and says what to do', async (_, { hook, ...over }, left, words) => {
  const options = { hookFromTrigger: true, ...(hook !== undefined && { hook }) } as IDataObject;
  const { error } = await send({ ...over, options }, left);
  for (const word of ["'Callback to This Workflow'", ...words])
    expect(`${error?.message} ${error?.description}`).toContain(word);
  expect(JSON.stringify(error)).not.toContain('secret=abc');
  expect(sandbox.counts().requests).toBe(0);
});

describe('the secret of an address', () => {
  const SECRET = 'S3cretOfTheTrigger';
  const url = `https://n8n.example.com/webhook/0f/callback?secret=${SECRET}&sent_as=x`;
  // n8n keeps the parameters of the node, which the author of the workflow wrote, beside an error.
  const everything = ({ task, items, error }: Awaited<ReturnType<typeof send>>) =>
    JSON.stringify([task?.data, task?.hints, items, error?.message, error?.description]);

  const HIDDEN = 'https://n8n.example.com/webhook/0f/callback?secret=***&sent_as=x';

  it.each<[what: string, over: IDataObject, shown: string]>([
    ['by Check Only, which shows the rest', { options: { hookFromTrigger: true, checkOnly: true } }, HIDDEN],
    ['by Check Only, of a Callback URL', { options: { hook: url, checkOnly: true } }, HIDDEN],
    ['by the error of a wait', { waitForDelivery: true, options: { hook: url } }, "'Wait for Delivery'"],
    [
      'by the error of what is no address',
      { options: { hook: `n8n.example.com/webhook?secret=${SECRET}` } },
      "'Callback URL'",
    ],
    ['by the output of a send', { options: { hookFromTrigger: true } }, 'msg_id'],
  ])('is not shown %s', async (_, over, shown) => {
    const run = await send(over, leftBy(url));
    expect(everything(run)).not.toContain(SECRET);
    expect(everything(run)).toContain(shown);
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
      const form = { messageId: '={{ $json.id }}', options: { hook } };
      const more = { items: ITEMS, credentials, onError: 'continueRegularOutput' } as const;
      const run = await send(form, {}, more);
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
  const run = await send({ options: { hook } }, {}, { items: ITEMS });
  expect(hooks()).toEqual([hook, hook]);
  expect(run.hints).toEqual([expect.stringContaining('is the test URL of a trigger')]);
  const left = leftBy('http://127.0.0.1:5678/webhook/x');
  const byTrigger = await send({ options: { hookFromTrigger: true } }, left);
  expect(byTrigger.hints).toEqual([]);
});
