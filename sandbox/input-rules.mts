/**
 * What settings, accounts and faults may hold, whoever gives them: a test, the control API, the command line.
 * What gets past these rules is used by timers later on, where nobody is left to be told that it is wrong.
 */
import { isObject } from './checks.mts';
import { MOST_DELAY_MS } from './schedule.mts';

/** Says what is wrong with a value, as a sentence that starts with its path, or nothing. */
export type Rule = (value: unknown, path: string) => string | undefined;

const rule =
  (takes: string, fits: (value: unknown) => boolean): Rule =>
  (value, path) =>
    fits(value) ? undefined : `${path} has to be ${takes}`;

export const string = rule('a string', (value) => typeof value === 'string');

export const filled = rule(
  'a string that is not empty',
  (value) => typeof value === 'string' && value.trim() !== '',
);

export const boolean = rule('true or false', (value) => typeof value === 'boolean');

/** A number, whole or not, that is neither NaN nor infinite. */
export const finite = rule('a number', (value) => Number.isFinite(value));

export function number(from: number, to: number): Rule {
  const within = (value: unknown) => typeof value === 'number' && value >= from && value <= to;
  return rule(`a number from ${from} to ${to}`, within);
}

/** A time that a timer can wait for. */
export const milliseconds = number(0, MOST_DELAY_MS);

/** A part of all: 0 to 1. */
export const share = number(0, 1);

export function whole(from: number, to = Number.MAX_SAFE_INTEGER): Rule {
  const range = to === Number.MAX_SAFE_INTEGER ? `of at least ${from}` : `from ${from} to ${to}`;
  const within = (value: unknown) =>
    Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to;
  return rule(`a whole number ${range}`, within);
}

export function oneOf(values: readonly string[]): Rule {
  return rule(`one of ${values.join(', ')}`, (value) => values.includes(value as string));
}

/** An address that callbacks can go to. */
export const address = rule(
  'an http or https address',
  (value) => typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value),
);

/** Milliseconds, or a pair of them: a range to draw from. */
export const timeOrRange = rule(
  'a number of milliseconds, or a list of two',
  (value) =>
    milliseconds(value, '') === undefined ||
    (Array.isArray(value) &&
      value.length === 2 &&
      value.every((one) => milliseconds(one, '') === undefined) &&
      value[0] <= value[1]),
);

export function orNull(inner: Rule): Rule {
  return (value, path) => {
    const problem = value === null ? undefined : inner(value, path);
    return problem?.startsWith(`${path} has to be`) ? `${problem}, or null` : problem;
  };
}

export function list(inner: Rule): Rule {
  return (value, path) => {
    if (!Array.isArray(value)) return `${path} has to be a list`;
    for (const [index, one] of value.entries()) {
      const problem = inner(one, `${path}[${index}]`);
      if (problem) return problem;
    }
    return undefined;
  };
}

/** An object with these properties and no others; what is undefined counts as left out. */
export function object(properties: Readonly<Record<string, Rule>>, required: readonly string[] = []): Rule {
  return (value, path) => {
    if (!isObject(value)) return `${path || 'it'} has to be an object`;
    const at = (name: string) => (path === '' ? name : `${path}.${name}`);
    for (const name of required) {
      if (!Object.hasOwn(value, name) || value[name] === undefined) return `${at(name)} is required`;
    }
    for (const [name, inner] of Object.entries(value)) {
      if (!Object.hasOwn(properties, name)) return `${at(name)} is unknown`;
      const problem = inner === undefined ? undefined : properties[name](inner, at(name));
      if (problem) return problem;
    }
    return undefined;
  };
}
