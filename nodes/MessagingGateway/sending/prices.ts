import type { INodeProperties } from 'n8n-workflow';

import type { Channel } from '../../gateway/contract/channels';
import { channelOptions, CHANNELS, PIPELINE_CHANNELS } from '../../gateway/contract/channels';
import type { WireOperation } from '../../gateway/contract/operations';
import { channelsOf, smsTextOf } from '../../gateway/contract/operations';
import { parsePrefixes } from '../../gateway/numbers/allowed-prefixes';
import { measureSms } from '../../gateway/sms/segments';
import { isObject } from '../../gateway/text/json';
import { joined } from '../../gateway/text/phrases';
import { InvalidParameter, quoted } from '../fields/field';
import { channelNamed } from '../fields/preferred-channel';
import { entriesIn, readOnce } from '../fields/property';
import { asTrimmed } from '../fields/values';
import type { MessageCost } from '../run/costs';
import { AMOUNT_ACCEPTED, millionthsOf } from '../run/costs';

const PREFIX_LABEL = 'Prefix';
const CHANNEL_LABEL = 'Channel';
const PRICE_LABEL = 'Price';
const CURRENCY_LABEL = 'Currency';

export const PRICES: INodeProperties = {
  displayName: 'Prices',
  name: 'prices',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add Price',
  default: {},
  description:
    "Your tariff, by beginnings of numbers. The longest beginning counts. 'Check Only' shows the cost with it, and 'Max Cost per Run' in 'Limits' needs it.",
  options: [
    {
      displayName: PRICE_LABEL,
      name: 'rows',
      values: [
        {
          displayName: PREFIX_LABEL,
          name: 'prefix',
          type: 'string',
          default: '',
          placeholder: 'e.g. 380',
          description: 'Empty: all other numbers',
        },
        {
          displayName: CHANNEL_LABEL,
          name: 'channel',
          type: 'options',
          options: channelOptions(PIPELINE_CHANNELS),
          default: 'sms',
        },
        {
          // Text, since a number would be 0 where it is forgotten.
          displayName: PRICE_LABEL,
          name: 'price',
          type: 'string',
          default: '',
          placeholder: 'e.g. 0.05',
          description: 'Of a part of an SMS, or of a message on another channel',
        },
        {
          displayName: CURRENCY_LABEL,
          name: 'currency',
          type: 'string',
          default: '',
          placeholder: 'e.g. EUR',
        },
      ],
    },
  ],
};

const LABEL = quoted(PRICES.displayName);

interface Price {
  millionths: bigint;
  currency: string;
}

export interface PriceList {
  /** By channel and prefix; the prefix of all numbers is empty. */
  prices: ReadonlyMap<string, Price>;
  currencies: ReadonlySet<string>;
}

const keyOf = (channel: Channel, prefix: string): string => `${channel} ${prefix}`;

/**
 * Returns the price list of an item's options; undefined where the option isn't added.
 * @throws InvalidParameter for a row that can't be read, and for two that contradict each other
 */
export function readPrices({ [PRICES.name]: given }: Record<string, unknown>): PriceList | undefined {
  return given === undefined ? undefined : listOf(given);
}

const listOf = readOnce((given): PriceList => {
  const rows = entriesIn(given, 'rows');
  if (!Array.isArray(rows)) throw new InvalidParameter(LABEL, 'a list of prices', rows);
  const prices = new Map<string, Price>();
  const currencies = new Set<string>();
  for (const [index, row] of (rows as unknown[]).entries()) {
    const place = `of row ${index + 1} in ${LABEL}`;
    const { prefixes, channel, price } = readRow(isObject(row) ? row : {}, place);
    currencies.add(price.currency);
    for (const prefix of prefixes) {
      const key = keyOf(channel, prefix);
      const earlier = prices.get(key) ?? price;
      if (earlier.millionths !== price.millionths || earlier.currency !== price.currency)
        throw new InvalidParameter(
          `${quoted(PRICE_LABEL)} ${place}`,
          `the same as in the earlier row for ${CHANNELS[channel]} and ${prefix === '' ? 'all other numbers' : prefix}`,
          isObject(row) ? row.price : row,
        );
      prices.set(key, price);
    }
  }
  return { prices, currencies };
});

function readRow(
  { prefix, channel, price, currency }: Record<string, unknown>,
  place: string,
): { prefixes: string[]; channel: Channel; price: Price } {
  const labelled = (label: string): string => `${quoted(label)} ${place}`;
  const read = parsePrefixes(prefix);
  // What isn't there stands for no number: an expression without a value must not price them all.
  if (!read.ok || (typeof prefix !== 'string' && typeof prefix !== 'number'))
    throw new InvalidParameter(
      labelled(PREFIX_LABEL),
      'the beginning of numbers, such as 380, or empty text for all others',
      prefix,
    );
  const found = typeof channel === 'string' ? channelNamed(channel) : undefined;
  if (found === undefined)
    throw new InvalidParameter(labelled(CHANNEL_LABEL), `one of ${PIPELINE_CHANNELS.join(', ')}`, channel);
  const isGiven = typeof price === 'number' || (typeof price === 'string' && price.trim() !== '');
  const millionths = isGiven ? millionthsOf(Number(price)) : undefined;
  if (millionths === undefined) throw new InvalidParameter(labelled(PRICE_LABEL), AMOUNT_ACCEPTED, price);
  return {
    prefixes: read.prefixes.length === 0 ? [''] : read.prefixes,
    channel: found,
    price: { millionths, currency: asTrimmed(currency, CURRENCY_LABEL)?.toUpperCase() ?? '' },
  };
}

/**
 * Returns what a message costs by a price list. An SMS costs its parts, any other channel one price. Of several channels one
 * counts: the cheapest is the least, and the dearest the most that the message may cost.
 */
export function costOf(operation: WireOperation, list: PriceList | undefined): MessageCost {
  const channels = channelsOf(operation.type) ?? (operation.pipeline as Channel[]);
  const found = channels.map((channel) => ({ channel, price: priceOf(list, channel, operation.phone) }));
  const lacking = found.filter(({ price }) => price === undefined).map(({ channel }) => CHANNELS[channel]);
  if (lacking.length > 0) return { unknown: `no price for ${joined(lacking, 'and')} to ${operation.phone}` };
  const prices = found.flatMap(({ channel, price }) => (price ? [{ ...price, channel }] : []));
  const currencies = [...new Set(prices.map(({ currency }) => currency))];
  if (currencies.length > 1)
    return { unknown: `the prices of its channels are in ${currenciesInWords(currencies)}` };
  const amounts = prices.map(
    ({ channel, millionths }) => millionths * (channel === 'sms' ? partsOf(operation) : 1n),
  );
  return {
    least: amounts.reduce((one, other) => (other < one ? other : one)),
    most: amounts.reduce((one, other) => (other > one ? other : one)),
    currency: currencies[0],
    isRange: channels.length > 1,
  };
}

/** Returns currencies for a sentence, the one without a name included. */
export const currenciesInWords = (currencies: Iterable<string>): string =>
  joined(
    [...currencies].map((currency) => currency || 'no currency'),
    'and',
  );

const partsOf = (operation: WireOperation): bigint =>
  BigInt(Math.max(1, measureSms(smsTextOf(operation) ?? '').segments));

function priceOf(list: PriceList | undefined, channel: Channel, phone: unknown): Price | undefined {
  const number = String(phone);
  for (let length = number.length; length >= 0; length -= 1) {
    const price = list?.prices.get(keyOf(channel, number.slice(0, length)));
    if (price) return price;
  }
  return undefined;
}
