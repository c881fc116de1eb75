/**
 * A crowd of strangers at what is open to everybody, in a real n8n with the packed package: how all are answered, how many
 * messages they cost, and whether honest people get through in between. Ends with 1 if they don't. Needs a build:
 * `npm test -- build`.
 *
 * Usage: node bench/crowd.mts [--at web-page,form,question] [--submissions <n>] [--legacy]
 * web-page, form: the examples of one-time passwords; with n8n's default engine, a crowd of thousands at a form takes tens of
 *   gigabytes (docs/one-time-passwords.md): use --legacy
 * question: made-up and altered links of an approval, whose own link decides at the end
 */
import { rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/server.mts';
import { answer, approvalForm, linkIn, open, sentTo } from '../test/support/approval.mts';
import { callHook, publishExample, untilServed } from '../test/support/otp-host.mts';
import { codeIn } from '../test/support/otp.mts';
import { action, rows, START, workflow } from '../test/support/real-n8n.mts';
import { FormVisitor } from '../tools/start/form.mts';
import { TMP } from '../tools/paths.mts';
import { until } from '../tools/until.mts';
import type { Host } from './wait-host.mts';
import { startHost } from './wait-host.mts';

const { values } = parseArgs({
  options: {
    at: { type: 'string', default: 'web-page,question' },
    submissions: { type: 'string', default: '2000' },
    legacy: { type: 'boolean', default: false },
  },
});
const SUBMISSIONS = Number(values.submissions);
const FOLDER = join(TMP, 'bench', 'crowd');
const AT_ONCE = 20;
const NUMBERS = 500;
const VISITORS = 10;
const FIRST_STRANGER = 447700910000;

/** Time after which a code that isn't on its way yet isn't to be expected any more. */
const QUIET_MS = 2000;

/** The cooldown and the limit of the workflow would hide those of the numbers. */
const OPTIONS = { cooldown: 0, workflowLimit: 2000 };

interface Entrance {
  /** Submits as a stranger; gives the HTTP status. */
  submit(serial: number): Promise<number>;

  /** Comes as an honest person; gives whether that went well. */
  visit(serial: number): Promise<boolean>;
}

/** The number that a stranger submits: the first eighth of all gets a third of the submissions. */
const strangersNumber = (serial: number): number =>
  FIRST_STRANGER + Math.floor((serial % NUMBERS) / (serial % 3 === 0 ? 8 : 1));
const visitorsNumber = (serial: number): number => FIRST_STRANGER - 1 - serial;

const codeFor = async (sandbox: Sandbox, phone: number): Promise<string> =>
  await until(`the code for ${phone}`, () =>
    sentTo(sandbox).some((message) => message.phone === phone) ? codeIn(sandbox, phone) : undefined,
  );

async function openWebPage({ client, credential }: Host, sandbox: Sandbox): Promise<Entrance> {
  await publishExample(client, 'one-time-password-web-page', credential, { path: 'crowd', options: OPTIONS });
  const call = async (what: string, body: object) =>
    await callHook(client, `one-time-password-crowd-${what}`, { ...body });
  await call('verify', { challenge: '', phone: '', code: '' });
  return {
    submit: async (serial) => (await call('send', { phone: strangersNumber(serial) })).status,
    async visit(serial) {
      const phone = visitorsNumber(serial);
      const { challenge } = await call('send', { phone });
      const { valid } = await call('verify', { challenge, phone, code: await codeFor(sandbox, phone) });
      return valid === true;
    },
  };
}

async function openForm({ client, credential, webhooks }: Host, sandbox: Sandbox): Promise<Entrance> {
  await publishExample(client, 'one-time-password-form', credential, { path: 'crowd', options: OPTIONS });
  const url = `${webhooks.url}/form/one-time-password-crowd`;
  await untilServed(url);
  return {
    async submit(serial) {
      const body = new FormData();
      body.append('field-0', String(strangersNumber(serial)));
      const response = await fetch(url, { method: 'POST', body });
      await response.arrayBuffer();
      return response.status;
    },
    async visit(serial) {
      const phone = visitorsNumber(serial);
      const visitor = new FormVisitor();
      await visitor.open(url);
      await visitor.submit(String(phone));
      return (await visitor.submit(await codeFor(sandbox, phone), '')).includes('confirmed');
    },
  };
}

/** A question of which strangers know everything but the secret of its link. */
async function openQuestion({ client, credential }: Host, sandbox: Sandbox): Promise<Entrance> {
  const flow = workflow([rows('Rows', [{ invoice: 17 }]), action('Ask', credential, approvalForm())]);
  const execution = await client.runToEnd(flow, START);
  const link = linkIn(sentTo(sandbox)[0]);
  const secret = new URL(link).searchParams.get('k') ?? '';
  const { resumeToken } = execution.data as { resumeToken?: string };
  const forged = (serial: number): string => {
    // A text of the same length that isn't the secret.
    const start = String(serial).padStart(4, '0');
    const made = `${secret.startsWith(start) ? 'abcd' : start}${secret.slice(4)}`;
    const inPlace = new URL(link);
    inPlace.searchParams.set('k', made);
    const [path] = link.split('?');
    return serial % 2 === 0
      ? inPlace.href
      : `${path.replace(/\/[^/]+$/, '')}?signature=${resumeToken}/${path.split('/').at(-1)}&k=${made}`;
  };
  return {
    async submit(serial) {
      const body = new URLSearchParams({ token: secret.slice(1), choice: 'approve' });
      const response = await fetch(forged(serial), serial % 4 < 2 ? {} : { method: 'POST', body });
      await response.arrayBuffer();
      return response.status;
    },
    async visit(serial) {
      if (serial < VISITORS - 1) return (await open(link)).status === 200;
      const page = await answer(link, 'approve');
      const done = await client.waitUntilAwake(execution.id);
      return (
        page.text.includes('has been recorded') &&
        JSON.stringify(done.json('Ask')).includes('"approved":true')
      );
    },
  };
}

const ENTRANCES: Record<string, (host: Host, sandbox: Sandbox) => Promise<Entrance>> = {
  'web-page': openWebPage,
  form: openForm,
  question: openQuestion,
};

/** Waits until nothing more is sent: a form answers before its code has left. */
async function untilQuiet(sandbox: Sandbox): Promise<void> {
  let seen = -1;
  await until('the last code', async () => {
    const before = seen;
    seen = sentTo(sandbox).length;
    await sleep(QUIET_MS);
    return before === seen || undefined;
  });
}

/** Lets the crowd in. Returns whether everything went as it should. */
async function admit(name: string, { submit, visit }: Entrance, sandbox: Sandbox): Promise<boolean> {
  const statuses: Record<string, number> = {};
  const every = Math.floor(SUBMISSIONS / AT_ONCE / VISITORS);
  const before = sentTo(sandbox).length;
  const began = performance.now();
  let [came, served] = [0, 0];
  for (let first = 0; first < SUBMISSIONS; first += AT_ONCE) {
    const strangers = Array.from({ length: AT_ONCE }, async (_, i) => {
      const status = await submit(first + i);
      statuses[status] = (statuses[status] ?? 0) + 1;
    });
    const isLast = name === 'question' && came === VISITORS - 1;
    if (came < VISITORS && (first / AT_ONCE) % every === 0 && !isLast && (await visit(came++))) served += 1;
    await Promise.all(strangers);
  }
  while (came < VISITORS) if (await visit(came++)) served += 1;
  const seconds = Math.round((performance.now() - began) / 1000);
  await untilQuiet(sandbox);
  const counts = new Map<unknown, number>();
  for (const { phone } of sentTo(sandbox).slice(before))
    if (Number(phone) >= FIRST_STRANGER) counts.set(phone, (counts.get(phone) ?? 0) + 1);
  const codes = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const most = Math.max(0, ...counts.values());
  const line = `${SUBMISSIONS} submissions in ${seconds} s, answered ${JSON.stringify(statuses)}; ${codes} messages sent, ${most} to one number at most; ${served} of ${VISITORS} honest visitors served; load ${loadavg()[0].toFixed(1)}`;
  console.log(`${name}${values.legacy ? ' (legacy engine)' : ''}: ${line}`);
  const isRefused =
    name !== 'question' || Object.keys(statuses).every((status) => /^(401|404|410)$/.test(status));
  const answered = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return served === VISITORS && most <= 5 && isRefused && answered === SUBMISSIONS;
}

const isGood: boolean[] = [];
for (const name of values.at.split(',')) {
  const sandbox = await startSandbox({
    config: { outcomes: { fallback: { steps: [] } }, keep: { messages: 10_000 } },
  });
  await rm(FOLDER, { recursive: true, force: true });
  const gateway = { baseUrl: sandbox.baseUrl, asyncUrl: sandbox.asyncUrl, key: sandbox.account().key };
  const env = values.legacy ? { N8N_EXPRESSION_ENGINE: 'legacy' } : {};
  const { host, stop } = await startHost('regular', FOLDER, gateway, env);
  try {
    const { [name]: enter } = ENTRANCES;
    isGood.push(await admit(name, await enter(host, sandbox), sandbox));
  } finally {
    await stop();
    await sandbox.close();
    await rm(FOLDER, { recursive: true, force: true });
  }
}
process.exitCode = isGood.every(Boolean) ? 0 : 1;
