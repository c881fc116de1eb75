import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { CREDENTIAL_TYPE, credentialData } from '../../test/support/real-n8n.mts';
import { nextFreePort } from '../n8n-host/ports.mts';
import type { N8nHost } from '../n8n-host/queue-mode.mts';
import { startAlone, startQueueMode } from '../n8n-host/queue-mode.mts';
import type { Owner } from '../n8n-host/rest-client.mts';
import { N8nClient } from '../n8n-host/rest-client.mts';
import { build, pack, packed } from '../package.mts';
import { TMP } from '../paths.mts';
import type { Example } from './examples.mts';
import { importExamples } from './examples.mts';
import { step } from './step.mts';

const CREDENTIAL = { name: 'Messaging Gateway', type: CREDENTIAL_TYPE };

export interface SetUpOptions {
  /** Wanted ports; a taken one gives way to the next free one. */
  sandboxPort: number;
  n8nPort: number;
  /** Go on in the n8n of the last time, when there was one. */
  keep: boolean;
  /** Run n8n in queue mode, over Redis and PostgreSQL, which have to be installed. */
  queue: boolean;
  /** Install the package as it was built and packed last. */
  built: boolean;
}

export interface Running {
  sandbox: Sandbox;
  n8n: N8nHost;
  /** Logged in as the owner. */
  client: N8nClient;
  /** The examples that were put in; undefined where an n8n was gone on with. */
  examples?: Record<string, Example>;
  /** Prints where a person finds what, and how to log in. */
  describe(): void;
  close(): Promise<void>;
}

/** The example whose trigger the status of voice calls and pipelines goes to. */
const NOTIFIED = 'dtmf-routing';

/** What the next run with `--keep` has to know. */
interface State {
  owner: Owner;
  credentialId: string;
  /** Path of the trigger that the notification address points at. */
  notifiedPath?: string;
}

/**
 * Builds and packs the node, and starts the sandbox and an n8n with it, both on loopback.
 * @throws Error with the output of the step that failed; what was started is ended then
 */
export async function setUp(options: SetUpOptions): Promise<Running> {
  const tarball = await step('Building and packing the node', async () => {
    if (options.built) return await packed();
    await build();
    return await pack();
  });
  const sandboxPort = await nextFreePort(options.sandboxPort);
  const port = await nextFreePort(options.n8nPort, [sandboxPort]);
  // By port, since a second one may run beside the first.
  const folder = join(TMP, 'start', String(port));
  const stateFile = join(folder, 'start.json');
  const state = options.keep ? await lastState(stateFile) : undefined;
  if (!state) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });

  const sandbox = await step('Starting the sandbox gateway', async () => {
    // No outcome by itself: a person decides on the phone page what becomes of a message.
    return await startSandbox({ port: sandboxPort, config: { outcomes: { fallback: { steps: [] } } } });
  });
  try {
    const n8n = options.queue
      ? await step('Starting Redis, PostgreSQL and four processes of n8n', async () => {
          const webhookPort = await nextFreePort(port + 1, [sandboxPort]);
          // Only the main process knows the address of a trigger that it has published: runs from the editor stay there.
          return await startQueueMode(folder, tarball, { port, webhookPort, offloadManual: false });
        })
      : await step(
          'Starting n8n with the package installed',
          async () => await startAlone({ folder, tarball, port }),
        );
    try {
      return await furnish(sandbox, n8n, { state, stateFile });
    } catch (error) {
      await n8n.stop();
      throw error;
    }
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

async function furnish(
  sandbox: Sandbox,
  n8n: N8nHost,
  { state, stateFile }: { state?: State; stateFile: string },
): Promise<Running> {
  const client = new N8nClient(n8n.main.url);
  const owner = state?.owner ?? { email: 'owner@example.com', password: newPassword() };
  const data = credentialData(sandbox);
  const running: Running = {
    sandbox,
    n8n,
    client,
    describe() {
      console.log();
      console.log(`  n8n         ${n8n.main.url}/home/workflows`);
      console.log(`              log in as ${owner.email} with the password ${owner.password}`);
      if (n8n.workers.length > 0) {
        const workers = n8n.workers.map(({ pid }) => pid).join(' and ');
        console.log(`  Webhooks    ${n8n.webhooks.url} (process ${n8n.webhooks.pid})`);
        console.log(`  Workers     processes ${workers}, over Redis and PostgreSQL`);
      }
      console.log(`  Phone page  ${sandbox.phonePageUrl}`);
      for (const { name, path } of Object.values(running.examples ?? {})) {
        if (path?.startsWith('form/')) console.log(`  Form        ${n8n.webhooks.url}/${path} (${name})`);
        else if (path !== undefined && !path.endsWith('/callback'))
          console.log(`  Page        ${n8n.webhooks.url}/${path} (${name})`);
      }
      console.log(`  Gateway     ${sandbox.baseUrl} with the key ${sandbox.account().key}`);
    },
    async close() {
      await n8n.stop();
      await sandbox.close();
    },
  };
  if (state) {
    await step('Pointing the credential at the sandbox', async () => {
      await client.logIn(owner);
      await client.call('PATCH', `/credentials/${state.credentialId}`, { ...CREDENTIAL, data });
      notify(sandbox, n8n, state.notifiedPath);
    });
    return running;
  }
  running.examples = await step('Putting in owner, credential and examples', async () => {
    await client.setUpOwner(owner);
    const tested = await client.testCredential(CREDENTIAL.name, CREDENTIAL.type, data);
    if (tested.status !== 'OK') throw new Error(`The test of the credential says: ${tested.message}`);
    const credential = await client.createCredential(CREDENTIAL.name, CREDENTIAL.type, data);
    const examples = await importExamples(client, n8n.webhooks.url, credential);
    const notifiedPath = examples[NOTIFIED]?.path;
    notify(sandbox, n8n, notifiedPath);
    const kept: State = { owner, credentialId: credential.id, notifiedPath };
    await writeFile(stateFile, JSON.stringify(kept), { mode: 0o600 });
    return examples;
  });
  return running;
}

/** Has voice calls and pipelines report to a trigger, as one would set it in the account of a real gateway. */
function notify(sandbox: Sandbox, n8n: N8nHost, path: string | undefined): void {
  if (path !== undefined) sandbox.account().notificationUrl = `${n8n.webhooks.url}/${path}`;
}

async function lastState(file: string): Promise<State | undefined> {
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as State) : undefined;
}

/** n8n wants a capital letter and a digit in it. */
function newPassword(): string {
  return `N8n-${randomBytes(9).toString('base64url')}1`;
}
