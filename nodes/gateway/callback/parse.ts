import type { CallbackBody } from '../contract/callback';
import { callbackSchema, replyEntries } from '../contract/callback';
import { isNone, readList } from '../contract/envelope';
import { LONGEST_EVENTS, LONGEST_NAME } from '../text/gate';
import { fromForeignJson, isObject, UNSAFE_NAMES } from '../text/json';
import { RefusedCall } from './refused-call';

/** Callbacks and replies in one body: each of them becomes an item. */
const MAX_CALLBACKS = 1000;

/** Fields of one callback, far more than any has: each of its items gets a copy of them. */
const MAX_FIELDS = 200;

/** Levels of a field: far more than any has, and far less than n8n can save and show. */
const DEEPEST = 20;

/**
 * Reads the body of a callback (gateway-api.md, "Callback fields" and "Callbacks"): an object, a list of objects, an
 * object with a list in `data`, form fields, or any of these as JSON in one field of a form; PHP keys lists by index. Returns the
 * callbacks in order, with fields that nobody knows, and in `refused` why other entries are no callbacks, in words that don't repeat
 * these entries. The time grows with the length of the body and no faster.
 * @throws RefusedCall for a body without any callback, with more than 1,000 callbacks and replies, or whose replies would repeat too much
 */
export function parseCallback(given: unknown): { callbacks: CallbackBody[]; refused: string[] } {
  const body = jsonField(given) ?? given;
  // A body with `id` or `msg_id` is a callback, which may have a list of its own in `data`; any other body may wrap callbacks.
  const inData = isObject(body) && isNone(body.id ?? body.msg_id) ? readList(body.data) : undefined;
  // An empty list in `data` is how PHP writes that a callback has no `data`.
  const entries = readList(body) ?? (inData?.length ? inData : [body]);
  if (entries.length === 0) throw new RefusedCall(400, 'The body holds no callback');
  refuseTooMany(entries.length);
  const read = entries.map(readEntry);
  const callbacks = read.filter((entry) => typeof entry !== 'string');
  const refused = read.filter((entry) => typeof entry === 'string');
  if (callbacks.length === 0) throw new RefusedCall(400, refused[0]);
  // Before replies are split: copying 200 fields for each of 300,000 replies would take 4 seconds.
  refuseTooMany(
    callbacks.reduce((count, { replies }) => count + Math.max(1, replyEntries(replies).length), 0),
  );
  refuseCopies(callbacks);
  return { callbacks, refused };
}

const BEGINS_LIKE_JSON = /^\s*[{[]/;

/** Returns the JSON in the one field of a form that holds some; undefined for a body that is a callback itself. */
function jsonField(body: unknown): unknown {
  if (!isObject(body) || ['success', 'id', 'msg_id', 'request_id'].some((name) => name in body))
    return undefined;
  const [text, ...others] = Object.values(body).filter(
    (value) => typeof value === 'string' && BEGINS_LIKE_JSON.test(value),
  );
  return typeof text === 'string' && others.length === 0 ? fromForeignJson(text) : undefined;
}

function refuseTooMany(count: number): void {
  if (count > MAX_CALLBACKS) {
    throw new RefusedCall(413, `The body holds more than ${MAX_CALLBACKS} callbacks and replies`);
  }
}

/** Refuses a body whose items would be too much together: each reply becomes an item, with a copy of all other fields of its callback. */
function refuseCopies(callbacks: CallbackBody[]): void {
  const length = callbacks.reduce((sum, { replies, ...rest }) => {
    const copies = Math.max(1, replyEntries(replies).length);
    return sum + copies * JSON.stringify(rest).length;
  }, 0);
  if (length > LONGEST_EVENTS)
    throw new RefusedCall(
      413,
      'The body holds many replies beside a long field, which each of them would repeat',
    );
}

/** Returns the callback that an entry is, or why the entry is none. */
function readEntry(entry: unknown): CallbackBody | string {
  if (!isObject(entry)) return 'The body is not a JSON object';
  if (Object.keys(entry).length > MAX_FIELDS) return 'The body has more fields than any callback';
  if (Object.keys(entry).some((name) => name.length > LONGEST_NAME))
    return 'The body has a field with a very long name';
  if (!isPlain(entry)) return 'The body is nested too deeply, or has a field that no callback has';
  const said = Object.entries(entry).filter(
    ([name, value]) => !FIELDS_OF_NODE.has(name) && !saysNone(name, value),
  );
  const parsed = callbackSchema.safeParse(Object.fromEntries(said));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const [name] = issue.path;
    return name in entry
      ? `The field "${name}" is malformed: ${issue.message}`
      : `The field "${name}" is missing`;
  }
  const { id, msg_id: messageId, request_id: requestId } = parsed.data;
  if (id === undefined && messageId === undefined && requestId === undefined) {
    return 'The body identifies no message: "id", "msg_id" and "request_id" are missing';
  }
  return parsed.data;
}

/** Whether a JSON value has few levels, and no name that reaches into a prototype, so that n8n can copy it. */
function isPlain(value: unknown, levels = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  return Object.entries(value).every(
    ([name, inner]) => !UNSAFE_NAMES.has(name) && isPlain(inner, levels - 1),
  );
}

/** Fields that the node alone sets. A callback of the contract has no `phone`: the sealed address says whose message it reports on. */
const FIELDS_OF_NODE = new Set([
  'outcome',
  'final',
  'arrived',
  'verified',
  'phone',
  'fields',
  'fields_unreadable',
  'sent_as',
  'stop',
  'sessionId',
  'chatInput',
]);

/** Whether the node or the contract gives a field of the trigger's output this name, so that no Callback Field takes its place. */
export const isReservedName = (name: string): boolean =>
  FIELDS_OF_NODE.has(name) || Object.hasOwn(callbackSchema.shape, name);

/** Whether an optional field of the contract says "none", as PHP and forms do by null, false, blank text, an empty list or object. */
const saysNone = (name: string, value: unknown): boolean =>
  name !== 'success' &&
  Object.hasOwn(callbackSchema.shape, name) &&
  typeof value !== 'number' &&
  isNone(typeof value === 'string' ? value.trim() : value);
