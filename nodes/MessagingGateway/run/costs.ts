import type { IDataObject } from 'n8n-workflow';

import { joined } from '../../gateway/text/phrases';

/** Amounts are whole millionths of a currency, so that sums are exact. */
const DECIMALS = 6;
const MILLION = 10n ** BigInt(DECIMALS);
const LARGEST_AMOUNT = 1e9;

/** Expressions that calculate, such as 0.1 + 0.2, miss a decimal number by less. */
const NOISE = 1e-9;

/** What an amount must be, for error messages. */
export const AMOUNT_ACCEPTED = `a number from 0 to 1,000,000,000 with at most ${DECIMALS} decimals`;

/** What one message may cost, in millionths of the currency. */
export interface Cost {
  least: bigint;
  most: bigint;

  /** Empty where the prices name none. */
  currency: string;

  /** Whether it depends on the channel by which the message arrives. */
  isRange: boolean;
}

type Total = Omit<Cost, 'isRange'>;

/** Why it isn't known what a message costs: a phrase. */
export interface UnknownCost {
  unknown: string;
}

export type MessageCost = Cost | UnknownCost;

/** Returns an amount in millionths; undefined for what isn't accepted as one. */
export function millionthsOf(amount: number): bigint | undefined {
  if (!(amount >= 0 && amount <= LARGEST_AMOUNT)) return undefined;
  const decimal = amount.toFixed(DECIMALS);
  const isExact = Math.abs(Number(decimal) - amount) < NOISE * Math.max(1, amount);
  return isExact && !(amount > 0 && Number(decimal) === 0) ? BigInt(decimal.replace('.', '')) : undefined;
}

/** Returns an amount as text with two decimals or more, such as 1,234.50; with its currency, where it has one. */
export function moneyInWords(millionths: bigint, currency = ''): string {
  const decimals = decimalsOf(millionths).replace(/0{1,4}$/, '');
  return `${(millionths / MILLION).toLocaleString('en-US')}.${decimals} ${currency}`.trimEnd();
}

const decimalsOf = (millionths: bigint): string => String(millionths % MILLION).padStart(DECIMALS, '0');
const asNumber = (millionths: bigint): number => Number(`${millionths / MILLION}.${decimalsOf(millionths)}`);

/** Returns the cost of messages in sum: one for each currency, in the order in which they come. */
export function totalsOf(costs: readonly Cost[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { least, most, currency } of costs) {
    const total = totals.get(currency) ?? { least: 0n, most: 0n, currency };
    total.least += least;
    total.most += most;
    totals.set(currency, total);
  }
  return [...totals.values()];
}

/** Returns the fields of a row that say what it costs; `cost` is the largest amount, or null where it isn't known. */
export function costFields(cost: MessageCost): IDataObject {
  if ('unknown' in cost) return { cost: null, cost_unknown: cost.unknown };
  const { least, most, currency, isRange } = cost;
  return {
    cost: asNumber(most),
    ...(isRange && { cost_min: asNumber(least), cost_max: asNumber(most) }),
    ...(currency !== '' && { currency }),
  };
}

/** Returns what a row costs that is sent with another one. */
export const freeOf = (cost: MessageCost): Cost =>
  'unknown' in cost
    ? { least: 0n, most: 0n, currency: '', isRange: false }
    : { ...cost, least: 0n, most: 0n };

/** Says what messages cost in sum, and of how many that isn't known. */
export function costInWords(costs: readonly MessageCost[]): string {
  const known = costs.filter((cost): cost is Cost => !('unknown' in cost));
  const totals = totalsOf(known).map(({ least, most, currency }) =>
    least === most
      ? moneyInWords(most, currency)
      : `${moneyInWords(least)} to ${moneyInWords(most, currency)}`,
  );
  const unknown = costs.length - known.length;
  const sentences = [];
  if (totals.length > 0) sentences.push(`Cost: ${joined(totals, 'and')}`);
  if (unknown > 0) {
    const [have, their] = unknown === 1 ? ['has', 'its item'] : ['have', 'their items'];
    sentences.push(
      `${unknown} of ${costs.length} messages ${have} no known cost: see "cost_unknown" in ${their}`,
    );
  }
  return sentences.join('; ');
}
