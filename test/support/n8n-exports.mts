/** What n8n's commands export of a real n8n, as whoever gets the files reads it. */
import { createDecipheriv, createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { installationOf } from '../../tools/n8n-host/installations.mts';
import { runN8nCommand } from '../../tools/n8n-host/n8n-process.mts';
import { TMP } from '../../tools/paths.mts';
import { LEAN } from './lean-n8n.mts';

/** What seals the export of all tables: n8n takes any text. */
const KEY = 'key-of-exports';

/** Reads what `openssl enc -aes-256-cbc -md md5 -a` has sealed. */
function unsealed(sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const salted = Buffer.concat([Buffer.from(KEY), bytes.subarray(8, 16)]);
  const digests = [Buffer.alloc(0)];
  while (digests.length < 4) {
    const last = digests.at(-1) ?? Buffer.alloc(0);
    digests.push(createHash('md5').update(last).update(salted).digest());
  }
  const [, first, second, iv] = digests;
  const decipher = createDecipheriv('aes-256-cbc', Buffer.concat([first, second]), iv);
  return Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString();
}

/** The files of an archive of all tables, by name, each line unsealed. */
async function tablesIn(archive: string): Promise<Record<string, string>> {
  // The library that n8n has packed it with.
  const { unzipSync } = createRequire(installationOf('newest').bin)('fflate') as {
    unzipSync: (zip: Uint8Array) => Record<string, Uint8Array>;
  };
  return Object.fromEntries(
    Object.entries(unzipSync(await readFile(archive))).map(([name, content]) => {
      const lines = Buffer.from(content).toString().split('\n').filter(Boolean);
      return [name, lines.map(unsealed).join('\n')];
    }),
  );
}

/**
 * Returns what n8n exports of the n8n in a user folder, by the name of the file: workflows, credentials in plain text, and all
 * tables, executions among them.
 */
export async function exportedFrom(folder: string): Promise<Record<string, string>> {
  const to = await mkdtemp(join(TMP, 'exports-'));
  try {
    const keyFile = join(to, 'key');
    await writeFile(keyFile, KEY);
    const tables = join(to, 'tables');
    const all = ['--includeExecutionHistoryDataTables=true', `--outputDir=${tables}`, `--keyFile=${keyFile}`];
    await runN8nCommand(folder, ['export:workflow', '--all', `--output=${join(to, 'workflows')}`], LEAN);
    const credentials = join(to, 'credentials');
    await runN8nCommand(
      folder,
      ['export:credentials', '--all', '--decrypted', `--output=${credentials}`],
      LEAN,
    );
    await runN8nCommand(folder, ['export:entities', ...all], LEAN);
    const [archive] = (await readdir(tables)).filter((name) => name.endsWith('.zip'));
    return {
      workflows: await readFile(join(to, 'workflows'), 'utf8'),
      credentials: await readFile(credentials, 'utf8'),
      ...(await tablesIn(join(tables, archive))),
    };
  } finally {
    await rm(to, { recursive: true });
  }
}
