import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { askOne } from '../../gateway/client/ask';
import { smsTextOf } from '../../gateway/contract/operations';
import { explain } from '../../gateway/errors/catalogue';
import { readBalance } from '../../gateway/payloads/balance';
import { measureSms } from '../../gateway/sms/segments';
import { isAgentTool } from '../agent/detect';
import { InvalidParameter, quoted } from '../fields/field';
import { valuesIn } from '../fields/property';
import { asNumber } from '../fields/values';
import { hasExpression } from '../parameters/direct-read';
import type { Cost } from '../run/costs';
import { AMOUNT_ACCEPTED, millionthsOf, moneyInWords, totalsOf } from '../run/costs';
import type { ItemError } from '../run/item-result';
import type { Run } from '../run/run';
import { costOf, currenciesInWords, PRICES } from './prices';
import type { Pending } from './sending';

const LABELS = {
  maxCost: 'Max Cost per Run',
  maxMessages: 'Max Messages per Run',
  maxParts: 'Max Parts per SMS',
  maxTotalParts: 'Max Parts per Run',
  minBalance: 'Min Balance',
} as const;

type LimitName = keyof typeof LABELS;

/** Limits of money; all others are counts. */
const AMOUNTS: readonly LimitName[] = ['maxCost', 'minBalance'];
const NAMES = Object.keys(LABELS) as LimitName[];

export const LIMITS: INodeProperties = {
  displayName: 'Limits',
  name: 'limits',
  type: 'fixedCollection',
  default: {},
  description: 'A run that would exceed one of these sends nothing. 0 for no limit.',
  options: [
    {
      displayName: 'Limits',
      name: 'values',
      values: NAMES.map((name) => ({ displayName: LABELS[name], name, type: 'number', default: 0 })),
    },
  ],
};

/**
 * Reads the limits of a run from the options of its first item; 0 is no limit. In an agent's tool only the author's own
 * numbers count, and prices where the cost is limited: the agent could fill in an expression.
 * @throws InvalidParameter for a limit that isn't a number from 0 on, and for an expression without a value
 */
function readLimits(run: Run): Record<LimitName, number> | undefined {
  const { limits } = run.form.options(0);
  if (limits === undefined) return undefined;
  const options = run.context.getNodeParameter('options', 0, {}, { rawExpressions: true }) as IDataObject;
  const { limits: raw, prices: rawPrices } = options;
  if (hasExpression(raw ?? options) && isAgentTool(run.context)) {
    const accepted = "numbers without expressions in an agent's tool";
    throw new InvalidParameter(quoted(LIMITS.displayName), accepted, raw ?? options);
  }
  const read = (name: LimitName): number => {
    const given = valuesIn(limits)[name];
    const value = asNumber(given, LABELS[name]) ?? (hasExpression(valuesIn(raw)[name]) ? undefined : 0);
    const isAmount = AMOUNTS.includes(name);
    if (value !== undefined && value >= 0 && (isAmount || Number.isInteger(value))) return value;
    const accepted = `a ${isAmount ? '' : 'whole '}number, 0 for no limit`;
    throw new InvalidParameter(quoted(LABELS[name]), accepted, given);
  };
  const values = Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Record<LimitName, number>;
  if (values.maxCost > 0 && hasExpression(rawPrices) && isAgentTool(run.context)) {
    const accepted = `without expressions in an agent's tool with ${quoted(LABELS.maxCost)}`;
    throw new InvalidParameter(quoted(PRICES.displayName), accepted, rawPrices);
  }
  if (millionthsOf(values.maxCost) === undefined)
    throw new InvalidParameter(quoted(LABELS.maxCost), AMOUNT_ACCEPTED, values.maxCost);
  return values;
}

/**
 * Returns why none of the messages may be sent, which are all that a run sends and may have sent before.
 * @throws NodeOperationError for an invalid limit
 */
export async function beyondLimits(run: Run, messages: Pending[]): Promise<ItemError | undefined> {
  const limits = run.reading(0, () => readLimits(run));
  if (limits === undefined || messages.length === 0) return undefined;
  const beyond = beyondCounts(run, messages, limits) ?? beyondCost(run, messages, limits.maxCost);
  return beyond ?? (await belowBalance(run, limits.minBalance));
}

function beyondCounts(
  run: Run,
  messages: Pending[],
  { maxMessages, maxParts, maxTotalParts }: Record<LimitName, number>,
): ItemError | undefined {
  if (maxMessages > 0 && messages.length > maxMessages)
    return refusal('maxMessages', maxMessages, `This run would send ${counted(messages.length)} messages`);
  if (maxParts === 0 && maxTotalParts === 0) return undefined;
  let total = 0;
  for (const { operation, index } of messages) {
    const parts = measureSms(smsTextOf(operation) ?? '').segments;
    total += parts;
    if (maxParts > 0 && parts > maxParts) {
      return refusal('maxParts', maxParts, `The SMS${itemOf(run, index)} would have ${counted(parts)} parts`);
    }
  }
  if (maxTotalParts === 0 || total <= maxTotalParts) return undefined;
  return refusal('maxTotalParts', maxTotalParts, `This run would send ${counted(total)} SMS parts`);
}

/** What has no price, or prices of several currencies, has no cost to compare with the limit. */
function beyondCost(run: Run, messages: Pending[], limit: number): ItemError | undefined {
  if (limit === 0) return undefined;
  const lists = [...new Set(messages.map(({ prices }) => prices))];
  const currencies = new Set(lists.flatMap((list) => [...(list?.currencies ?? [])]));
  const prices = quoted(PRICES.displayName);
  if (currencies.size > 1) {
    const what = `${prices} are in ${currenciesInWords(currencies)}, which don't add up`;
    return refusal(
      'maxCost',
      limit,
      what,
      `Give all ${prices} in the currency of the limit, and run the node again.`,
    );
  }
  const costs: Cost[] = [];
  for (const { operation, index, prices: list } of messages) {
    const cost = costOf(operation, list);
    if ('unknown' in cost) {
      const what = `The cost${itemOf(run, index)} isn't known: ${cost.unknown}`;
      return refusal('maxCost', limit, what, `Add what is missing to ${prices}, and run the node again.`);
    }
    costs.push(cost);
  }
  const [{ least, most, currency }] = totalsOf(costs);
  if (most <= (millionthsOf(limit) ?? 0n)) return undefined;
  const upTo = least < most ? 'up to ' : '';
  return refusal('maxCost', limit, `This run would cost ${upTo}${moneyInWords(most, currency)}`);
}

/** Names the item of a message, where there are several. */
const itemOf = (run: Run, index: number): string =>
  run.form.inputCount < 2 ? '' : ` of item ${run.form.inputOf(index)}`;

/** Asks for the balance once, before the run: a later try of it has spent some. */
async function belowBalance(run: Run, least: number): Promise<ItemError | undefined> {
  if (least === 0 || run.items.some((_, index) => run.journal.find(index) !== undefined)) return undefined;
  const asked = await askOne(await run.transport(), { type: 'balance' });
  if (!asked.ok) {
    const { message, description } = explain(asked.problem);
    return refusal('minBalance', least, `The balance can't be read: ${message}`, `${description} ${AGAIN}`);
  }
  const balance = readBalance(asked.payload);
  if (balance === undefined)
    return refusal('minBalance', least, "The balance can't be read from the gateway's answer", AGAIN);
  return balance < least ? refusal('minBalance', least, `The balance is ${counted(balance)}`) : undefined;
}

const AGAIN = 'Run the node again once it can be read.';
const adviceOn = (name: LimitName): string =>
  `${name === 'minBalance' ? 'Top up your gateway account, or' : 'Check the items; if they are right,'} change ${quoted(LABELS[name])} in ${quoted(LIMITS.displayName)}, and run the node again.`;

const refusal = (name: LimitName, limit: number, what: string, advice = adviceOn(name)): ItemError => ({
  kind: 'input',
  message: `${what}; ${quoted(LABELS[name])} is ${counted(limit)}`,
  description: `Nothing was sent. ${advice}`,
  wholeRun: true,
});

const counted = (count: number): string => count.toLocaleString('en-US', { maximumFractionDigits: 6 });
