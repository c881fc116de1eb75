/**
 * Everything in one go, to see the node at work: builds and packs it, starts the sandbox gateway and a real n8n that
 * has the package installed, puts in an owner, the credential and the examples, and does the main job by itself.
 * Stays up until Ctrl+C.
 *
 * Usage: npm start -- [--once] [--keep] [--watch] [--queue] [--built] [--port <sandbox>] [--n8n-port <n8n>]
 */
import { parseArgs } from 'node:util';

import { provideRedis } from './n8n-host/redis.mts';
import { demonstrate } from './start/demo.mts';
import { setUp } from './start/set-up.mts';

const USAGE = `Usage: npm start -- [options]

  --once            end after the demonstration, with status 0 if all of it went well
  --keep            go on with the n8n of the last time, with your workflows in it, and skip the demonstration
  --watch           compile into n8n what changes in the nodes, keep it as --keep does, and skip the demonstration;
                    npm run dev does this
  --built           install the package as it was built and packed last
  --queue           run n8n in queue mode: a main process, a webhook processor and two workers, over Redis and
                    PostgreSQL
  --port <n>        port of the sandbox (default 8077; the next free one if it is taken)
  --n8n-port <n>    port of n8n (default 5678; the next free one if it is taken)
  --help
`;

const { values } = parseArgs({
  options: {
    once: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    queue: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
    port: { type: 'string', default: '8077' },
    'n8n-port': { type: 'string', default: '5678' },
    help: { type: 'boolean', default: false },
  },
});

function portOf(name: 'port' | 'n8n-port'): number {
  const port = Number(values[name]);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  console.error(`--${name} has to be a port number, not "${values[name]}"`);
  process.exit(2);
}

if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const keep = values.keep || values.watch;
const conflicts = [
  values.once && keep && '--once proves a fresh start, so it does not go with --keep or --watch',
  values.queue && keep && '--queue starts with an empty database, so it does not go with --keep or --watch',
].filter((conflict) => conflict !== false);
if (conflicts.length > 0) {
  console.error(conflicts.join('\n'));
  process.exit(2);
}
const missing = values.queue ? await provideRedis(false) : undefined;
if (missing !== undefined) {
  console.error(missing);
  process.exit(1);
}

let stopping: (() => void) | undefined;
// Until everything is up there is nothing to close in order; n8n ends with this process.
const stop = () => (stopping ? stopping() : process.exit(130));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

const start = Date.now();

async function main(): Promise<number> {
  const running = await setUp({
    ...{ ...values, keep, place: 'start' },
    port: portOf('port'),
    n8nPort: portOf('n8n-port'),
  });
  const { n8n } = running;
  let status = 0;
  if (!running.isKept && !values.watch) {
    console.log();
    try {
      await demonstrate(running);
      console.log(
        `\nAll of it went as it should (${Math.round((Date.now() - start) / 1000)} s since the start).`,
      );
    } catch (error) {
      console.log(`\nThe demonstration failed: ${error instanceof Error ? error.message : String(error)}`);
      console.log(`The log of n8n is ${n8n.main.logFile}`);
      status = 1;
    }
  }
  running.describe();
  if (!values.once) {
    console.log('\nPress Ctrl+C to stop.');
    const ended = await Promise.race([
      new Promise<'stopped'>((resolve) => {
        stopping = () => resolve('stopped');
      }),
      ...[n8n.main, n8n.webhooks, ...n8n.workers].map(async ({ exited }) => {
        await exited;
        return 'n8n' as const;
      }),
    ]);
    if (ended === 'n8n') {
      console.log(`n8n has ended; its log is ${n8n.main.logFile}`);
      status = 1;
    } else {
      console.log('Stopping');
    }
  }
  // A second Ctrl+C must not break off what the first one began.
  stopping = () => undefined;
  await running.close();
  return status;
}

try {
  process.exit(await main());
} catch (error) {
  console.error(`failed\n${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
