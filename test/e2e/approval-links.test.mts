/** The link of an approval in a real n8n from its message to its end: by tap, by reply, and after all is decided. */
import type { IDataObject } from 'n8n-workflow';

import type { Execution } from '../../tools/n8n-host/rest-client.mts';
import {
  answer,
  approvalForm,
  BOTH_BUTTONS,
  DEPUTY,
  linkIn,
  MANAGER,
  open,
  sentTo,
  submit,
} from '../support/approval.mts';
import { askIn, phoneOf, pictures } from '../support/approval-host.mts';
import { hasChromium, launch } from '../support/chromium.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { lookFor } from '../support/otp-crowd.mts';
import { untilServed } from '../support/otp-host.mts';
import { action, workflow } from '../support/real-n8n.mts';
import type { NodeJson } from '../support/real-n8n.mts';

const host = e2eHost({ config: { outcomes: { fallback: { steps: [] } } } });

beforeEach(() => host.sandbox.reset());

const ask = async (parameters: IDataObject = {}, after?: NodeJson[]) => await askIn(host, parameters, after);
const ended = async (id: string): Promise<Execution> => await host.client.waitUntilAwake(id, 20_000);
const stop = async (id: string) => await host.client.call('POST', `/executions/${id}/stop`);

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

const PAUSE: NodeJson = {
  name: 'Pause',
  type: 'n8n-nodes-base.wait',
  typeVersion: 1.1,
  parameters: { resume: 'timeInterval', amount: 3, unit: 'seconds' },
};
const CALL: NodeJson = {
  name: 'Call',
  type: 'n8n-nodes-base.wait',
  typeVersion: 1.1,
  webhookId: 'approval-links-call',
  parameters: { resume: 'webhook', options: {} },
};
const FAIL: NodeJson = {
  name: 'Fail',
  type: 'n8n-nodes-base.stopAndError',
  typeVersion: 1,
  parameters: { errorMessage: 'Refused by the bank' },
};

/** What n8n answers in place of the node: opening the link, and pressing a button of a page that is still open. */
describe('once the execution has gone on, n8n answers', () => {
  const NO_ACTION = [200, expect.stringContaining('<h1>No action required</h1>')];
  const refusal = (status: number, words: string) => [
    status,
    expect.stringMatching(new RegExp(`^\\{.*"message":"[^"]*execution [^}]*${words}`)),
  ];
  const answers = async (link: string) => {
    const pages = [await open(link), await submit(link, { choice: 'approve', token: 'of an open page' })];
    for (const { text } of pages) expect(text).not.toContain('<form');
    return pages.map(({ status, text }) => [status, text]);
  };
  const both = (expected: unknown[]) => [expected, expected];

  it('"No action required" where it has ended, and keeps what was decided', async () => {
    const { id, links } = await ask({ phone: [MANAGER, DEPUTY].join() });
    await answer(links[0], 'decline');
    await ended(id);
    expect(await answers(links[1])).toEqual(both(NO_ACTION));
    expect((await host.client.getExecution(id)).json('Ask')).toMatchObject([
      { data: { approved: false }, decided_by: MANAGER },
    ]);
    await host.client.call('POST', '/executions/delete', { ids: [id] });
    expect(await answers(links[1])).toEqual(both(refusal(404, 'does not exist')));
  });

  it('409 while it is running, and where it has failed', async () => {
    const { id, links } = await ask({}, [PAUSE, FAIL]);
    await answer(links[0], 'approve');
    expect(await answers(links[0])).toEqual(both(refusal(409, 'is running already')));
    expect((await ended(id)).failure()).toContain('Refused by the bank');
    expect(await answers(links[0])).toEqual(both(refusal(409, 'has finished with error')));
  });

  it('"No action required" where it waits in another node, and 409 once it was stopped', async () => {
    const { id, links } = await ask({}, [CALL]);
    await answer(links[0], 'approve');
    await host.client.waitForExecution(id);
    await host.client.until(10_000, 'the next node', async () =>
      (await host.client.getExecution(id)).runs('Call').length > 0 ? true : undefined,
    );
    expect(await answers(links[0])).toEqual(both(NO_ACTION));
    await stop(id);
    expect(await answers(links[0])).toEqual(both(refusal(409, 'has finished with error')));
  });

  it('409 where it was stopped before anybody answered', async () => {
    const { id, links } = await ask();
    await stop(id);
    expect(await answers(links[0])).toEqual(both(refusal(409, 'has finished with error')));
  });

  it('401 where it waits at a page of a form, and 404 once it has ended without being saved', async () => {
    const field = (fieldLabel: string) => ({ formFields: { values: [{ fieldLabel, fieldType: 'text' }] } });
    const form = {
      name: 'Form',
      type: 'n8n-nodes-base.formTrigger',
      typeVersion: 2.6,
      webhookId: 'approval-links',
    };
    const page = {
      name: 'Page',
      type: 'n8n-nodes-base.form',
      typeVersion: 2.5,
      webhookId: 'approval-links-page',
    };
    const { nodes, connections } = workflow([
      {
        ...form,
        parameters: { formTitle: 'Begin', ...field('Amount'), options: { path: 'approval-links' } },
      },
      action('Ask', host.credential, approvalForm(BOTH_BUTTONS)),
      { ...page, parameters: { operation: 'page', defineForm: 'fields', ...field('Note'), options: {} } },
    ]);
    const settings = { saveDataSuccessExecution: 'none' };
    await host.publish({
      name: 'Links',
      nodes: nodes.slice(1),
      connections: { Form: connections.Form, Ask: connections.Ask },
      settings,
    });
    const url = `${host.url}/form/approval-links`;
    await untilServed(url);
    const body = new FormData();
    body.append('field-0', '1');
    const { formWaitingUrl } = (await (await fetch(url, { method: 'POST', body })).json()) as Record<
      string,
      string
    >;
    const link = await lookFor('The question', () => sentTo(host.sandbox).map(linkIn).at(0));
    const statusOf = async () => (await fetch(formWaitingUrl.replace('?', '/n8n-execution-status?'))).text();
    const until = async (status: string) =>
      await lookFor(status, async () => ((await statusOf()).trim() === status ? true : undefined));
    await until('waiting');
    await answer(link, 'approve');
    await until('form-waiting');
    expect(await answers(link)).toEqual(both([401, expect.stringContaining('<h1>Invalid Form Link</h1>')]));
    await fetch(formWaitingUrl, { method: 'POST', body });
    await until('null');
    expect(await answers(link)).toEqual(both(refusal(404, 'does not exist')));
  });
});
