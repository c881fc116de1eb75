/** An approval in a real n8n on a phone from right to left, and by a reply. */
import type { IDataObject } from 'n8n-workflow';

import { DEPUTY, MANAGER } from '../support/approval.mts';
import { askIn, phoneOf, pictures } from '../support/approval-host.mts';
import { inBrowser, launch } from '../support/chromium.mts';
import { e2eHost } from '../support/e2e-host.mts';

const host = e2eHost({ config: { outcomes: { fallback: { steps: [] } } } });

beforeEach(() => host.sandbox.reset());

const ask = async (parameters: IDataObject = {}) => await askIn(host, parameters);

inBrowser('shows 10,000 characters from right to left on a phone', async () => {
  const end = 'סוף הטקסט';
  const text = `${'לשלם את החשבונית 17 (1,234.50 EUR)? '.repeat(400).slice(0, 10_000 - end.length)}${end}`;
  const { links } = await ask({
    approvalOptions: {
      values: { approvalType: 'double', approveLabel: 'אישור', disapproveLabel: 'דחייה' },
    },
    options: {
      ...{ responseFormTitle: 'חשבונית 17', responseFormDescription: text },
      pageTexts: { values: { pageLanguage: 'he' } },
    },
  });
  const browser = await launch();
  try {
    const page = await phoneOf(browser);
    await page.goto(links[0]);
    expect(await page.locator('.text').textContent()).toBe(text);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const direction = async (selector: string) =>
      await page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`);
    expect(await Promise.all(['h1', '.text', '.from'].map(direction))).toEqual(['rtl', 'rtl', 'ltr']);
    await pictures(page, 'right-to-left');
    await page.getByRole('button', { name: 'אישור' }).tap();
    expect(await page.locator('strong').innerText()).toBe('אישור');
  } finally {
    await browser.close();
  }
});

it('is decided by a reply on Viber, for the number that was asked with the message', async () => {
  const { id } = await ask({
    phone: [MANAGER, DEPUTY].join(),
    channels: ['viber'],
    options: { replyWords: { values: { approveWords: 'yes, ok', declineWords: 'no' } } },
  });
  const { sandbox } = host;
  const { msgId } = sandbox.messages.list().find(({ phone }) => phone === DEPUTY)!;
  sandbox.act(msgId, 'reply', { message: 'Let me ask about it first' });
  await sandbox.settled();
  expect((await host.client.getExecution(id)).status).toBe('waiting');
  sandbox.act(msgId, 'reply', { message: 'NO!' });
  const execution = await host.client.waitUntilAwake(id);
  expect(execution.status).toBe('success');
  expect(execution.json('After')).toMatchObject([
    { invoice: 17, approved: 'false', by: 'reply', decided_by: DEPUTY },
  ]);
});
