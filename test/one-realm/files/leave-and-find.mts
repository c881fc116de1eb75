/** Leaves behind what a file of tests can, and finds nothing of it: the second file to run, in either order, would. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import * as workflow from 'n8n-workflow';

import { letTimeRun, pass, stopTime, turn } from '../../support/virtual-time.mts';
import { state } from './state.mts';

/** Set once a file has run; what packages leave under registered symbols stays. */
const HAS_RUN = Symbol.for('leave-and-find has run');

/** Milliseconds after which a server that is left behind ends its connections: in the time of the next file. */
const LATER_MS = 200;

/** What makes a timer of the machine's clock, also while that of the tests stands still. */
const setMachineTimeout = setTimeout;

export function leaveAndFind(): void {
  it('finds nothing that another file left', async () => {
    expect(Object.keys(globalThis)).not.toContain('left');
    expect(process.env).not.toHaveProperty('LEFT');
    expect(state).toEqual({ isNew: true });
    expect(workflow).not.toHaveProperty('left');
    expect(jest.isMockFunction(Date.now) || jest.isMockFunction(console.error)).toBe(false);
    expect(Date.now()).toBeGreaterThan(1);
    // Ends only by the clock of the machine.
    expect(await workflow.sleep(1)).toBeUndefined();
  });

  it('keeps its timers, whatever ends that another file left', async () => {
    stopTime();
    // The numbers of its timers are those that the file before gave away first.
    let due = Reflect.has(globalThis, HAS_RUN) ? 20 : 0;
    for (let i = due; i > 0; i--) setTimeout(() => (due -= 1), 1);
    const end = performance.now() + 2 * LATER_MS;
    while (performance.now() < end) await turn();
    await pass(1);
    expect(due).toBe(0);
    letTimeRun();
  });

  it('leaves behind what it can', async () => {
    state.isNew = false;
    process.env.LEFT = 'left';
    Object.assign(globalThis, { left: true, [HAS_RUN]: true });
    Object.assign(workflow, { left: true });
    Object.defineProperty(workflow, 'sleep', { value: () => Promise.resolve('left') });
    jest.spyOn(console, 'error').mockReturnValue(undefined);
    jest.spyOn(Date, 'now').mockReturnValue(1);
    stopTime();
    expect(await answerOfServer()).toBe('left');
    expect(state.isNew).toBe(false);
  });
}

/** Returns what a server says that ends later, over a connection that stays until then. */
async function answerOfServer(): Promise<string> {
  const server = createServer((_, response) => response.end('left')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  setMachineTimeout(() => server.close().closeAllConnections(), LATER_MS);
  // A few turns later the connection has a timer, for as long as it may stay unused.
  for (let i = 0; i < 50; i++) await turn();
  return text;
}
