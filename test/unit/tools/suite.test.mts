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
  it('says which test failed, and why', () => {
    const failureMessages = ['Error: \u001b[2mexpected\u001b[22m 2\n\nbut got 3\n    at file.ts:1:1'];
    const failed = { status: 'failed', fullName: 'adds', failureMessages };
    expect(summaryOf({ assertionResults: [failed] }, { numFailedTests: 1 })).toMatchObject({
      failed: 1,
      failures: [{ where: 'test/unit/a.test.mts: adds', reason: 'Error: expected 2 but got 3' }],
    });
    expect(shorten('x'.repeat(1000))).toHaveLength(301);
  });

  it('counts a file that does not load', () => {
    const message = 'SyntaxError: Unexpected token\n    at x';
    const failures = [{ reason: 'SyntaxError: Unexpected token' }];
    expect(summaryOf({ message }, { numRuntimeErrorTestSuites: 1 })).toMatchObject({ failed: 1, failures });
  });
});

it('leaves out what needs a build that failed, and goes on after a step that throws', async () => {
  const step = (name: string, needsBuild: boolean, failures: Failure[] | Error = []): Step => ({
    name,
    needsBuild,
    run: async () => await (failures instanceof Error ? Promise.reject(failures) : Promise.resolve(failures)),
  });
  const broken = [{ where: 'tsc', reason: 'No' }];
  const shown = jest.spyOn(console, 'error').mockReturnValue(undefined);
  const lanes = [
    [step('a', false, new Error('broken')), step('b', false), step('c', true)],
    [step('d', true)],
  ];
  const results = await runLanes(runStep(step('build', false, broken)), lanes);
  expect(results.map(({ name, failures }) => [name, failures])).toEqual([
    ['build', broken],
    ['a', [{ where: 'a', reason: 'Error: broken' }]],
    ['b', []],
  ]);
  expect(shown).toHaveBeenCalledTimes(1);
  shown.mockRestore();
});
