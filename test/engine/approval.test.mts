/** The approval in n8n's engine: what it sends, its pages, who may decide what, and what the workflow goes on with. */
import type { IDataObject } from 'n8n-workflow';

import {
  answer,
  approvalForm,
  BOTH_BUTTONS,
  DEPUTY,
  limit,
  linkIn,
  MANAGER,
  open,
  sentTo,
  submit,
} from '../support/approval.mts';
import { ACTION_NODE, credentialsFor, PASS_NODE, retry, SOURCE_NODE } from '../support/engine.mts';
import { runAgent } from '../support/agent.mts';
import { measureSms } from '../../nodes/gateway/sms/segments.ts';
import { SENDER_CHANNELS } from '../support/contract-samples.mts';
import { forgedLinks } from '../support/forged-links.mts';
import { previewGaps } from '../support/previews.mts';
import { senderNamed } from '../support/sends.mts';
import type { NodeSettings, WorkflowRun, WorkflowRunOptions } from '../support/engine.mts';
import { runOn, testSandbox, testWaitingHost } from '../support/test-sandbox.mts';
import { postJson, startGateway } from '../support/web-server.mts';
import { until } from '../../tools/until.mts';

const host = testWaitingHost();
const sandbox = testSandbox();

interface Asking {
  id: string;
  run: WorkflowRun;
  operations: IDataObject[];
  links: string[];
}

/** Runs a workflow until it waits for an answer; `flow` has nodes and connections that differ from a straight line. */
async function ask(
  parameters: IDataObject = {},
  items: IDataObject[] = [{ invoice: 17 }],
  settings: NodeSettings = {},
  {
    baseUrl = sandbox.baseUrl,
    apiKey = undefined,
    ...flow
  }: Partial<WorkflowRunOptions> & { baseUrl?: string; apiKey?: string } = {},
): Promise<Asking> {
  const run = await host.run({
    items,
    credentials: credentialsFor({ ...sandbox, baseUrl }, apiKey),
    nodes: [
      { name: 'Start', type: SOURCE_NODE },
      { name: 'Ask', type: ACTION_NODE, parameters: approvalForm(parameters), ...settings },
      { name: 'After', type: PASS_NODE },
    ],
    ...flow,
  });
  const operations = sentTo(sandbox);
  return { id: run.id, run, operations, links: operations.map(linkIn) };
}

async function after({ id }: Asking) {
  const items = (await host.woken(id)).outputs('After')[0];
  // The fields of a form are the user's own.
  const known = items.map(({ json: { data: _, ...json } }) => json);
  expect(previewGaps('approval', 'sendAndWait', known)).toEqual([]);
  return items;
}

describe('the message', () => {
  it.each<[string[], IDataObject]>([
    [['sms'], { type: 'sms', sms_signature: 'TestSender' }],
    [['viber', 'sms'], { type: 'viber+sms', viber_type: 'text+link', viber_button: 'Respond' }],
    ...SENDER_CHANNELS.filter((channel) => channel !== 'sms').map((channel): [string[], IDataObject] => [
      [channel],
      {},
    ]),
    [SENDER_CHANNELS, { type: 'pipeline', pipeline: SENDER_CHANNELS }],
  ])('goes by %j', async (channels, expected) => {
    const { id, run, operations, links } = await ask({ channels });
    expect(run.status).toBe('waiting');
    expect(operations).toMatchObject([{ phone: MANAGER, ...expected }]);
    const address = `${host.url}/webhook-waiting/${id}/node-1`;
    expect(links[0]).toMatch(new RegExp(`^${address}\\?k=[\\w-]{16}&signature=[0-9a-f]{64}$`));
    const [operation] = operations;
    if (operation.viber_message !== undefined) expect(operation.viber_message).toBe('Pay invoice 17?');
    if (operation.sms_message !== undefined)
      expect(operation.sms_message).toBe(`Pay invoice 17? ${links[0]}`);
  });

  it.each([
    ['letters', 'я'.repeat(19_000)],
    ['turned text', '\u202e'.repeat(500)],
  ])(
    "costs four SMS at most, says that it was cut, and leaves all of a stranger's %s to the page",
    async (_, name) => {
      const text = '=New: {{ $json.name }}. Let in?';
      const { id, run, operations, links } = await ask({ text }, [{ name }]);
      expect(measureSms(String(operations[0].sms_message)).segments).toBe(4);
      expect(operations[0].sms_message).toMatch(/^New: .*\.\.\. https?:\S+$/s);
      expect(run.runData.Ask[0].hints?.map(({ message }) => message).join()).toContain(
        'The text of the message was cut',
      );
      const page = (await open(links[0])).text;
      expect(page).toContain(`${name.replaceAll('\u202e', '[U+202E]')}. Let in?`);
      const parameters = approvalForm({ text, options: { checkOnly: true } });
      const checked = await runOn(sandbox, { parameters, items: [{ name }], executionId: id });
      expect(checked.json[0]).toMatchObject({ parts: 4 });
      expect(checked.hints.join()).toMatch(/^1 message, 4 SMS parts/);
    },
  );

  it.each([
    ['Latin', 'a', 2],
    ['Cyrillic', 'я', 3],
    ['Greek', 'λ', 3],
  ])('sends 150 letters of %s whole where the gateway shortens the link', async (_, letter, parts) => {
    const text = letter.repeat(150);
    const { operations, links } = await ask({ text, options: { shortLink: true } });
    const message = String(operations[0].sms_message);
    expect(message).toBe(`${text} ${links[0]}`);
    expect(operations[0].short_link).toBe(true);
    expect(measureSms(message.replace(links[0], 'x'.repeat(40))).segments).toBe(parts);
  });

  it('shows nothing turned around, in the message, on the page and in what is chosen', async () => {
    const bad = 'Bob Ltd\u202e';
    const options = { values: [{ option: `Pay ${bad}` }, { option: 'No' }] };
    const fields = [
      { fieldLabel: `For ${bad}`, fieldType: 'radio', fieldOptions: options, requiredField: true },
    ];
    const { id, run, operations, links } = await ask(
      {
        text: '=Pay {{ $json.payee }} {{ $json.amount }} EUR?',
        ...{ responseType: 'customForm', defineForm: 'json', jsonOutput: JSON.stringify(fields) },
        options: {
          ...{ responseFormTitle: `To ${bad}`, responseFormButtonLabel: bad },
          pageTexts: { values: { askedBy: bad } },
        },
      },
      [{ payee: bad, amount: 91 }],
    );
    const page = await open(links[0]);
    expect(String(operations[0].sms_message) + page.text).not.toContain('\u202e');
    expect(page.text).toContain('Pay Bob Ltd[U+202E] 91 EUR?');
    const woken = host.woken(id);
    await answer(links[0], 'submit', { f0: 'Pay Bob Ltd[U+202E]' });
    expect(run.status).toBe('waiting');
    const [{ json }] = (await woken).outputs('After')[0];
    expect(json.data).toMatchObject({ [`For ${bad}`]: 'Pay Bob Ltd[U+202E]' });
  });

  it.each([
    [{}, 'This question was sent by a workflow of TestSender.'],
    [{ senderText: 'Питання від {sender}' }, 'Питання від TestSender'],
    [{ askedBy: 'Accounts of Example Ltd' }, 'Accounts of Example Ltd'],
  ])('with %j says on its page "%s", and never the name of the workflow', async (values, expected) => {
    const options = { pageTexts: { values } };
    const { links } = await ask({ options }, undefined, {}, { name: 'My workflow 5' });
    const page = await open(links[0]);
    expect(/<p class="from" dir="auto">(.*?)<\/p>/.exec(page.text)?.[1]).toBe(expected);
  });

  it('is sent once by a repeated node, and its ids stay', async () => {
    sandbox.faults.add({ kind: 'refuse', error: 'Access denied', times: 1 });
    const { run, operations } = await ask({}, undefined, { retryOnFail: true, maxTries: 2 });
    expect(run.status).toBe('waiting');
    expect(operations).toHaveLength(2);
    expect(operations[1]).toEqual(operations[0]);
    expect(sandbox.messages.list()).toHaveLength(1);
  });
});

it.each<[IDataObject, heading: string, buttons: string[]]>([
  [{}, 'Your approval is needed', ['approve', 'decline']],
  [
    { approvalOptions: { values: { approveLabel: 'Yes' } } },
    'Your approval is needed',
    ['approve', 'decline'],
  ],
  [{ approvalOptions: { values: { approvalType: 'single' } } }, 'Your approval is needed', ['approve']],
  [{ responseType: 'freeText' }, 'Your answer is needed', ['submit']],
])('the page with %j has the heading "%s" and the buttons %j', async (parameters, heading, buttons) => {
  const { links } = await ask(parameters);
  const page = (await open(links[0])).text;
  expect(/<h1 dir="auto">(.*?)<\/h1>/.exec(page)?.[1]).toBe(heading);
  const choices = [...page.matchAll(/name="choice" value="(\w+)"/g)];
  expect(choices.map(([, choice]) => choice)).toEqual(buttons);
});

const TWO_INVOICES = [{ invoice: 17 }, { invoice: 18 }];

const decided = async (asking: Asking) => (await after(asking))[0].json;

describe('a decision', () => {
  it.each([
    ['approve', true, 'Approve'],
    ['decline', false, 'Decline'],
  ])("%s goes on with n8n's data, who, when and how", async (choice, approved, label) => {
    const asking = await ask(BOTH_BUTTONS);
    const [link] = asking.links;
    const page = await open(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Pay invoice 17?');
    const thanks = await answer(link, choice);
    expect(thanks.status).toBe(200);
    expect(thanks.text).toContain('Your answer has been recorded');
    expect(thanks.text).toContain(`<strong>${label}</strong>`);
    const [item] = await after(asking);
    expect(item.json).toEqual({
      data: { approved, respondedAt: expect.any(String) },
      by: 'link',
      decided_by: MANAGER,
      decided_at: expect.any(String),
      messages: [expect.objectContaining({ phone: MANAGER, type: 'sms', msg_id: expect.any(Number) })],
    });
    expect(item.pairedItem).toEqual({ item: 0 });
  });

  it('belongs to all items of the run where they ask the same, and the question says how many there are', async () => {
    const pageTexts = { values: { itemsText: 'Für {count} Rechnungen.' } };
    const asking = await ask({ text: 'Pay today?', options: { pageTexts } }, TWO_INVOICES);
    expect(asking.operations).toHaveLength(1);
    const [link] = asking.links;
    expect(asking.operations[0].sms_message).toBe(`Pay today? Für 2 Rechnungen. ${link}`);
    expect((await open(link)).text).toContain('Pay today?\n\nFür 2 Rechnungen.');
    await answer(link, 'approve');
    const items = await after(asking);
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
    expect(items.map(({ json }) => (json.data as IDataObject).approved)).toEqual([true, true]);
  });

  it.each([
    ['number', { phone: '=4477009000{{ $json.invoice }}' }],
    ['sender', { smsSignature: senderNamed('=Shop{{ $json.invoice }}') }],
    ['page', { options: { responseFormDescription: '=Invoice {{ $json.invoice }}' } }],
    ['way to answer', { responseType: "={{ $json.invoice > 17 ? 'freeText' : 'approval' }}" }],
  ])('is asked of nobody where the items differ in their %s', async (_, parameters) => {
    const { run } = await ask(parameters, TWO_INVOICES);
    expect(sentTo(sandbox)).toEqual([]);
    expect(run.error?.message).toMatch(
      /^One question can't be asked for all items: row 2 differs from row 1/,
    );
    expect(run.error?.description).toContain('Put Loop Over Items in front');
  });

  it('can be a text', async () => {
    const asking = await ask({ responseType: 'freeText', options: { responseFormTitle: 'Why?' } });
    const [link] = asking.links;
    const empty = await answer(link, 'submit', { f0: ' ' });
    expect(empty.status).toBe(422);
    expect(empty.text).toContain('aria-invalid="true"');
    const text = '<b>Because</b>\r\nit is late';
    expect((await answer(link, 'submit', { f0: text })).status).toBe(200);
    const data = { text: '<b>Because</b>\nit is late', respondedAt: expect.any(String) as string };
    expect(await decided(asking)).toMatchObject({ data, by: 'link' });
  });

  it("can be a form, by JSON as in n8n's own", async () => {
    const options = { values: [{ option: 'A' }, { option: 'B' }] };
    const fields = [
      { fieldLabel: 'Amount', fieldType: 'number', requiredField: true },
      { fieldLabel: 'Pay from', fieldName: 'account', fieldType: 'dropdown', fieldOptions: options },
      { fieldName: 'case', fieldType: 'hiddenField', fieldValue: 'Case 1 of 7' },
    ];
    const form = { defineForm: 'json', jsonOutput: JSON.stringify(fields) };
    const asking = await ask({ responseType: 'customForm', ...form });
    const [link] = asking.links;
    expect((await open(link)).text).not.toContain('Case 1 of 7');
    const wrong = await answer(link, 'submit', { f0: 'many', f1: 'C' });
    expect([wrong.status, wrong.text.match(/aria-invalid="true"/g)?.length]).toEqual([422, 2]);
    await answer(link, 'submit', { f0: '12.5', f1: 'B' });
    const { data } = await decided(asking);
    expect(data).toEqual({
      Amount: 12.5,
      account: 'B',
      case: 'Case 1 of 7',
      respondedAt: expect.any(String),
    });
  });
});

describe('a link', () => {
  it("is nobody else's: n8n refuses another signature, another recipient, another execution", async () => {
    const one = await ask({ phone: [MANAGER, DEPUTY].join() });
    const [mine, theirs] = one.links;
    sandbox.reset();
    const other = await ask();
    const changed = [
      mine.replace(/signature=./, (start) => `signature=${start.endsWith('0') ? '1' : '0'}`),
      mine.replace('?', '?x=1&'),
      mine.replace(/k=[^&]+/, String(/k=[^&]+/.exec(theirs))),
      mine.replace(/k=[^&]+&/, ''),
      mine.replace(/\?.*/, ''),
      mine.replace(`/${one.id}/`, `/${other.id}/`),
    ];
    for (const link of changed) {
      expect((await open(link)).status).toBe(401);
      expect((await submit(link, { choice: 'approve' })).status).toBe(401);
    }
  });

  it("opens to its own secret alone, and not to the execution's token, however that is spelled", async () => {
    const one = await ask({ ...BOTH_BUTTONS, phone: [MANAGER, DEPUTY].join() });
    sandbox.reset();
    const other = await ask();
    const { resumeToken: token = '', resultData } = one.run.execution;
    const context = JSON.stringify(one.run.execution.executionData?.contextData);
    const guesses = [...context.matchAll(/"key":"([\w-]+)/g)].map(([, guess]) => guess);
    expect([token, guesses.length, resultData.error]).toEqual([
      expect.stringMatching(/^.{32,}$/),
      1,
      undefined,
    ]);
    const known = { url: host.url, executionId: one.id, token, guesses, otherExecutionId: other.id };
    const statuses: number[] = [];
    for (const [name, link] of forgedLinks({ ...known, nodeId: 'node-1', otherNodeId: 'node-2' })) {
      const page = await open(link);
      for (const guess of [token, ...guesses]) {
        const sent = await submit(link, { token: guess, choice: 'approve' });
        expect([name, sent.status, sent.text.includes('recorded')]).toEqual([name, page.status, false]);
      }
      const reply = await postJson(link, { success: true, id: 1, replies: [{ message: 'yes' }] });
      expect([name, [401, 404, 410].includes(reply.status)]).toEqual([name, true]);
      expect([name, page.token, page.text.includes('invoice')]).toEqual([name, undefined, false]);
      statuses.push(page.status);
    }
    // Some of them do reach the node.
    expect(statuses.filter((status) => status === 410).length).toBeGreaterThan(10);
    expect((await open(one.links[1])).status).toBe(200);
    expect((await answer(one.links[1], 'approve')).text).toContain('has been recorded');
    expect(await decided(one)).toMatchObject({ decided_by: DEPUTY });
  });

  it("is none without the account's API key, of which it is made", async () => {
    const { run } = await ask({}, undefined, {}, { apiKey: ' ' });
    expect(run.error?.message).toBe("'API Key' of the credential is empty");
    expect(run.error?.description).toContain('Nobody was asked.');
    expect(sandbox.requests).toEqual([]);
  });

  it('decides nothing without the token of its page', async () => {
    const { links } = await ask(BOTH_BUTTONS);
    for (const token of ['', 'x'.repeat(32), 'ö'.repeat(32)]) {
      const refused = await submit(links[0], { choice: 'approve', token });
      expect(refused.status).toBe(403);
      expect(refused.text).toContain('open the link in the message again');
    }
    const { token = '' } = await open(links[0]);
    expect((await submit(links[0], { choice: 'everything', token })).status).toBe(403);
    const callback = { success: true, id: 1, replies: [{ message: 'approve' }] };
    expect((await postJson(links[0], callback)).status).toBe(403);
    expect((await open(links[0])).token).toBe(token);
  });

  it('shows a page that nobody can frame, keep or send on', async () => {
    const { links } = await ask();
    const { headers } = await open(links[0]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
      'x-frame-options': 'DENY',
      'cache-control': expect.stringContaining('no-store'),
      'referrer-policy': 'no-referrer',
      'content-type': 'text/html; charset=utf-8',
    });
  });

  it('of an earlier run of a node in a loop opens nothing', async () => {
    const phone = '={{ $runIndex ? 447700900002 : 447700900001 }}';
    const connections: WorkflowRunOptions['connections'] = [
      ['Start', 'Ask'],
      ['Ask', 'Ask'],
    ];
    const { id, run } = await ask({ phone }, undefined, {}, { connections });
    expect(run.status).toBe('waiting');
    const [first] = sentTo(sandbox).map(linkIn);
    const woken = host.woken(id);
    await answer(first, 'approve');
    expect((await woken).status).toBe('waiting');
    const [, second] = sentTo(sandbox);
    expect(second.phone).toBe(DEPUTY);
    expect(new URL(linkIn(second)).searchParams.get('k')).not.toBe(new URL(first).searchParams.get('k'));
    expect(await open(first)).toMatchObject({
      status: 410,
      text: expect.stringContaining('opens no question'),
    });
    expect((await answer(linkIn(second), 'approve')).text).toContain('has been recorded');
  });
});

describe('an execution that has the id of an earlier one, as after a restore of the database', () => {
  it.each<[string, IDataObject, NodeSettings]>([
    ['asks another question', {}, {}],
    ['asks after a try that failed', {}, { retryOnFail: true, maxTries: 2 }],
  ])(
    '%s, which the link, the form and the callback address of the earlier one do not answer',
    async (_, more, settings) => {
      const words = { replyWords: { values: { approveWords: 'yes' } } };
      const form = { ...BOTH_BUTTONS, ...more, channels: ['viber'], options: words };
      const earlier = await ask({ ...form, text: 'Pay 10 EUR?' });
      const [link] = earlier.links;
      const { token = '' } = await open(link);
      const [{ hook: earlierHook }] = earlier.operations;
      sandbox.reset();
      if (settings.retryOnFail) sandbox.faults.add({ kind: 'refuse', error: 'Access denied', times: 1 });
      const later = await ask({ ...form, text: 'Pay 9000 EUR?' }, undefined, settings, {
        executionId: earlier.id,
      });
      expect([later.id, later.run.status]).toEqual([earlier.id, 'waiting']);

      const opened = await open(link);
      expect([opened.status, opened.text.includes('9000')]).toEqual([410, false]);
      expect((await submit(link, { token, choice: 'approve' })).status).toBe(410);
      const [{ id, hook }] = later.operations;
      const yes = { success: true, id, replies: [{ message: 'yes' }] };
      expect((await postJson(String(earlierHook), yes)).status).toBe(410);
      // The form of one question at the link of another.
      const asked = later.links.at(-1) ?? '';
      expect((await submit(asked, { token, choice: 'approve' })).status).toBe(403);
      expect((await postJson(String(hook), { ...yes, replies: [{ message: 'hm' }] })).status).toBe(200);
      expect((await answer(asked, 'decline')).text).toContain('has been recorded');
      expect(await decided(later)).toMatchObject({ data: { approved: false }, by: 'link' });
    },
  );
});

describe('the limit', () => {
  it("goes on with the input and without an earlier answer, as n8n's own nodes do", async () => {
    const earlier = { invoice: 17, data: { approved: true }, decided_by: 1, decided_at: 'then' };
    const { id, run } = await ask({ options: limit(5) }, [earlier]);
    expect(Number(run.waitTill) - Date.now()).toBeGreaterThan(4.8 * 60_000);
    expect(Number(run.waitTill) - Date.now()).toBeLessThanOrEqual(5 * 60_000);
    const [item] = (await host.passLimit(id)).outputs('After')[0];
    const messages = [expect.objectContaining({ phone: MANAGER })];
    expect(item.json).toEqual({ invoice: 17, by: 'limit', messages });
  });

  it('leaves no way to answer', async () => {
    const { links } = await ask({ options: limit(1) });
    expect((await open(links[0])).text).toMatch(/Answer until \d\d:\d\d \S+\./);
    const { token = '' } = await open(links[0]);
    const clock = Date.now;
    const later = jest.spyOn(Date, 'now').mockImplementation(() => clock() + 61_000);
    const late = await submit(links[0], { choice: 'approve', token });
    expect([late.status, (await open(links[0])).status]).toEqual([410, 410]);
    expect(late.text).toMatch(/The time to answer ended: \d\d:\d\d \S+\./);
    later.mockRestore();
  });

  it('is none unless it is set', async () => {
    expect((await ask()).run.waitTill?.getUTCFullYear()).toBe(3000);
  });
});

describe('a question that did not arrive', () => {
  const THIRD = DEPUTY + 1;
  const CUSTOM_FORM = { responseType: 'customForm', formFields: { values: [{ fieldLabel: 'Amount' }] } };
  const isFailure = (body: unknown) => (body as { status?: unknown } | undefined)?.status === 'UNDELIVERABLE';
  const three = { phone: [MANAGER, DEPUTY, THIRD].join() };
  /** The sandbox fails the messages to these numbers, without a callback where `mute` says so. */
  const failing = (phones: number[], mute: boolean) =>
    sandbox.configure({
      outcomes: {
        rules: phones.map((phone) => ({
          phone,
          outcome: {
            steps: [{ status: 'UNDELIVERABLE', type: 'sms', error: `No route to ${phone}`, afterMs: 200 }],
            mute,
          },
        })),
        fallback: { steps: [] },
      },
    });
  const FAILED = { outcome: 'failed', final: true, arrived: false, status: 'UNDELIVERABLE' };

  it.each([
    ['callbacks', { ...three, channels: ['sms'] }, false],
    ['status', { ...three, channels: ['sms'] }, true],
    ['status, of a custom form, to which n8n passes on no callback', { ...three, ...CUSTOM_FORM }, false],
    ['status, of Viber, then SMS', { ...three, channels: ['viber', 'sms'] }, true],
  ])('wakes its execution at once, with the reason for each person, by %s', async (_, parameters, mute) => {
    failing([MANAGER, DEPUTY, THIRD], mute);
    const earlier = { invoice: 17, data: { approved: true }, decided_by: 1 };
    const { id } = await ask(parameters, [earlier]);
    const [item] = (await host.woken(id)).outputs('After')[0];
    const messages = [MANAGER, DEPUTY, THIRD].map((phone) => ({
      ...FAILED,
      phone,
      error: `No route to ${phone}`,
    }));
    expect(item.json).toEqual({
      invoice: 17,
      by: 'undelivered',
      messages: messages.map((one) => expect.objectContaining(one) as unknown),
    });
  });

  it('waits on while one of its messages may arrive, and takes an answer', async () => {
    failing([MANAGER, DEPUTY], false);
    const asking = await ask({ ...BOTH_BUTTONS, ...three });
    await until(
      'both callbacks',
      () => host.calls.filter(({ body }) => isFailure(body)).length >= 2 || undefined,
    );
    expect((await open(asking.links[2])).status).toBe(200);
    await answer(asking.links[2], 'approve');
    expect(await decided(asking)).toMatchObject({ data: { approved: true }, by: 'link', decided_by: THIRD });
  });

  it('shows no link that the gateway quotes in its reason', async () => {
    const { url, close } = await startGateway(({ id, type, sms_message }) => {
      if (type !== 'status') quoted.push(String(sms_message));
      const failed = { id, status: 'REJECTED', error: `Spam: ${quoted[0]}`, text: quoted[0], msg_id: 5 };
      return { success: true, data: type === 'status' ? failed : { id, msg_id: 5 } };
    });
    const quoted: string[] = [];
    const asking = await ask({}, [{}], {}, { baseUrl: url });
    const [{ json }] = await after(asking);
    await close();
    expect(json).toMatchObject({
      by: 'undelivered',
      messages: [{ error: expect.stringContaining('Spam: Pay') }],
    });
    expect(JSON.stringify(json)).not.toMatch(/signature=[0-9a-f]{64}|\bk=[\w-]{16}/);
  });
});

describe('a reply', () => {
  const words = { options: { replyWords: { values: { approveWords: 'Yes, ok', declineWords: 'no' } } } };
  const viber = { ...BOTH_BUTTONS, ...words, channels: ['viber', 'sms'], phone: `${MANAGER}, ${DEPUTY}` };

  it('counts only at the address that the gateway has', async () => {
    const { operations, links } = await ask(viber);
    const [{ hook, id }] = operations;
    expect(hook).toMatch(/\?k=[\w-]{16}&signature=/);
    expect(links).not.toContain(hook);
    const callBack = async (url: string, reply: object) =>
      (await postJson(url, { success: true, id, ...reply })).status;
    const yes = { replies: [{ message: 'yes' }] };
    expect(await callBack(links[1], yes)).toBe(403);
    expect(await callBack(String(hook), { id: 5, ...yes })).toBe(404);
    expect(await callBack(String(hook), { status: 'DELIVERED' })).toBe(200);
    // The node itself calls so, to have the messages asked about.
    expect(await (await fetch(String(hook))).json()).toEqual({ sleeping: true });
    expect((await open(links[0])).token).toBeDefined();
  });

  it('counts for nobody who was not asked', async () => {
    const credentials = credentialsFor(sandbox);
    Object.assign(credentials.messagingGatewayApi, { allowedPrefixes: String(MANAGER) });
    const settings: NodeSettings = { onError: 'continueRegularOutput' };
    const { operations, links } = await ask(viber, undefined, settings, { credentials });
    expect(operations).toMatchObject([{ phone: MANAGER }]);
    const callback = { success: true, msg_id: 7, replies: [{ message: 'yes' }] };
    expect((await postJson(String(operations[0].hook), callback)).status).toBe(404);
    expect((await open(links[0])).token).toBeDefined();
  });

  it('decides on SMS alone, too: the contract names no channel of replies', async () => {
    const asked = await ask({ ...BOTH_BUTTONS, ...words, channels: ['sms'] });
    const [{ hook, id }] = asked.operations;
    const answered = await postJson(String(hook), { success: true, id, replies: [{ message: 'yes' }] });
    expect(answered.status).toBe(200);
    expect(await decided(asked)).toMatchObject({ data: { approved: true }, by: 'reply' });
  });

  it('is not offered where the gateway passes on none', async () => {
    const refused = await ask({ ...words, channels: ['sms', 'viber'] });
    expect(refused.run.error?.message).toContain("'Answer by Reply' has no use with these channels");
    const text = await ask({ ...words, channels: ['viber'], responseType: 'freeText' });
    expect(text.run.error?.message).toContain("'Answer by Reply' has no use with this response type");
    expect(sentTo(sandbox)).toEqual([]);
  });
});

describe('what it refuses and warns of', () => {
  it.each([
    ['a channel of another kind', { channels: ['voice'] }, "'Channels' must be one or several of"],
    ['no sender', { smsSignature: senderNamed('={{ "" }}') }, "'SMS Sender' is empty"],
    ['no text but the link', { text: ' {link} ' }, "'Text' is empty"],
    [
      'a text with what an expression left',
      { text: '=Pay {{ String($json.none) }}?' },
      `'Text' contains "undefined"`,
    ],
    ['a text with half of a character', { text: 'Pay \ud83d' }, "'Text' contains half of a character"],
    [
      'a button with half of a character',
      {
        channels: ['viber'],
        viberSignature: senderNamed('ViberSender'),
        options: { messageButtonLabel: 'Go \ud83d' },
      },
      "'Message Button Label' contains half of a character",
    ],
    [
      'a language that is none',
      { options: { pageTexts: { values: { pageLanguage: 'English' } } } },
      "'Page Language' must be a language such as",
    ],
    [
      'a logo without encryption',
      { options: { pageTexts: { values: { logoAddress: 'http://example.com/logo.png' } } } },
      "'Logo Address' must be empty, or an address that starts with https://",
    ],
    ['no fields', { responseType: 'customForm' }, "'Form Fields' is empty"],
    [
      'a form of too many fields',
      { responseType: 'customForm', defineForm: 'json', jsonOutput: JSON.stringify(Array(51).fill({})) },
      "'Form Fields' has 51 fields",
    ],
    [
      'a field named like the time of the answer',
      { responseType: 'customForm', defineForm: 'json', jsonOutput: '[{"fieldLabel":"respondedAt"}]' },
      "'Label' of field 1 in 'Form Fields' must be other than respondedAt",
    ],
    [
      'markup as a field',
      { responseType: 'customForm', defineForm: 'json', jsonOutput: '[{"fieldType":"html"}]' },
      "'Element Type' of field 1 in 'Form Fields' must be one of",
    ],
  ])('it refuses %s before anybody is asked', async (_, parameters, message) => {
    const { run, operations } = await ask(parameters);
    expect(run.error?.message).toContain(message);
    expect(operations).toEqual([]);
  });

  /** A gateway that refuses the deputy, or none, and quotes what it got of everybody. */
  const startQuoting = async (refuses: boolean) =>
    await startGateway(({ id, phone, sms_message, hook }) => {
      const quoted = `"${String(sms_message)}" ${encodeURIComponent(String(sms_message))} ${String(hook)}`;
      return phone === DEPUTY && refuses
        ? { success: false, error: `Operator not supported in ${quoted}`, data: { id } }
        : { success: true, data: { id, msg_id: 5, text: quoted } };
    });

  it.each([true, false])(
    'asks those who can be reached, says who was not asked, and shows no link that the gateway quotes (refused: %s)',
    async (refuses) => {
      const { url, close } = await startQuoting(refuses);
      const { run } = await ask({ phone: `${MANAGER}, ${DEPUTY}` }, undefined, {}, { baseUrl: url });
      await close();
      expect(run.status).toBe('waiting');
      const seen = JSON.stringify([run.runData, run.execution.resultData]);
      expect(seen).toContain('signature=****');
      expect(seen).not.toMatch(/signature(=|%3D)[0-9a-f]{64}/);
      expect(seen).not.toMatch(/\bk(=|%3D)[\w-]/);
      if (!refuses) return;
      expect(run.runData.Ask[0].hints?.map(({ message }) => message).join()).toContain(
        `${DEPUTY} was not asked: `,
      );
      expect(run.outputs('Ask')[0][0].json.messages).toMatchObject([
        { phone: MANAGER, msg_id: 5 },
        { result: 'refused', phone: DEPUTY, error: expect.stringContaining('perator') },
      ]);
    },
  );

  it('tells those who were not asked from those who may have been', async () => {
    const third = DEPUTY + 1;
    const { url, close } = await startGateway(({ id, phone, type }) => {
      if (phone === DEPUTY) return { success: false, error: 'Operator not supported', data: { id } };
      return phone === third || type === 'status'
        ? { success: false, error: 'Internal error', data: { id } }
        : { success: true, data: { id, msg_id: 5 } };
    });
    const { run } = await ask({ phone: `${MANAGER}, ${DEPUTY}, ${third}` }, undefined, {}, { baseUrl: url });
    await close();
    const hints = run.runData.Ask[0].hints?.map(({ message }) => message).join();
    expect(hints).toMatch(new RegExp(`${DEPUTY} was not asked: .*${third} may not have been asked: `));
  });

  it('says of nobody asked whether a message was sent, and of a message in doubt first', async () => {
    const refused = (await ask({ smsSignature: senderNamed('Stranger') })).run.error;
    expect(refused?.description).toMatch(/^Nothing was sent\./);
    const { url, close } = await startGateway(({ id, phone, type }) =>
      phone === DEPUTY
        ? { data: { id } }
        : {
            success: false,
            error: type === 'sms' ? 'Operator not supported' : 'Internal error',
            data: { id },
          },
    );
    const { run } = await ask({ phone: `${MANAGER}, ${DEPUTY}` }, undefined, {}, { baseUrl: url });
    await close();
    expect(run.error?.message).toMatch(/^Unknown whether this was sent/);
  });

  it('leaves by the error branch, with each item, where On Error says so', async () => {
    const refused = await ask({ phone: '555' }, TWO_INVOICES, { onError: 'continueErrorOutput' });
    const description = /^Row 1 of 2\. It must be one or several .*Nothing was sent for any row\. Correct /;
    const error = expect.stringContaining("'Phone Number' is too short: 555") as string;
    const told = { result: 'notSent', error, what_to_do: expect.stringMatching(description) as string };
    expect(refused.run.status).toBe('success');
    const failed = TWO_INVOICES.map((json) => ({ ...json, ...told }));
    expect(refused.run.outputs('Ask').map((items) => items.map(({ json }) => json))).toEqual([[], failed]);
    expect(sandbox.counts().requests).toBe(0);

    sandbox.faults.add({ kind: 'refuse', error: 'Access denied', times: 9 });
    expect((await ask()).run.error?.message).toContain('API key');
    const { run } = await ask({ text: 'Pay?' }, TWO_INVOICES, { onError: 'continueErrorOutput' });
    const words = expect.stringContaining('API key') as string;
    const denied = TWO_INVOICES.map((json) => ({ json: { ...json, error: words } }));
    expect(run.outputs('Ask')).toMatchObject([[], denied]);
  });

  it.each([
    ['an operation that does not exist', { operation: '={{ $json.op }}' }],
    ['a resource that does not exist', { resource: '={{ $json.op }}' }],
    ['an operation that can not be read', { operation: '={{ $json.op.x.y }}' }],
    ['a text that can not be read', { text: '={{ $json.op.x.y }}' }],
    ['a number that is none', { phone: 'x' }],
  ])('passes no earlier approval on as its own, whatever On Error says: %s', async (_, parameters) => {
    const earlier = { data: { approved: true }, approved: true, by: 'link', op: 'none' };
    const items = [earlier, earlier];
    const regular = (await ask(parameters, items, { onError: 'continueRegularOutput' })).run.outputs(
      'Ask',
    )[0];
    expect(regular.map(({ json, pairedItem }) => ({ json, pairedItem }))).toEqual(
      [0, 1].map((item) => ({
        json: {
          result: 'notSent',
          error: expect.any(String) as string,
          what_to_do: expect.any(String) as string,
        },
        pairedItem: { item },
      })),
    );
    const [good, bad] = (await ask(parameters, items, { onError: 'continueErrorOutput' })).run.outputs('Ask');
    expect([good, bad.length]).toEqual([[], 2]);
    expect(bad[0].json.error).toEqual(expect.any(String));
    const stopped = await ask(parameters, items);
    expect([stopped.run.status, sentTo(sandbox)]).toEqual(['error', []]);
  });

  it('measures an SMS with the real length of its link, which Check Only masks', async () => {
    const parameters = approvalForm({ options: { checkOnly: true }, phone: `${MANAGER}, ${DEPUTY}` });
    const checked = await runOn(sandbox, { parameters, executionId: '812' });
    expect(sandbox.requests).toEqual([]);
    const { sms_message: text } = checked.json[0].operation as IDataObject;
    expect(checked.json).toHaveLength(2);
    expect(text).toMatch(/\?k=\*{16}&signature=\*{64}$/);
    expect(checked.json[0]).toMatchObject({ characters: String(text).length, parts: 1 });
  });

  it('is no tool of an agent, which could not wait', async () => {
    const tool = { parameters: approvalForm({ allowSending: true }), credentials: credentialsFor(sandbox) };
    for (const direct of [false, true]) {
      const { answers } = await runAgent({ ...tool, calls: [{}], direct });
      expect(JSON.stringify(answers)).toContain('human review');
    }
    expect(sandbox.requests).toEqual([]);
  });
});

describe('a Retry', () => {
  it('asks nobody a second time whose answer it could not take', async () => {
    const sent: IDataObject[] = [];
    const gateway = await startGateway((operation) => {
      if (operation.type === 'sms') sent.push(operation);
      return { success: false, error: 'Internal error', data: { id: operation.id } };
    });
    const { run } = await ask({}, undefined, {}, { baseUrl: gateway.url });
    expect(run.error?.message).toMatch(/^Unknown whether this was sent/);
    const { status, error } = await retry(run, 'Ask');
    await gateway.close();
    expect([status, error?.message]).toEqual(['error', expect.stringContaining("A Retry can't take")]);
    expect(sent).toHaveLength(1);
  });

  it('asks anew where the question was refused, by a message of its own', async () => {
    sandbox.faults.add({ kind: 'refuse', error: 'Access denied', times: 1 });
    const { run } = await ask();
    expect((await retry(run, 'Ask')).status).toBe('waiting');
    const [refused, asked] = sentTo(sandbox);
    expect(asked.id).not.toBe(refused.id);
    const [before, after] = [refused, asked].map((one) => new URL(linkIn(one)));
    expect(after.pathname).toContain('/retry/');
    expect(after.searchParams.get('k')).not.toBe(before.searchParams.get('k'));
    expect(sandbox.requests).toHaveLength(2);
  });
});
