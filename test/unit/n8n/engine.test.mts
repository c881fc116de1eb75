import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { abortableSleep, cancelSignal, isToolRun } from '../../../nodes/n8n/engine.ts';

const NODES = join(import.meta.dirname, '..', '..', '..', 'nodes');
/** Methods and functions that some version of n8n, or some context, lacks. */
const MISSING_SOMEWHERE = /\b(isToolExecution|getExecutionCancelSignal|sleepWithAbort)\b/;

it('knows no tool and has no signal where the context lacks the methods, and goes on', () => {
  expect(isToolRun({})).toBe(false);
  expect(cancelSignal({})).toBeUndefined();
});

it('believes an n8n that speaks of tools', () => {
  expect(isToolRun({ isToolExecution: () => true })).toBe(true);
});

it('ends a sleep as soon as its signal aborts', async () => {
  const stop = new AbortController();
  jest.useFakeTimers();
  const asleep = abortableSleep(10_000, stop.signal);
  stop.abort();
  // Time stands still, so that nothing else ends it.
  await expect(asleep).rejects.toBeDefined();
  jest.useRealTimers();
});

it('is the only file that calls them', () => {
  const files = readdirSync(NODES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const calling = files.filter((file) => MISSING_SOMEWHERE.test(readFileSync(join(NODES, file), 'utf8')));
  expect(calling).toEqual([join('n8n', 'engine.ts')]);
});
