import { groupOf, NOT_FOR_AGENTS, readWhole, wholeProperty } from '../fields/property';
import type { WholeNumber } from '../fields/property';
import { readForAll } from './output';
import type { Run } from './run';

/** How the requests of a run are sent. */
export interface Settings {
  /** Operations in one request; if undefined, the client adapts it. */
  batchSize?: number;

  /** Milliseconds between requests. */
  pauseMs: number;

  /** Milliseconds for one request. */
  timeoutMs: number;
}

const BATCH_INTERVAL: WholeNumber = {
  displayName: 'Batch Interval (Ms)',
  name: 'batchInterval',
  description: 'Milliseconds to wait after a request before the next one is sent',
  default: 0,
  min: 0,
  max: 3_600_000,
};

const BATCH_SIZE: WholeNumber = {
  displayName: 'Batch Size',
  name: 'batchSize',
  description:
    'How many items to send in one request. Empty: 250 at first, and up to 4,000 while the gateway is quick.',
  default: 100,
  min: 1,
  // The longest answer that is read has 800 characters for each of so many (text/gate.ts).
  max: 10_000,
};

const TIMEOUT: WholeNumber = {
  displayName: 'Timeout (Seconds)',
  name: 'timeout',
  description: 'How long to wait for the answer to one request',
  default: 60,
  min: 1,
  max: 3600,
};

export const timeoutProperty = wholeProperty(TIMEOUT);

export const SPEED = {
  ...groupOf('Speed', 'speed', 'How many items go to the gateway at once, and how soon', [
    { ...wholeProperty(BATCH_SIZE), default: '', placeholder: 'e.g. 100' },
    wholeProperty(BATCH_INTERVAL),
    timeoutProperty,
  ]),
  ...NOT_FOR_AGENTS,
};

/**
 * Reads the settings of a run from the options of its first item.
 * @throws NodeOperationError for one out of its range
 */
export const settingsOf = (run: Run): Settings =>
  readForAll(run, () => {
    const get = (name: string) => run.form.option(name);
    const isBatchSized = (get(BATCH_SIZE.name) ?? '') !== '';
    return {
      ...(isBatchSized && { batchSize: readWhole(BATCH_SIZE, get) }),
      pauseMs: readWhole(BATCH_INTERVAL, get),
      timeoutMs: 1000 * readWhole(TIMEOUT, get),
    };
  });
