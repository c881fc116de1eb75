import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { abortableSleep, cancelSignal, isToolRun, showHint } from '../../../nodes/n8n/engine.ts';

const NODES = join(import.meta.dirname, '..', '..', '..', 'nodes');
/** Methods that n8n 1.123, 2.0 or 2.20 lacks. */
const MISSING_SOMEWHERE = /\b(isToolExecution|addExecutionHints|getExecutionCancelSignal|sleepWithAbort)\b/;

/** A context of an n8n that has none of them. */
const old = (type: string) => ({ getNode: () => ({ type }) }) as never;

describe('an n8n without the methods of newer ones', () => {
  it('tells a tool by the type of its node', () => {
    expect(isToolRun(old('package.messagingGatewayTool'))).toBe(true);
    expect(isToolRun(old('package.messagingGateway'))).toBe(false);
  });

  it('shows no hints, has no signal, and goes on', () => {
    expect(() => showHint(old('x'), { message: 'Hint' })).not.toThrow();
    expect(cancelSignal(old('x'))).toBeUndefined();
  });
});

it('believes an n8n with them about tools', () => {
  expect(isToolRun({ getNode: () => ({ type: 'x' }), isToolExecution: () => true } as never)).toBe(true);
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
