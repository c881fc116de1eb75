import { explainConnector } from '../../gateway/connector/explain';
import type { ToolOutcome } from '../../gateway/connector/tools';
import type { CallFailure } from '../../gateway/connector/client';
import { explain } from '../../gateway/errors/catalogue';
import { quote, withReason } from '../../gateway/text/phrases';
import { quoted } from '../fields/field';
import type { FailedItem, ItemError } from '../run/item-result';
import { SWITCH_ON } from './connector';
import { LABELS } from './properties';

/** Returns the failure of an item, without the empty sentences of its description; `todo` says what to do next, as a clause. */
const failedItem = (
  message: string,
  description: Array<string | undefined>,
  { todo, failure }: Pick<ItemError, 'todo' | 'failure'> = {},
): FailedItem => ({
  error: { kind: 'service', message, description: description.filter(Boolean).join(' '), todo, failure },
});

/**
 * Returns the failure of an item for which the connector returned no result. With `call`, it was the call of a tool that certainly sent
 * nothing; `why` says why sending is switched off.
 */
export function failedCall({ problem }: CallFailure, call?: { why?: string }): FailedItem {
  const { message, description, ...more } = explainConnector(problem);
  const fate = call && 'Nothing was sent.';
  return failedItem(message, [fate, call?.why && `${call.why}. ${SWITCH_ON}`, description], more);
}

const ASK_FIRST =
  'Another call might send a message twice, so none was made. Find out whether the message was sent before you run this row again.';

/** Returns the failure of a confirmed call that the connector may have carried out. */
export function unknownCall(tool: string, failure?: CallFailure): FailedItem {
  const explanation = failure && explainConnector(failure.problem, { isInDoubt: true });
  const because = explanation ? `: ${explanation.message}` : '';
  const message = `The outcome of the tool ${quote(tool)} is unknown${because}`;
  const description = [ASK_FIRST, explanation?.description];
  const more = { todo: 'find out whether the message was sent', failure: explanation?.failure };
  return { ...failedItem(message, description, more), state: 'unknown' };
}

const TURN_ON = `If this is a tool that sends, turn on ${quoted(LABELS.confirm)} in this node; messages cost money.`;

/**
 * Returns the failure of a call that the connector refused, with its advice. An agent gets `advice` alone: the connector's, to call with
 * `confirm`, would send it in circles.
 */
export function refusedCall(
  tool: string,
  { reason, howTo }: Extract<ToolOutcome, { kind: 'refused' }>,
  { confirmed, advice }: { confirmed: boolean; advice?: string },
): FailedItem {
  const message = withReason(`The connector refused the tool ${quote(tool)}`, reason);
  const theirs = howTo && `The connector's advice: ${quote(howTo)}.`;
  const next = advice === undefined ? [confirmed ? undefined : TURN_ON, theirs] : [advice];
  const json = { refused: true, reason, how_to: advice ?? howTo };
  return { ...failedItem(message, ['Nothing was sent.', ...next]), state: 'refused', json };
}

/** Returns the failure of a call that names no recipient, where only some numbers are allowed. */
export const recipientMissing = (tool: string): FailedItem =>
  failedItem(`The tool ${quote(tool)} was not called`, [
    'Nothing was sent.',
    'Only some numbers are allowed, so a confirmed call must name its recipient as phone, to, recipient or number, in an argument that the tool declares. A tool that only reads needs no confirmation.',
    "Send with an operation of the resource Message, to which 'Allowed Number Prefixes' and 'Allowed Recipients' apply as well.",
  ]);

const MAY_HAVE_SENT =
  'If the tool sends, it may have sent all the same: find out before you run this row again.';

/** Returns the failure that a tool reports. A call that may send may have sent all the same, unless the tool passes on a refusal. */
export function toolFailed(
  tool: string,
  { text, isRefusal }: Extract<ToolOutcome, { kind: 'failed' }>,
  maySend: boolean,
): FailedItem {
  const isInDoubt = maySend && !isRefusal;
  // The connector passes the gateway's error on; its own address is the one to check.
  const { description, todo, failure } = explain({ kind: 'request', text }, { address: 'mcpUrl', isInDoubt });
  const failed = failedItem(
    withReason(`The tool ${quote(tool)} failed`, text),
    [isInDoubt ? MAY_HAVE_SENT : 'Nothing was sent.', description],
    { todo: isInDoubt ? 'find out whether the message was sent' : todo, failure },
  );
  return isInDoubt ? { ...failed, state: 'unknown' } : failed;
}
