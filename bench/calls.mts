/** Calls of webhooks, over a few connections that stay open, as a gateway makes them. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const SERVE_LIMIT_MS = 30_000;

/** A callback as a gateway sends it, of a message with this number. */
export const callbackOf = (serial: number) => ({
  success: true,
  id: String(serial),
  msg_id: String(8_000_000 + serial),
  type: 'sms',
  status: 'DELIVERED',
  updated: '2026-01-01T00:00:00Z',
});

/** n8n serves a webhook a moment after it has published its workflow. */
export async function untilServed(url: string): Promise<void> {
  for (const deadline = Date.now() + SERVE_LIMIT_MS; Date.now() < deadline; await sleep(100)) {
    const response = await fetch(url, { method: 'POST' });
    await response.arrayBuffer();
    if (response.status !== 404) return;
  }
  throw new Error(`${url} is not served`);
}

export interface Calls {
  count: number;
  connections: number;
  body(): unknown;
  /** The answer that is expected; 200 by default. */
  status?: number;
}

/** Makes calls, returns the milliseconds of each. @throws Error for another answer than the expected one */
export async function callAll(
  url: string,
  { count, connections, body, status = 200 }: Calls,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const milliseconds: number[] = [];
  let left = count;
  const lane = async () => {
    while (left-- > 0) {
      const start = performance.now();
      const answered = await post(url, JSON.stringify(body()), agent);
      if (answered !== status) throw new Error(`${url} answered ${answered}`);
      milliseconds.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  agent.destroy();
  return milliseconds;
}

const post = async (url: string, body: string, agent: Agent): Promise<number | undefined> =>
  await new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const call = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    call.on('error', reject);
    call.end(body);
  });
