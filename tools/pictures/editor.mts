/** Pictures of the editor: forms as people fill them in, beside what really came out. */
import type { IDataObject } from 'n8n-workflow';

import { BOTH_BUTTONS, linkIn } from '../../test/support/approval.mts';
import type { Editor } from '../../test/support/editor.mts';
import { action, CREDENTIAL_TYPE, rows, TRIGGER, workflow } from '../../test/support/real-n8n.mts';
import { postJson } from '../../test/support/web-server.mts';
import { until } from '../until.mts';
import { ANY_SENDER, newestMessage, openLastNode, openPage, shoot } from './studio.mts';
import type { Studio } from './studio.mts';

/** Numbers that are reserved for fiction. */
const PHONE = '+44 7700 900123';
const MANAGER = '+44 7700 900001';

const WIDTH = 1360;

interface EditorPicture {
  /** Name of the workflow, where a page shows it. */
  workflow?: string;

  /** The node that is shown: its name and its form. */
  node: [name: string, parameters: IDataObject];

  /** What comes in. */
  input?: IDataObject[];

  /** Height of the window. */
  height: number;

  /** How the output is shown. */
  as?: 'Table' | 'JSON';

  /** Whether the node fails. */
  fails?: boolean;

  /** What happens between the click on the button and the output. */
  meanwhile?(studio: Studio): Promise<void>;
}

const sms = (smsMessage: string, more: IDataObject = {}): IDataObject => ({
  resource: 'message',
  operation: 'sendSms',
  phone: PHONE,
  smsSignature: ANY_SENDER,
  smsMessage,
  ...more,
});

const PARCEL = { message: 'Your parcel arrives today.', signature: ANY_SENDER };

const PICTURES: Record<string, EditorPicture> = {
  'first-sms': { height: 720, node: ['Send SMS', sms('Your order 1042 is ready for pickup.')] },
  error: {
    height: 720,
    fails: true,
    node: [
      'Send SMS',
      sms('Your order 1042 is ready for pickup.', {
        smsSignature: { __rl: true, mode: 'name', value: 'NoSuchSender' },
      }),
    ],
  },
  bulk: {
    height: 720,
    as: 'Table',
    input: ['Anna', 'Ben', 'Chloe', 'Dan'].map((name, i) => ({
      phone: `44770090010${i + 1}`,
      name,
      order: 1042 + i,
    })),
    node: [
      'Send SMS',
      sms('=Hello {{ $json.name }}, your order {{ $json.order }} is ready.', { phone: '={{ $json.phone }}' }),
    ],
  },
  pipeline: {
    height: 1080,
    node: [
      'Send with Fallback',
      {
        resource: 'message',
        operation: 'sendPipeline',
        phone: PHONE,
        pipeline: {
          stages: [
            { channel: 'viber', ...PARCEL, viberType: 'text' },
            { channel: 'sms', ...PARCEL },
          ],
        },
      },
    ],
  },
  'wait-for-delivery': {
    height: 900,
    node: [
      'Send and Wait',
      sms('The technician arrives at 14:00.', { waitForDelivery: true, waitAmount: 10, waitUnit: 'minutes' }),
    ],
    meanwhile: async (studio) => {
      const { msgId } = await newestMessage(studio);
      studio.sandbox.act(msgId, 'status', { status: 'DELIVERED' });
    },
  },
  'one-time-password': {
    height: 860,
    node: [
      'Send Code',
      {
        resource: 'otp',
        operation: 'send',
        phone: PHONE,
        channels: ['viber', 'sms'],
        message: 'Your code is {code}. It is valid for {minutes} minutes.',
        viberSignature: ANY_SENDER,
        smsSignature: ANY_SENDER,
      },
    ],
  },
  approval: {
    workflow: 'Invoices above 1,000',
    height: 900,
    node: [
      'Ask the Manager',
      {
        resource: 'approval',
        operation: 'sendAndWait',
        phone: MANAGER,
        channels: ['sms'],
        smsSignature: ANY_SENDER,
        text: 'Pay invoice 2002 of Sample & Sons over 1,850 EUR?',
        ...BOTH_BUTTONS,
        options: { responseFormTitle: 'Invoice 2002' },
      },
    ],
    meanwhile: answer,
  },
};

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
  for (const [name, picture] of Object.entries(PICTURES)) await takeNodePicture(studio, name, picture);
  await takeTriggerPicture(studio);
  await takeCredentialPicture(studio);
}

async function takeNodePicture(studio: Studio, name: string, picture: EditorPicture): Promise<void> {
  // What came before doesn't belong into the next picture.
  studio.sandbox.reset();
  const [title, parameters] = picture.node;
  const nodes = [
    ...(picture.input ? [rows('Orders', picture.input)] : []),
    action(title, studio.credential, parameters),
  ];
  const flow = { ...workflow(nodes), name: picture.workflow ?? name };
  const editor = await openLastNode(studio, flow, [WIDTH, picture.height]);
  await editor.runButton.click();
  await picture.meanwhile?.(studio);
  if (picture.fails) await editor.output.locator('[data-test-id="node-error-message"]').waitFor();
  else await showOutput(editor, picture.as);
  await shootPanel(editor, name);
}

/** Waits until the run has ended, and shows its output as JSON unless something else is asked for. */
async function showOutput(editor: Editor, view = 'JSON'): Promise<void> {
  await editor.untilOutput();
  await editor.output.getByText(view, { exact: true }).click();
}

async function shootPanel({ page, panel }: Editor, name: string): Promise<void> {
  await shoot(page, name, panel);
  await page.context().close();
}

async function takeTriggerPicture(studio: Studio): Promise<void> {
  const trigger = {
    id: 'trigger',
    name: 'When a Message Changes',
    type: TRIGGER,
    typeVersion: 1.1,
    position: [0, 0],
    webhookId: '5b1f6a52-7d2c-4f2a-9a55-6f0f4b7f5a10',
    parameters: { outcomes: ['delivered', 'failed', 'read', 'replied'], channels: [] },
  };
  const flow = { name: 'trigger', nodes: [trigger], connections: {} };
  const editor = await openLastNode(studio, flow, [WIDTH, 720]);
  await editor.runButton.click();
  await callBack(`${studio.n8n.main.url}/webhook-test/${trigger.webhookId}/callback`);
  await showOutput(editor);
  await shootPanel(editor, 'trigger');
}

/** Reports the delivery of a message to an address, until n8n listens there. */
async function callBack(url: string): Promise<void> {
  const body = { success: true, id: 1042, msg_id: 90210, type: 'sms', status: 'DELIVERED', parts: 1 };
  await until(`${url} to listen`, async () => {
    const response = await postJson(url, body);
    return response.ok ? true : undefined;
  });
}

async function takeCredentialPicture(studio: Studio): Promise<void> {
  const { client, sandbox } = studio;
  const page = await openPage(studio, WIDTH, 760);
  const data = { apiKey: sandbox.account().key, baseUrl: sandbox.baseUrl };
  const { id } = await client.createCredential('Messaging Gateway account', CREDENTIAL_TYPE, data);
  await page.goto(`/home/credentials/${id}`);
  await page.locator('[data-test-id="credentials-config-container-test-success"]').waitFor();
  // The dialog is the innermost element around its contents that has round corners.
  await page.locator('[data-test-id="credential-edit-dialog"]').evaluate((element) => {
    let box: Element | null = element;
    while (box && Number.parseFloat(getComputedStyle(box).borderTopLeftRadius) < 4) box = box.parentElement;
    box?.setAttribute('data-picture', '');
  });
  await shoot(page, 'credential', page.locator('[data-picture]'));
  await page.context().close();
}
