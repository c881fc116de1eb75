import type { INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { unreachableReason, withSentType } from '../../gateway/callback/address';
import type { WireOperation, WireType } from '../../gateway/contract/operations';
import { reportsToHook } from '../../gateway/delivery/reports';
import { showHint } from '../../n8n/engine';
import { findUrls } from '../../n8n/trigger-urls';
import { isAgentTool } from '../agent/detect';
import { InvalidParameter, quoted } from '../fields/field';
import { HOOK_LABEL } from '../fields/options';
import { asBoolean } from '../fields/values';
import type { Item } from '../run/item';
import type { Run } from '../run/run';
import { resumeAddress } from '../suspend/address';
import { isHooked, readWaitLimit, WAIT_LABEL, WAIT_SWITCH, wantsToWait } from '../delivery-wait/settings';
import type { CallbackFieldsOfRun } from './callback-fields';

export const HOOK_FROM_TRIGGER: INodeProperties = {
  displayName: 'Callback to This Workflow',
  name: 'hookFromTrigger',
  type: 'boolean',
  default: true,
  description:
    'Whether to send the delivery status to the Messaging Gateway Trigger of this workflow, without copying its URL. The workflow must be published.',
};

const TRIGGER_LABEL = HOOK_FROM_TRIGGER.displayName;

/**
 * Returns the function that sets the callback address of operations of a type: that of this execution for a few of the
 * items that wait for delivery (see `isHooked`), or that of this workflow's trigger if the item asks for it; with what its
 * callbacks bring back. Warns once per run, about the first address that the gateway, by its own address, can't reach. The function
 * throws InvalidParameter for contradictory settings.
 */
export function callbackAddresses(
  run: Run,
  wireType: WireType,
  callbackFields: CallbackFieldsOfRun | undefined,
  gateway: string | undefined,
): (message: { operation: WireOperation; checkOnly: boolean }, item: Item) => void {
  const warn = reachWarning(run, gateway);
  if (!reportsToHook(wireType)) return ({ operation: { hook } }) => warn(hook);
  const mayReportToTrigger = run.form.hasOption(HOOK_FROM_TRIGGER.name);
  const mayWait = run.form.mayBeOn(WAIT_SWITCH);
  let resume: string | undefined;
  let trigger: string | undefined;
  let isTool: boolean | undefined;
  return ({ operation, checkOnly }, item) => {
    const toTrigger = mayReportToTrigger && asBoolean(item.options.hookFromTrigger, TRIGGER_LABEL) === true;
    if (toTrigger && operation.hook !== undefined) {
      throw new InvalidParameter(quoted(TRIGGER_LABEL), `off while ${quoted(HOOK_LABEL)} is set`, true, {
        advice: 'Remove one of the two, since a message reports to one address,',
      });
    }
    if (!mayWait || !wantsToWait(item.read)) {
      if (toTrigger) operation.hook = withSentType((trigger ??= triggerAddress(run)), operation.type);
      callbackFields?.attach(item, operation);
      warn(operation.hook);
      return;
    }
    if ((isTool ??= isAgentTool(run.context))) refuseAsTool(run);
    readWaitLimit(item.read);
    refuseOtherHook(operation, toTrigger);
    callbackFields?.keep(item);
    // Check Only shows the operation, and the address contains a signature.
    if (checkOnly || !isHooked(item.index, run.items.length)) return;
    operation.hook = resume ??= resumeAddress(run.context);
  };
}

function refuseOtherHook({ hook }: WireOperation, toTrigger: boolean): void {
  const because = `while ${quoted(WAIT_LABEL)} is on, which needs the callbacks itself`;
  if (toTrigger) throw new InvalidParameter(quoted(TRIGGER_LABEL), `off ${because}`, true);
  if (hook !== undefined) throw new InvalidParameter(quoted(HOOK_LABEL), `empty ${because}`, hook);
}

/** Returns the URL of this workflow's trigger. The gateway reports to one address: of several, chance would choose. */
function triggerAddress({ context, node }: Run): string {
  const [first, ...others] = findUrls(context);
  if (first !== undefined && others.length === 0) {
    if (!first.lacksSecret) return first.url;
    throw new NodeOperationError(node, `The secret of the trigger '${first.name}' can't be read here`, {
      description: `Nothing was sent. ${quoted(TRIGGER_LABEL)} needs it for the callback address. If the trigger was renamed, publish the workflow again; if 'Secret' is an expression, it must also work in this node.`,
    });
  }
  if (first !== undefined) {
    const names = [first, ...others].map(({ name }) => `'${name}'`);
    throw new NodeOperationError(
      node,
      `${quoted(TRIGGER_LABEL)} is on, but this workflow has ${names.length} published Messaging Gateway Triggers`,
      {
        description: `A message reports to one of them only: ${names.join(', ')}. Turn ${quoted(TRIGGER_LABEL)} off and enter the Production URL of the right one as ${quoted(HOOK_LABEL)}, or keep one trigger with a Switch node behind it and publish the workflow again.`,
      },
    );
  }
  // Nodes aren't told what else is in their workflow: the trigger may be missing, or not published.
  const isPublished = context.getWorkflow().active === true;
  const isLost =
    ' If both are done, publish the workflow again: a run in the editor finds the trigger only in the n8n process that published it.';
  throw new NodeOperationError(
    node,
    'This workflow has no published Messaging Gateway Trigger. Nothing was sent',
    {
      description: `${quoted(TRIGGER_LABEL)} reports to the trigger of this workflow. Add a Messaging Gateway Trigger if there is none yet, click Publish, and run it again.${isPublished ? isLost : ''} Or turn ${quoted(TRIGGER_LABEL)} off and enter the Production URL of a trigger as ${quoted(HOOK_LABEL)}.`,
    },
  );
}

function refuseAsTool({ node }: Run): never {
  throw new NodeOperationError(node, `${quoted(WAIT_LABEL)} does not work in an agent's tool`, {
    description: `Turn ${quoted(WAIT_LABEL)} off. The agent can check the outcome with the operation Get Status.`,
  });
}

/** Returns the function that warns about unreachable addresses; runs that wait have their own warning. */
function reachWarning({ context }: Run, gateway: string | undefined): (hook: unknown) => void {
  let last: unknown;
  let hasWarned = false;
  return (hook) => {
    if (hasWarned || hook === undefined || hook === last) return;
    last = hook;
    const obstacle = unreachableReason(hook, { gateway });
    if (!obstacle) return;
    hasWarned = true;
    const message = `${obstacle.reason}, so the delivery status may never arrive. ${obstacle.advice}`;
    showHint(context, { message, type: 'warning', location: 'outputPane' });
  };
}
