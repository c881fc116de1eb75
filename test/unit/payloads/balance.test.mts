/** The payload of `balance`, whose fields the contract doesn't show. */
import { readBalance } from '../../../nodes/gateway/payloads/balance.ts';

it.each<[number | undefined, ...payloads: unknown[]]>([
  [12.5, { amount: 12.5, currency: 'EUR' }],
  [-3.2, { amount: '-3.20' }],
  [100, { balance: '100' }],
  [42, 42],
  [1, { amount: null, balance: 1 }],
  [undefined, { balance: { amount: 7, currency: 'UAH' } }, { amount: '' }, { credit: 5 }],
  [undefined, '1 000', undefined, []],
])('reads %p in %j', (amount, ...payloads) => {
  for (const payload of payloads) expect([payload, readBalance(payload)]).toEqual([payload, amount]);
});
