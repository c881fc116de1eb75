/** Pictures of the editor: forms as people fill them in, beside what really came out. */
import type { IDataObject } from 'n8n-workflow';
import type { Page } from 'playwright-core';

import { BOTH_BUTTONS, linkIn } from '../../test/support/approval.mts';
import { outputIn, panelIn, runButton, untilOutput } from '../../test/support/editor.mts';
import { action, CREDENTIAL_TYPE, rows, TRIGGER, workflow } from '../../test/support/real-n8n.mts';
import type { NodeJson } from '../n8n-host/workflow.mts';
import { until } from '../until.mts';
import { boxAround, newestMessage, openNode, openPage, shoot } from './studio.mts';
import type { Studio } from './studio.mts';

/** Numbers that are reserved for fiction. */
const PHONE = '+44 7700 900123';
const MANAGER = '+44 7700 900001';

const WIDTH = 1360;

const sender = (name: string, channels: string): IDataObject => ({
  __rl: true,
  mode: 'list',
  value: name,
  cachedResultName: `${name} (${channels})`,
});
const ANY_SENDER = sender('TestSender', 'SMS, Viber, RCS');

interface EditorPicture {
  name: string;
  /** Name of the workflow, where a page shows it. */
  workflow?: string;
  /** The node that is shown, and what stands before it. */
  nodes(studio: Studio): NodeJson[];
  /** Height of the window. */
  height: number;
  /** How the output is shown. */
  as?: 'Table' | 'JSON';
  /** Whether the node fails. */
  fails?: boolean;
  /** What happens between the click on the button and the output. */
  meanwhile?(studio: Studio): Promise<void>;
}

const send = (studio: Studio, name: string, parameters: IDataObject, settings: IDataObject = {}): NodeJson =>
  action(name, studio.credential, { resource: 'message', ...parameters }, settings);

const PICTURES: EditorPicture[] = [
  {
    name: 'first-sms',
    height: 720,
    nodes: (studio) => [
      send(studio, 'Send SMS', {
        operation: 'sendSms',
        phone: PHONE,
        smsSignature: ANY_SENDER,
        smsMessage: 'Your order 1042 is ready for pickup.',
      }),
    ],
  },
  {
    name: 'error',
    height: 720,
    fails: true,
    nodes: (studio) => [
      send(studio, 'Send SMS', {
        operation: 'sendSms',
        phone: PHONE,
        smsSignature: { __rl: true, mode: 'name', value: 'NoSuchSender' },
        smsMessage: 'Your order 1042 is ready for pickup.',
      }),
    ],
  },
  {
    name: 'bulk',
    height: 720,
    as: 'Table',
    nodes: (studio) => [
      rows('Orders', [
        { phone: '447700900101', name: 'Anna', order: 1042 },
        { phone: '447700900102', name: 'Ben', order: 1043 },
        { phone: '447700900103', name: 'Chloe', order: 1044 },
        { phone: '447700900104', name: 'Dan', order: 1045 },
      ]),
      send(studio, 'Send SMS', {
        operation: 'sendSms',
        phone: '={{ $json.phone }}',
        smsSignature: ANY_SENDER,
        smsMessage: '=Hello {{ $json.name }}, your order {{ $json.order }} is ready.',
      }),
    ],
  },
  {
    name: 'pipeline',
    height: 1080,
    nodes: (studio) => [
      send(studio, 'Send with Fallback', {
        operation: 'sendPipeline',
        phone: PHONE,
        pipeline: {
          stages: [
            {
              channel: 'viber',
              message: 'Your parcel arrives today.',
              signature: ANY_SENDER,
              viberType: 'text',
            },
            { channel: 'sms', message: 'Your parcel arrives today.', signature: ANY_SENDER },
          ],
        },
      }),
    ],
  },
  {
    name: 'wait-for-delivery',
    height: 900,
    nodes: (studio) => [
      send(studio, 'Send and Wait', {
        operation: 'sendSms',
        phone: PHONE,
        smsSignature: ANY_SENDER,
        smsMessage: 'The technician arrives at 14:00.',
        waitForDelivery: true,
        waitAmount: 10,
        waitUnit: 'minutes',
      }),
    ],
    meanwhile: async (studio) => {
      const { msgId } = await newestMessage(studio);
      studio.sandbox.act(msgId, 'status', { status: 'DELIVERED' });
    },
  },
  {
    name: 'one-time-password',
    height: 860,
    nodes: (studio) => [
      action('Send Code', studio.credential, {
        resource: 'otp',
        operation: 'send',
        phone: PHONE,
        channels: ['viber', 'sms'],
        message: 'Your code is {code}. It is valid for {minutes} minutes.',
        viberSignature: ANY_SENDER,
        smsSignature: ANY_SENDER,
      }),
    ],
  },
  {
    name: 'approval',
    workflow: 'Invoices above 1,000',
    height: 900,
    nodes: (studio) => [
      action('Ask the Manager', studio.credential, {
        resource: 'approval',
        operation: 'sendAndWait',
        phone: MANAGER,
        channels: ['sms'],
        smsSignature: ANY_SENDER,
        text: 'Pay invoice 2002 of Sample & Sons over 1,850 EUR?',
        ...BOTH_BUTTONS,
        options: { responseFormTitle: 'Invoice 2002' },
      }),
    ],
    meanwhile: answer,
  },
];

/** Opens the link of the newest message on a phone, takes a picture of its page, and approves. */
async function answer(studio: Studio): Promise<void> {
  const { operation } = await newestMessage(studio);
  const context = await studio.browser.newContext({ viewport: { width: 390, height: 520 } });
  const page = await context.newPage();
  await page.goto(linkIn(operation as IDataObject));
  await shoot(page, 'approval-page');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('status').waitFor();
  await context.close();
}

/** Writes the pictures of nodes and of the credential. */
export async function takeEditorPictures(studio: Studio): Promise<void> {
  for (const picture of PICTURES) await takeNodePicture(studio, picture);
  await takeTriggerPicture(studio);
  await takeCredentialPicture(studio);
}

async function takeNodePicture(studio: Studio, picture: EditorPicture): Promise<void> {
  // What came before doesn't belong into the next picture.
  studio.sandbox.reset();
  const page = await openPage(studio, WIDTH, picture.height);
  const nodes = picture.nodes(studio);
  await openNode(
    page,
    studio,
    { ...workflow(nodes), name: picture.workflow ?? picture.name },
    nodes.at(-1)?.name ?? '',
  );
  await runButton(page).click();
  await picture.meanwhile?.(studio);
  if (picture.fails) await outputIn(page).locator('[data-test-id="node-error-message"]').waitFor();
  else await showOutput(page, picture.as);
  await shoot(page, picture.name, panelIn(page));
  await page.context().close();
}

/** Waits until the run has ended, and shows its output as JSON unless something else is asked for. */
async function showOutput(page: Page, view = 'JSON'): Promise<void> {
  await untilOutput(page);
  await outputIn(page).getByText(view, { exact: true }).click();
}

async function takeTriggerPicture(studio: Studio): Promise<void> {
  const page = await openPage(studio, WIDTH, 720);
  const trigger = {
    id: 'trigger',
    name: 'When a Message Changes',
    type: TRIGGER,
    typeVersion: 1,
    position: [0, 0],
    webhookId: '5b1f6a52-7d2c-4f2a-9a55-6f0f4b7f5a10',
    parameters: { outcomes: ['delivered', 'failed', 'read', 'replied'], channels: [] },
  };
  await openNode(page, studio, { name: 'trigger', nodes: [trigger], connections: {} }, trigger.name);
  await runButton(page).click();
  const url = `${studio.n8n.url}/webhook-test/${trigger.webhookId}/callback`;
  await callBack(studio, url);
  await showOutput(page);
  await shoot(page, 'trigger', panelIn(page));
  await page.context().close();
}

/** Has the sandbox report the delivery of a message to an address, until n8n listens there. */
async function callBack({ sandbox }: Studio, url: string): Promise<void> {
  const body = { success: true, id: 1042, msg_id: 90210, type: 'sms', status: 'DELIVERED', parts: 1 };
  await until(20_000, `${url} to listen`, async () => {
    const response = await fetch(`${sandbox.controlUrl}/callbacks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url, body }),
    });
    const { tries } = (await response.json()) as { tries: number[] };
    return tries.at(-1) === 200 ? true : undefined;
  });
}

async function takeCredentialPicture(studio: Studio): Promise<void> {
  const { client, n8n, sandbox } = studio;
  const page = await openPage(studio, WIDTH, 760);
  const data = { apiKey: sandbox.account().key, baseUrl: sandbox.baseUrl };
  const { id } = await client.createCredential('Messaging Gateway account', CREDENTIAL_TYPE, data);
  await page.goto(`${n8n.url}/home/credentials/${id}`);
  await page.locator('[data-test-id="credentials-config-container-test-success"]').waitFor();
  // The dialog is what has round corners.
  const dialog = await boxAround(
    page.locator('[data-test-id="credential-edit-dialog"]'),
    'borderTopLeftRadius',
    4,
  );
  await shoot(page, 'credential', dialog);
  await page.context().close();
}
