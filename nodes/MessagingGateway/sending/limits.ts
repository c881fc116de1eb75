import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { smsTextOf } from '../../gateway/contract/operations';
import { measureSms } from '../../gateway/sms/segments';
import { isAgentTool } from '../agent/detect';
import { InvalidParameter, quoted } from '../fields/field';
import { valuesIn } from '../fields/property';
import { asNumber } from '../fields/values';
import { hasExpression } from '../parameters/direct-read';
import type { ItemError } from '../run/item-result';
import type { Run } from '../run/run';
import type { Pending } from './sending';

const LABELS = {
  maxMessages: 'Max Messages per Run',
  maxParts: 'Max Parts per SMS',
  maxTotalParts: 'Max Parts per Run',
} as const;

type LimitName = keyof typeof LABELS;

const NAMES = Object.keys(LABELS) as LimitName[];

export const LIMITS: INodeProperties = {
  displayName: 'Limits',
  name: 'limits',
  type: 'fixedCollection',
  default: { values: {} },
  description: 'A run that would exceed one of these sends nothing. Empty for no limit.',
  options: [
    {
      displayName: 'Limits',
      name: 'values',
      values: NAMES.map((name) => ({ displayName: LABELS[name], name, type: 'number', default: '' })),
    },
  ],
};

/**
 * Reads the limits of a run from the options of its first item; 0 is no limit. In an agent's tool only the author's own
 * numbers count: the agent could fill in an expression.
 * @throws InvalidParameter for a limit that isn't a whole number from 0 on, and for an expression without a value
 */
function readLimits(run: Run): Record<LimitName, number> | undefined {
  const { limits } = run.form.options(0);
  if (limits === undefined) return undefined;
  const options = run.context.getNodeParameter('options', 0, {}, { rawExpressions: true }) as IDataObject;
  const { limits: raw } = options;
  if (hasExpression(raw ?? options) && isAgentTool(run.context)) {
    const accepted = "numbers without expressions in an agent's tool";
    throw new InvalidParameter(quoted(LIMITS.displayName), accepted, raw ?? options);
  }
  const read = (name: LimitName): number => {
    const given = valuesIn(limits)[name];
    const value = asNumber(given, LABELS[name]) ?? (hasExpression(valuesIn(raw)[name]) ? undefined : 0);
    if (value !== undefined && value >= 0 && Number.isInteger(value)) return value;
    throw new InvalidParameter(quoted(LABELS[name]), 'a whole number, 0 for no limit', given);
  };
  return Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Record<LimitName, number>;
}

/**
 * Returns why none of the messages may be sent, which are all that a run sends and may have sent before.
 * @throws NodeOperationError for an invalid limit
 */
export function beyondLimits(run: Run, messages: Pending[]): ItemError | undefined {
  const limits = run.reading(0, () => readLimits(run));
  if (limits === undefined) return undefined;
  const { maxMessages, maxParts, maxTotalParts } = limits;
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

/** Names the item of a message, where there are several. */
const itemOf = (run: Run, index: number): string =>
  run.form.inputCount < 2 ? '' : ` of item ${run.form.inputOf(index)}`;

const refusal = (name: LimitName, limit: number, what: string): ItemError => ({
  kind: 'input',
  message: `${what}; ${quoted(LABELS[name])} is ${counted(limit)}`,
  description: `Nothing was sent. Check the items; if they are right, change ${quoted(LABELS[name])} in ${quoted(LIMITS.displayName)}, and run the node again.`,
  wholeRun: true,
});

const counted = (count: number): string => count.toLocaleString('en-US');
