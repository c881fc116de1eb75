import type { CallbackBody } from '../contract/callback';
import { callbackSchema } from '../contract/callback';
import type { Classified } from '../statuses';
import { classifyStatus } from '../statuses';

/** One status event: the callback's fields, typed, with what its status means. */
export type CallbackEvent = CallbackBody & Classified;

export type ParsedCallback = { ok: true; events: CallbackEvent[] } | { ok: false; reason: string };

/** Callbacks in one body; a gateway that bundles more is not one of this contract. */
const MAX_EVENTS = 1000;
const MAX_DEPTH = 20;
const MAX_VALUES = 50_000;

const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Reads the body of a callback: an object, a list of objects, an object with a list in `data`, or form fields.
 * Returns the events in order, or why the body is no callback. Never throws; the work is bounded whatever the
 * body holds. Source: gateway-api.md, "Status callback payload" and "Events".
 */
export function parseCallback(body: unknown): ParsedCallback {
  const opened = openText(body);
  const bodies = listOf(opened);
  if (bodies === undefined) return refuse('The body is not a JSON object');
  if (bodies.length === 0) return refuse('The body holds no callback');
  if (bodies.length > MAX_EVENTS) return refuse(`The body holds more than ${MAX_EVENTS} callbacks`);
  const budget = { values: MAX_VALUES };
  const events: CallbackEvent[] = [];
  for (const one of bodies) {
    const safe = copySafely(one, MAX_DEPTH, budget);
    if (safe === undefined) return refuse('The body is nested too deeply or holds too much');
    const parsed = callbackSchema.safeParse(withLists(safe));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return refuse(`The field "${issue.path.join('.') || 'body'}" is not as a callback has it: ${issue.message}`);
    }
    const { id, msg_id: messageId, request_id: requestId } = parsed.data;
    if (id === undefined && messageId === undefined && requestId === undefined) {
      return refuse('The body names no message: "id", "msg_id" and "request_id" are missing');
    }
    events.push({ ...parsed.data, ...classifyStatus(parsed.data) });
  }
  return { ok: true, events };
}

const refuse = (reason: string): ParsedCallback => ({ ok: false, reason });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A body that arrived as text, or a form with one JSON field, opened. */
function openText(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    // Not JSON: refused by the caller as no object.
    return undefined;
  }
}

function listOf(body: unknown): Array<Record<string, unknown>> | undefined {
  const list = isObject(body) && !('success' in body && !('data' in body)) ? (openText(body.data) ?? body) : body;
  const bodies = Array.isArray(list) ? (list as unknown[]) : [isObject(list) ? list : body];
  return bodies.every(isObject) ? bodies : undefined;
}

/** Form fields carry lists as JSON text. */
function withLists(body: Record<string, unknown>): Record<string, unknown> {
  return typeof body.replies === 'string' ? { ...body, replies: openText(body.replies) } : body;
}

/** A copy without prototype keys, or undefined where the value is deeper or larger than the bounds. */
function copySafely(
  value: Record<string, unknown>,
  depth: number,
  budget: { values: number },
): Record<string, unknown> | undefined {
  const copy = (inner: unknown, left: number): unknown => {
    budget.values -= 1;
    if (left < 0 || budget.values < 0) throw new RangeError('too deep');
    if (Array.isArray(inner)) return inner.map((entry) => copy(entry, left - 1));
    if (!isObject(inner)) return inner;
    const entries = Object.entries(inner).filter(([key]) => !UNSAFE_KEYS.has(key));
    return Object.fromEntries(entries.map(([key, entry]) => [key, copy(entry, left - 1)]));
  };
  try {
    return copy(value, depth) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    return undefined;
  }
}
