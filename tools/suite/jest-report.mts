import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { ROOT } from '../paths.mts';

/** The result of a layer of tests. */
export interface LayerResult {
  passed: number;
  failed: number;
  skipped: number;

  /** Every file with its duration in seconds. */
  files: Array<{ file: string; seconds: number }>;

  /** Each failure: where, and the start of the reason. */
  failures: Failure[];
}

export interface Failure {
  where: string;
  reason: string;
}

/** The part of jest's JSON report that is read. */
export interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: Array<{
    name: string;
    startTime: number;
    endTime: number;
    message: string;
    assertionResults: Array<{ status: string; fullName: string; failureMessages: string[] }>;
  }>;
}

/** Returns the figures and failures of a report. */
export function summarize(layer: string, report: JestReport): LayerResult {
  const files = report.testResults.map(({ name, startTime, endTime }) => ({
    file: `${layer === 'zod4' ? 'zod4: ' : ''}${relative(ROOT, name)}`,
    seconds: Math.max(0, endTime - startTime) / 1000,
  }));
  const failures = report.testResults.flatMap(({ name, message, assertionResults }): Failure[] => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const file = relative(ROOT, name);
    // A file that doesn't load has no results, only a message.
    if (failed.length === 0 && message !== '' && assertionResults.length === 0) {
      return [{ where: file, reason: shorten(message) }];
    }
    return failed.map(({ fullName, failureMessages: [reason = ''] }) => ({
      where: `${file}: ${fullName}`,
      reason: shorten(reason),
    }));
  });
  return {
    passed: report.numPassedTests,
    // A file that doesn't load holds tests that did not run.
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests,
    files,
    failures,
  };
}

const LONGEST_REASON = 300;

/** Puts the start of a message on one line, without colours and without the calls that led to it. */
export function shorten(message: string): string {
  const [before] = stripVTControlCharacters(message).split(/\n\s+at /);
  const words = before.replace(/\s+/g, ' ').trim();
  return words.length > LONGEST_REASON ? `${words.slice(0, LONGEST_REASON)}…` : words;
}
