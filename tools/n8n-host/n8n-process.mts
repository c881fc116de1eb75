import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { PACKAGE_NAME, ROOT } from '../paths.mts';
import { unpack } from '../package.mts';
import { freePorts } from './ports.mts';

const N8N = join(ROOT, 'tools', 'n8n', 'node_modules', 'n8n', 'bin', 'n8n');
const NODE = join(ROOT, 'node_modules', 'node', 'bin', 'node');

export interface N8nOptions {
  /** n8n's user folder: database, keys, installed community packages. */
  folder: string;
  /** Tarball that is installed as a community package before the start; left out, what is there stays. */
  tarball?: string;
  port?: number;
  env?: NodeJS.ProcessEnv;
  /** `start` (the whole n8n), `worker` or `webhook`. */
  command?: 'start' | 'worker' | 'webhook';
}

/** A real n8n in a process of its own, on loopback. */
export interface N8nProcess {
  url: string;
  folder: string;
  logFile: string;
  process: ChildProcess;
  log(): Promise<string>;
  /** Ends it the polite way; kills it when it doesn't listen. */
  stop(): Promise<void>;
  /** Kills it at once, as a crash would. */
  kill(): Promise<void>;
}

const QUIET: NodeJS.ProcessEnv = {
  N8N_LISTEN_ADDRESS: '127.0.0.1',
  N8N_SECURE_COOKIE: 'false',
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_HIRING_BANNER_ENABLED: 'false',
  N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
  N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
  N8N_BLOCK_ENV_ACCESS_IN_NODE: 'true',
  EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
  NODE_ENV: 'production',
};

let count = 0;

/** Starts an n8n and waits until it answers. Throws with its log when it does not within two minutes. */
export async function startN8n(options: N8nOptions): Promise<N8nProcess> {
  const { folder, tarball, command = 'start' } = options;
  await mkdir(folder, { recursive: true });
  if (tarball) await unpack(tarball, join(folder, '.n8n', 'nodes', 'node_modules', PACKAGE_NAME));
  const [freePort, brokerPort, healthPort] = await freePorts(3);
  const port = options.port ?? freePort;
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(folder, `${command}-${process.pid}-${++count}.log`);
  const child = spawn(NODE, [N8N, command], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutN8n(process.env),
      ...QUIET,
      N8N_USER_FOLDER: folder,
      N8N_PORT: String(port),
      N8N_RUNNERS_BROKER_PORT: String(brokerPort),
      QUEUE_HEALTH_CHECK_ACTIVE: 'true',
      QUEUE_HEALTH_CHECK_PORT: String(command === 'worker' ? port : healthPort),
      WEBHOOK_URL: url,
      ...options.env,
    },
  });
  const log = createWriteStream(logFile);
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));

  const host: N8nProcess = {
    url,
    folder,
    logFile,
    process: child,
    log: async () => await readFile(logFile, 'utf8'),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
        await exited;
        clearTimeout(timer);
      }
      log.end();
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
      log.end();
    },
  };
  try {
    await untilReady(host);
  } catch (error) {
    await host.kill();
    throw error;
  }
  return host;
}

/** The environment without n8n's own variables, so that a developer's settings do not reach the n8n under test. */
function withoutN8n(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(N8N_|DB_|QUEUE_|EXECUTIONS_|JEST_)/.test(name)));
}

async function untilReady(host: N8nProcess): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    if (host.process.exitCode !== null) break;
    try {
      const response = await fetch(`${host.url}/healthz/readiness`);
      if (response.ok) return;
    } catch {
      // Not listening yet; the deadline ends the wait.
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`n8n did not start:\n${(await host.log()).slice(-4000)}`);
}
