import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import type { N8nProcess } from '../tools/n8n-host/n8n-process.mts';
import { until } from '../tools/until.mts';

/** Has Node open its inspector at any free port, once it is asked to. */
export const INSPECTABLE = '--inspect-port=0';

/** Returns the bytes of heap that an n8n started with `INSPECTABLE` still uses once its garbage is collected. */
export async function heapOf({ pid, logFile }: N8nProcess): Promise<number> {
  process.kill(pid, 'SIGUSR1');
  const address = await until('the inspector of n8n', async () => {
    const log = await readFile(logFile, 'utf8');
    return /Debugger listening on (ws:\S+)/.exec(log)?.[1];
  });
  const socket = new WebSocket(address);
  const call = async (method: string): Promise<Record<string, unknown>> =>
    await new Promise((resolve) => {
      socket.onmessage = ({ data }) =>
        resolve((JSON.parse(String(data)) as { result: Record<string, unknown> }).result);
      socket.send(JSON.stringify({ id: 1, method }));
    });
  await new Promise((resolve) => (socket.onopen = resolve));
  for (let i = 0; i < 3; i++) {
    await call('HeapProfiler.collectGarbage');
    await sleep(500);
  }
  const { usedSize } = await call('Runtime.getHeapUsage');
  socket.close();
  return Number(usedSize);
}
