import { join } from 'node:path';

import { ROOT } from '../../../tools/paths.mts';
import { shorten, summarize } from '../../../tools/suite/jest-report.mts';
import type { Failure } from '../../../tools/suite/jest-report.mts';
import type { Step } from '../../../tools/suite/lanes.mts';
import { runLanes, runStep } from '../../../tools/suite/lanes.mts';

/** The report of a layer with one file. */
const summaryOf = (file: object, more: object = {}) => {
  const name = join(ROOT, 'test/unit/a.test.mts');
  const result = { name, startTime: 1000, endTime: 3500, message: '', assertionResults: [], ...file };
  const counts = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numRuntimeErrorTestSuites: 0 };
  return summarize('unit', { ...counts, testResults: [result], ...more } as never);
};

describe('the report of a layer', () => {
  it('counts tests and the seconds of each file.', () => {
    const passed = { status: 'passed', fullName: 'works', failureMessages: [] };
    expect(summaryOf({ assertionResults: [passed] })).toEqual({
      passed: 3,
      failed: 0,
      skipped: 1,
      failures: [],
      files: [{ file: 'test/unit/a.test.mts', seconds: 2.5 }],
    });
  });

  it('says which test failed, and why.', () => {
    const failureMessages = ['Error: \u001b[2mexpected\u001b[22m 2\n\nbut got 3\n    at file.ts:1:1'];
    const failed = { status: 'failed', fullName: 'adds', failureMessages };
    expect(summaryOf({ assertionResults: [failed] }, { numFailedTests: 1 })).toMatchObject({
      failed: 1,
      failures: [{ where: 'test/unit/a.test.mts: adds', reason: 'Error: expected 2 but got 3' }],
    });
    expect(shorten('x'.repeat(1000))).toHaveLength(301);
  });

  it('counts a file that does not load.', () => {
    const message = 'SyntaxError: Unexpected token\n    at x';
    const failures = [{ reason: 'SyntaxError: Unexpected token' }];
    expect(summaryOf({ message }, { numRuntimeErrorTestSuites: 1 })).toMatchObject({ failed: 1, failures });
  });
});

describe('lanes', () => {
  const order: string[] = [];
  const run = async (name: string, failures: Failure[] | Error = []) => {
    order.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    order.push(`${name} ends`);
    if (failures instanceof Error) throw failures;
    return failures;
  };
  const step = (name: string, needsBuild: boolean, failures?: Failure[] | Error): Step => ({
    name,
    needsBuild,
    run: async () => await run(name, failures),
  });
  const resultOf = async (build: Step, lanes: Step[][]) =>
    (await runLanes(runStep(build), lanes)).map(({ name, failures }) => [name, failures]);
  beforeEach(() => order.splice(0));

  it('run side by side and with the build, and their steps one after the other.', async () => {
    const lanes = [[step('a', false), step('b', false)], [step('c', false)]];
    expect(await resultOf(step('build', false), lanes)).toEqual(
      ['build', 'a', 'b', 'c'].map((name) => [name, []]),
    );
    expect(order.indexOf('c begins')).toBeLessThan(order.indexOf('a ends'));
    expect(order.indexOf('b begins')).toBeGreaterThan(order.indexOf('a ends'));
    await resultOf(step('build', false), []);
    expect(order.at(-1)).toBe('build ends');
  });

  it('leave out what needs a build that failed, and go on after a step that throws.', async () => {
    const lanes = [
      [step('a', false, new Error('broken')), step('b', false), step('c', true)],
      [step('d', true)],
    ];
    const failures = [{ where: 'tsc', reason: 'No' }];
    const shown = jest.spyOn(console, 'error').mockReturnValue(undefined);
    expect(await resultOf(step('build', false, failures), lanes)).toEqual([
      ['build', failures],
      ['a', [{ where: 'a', reason: 'Error: broken' }]],
      ['b', []],
    ]);
    expect(shown).toHaveBeenCalledTimes(1);
    shown.mockRestore();
  });
});
