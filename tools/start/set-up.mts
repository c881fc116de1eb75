import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { Owner } from '../n8n-host/rest-client.mts';
import { N8nClient } from '../n8n-host/rest-client.mts';
import { build, pack, packed } from '../package.mts';
import { TMP } from '../paths.mts';
import type { Example } from './examples.mts';
import { importExamples } from './examples.mts';
import type { Host } from './hosts.mts';
import { startInQueueMode, startSingle } from './hosts.mts';
import { nextFreePort } from './ports.mts';
import type { Progress } from './progress.mts';

const STATE_FILE = 'start.json';
const CREDENTIAL = { name: 'Messaging Gateway', type: 'messagingGatewayApi' };

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
  n8n: Host;
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
export async function setUp(progress: Progress, options: SetUpOptions): Promise<Running> {
  const tarball = await progress.step('Building and packing the node', async () => {
    if (options.built) return await packed();
    await build();
    return await pack();
  });
  const sandboxPort = await nextFreePort(options.sandboxPort);
  const port = await nextFreePort(options.n8nPort, [sandboxPort]);
  // By port, since a second one may run beside the first.
  const folder = join(TMP, 'start', String(port));
  const state = options.keep ? await lastState(folder) : undefined;
  if (!state) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });

  const sandbox = await progress.step('Starting the sandbox gateway', async () => {
    // No outcome by itself: a person decides on the phone page what becomes of a message.
    return await startSandbox({ port: sandboxPort, config: { outcomes: { fallback: { steps: [] } } } });
  });
  try {
    const n8n = options.queue
      ? await progress.step('Starting Redis, PostgreSQL and four processes of n8n', async () => {
          const webhookPort = await nextFreePort(port + 1, [sandboxPort]);
          return await startInQueueMode({ folder, tarball, port, webhookPort });
        })
      : await progress.step(
          'Starting n8n with the package installed',
          async () => await startSingle({ folder, tarball, port }),
        );
    try {
      return await furnish(progress, sandbox, n8n, state);
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
  progress: Progress,
  sandbox: Sandbox,
  n8n: Host,
  state: State | undefined,
): Promise<Running> {
  const client = new N8nClient(n8n.url);
  const owner = state?.owner ?? { email: 'owner@example.com', password: newPassword() };
  const data = {
    apiKey: sandbox.account().key,
    baseUrl: sandbox.baseUrl,
    asyncUrl: sandbox.asyncUrl,
    mcpUrl: sandbox.mcpUrl,
  };
  const running: Running = {
    sandbox,
    n8n,
    client,
    describe() {
      progress.line();
      progress.line(`  n8n         ${n8n.url}/home/workflows`);
      progress.line(`              log in as ${owner.email} with the password ${owner.password}`);
      for (const part of n8n.parts) progress.line(`  ${part}`);
      progress.line(`  Phone page  ${sandbox.phonePageUrl}`);
      for (const { name, path } of Object.values(running.examples ?? {})) {
        if (path?.startsWith('form/')) progress.line(`  Form        ${n8n.publicUrl}/${path} (${name})`);
        else if (path !== undefined && !path.endsWith('/callback'))
          progress.line(`  Page        ${n8n.publicUrl}/${path} (${name})`);
      }
      progress.line(`  Gateway     ${sandbox.baseUrl} with the key ${data.apiKey}`);
    },
    async close() {
      await n8n.stop();
      await sandbox.close();
    },
  };
  if (state) {
    await progress.step('Pointing the credential at the sandbox', async () => {
      await client.logIn(owner);
      await client.call('PATCH', `/credentials/${state.credentialId}`, { ...CREDENTIAL, data });
      notify(sandbox, n8n, state.notifiedPath);
    });
    return running;
  }
  running.examples = await progress.step('Putting in owner, credential and examples', async () => {
    await client.setUpOwner(owner);
    const tested = await client.testCredential(CREDENTIAL.name, CREDENTIAL.type, data);
    if (tested.status !== 'OK') throw new Error(`The test of the credential says: ${tested.message}`);
    const credential = await client.createCredential(CREDENTIAL.name, CREDENTIAL.type, data);
    const examples = await importExamples(client, n8n.publicUrl, credential);
    const notifiedPath = examples[NOTIFIED]?.path;
    notify(sandbox, n8n, notifiedPath);
    const kept: State = { owner, credentialId: credential.id, notifiedPath };
    await writeFile(join(n8n.folder, STATE_FILE), JSON.stringify(kept), { mode: 0o600 });
    return examples;
  });
  return running;
}

/** Has voice calls and pipelines report to a trigger, as one would set it in the account of a real gateway. */
function notify(sandbox: Sandbox, n8n: Host, path: string | undefined): void {
  if (path !== undefined) sandbox.account().notificationUrl = `${n8n.publicUrl}/${path}`;
}

async function lastState(folder: string): Promise<State | undefined> {
  const file = join(folder, STATE_FILE);
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as State) : undefined;
}

/** n8n wants a capital letter and a digit in it. */
function newPassword(): string {
  return `N8n-${randomBytes(9).toString('base64url')}1`;
}
