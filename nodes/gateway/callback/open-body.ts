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

/** Names such as `replies[0][message]`, by which forms nest values. */
const NESTED_NAME = /^([^[\]]{1,64})((?:\[[^[\]]{0,64}\]){1,6})$/;
const INDEX = /^(0|[1-9]\d{0,3})$/;
/** A form with more fields isn't expanded; no callback needs as many. */
const MAX_FIELDS = 5000;

type Branch = Map<string, string | Branch>;

/**
 * Turns form fields with names such as `replies[0][message]` into nested objects and lists. Returns the fields
 * unchanged where no name is nested, a value isn't a string (so this isn't a form), names contradict each other, or
 * there are more than 5000 fields.
 */
export function expandBrackets(fields: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(fields);
  if (names.length > MAX_FIELDS || !names.some((name) => NESTED_NAME.test(name))) return fields;
  const root: Branch = new Map();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || !place(root, pathOf(name), value)) return fields;
  }
  return Object.fromEntries(Array.from(root, ([name, value]) => [name, plain(value)]));
}

function pathOf(name: string): string[] {
  const match = NESTED_NAME.exec(name);
  if (match === null) return [name];
  const [, first, rest] = match;
  return [first, ...rest.slice(1, -1).split('][')];
}

/** Puts a value at the end of its path. Returns false where the path is taken. */
function place(root: Branch, path: string[], value: string): boolean {
  let branch = root;
  for (const [depth, step] of path.entries()) {
    // `[]` appends.
    const key = step === '' && depth > 0 ? String(branch.size) : step;
    const there = branch.get(key);
    if (depth === path.length - 1) {
      if (there !== undefined) return false;
      branch.set(key, value);
    } else if (there === undefined) {
      const next: Branch = new Map();
      branch.set(key, next);
      branch = next;
    } else if (typeof there === 'string') {
      return false;
    } else {
      branch = there;
    }
  }
  return true;
}

function plain(value: string | Branch): unknown {
  if (typeof value === 'string') return value;
  const keys = Array.from(value.keys());
  if (keys.every((key) => INDEX.test(key))) {
    const inOrder = keys.sort((a, b) => Number(a) - Number(b));
    return inOrder.map((key) => plain(value.get(key) as string | Branch));
  }
  return Object.fromEntries(Array.from(value, ([key, inner]) => [key, plain(inner)]));
}
