/** Payloads of `balance`, `sender`, `hlr` and `status`, which the contract leaves open. */
import type { Account } from '../account.mts';
import type { JsonObject, SandboxMessage } from '../types.mts';

/** The `sender` payload: names by channel. */
export function senderPayload(account: Account): unknown {
  return Object.fromEntries(
    Object.entries(account.senders).map(([channel, names]) => [
      channel,
      names.filter((name) => name !== '*'),
    ]),
  );
}

const OPERATORS = ['Northern Mobile', 'Southern Cell', 'Eastern Wireless'];

/** The `hlr` payload; operator and porting follow from the digits, so the same number always looks the same. */
export function lookupPayload(id: unknown, phone: number): JsonObject {
  const digits = String(phone);
  const last = phone % 10;
  const ported = last % 2 === 1;
  const operator = (index: number) => OPERATORS[index % OPERATORS.length];
  const country = { name: 'Testland', prefix: digits.slice(0, 2) };
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

/** The `status` payload of a message. */
export function statusPayload(message: SandboxMessage): JsonObject {
  return {
    id: message.id,
    type: message.channel,
    status: message.status,
    msg_id: message.msgId,
    updated: message.updated,
    ...(message.error === undefined ? {} : { error: message.error }),
    ...(message.reply === undefined ? {} : { reply: message.reply }),
    ...(message.duration === undefined ? {} : { duration: message.duration }),
    ...(message.replies.length > 0 ? { replies: message.replies } : {}),
  };
}
