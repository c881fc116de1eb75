import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from '../until.mts';
import { follow } from './child.mts';
import { freePorts } from './ports.mts';

/** A server on loopback that ends with `stop`, or with this process, however that ends. */
export interface Service {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

const REDIS = '/usr/bin/redis-server';
/** Starts a program that gets a signal from the kernel when its parent ends. */
const SETPRIV = '/usr/bin/setpriv';
const POSTGRES = '/usr/lib/postgresql';

/** The folder of the newest PostgreSQL of Debian, if there is one. */
function postgresBinaries(): string | undefined {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => join(POSTGRES, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'postgres')));
}

/** What queue mode needs and this machine does not have; empty when it can run. */
export function missingServices(): string[] {
  return [...(existsSync(REDIS) ? [] : ['redis-server']), ...(postgresBinaries() ? [] : ['postgresql'])];
}

/** Waits until a server is ready, which its own tool says with its exit code. */
const untilReady = async (tool: string, args: string[]): Promise<void> =>
  void (await until(
    30_000,
    `${tool} to find a server`,
    () => spawnSync(tool, args).status === 0 || undefined,
  ));

/** A Redis without persistence. */
export async function startRedis(): Promise<Service> {
  const [port] = await freePorts(1);
  const settings = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'];
  const child = spawn(SETPRIV, ['--pdeathsig', 'KILL', REDIS, ...settings], { stdio: 'ignore' });
  const { stop } = follow(child);
  await untilReady('/usr/bin/redis-cli', ['-p', String(port), 'ping']);
  return { port, pid: child.pid ?? 0, stop };
}

/** A PostgreSQL with an empty database `n8n`, its data in a temporary folder. It refuses to run as root. */
export async function startPostgres(): Promise<Service> {
  const bin = postgresBinaries();
  if (bin === undefined) throw new Error('PostgreSQL is not installed');
  const root = process.getuid?.() === 0;
  const user = root ? ['--reuid', 'postgres', '--regid', 'postgres', '--init-groups'] : [];
  const command = (file: string, args: string[]) => [
    ...user,
    '--pdeathsig',
    'QUIT',
    join(bin, file),
    ...args,
  ];
  const run = (file: string, args: string[]) =>
    execFileSync(SETPRIV, command(file, args), { stdio: 'pipe', cwd: tmpdir() });

  const folder = await mkdtemp(join(tmpdir(), 'n8n-postgres-'));
  const data = join(folder, 'data');
  await mkdir(data);
  if (root) execFileSync('chown', ['-R', 'postgres', folder]);
  await chmod(data, 0o700);
  run('initdb', ['-D', data, '-U', 'n8n', '--auth=trust', '--no-sync', '-E', 'UTF8']);
  const [port] = await freePorts(1);
  const settings = [
    '--listen_addresses=127.0.0.1',
    `--port=${port}`,
    `--unix_socket_directories=${folder}`,
    '--fsync=off',
    '--max_connections=200',
  ];
  const child = spawn(SETPRIV, command('postgres', ['-D', data, ...settings]), {
    stdio: 'ignore',
    cwd: folder,
  });
  const { stop } = follow(child);
  const address = ['-h', '127.0.0.1', '-p', String(port), '-U', 'n8n'];
  await untilReady(join(bin, 'pg_isready'), address);
  run('createdb', [...address, 'n8n']);
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
