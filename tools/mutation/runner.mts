/**
 * A test runner for Stryker: runs jest's tests with jest-circus in the process of Stryker's worker. Sources and tests are
 * evaluated anew for each file and each mutant, so nothing is left of the one before, but neither compiled nor read again.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { currentArea, testFilesOf } from './areas.mts';
import type { CircusBlock, CircusTest } from './circus.mts';
import { circus, provideGlobals, tidyUp } from './circus.mts';
import { createLoader } from './modules.mts';

/** How often mutants were met: while files were loaded, and in each test. */
interface Coverage {
  static: Record<string, number>;
  perTest: Record<string, Record<string, number>>;
}

/** What Stryker's instrumented code reads and writes. */
interface Instrumentation {
  activeMutant?: string;
  currentTestId?: string;
  mutantCoverage?: Coverage;
  hitCount?: number;
  hitLimit?: number;
}

interface TestResult {
  id: string;
  name: string;
  fileName: string;
  timeSpentMs: number;
  status: 0 | 1 | 2;
  failureMessage?: string;
}
const [PASSED, FAILED, SKIPPED] = [0, 1, 2] as const;

interface MutantRun {
  activeMutant: { id: string };
  testFilter?: string[];
  hitLimit?: number;
  mutantActivation: 'runtime' | 'static';
  disableBail: boolean;
}

interface FileRun {
  /** Ids of the tests to run; all if undefined. */
  wanted?: Set<string>;
  bail: boolean;
  afterLoad?(): void;
}

const instrumentation = ((globalThis as Record<string, unknown>).__stryker__ ??= {}) as Instrumentation;

const NOTHING = /(?!)/;
const BETWEEN_FILE_AND_TEST = ' › ';

function nameOf({ name, parent }: CircusTest): string {
  const names = [name];
  for (let block: CircusBlock | undefined = parent; block?.parent; block = block.parent)
    names.unshift(block.name);
  return names.join(' ');
}

const testsIn = (part: CircusBlock | CircusTest): CircusTest[] =>
  part.type === 'test' ? [part] : part.children.flatMap(testsIn);

const wordsOf = (error: unknown): string => {
  const [first] = Array.isArray(error) ? (error as unknown[]) : [error];
  return first instanceof Error ? first.message : String(first);
};

let onDone: ((test: CircusTest) => void) | undefined;

async function runFile(file: string, { wanted, bail, afterLoad }: FileRun): Promise<TestResult[]> {
  const idOf = (test: CircusTest) => `${file}${BETWEEN_FILE_AND_TEST}${nameOf(test)}`;
  circus.resetState();
  const state = circus.getState();
  state.parentProcess = process;
  createLoader()(join(process.cwd(), file));
  afterLoad?.();
  const tests = testsIn(state.rootDescribeBlock);
  for (const test of tests) if (wanted && !wanted.has(idOf(test))) test.mode = 'skip';
  onDone = ({ errors }) => {
    instrumentation.currentTestId = undefined;
    if (bail && errors.length > 0) state.testNamePattern = NOTHING;
  };
  onStart = (test) => {
    instrumentation.currentTestId = idOf(test);
  };
  const { unhandledErrors } = await circus.run();
  tidyUp();
  if (unhandledErrors.length > 0) throw new Error(`${file}: ${unhandledErrors.join('\n')}`);
  return tests.map((test) => {
    const status =
      test.errors.length > 0 ? FAILED : test.mode === 'skip' || !test.duration ? SKIPPED : PASSED;
    return {
      id: idOf(test),
      name: nameOf(test),
      fileName: file,
      timeSpentMs: test.duration ?? 0,
      status,
      ...(status === FAILED && { failureMessage: test.errors.map(wordsOf).join('\n') }),
    };
  });
}

let onStart: ((test: CircusTest) => void) | undefined;

/** By test file, the mutants that it meets: written by the first worker, for all of them, into Stryker's copy. */
const metFile = (): string => join(process.cwd(), 'mutants-by-test-file.json');
let metMutants: Record<string, string[]> | undefined;

/** Whether a test file can notice a mutant of code that also runs while files are loaded. */
function mayNotice(file: string, mutant: string): boolean {
  if (!existsSync(metFile())) return true;
  metMutants ??= JSON.parse(readFileSync(metFile(), 'utf8')) as Record<string, string[]>;
  return metMutants[file]?.includes(mutant) ?? true;
}

class CircusRunner {
  private readonly files = testFilesOf(currentArea());

  capabilities() {
    return { reloadEnvironment: true };
  }

  init(): Promise<void> {
    provideGlobals();
    circus.addEventHandler(({ name, test }) => {
      if (!test) return;
      if (name === 'test_start') onStart?.(test);
      if (name === 'test_done') onDone?.(test);
    });
    // What a mutant leaves behind must not end the process.
    process.on('unhandledRejection', () => undefined);
    return Promise.resolve();
  }

  async dryRun() {
    instrumentation.activeMutant = undefined;
    const coverage: Coverage = { static: {}, perTest: {} };
    const met: Record<string, string[]> = {};
    try {
      const tests: TestResult[] = [];
      for (const file of this.files) {
        const own: Coverage = { static: {}, perTest: coverage.perTest };
        instrumentation.mutantCoverage = own;
        const results = await runFile(file, { bail: false });
        for (const [id, count] of Object.entries(own.static)) {
          coverage.static[id] = (coverage.static[id] ?? 0) + count;
        }
        const inTests = results.flatMap(({ id }) => Object.keys(own.perTest[id] ?? {}));
        met[file] = [...new Set([...Object.keys(own.static), ...inTests])];
        // A test that takes no time at all has passed as well.
        tests.push(
          ...results.map((result) => (result.status === SKIPPED ? { ...result, status: PASSED } : result)),
        );
      }
      writeFileSync(metFile(), JSON.stringify(met));
      return { status: 'complete', tests, mutantCoverage: coverage };
    } catch (error) {
      return { status: 'error', errorMessage: wordsOf(error) };
    }
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation, disableBail }: MutantRun) {
    const wanted = testFilter && new Set(testFilter);
    const isWanted = (file: string) =>
      testFilter
        ? testFilter.some((id) => id.startsWith(`${file}${BETWEEN_FILE_AND_TEST}`))
        : mayNotice(file, activeMutant.id);
    const activate = () => {
      instrumentation.activeMutant = activeMutant.id;
    };
    instrumentation.hitLimit = hitLimit;
    instrumentation.hitCount = hitLimit === undefined ? undefined : 0;
    const all: TestResult[] = [];
    try {
      for (const file of this.files.filter(isWanted)) {
        instrumentation.activeMutant = undefined;
        if (mutantActivation === 'static') activate();
        all.push(...(await runFile(file, { wanted, bail: !disableBail, afterLoad: activate })));
        if (!disableBail && all.some(({ status }) => status === FAILED)) break;
      }
    } catch (error) {
      if (!hasRunAway()) return { status: 'error', errorMessage: wordsOf(error) };
    } finally {
      instrumentation.activeMutant = undefined;
      tidyUp();
    }
    if (hasRunAway()) return { status: 'timeout', reason: 'Hit limit reached' };
    const failed = all.filter(({ status }) => status === FAILED);
    const nrOfTests = all.filter(({ status }) => status !== SKIPPED).length;
    if (failed.length === 0) return { status: 'survived', nrOfTests };
    const [{ failureMessage }] = failed;
    return { status: 'killed', nrOfTests, failureMessage, killedBy: failed.map(({ id }) => id) };
  }
}

const hasRunAway = (): boolean => (instrumentation.hitCount ?? 0) > (instrumentation.hitLimit ?? Infinity);

export const strykerPlugins = [{ kind: 'TestRunner', name: 'circus', injectableClass: CircusRunner }];
