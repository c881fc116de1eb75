/** What a new user does to hear what became of a message, or what a person says. */
import type { IDataObject } from 'n8n-workflow';

import { linkIn } from '../../test/support/approval.mts';
import { codeIn } from '../../test/support/otp.mts';
import { newestMessage } from '../pictures/studio.mts';
import { ANOTHER, PHONE, TEXT } from './task.mts';
import type { Tasks } from './task.mts';

export const HEARING_BACK: Tasks = {
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
