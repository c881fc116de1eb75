/** The parts of jest that its tests see, without the rest of jest: functions of its own packages as globals. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Finds a package that another one depends on, through the packages on the way there: pnpm lists none of them here. */
function load<T>(...way: string[]): T {
  const from = join(process.cwd(), 'package.json');
  const last = way.slice(0, -1).reduce((place, name) => createRequire(place).resolve(name), from);
  return createRequire(last)(way[way.length - 1]) as T;
}

export interface CircusTest {
  type: 'test';
  name: string;
  parent: CircusBlock;
  mode: string | null;
  errors: unknown[];
  duration?: number | null;
}

export interface CircusBlock {
  type: 'describeBlock';
  name: string;
  parent?: CircusBlock;
  children: Array<CircusBlock | CircusTest>;
}

interface CircusState {
  parentProcess: unknown;
  testNamePattern: RegExp | null;
  rootDescribeBlock: CircusBlock;
}

export interface CircusEvent {
  name: string;
  test?: CircusTest;
}

interface Circus extends Record<string, unknown> {
  run(): Promise<{ unhandledErrors: string[] }>;
  resetState(): void;
  getState(): CircusState;
  addEventHandler(handler: (event: CircusEvent) => void): void;
}

const CONFIG = ['jest', '@jest/core', 'jest-config'];

export const circus = load<Circus>(...CONFIG, 'jest-circus');

interface Timers {
  useFakeTimers(config: object): void;
  useRealTimers(): void;
  advanceTimersByTimeAsync(milliseconds: number): Promise<void>;
}

const { expect } = load<{ expect: unknown }>(
  'jest',
  '@jest/core',
  'jest-config',
  'jest-circus',
  '@jest/expect',
  'expect',
);
const { ModuleMocker } = load<{
  ModuleMocker: new (global: object) => { spyOn: unknown; fn: unknown; restoreAllMocks(): void };
}>(...CONFIG, 'jest-environment-node', 'jest-mock');
const { ModernFakeTimers } = load<{ ModernFakeTimers: new (options: object) => Timers }>(
  ...CONFIG,
  'jest-environment-node',
  '@jest/fake-timers',
);

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({
  config: { rootDir: process.cwd(), fakeTimers: {} },
  global: globalThis,
});

const jest = {
  spyOn: (...given: unknown[]) => (mocker.spyOn as (...all: unknown[]) => unknown).apply(mocker, given),
  fn: (...given: unknown[]) => (mocker.fn as (...all: unknown[]) => unknown).apply(mocker, given),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: () => timers.useFakeTimers({}),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTimeAsync: async (milliseconds: number) =>
    await timers.advanceTimersByTimeAsync(milliseconds),
  // Time limits of single files are for busy machines; mutants have one of their own.
  setTimeout: () => undefined,
};

/** What a test that failed half way may leave behind. */
export function tidyUp(): void {
  mocker.restoreAllMocks();
  timers.useRealTimers();
}

/** Makes jest's functions global, as tests expect them. */
export function provideGlobals(): void {
  const { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } = circus;
  Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, it, test, expect, jest });
}
