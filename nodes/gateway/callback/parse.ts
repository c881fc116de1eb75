import type { CallbackBody } from '../contract/callback';
import { callbackSchema, replyEntries, replyList } from '../contract/callback';
import { readList } from '../contract/readers';
import type { Meaning } from '../delivery/reports';
import { meaningOf } from '../delivery/reports';
import { canonicalStatus, outcomeOfStatus } from '../delivery/statuses';
import { isObject, UNSAFE_NAMES } from '../text/json';

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

/** Fields that count as missing when they are null or empty: forms and some languages write "none" like that. */
const MAY_BE_EMPTY = ['id', 'msg_id', 'request_id', 'type', 'status', 'duration'];

/** Fields that only the trigger sets. The contract's callback has no `phone`: whose message it is says the sealed address. */
const OWN = ['verified', 'phone', 'fields', 'fields_unreadable', 'sent_as', 'stop', 'sessionId', 'chatInput'];

/** A copy of a callback without empty fields and those that aren't the caller's to set, and with its replies as a list. */
function normalize(callback: Record<string, unknown>): Record<string, unknown> {
  const fields = { ...callback };
  for (const name of OWN) delete fields[name];
  for (const name of MAY_BE_EMPTY) {
    if (fields[name] === null || fields[name] === '') delete fields[name];
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

/** Replies as a list where they are one; `false` or no text stands for none. */
const readReplies = (replies: unknown): unknown =>
  replies === false || replies === '' ? null : (replyList(replies) ?? replies);

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
 * Finds the callbacks in a body as n8n passes it on: an object, as which a form comes as well, a list, or an object with a list
 * in `data`; a list may be keyed by index. Returns them in order, unchecked; undefined where there are none.
 */
function unwrap(body: unknown): unknown[] | undefined {
  const list = readList(body);
  if (list || !isObject(body)) return list;
  const isCallback = 'id' in body || 'msg_id' in body;
  const inner = isCallback ? undefined : readList(body.data);
  return inner && inner.length > 0 ? inner : [body];
}
