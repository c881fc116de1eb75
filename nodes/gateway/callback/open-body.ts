import { expandBrackets } from './form-fields';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields that name the message of a callback (gateway-api.md, "Status callback payload"). */
const NAMES = ['id', 'msg_id', 'request_id'];

/**
 * Finds the callbacks in the body of a request, as n8n hands it over: an object, a list, an object with either in
 * `data`, form fields (urlencoded or multipart), or one of these as JSON text, alone or in one form field.
 * Returns the candidates in order, or undefined where the body holds none. Nothing in them is checked yet.
 */
export function openBody(body: unknown): unknown[] | undefined {
  const opened = openForm(typeof body === 'string' ? fromJson(body) : body);
  if (Array.isArray(opened)) return opened as unknown[];
  if (!isObject(opened)) return undefined;
  const isCallback = 'success' in opened && NAMES.some((name) => name in opened);
  if (isCallback || !('data' in opened)) return [opened];
  const data = typeof opened.data === 'string' ? fromJson(opened.data) : opened.data;
  if (Array.isArray(data)) return data as unknown[];
  return isObject(data) ? [data] : undefined;
}

/** The value of a JSON text; undefined where the text is none. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // No JSON: the caller refuses undefined.
    return undefined;
  }
}

/** Form fields as an object like the one that JSON would have given. */
function openForm(body: unknown): unknown {
  if (!isObject(body)) return body;
  // n8n hands a multipart body over as { data: fields, files }.
  const fields = isMultipart(body) ? (body.data as Record<string, unknown>) : body;
  return inOneField(fields) ?? expandBrackets(fields);
}

const isMultipart = (body: Record<string, unknown>): boolean =>
  isObject(body.data) && isObject(body.files) && Object.keys(body).length === 2;

/** JSON in the only field of a form, whatever its name; or as its name, where JSON was sent as a form. */
function inOneField(fields: Record<string, unknown>): unknown {
  const keys = Object.keys(fields);
  if (keys.length !== 1) return undefined;
  const [key] = keys;
  const value = fields[key];
  if (typeof value !== 'string') return undefined;
  const parsed = fromJson(value === '' ? key : value);
  return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
}
