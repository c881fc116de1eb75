import { isObject } from './open-body';

/** How much may still be copied. */
export interface Budget {
  /** Objects, lists and scalars. */
  values: number;
  /** Characters of strings and keys. */
  characters: number;
}

/** Keys that reach into an object's prototype when they are copied carelessly. */
const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

const TOO_MUCH = Symbol('too much');

/**
 * Copies a JSON value without prototype keys. `depth` is the number of levels that it may have. `budget` is used up
 * in place, so that several copies can share it. Returns undefined where the value exceeds either.
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
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (UNSAFE_KEYS.has(key)) continue;
    budget.characters -= key.length;
    const copied = copy(value[key], depth - 1, budget);
    if (copied === TOO_MUCH) return TOO_MUCH;
    result[key] = copied;
  }
  return result;
}
