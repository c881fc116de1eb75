import { payloadFields } from './fields';

/**
 * Returns the amount in a payload of `balance`; undefined where it can't be read. The contract shows only the field of the
 * assistant connector, `amount` (gateway-api.md, "Assistant connector", "What the contract leaves open").
 */
export function readBalance(payload: unknown): number | undefined {
  const { amount, balance, data } = payloadFields(payload);
  const given = [amount, balance, data].find((value) => value !== undefined && value !== null);
  const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
