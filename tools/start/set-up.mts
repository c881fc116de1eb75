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
import type { CredentialReference, Owner } from '../n8n-host/rest-client.mts';
import { N8nClient } from '../n8n-host/rest-client.mts';
import { build, pack, packed } from '../package.mts';
import { TMP } from '../paths.mts';
import type { Example } from './examples.mts';
import { importExamples } from './examples.mts';
import { compileInto, installForChange, RELOADING } from './watch.mts';

/** Named as n8n would. */
const CREDENTIAL = { name: 'Messaging Gateway account', type: CREDENTIAL_TYPE };

interface SetUpOptions {
  /** Folder of the n8n below that of all tools. */
  place: 'start' | 'pictures';

  /** Wanted ports of the sandbox and n8n; a taken one gives way to the next free one. */
  port?: number;
  n8nPort?: number;

  /** See `npm start -- --help`. */
  keep?: boolean;
  queue?: boolean;
  built?: boolean;
  watch?: boolean;

  /** Whether n8n has nothing but its owner, as a new user finds it. */
  empty?: boolean;
}

export interface Running {
  sandbox: Sandbox;
  n8n: N8nHost;

  /** Logged in as the owner. */
  client: N8nClient;
  credential: CredentialReference;

  /** By file name. */
  examples: Record<string, Example>;

  /** Whether it is the n8n of the last time. */
  isKept: boolean;

  /** Prints where a person finds what, and how to log in. */
  describe(): void;
  close(): Promise<void>;
}

/** Tells what begins, and how long it took; returns what the work returns. */
async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const start = Date.now();
  process.stdout.write(`  ${title} ... `);
  const result = await work();
  console.log(`done in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

/** The example whose trigger the status of voice calls and pipelines goes to. */
const NOTIFIED = 'dtmf-routing';

/** What the next run with `--keep` has to know. */
interface State {
  owner: Owner;
  credential: CredentialReference;
  examples: Record<string, Example>;
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
  const sandboxPort = await nextFreePort(options.port ?? 8077);
  const port = await nextFreePort(options.n8nPort ?? 5678, [sandboxPort]);
  // By port, since a second one may run beside the first.
  const folder = join(TMP, options.place, String(port));
  const stateFile = join(folder, 'start.json');
  const kept =
    options.keep && existsSync(stateFile)
      ? (JSON.parse(await readFile(stateFile, 'utf8')) as State)
      : undefined;
  if (!kept) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });

  await using started = new AsyncDisposableStack();
  const sandbox = await step('Starting the sandbox gateway', async () => {
    // No outcome by itself: a person decides on the phone page what becomes of a message.
    return await startSandbox({ port: sandboxPort, config: { outcomes: { fallback: { steps: [] } } } });
  });
  started.defer(async () => await sandbox.close());
  const n8n = options.queue
    ? await step('Starting Redis, PostgreSQL and four processes of n8n', async () => {
        const webhookPort = await nextFreePort(port + 1, [sandboxPort]);
        // Only the main process knows the address of a trigger that it has published: runs from the editor stay there.
        return await startQueueMode(folder, tarball, { port, webhookPort, offloadManual: false });
      })
    : await step('Starting n8n with the package installed', async () => {
        if (!options.watch) return await startAlone({ folder, tarball, port });
        await installForChange(tarball, folder);
        return await startAlone({ folder, port, env: RELOADING });
      });
  started.defer(async () => await n8n.stop());
  if (options.watch) started.adopt(compileInto(folder), async (compiler) => await compiler.stop());
  const client = new N8nClient(n8n.main.url);
  const data = credentialData(sandbox);
  const state = kept
    ? await step('Pointing the credential at the sandbox', async () => {
        await client.logIn(kept.owner);
        await client.call('PATCH', `/credentials/${kept.credential.id}`, { ...CREDENTIAL, data });
        return kept;
      })
    : await step('Putting in owner, credential and examples', async () => {
        const owner = await makeOwner(client);
        if (options.empty) return { owner, credential: { id: '', name: '' }, examples: {} };
        const tested = await client.testCredential(CREDENTIAL.name, CREDENTIAL.type, data);
        if (tested.status !== 'OK') throw new Error(`The test of the credential says: ${tested.message}`);
        const credential = await client.createCredential(CREDENTIAL.name, CREDENTIAL.type, data);
        return { owner, credential, examples: await importExamples(client, n8n.webhooks.url, credential) };
      });
  await writeFile(stateFile, JSON.stringify(state), { mode: 0o600 });
  const { owner, credential, examples } = state;
  // Voice calls and pipelines report to a trigger, as one would set it in the account of a real gateway.
  if (!options.empty) sandbox.account().notificationUrl = `${n8n.webhooks.url}/${examples[NOTIFIED].path}`;
  const running = started.move();
  return {
    ...{ sandbox, n8n, client, credential, examples },
    isKept: kept !== undefined,
    describe: () => describe({ sandbox, n8n, owner, examples }),
    close: async () => await running.disposeAsync(),
  };
}

/** Makes the owner of a new n8n, with a password of its own: the n8n of `npm start` stays. */
async function makeOwner(client: N8nClient): Promise<Owner> {
  // n8n wants a capital letter and a digit in it.
  const password = `N8n-${randomBytes(9).toString('base64url')}1`;
  const owner = { email: 'owner@example.com', password };
  await client.setUpOwner(owner);
  return owner;
}

function describe({
  sandbox,
  n8n,
  owner,
  examples,
}: Pick<Running, 'sandbox' | 'n8n' | 'examples'> & { owner: Owner }): void {
  console.log();
  console.log(`  n8n         ${n8n.main.url}/home/workflows`);
  console.log(`              log in as ${owner.email} with the password ${owner.password}`);
  if (n8n.workers.length > 0) {
    const workers = n8n.workers.map(({ pid }) => pid).join(' and ');
    console.log(`  Webhooks    ${n8n.webhooks.url} (process ${n8n.webhooks.pid})`);
    console.log(`  Workers     processes ${workers}, over Redis and PostgreSQL`);
  }
  console.log(`  Phone page  ${sandbox.phonePageUrl}`);
  for (const { name, path } of Object.values(examples)) {
    if (path === undefined || path.endsWith('/callback')) continue;
    const title = path.startsWith('form/') ? 'Form' : 'Page';
    console.log(`  ${title}        ${n8n.webhooks.url}/${path} (${name})`);
  }
  console.log(`  Gateway     ${sandbox.baseUrl} with the key ${sandbox.account().key}`);
}
