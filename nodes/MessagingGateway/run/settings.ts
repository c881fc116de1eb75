import type { INodeProperties } from 'n8n-workflow';

import { InvalidParameter, quoted } from '../fields/field';
import { asNumber } from '../fields/values';

/** How the requests of a run are sent. */
export interface Settings {
  /** Operations in one request; if undefined, the client adapts it. */
  batchSize?: number;
  /** Requests in flight at the same time. */
  parallel: number;
  /** Milliseconds between requests. */
  pause: number;
  /** Milliseconds for one request. */
  timeout: number;
  /** Milliseconds after the end of a broken exchange by which a gateway has finished the request. */
  settling: number;
}

interface Setting {
  displayName: string;
  description: string;
  default: number;
  min: number;
  max: number;
  /** Whether the form stops at `max` too. */
  bounded?: true;
}

/** The settings in the collection "Options", by parameter: the form and the checks follow from this table. */
const SETTINGS = {
  batchInterval: {
    displayName: 'Batch Interval (Ms)',
    description: 'Milliseconds to wait after a request before the next one is sent',
    default: 0,
    min: 0,
    max: 3_600_000,
  },
  batchSize: {
    displayName: 'Batch Size',
    description:
      'How many items to send in one request. Leave empty to start with 100 and grow to 1,000 while the gateway is quick. A batch that is too large for the gateway is split.',
    default: 100,
    min: 1,
    max: 100_000,
  },
  parallelRequests: {
    displayName: 'Parallel Requests',
    description: 'How many requests to run at the same time',
    default: 1,
    min: 1,
    max: 10,
    bounded: true,
  },
  settlingTime: {
    displayName: 'Settling Time (Seconds)',
    description:
      'How long the gateway may still be processing a request after the connection broke. Until then, the node only checks the status of its messages; those that the gateway does not have afterwards are sent once more.',
    default: 30,
    min: 0,
    max: 3600,
  },
  timeout: {
    displayName: 'Timeout (Seconds)',
    description: 'How long to wait for the answer to one request',
    default: 60,
    min: 1,
    max: 3600,
  },
} satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

/** Returns the form property of a setting. */
export function settingProperty(name: SettingName): INodeProperties {
  const { displayName, description, default: standard, min, max, bounded }: Setting = SETTINGS[name];
  return {
    displayName,
    name,
    type: 'number',
    typeOptions: { minValue: min, ...(bounded && { maxValue: max }) },
    default: standard,
    description,
  };
}

/** Returns the form properties of all settings; Settling Time only for operations whose `status` can be requested. */
export const settingProperties = (canSettle: boolean): INodeProperties[] =>
  (Object.keys(SETTINGS) as SettingName[])
    .filter((name) => canSettle || name !== 'settlingTime')
    .map(settingProperty);

/**
 * Reads the settings from the collection "Options".
 * @throws InvalidParameter for a setting out of its range
 */
export function readSettings(options: Record<string, unknown>): Settings {
  const read = (name: SettingName): number => {
    const { displayName, default: standard, min, max } = SETTINGS[name];
    const value = asNumber(options[name], displayName) ?? standard;
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidParameter(quoted(displayName), `a whole number from ${min} to ${max}`, options[name]);
  };
  return {
    ...(isEmpty(options.batchSize) ? {} : { batchSize: read('batchSize') }),
    parallel: read('parallelRequests'),
    pause: read('batchInterval'),
    timeout: 1000 * read('timeout'),
    settling: 1000 * read('settlingTime'),
  };
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';
