import { createServer } from 'node:net';

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
