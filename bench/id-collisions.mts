/**
 * How often two messages get the same made id: by calculation for a year, and by simulation of as many days as fit in
 * about a minute.
 *
 *   node --disable-warning=MODULE_TYPELESS_PACKAGE_JSON bench/id-collisions.mts [--days 30]
 *
 * The load is 1,000,000 messages a day on 16 workers of one n8n whose clocks differ. The calculation takes the worst
 * case, in which each message is an execution of its own. Memory is 8 bytes for each simulated message.
 */
import { randomFillSync } from 'node:crypto';
import { parseArgs } from 'node:util';

import { createIdMaker } from '../nodes/MessagingGateway/run/id-maker.ts';

const DAY_MS = 86_400_000;
const PER_DAY = 1_000_000;
const WORKERS = 16;
const YEAR_DAYS = 365;
const RANGE = 2 ** 53;
/** Executions that may begin in one minute before ids of one-message executions can meet: 2^15, see `ids.ts`. */
const PER_MINUTE_BOUND = 2 ** 15;
/** Clocks of the workers are up to this far apart, which widens the minute. */
const CLOCK_SKEW_MS = 30_000;
/** Messages of a large execution in the simulation. */
const BULK = 100_000;

/** Expected pairs of equal ids among `count` ids drawn at random from `range`. */
const birthday = (count: number, range: number): number => (count * (count - 1)) / 2 / range;

const figure = (value: number): string =>
  value !== 0 && (value < 0.01 || value >= 1e6)
    ? value.toExponential(2)
    : value.toLocaleString('en', { maximumFractionDigits: 2 });

function print(title: string, rows: Array<[label: string, value: string]>): void {
  console.log(`\n${title}`);
  const width = Math.max(...rows.map(([label]) => label.length));
  for (const [label, value] of rows) console.log(`  ${label.padEnd(width)}  ${value}`);
}

function calculate(): void {
  const year = PER_DAY * YEAR_DAYS;
  const perMinute = PER_DAY / 1440;
  const perInstance = year / WORKERS;
  const acrossInstances = ((WORKERS * (WORKERS - 1)) / 2) * (perInstance ** 2 / RANGE);
  print(
    `By calculation: ${figure(PER_DAY)} messages a day, ${WORKERS} workers, ${YEAR_DAYS} days = ${figure(year)} ids`,
    [
      ['made ids, one n8n with 16 workers', '0 expected collisions (one-to-one)'],
      [
        '  executions in a minute, on average',
        `${figure(perMinute)} of ${figure(PER_MINUTE_BOUND)} that are safe (${figure(PER_MINUTE_BOUND / perMinute)} times the load)`,
      ],
      ['made ids, 16 separate n8n on one account', `${figure(acrossInstances)} expected collisions a year`],
      [
        'made ids, 2 separate n8n, half each',
        `${figure((year / 2) ** 2 / RANGE)} expected collisions a year`,
      ],
      ['random 53-bit ids', `${figure(birthday(year, RANGE))} expected collisions a year`],
      ['random 32-bit ids', `${figure(birthday(year, 2 ** 32))} expected collisions a year`],
    ],
  );
}

/** Sorts the ids and counts neighbours that are equal. */
function collisionsIn(ids: Float64Array): number {
  ids.sort();
  let collisions = 0;
  for (let i = 1; i < ids.length; i++) if (ids[i] === ids[i - 1]) collisions++;
  return collisions;
}

/**
 * The ids of `days` days as `execute` of the node asks for them. Half of the messages are executions of their own, the
 * other half comes in executions of `BULK` messages, which take the minutes that follow as well.
 */
function simulate(days: number): Float64Array {
  const ids = new Float64Array(days * PER_DAY);
  const start = Date.UTC(2026, 0, 1);
  let filled = 0;
  for (let execution = 0; filled < ids.length; execution++) {
    const count = execution % (BULK + 1) === BULK ? Math.min(BULK, ids.length - filled) : 1;
    const skew = ((execution % WORKERS) / (WORKERS - 1) - 0.5) * 2 * CLOCK_SKEW_MS;
    const give = createIdMaker({
      instanceId: 'instance',
      executionId: String(1_000_000 + execution),
      nodeKey: 'send',
      runIndex: 0,
      count,
      nowMs: start + (filled / PER_DAY) * DAY_MS + skew,
      memory: {},
    });
    for (let i = 0; i < count; i++) ids[filled + i] = give(i);
    filled += count;
  }
  return ids;
}

/** As many random numbers of `bits` bits. */
function randomIds(count: number, bits: number): Float64Array {
  const ids = new Float64Array(count);
  const chunk = new BigUint64Array(65_536);
  for (let i = 0; i < count; i++) {
    if (i % chunk.length === 0) randomFillSync(chunk);
    ids[i] = Number(BigInt.asUintN(bits, chunk[i % chunk.length]));
  }
  return ids;
}

function main(): void {
  const { values } = parseArgs({ options: { days: { type: 'string', default: '30' } } });
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1 || days > YEAR_DAYS) {
    throw new RangeError(`--days takes a whole number from 1 to ${YEAR_DAYS}`);
  }
  calculate();

  const began = performance.now();
  const ids = simulate(days);
  const made = (performance.now() - began) / 1000;
  const collisions = collisionsIn(ids);
  // The same check has to find the collisions that random ids of fewer bits certainly have.
  const bits = 40;
  const control = collisionsIn(randomIds(ids.length, bits));
  print(
    `By simulation: ${days} days, ${figure(ids.length)} messages, half of them alone, half in executions of ${figure(BULK)}`,
    [
      ['made ids: collisions found', String(collisions)],
      [
        `random ${bits}-bit ids: collisions found`,
        `${control} (${figure(birthday(ids.length, 2 ** bits))} expected)`,
      ],
      ['random 53-bit ids: collisions expected', figure(birthday(ids.length, RANGE))],
      ['seconds: made, in all', `${figure(made)}, ${figure((performance.now() - began) / 1000)}`],
      ['memory (MB)', figure(process.memoryUsage().rss / 2 ** 20)],
    ],
  );
  if (collisions > 0) process.exitCode = 1;
}

main();
