/** The ports of what the tests start: nothing else may come by one between the choice and the start. */
import { once } from 'node:events';
import { createServer } from 'node:net';

import { freePorts } from '../../../tools/n8n-host/ports.mts';

it('are free, all different, and none that the system gives to connections', async () => {
  const ports = (await Promise.all([freePorts(3), freePorts(1), freePorts(5)])).flat();
  expect(new Set(ports).size).toBe(9);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

it('leave out what somebody listens on', async () => {
  const [before] = await freePorts(1);
  await using server = createServer().listen(before + 1, '127.0.0.1');
  await once(server, 'listening');
  expect(await freePorts(2)).not.toContain(before + 1);
});
