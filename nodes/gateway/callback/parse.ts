import type { CallbackBody } from '../contract/callback';
import { callbackSchema } from '../contract/callback';
import { isNone, readList } from '../contract/envelope';
import type { Meaning } from '../delivery/reports';
import { meaningOf } from '../delivery/reports';
import { canonicalStatus, outcomeOfStatus } from '../delivery/outcomes';
import { isObject, UNSAFE_NAMES } from '../text/json';
import { splitReplies } from './replies';

/** A status event: a callback, and what its status means. */
export type CallbackEvent = CallbackBody & Meaning;

/** The events of a callback, or why it is refused, with the HTTP status that says so. */
type ParsedCallback =
  | {
      ok: true;
      events: CallbackEvent[];

      /** Why other entries of the body are no callbacks, in words that don't repeat these entries. */
      refused: string[];
    }
  | { ok: false; status: number; reason: string };

/** Callbacks and replies in one body: each becomes an item. */
const MOST_EVENTS = 1000;

/** Fields of one callback, far more than any has: each item gets a copy of them. */
const MOST_FIELDS = 200;

/** Levels of a field: far more than any has, and far less than n8n can save and show. */
const DEEPEST = 20;

/**
 * Reads the body of a callback (gateway-api.md, "Callback fields" and "Callbacks"): an object, a list of objects, an
 * object with a list in `data`, or form fields. Returns the events in order, unknown fields included, and why other entries
 * beside them are none; a body without any event, or with too many, is refused as a whole. Never throws; the work is bounded
 * by the length of the body.
 * @param sentType the operation type with which the message was sent, if that is known
 */
export function parseCallback(body: unknown, sentType?: string): ParsedCallback {
  const candidates = unwrap(body);
  if (candidates === undefined) return unread('The body is not a JSON object');
  if (candidates.length === 0) return unread('The body holds no callback');
  const tooMany = unread(`The body holds more than ${MOST_EVENTS} callbacks and replies`, 413);
  if (candidates.length > MOST_EVENTS) return tooMany;
  const entries = candidates.map((candidate) => readEntry(candidate, sentType));
  const events = entries.filter((entry) => typeof entry !== 'string');
  if (events.length === 0) return unread(String(entries[0]));
  if (splitReplies(events).length > MOST_EVENTS) return tooMany;
  const refused = entries.flatMap((entry, i) =>
    typeof entry === 'string' ? [`${i + 1} of ${entries.length}: ${entry}`] : [],
  );
  return { ok: true, events, refused };
}

const unread = (reason: string, status = 400): ParsedCallback => ({ ok: false, status, reason });

/** Returns the event of an entry, or why it is no callback. */
function readEntry(candidate: unknown, sentType: string | undefined): CallbackEvent | string {
  if (!isObject(candidate)) return 'The body is not a JSON object';
  if (Object.keys(candidate).length > MOST_FIELDS) return 'The body has more fields than any callback';
  if (!isPlain(candidate)) return 'The body is nested too deeply, or has a field that no callback has';
  const parsed = callbackSchema.safeParse(normalize(candidate));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `The field "${issue.path.join('.')}" is malformed: ${issue.message}`;
  }
  const { id, msg_id: messageId, request_id: requestId } = parsed.data;
  if (id === undefined && messageId === undefined && requestId === undefined) {
    return 'The body identifies no message: "id", "msg_id" and "request_id" are missing';
  }
  return { ...parsed.data, ...meaningOf(parsed.data, sentType) };
}

/** Whether a JSON value has few levels, and no name that reaches into a prototype, so that n8n can copy it. */
function isPlain(value: unknown, levels = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((entry) => isPlain(entry, levels - 1));
  return Object.entries(value).every(
    ([name, inner]) => !UNSAFE_NAMES.has(name) && isPlain(inner, levels - 1),
  );
}

/** Fields that only the trigger sets. The contract's callback has no `phone`: the sealed address says whose message it reports. */
const OWN = ['verified', 'phone', 'fields', 'fields_unreadable', 'sent_as', 'stop', 'sessionId', 'chatInput'];

/**
 * Returns a copy of a callback without the fields that only the trigger sets, and without fields of the contract that say "none",
 * as forms and some languages write "none": null, false, an empty text, list or object.
 */
function normalize(callback: Record<string, unknown>): Record<string, unknown> {
  const fields = { ...callback };
  for (const name of OWN) delete fields[name];
  if (isEmptyFalse(fields)) fields.success = false;
  for (const name of SIDE_FIELDS) {
    const { [name]: value } = fields;
    if (typeof value !== 'number' && isNone(value)) delete fields[name];
  }
  return fields;
}

/** The fields of the contract that a callback may lack. */
const SIDE_FIELDS = Object.keys(callbackSchema.shape).filter((name) => name !== 'success');

/** Whether an empty `success` means false, as PHP writes it into a form: the status must not say that something arrived. */
function isEmptyFalse({ success, status }: Record<string, unknown>): boolean {
  const outcome = outcomeOfStatus(canonicalStatus(status));
  return (success === '' || success === null) && (outcome === 'failed' || outcome === 'pending');
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
