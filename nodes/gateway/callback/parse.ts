import type { CallbackBody } from '../contract/callback';
import { callbackSchema } from '../contract/callback';
import type { Meaning } from '../delivery/reports';
import { meaningOf } from '../delivery/reports';
import { fromJson, isObject, openBody } from './open-body';

/** One status event: the typed fields of a callback, and what its status means. */
export type CallbackEvent = CallbackBody & Meaning;

export type ParsedCallback = { ok: true; events: CallbackEvent[] } | { ok: false; reason: string };

/** Limits of one body, well above what gateways of this contract send. */
const MAX_EVENTS = 1000;
const MAX_REPLIES = 2000;
const MAX_DEPTH = 20;
const MAX_VALUES = 30_000;
const MAX_CHARACTERS = 2_000_000;

/**
 * Reads the body of a callback: an object, a list of objects, an object with a list in `data`, or form fields.
 * Returns the events in order, unknown fields included; one malformed callback spoils the whole body, and the result
 * then says why. `sentType` is the operation type with which the message was sent, where it is known. Never throws;
 * the work is bounded whatever the body holds.
 * Source: gateway-api.md, "Status callback payload" and "Events".
 */
export function parseCallback(body: unknown, sentType?: string): ParsedCallback {
  const candidates = openBody(body);
  if (candidates === undefined) return refuse('The body is not a JSON object');
  if (candidates.length === 0) return refuse('The body holds no callback');
  if (candidates.length > MAX_EVENTS) return refuse(`The body holds more than ${MAX_EVENTS} callbacks`);
  const budget = { values: MAX_VALUES, characters: MAX_CHARACTERS };
  const events: CallbackEvent[] = [];
  let replies = 0;
  for (const candidate of candidates) {
    if (!isObject(candidate)) return refuse('The body is not a JSON object');
    const fields = copyFields(candidate, budget);
    if (fields === undefined) return refuse('The body is nested too deeply or holds too much');
    if (Array.isArray(fields.replies)) replies += fields.replies.length;
    if (replies > MAX_REPLIES) return refuse(`The body holds more than ${MAX_REPLIES} replies`);
    const parsed = callbackSchema.safeParse(fields);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return refuse(`The field "${issue.path.join('.') || 'body'}" is malformed: ${issue.message}`);
    }
    const { id, msg_id: messageId, request_id: requestId } = parsed.data;
    if (id === undefined && messageId === undefined && requestId === undefined) {
      return refuse('The body identifies no message: "id", "msg_id" and "request_id" are missing');
    }
    events.push({ ...parsed.data, ...meaningOf(parsed.data, sentType) });
  }
  return { ok: true, events };
}

const refuse = (reason: string): ParsedCallback => ({ ok: false, reason });

/** Fields that count as missing when they are null or empty: forms and some languages write "none" like that. */
const MAY_BE_EMPTY = ['id', 'msg_id', 'request_id', 'type', 'status', 'duration'];

/** A copy of a callback with its replies as a list; undefined where it is too deep or exceeds the budget. */
function copyFields(callback: Record<string, unknown>, budget: Budget): Record<string, unknown> | undefined {
  const fields = boundedCopy(callback, MAX_DEPTH, budget);
  if (!isObject(fields)) return undefined;
  for (const name of MAY_BE_EMPTY) {
    if (fields[name] === null || fields[name] === '') delete fields[name];
  }
  if (typeof fields.replies === 'string') {
    // What the string holds has to keep the limits as well.
    const replies = boundedCopy(fromText(fields.replies), MAX_DEPTH, budget);
    if (replies === undefined) return undefined;
    fields.replies = replies;
  }
  if (Object.hasOwn(fields, 'replies')) fields.replies = replyList(fields.replies);
  return fields;
}

/** Replies in a form field: JSON, or an empty string for none. */
const fromText = (replies: string): unknown => (replies === '' ? null : (fromJson(replies) ?? replies));

/** Replies as a list: a single one may come without its list, and `false` stands for none. */
function replyList(replies: unknown): unknown {
  if (replies === false) return null;
  if (!isObject(replies)) return replies;
  return Object.keys(replies).length === 0 ? [] : [replies];
}

/** Splits events with several replies into one event for each reply; other events stay as they are. */
export const splitReplies = (events: CallbackEvent[]): CallbackEvent[] =>
  events.flatMap((event) =>
    event.replies?.length ? event.replies.map((reply) => ({ ...event, replies: [reply] })) : [event],
  );

/** How much may still be copied. */
interface Budget {
  /** Objects, lists and scalars. */
  values: number;
  /** Characters of strings and keys. */
  characters: number;
}

/** Keys that reach into an object's prototype when they are copied carelessly. */
const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

const TOO_MUCH = Symbol('too much');

/**
 * Copies a JSON value without prototype keys. `depth` is the number of levels that it may have. `budget` is used up
 * in place, so that several copies can share it. Returns undefined where the value exceeds either.
 */
export function boundedCopy(value: unknown, depth: number, budget: Budget): unknown {
  const copied = copy(value, depth, budget);
  return copied === TOO_MUCH ? undefined : copied;
}

function copy(value: unknown, depth: number, budget: Budget): unknown {
  budget.values -= 1;
  if (typeof value === 'string') budget.characters -= value.length;
  if (depth < 0 || budget.values < 0 || budget.characters < 0) return TOO_MUCH;
  if (Array.isArray(value)) return copyList(value as unknown[], depth, budget);
  return isObject(value) ? copyObject(value, depth, budget) : value;
}

function copyList(list: unknown[], depth: number, budget: Budget): unknown {
  const result: unknown[] = [];
  for (const entry of list) {
    const copied = copy(entry, depth - 1, budget);
    if (copied === TOO_MUCH) return TOO_MUCH;
    result.push(copied);
  }
  return result;
}

function copyObject(value: Record<string, unknown>, depth: number, budget: Budget): unknown {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (UNSAFE_KEYS.has(key)) continue;
    budget.characters -= key.length;
    const copied = copy(value[key], depth - 1, budget);
    if (copied === TOO_MUCH) return TOO_MUCH;
    result[key] = copied;
  }
  return result;
}
