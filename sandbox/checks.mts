/**
 * The sandbox's own checks of single values. Each takes a value and says what is wrong with it, in the words
 * that follow the field's name, or nothing. Written from gateway-api.md, "Fields".
 */
import type { JsonObject } from './types.mts';

export type Check = (value: unknown) => string | undefined;

/** The properties of an operation type, or of an object in an operation. */
export interface OperationFields {
  fields: Record<string, Check>;
  required: readonly string[];
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const text: Check = (value) => {
  if (typeof value !== 'string') return 'has to be a string';
  return value.trim() === '' ? 'is empty' : undefined;
};

export const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'has to be a boolean');

/** The client's identifier: a JSON number, whole, exact (so at most 2^53 - 1), not negative. */
export const identifier: Check = (value) => {
  if (typeof value !== 'number') return 'has to be a number';
  if (!Number.isSafeInteger(value) || value < 0) return 'has to be a whole number below 2^53';
  return undefined;
};

/** A JSON number of digits only; the international format has at most 15 digits and starts with 1 to 9. */
export const phone: Check = (value) => {
  if (typeof value !== 'number') return 'has to be a number';
  if (!Number.isSafeInteger(value) || value < 1 || value > 999_999_999_999_999) {
    return 'has to be a number in international format, digits only';
  }
  return undefined;
};

/** Seconds between two limits (gateway-api.md, "Limits"). */
export function lifetime(min: number, max = Infinity): Check {
  const range = max === Infinity ? `at least ${min}` : `from ${min} to ${max}`;
  return (value) => {
    if (typeof value !== 'number') return 'has to be a number';
    return value >= min && value <= max ? undefined : `has to be ${range} seconds`;
  };
}

export function oneOf(values: readonly string[]): Check {
  return (value) =>
    typeof value === 'string' && values.includes(value) ? undefined : `has to be one of ${values.join(', ')}`;
}

/** A link that a button follows or that a picture is read from. */
export const link: Check = (value) => {
  const problem = text(value);
  if (problem) return problem;
  return URL.canParse(value as string) ? undefined : 'has to be a link';
};

/** A URL that callbacks are sent to. */
export const hookUrl: Check = (value) => {
  if (typeof value !== 'string') return 'has to be a string';
  return /^https?:\/\//i.test(value) && URL.canParse(value)
    ? undefined
    : 'has to be an http or https address';
};

/** The telegram one-time password. */
export const digits4to8: Check = (value) => {
  if (typeof value !== 'string') return 'has to be a string';
  return /^[0-9]{4,8}$/.test(value) ? undefined : 'has to be 4 to 8 digits';
};

const SLIDE: OperationFields = {
  fields: { caption: text, image: link, url: link, button: text, url2: link, button2: text },
  required: ['caption', 'image', 'url', 'button'],
};

/** The slides of a carousel: 2 to 5 of them. */
export const carousel: Check = (value) => {
  if (!Array.isArray(value)) return 'has to be an array';
  if (value.length < 2 || value.length > 5) return 'has to have 2 to 5 slides';
  for (const [index, slide] of value.entries()) {
    if (!isObject(slide)) return `slide ${index + 1} has to be an object`;
    const problem = firstProblem(slide, SLIDE);
    if (problem) return `slide ${index + 1}: ${problem}`;
  }
  return undefined;
};

const VOICE: OperationFields = {
  fields: { gender: oneOf(['male', 'female']), language: text, name: text },
  required: ['gender', 'language', 'name'],
};

/** The voice model of a `voice` operation: gender, language and name, all required. */
export const voiceModel: Check = (value) => {
  if (!isObject(value)) return 'has to be an object';
  return firstProblem(value, VOICE);
};

/**
 * Checks an object against its fields: what is required has to be there, what is there has to be right.
 * Properties that are not declared are let through (gateway-api.md, "Requests").
 * @returns the first problem, with the field's name, or undefined
 */
export function firstProblem(object: JsonObject, shape: OperationFields): string | undefined {
  for (const name of shape.required) {
    if (object[name] === undefined || !Object.hasOwn(object, name)) return `${name} is required`;
  }
  for (const [name, check] of Object.entries(shape.fields)) {
    if (!Object.hasOwn(object, name) || object[name] === undefined) continue;
    const problem = check(object[name]);
    if (problem) return `${name} ${problem}`;
  }
  return undefined;
}

/** Most undeclared properties noted of one operation: ten thousand say no more than the first thousand. */
const MAX_UNDECLARED = 1000;

/**
 * Names of undeclared properties of an object, as paths.
 * @param found names found before, which these are added to
 */
export function undeclaredNames(
  object: JsonObject,
  declared: ReadonlySet<string>,
  path = '',
  found: string[] = [],
): string[] {
  for (const name of Object.keys(object)) {
    if (found.length >= MAX_UNDECLARED) break;
    if (!declared.has(name)) found.push(path + name);
  }
  return found;
}

const SLIDE_NAMES = new Set(Object.keys(SLIDE.fields));
const VOICE_NAMES = new Set(Object.keys(VOICE.fields));

/** Adds undeclared properties inside the values that have a shape of their own: slides and the voice model. */
export function undeclaredInside(operation: JsonObject, found: string[]): string[] {
  if (Array.isArray(operation.viber_carousel)) {
    for (const [index, slide] of operation.viber_carousel.entries()) {
      if (isObject(slide)) undeclaredNames(slide, SLIDE_NAMES, `viber_carousel[${index}].`, found);
    }
  }
  if (operation.type === 'voice' && isObject(operation.voice)) {
    undeclaredNames(operation.voice, VOICE_NAMES, 'voice.', found);
  }
  return found;
}
