import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';

/** Opens a port on loopback, any free one for 0. @throws Error when it is taken */
async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Free ports on loopback, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, async () => await listenOn(0)));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) await server[Symbol.asyncDispose]();
  return ports;
}

/** The first port from `wanted` on that is free on loopback and not among `taken`. @throws Error when none is */
export async function nextFreePort(wanted: number, taken: number[] = []): Promise<number> {
  for (let port = wanted; port <= 65_535; port += 1) {
    if (taken.includes(port)) continue;
    const server = await listenOn(port).catch(() => undefined);
    await server?.[Symbol.asyncDispose]();
    if (server) return port;
  }
  throw new Error(`No port from ${wanted} on is free`);
}
