/** What a new user wants to do, each from an empty workflow to a real output. */
import type { Page } from 'playwright-core';

import { linkIn } from '../../test/support/approval.mts';
import { codeIn } from '../../test/support/otp.mts';
import type { Studio } from '../pictures/studio.mts';
import type { Walker } from './walker.mts';

export interface Task {
  name: string;
  /** Whether it can be done in the package; each needs the resource of the node that is named here. */
  needs?: string;
  /** Actions to find in the list of nodes are named by the wire type, since their words change. */
  run(walker: Walker, studio: Studio): Promise<void>;
}

/** Numbers that are reserved for fiction. */
const PHONE = '447700900123';

const newest = ({ sandbox }: Studio) => {
  const message = sandbox.messages.list().at(-1);
  if (message === undefined) throw new Error('The sandbox got no message');
  return message;
};

async function untilMessage(studio: Studio): Promise<void> {
  for (const deadline = Date.now() + 20_000; studio.sandbox.messages.accepted === 0; ) {
    if (Date.now() > deadline) throw new Error('The sandbox got no message');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** What a person does on another page, such as the phone, with its clicks counted. */
async function elsewhere(walker: Walker, url: string, work: (page: Page) => Promise<number>): Promise<void> {
  const page = await walker.page.context().newPage();
  await page.goto(url);
  walker.effort.clicks += await work(page);
  await page.close();
}

async function fillCredential(walker: Walker, { sandbox }: Studio): Promise<void> {
  const { page } = walker;
  const create = walker.panel
    .locator('[data-test-id="node-credentials-select"], [data-test-id="node-credentials-empty-state"] button')
    .first();
  await walker.click(create, 'the credential');
  const dialog = page.locator('[data-test-id="credential-edit-dialog"]');
  const anew = page.locator('[data-test-id="node-credentials-select-item-new"]:visible');
  await dialog.or(anew).first().waitFor();
  if (await anew.isVisible()) await walker.click(anew, 'a new credential');
  await dialog.waitFor();
  const field = (name: string) => dialog.locator(`[data-test-id="parameter-input-${name}"] input`).first();
  const save = page.locator('[data-test-id="credential-save-button"]:visible');
  await walker.type(field('apiKey'), sandbox.account().key, 'the API key');
  await walker.type(field('baseUrl'), sandbox.baseUrl, 'the base URL');
  await walker.shoot('filled');
  await walker.click(save, 'Save');
  // n8n closes the dialog by itself after a test that went well; older versions leave that to the user.
  const success = page.locator('[data-test-id="credentials-config-container-test-success"]');
  await Promise.race([success.waitFor(), dialog.waitFor({ state: 'hidden' })]);
  await walker.shoot('tested');
  await page.waitForTimeout(1000);
  if (await dialog.isVisible()) {
    const close = page.locator('[role="dialog"]:visible').getByRole('button', { name: /close/i });
    await walker.click(close.first(), 'Close');
    await dialog.waitFor({ state: 'hidden' });
  }
}

export const TASKS: Task[] = [
  {
    name: 'Credential',
    run: async (walker, studio) => {
      await walker.addNode('sms', /^Send (an )?SMS$/);
      await walker.shoot('node');
      await fillCredential(walker, studio);
    },
  },
  {
    name: 'First message',
    run: async (walker) => {
      await walker.addNode('sms', /^Send (an )?SMS$/);
      await walker.executeAtOnce();
      await walker.fill('phone', PHONE);
      await walker.fill('smsMessage', 'Your order is ready');
      await walker.chooseSender('smsSignature');
      await walker.execute();
      await walker.untilOutput();
    },
  },
  {
    name: 'Fallback: Viber, then SMS',
    run: async (walker) => {
      await walker.addNode('viber', /^Send (a )?Viber message with SMS/);
      await walker.executeAtOnce();
      await walker.fill('phone', PHONE);
      await walker.chooseSender('viberSignature');
      for (const [name, text] of [
        ['viberMessage', 'Your order is ready'],
        ['viberImage', 'https://example.com/a.png'],
        ['viberButton', 'Open'],
        ['viberLink', 'https://example.com'],
      ]) {
        if (await walker.parameter(name).isVisible()) await walker.fill(name, text);
      }
      await walker.chooseSender('smsSignature');
      await walker.fill('smsMessage', 'Your order is ready');
      await walker.execute();
      await walker.untilOutput();
    },
  },
  {
    name: 'Pipeline of Viber and SMS',
    run: async (walker) => {
      await walker.addNode('viber', /^Send (a )?message (through several channels|with channel fallback)/);
      await walker.executeAtOnce();
      await walker.fill('phone', PHONE);
      const { page } = walker;
      const add = walker.panel.getByText(/^Add (Channel|Stage|Another Channel)/).first();
      const channels = walker.panel.locator('[data-test-id="parameter-input-channel"]:visible');
      for (const [nth, title] of ['Viber', 'SMS'].entries()) {
        if ((await channels.count()) <= nth) {
          const more = walker.panel.locator('[data-test-id="fixed-collection-add"]:visible');
          await walker.click((await add.isVisible()) ? add : more.first(), 'another channel');
          await channels.nth(nth).waitFor();
        }
        const chosen = await channels.nth(nth).locator('input').first().inputValue();
        if (chosen !== title) await walker.choose('channel', title, nth);
        await walker.fill('message', 'Your order is ready', nth);
        const list = walker.panel.locator('[data-test-id="resource-locator-signature"]:visible').nth(nth);
        if (await list.isVisible()) {
          await walker.click(list.locator('[data-test-id="rlc-input"]'), 'the senders');
          await walker.click(page.locator('[data-test-id="rlc-item"]:visible').first(), 'a sender');
        } else {
          walker.hesitate('the name of the sender has to be known: it is typed, not chosen');
          await walker.fill('signature', 'TestSender', nth);
        }
      }
      await walker.execute();
      await walker.untilOutput();
    },
  },
];

export const LATER_TASKS: Task[] = [
  {
    name: 'Bulk from rows',
    run: async (walker) => {
      // The node with the rows stands for the user's own; it is pasted, and not counted.
      await pasteRows(walker.page);
      await walker.click(
        walker.page.locator('[data-test-id="canvas-handle-plus"]').last(),
        'the plus after the rows',
      );
      await walker.addNode('sms', /^Send (an )?SMS$/);
      await walker.drag('phone', 'phone');
      await walker.drag('name', 'smsMessage');
      await walker.chooseSender('smsSignature');
      await walker.execute();
      await walker.untilOutput();
    },
  },
  {
    name: 'Trigger: a delivery report',
    run: async (walker, studio) => {
      await walker.addNode(['delivery report', 'delivery', 'viber'], /^On /);
      await walker.shoot('node');
      const url = await listen(walker);
      await elsewhere(walker, studio.sandbox.phonePageUrl, async (phone) => {
        await phone.getByRole('button', { name: 'Test callback' }).click();
        await phone.getByPlaceholder(/webhook-test/).fill(url);
        await phone.getByRole('button', { name: 'Send test callback' }).click();
        await phone.waitForTimeout(1000);
        return 3;
      });
      await walker.untilOutput();
    },
  },
  {
    name: 'Wait for delivery',
    run: async (walker, studio) => {
      await walker.addNode('sms', /^Send (an )?SMS$/);
      await walker.fill('phone', PHONE);
      await walker.fill('smsMessage', 'Your order is ready');
      await walker.chooseSender('smsSignature');
      await walker.click(
        walker.parameter('waitForDelivery').locator('.el-switch, [role="switch"], label').first(),
        'Wait for Delivery',
      );
      await walker.execute();
      await untilMessage(studio);
      await walker.page.waitForTimeout(1500);
      await walker.shoot('waiting');
      await elsewhere(walker, studio.sandbox.phonePageUrl, async (phone) => {
        await phone.getByRole('button', { name: 'Delivered' }).last().click();
        return 1;
      });
      await walker.untilOutput();
    },
  },
  {
    name: 'One-time password: send and verify',
    needs: 'otp.send',
    run: async (walker, studio) => {
      await walker.addNode('otp', /^Send one-time password$/);
      await walker.executeAtOnce();
      await walker.fill('phone', PHONE);
      await walker.chooseSender('smsSignature');
      await walker.execute();
      await walker.untilOutput();
      await walker.shoot('sent');
      await closePanel(walker);
      await walker.click(
        walker.page.locator('[data-test-id="canvas-handle-plus"]').last(),
        'the plus after the node',
      );
      await walker.addNode('otp', /^Verify/);
      await walker.drag('challenge', 'challenge');
      await walker.drag('phone', 'phone');
      await walker.fill('code', codeIn(studio.sandbox, PHONE));
      await walker.execute();
      await walker.untilOutput();
    },
  },
  {
    name: 'Approval by phone',
    needs: 'approval.sendAndWait',
    run: async (walker, studio) => {
      await walker.addNode('approval', /wait for response/);
      await walker.executeAtOnce();
      await walker.fill('phone', PHONE);
      await walker.fill('text', 'Pay invoice 17?');
      await walker.chooseSender('smsSignature');
      await walker.execute();
      await untilMessage(studio);
      await walker.shoot('waiting');
      await elsewhere(walker, linkIn(newest(studio).operation as never), async (page) => {
        await page.getByRole('button').first().click();
        return 1;
      });
      await walker.untilOutput();
    },
  },
];

async function closePanel(walker: Walker): Promise<void> {
  await walker.click(walker.page.locator('[data-test-id="ndv-close-button"]').first(), 'close the panel');
  await walker.panel.waitFor({ state: 'hidden' });
}

const ROWS = {
  nodes: [
    {
      id: 'a',
      name: 'Start',
      type: 'n8n-nodes-base.manualTrigger',
      typeVersion: 1,
      position: [0, 0],
      parameters: {},
    },
    {
      id: 'b',
      name: 'Rows',
      type: 'n8n-nodes-base.code',
      typeVersion: 2,
      position: [220, 0],
      parameters: {
        jsCode:
          "return [['447700900101', 'Anna'], ['447700900102', 'Ben']].map(([phone, name]) => ({ json: { phone, name } }));",
      },
    },
  ],
  connections: { Start: { main: [[{ node: 'Rows', type: 'main', index: 0 }]] } },
};

async function pasteRows(page: Page): Promise<void> {
  await page.locator('[data-test-id="canvas-wrapper"]').waitFor();
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, JSON.stringify(ROWS));
  await page.locator('[data-test-id="canvas-node"][data-node-name="Rows"]').waitFor();
}

/**
 * Has the trigger listen, and returns its test URL: from the text that is shown while it listens, else from the form,
 * which n8n covers meanwhile.
 */
async function listen(walker: Walker): Promise<string> {
  await walker.execute();
  await walker.panel.getByText('Stop Listening').first().waitFor();
  await walker.shoot('listening');
  const told = /https?:\/\/\S+\/callback\S*/.exec(await walker.panel.innerText())?.[0];
  if (told !== undefined) return told;
  walker.hesitate('while it listens, nothing shows its address, and the form is covered');
  await walker.click(walker.panel.getByText('Stop Listening').first(), 'Stop Listening');
  await walker.click(walker.panel.getByText('Webhook URLs'), 'Webhook URLs');
  const url = walker.panel.locator('.webhook-url').first();
  await url.waitFor();
  const text = await url.innerText();
  await walker.execute();
  await walker.panel.getByText('Stop Listening').first().waitFor();
  return /https?:\/\/\S+/.exec(text)?.[0] ?? text;
}
