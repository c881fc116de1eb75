import { join } from 'node:path';

import { ROOT } from '../../../tools/paths.mts';
import { readReport, shorten, summarize } from '../../../tools/suite/jest-report.mts';
import type { Step } from '../../../tools/suite/lanes.mts';
import { runLanes } from '../../../tools/suite/lanes.mts';

const result = (more: object) => ({
  name: join(ROOT, 'test/unit/a.test.mts'),
  startTime: 1000,
  endTime: 3500,
  message: '',
  assertionResults: [],
  ...more,
});
const report = (testResults: object[], more: object = {}) =>
  ({
    ...{ numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numRuntimeErrorTestSuites: 0 },
    ...more,
    testResults,
  }) as never;

describe('the report of a layer', () => {
  it('counts tests and the seconds of each file.', () => {
    const passed = { status: 'passed', fullName: 'works', failureMessages: [] };
    expect(summarize('unit', report([result({ assertionResults: [passed] })]))).toEqual({
      ...{ passed: 3, failed: 0, skipped: 1, failures: [] },
      files: [{ file: 'test/unit/a.test.mts', seconds: 2.5 }],
    });
  });

  it('says which test failed, and why.', () => {
    const failed = {
      status: 'failed',
      fullName: 'adds',
      failureMessages: ['Error: \u001b[2mexpected\u001b[22m 2\n\nbut got 3\n    at file.ts:1:1'],
    };
    const found = summarize('unit', report([result({ assertionResults: [failed] })], { numFailedTests: 1 }));
    expect(found.failed).toBe(1);
    expect(found.failures).toEqual([
      { where: 'test/unit/a.test.mts: adds', reason: 'Error: expected 2 but got 3' },
    ]);
  });

  it('counts a file that does not load as a failure.', () => {
    const broken = result({ message: 'SyntaxError: Unexpected token\n    at x' });
    const found = summarize('unit', report([broken], { numRuntimeErrorTestSuites: 1 }));
    expect([found.failed, found.failures[0].reason]).toEqual([1, 'SyntaxError: Unexpected token']);
  });

  it('is a failure where no test ran, or none could start.', async () => {
    expect(summarize('unit', report([], { numPassedTests: 0, numPendingTests: 0 }))).toMatchObject({
      failed: 1,
      failures: [{ where: 'unit' }],
    });
    expect(await readReport('unit', join(ROOT, 'no-such-report.json'))).toMatchObject({ failed: 1 });
  });

  it('shortens a long reason.', () => {
    expect(shorten('x'.repeat(1000))).toHaveLength(301);
  });
});

describe('lanes', () => {
  const order: string[] = [];
  const step = (name: string, needsBuild: boolean, passed: boolean | Error = true): Step => ({
    name,
    needsBuild,
    async run() {
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
      if (passed instanceof Error) throw passed;
      return passed;
    },
  });
  beforeEach(() => order.splice(0));

  it('run side by side, and their steps one after the other.', async () => {
    const lanes = [[step('a', false), step('b', false)], [step('c', false)]];
    const results = await runLanes(Promise.resolve(true), lanes, () => undefined);
    expect(results.map(({ name, passed }) => [name, passed])).toEqual([
      ['a', true],
      ['b', true],
      ['c', true],
    ]);
    expect(order.indexOf('c begins')).toBeLessThan(order.indexOf('a ends'));
    expect(order.indexOf('b begins')).toBeGreaterThan(order.indexOf('a ends'));
  });

  it('leave out what needs a build that failed.', async () => {
    const lanes = [[step('a', false), step('b', true)], [step('c', true)]];
    const results = await runLanes(Promise.resolve(false), lanes, () => undefined);
    expect(results.map(({ name }) => name)).toEqual(['a']);
  });

  it('end no sooner than the build.', async () => {
    const build = new Promise<boolean>((resolve) => {
      setImmediate(() => {
        order.push('built');
        resolve(true);
      });
    });
    await runLanes(build, [], () => undefined);
    expect(order).toEqual(['built']);
  });

  it('report a step that throws, and go on.', async () => {
    const reported: unknown[] = [];
    const lanes = [[step('a', false, new Error('broken')), step('b', false)]];
    const results = await runLanes(Promise.resolve(true), lanes, (_, error) => reported.push(error));
    expect(results.map(({ passed }) => passed)).toEqual([false, true]);
    expect(reported).toEqual([new Error('broken')]);
  });
});
