import { InvalidParameter, quoted } from '../fields/field';
import { asNumber } from '../fields/values';
import type { ItemReader } from '../parameters/item-reader';
import { DEFAULT_BATCH_SIZE, DEFAULT_TIMEOUT_SECONDS } from '../sending/properties';

export interface RunSettings {
  batchSize: number;
  parallel: number;
  /** Milliseconds between requests. */
  pause: number;
  /** Milliseconds for one request. */
  timeout: number;
}

/**
 * The settings of a whole run of the node, taken from the options of its first item.
 * @throws InvalidParameter for a setting out of range
 */
export function readRunSettings(reader: ItemReader): RunSettings {
  const options = (reader.read('options', 0, {}) ?? {}) as Record<string, unknown>;
  const whole = (name: string, label: string, min: number, max: number, fallback: number): number => {
    const value = asNumber(options[name], label) ?? fallback;
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidParameter(quoted(label), `a whole number from ${min} to ${max}`, options[name]);
  };
  return {
    batchSize: whole('batchSize', 'Batch Size', 1, 100_000, DEFAULT_BATCH_SIZE),
    parallel: whole('parallelRequests', 'Parallel Requests', 1, 10, 1),
    pause: whole('batchInterval', 'Batch Interval (Ms)', 0, 3_600_000, 0),
    timeout: 1000 * whole('timeout', 'Timeout (Seconds)', 1, 3600, DEFAULT_TIMEOUT_SECONDS),
  };
}
