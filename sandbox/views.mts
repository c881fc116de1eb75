/** What an open phone page is told of messages, requests, callbacks and settings. */
import { isObject } from './checks.mts';
import type { Gateway } from './gateway.mts';
import { smsTextOf } from './operations/facts.mts';
import type { RecordedRequest } from './requests.mts';
import { smsCount } from './sms.mts';
import type { JsonObject, SandboxMessage } from './types.mts';

/** A message, with how its SMS is billed where one can come of it. */
export function messageView(message: SandboxMessage): JsonObject {
  const text = message.channels.includes('sms') ? smsTextOf(message.operation) : undefined;
  return { ...message, ...(typeof text === 'string' ? { sms: smsCount(text) } : {}) };
}

/** A request in figures; what was sent and answered is fetched by its `seq`. */
export function requestView(record: RecordedRequest): JsonObject {
  const { seq, at, ms, endpoint, method, url, items, fault, status, error, requestId } = record;
  const types = typesOf(record);
  return { seq, at, ms, endpoint, method, url, items, types, fault, status, error, requestId };
}

/** A request with what was sent and what was answered, as text. */
export function requestDetails({ answered: _answered, raw, ...record }: RecordedRequest): JsonObject {
  return { ...record, raw: raw.toString() };
}

/** Above this size a request is not read again only to name its types. */
const MOST_READ = 256 * 1024;

/** How many operations of each type a request holds; the method of a JSON-RPC call. */
function typesOf(record: RecordedRequest): Record<string, number> {
  const { body } = record.raw.length > MOST_READ ? {} : record;
  if (!isObject(body)) return {};
  const named = Array.isArray(body.data)
    ? body.data.map((one) => (isObject(one) ? one.type : ''))
    : [body.method];
  const counts = new Map<string, number>();
  for (const name of named) {
    if (typeof name !== 'string') continue;
    const type = name.slice(0, 40);
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].slice(0, 20));
}

/** Settings, as far as the page shows or changes them. */
export function situationOf({ config, accounts }: Gateway): JsonObject {
  const [account] = accounts.values();
  return { fallback: config.outcomes.fallback, notificationUrl: account?.notificationUrl ?? null };
}
