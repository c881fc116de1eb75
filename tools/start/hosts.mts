import { startN8n } from '../n8n-host/n8n-process.mts';
import { startQueueMode } from '../n8n-host/queue-mode.mts';

/** The n8n of the demonstration, in one process or in several. */
export interface Host {
  /** Where people and the REST interface find it, without a slash at the end. */
  url: string;
  /** Where it serves forms and webhooks, without a slash at the end. */
  publicUrl: string;
  /** Folder of the run. */
  folder: string;
  /** Log of the process that serves `url`. */
  logFile: string;
  /** What runs beside it, for people: a line each. */
  parts: string[];
  /** Resolves when a process of it has ended, whoever ended it. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

export interface HostOptions {
  folder: string;
  tarball: string;
  port: number;
}

/** Starts one process of n8n that does everything. */
export async function startSingle({ folder, tarball, port }: HostOptions): Promise<Host> {
  const n8n = await startN8n({ folder, tarball, port });
  return {
    url: n8n.url,
    publicUrl: n8n.url,
    folder,
    logFile: n8n.logFile,
    parts: [],
    exited: n8n.exited,
    stop: async () => await n8n.stop(),
  };
}

/**
 * Starts n8n's queue mode with a Redis and a PostgreSQL of its own. Runs that are started in the editor stay with the
 * main process, as n8n does it by default: only that one knows the address of a trigger that it has published.
 */
export async function startInQueueMode(options: HostOptions & { webhookPort: number }): Promise<Host> {
  const { folder, tarball, port, webhookPort } = options;
  const queue = await startQueueMode(folder, tarball, { port, webhookPort, offloadManual: false });
  const { main, webhooks, workers } = queue;
  return {
    url: main.url,
    publicUrl: webhooks.url,
    folder,
    logFile: main.logFile,
    parts: [
      `Webhooks    ${webhooks.url} (process ${webhooks.pid})`,
      `Workers     processes ${workers.map(({ pid }) => pid).join(' and ')}, over Redis and PostgreSQL`,
    ],
    exited: Promise.race([main, webhooks, ...workers].map(async ({ exited }) => await exited)),
    stop: async () => await queue.stop(),
  };
}
