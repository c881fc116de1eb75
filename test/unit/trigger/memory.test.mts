/** What callbacks leave in the memory of n8n, 300,000 of them in the long form: the marks of the last 10,000 events of each trigger that was called within a day, and nothing else. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { shortOrLong } from '../../support/long-form.mts';
import { callTrigger } from '../../support/trigger-call.mts';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const EVENTS = shortOrLong(120_000, 300_000);
const OF_A_CALL = 1000;
const TRIGGERS = 3;

/** Days on each of which another trigger is called, and no other. */
const DAYS = 60;

/** Megabytes that the marks of three triggers take, and megabytes by which garbage that isn't collected yet may differ. */
const MAX_MARKS_MB = 30;
const MAX_MORE_MB = 3;

async function call(nodeId: string, events: object[]): Promise<number> {
  const { items } = await callTrigger({ body: {}, rawBody: Buffer.from(JSON.stringify(events)), nodeId });
  return items?.length ?? 0;
}

function heapInMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1_000_000;
}

const eventsFrom = (first: number) =>
  Array.from({ length: OF_A_CALL }, (_, i) => ({
    ...{ success: true, id: first + i, msg_id: 9_000_000 + first + i, type: 'viber', status: 'REPLIED' },
    replies: [{ datetime: '2026-07-01T10:00:00Z', message: `Reply ${first + i} ${'x'.repeat(100)}` }],
  }));

it('stays as it is once the marks are there, however many events come', async () => {
  const before = heapInMegabytes();
  const heaps: number[] = [];
  let started = 0;
  for (let first = 0; first < EVENTS; first += OF_A_CALL) {
    started += await call(`t${(first / OF_A_CALL) % TRIGGERS}`, eventsFrom(first));
    if ((first + OF_A_CALL) % 60_000 === 0) heaps.push(heapInMegabytes() - before);
  }
  expect(started).toBe(EVENTS);
  const [full, ...later] = heaps;
  expect(full).toBeLessThan(MAX_MARKS_MB);
  expect(Math.max(...later) - full).toBeLessThan(MAX_MORE_MB);
}, 120_000);

it('has nothing of triggers that nobody has called for a day, such as those that are gone', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  const heaps: number[] = [];
  for (let gone = 0; gone < DAYS; gone++) {
    jest.setSystemTime(Date.now() + 86_500_000);
    await call(`gone${gone}`, eventsFrom(0));
    if (gone % (DAYS - 1) === 0) heaps.push(heapInMegabytes());
  }
  jest.useRealTimers();
  const [first, last] = heaps;
  // The marks of all of them would take 20 MB.
  expect(last - first).toBeLessThan(MAX_MORE_MB);
});
