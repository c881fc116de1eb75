import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { CACHE } from '../paths.mts';
import { CURRENT_LINE, installationOf } from './installations.mts';
import type { N8nOptions, N8nProcess } from './n8n-process.mts';
import { startN8n } from './n8n-process.mts';
import type { Owner } from './rest-client.mts';
import { N8nClient } from './rest-client.mts';

/** Owner of every n8n that starts warm. */
export const OWNER: Owner = { email: 'owner@example.com', password: 'Passw0rd-for-tests' };

/** What n8n's folder holds after its first start: a migrated database with an owner, and the key of its credentials. */
const FILES = ['database.sqlite', 'config'];

/** A running n8n and a client that is logged in as its owner. */
interface WarmN8n {
  n8n: N8nProcess;
  client: N8nClient;
}

/**
 * Starts an n8n in an emptied folder, with the database of the first n8n of its version that started on this machine:
 * migrating an empty one takes a third of the processor time of a start.
 * @throws Error as `startN8n` does
 */
export async function startWarm(options: N8nOptions): Promise<WarmN8n> {
  const { folder, installation = installationOf(CURRENT_LINE) } = options;
  const template = join(CACHE, 'databases', installation.version);
  const isWarm = existsSync(template);
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, '.n8n'), { recursive: true });
  if (isWarm) for (const file of FILES) await cp(join(template, file), join(folder, '.n8n', file));
  const n8n = await startN8n(options);
  try {
    const client = await N8nClient.connect(n8n.url, OWNER);
    if (!isWarm) await keep(join(folder, '.n8n'), template);
    return { n8n, client };
  } catch (error) {
    await n8n.kill();
    throw error;
  }
}

/** Keeps the files of a running n8n for the next ones. */
async function keep(folder: string, template: string): Promise<void> {
  await mkdir(join(template, '..'), { recursive: true });
  const copy = await mkdtemp(`${template}-`);
  const database = new DatabaseSync(join(folder, 'database.sqlite'), { timeout: 10_000 });
  try {
    database.prepare('VACUUM INTO ?').run(join(copy, 'database.sqlite'));
  } finally {
    database.close();
  }
  await cp(join(folder, 'config'), join(copy, 'config'));
  try {
    await rename(copy, template);
  } catch (error) {
    // Another process has kept the same in the meantime.
    if (!existsSync(template)) throw error;
    await rm(copy, { recursive: true });
  }
}
