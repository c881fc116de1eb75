import { isObject } from './open-body';

/** What is left to copy before a body counts as too large. */
export interface Budget {
  values: number;
  characters: number;
}

/** Keys that reach into the prototype of an object when a careless reader copies them. */
const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

const TOO_MUCH = Symbol('too much');

/**
 * Copies a value of JSON without prototype keys. `depth` is how many levels it may have; `budget` is used up in
 * place, so that several copies can share one. Returns undefined where the value is deeper or larger than that.
 */
export function boundedCopy(value: unknown, depth: number, budget: Budget): unknown {
  const copied = copy(value, depth, budget);
  return copied === TOO_MUCH ? undefined : copied;
}

function copy(value: unknown, depth: number, budget: Budget): unknown {
  budget.values -= 1;
  if (typeof value === 'string') budget.characters -= value.length;
  if (depth < 0 || budget.values < 0 || budget.characters < 0) return TOO_MUCH;
  if (Array.isArray(value)) return copyList(value as unknown[], depth, budget);
  return isObject(value) ? copyObject(value, depth, budget) : value;
}

function copyList(list: unknown[], depth: number, budget: Budget): unknown {
  const result: unknown[] = [];
  for (const entry of list) {
    const copied = copy(entry, depth - 1, budget);
    if (copied === TOO_MUCH) return TOO_MUCH;
    result.push(copied);
  }
  return result;
}

function copyObject(value: Record<string, unknown>, depth: number, budget: Budget): unknown {
  const result: Array<[string, unknown]> = [];
  for (const key of Object.keys(value)) {
    if (UNSAFE_KEYS.has(key)) continue;
    budget.characters -= key.length;
    const copied = copy(value[key], depth - 1, budget);
    if (copied === TOO_MUCH) return TOO_MUCH;
    result.push([key, copied]);
  }
  return Object.fromEntries(result);
}
