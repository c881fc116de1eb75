import { expandBrackets } from './form-fields';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields that identify one message (gateway-api.md, "Status callback payload"). */
const NAMES = ['id', 'msg_id'];

/**
 * Finds the callbacks in the body of a request, as n8n passes it on: an object, a list, an object with either in
 * `data`, form fields (urlencoded or multipart), or one of these as JSON, alone or in one form field.
 * Returns the candidates in order, unchecked; undefined where the body holds none.
 */
export function openBody(body: unknown): unknown[] | undefined {
  const opened = openForm(typeof body === 'string' ? fromJson(body) : body);
  if (Array.isArray(opened)) return opened as unknown[];
  if (!isObject(opened)) return undefined;
  const isCallback = 'success' in opened && NAMES.some((name) => name in opened);
  if (isCallback || !('data' in opened)) return [opened];
  const data = typeof opened.data === 'string' ? fromJson(opened.data) : opened.data;
  const inner = isObject(data) ? [data] : data;
  if ('success' in opened && 'request_id' in opened) return ofRequest(opened, inner);
  return Array.isArray(inner) ? (inner as unknown[]) : undefined;
}

/**
 * A body that identifies only a request is an envelope around the callbacks in its `data`; without any, it is itself
 * the callback of a refused request.
 */
function ofRequest(envelope: Record<string, unknown>, inner: unknown): unknown[] {
  if (!Array.isArray(inner) || inner.length === 0) return [envelope];
  const callbacks = inner as unknown[];
  if (!callbacks.every((entry) => isObject(entry) && 'success' in entry)) return [envelope];
  const { request_id: requestId } = envelope;
  return callbacks.map((callback) => ({ request_id: requestId, ...(callback as object) }));
}

/** Parses JSON; returns undefined for any other text. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON: the caller refuses undefined.
    return undefined;
  }
}

/** Turns form fields into the object that JSON would have held; other values stay as they are. */
function openForm(body: unknown): unknown {
  if (!isObject(body)) return body;
  // n8n passes a multipart body on as { data: fields, files }.
  const fields = isMultipart(body) ? (body.data as Record<string, unknown>) : body;
  return inOneField(fields) ?? expandBrackets(fields);
}

const isMultipart = (body: Record<string, unknown>): boolean =>
  isObject(body.data) && isObject(body.files) && Object.keys(body).length === 2;

/**
 * Parses the JSON in the only field of a form, or in its name, where JSON was sent as a form. Returns null or undefined
 * where there is neither an object nor a list.
 */
function inOneField(fields: Record<string, unknown>): unknown {
  const keys = Object.keys(fields);
  if (keys.length !== 1) return undefined;
  const [key] = keys;
  const value = fields[key];
  if (typeof value !== 'string') return undefined;
  const parsed = fromJson(value === '' ? key : value);
  return typeof parsed === 'object' ? parsed : undefined;
}
