import { join } from 'node:path';

import type { Installation } from './installations.mts';
import type { N8nCommand, N8nOptions, N8nProcess } from './n8n-process.mts';
import { startN8n } from './n8n-process.mts';
import { freePorts } from './ports.mts';
import { DATABASE, DATABASE_USER, startPostgres } from './postgres.mts';
import { startRedis } from './redis.mts';
import type { Service } from './services.mts';

/** An n8n of one process or several. */
export interface N8nHost {
  /** Where people and the REST interface find it. */
  main: N8nProcess;

  /** Where it serves forms and webhooks. */
  webhooks: N8nProcess;
  workers: N8nProcess[];

  /** Servers that it needs, by what they are. */
  services: Record<string, Service>;
  stop(): Promise<void>;
}

/** n8n in queue mode: a main process, two workers and a webhook processor, over Redis and PostgreSQL. */
export interface QueueMode extends N8nHost {
  /** Starts another worker, for one that was killed, with more variables. */
  addWorker(env?: NodeJS.ProcessEnv): Promise<void>;
}

interface QueueModeOptions {
  /** Ports of the main process and of the webhook processor on 127.0.0.1; default: any free ones. */
  port?: number;
  webhookPort?: number;

  /** Whether workers also do the runs that are started in the editor, which n8n leaves to the main process by default. */
  offloadManual?: boolean;

  /** Variables of every process of n8n, added to those that queue mode needs. */
  env?: NodeJS.ProcessEnv;

  /** Which n8n; default: the one that all tests use. */
  installation?: Installation;
}

/** Starts one process of n8n that does everything. */
export async function startAlone(options: N8nOptions): Promise<N8nHost> {
  const n8n = await startN8n(options);
  return { main: n8n, webhooks: n8n, workers: [], services: {}, stop: async () => await n8n.stop() };
}

/**
 * Starts queue mode in a folder, with the tarball installed in each process.
 * @throws Error when a part does not start; what had started is stopped
 */
export async function startQueueMode(
  folder: string,
  tarball: string,
  { port, webhookPort, offloadManual = true, env: more = {}, installation }: QueueModeOptions = {},
): Promise<QueueMode> {
  await using started = new AsyncDisposableStack();
  let running: AsyncDisposableStack = started;
  const add = <T extends { stop(): Promise<void> }>(one: T): T =>
    running.adopt(one, async () => await one.stop());
  const redis = add(await startRedis());
  const postgres = add(await startPostgres());
  const outside = webhookPort ?? (await freePorts(1))[0];
  const env = {
    EXECUTIONS_MODE: 'queue',
    OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: String(offloadManual),
    QUEUE_BULL_REDIS_HOST: '127.0.0.1',
    QUEUE_BULL_REDIS_PORT: String(redis.port),
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: '127.0.0.1',
    DB_POSTGRESDB_PORT: String(postgres.port),
    DB_POSTGRESDB_DATABASE: DATABASE,
    DB_POSTGRESDB_USER: DATABASE_USER,
    DB_POSTGRESDB_PASSWORD: 'n8n',
    N8N_ENCRYPTION_KEY: 'key-of-the-queue-mode-tests',
    // What the outside world calls is the webhook processor.
    WEBHOOK_URL: `http://127.0.0.1:${outside}/`,
    ...more,
  };
  const start = async (name: string, command: N8nCommand, wanted?: number, own: NodeJS.ProcessEnv = {}) =>
    add(
      await startN8n({
        ...{ folder: join(folder, name), tarball, command, port: wanted, installation },
        env: { ...env, ...own },
      }),
    );
  const main = await start('main', 'start', port);
  // The main process has migrated the database; the others can start side by side.
  const others = await Promise.allSettled([
    start('worker-1', 'worker'),
    start('worker-2', 'worker'),
    start('webhook', 'webhook', outside),
  ]);
  const [worker, other, webhooks] = others.map((one) => {
    if (one.status === 'rejected') throw one.reason as Error;
    return one.value;
  });
  const workers = [worker, other];
  running = started.move();
  return {
    ...{ main, workers, webhooks, services: { redis, postgres } },
    async addWorker(own) {
      workers.push(await start(`worker-${workers.length + 1}`, 'worker', undefined, own));
    },
    stop: async () => await running.disposeAsync(),
  };
}
