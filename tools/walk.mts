/**
 * Does through the pages of n8n's editor what a new user does with the package, and counts clicks, fields and places of
 * hesitation, as a table. Nothing but the owner's account is made in another way.
 *
 * Usage: npm run walk -- [--only <words>] [--shots <folder>]   `shots` takes a picture of how each task ended
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import { linkIn } from '../test/support/approval.mts';
import { codeIn } from '../test/support/otp.mts';
import { rows, workflow } from '../test/support/real-n8n.mts';
import { newestMessage, openPage, openStudio } from './pictures/studio.mts';
import type { Studio } from './pictures/studio.mts';
import { TMP } from './paths.mts';
import { Walker } from './walk/walker.mts';

/** Numbers that are reserved for fiction. */
const PHONE = '447700900123';
const ANOTHER = '447700900102';
const TEXT = 'Your order is ready';
const ROWS = workflow([
  rows('Rows', [
    { phone: PHONE, name: 'Anna' },
    { phone: ANOTHER, name: 'Ben' },
  ]),
]);

/** From an empty workflow to a real output; throws where it can't be done. */
const TASKS: Record<string, (walker: Walker, studio: Studio) => Promise<void>> = {
  Credential: async (walker, { sandbox }) => {
    await walker.addNode('sms', /^Send (an )?SMS$/);
    const create = walker.panel.locator('[data-test-id="node-credentials-empty-state"] button');
    await walker.click(create.first(), 'the credential');
    const dialog = walker.page.locator('[data-test-id="credential-edit-dialog"]');
    const field = (name: string) => dialog.locator(`[data-test-id="parameter-input-${name}"] input`).first();
    await walker.type(field('apiKey'), sandbox.account().key, 'the API key');
    await walker.type(field('baseUrl'), sandbox.baseUrl, 'the base URL');
    await walker.click(walker.part('credential-save-button'), 'Save');
    // n8n closes the dialog by itself after a test that went well.
    await dialog.waitFor({ state: 'hidden' });
  },

  'First message': async (walker) => {
    await walker.addNode('sms', /^Send (an )?SMS$/);
    await walker.executeAtOnce();
    await walker.fill('phone', PHONE);
    await walker.fill('smsMessage', TEXT);
    await walker.chooseSender('smsSignature');
    await walker.executeToEnd();
  },

  'Fallback: Viber, then SMS': async (walker) => {
    await walker.addNode('viber', /^Send (a )?Viber message with SMS/);
    await walker.executeAtOnce();
    await walker.fill('phone', PHONE);
    await walker.chooseSender('viberSignature');
    await walker.fill('viberMessage', TEXT);
    await walker.fill('viberImage', 'https://example.com/a.png');
    await walker.fill('viberButton', 'Open');
    await walker.fill('viberLink', 'https://example.com');
    await walker.chooseSender('smsSignature');
    await walker.fill('smsMessage', TEXT);
    await walker.executeToEnd();
  },

  'Bulk from rows': async (walker) => {
    // The node with the rows stands for the user's own; it is pasted, and not counted.
    await walker.firstStep.first().waitFor();
    await walker.page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }, JSON.stringify(ROWS));
    await walker.addNode('sms', /^Send (an )?SMS$/);
    await walker.drag('phone', 'phone');
    await walker.drag('name', 'smsMessage');
    await walker.chooseSender('smsSignature');
    await walker.executeToEnd();
  },

  'Trigger: a delivery report': async (walker, { sandbox }) => {
    await walker.addNode(['delivery report', 'delivery', 'viber'], /^On /);
    await walker.click(walker.panel.getByTitle(/webhook URLs/), 'Webhook URLs');
    const url = /https?:\/\/\S+/.exec(await walker.panel.locator('.webhook-url').first().innerText())?.[0];
    await walker.execute();
    await walker.panel.getByText('Stop Listening').first().waitFor();
    await walker.elsewhere(sandbox.phonePageUrl, async (phone) => {
      await phone.getByRole('button', { name: 'Test callback' }).click();
      await phone.getByPlaceholder(/webhook-test/).fill(url ?? '');
      await phone.getByRole('button', { name: 'Send test callback' }).click();
      await phone.getByText(/^Callback → 200/).waitFor();
      return 3;
    });
    await walker.untilOutput();
  },

  'Wait for delivery, then a branch': async (walker, { sandbox }) => {
    await walker.addNode('sms', /^Send (an )?SMS$/);
    await walker.fill('phone', PHONE);
    await walker.fill('smsMessage', TEXT);
    await walker.chooseSender('smsSignature');
    await walker.turnOn('waitForDelivery');
    await walker.execute();
    await walker.elsewhere(sandbox.phonePageUrl, async (phone) => {
      await phone.getByRole('button', { name: 'Delivered', exact: true }).click();
      await phone.getByText(/Callback DELIVERED|No callback/).waitFor();
      return 1;
    });
    await walker.untilOutput();
    await walker.closePanel();
    await walker.addBranch('arrived');
    await walker.run();
    await walker.page.getByText('1 item').last().waitFor();
  },

  'One-time password form, from an empty canvas': async (walker, { sandbox }) => {
    const form = { named: /^n8n Form$/ };
    await walker.addNode('form', /On new n8n Form event/, form);
    await walker.fill('formTitle', 'Your phone');
    await walker.addFormElement('Phone number', 'phone');
    await walker.closePanel();
    await walker.addNode('otp', /^Send one-time password$/);
    await walker.fillExpression('phone', '{{ $json.phone }}');
    await walker.chooseSender('smsSignature');
    await walker.closePanel();
    await walker.addNode('form', /^Next Form Page/, form);
    await walker.addFormElement('Code', 'code');
    await walker.closePanel();
    await walker.addNode('otp', /^Verify/);
    await walker.fillExpression('challenge', "{{ $('Send one-time password').item.json.challenge }}");
    await walker.fillExpression('phone', "{{ $('Send one-time password').item.json.phone }}");
    await walker.fillExpression('code', '{{ $json.code }}');
    await walker.closePanel();
    await walker.addBranch('valid');
    for (const title of ['Confirmed', 'This is not the code']) {
      // The first open handle is that of the branch, since both endings have one of their own behind it.
      await walker.addNode('form', /^Form Ending/, { ...form, plus: 0 });
      await walker.fill('completionTitle', title);
      await walker.closePanel();
    }
    const code = (phone: string) => codeIn(sandbox, phone);
    const wrong = (phone: string) => code(phone).replaceAll(/\d/g, (digit) => String(9 - Number(digit)));
    // A number gets its next code after half a minute only.
    for (const [phone, answer, title] of [
      ['447700900103', code, 'Confirmed'],
      [ANOTHER, wrong, 'This is not the code'],
    ] as const) {
      await walker.submitForm({ 'Phone number': () => phone, Code: () => answer(phone) }, title);
    }
  },

  'Approval by phone': async (walker, studio) => {
    await walker.addNode('approval', /wait for response/);
    await walker.executeAtOnce();
    await walker.fill('phone', PHONE);
    await walker.fill('text', 'Pay invoice 17?');
    await walker.chooseSender('smsSignature');
    await walker.execute();
    await walker.elsewhere(linkIn((await newestMessage(studio)).operation as IDataObject), async (page) => {
      await page.getByRole('button').first().click();
      return 1;
    });
    await walker.untilOutput();
  },
};

/** Does a task; returns a row of the table. */
async function walk(studio: Studio, task: string, picture: string): Promise<string> {
  studio.sandbox.reset();
  const page = await openPage(studio, 1440, 900);
  const walker = new Walker(page);
  const { effort } = walker;
  const start = Date.now();
  try {
    await page.goto('/workflow/new');
    await TASKS[task](walker, studio);
  } catch (error) {
    effort.hesitations.push(
      `STUCK: ${error instanceof Error ? error.message : String(error)}`.split('\n')[0],
    );
  }
  await page.screenshot({ path: picture });
  await page.context().close();
  const seconds = Math.round((Date.now() - start) / 1000);
  const hesitation = effort.hesitations.join('; ').replaceAll(/[|\n]/g, ' ');
  return `| ${task} | ${effort.clicks} | ${effort.fields} | ${seconds} | ${hesitation} |`;
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    shots: { type: 'string', default: join(TMP, 'walk') },
  },
});
const studio = await openStudio({ empty: true });
try {
  console.log('| Task | Clicks | Fields | Seconds | Hesitation |\n|---|---|---|---|---|');
  for (const [nth, task] of Object.keys(TASKS).entries()) {
    // All others need the credential that the first task makes.
    if (nth > 0 && !new RegExp(values.only, 'i').test(task)) continue;
    console.log(await walk(studio, task, join(values.shots, `${nth}.png`)));
  }
} finally {
  await studio.close();
}
