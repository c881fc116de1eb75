import { explainConnector } from '../../gateway/connector/explain';
import type { ToolOutcome } from '../../gateway/connector/tools';
import type { CallFailure } from '../../gateway/connector/client';
import { explain } from '../../gateway/errors/catalogue';
import { quote, withReason } from '../../gateway/text/phrases';
import type { FailedItem, ItemError } from '../run/item-result';
import { SWITCH_ON } from './connector';

/** The failure of an item; empty sentences of its description are left out. */
const failedItem = (
  message: string,
  description: Array<string | undefined>,
  failure?: ItemError['failure'],
): FailedItem => ({
  error: { kind: 'service', message, description: description.filter(Boolean).join(' '), failure },
});

/** The failure of an item for which the connector returned no result. `call`: that of a tool, and why sending is switched off. */
export function failedCall(failed: CallFailure, call?: { why?: string }): FailedItem {
  const isInDoubt = call !== undefined && failed.mayHaveRun;
  const { message, description, failure } = explainConnector(failed.problem, { isInDoubt });
  const fate = call && !failed.mayHaveRun ? 'Nothing was sent.' : undefined;
  return failedItem(message, [fate, call?.why && `${call.why}. ${SWITCH_ON}`, description], failure);
}

const ASK_FIRST =
  'It was not called again because that might send a message twice. Find out whether the message was sent before you run this item again.';

/** The failure of a confirmed call that may or may not have been carried out. */
export function unknownCall(tool: string, failure?: CallFailure): FailedItem {
  const explanation = failure && explainConnector(failure.problem, { isInDoubt: true });
  const because = explanation ? `: ${explanation.message}` : '';
  const message = `The outcome of the tool ${quote(tool)} is unknown${because}`;
  const description = [ASK_FIRST, explanation?.description];
  return { ...failedItem(message, description, explanation?.failure), state: 'unknown' };
}

export function refusedCall(
  tool: string,
  { reason, howTo }: Extract<ToolOutcome, { kind: 'refused' }>,
  advice: string | undefined,
): FailedItem {
  const message = withReason(`The connector refused the tool ${quote(tool)}`, reason);
  return failedItem(message, [
    'Nothing was sent.',
    advice,
    howTo && `The connector's advice: ${quote(howTo)}.`,
  ]);
}

/** The failure of a call that names no recipient, where only some numbers are allowed. */
export const recipientMissing = (tool: string): FailedItem =>
  failedItem(`The tool ${quote(tool)} was not called`, [
    'Nothing was sent.',
    'Only some numbers are allowed, and neither phone, to, recipient nor number is among both the arguments that the tool declares and those of this call. A tool that only reads needs no confirmation.',
    "Send with an operation of the resource Message, to which 'Allowed Number Prefixes' and 'Allowed Recipients' apply as well.",
  ]);

const MAY_HAVE_SENT =
  'If the tool sends, it may have sent all the same: find out before you run this item again.';

/** The failure that a tool itself reports. The gateway may have accepted a message nevertheless. */
export function toolFailed(
  tool: string,
  { text, nothingDone }: Extract<ToolOutcome, { kind: 'failed' }>,
): FailedItem {
  // The gateway's error, passed on by the connector: the address in the advice is the connector's.
  const circumstances = { address: 'mcpUrl', isInDoubt: !nothingDone } as const;
  const { description, failure } = explain({ kind: 'request', text }, circumstances);
  const failed = failedItem(
    withReason(`The tool ${quote(tool)} failed`, text),
    [nothingDone ? 'Nothing was sent.' : MAY_HAVE_SENT, description],
    failure,
  );
  return nothingDone ? failed : { ...failed, state: 'unknown' };
}
