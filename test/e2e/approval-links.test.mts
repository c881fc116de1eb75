/** The link of an approval in a real n8n from its message to its end: by tap, by reply, and after all is decided. */
import type { IDataObject } from 'n8n-workflow';

import type { Execution } from '../../tools/n8n-host/rest-client.mts';
import { answer, DEPUTY, MANAGER, open, submit } from '../support/approval.mts';
import { askIn, phoneOf, pictures } from '../support/approval-host.mts';
import { hasChromium, launch } from '../support/chromium.mts';
import { e2eHost } from '../support/e2e-host.mts';

const host = e2eHost({ config: { outcomes: { fallback: { steps: [] } } } });

beforeEach(() => host.sandbox.reset());

const ask = async (parameters: IDataObject = {}) => await askIn(host, parameters);
const ended = async (id: string): Promise<Execution> => await host.client.waitUntilAwake(id, 20_000);

(hasChromium ? it : it.skip)('shows 10,000 characters from right to left on a phone', async () => {
  const end = 'סוף הטקסט';
  const text = `${'לשלם את החשבונית 17 (1,234.50 EUR)? '.repeat(400).slice(0, 10_000 - end.length)}${end}`;
  const { links } = await ask({
    approvalOptions: {
      values: { approvalType: 'double', approveLabel: 'אישור', disapproveLabel: 'דחייה' },
    },
    options: { responseFormTitle: 'חשבונית 17', responseFormDescription: text, pageLanguage: 'he' },
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
    options: { approveWords: 'yes, ok', declineWords: 'no' },
  });
  const { sandbox } = host;
  const { msgId } = sandbox.messages.list().find(({ phone }) => phone === DEPUTY)!;
  sandbox.act(msgId, 'reply', { message: 'Let me ask about it first' });
  await sandbox.settled();
  expect((await host.client.getExecution(id)).status).toBe('waiting');
  sandbox.act(msgId, 'reply', { message: 'NO!' });
  const execution = await ended(id);
  expect(execution.status).toBe('success');
  expect(execution.json('After')).toMatchObject([
    { invoice: 17, approved: 'false', by: 'reply', decided_by: DEPUTY },
  ]);
});

/** What n8n answers in place of the node: opening the link, and pressing a button of a page that is still open. */
const answers = async (link: string) => {
  const pages = [await open(link), await submit(link, { choice: 'approve', token: 'of an open page' })];
  for (const { text } of pages) expect(text).not.toContain('<form');
  return pages.map(({ status, text }) => [status, text]);
};

it('is answered by n8n once the execution has ended, which keeps what was decided', async () => {
  const { id, links } = await ask({ phone: [MANAGER, DEPUTY].join() });
  await answer(links[0], 'decline');
  await ended(id);
  const noAction = [200, expect.stringContaining('<h1>No action required</h1>')];
  expect(await answers(links[1])).toEqual([noAction, noAction]);
  expect((await host.client.getExecution(id)).json('Ask')).toMatchObject([
    { data: { approved: false }, decided_by: MANAGER },
  ]);
  await host.client.call('POST', '/executions/delete', { ids: [id] });
  const gone = [404, expect.stringMatching(/^\{.*"message":"[^"]*execution [^}]*does not exist/)];
  expect(await answers(links[1])).toEqual([gone, gone]);
});

it('is answered by n8n with 409 where the execution was stopped before anybody answered', async () => {
  const { id, links } = await ask();
  await host.client.call('POST', `/executions/${id}/stop`);
  const stopped = [409, expect.stringContaining('has finished with error')];
  expect(await answers(links[0])).toEqual([stopped, stopped]);
});
