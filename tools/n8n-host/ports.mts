import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Free ports on loopback, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

const LAST_PORT = 65_535;

/** The first port from `wanted` on that is free on loopback and not among `taken`. @throws Error when none is */
export async function nextFreePort(wanted: number, taken: number[] = []): Promise<number> {
  for (let port = wanted; port <= LAST_PORT; port += 1) {
    if (!taken.includes(port) && (await isFree(port))) return port;
  }
  throw new Error(`No port from ${wanted} on is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
