/** Payloads of `balance`, `sender`, `hlr` and `status`, which the contract leaves open. */
import type { Account } from '../account.mts';
import type { Shapes } from '../config.mts';
import type { JsonObject, SandboxMessage } from '../types.mts';

/** The `sender` payload in the chosen shape. */
export function senderPayload(account: Account, shape: Shapes['senders']): unknown {
  const entries = Object.entries(account.senders).map(
    ([channel, names]) => [channel, names.filter((name) => name !== '*')] as const,
  );
  if (shape === 'by-channel') return Object.fromEntries(entries);
  if (shape === 'objects') {
    return {
      senders: entries.flatMap(([type, names]) => names.map((name) => ({ name, type, status: 'approved' }))),
    };
  }
  const names = [...new Set(entries.flatMap(([, list]) => list))];
  return shape === 'array' ? names : { senders: names };
}

const OPERATORS = ['Northern Mobile', 'Southern Cell', 'Eastern Wireless'];

/** The `hlr` payload; operator and porting follow from the digits, so the same number always looks the same. */
export function lookupPayload(id: unknown, phone: number, shape: Shapes['hlr']): JsonObject {
  const digits = String(phone);
  const last = phone % 10;
  const ported = last % 2 === 1;
  const operator = (index: number) => OPERATORS[index % OPERATORS.length];
  const country = { name: 'Testland', prefix: digits.slice(0, 2) };
  if (shape === 'flat') {
    return { id, phone, operator: operator(ported ? last + 1 : last), country: country.name, ported };
  }
  const network = (index: number) => ({ name: operator(index), prefix: digits.slice(0, 5), country });
  return {
    id,
    phone,
    status: 'DELIVERED',
    imsi: `00101${digits.slice(-10).padStart(10, '0')}`,
    mccmnc: `0010${(last % 3) + 1}`,
    ported,
    network: { origin: network(last), ...(ported ? { ported: network(last + 1) } : {}) },
  };
}

/** The `status` payload of a message in the chosen shape. */
export function statusPayload(
  message: SandboxMessage,
  shape: Shapes['status'],
  ids: { id: unknown; msgId: unknown },
): JsonObject {
  const short = { id: ids.id, type: message.channel, status: message.status };
  if (shape === 'short') return short;
  return {
    ...short,
    msg_id: ids.msgId,
    updated: message.updated,
    ...(message.error === undefined ? {} : { error: message.error }),
    ...(message.reply === undefined ? {} : { reply: message.reply }),
    ...(message.duration === undefined ? {} : { duration: message.duration }),
    ...(message.replies.length > 0 ? { replies: message.replies } : {}),
  };
}
