import type { INodeProperties } from 'n8n-workflow';

import type { WholeNumber } from '../fields/whole-number';
import { readWhole, wholeProperty } from '../fields/whole-number';

/** How the requests of a run are sent. */
export interface Settings {
  /** Operations in one request; if undefined, the client adapts it. */
  batchSize?: number;
  /** Milliseconds between requests. */
  pause: number;
  /** Milliseconds for one request. */
  timeout: number;
}

/** The settings in the collection "Options", by parameter: the form and the checks follow from this table. */
const SETTINGS = {
  batchInterval: {
    displayName: 'Batch Interval (Ms)',
    description: 'Milliseconds to wait after a request before the next one is sent',
    default: 0,
    min: 0,
    max: 3_600_000,
    isOpen: true,
  },
  batchSize: {
    displayName: 'Batch Size',
    description:
      'How many items to send in one request. Leave empty to start with 100 and grow to 1,000 while the gateway is quick. A batch that is too large for the gateway is split.',
    default: 100,
    min: 1,
    max: 100_000,
    isOpen: true,
  },
  timeout: {
    displayName: 'Timeout (Seconds)',
    description: 'How long to wait for the answer to one request',
    default: 60,
    min: 1,
    max: 3600,
    isOpen: true,
  },
} as const satisfies Record<string, Omit<WholeNumber, 'name'>>;

export type SettingName = keyof typeof SETTINGS;

const numberOf = (name: SettingName): WholeNumber => ({ name, ...SETTINGS[name] });

/** Returns the form property of a setting. */
export const settingProperty = (name: SettingName): INodeProperties => wholeProperty(numberOf(name));

/** The form properties of all settings. */
export const SETTING_PROPERTIES: INodeProperties[] = (Object.keys(SETTINGS) as SettingName[]).map(
  settingProperty,
);

/**
 * Reads the settings from the collection "Options".
 * @throws InvalidParameter for a setting out of its range
 */
export function readSettings(options: Record<string, unknown>): Settings {
  const read = (name: SettingName) => readWhole(numberOf(name), (option) => options[option]);
  return {
    ...(isEmpty(options.batchSize) ? {} : { batchSize: read('batchSize') }),
    pause: read('batchInterval'),
    timeout: 1000 * read('timeout'),
  };
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';
