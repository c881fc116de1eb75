/** What a new user wants to do next: many rows, delivery reports, codes, approvals. */
import type { Page } from 'playwright-core';

import { linkIn } from '../../test/support/approval.mts';
import { untilOutput } from '../../test/support/editor.mts';
import { codeIn } from '../../test/support/otp.mts';
import { rows, workflow } from '../../test/support/real-n8n.mts';
import { newestMessage } from '../pictures/studio.mts';
import type { Task } from './tasks.mts';
import { PHONE } from './tasks.mts';
import type { Walker } from './walker.mts';

/** What a person does on another page, such as the phone, with its clicks counted. */
async function elsewhere(walker: Walker, url: string, work: (page: Page) => Promise<number>): Promise<void> {
  const page = await walker.page.context().newPage();
  await page.goto(url);
  walker.effort.clicks += await work(page);
  await page.close();
}

export const LATER_TASKS: Task[] = [
  {
    name: 'Bulk from rows',
    run: async (walker) => {
      // The node with the rows stands for the user's own; it is pasted, and not counted.
      await walker.firstStep.first().waitFor();
      await pasteRows(walker.page);
      await walker.click(
        walker.page.locator('[data-test-id="canvas-handle-plus"]').last(),
        'the plus after the rows',
      );
      await walker.addNode('sms', /^Send (an )?SMS$/);
      await walker.drag('phone', 'phone');
      await walker.drag('name', 'smsMessage');
      await walker.chooseSender('smsSignature');
      await walker.executeToEnd();
    },
  },
  {
    name: 'Trigger: a delivery report',
    run: async (walker, studio) => {
      await walker.addNode(['delivery report', 'delivery', 'viber'], /^On /);
      const url = await listen(walker);
      await elsewhere(walker, studio.sandbox.phonePageUrl, async (phone) => {
        await phone.getByRole('button', { name: 'Test callback' }).click();
        await phone.getByPlaceholder(/webhook-test/).fill(url);
        await phone.getByRole('button', { name: 'Send test callback' }).click();
        await phone.waitForTimeout(1000);
        return 3;
      });
      await untilOutput(walker.page);
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
      await walker.executeToEnd(async () => {
        await newestMessage(studio);
        await walker.page.waitForTimeout(1500);
        await elsewhere(walker, studio.sandbox.phonePageUrl, async (phone) => {
          await phone.getByRole('button', { name: 'Delivered' }).last().click();
          return 1;
        });
      });
    },
  },
  {
    name: 'One-time password: send and verify',
    run: async (walker, studio) => {
      await walker.addNode('otp', /^Send one-time password$/);
      await walker.executeAtOnce();
      await walker.fill('phone', PHONE);
      await walker.chooseSender('smsSignature');
      await walker.executeToEnd();
      await closePanel(walker);
      await walker.click(
        walker.page.locator('[data-test-id="canvas-handle-plus"]').last(),
        'the plus after the node',
      );
      await walker.addNode('otp', /^Verify/);
      await walker.drag('challenge', 'challenge');
      await walker.drag('phone', 'phone');
      await walker.fill('code', codeIn(studio.sandbox, PHONE));
      await walker.executeToEnd();
    },
  },
  {
    name: 'Approval by phone',
    run: async (walker, studio) => {
      await walker.addNode('approval', /wait for response/);
      await walker.executeAtOnce();
      await walker.fill('phone', PHONE);
      await walker.fill('text', 'Pay invoice 17?');
      await walker.chooseSender('smsSignature');
      await walker.executeToEnd(async () => {
        const { operation } = await newestMessage(studio);
        await elsewhere(walker, linkIn(operation as never), async (page) => {
          await page.getByRole('button').first().click();
          return 1;
        });
      });
    },
  },
];

async function closePanel(walker: Walker): Promise<void> {
  await walker.click(walker.page.locator('[data-test-id="ndv-close-button"]').first(), 'close the panel');
  await walker.panel.waitFor({ state: 'hidden' });
}

const ROWS = workflow([
  rows('Rows', [
    { phone: PHONE, name: 'Anna' },
    { phone: '447700900102', name: 'Ben' },
  ]),
]);

async function pasteRows(page: Page): Promise<void> {
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, JSON.stringify(ROWS));
  await page.locator('[data-test-id="canvas-node"][data-node-name="Rows"]').waitFor();
}

/** Has the trigger listen, and returns its test URL, which the form shows where n8n doesn't cover it meanwhile. */
async function listen(walker: Walker): Promise<string> {
  const { panel } = walker;
  const urls = panel.getByTitle(/webhook URLs/);
  const stop = panel.getByText('Stop Listening').first();
  await walker.execute();
  await stop.waitFor();
  const isCovered = await urls.click({ trial: true, timeout: 3000 }).then(
    () => false,
    () => true,
  );
  if (isCovered) {
    walker.hesitate('while it listens, nothing shows its address, and the form is covered');
    await walker.click(stop, 'Stop Listening');
  }
  await walker.click(urls, 'Webhook URLs');
  const url = panel.locator('.webhook-url').first();
  await url.waitFor();
  const text = await url.innerText();
  if (isCovered) {
    await walker.execute();
    await stop.waitFor();
  }
  return /https?:\/\/\S+/.exec(text)?.[0] ?? text;
}
