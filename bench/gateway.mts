import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { follow } from '../tools/n8n-host/child.mts';
import { NODE, ROOT, TMP } from '../tools/paths.mts';

export const API_KEY = 'bench-key';
/** Sender that the sandbox approves. */
export const SENDER = 'TestSender';

/** Takes and answers messages, and remembers no more of them than their number. */
const CONFIG = {
  outcomes: { fallback: { steps: [] } },
  keep: { messages: 0, counts: false, requests: 0, requestBytes: 0, callbacks: 0 },
};

/** The sandbox in a process of its own, so that its work is not counted as work of the contestants. */
export interface BenchGateway {
  readonly baseUrl: string;
  readonly asyncUrl: string;
  readonly mcpUrl: string;
  /** @param milliseconds time that each answer takes from now on */
  setLatency(milliseconds: number): Promise<void>;
  /** Calls the control API; posts where there is a body. */
  control(path: string, body?: object): Promise<Record<string, unknown>>;
  /** Messages accepted since the start. */
  accepted(): Promise<number>;
  stop(): Promise<void>;
}

/** @throws Error with what the sandbox printed when it ends before it listens */
export async function startGateway(config: object = CONFIG): Promise<BenchGateway> {
  const folder = join(TMP, 'bench');
  await mkdir(folder, { recursive: true });
  const configFile = join(folder, 'gateway.json');
  await writeFile(configFile, JSON.stringify(config));
  const args = ['sandbox/main.mts', '--port', '0', '--key', API_KEY, '--config', configFile];
  const child = spawn(NODE, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { stop } = follow(child);

  let printed = '';
  const address = (label: string) => new RegExp(`${label}\\s+(\\S+)`).exec(printed)?.[1] ?? '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes('Press Ctrl+C')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`The sandbox ended:\n${printed}`)));
  });

  const baseUrl = address('API Address');
  const control = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${baseUrl}/sandbox/${path}`, {
      ...(body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The sandbox answered ${response.status} to ${path}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  return {
    baseUrl,
    asyncUrl: address('Queue Address'),
    mcpUrl: address('Assistant Connector Address'),
    setLatency: async (latencyMs) => void (await control('config', { latencyMs })),
    control,
    accepted: async () => Number((await control('counts')).accepted),
    stop,
  };
}
