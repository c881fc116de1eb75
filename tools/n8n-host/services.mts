import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

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

/** Returns the function that stops a server; `reap` is called where this process ends before. */
function follow(child: ChildProcess, reap = () => void child.kill('SIGKILL')): () => Promise<void> {
  process.once('exit', reap);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return async () => {
    process.off('exit', reap);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await exited;
  };
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline && child.exitCode === null) {
    const listens = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (listens) return;
    await sleep(100);
  }
  throw new Error(`Nothing listens on port ${port}`);
}

/** A Redis without persistence. */
export async function startRedis(): Promise<Service> {
  const [port] = await freePorts(1);
  const settings = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'];
  const child = spawn(SETPRIV, ['--pdeathsig', 'KILL', REDIS, ...settings], { stdio: 'ignore' });
  const stop = follow(child);
  await untilListening(port, child);
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
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    '-k',
    folder,
    '-c',
    'fsync=off',
    '-c',
    'max_connections=200',
  ];
  const child = spawn(SETPRIV, command('postgres', ['-D', data, ...settings]), {
    stdio: 'ignore',
    cwd: folder,
  });
  const stop = follow(child, () => {
    const lock = join(data, 'postmaster.pid');
    child.kill('SIGQUIT');
    // This process is ending, so nothing can be awaited any more.
    for (let i = 0; i < 40 && existsSync(lock); i++)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  await untilListening(port, child);
  run('createdb', ['-h', '127.0.0.1', '-p', String(port), '-U', 'n8n', 'n8n']);
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
