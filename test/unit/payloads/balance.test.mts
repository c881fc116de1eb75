/** The payload of `balance`, whose fields the contract doesn't show. */
import { readBalance } from '../../../nodes/gateway/payloads/balance.ts';

it.each<[unknown, number | undefined]>([
  [{ amount: 12.5, currency: 'EUR' }, 12.5],
  [{ amount: '-3.20' }, -3.2],
  [{ balance: '100' }, 100],
  [{ balance: { amount: 7, currency: 'UAH' } }, undefined],
  [42, 42],
  ['1 000', undefined],
  [{ amount: '' }, undefined],
  [{ amount: null, balance: 1 }, 1],
  [{ credit: 5 }, undefined],
  [undefined, undefined],
  [[], undefined],
])('reads %j as %p', (payload, amount) => expect(readBalance(payload)).toBe(amount));
