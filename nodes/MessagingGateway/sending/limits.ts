import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { smsTextOf } from '../../gateway/contract/operations';
import { measureSms } from '../../gateway/sms/segments';
import { InvalidParameter, quoted } from '../fields/field';
import { inValues, property, valuesIn } from '../fields/property';
import { asNumber } from '../fields/values';
import type { FailedItem, ItemError } from '../run/item-result';
import { readForAll } from '../run/output';
import type { OutgoingRow, RowRefusal, RowOrResult } from '../run/row';
import { isRow, mayHaveLeft } from '../run/row';
import type { Run } from '../run/run';
import { USUAL_PARTS } from '../run/text-tally';

const LABELS = {
  maxMessages: 'Max Messages per Run',
  maxParts: 'Max Parts per SMS',
  maxTotalParts: 'Max Parts per Run',
} as const;

type LimitName = keyof typeof LABELS;

const NAMES = Object.keys(LABELS) as LimitName[];

/** For a text that nobody meant, such as a whole page, which would be billed as dozens of messages. */
export const USUAL_MAX_PARTS = 6;

export const LIMITS: INodeProperties = {
  displayName: 'Limits',
  name: 'limits',
  type: 'fixedCollection',
  default: { values: {} },
  description: `How many messages and SMS parts a run may send, and how many parts an SMS may have. Empty: a run has no limit, and an SMS has at most ${USUAL_MAX_PARTS} parts.`,
  options: inValues(
    NAMES.map((name) =>
      property(LABELS[name], name, undefined, {
        type: 'number',
        noDataExpression: true,
        ...(name === 'maxParts' ? { default: USUAL_MAX_PARTS } : { placeholder: 'e.g. 500' }),
      }),
    ),
  ),
};

export type Limits = { maxParts: number } & Partial<Record<LimitName, number>>;

/**
 * Reads the limits of a run from the options of its first item. They are the author's own numbers: an agent could fill in an
 * expression.
 * @throws NodeOperationError for an expression, and for a limit that isn't a whole number from 1 on
 */
export const limitsOf = (run: Run): Limits =>
  readForAll(run, () => {
    const limits = run.form.option(LIMITS.name);
    if (limits === undefined) return { maxParts: USUAL_MAX_PARTS };
    const options = run.form.raw('options') as IDataObject;
    const raw = options.limits ?? options;
    if (JSON.stringify(raw).includes('{{'))
      throw new InvalidParameter(quoted(LIMITS.displayName), 'numbers without expressions', raw);
    const read = (name: LimitName): number | undefined => {
      const given = valuesIn(limits)[name];
      const value = asNumber(given, LABELS[name]);
      if (value === undefined || (value > 0 && Number.isInteger(value))) return value;
      throw new InvalidParameter(quoted(LABELS[name]), 'a whole number from 1 on', given);
    };
    return {
      maxMessages: read('maxMessages'),
      maxParts: read('maxParts') ?? USUAL_MAX_PARTS,
      maxTotalParts: read('maxTotalParts'),
    };
  });

/** The longest text that can't be more than three parts: of 67 units, an emoji at the end of each may leave one free. */
const SHORT = 198;

/**
 * Returns the step that counts the parts of the SMS of a message, and notes them where they are many. The step throws
 * InvalidParameter for more than the limits allow.
 */
export const partsWithinLimit =
  ({ maxParts }: Limits): RowRefusal =>
  ({ operation }, { index, run: { form, texts } }): undefined => {
    const text = smsTextOf(operation);
    if (text === undefined) return;
    // Measured only where the text may have more than three parts: fewer are neither refused nor mentioned, and measuring 10,000
    // texts takes time.
    if (maxParts >= USUAL_PARTS && text.length <= SHORT) return;
    const parts = measureSms(text).segments;
    texts.countParts(index, parts);
    if (parts <= maxParts) return;
    const label = quoted(LABELS.maxParts);
    const isAdded = form.hasOption(LIMITS.name);
    const isMax = isAdded ? `${label} is ${maxParts}` : `${maxParts} are allowed`;
    throw new InvalidParameter('The SMS', `of ${maxParts} or fewer parts`, undefined, {
      reason: `would be billed as ${parts} parts, and ${isMax}`,
      advice: `Shorten the text, or ${isAdded ? `change ${label} in` : 'add the option'} ${quoted(LIMITS.displayName)}${isAdded ? '' : ` and raise ${label}`},`,
    });
  };

/**
 * Refuses all messages of a run that has more of them, or more SMS parts, than its limits allow; those that may have been sent
 * before count.
 */
export function refuseBeyondLimits(
  { maxMessages = Infinity, maxTotalParts = Infinity }: Limits,
  rows: RowOrResult[],
): void {
  let messages = 0;
  let parts = 0;
  for (const row of rows) {
    if (!isRow(row)) continue;
    messages += 1;
    if (maxTotalParts < Infinity) parts += measureSms(smsTextOf(row.operation) ?? '').segments;
  }
  let error: ItemError | undefined;
  const isFirst = rows.every((row) => !isRow(row) || !mayHaveLeft(row));
  const nothing = `Nothing was sent${isFirst ? '' : ' in this try'}`;
  if (messages > maxMessages)
    error = beyond('maxMessages', maxMessages, `${inDigits(messages)} messages`, nothing);
  else if (parts > maxTotalParts)
    error = beyond('maxTotalParts', maxTotalParts, `${inDigits(parts)} SMS parts`, nothing);
  if (error === undefined) return;
  for (const [index, row] of rows.entries()) if (isRow(row)) rows[index] = notSentItem(row, error);
}

const beyond = (name: LimitName, limit: number, found: string, nothing: string): ItemError => ({
  kind: 'input',
  message: `This run would send ${found}; ${quoted(LABELS[name])} is ${inDigits(limit)}`,
  description: `${nothing}. Check the items; if they are right, change ${quoted(LABELS[name])} in ${quoted(LIMITS.displayName)}, and run the node again.`,
  todo: `check the items; if they are right, change ${quoted(LABELS[name])} in ${quoted(LIMITS.displayName)}`,
  wholeRun: true,
});

const inDigits = (count: number): string => count.toLocaleString('en-US');

function notSentItem(row: OutgoingRow, error: ItemError): FailedItem {
  const { id, type, phone } = row.operation;
  return { error, state: mayHaveLeft(row) ? 'unknown' : 'notSent', json: { id, type, phone } };
}
