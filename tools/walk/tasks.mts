/** What a new user wants to do first, each from an empty workflow to a real output. */
import type { Studio } from '../pictures/studio.mts';
import type { Walker } from './walker.mts';

export interface Task {
  name: string;
  /** Does it; throws where it can't be done. */
  run(walker: Walker, studio: Studio): Promise<void>;
}

/** Numbers that are reserved for fiction. */
export const PHONE = '447700900123';

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
  await walker.click(save, 'Save');
  // n8n closes the dialog by itself after a test that went well; older versions leave that to the user.
  const success = page.locator('[data-test-id="credentials-config-container-test-success"]');
  await Promise.race([success.waitFor(), dialog.waitFor({ state: 'hidden' })]);
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
      await walker.executeToEnd();
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
      await walker.executeToEnd();
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
      await walker.executeToEnd();
    },
  },
];
