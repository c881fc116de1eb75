/** Messages, requests, callbacks and settings as an open phone page gets them. */
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
  const { seq, at, ms, method, url, items, fault, status } = record;
  return { seq, at, ms, method, url, items, fault, status };
}

/** A request with what was sent and what was answered, as text. */
export function requestDetails({ answered: _answered, raw, ...record }: RecordedRequest): JsonObject {
  return { ...record, raw: raw.toString() };
}

/** Settings, as far as the page shows or changes them. */
export function situationOf({ config, accounts }: Gateway): JsonObject {
  const [account] = accounts.values();
  return { fallback: config.outcomes.fallback, notificationUrl: account?.notificationUrl ?? null };
}
