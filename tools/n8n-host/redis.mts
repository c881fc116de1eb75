import { spawn } from 'node:child_process';
import { connect } from 'node:net';

import { runCommand } from '../run-command.mts';
import { until } from '../until.mts';
import { follow } from './child.mts';
import { freePorts } from './ports.mts';
import type { Service } from './services.mts';
import { endingWithThis, programNamed } from './services.mts';

/** No package of npm has Redis. */
const INSTALL = process.platform === 'darwin' ? 'brew install redis' : 'sudo apt-get install -y redis-server';

/** Whether `apt-get` would install it without a question. */
const canInstall = (): boolean => process.getuid?.() === 0 && programNamed('apt-get') !== undefined;

/**
 * Returns why there is no Redis, with the command that adds it; undefined where there is one, or now is.
 * @param mayInstall whether it may be installed on this machine, as root on Debian
 */
export async function provideRedis(mayInstall: boolean): Promise<string | undefined> {
  if (programNamed('redis-server')) return undefined;
  const missing = `Redis isn't installed: ${INSTALL}`;
  if (!canInstall()) return missing;
  if (!mayInstall) return `${missing}, or npm test -- --install-services`;
  console.log('Installing Redis (apt-get install redis-server)');
  const apt = async (...args: string[]) =>
    await runCommand('apt-get', ['-qq', ...args], { env: { DEBIAN_FRONTEND: 'noninteractive' } });
  // Its lists may be as old as the machine; an update that fails leaves them as they are.
  await apt('update');
  const { output } = await apt('install', '-y', '--no-install-recommends', 'redis-server');
  if (programNamed('redis-server')) return undefined;
  return `${missing} (tried: ${output.trim().split('\n').at(-1)})`;
}

/**
 * Starts a Redis without persistence.
 * @throws Error when it isn't installed, or doesn't start
 */
export async function startRedis(): Promise<Service> {
  const redis = programNamed('redis-server');
  if (redis === undefined) throw new Error(`Redis isn't installed: ${INSTALL}`);
  const [port] = await freePorts(1);
  const settings = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'];
  const child = spawn(...endingWithThis([redis, ...settings], { signal: 'KILL' }), { stdio: 'ignore' });
  const { stop } = follow(child);
  try {
    await until('Redis to answer', async () => (await isListening(port)) || undefined);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, pid: child.pid ?? 0, stop };
}

const isListening = async (port: number): Promise<boolean> =>
  await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
