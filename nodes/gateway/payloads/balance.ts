import { payloadFields } from './fields';

/** Names of the amount. The contract shows only that of the connector, `amount` (gateway-api.md, "Assistant connector"). */
const NAMES = ['amount', 'balance', 'data'];

/** Returns the amount in a payload of `balance`; undefined where it holds none (gateway-api.md, "Gaps in the field descriptions"). */
export function readBalance(payload: unknown): number | undefined {
  const fields = payloadFields(payload);
  for (const value of NAMES.map((name) => fields[name])) {
    if (typeof value === 'object' && value !== null) return readBalance(value);
    const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof amount === 'number' && Number.isFinite(amount)) return amount;
  }
  return undefined;
}
