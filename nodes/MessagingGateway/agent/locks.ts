import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isAgentTool, isApprovedByPerson } from './detect';
import { ALLOW_SENDING, CONFIRMATION, CONFIRMED_BY_AGENT } from './lock-properties';

/** The refusal of an agent's call of an operation that sends, worded for the model; undefined where both locks are open. */
export function lockedAgainst(
  context: IExecuteFunctions,
  itemIndex: number,
  switchName = ALLOW_SENDING,
): LockedAnswer | undefined {
  const author = (name: string): unknown =>
    context.getNodeParameter(name, 0, undefined, { rawExpressions: true });
  // Only a literal value set by the author counts: the agent could fill in an expression.
  if (author(switchName) !== true) return NOT_ALLOWED;
  if (author(CONFIRMATION) === 'person') return isApprovedByPerson(context) ? undefined : NOT_REVIEWED;
  return confirmedByAgent(context, itemIndex) ? undefined : NOT_CONFIRMED;
}

/** Whether the agent confirmed this call itself; a fixed value would confirm all calls at once. */
function confirmedByAgent(context: IExecuteFunctions, itemIndex: number): boolean {
  const raw: unknown = context.getNodeParameter(CONFIRMED_BY_AGENT, 0, undefined, { rawExpressions: true });
  if (typeof raw !== 'string' || !/^=.*\$fromAI\(/.test(raw)) return false;
  const value: unknown = context.getNodeParameter(CONFIRMED_BY_AGENT, itemIndex, false);
  return value === true || value === 'true';
}

/** The shape in which the gateway's own connector refuses a send (gateway-api.md, "Confirmed sends"). */
interface LockedAnswer extends IDataObject {
  refused: true;
  reason: string;
  how_to: string;
}

const locked = (reason: string, howTo: string): LockedAnswer => ({
  refused: true,
  reason: `Nothing was sent: ${reason}`,
  how_to: howTo,
});

const NOT_ALLOWED = locked(
  'the author of this workflow has not allowed this tool to send',
  "Do not try again. Tell the user that sending has to be allowed in the workflow first, in the settings of this tool ('Allow Sending').",
);
const NOT_CONFIRMED = locked(
  'this call was not confirmed',
  'Show the user the recipient and the text. Once the user agrees to send exactly that, call this tool again with the same values and confirm: true.',
);
const NOT_REVIEWED = locked(
  'a person has to approve each call, and nobody was asked',
  'Do not try again. Tell the user that the workflow needs a human review step between the agent and this tool.',
);

/**
 * Whether a call of the assistant connector is confirmed: by the node's switch Confirm and, for a call by an agent, by
 * the confirmation of the individual call as well. `advice` tells the agent what is missing.
 */
export function callLock(
  context: IExecuteFunctions,
  itemIndex: number,
): { confirmed: boolean; advice?: string } {
  if (!isAgentTool(context))
    return { confirmed: context.getNodeParameter('confirm', itemIndex, false) === true };
  const lacking = lockedAgainst(context, itemIndex, 'confirm');
  if (lacking === undefined) return { confirmed: true };
  return { confirmed: false, advice: lacking === NOT_ALLOWED ? NOT_ALLOWED_HERE : lacking.how_to };
}

const NOT_ALLOWED_HERE =
  "Do not try again. Tell the user that sending has to be allowed in the workflow first, with the switch 'Confirm' of this tool.";
