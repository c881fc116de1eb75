/**
 * The database of a new n8n. To make it, n8n runs all migrations of its history, which is a third of the processor time of a
 * start; so each version does it once on a machine, and tests begin with a copy.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { CACHE } from '../paths.mts';

/** Database and settings belong together: n8n encrypts some of the one with a key in the other. */
const DATABASE = 'database.sqlite';
const CONFIG = 'config';

const folderOf = (version: string): string => join(CACHE, 'migrated', version);
const stateIn = (folder: string): string => join(folder, '.n8n');

/** Puts the database of a new n8n of this version into a user folder without one, if this machine has it. */
export async function bringMigrated(version: string, folder: string): Promise<void> {
  const source = folderOf(version);
  if (!existsSync(source)) return;
  const state = stateIn(folder);
  await mkdir(state, { recursive: true });
  for (const file of [DATABASE, CONFIG]) await cp(join(source, file), join(state, file));
}

/** Keeps the database of an n8n that runs, has just been made and has nothing yet, unless this machine has one. */
export async function keepMigrated(version: string, folder: string): Promise<void> {
  const target = folderOf(version);
  if (existsSync(target)) return;
  const state = stateIn(folder);
  const temporary = `${target}-${process.pid}`;
  await mkdir(temporary, { recursive: true });
  const database = new DatabaseSync(join(state, DATABASE), { readOnly: true, timeout: 60_000 });
  // A copy as of one moment, whatever n8n writes meanwhile; versions without a write-ahead log lock it for moments.
  database.exec(`VACUUM INTO '${join(temporary, DATABASE).replaceAll("'", "''")}'`);
  database.close();
  await cp(join(state, CONFIG), join(temporary, CONFIG));
  // Whole at once; where another was faster, its copy is as good.
  await rename(temporary, target).catch(async () => await rm(temporary, { recursive: true, force: true }));
}
