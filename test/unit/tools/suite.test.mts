import { join } from 'node:path';

import { ROOT } from '../../../tools/paths.mts';
import { readReport, shorten, summarize } from '../../../tools/suite/jest-report.mts';
import type { Step } from '../../../tools/suite/lanes.mts';
import { runLanes } from '../../../tools/suite/lanes.mts';

/** The report of a layer with one file, unless it has none. */
const summaryOf = (file: object | undefined, more: object = {}) => {
  const name = join(ROOT, 'test/unit/a.test.mts');
  const result = { name, startTime: 1000, endTime: 3500, message: '', assertionResults: [], ...file };
  const counts = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numRuntimeErrorTestSuites: 0 };
  return summarize('unit', { ...counts, testResults: file ? [result] : [], ...more } as never);
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

  it('counts a file that does not load, and a layer in which no test ran or none could start.', async () => {
    const message = 'SyntaxError: Unexpected token\n    at x';
    const failures = [{ reason: 'SyntaxError: Unexpected token' }];
    expect(summaryOf({ message }, { numRuntimeErrorTestSuites: 1 })).toMatchObject({ failed: 1, failures });
    expect(summaryOf(undefined)).toMatchObject({ failed: 1, failures: [{ where: 'unit' }] });
    expect(await readReport('unit', join(ROOT, 'no-such-report.json'))).toMatchObject({ failed: 1 });
  });
});

describe('lanes', () => {
  const order: string[] = [];
  const run = async (name: string, result: boolean | Error = true) => {
    order.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    order.push(`${name} ends`);
    if (result instanceof Error) throw result;
    return result;
  };
  const step = (name: string, needsBuild: boolean, result?: Error): Step => ({
    name,
    needsBuild,
    run: async () => await run(name, result),
  });
  beforeEach(() => order.splice(0));

  it('run side by side and with the build, and their steps one after the other.', async () => {
    const lanes = [[step('a', false), step('b', false)], [step('c', false)]];
    const results = await runLanes(run('build'), lanes, () => undefined);
    expect(results.map(({ name, passed }) => [name, passed])).toEqual(
      ['a', 'b', 'c'].map((name) => [name, true]),
    );
    expect(order.indexOf('c begins')).toBeLessThan(order.indexOf('a ends'));
    expect(order.indexOf('b begins')).toBeGreaterThan(order.indexOf('a ends'));
    await runLanes(run('build'), [], () => undefined);
    expect(order.at(-1)).toBe('build ends');
  });

  it('leave out what needs a build that failed, and go on after a step that throws.', async () => {
    const reported: unknown[] = [];
    const lanes = [
      [step('a', false, new Error('broken')), step('b', false), step('c', true)],
      [step('d', true)],
    ];
    const results = await runLanes(Promise.resolve(false), lanes, (_, error) => reported.push(error));
    expect(results.map(({ name, passed }) => [name, passed])).toEqual([
      ['a', false],
      ['b', true],
    ]);
    expect(reported).toEqual([new Error('broken')]);
  });
});
