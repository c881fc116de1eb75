import type { CallbackBody } from '../contract/callback';
import { callbackSchema } from '../contract/callback';
import type { Classification } from '../delivery/reports';
import { classify } from '../delivery/reports';
import { boundedCopy } from './bounded-copy';
import { fromJson, isObject, openBody } from './open-body';

/** One status event: the callback's fields, typed, with what its status means. */
export type CallbackEvent = CallbackBody & Classification;

export type ParsedCallback = { ok: true; events: CallbackEvent[] } | { ok: false; reason: string };

/** Callbacks in one body; a gateway that bundles more is not one of this contract. */
const MAX_EVENTS = 1000;
const MAX_DEPTH = 20;
const MAX_VALUES = 50_000;
const MAX_CHARACTERS = 2_000_000;

/**
 * Reads the body of a callback: an object, a list of objects, an object with a list in `data`, or form fields.
 * Returns the events in order, or why the body is no callback; one that is none spoils the whole body. Never
 * throws; the work is bounded whatever the body holds. Unknown fields are kept. `sentType` is the operation type with
 * which the message was sent, where that is known.
 * Source: gateway-api.md, "Status callback payload" and "Events".
 */
export function parseCallback(body: unknown, sentType?: string): ParsedCallback {
  const candidates = openBody(body);
  if (candidates === undefined) return refuse('The body is not a JSON object');
  if (candidates.length === 0) return refuse('The body holds no callback');
  if (candidates.length > MAX_EVENTS) return refuse(`The body holds more than ${MAX_EVENTS} callbacks`);
  const budget = { values: MAX_VALUES, characters: MAX_CHARACTERS };
  const events: CallbackEvent[] = [];
  for (const candidate of candidates) {
    if (!isObject(candidate)) return refuse('The body is not a JSON object');
    const copy = boundedCopy(candidate, MAX_DEPTH, budget);
    if (!isObject(copy)) return refuse('The body is nested too deeply or holds too much');
    const parsed = callbackSchema.safeParse(tidy(copy));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return refuse(
        `The field "${issue.path.join('.') || 'body'}" is not as a callback has it: ${issue.message}`,
      );
    }
    const { id, msg_id: messageId, request_id: requestId } = parsed.data;
    if (id === undefined && messageId === undefined && requestId === undefined) {
      return refuse('The body names no message: "id", "msg_id" and "request_id" are missing');
    }
    events.push({ ...parsed.data, ...classify(parsed.data, sentType) });
  }
  return { ok: true, events };
}

const refuse = (reason: string): ParsedCallback => ({ ok: false, reason });

/** Fields that say nothing when they are null or empty, as forms and some programming languages write "none". */
const MAY_BE_EMPTY = ['id', 'msg_id', 'request_id', 'type', 'status', 'duration'];

function tidy(body: Record<string, unknown>): Record<string, unknown> {
  const filled = Object.entries(body).filter(
    ([key, value]) => !(MAY_BE_EMPTY.includes(key) && (value === null || value === '')),
  );
  const result = Object.fromEntries(filled);
  if ('replies' in result) result.replies = replyList(result.replies);
  return result;
}

/** Replies as a list: forms carry them as JSON text, and one alone may come without its list. */
function replyList(replies: unknown): unknown {
  if (replies === '' || replies === false) return null;
  const value = typeof replies === 'string' ? (fromJson(replies) ?? replies) : replies;
  if (!isObject(value)) return value;
  return Object.keys(value).length === 0 ? [] : [value];
}
