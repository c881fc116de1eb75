import { once } from 'node:events';
import { createServer } from 'node:net';

/** Whether nobody listens on a port of loopback. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const opened = await once(server, 'listening').catch(() => undefined);
  await server[Symbol.asyncDispose]();
  return opened !== undefined;
}

/**
 * Ports that no system gives out by itself: those for connections, and for who listens on any, begin at 32768 or above. So
 * nobody takes one by chance after it was chosen, and before the program that it is for listens on it.
 */
const FIRST_PORT = 12_000;
const LAST_PORT = 32_767;

/** Ports between the first ones of two processes whose ids follow each other: more than one of them takes at a time. */
const PORTS_OF_A_PROCESS = 61;

let lastGiven = FIRST_PORT + ((PORTS_OF_A_PROCESS * process.pid) % (LAST_PORT - FIRST_PORT));

/** Free ports on loopback, all different, and none that this process was given a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    lastGiven = lastGiven < LAST_PORT ? lastGiven + 1 : FIRST_PORT;
    const port = lastGiven;
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

/** The first port from `wanted` on that is free on loopback and not among `taken`. @throws Error when none is */
export async function nextFreePort(wanted: number, taken: number[] = []): Promise<number> {
  for (let port = wanted; port <= 65_535; port += 1) {
    if (!taken.includes(port) && (await isFree(port))) return port;
  }
  throw new Error(`No port from ${wanted} on is free`);
}
