import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import type { FaultKind } from '../../sandbox/faults.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import {
  action,
  credentialData,
  CREDENTIAL_TYPE,
  realN8n,
  rows,
  START,
  workflow,
} from '../support/real-n8n.mts';
import type { RealN8n } from '../support/real-n8n.mts';
import { smsForm } from '../support/sends.mts';

/** Long and odd enough to be found wherever it leaks, and not to be found by chance. */
const KEY = 'Zk7/+q"9 leak-probe-Ω-31415926535';

let sandbox: Sandbox;
let n8n: RealN8n;
let credential: { id: string; name: string };

beforeAll(async () => {
  sandbox = await startSandbox({ key: KEY });
  n8n = await realN8n();
  credential = await n8n.client.createCredential('Failures', CREDENTIAL_TYPE, credentialData(sandbox));
});
afterEach(() => sandbox.reset());
afterAll(async () => await sandbox?.close());

const messages = (count: number): IDataObject[] =>
  Array.from({ length: count }, (_, i) => ({ phone: `38050${1000000 + i}`, text: `Hello ${i}` }));

const PARAMETERS = smsForm({ smsMessage: '={{ $json.text }}', options: { batchSize: 10 } });

async function run(
  items: IDataObject[],
  settings: IDataObject = {},
  parameters: IDataObject = {},
  to = credential,
) {
  const send = action('Send', to, { ...PARAMETERS, ...parameters }, settings);
  return await n8n.client.runToEnd(workflow([rows('Rows', items), send]), START);
}

describe('On Error', () => {
  const items = [{ phone: 'nonsense', text: 'Hello' }, ...messages(3)];

  it('sends good items out of the good branch and bad ones out of the other', async () => {
    const { items: output } = await run(items, { onError: 'continueErrorOutput' });
    expect(output('Send').map(({ json }) => json.phone)).toEqual([380501000000, 380501000001, 380501000002]);
    const [bad] = output('Send', 1);
    expect(bad.json).toMatchObject({
      phone: 'nonsense',
      text: 'Hello',
      error: expect.stringContaining('Phone Number'),
    });
    expect(output('Send', 1)).toHaveLength(1);
  });

  it('sends nothing twice when n8n runs the node again because its first item carries an error', async () => {
    const settings = {
      onError: 'continueRegularOutput',
      retryOnFail: true,
      maxTries: 3,
      waitBetweenTries: 10,
    };
    const { items: output } = await run(items, settings);
    expect(output('Send')).toHaveLength(4);
    expect(sandbox.counts()).toMatchObject({ accepted: 3, distinctIds: 3, doubledIds: 0 });
  });
});

describe('faults', () => {
  const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

  it.concurrent.each([
    ['drop-before'],
    ['drop-after'],
    ['status-before'],
    ['status-after'],
    ['truncated'],
    ['short-data'],
    ['long-data'],
    ['reordered'],
    ['foreign-ids'],
    ['html-after'],
    ['garbage-after'],
    ['empty-after'],
    ['rate-limit'],
    ['slow'],
    ['too-large'],
    ['refuse-large'],
  ])('%s: every message is sent once and every output is right', async (kind) => {
    const fault = { kind: kind as FaultKind, times: 1, delayMs: 1500, retryAfter: 1 };
    const faulty = await startSandbox({ faults: [fault] });
    try {
      const itsCredential = await n8n.client.createCredential(kind, CREDENTIAL_TYPE, credentialData(faulty));
      const options = { batchSize: 10, timeout: 1 };
      const { status, items } = await run(messages(30), retry, { options }, itsCredential);
      expect(status).toBe('success');
      expect(items('Send')).toHaveLength(30);
      expect(faulty.counts().doubledIds).toBe(0);
      const ids = items('Send').map(({ json }) => json.id as number);
      expect(new Set(ids).size).toBe(30);
      expect(ids.map((id) => faulty.messages.acceptances(id))).toEqual(ids.map(() => 1));
    } finally {
      await faulty.close();
    }
  });
});

it('the API key is nowhere in the database, the logs and the executions of n8n', async () => {
  sandbox.faults.add({ kind: 'drop-after', times: 1 });
  await run(messages(1), { onError: 'continueRegularOutput' });
  const bad = await n8n.client.createCredential('Unreachable', CREDENTIAL_TYPE, {
    ...credentialData(sandbox),
    baseUrl: 'http://127.0.0.1:9',
    asyncUrl: sandbox.baseUrl,
  });
  await n8n.client.runToEnd(
    workflow([action('Send', bad, { ...PARAMETERS, phone: '380501234567', smsMessage: 'x' })]),
    START,
  );
  const echo = await echoingServer();
  const echoed = await n8n.client.createCredential('Echo', CREDENTIAL_TYPE, {
    ...credentialData(sandbox),
    baseUrl: echo.url,
  });
  const settings = { onError: 'continueRegularOutput' };
  const parameters = { ...PARAMETERS, phone: '380501234567', smsMessage: 'x' };
  const { items } = await n8n.client.runToEnd(
    workflow([action('Send', echoed, parameters, settings)]),
    START,
  );
  expect(items('Send')[0].json.error).toContain('[API key]');
  await echo.close();
  await n8n.client.testCredential('Bad', CREDENTIAL_TYPE, {
    ...credentialData(sandbox),
    apiKey: `${KEY}-bad`,
  });

  const forms = [
    KEY,
    JSON.stringify(KEY).slice(1, -1),
    JSON.stringify(JSON.stringify(KEY)).slice(3, -3),
    encodeURIComponent(KEY),
    Buffer.from(KEY).toString('base64').replace(/=+$/, ''),
    Buffer.from(KEY).toString('hex'),
    'leak-probe',
  ];
  const searched = await textsUnder(n8n.folder);
  expect(searched.map(({ name }) => name)).toEqual(
    expect.arrayContaining([expect.stringMatching(/database\.sqlite$/)]),
  );
  for (const { name, bytes } of searched) {
    for (const form of forms) expect([name, form, bytes.includes(form)]).toEqual([name, form, false]);
  }
});

/** A server that repeats the request in its refusal, as a careless gateway or proxy may. */
async function echoingServer(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const error = `Bad request: ${Buffer.concat(chunks).toString()}`;
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ success: false, error }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => await new Promise((resolve) => server.close(() => resolve())),
  };
}

async function textsUnder(folder: string): Promise<Array<{ name: string; bytes: Buffer }>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) =>
      entry.isFile() && !/\/(nodes\/node_modules|\.cache)(\/|$)/.test(entry.parentPath.slice(folder.length)),
  );
  return await Promise.all(
    files.map(async (file) => {
      const name = join(file.parentPath, file.name);
      return { name, bytes: await readFile(name) };
    }),
  );
}
