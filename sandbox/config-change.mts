import { isObject } from './checks.mts';
import type { SandboxConfig } from './config.mts';
import type { JsonObject } from './types.mts';

/** Settings with a fixed set of values. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'rules.duplicateIds': ['accept', 'refuse'],
  'rules.unknownId': ['error', 'status'],
  'shapes.senders': ['by-channel', 'strings', 'objects', 'array'],
  'shapes.hlr': ['nested', 'flat'],
  'shapes.status': ['full', 'short'],
  'shapes.templates': ['plain', 'wordy', 'array'],
  'shapes.msgId': ['number', 'string'],
  'shapes.id': ['number', 'string'],
  'callbacks.shape': ['object', 'array', 'data', 'form'],
  'callbacks.idType': ['string', 'number'],
  'connector.answers': ['json', 'sse', 'sse-noisy'],
  'connector.auth': ['forward', 'check'],
};

const isNumber = (value: unknown) => typeof value === 'number' && !Number.isNaN(value);
const numberOrNull = (value: unknown) => value === null || isNumber(value);
const isOutcome = (value: unknown) =>
  isObject(value) &&
  Array.isArray(value.steps) &&
  value.steps.every((step) => isObject(step) && typeof step.status === 'string');

/** Settings whose kind does not follow from their default, with what they take. */
const SPECIAL: Readonly<Record<string, { takes: string; check: (value: unknown) => boolean }>> = {
  'rules.maxItems': { takes: 'a number or null', check: numberOrNull },
  'connector.dropSessionAfter': { takes: 'a number or null', check: numberOrNull },
  'connector.pageSize': { takes: 'a number or null', check: numberOrNull },
  'outcomes.afterMs': {
    takes: 'a number, or a list of two',
    check: (value) =>
      isNumber(value) || (Array.isArray(value) && value.length === 2 && value.every(isNumber)),
  },
  'outcomes.fallback': {
    takes: '{ steps: [{ status, ... }] } or null',
    check: (value) => value === null || isOutcome(value),
  },
  'outcomes.rules': {
    takes: 'a list of { outcome: { steps: [{ status, ... }] }, ... }',
    check: (value) =>
      Array.isArray(value) && value.every((rule) => isObject(rule) && isOutcome(rule.outcome)),
  },
};

/**
 * Changes settings in place. Lists and outcomes are replaced whole, everything else is merged.
 * @throws Error naming a setting that does not exist, or a value that it cannot have; then nothing was changed
 */
export function changeConfig(config: SandboxConfig, change: object): void {
  const assignments: Array<() => void> = [];
  collect(config as unknown as JsonObject, change, '', assignments);
  for (const assign of assignments) assign();
}

function collect(target: JsonObject, change: object, path: string, assignments: Array<() => void>): void {
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue;
    const full = path + name;
    if (!Object.hasOwn(target, name)) throw new Error(`Unknown setting: ${full}`);
    const old = target[name];
    if (!Object.hasOwn(SPECIAL, full) && isObject(old)) {
      if (!isObject(value)) throw new Error(`Setting ${full} has to be an object`);
      collect(old, value, `${full}.`, assignments);
      continue;
    }
    const problem = problemWith(full, old, value);
    if (problem) throw new Error(`Setting ${full} has to be ${problem}`);
    assignments.push(() => {
      target[name] = value;
    });
  }
}

function problemWith(path: string, old: unknown, value: unknown): string | undefined {
  if (Object.hasOwn(SPECIAL, path)) return SPECIAL[path].check(value) ? undefined : SPECIAL[path].takes;
  if (Object.hasOwn(VALUES, path)) {
    const known = VALUES[path];
    return known.includes(value as string) ? undefined : `one of ${known.join(', ')}`;
  }
  if (Array.isArray(old)) {
    const texts = Array.isArray(value) && value.every((one) => typeof one === 'string');
    return texts ? undefined : 'a list of strings';
  }
  const same = typeof value === typeof old && !Number.isNaN(value);
  return same ? undefined : `a ${typeof old}`;
}
