import { spawn } from 'node:child_process';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { unpack } from '../package.mts';
import { CACHE, NODE, PACKAGE_NAME, ROOT } from '../paths.mts';
import { runCommand } from '../run-command.mts';
import { until } from '../until.mts';
import type { Child } from './child.mts';
import { follow } from './child.mts';
import type { Installation } from './installations.mts';
import { installationOf } from './installations.mts';
import { bringMigrated, keepMigrated } from './migrated.mts';
import { freePorts } from './ports.mts';
import type { Owner } from './rest-client.mts';
import { N8nClient } from './rest-client.mts';

const END_WITH_PARENT = join(ROOT, 'tools', 'n8n-host', 'end-with-parent.cjs');

/** The parts of n8n; all but `start` belong to queue mode and need Redis and a shared database (by `env`). */
export type N8nCommand = 'start' | 'worker' | 'webhook';

export interface N8nOptions {
  /** n8n's user folder: database, keys, installed community packages. Made when it is not there. */
  folder: string;

  /** Tarball that is installed as a community package before the start; left out, what is there stays. */
  tarball?: string;

  /** Port on 127.0.0.1; default: any free one. */
  port?: number;

  /** Variables that are added to or replace the ones below. */
  env?: NodeJS.ProcessEnv;
  command?: N8nCommand;

  /** Which n8n; default: the one that all tests use. */
  installation?: Installation;
}

/** A real n8n in a process of its own, on loopback. */
export interface N8nProcess extends Child {
  readonly command: N8nCommand;

  /** Full version, such as 2.41.1. */
  readonly version: string;

  /** Address without a slash at the end. */
  readonly url: string;
  readonly logFile: string;
  readonly pid: number;
}

/** Nothing leaves the machine, nothing is asked for, and every execution is kept. */
const QUIET: NodeJS.ProcessEnv = {
  NODE_ENV: 'production',
  N8N_LISTEN_ADDRESS: '127.0.0.1',
  N8N_SECURE_COOKIE: 'false',
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_HIRING_BANNER_ENABLED: 'false',
  N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
  N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
  // Versions before 2 offer community nodes to agents only with this.
  N8N_COMMUNITY_PACKAGES_ALLOW_TOOL_USAGE: 'true',
  N8N_BLOCK_ENV_ACCESS_IN_NODE: 'true',
  N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
  // Its default of five seconds is too short for a machine that has other things to do.
  DB_PING_TIMEOUT_MS: '60000',
  // What tests reckon with; n8n's default is New York, where it is still yesterday for five hours of each day.
  GENERIC_TIMEZONE: 'UTC',
  EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
  EXECUTIONS_DATA_SAVE_ON_ERROR: 'all',
};

/** Where an n8n with this user folder has the package, as it has each that it installs itself. */
export const packageIn = (folder: string): string =>
  join(folder, '.n8n', 'nodes', 'node_modules', PACKAGE_NAME);

let started = 0;

/**
 * Starts an n8n and waits until it answers. Starting again in the same folder is a restart.
 * @throws Error with the end of its log when it ends or does not answer within five minutes
 */
export async function startN8n(options: N8nOptions): Promise<N8nProcess> {
  const { folder, tarball, command = 'start', installation = installationOf('newest') } = options;
  const { bin, version } = installation;
  await mkdir(folder, { recursive: true });
  if (tarball) await unpack(tarball, packageIn(folder));
  const [freePort, brokerPort, healthPort] = await freePorts(3);
  const port = options.port ?? freePort;
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(folder, `n8n-${command}-${process.pid}-${++started}.log`);
  const log = await open(logFile, 'w');
  const child = spawn(NODE, ['--require', END_WITH_PARENT, bin, command], {
    cwd: folder,
    stdio: ['ignore', log.fd, log.fd],
    env: {
      ...withoutN8n(process.env),
      ...QUIET,
      N8N_USER_FOLDER: folder,
      N8N_PORT: String(port),
      N8N_RUNNERS_BROKER_PORT: String(brokerPort),
      NODE_COMPILE_CACHE: join(CACHE, 'compiled'),
      QUEUE_HEALTH_CHECK_ACTIVE: 'true',
      QUEUE_HEALTH_CHECK_PORT: String(command === 'worker' ? port : healthPort),
      WEBHOOK_URL: `${url}/`,
      ...options.env,
    },
  });
  await log.close();
  const host = { ...follow(child), command, version, url, logFile, pid: child.pid ?? 0 };
  const paths = command === 'start' ? ['/healthz/readiness', '/rest/settings'] : ['/healthz/readiness'];
  try {
    await until(`an answer of n8n ${command}`, async () => {
      if (child.pid === undefined || child.exitCode !== null) throw new Error(`n8n ${command} has ended`);
      return (await answerAll(paths.map((path) => `${url}${path}`))) || undefined;
    });
  } catch (error) {
    await host.kill();
    throw new Error(`${(error as Error).message}:\n${(await readFile(logFile, 'utf8')).slice(-4000)}`);
  }
  return host;
}

/**
 * Runs a command of n8n's command line, such as `export:workflow`, for the n8n with this user folder, which may be running.
 * @throws Error with its output where it fails
 */
export async function runN8nCommand(folder: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const { bin } = installationOf('newest');
  const [brokerPort] = await freePorts(1);
  const ports = { N8N_RUNNERS_BROKER_PORT: String(brokerPort) };
  const own = { ...withoutN8n(process.env), ...QUIET, N8N_USER_FOLDER: folder, ...ports, ...env };
  const { code, output } = await runCommand(NODE, [bin, ...args], { env: own, cwd: folder });
  if (code !== 0) throw new Error(`n8n ${args[0]} ended with ${code}:\n${output.slice(-4000)}`);
}

/** Owner of every n8n that starts with one. */
export const OWNER: Owner = { email: 'owner@example.com', password: 'Passw0rd-for-tests' };

/** Starts an n8n in an emptied folder; returns it with a client that is logged in as its owner. @throws Error as `startN8n` does */
export async function startWithOwner(options: N8nOptions): Promise<{ n8n: N8nProcess; client: N8nClient }> {
  const { folder, installation: { version } = installationOf('newest') } = options;
  await rm(folder, { recursive: true, force: true });
  await bringMigrated(version, folder);
  const n8n = await startN8n(options);
  try {
    await keepMigrated(version, folder);
    return { n8n, client: await N8nClient.connect(n8n.url, OWNER) };
  } catch (error) {
    await n8n.kill();
    throw error;
  }
}

/** The environment without n8n's own variables: a developer's settings must not reach the n8n under test. */
function withoutN8n(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = /^(N8N_|DB_|QUEUE_|EXECUTIONS_|WEBHOOK_|GENERIC_|JEST_|NODE_OPTIONS$|NODE_PATH$)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !own.test(name)));
}

async function answerAll(urls: string[]): Promise<boolean> {
  try {
    for (const url of urls) {
      const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
      // While n8n starts, its REST interface answers with a page that says so.
      const isReady = response.ok && /json/.test(response.headers.get('content-type') ?? '');
      await response.arrayBuffer();
      if (!isReady) return false;
    }
    return true;
  } catch {
    // Not listening yet: the caller asks again until its deadline.
    return false;
  }
}
