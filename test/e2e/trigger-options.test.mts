import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import type { CredentialReference } from '../../tools/n8n-host/rest-client.mts';
import { ROOT } from '../../tools/paths.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { listener } from '../support/real-n8n.mts';
import { GOOD, runOne } from '../unit/sandbox/client.mts';

/** The options of the trigger in a real n8n. */

const OUTCOMES = ['delivered', 'failed', 'read', 'replied'];

const host = e2eHost({ config: { outcomes: { afterMs: 20 } } });

/** Publishes a workflow of a trigger with these options, or has n8n give it up. */
async function publish(options: IDataObject, credential?: CredentialReference, outcomes = OUTCOMES) {
  const webhookId = randomUUID();
  const { id, publication } = await host.publish(listener(webhookId, { outcomes, options }, credential));
  return { id, publication, url: `${host.url}/webhook/${webhookId}/callback` };
}

async function listen(options: IDataObject, credential?: CredentialReference) {
  const { id, url } = await publish(options, credential);
  /** Items of the executions so far, by execution, once there are `count` of them and no more. */
  const started = async (count: number) => {
    await host.client.untilExecutions(id, count);
    // One too many would come a moment later.
    await sleep(150);
    const executions = await host.client.waitForExecutions(id, count);
    expect(executions).toHaveLength(count);
    return executions.map((execution) => execution.items('Callback').map(({ json }) => json));
  };
  const post = async (body: unknown, query = '', headers: Record<string, string> = {}) =>
    await fetch(`${url}${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return { url, post, started };
}

let serial = Date.now();
const delivered = (fields: object = {}) => ({
  success: true,
  id: ++serial,
  msg_id: serial + 1_000_000,
  type: 'sms',
  status: 'DELIVERED',
  ...fields,
});
const statuses = async (answers: Array<Promise<Response>>) =>
  (await Promise.all(answers)).map(({ status }) => status);

/** Sends one SMS to the sandbox and returns its id, once its outcome is reported. */
async function send(hook?: string): Promise<number> {
  const id = ++serial;
  expect((await runOne(host.sandbox, { ...GOOD.sms, id, hook })).success).toBe(true);
  await host.sandbox.settled();
  return id;
}

it('a secret is asked of every caller, and of the gateway in the callback address', async () => {
  const trigger = await listen({ secret: 'Gr8 Secret&' });
  const refused = [
    trigger.post(delivered()),
    trigger.post(delivered(), '?secret=gr8%20Secret%26'),
    trigger.post(delivered(), '?secret=Gr8%20Secret%26&secret=Gr8%20Secret%26'),
    trigger.post(delivered(), '', { secret: 'Gr8 Secret&' }),
  ];
  expect(await statuses(refused)).toEqual([403, 403, 403, 403]);
  expect(await (await trigger.post({}, '?secret=x')).json()).toEqual({
    error: 'The secret is missing or wrong',
  });
  const id = await send(`${trigger.url}?secret=${encodeURIComponent('Gr8 Secret&')}`);
  const [[item]] = await trigger.started(1);
  expect(item).toMatchObject({ id, outcome: 'delivered' });
  expect(JSON.stringify(item)).not.toContain('Secret');
});

it('a guard without a usable value keeps the trigger from being published', async () => {
  const unusable = [
    ['secret', '={{ $vars.missing }}', 'Secret'],
    ['secret', 'seven77', 'only 7 of at least 8 characters'],
    ['allowedIps', '={{ ["localhost"] }}', 'Allowed IP Addresses'],
    ['verifyWithGateway', '={{ $vars.missing }}', 'Verify With Gateway'],
  ] as const;
  // Side by side: n8n tries for 15 seconds to publish each.
  const found = await Promise.all(
    unusable.map(async ([name, value]) => {
      const { publication, url } = await publish({ [name]: value }, host.credential);
      const { status: published, triggers } = publication;
      const { status: answer } = await fetch(url, { method: 'POST' });
      return { name, value, published, why: triggers[0].errorMessage, answer };
    }),
  );
  expect(found).toEqual(
    unusable.map(([name, value, label]) => ({
      ...{ name, value, published: 'failed', answer: 404 },
      why: expect.stringContaining(label),
    })),
  );
});

it('an allow-list keeps out all others, whatever they say of themselves', async () => {
  const trigger = await listen({ allowedIps: '203.0.113.0/24' });
  const spoofed = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9' };
  expect(await statuses([trigger.post(delivered()), trigger.post(delivered(), '', spoofed)])).toEqual([
    403, 403,
  ]);
  await trigger.started(0);
});

it('callbacks come as forms in both encodings, and as JSON in a field of a form', async () => {
  const trigger = await listen({});
  const fields = () =>
    Object.entries(delivered()).map(([name, value]): [string, string] => [name, String(value)]);
  const formOf = (all: Array<[string, string]>) => {
    const form = new FormData();
    for (const [name, value] of all) form.set(name, value);
    return form;
  };
  const bodies = [
    formOf(fields()),
    new URLSearchParams(fields()),
    formOf([['data', JSON.stringify([delivered()])]]),
    new URLSearchParams({ payload: JSON.stringify(delivered()) }),
  ];
  const answers = bodies.map(async (body) => await fetch(trigger.url, { method: 'POST', body }));
  expect(await statuses(answers)).toEqual([200, 200, 200, 200]);
  expect((await trigger.started(4)).flat()).toMatchObject(bodies.map(() => ({ outcome: 'delivered' })));
});

it('duplicates start once, also when they come at the same moment, and late statuses not at all', async () => {
  // On unless turned off.
  const trigger = await listen({});
  const first = delivered();
  const answers = await statuses(Array.from({ length: 12 }, async () => await trigger.post(first)));
  expect(new Set(answers)).toEqual(new Set([200]));
  const second = delivered({ status: 'READ' });
  await trigger.post(second);
  await trigger.post({ ...second, status: 'DELIVERED' });
  await trigger.post([first, second, { ...first, status: 'READ' }]);
  const items = (await trigger.started(3)).flat();
  expect(items.map(({ id, status }) => [id, status]).sort()).toEqual(
    [
      [first.id, 'DELIVERED'],
      [second.id, 'READ'],
      [first.id, 'READ'],
    ].sort(),
  );
});

it('answers a call by hand as the guide says, by which a person finds out why no callbacks arrive', async () => {
  const guide = await readFile(join(ROOT, 'docs', 'when-something-fails.md'), 'utf8');
  const [, section = ''] = guide.split('## No callbacks arrive');
  const body = /-d '(.+)'/.exec(section)?.[1] ?? '';
  const call = async (url: string) =>
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { url: open } = await listen({});
  const { url: ofReplies } = await publish({}, undefined, ['replied']);
  const verified = await publish({ verifyWithGateway: true, secret: 'Gr8 Secret&' }, host.credential);
  const asking = `${verified.url}?secret=${encodeURIComponent('Gr8 Secret&')}`;
  const answers: Array<[Promise<Response>, words: string]> = [
    [call(`${host.url}/webhook/${randomUUID()}/callback`), 'is not registered'],
    [call(open.replace('/webhook/', '/webhook-test/')), 'is not registered'],
    [call(verified.url), 'The secret is missing or wrong'],
    [call((await listen({ allowedIps: '203.0.113.0/24' })).url), 'Calls from this IP address are not allowed'],
    [call(ofReplies), "'Trigger On' and 'Channels' leave this out"],
    [call(asking), ''],
    [call(open), '"received":true'],
  ];
  await Promise.all(answers.map(async ([answer]) => await answer));
  answers.push([call(open), 'has started the workflow before']);
  await answers.at(-1)![0];
  host.sandbox.faults.add({ kind: 'status-before', sparesStatus: false, times: 1 });
  answers.push([call(asking), '']);
  for (const [answer, words] of answers) {
    const { status } = await answer;
    expect(await (await answer).text()).toContain(words);
    const shown = words.replace(':', ': ');
    const row = section.split('\n').find((line) => line.startsWith(`| ${status}`) && line.includes(shown));
    expect([status, words, row]).toEqual([status, words, expect.any(String)]);
  }
  expect(new Set(await statuses(answers.map(async ([answer]) => await answer)))).toEqual(
    new Set([404, 403, 200, 409, 503]),
  );
});

describe('the check with the gateway', () => {
  it('lets pass what the gateway confirms, and nothing else', async () => {
    const options = { verifyWithGateway: true, allowedIps: '127.0.0.1, ::1' };
    const trigger = await listen(options, host.credential);
    const id = await send();
    const forged = [
      trigger.post(delivered({ id: 123 })),
      trigger.post(delivered({ id, msg_id: undefined, status: 'READ' })),
    ];
    expect(await statuses(forged)).toEqual([409, 409]);
    expect((await trigger.post(delivered({ id, msg_id: undefined }))).status).toBe(200);
    const sent = await send(trigger.url);
    const items = (await trigger.started(2)).flat();
    expect(items.map((item) => item.id).sort()).toEqual([id, sent].sort());
  });

  it('without a credential keeps the workflow from being published', async () => {
    // n8n refuses at once, or finds out in the background, as its time allows.
    const why = await publish({ verifyWithGateway: true, secret: 'long enough' }).then(
      ({ publication }) => publication.triggers.map(({ errorMessage }) => errorMessage).join(),
      (error: Error) => error.message,
    );
    expect(why).toMatch(/credential/i);
  });
});
