import type { CallbackBody } from '../contract/callback';
import { callbackSchema, replyEntries, replyList } from '../contract/callback';
import { readList } from '../contract/readers';
import type { Meaning } from '../delivery/reports';
import { meaningOf } from '../delivery/reports';
import { canonicalStatus, outcomeOfStatus } from '../delivery/statuses';
import { fromForeignJson, fromJson, isObject, UNSAFE_NAMES } from '../text/json';

/** One status event: a callback, and what its status means. */
export type CallbackEvent = CallbackBody & Meaning;

export type ParsedCallback =
  | {
      ok: true;
      events: CallbackEvent[];

      /** Why entries beside these are no callbacks, in words that don't repeat them. */
      refused: string[];
    }
  | { ok: false; reason: string };

/** Limits of one body, well above what gateways of this contract send. */
const MAX_EVENTS = 1000;
const MAX_REPLIES = 2000;
const MAX_DEPTH = 20;
const MAX_VALUES = 30_000;

/** Fields of one object: each costs the more, the more there are. */
const MAX_OBJECT_FIELDS = 1000;

/**
 * Reads the body of a callback (gateway-api.md, "Callback fields" and "Callbacks"): an object, a list of objects, an
 * object with a list in `data`, or form fields. Returns the events in order, unknown fields included, and why other entries
 * beside them are none; a body without any event, or that holds too much, is refused as a whole. `sentType` is the operation
 * type with which the message was sent, if that is known. Never throws; the work is bounded by the length of the body.
 */
export function parseCallback(body: unknown, sentType?: string): ParsedCallback {
  const candidates = unwrap(body);
  if (candidates === undefined) return refuse('The body is not a JSON object');
  if (candidates.length === 0) return refuse('The body holds no callback');
  if (candidates.length > MAX_EVENTS) return refuse(`The body holds more than ${MAX_EVENTS} callbacks`);
  const left = { values: MAX_VALUES, replies: MAX_REPLIES };
  const entries = candidates.map((candidate) => readEntry(candidate, left, sentType));
  if (left.values < 0) return refuse('The body holds too much');
  if (left.replies < 0) return refuse(`The body holds more than ${MAX_REPLIES} replies`);
  const refused = entries.flatMap((entry, i) =>
    typeof entry === 'string' ? [{ place: i + 1, reason: entry }] : [],
  );
  const events = entries.filter((entry) => typeof entry !== 'string');
  return events.length === 0
    ? refuse(refused[0].reason)
    : {
        ok: true,
        events,
        refused: refused.map(({ place, reason }) => `${place} of ${candidates.length}: ${reason}`),
      };
}

const refuse = (reason: string): ParsedCallback => ({ ok: false, reason });

/** Returns the event of an entry, or why it is no callback; takes its values and replies from what is left. */
function readEntry(
  candidate: unknown,
  left: { values: number; replies: number },
  sentType: string | undefined,
): CallbackEvent | string {
  if (!isObject(candidate)) return 'The body is not a JSON object';
  if (Object.keys(candidate).length > MAX_OBJECT_FIELDS) return 'The body holds too much';
  const fields = normalize(candidate);
  if (isTooDeep(fields, MAX_DEPTH, left)) return 'The body is nested too deeply';
  left.replies -= Array.isArray(fields.replies) ? fields.replies.length : 0;
  if (left.values < 0) return 'The body holds too much';
  const parsed = callbackSchema.safeParse(withoutUnsafeKeys(fields));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `The field "${issue.path.join('.') || 'body'}" is malformed: ${issue.message}`;
  }
  const { id, msg_id: messageId, request_id: requestId } = parsed.data;
  if (id === undefined && messageId === undefined && requestId === undefined) {
    return 'The body identifies no message: "id", "msg_id" and "request_id" are missing';
  }
  return { ...parsed.data, ...meaningOf(parsed.data, sentType) };
}

/** Splits events with several replies into one event for each reply; other events stay as they are. */
export const splitReplies = (events: CallbackEvent[]): CallbackEvent[] =>
  events.flatMap((event) => {
    const replies = replyEntries(event.replies);
    return replies.length > 0 ? replies.map((reply) => ({ ...event, replies: [reply] })) : [event];
  });

const IDENTIFIERS = ['id', 'msg_id', 'request_id'];

/** Fields that count as missing when they are null or empty: forms and some languages write "none" like that. */
const MAY_BE_EMPTY = [...IDENTIFIERS, 'type', 'status', 'duration'];

/** Fields that only the trigger sets. The contract's callback has no `phone`: whose message it is says the sealed address. */
const OWN = ['verified', 'phone', 'fields', 'fields_unreadable', 'sent_as', 'stop', 'sessionId', 'chatInput'];

/** A copy of a callback without empty fields and those that aren't the caller's to set, and with its replies as a list. */
function normalize(callback: Record<string, unknown>): Record<string, unknown> {
  const fields = { ...callback };
  for (const name of OWN) delete fields[name];
  for (const name of MAY_BE_EMPTY) {
    if (fields[name] === null || fields[name] === '') delete fields[name];
  }
  for (const name of IDENTIFIERS) {
    if (fields[name] === false || (Array.isArray(fields[name]) && fields[name].length === 0))
      delete fields[name];
  }
  if (isEmptyFalse(fields)) fields.success = false;
  if (Object.hasOwn(fields, 'replies')) fields.replies = readReplies(fields.replies);
  return fields;
}

/** Whether an empty `success` means false, as PHP writes it into a form: the status must not say that something arrived. */
function isEmptyFalse({ success, status }: Record<string, unknown>): boolean {
  const outcome = outcomeOfStatus(canonicalStatus(status));
  return (success === '' || success === null) && (outcome === 'failed' || outcome === 'pending');
}

/** Replies as a list where they are one: forms hold JSON, and `false` or no text stands for none. */
function readReplies(replies: unknown): unknown {
  const read = typeof replies === 'string' ? (fromJson(replies) ?? replies) : replies;
  if (read === false || read === '') return null;
  return replyList(read) ?? read;
}

/**
 * Returns whether a JSON value has more levels than `depth`. Counts its values down from those that are left, and stops
 * where none is, or an object has too many fields.
 */
function isTooDeep(value: unknown, depth: number, left: { values: number }): boolean {
  left.values -= 1;
  if (depth < 0) return true;
  if (typeof value !== 'object' || value === null) return false;
  const values = Object.values(value) as unknown[];
  if (!Array.isArray(value) && values.length > MAX_OBJECT_FIELDS) left.values = -1;
  for (const inner of values) {
    if (left.values < 0) break;
    if (isTooDeep(inner, depth - 1, left)) return true;
  }
  return false;
}

/** A copy of a JSON value without the keys that are unsafe to pass on, at any level. */
function withoutUnsafeKeys<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry: unknown) => withoutUnsafeKeys(entry)) as T;
  const kept = Object.entries(value).filter(([key]) => !UNSAFE_NAMES.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutUnsafeKeys(inner as unknown)])) as T;
}

/**
 * Finds the callbacks in a body as n8n passes it on: an object, a list, an object with either in `data`, a form, or one
 * of these as JSON, alone or in one form field. Returns them in order, unchecked; undefined where there are none.
 */
function unwrap(body: unknown): unknown[] | undefined {
  const opened = openForm(typeof body === 'string' ? fromForeignJson(body) : body);
  if (Array.isArray(opened)) return opened as unknown[];
  if (!isObject(opened)) return undefined;
  const byIndex = readList(opened);
  if (byIndex) return byIndex;
  const isCallback = 'success' in opened && ('id' in opened || 'msg_id' in opened);
  if (isCallback || !('data' in opened)) return [opened];
  const data = typeof opened.data === 'string' ? fromJson(opened.data) : opened.data;
  const list = readList(data) ?? (isObject(data) ? [data] : undefined);
  if (!('success' in opened && 'request_id' in opened)) return list;
  // What identifies only a request is an envelope around callbacks; without any, the callback of a refused request.
  const { request_id: requestId } = opened;
  return list?.some((entry) => isObject(entry) && 'success' in entry)
    ? list.map((entry) => (isObject(entry) ? { request_id: requestId, ...entry } : entry))
    : [opened];
}

/** Turns form fields into the object that JSON would have held; other values stay as they are. */
function openForm(body: unknown): unknown {
  if (!isObject(body)) return body;
  // n8n passes a multipart body on as { data: fields, files }.
  const isMultipart = isObject(body.data) && isObject(body.files) && Object.keys(body).length === 2;
  const fields = isMultipart ? (body.data as Record<string, unknown>) : body;
  const [name, ...others] = Object.keys(fields);
  const { [name]: value } = fields;
  // JSON that was sent as a form is in its only field, or in the name of that.
  const json = others.length === 0 && typeof value === 'string' ? fromJson(value || name) : undefined;
  return typeof json === 'object' && json !== null ? json : expandBrackets(fields);
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
function expandBrackets(fields: Record<string, unknown>): unknown {
  const entries = Object.entries(fields);
  if (entries.length > MAX_FIELDS || !entries.some(([name]) => NESTED_NAME.test(name))) return fields;
  const root: Branch = new Map();
  const isForm = entries.every(([name, value]) => {
    const [first, rest] = NESTED_NAME.exec(name)?.slice(1) ?? [name, ''];
    const steps = rest.split(']').slice(0, -1);
    return typeof value === 'string' && place(root, [first, ...steps.map((step) => step.slice(1))], value);
  });
  return isForm ? plain(root) : fields;
}

/** Puts a value at the end of its path. Returns false where the path is taken. */
function place(branch: Branch, [step, ...rest]: string[], value: string): boolean {
  // `[]` appends.
  const key = step === '' ? String(branch.size) : step;
  const there = branch.get(key);
  if (typeof there === 'string' || (there && rest.length === 0)) return false;
  const inner: Branch = there ?? new Map<string, string | Branch>();
  branch.set(key, rest.length > 0 ? inner : value);
  return rest.length === 0 || place(inner, rest, value);
}

function plain(value: string | Branch): unknown {
  if (typeof value === 'string') return value;
  const entries = Array.from(value, ([key, inner]): [string, unknown] => [key, plain(inner)]);
  // An object has its indices in order, whatever the order of the fields.
  const object = Object.fromEntries(entries);
  return entries.every(([key]) => INDEX.test(key)) ? Object.values(object) : object;
}
