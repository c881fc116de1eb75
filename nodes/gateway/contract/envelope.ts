import { toShortJson } from '../text/json';

/**
 * Reads booleans and lists as gateways write them in answers and callbacks, and as users' data have them. Many gateways are written
 * in PHP, where a list with gaps becomes an object keyed by index, and a form has no type but text.
 */

/** Returns true or false for 1, 0 and these words in any case as well; undefined for anything else, empty text included. */
export function readFlag(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 1 || word === '1' || word === 'true') return true;
  if (word === false || word === 0 || word === '0' || word === 'false') return false;
  return undefined;
}

/** An index as PHP has one: no sign, no leading zero, and up to 9 digits, so that JavaScript puts such keys in the order of numbers. */
const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/**
 * Returns the entries of a list with their places, in the order of the places. An object counts as a list where all its keys are
 * indices, also with gaps or from 1 on; without keys, as an empty list. Undefined for anything else.
 */
export function indexedEntries(value: unknown): Array<[index: number, entry: unknown]> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key in value) if (!INDEX.test(key)) return undefined;
  return Object.entries(value).map(([key, entry]: [string, unknown]) => [Number(key), entry]);
}

/** Returns a list, or an object keyed by index as one without its gaps; undefined for anything else. */
export function readList(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[];
  return indexedEntries(value)?.map(([, entry]) => entry);
}

/** The path of each endpoint, relative to its address in the credential (gateway-api.md, "Addresses"). */
export const ENDPOINT_PATHS = {
  sync: '/api/json.php',
  async: '/v1/json',
  connector: '/mcp',
  health: '/health',
} as const;

/** A result of the synchronous endpoint. `data` depends on the operation type. */
export interface ResultItem {
  success: boolean;
  error?: string;
  data?: unknown;
}

/** The response of an endpoint; which of the optional fields are set depends on the endpoint and on `success`. */
export interface ResponseEnvelope {
  success: boolean;
  error?: string;
  data?: ResultItem[];
  requestId?: string;
}

/** The fields of a JSON value; texts, numbers and lists have none that an answer needs. */
const fieldsOf = (value: unknown) => (value ?? {}) as Record<string, unknown>;

/** Whether a value says "none", as gateways written in PHP do by null, false, 0, "", [] or {} where the contract leaves a field out. */
export function isNone(value: unknown): boolean {
  if (typeof value !== 'object') return !value;
  // The first key is enough: a list of all keys would take time in an answer with thousands of entries.
  for (const _ in value) return false;
  return true;
}

/** Returns the words of an error, which the contract has as a text: any other value as JSON. Empty where there are none. */
export function errorText(error: unknown): string {
  if (isNone(error) || error === true) return '';
  return typeof error === 'string' ? error : toShortJson(error);
}

/** Sets the words of an error where there is one: a text, also an empty one, stays a text. */
function setError(target: { error?: string }, error: unknown): void {
  const text = errorText(error);
  if (text !== '' || typeof error === 'string') target.error = text;
}

/**
 * Reads a response (gateway-api.md, "Synchronous answers" and "Asynchronous answers"). Returns undefined for anything
 * else, and for a response with an entry that is no result.
 */
export function readEnvelope(body: unknown): ResponseEnvelope | undefined {
  const { success: said, error, request_id: requestId, data } = fieldsOf(body);
  const success = readFlag(said);
  if (success === undefined) return undefined;
  const envelope: ResponseEnvelope = { success };
  setError(envelope, error);
  if (typeof requestId === 'number' || (typeof requestId === 'string' && requestId !== '')) {
    envelope.requestId = String(requestId);
  }
  // Results beside a refusal of the whole request don't count.
  if (!success) return envelope;
  if (isNone(data) && !Array.isArray(data)) return envelope;
  envelope.data = readResults(data);
  return envelope.data && envelope;
}

/** Returns the results of a list, or of an object keyed by index; undefined where an entry is missing or no result. */
function readResults(data: unknown): ResultItem[] | undefined {
  const entries = Array.isArray(data) ? (data as unknown[]) : entriesWithoutGap(data);
  if (entries === undefined) return undefined;
  const results: ResultItem[] = [];
  for (const entry of entries) {
    const { success: said, error, data: payload } = fieldsOf(entry);
    const success = readFlag(said);
    if (success === undefined) return undefined;
    const result: ResultItem = { success, data: payload };
    setError(result, error);
    results.push(result);
  }
  return results;
}

/** Returns the entries of an object keyed by index, from 0 or 1 without a gap: behind a gap, no result belongs to a certain operation. */
function entriesWithoutGap(data: unknown): unknown[] | undefined {
  const placed = indexedEntries(data);
  if (placed === undefined) return undefined;
  const isInPlace = [0, 1].some((first) => placed.every(([index], place) => index === first + place));
  return isInPlace ? placed.map(([, entry]) => entry) : undefined;
}

const WHOLE_NUMBER = /^(0|[1-9]\d*)$/;

/**
 * Returns an identifier as a number where it is a whole number below 2^53, otherwise as it is, so that `id` and
 * `msg_id` of a send and of its callback join without a conversion.
 */
export function typedIdentifier<T>(value: T): T | number {
  if (typeof value !== 'string' || !WHOLE_NUMBER.test(value)) return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
