import { NodeOperationError } from 'n8n-workflow';

import { isAgentTool } from '../../n8n/engine';
import { isTriggerAddress, unreachableReason } from '../../gateway/callback/address';
import type { WireOperation, WireType } from '../../gateway/contract/operations';
import { reportsToHook } from '../../gateway/delivery/reports';
import type { Connection } from '../../n8n/connection';
import { baseAddress } from '../../n8n/connection';
import {
  readWaitLimit,
  spreadAddresses,
  WAIT_LABEL,
  WAIT_SWITCH,
  wantsToWait,
} from '../delivery-wait/settings';
import { InvalidParameter, quoted } from '../fields/field';
import { hook, HOOK_LABEL } from '../fields/options';
import { groupOf } from '../fields/property';
import { asBoolean } from '../fields/values';
import type { RowChange } from '../run/row';
import type { Run } from '../run/run';
import { resumeAddress } from '../suspend/sleep';
import { CALLBACK_FIELDS, factsWriter, readCallbackFields, withoutAddress } from './callback-fields';
import { HOOK_FROM_TRIGGER, REPORT_LABEL, TO_TRIGGER, triggerAddress } from './own-trigger';

/** Hides fields while Wait for Delivery is on, which needs the callbacks itself. */
const WAITS = { [`/${WAIT_SWITCH}`]: [true] };

export const DELIVERY_REPORT = groupOf(
  REPORT_LABEL,
  'deliveryReport',
  'Who is told the status of the message, and replies to it',
  [
    { ...HOOK_FROM_TRIGGER, displayOptions: { hide: WAITS } },
    ...hook.properties('sms').map((address) => ({
      ...address,
      displayOptions: { hide: WAITS },
    })),
    CALLBACK_FIELDS,
  ],
);

/**
 * Returns the step that sets the callback address of an operation, and notes in the row what the user set for callbacks; undefined where
 * no item can have an address. An item that waits for delivery keeps its Callback Fields in its row, and a few of these items get the
 * address of this execution (`spreadAddresses`). Any other item without an address gets that of this workflow's trigger, where To This
 * Workflow is on. Each address of a trigger carries the facts about the message (`withFacts`). The step warns once in a run, about the
 * first address that the gateway can't reach. The step throws
 * - InvalidParameter for contradictory settings and for fields that can't be sent,
 * - NodeOperationError where the trigger isn't found, or without a usable API key.
 */
export function callbackAddresses(
  run: Run,
  wireType: WireType,
  connection: Connection,
): RowChange | undefined {
  const { context, form } = run;
  const options = [HOOK_FROM_TRIGGER.name, hook.wire, CALLBACK_FIELDS.name];
  if (!form.mayBeOn(WAIT_SWITCH) && !options.some((name) => form.hasOption(name))) return undefined;
  const isReported = reportsToHook(wireType);
  const isTool = isAgentTool(context);
  const warn = reachWarning(run, baseAddress(connection));
  const writeFacts = factsWriter(run, connection);
  const isAddressed = spreadAddresses(run);
  let resume: string | undefined;
  let trigger: string | undefined;
  return (row, item): undefined => {
    const { operation, checkOnly } = row;
    const { callbackFields, hookFromTrigger } = item.options;
    const own = { hook: operation.hook, callbackFields };
    if (own.hook !== undefined || callbackFields !== undefined) row.callbacks = own;
    if (!isReported) {
      // The gateway calls the address of a pipeline all the same where the queue refuses the pipeline.
      if (isTriggerAddress(own.hook)) writeFacts(operation);
      warn(own.hook);
      return;
    }
    const toTrigger = asBoolean(hookFromTrigger, HOOK_FROM_TRIGGER.displayName) === true;
    const fields = readCallbackFields(item.options);
    if (!wantsToWait(item.read)) {
      const toOwn = toTrigger && own.hook === undefined;
      if (toOwn) operation.hook = trigger ??= triggerAddress(run);
      if (fields && operation.hook === undefined) throw withoutAddress(fields);
      if (fields || toOwn || isTriggerAddress(operation.hook)) writeFacts(operation, fields);
      warn(operation.hook);
      return;
    }
    if (isTool) refuseAsTool(run);
    readWaitLimit(item.read);
    refuseOtherHook(operation, toTrigger);
    if (fields) row.fields = fields;
    // Check Only shows the operation, and the address contains a signature.
    if (checkOnly || !isAddressed(row.index)) return;
    operation.hook = resume ??= resumeAddress(context);
  };
}

function refuseOtherHook({ hook }: WireOperation, toTrigger: boolean): void {
  const because = `while ${quoted(WAIT_LABEL)} is on, which needs the callbacks itself`;
  if (toTrigger) throw new InvalidParameter(TO_TRIGGER, `off ${because}`, true);
  if (hook !== undefined) throw new InvalidParameter(quoted(HOOK_LABEL), `empty ${because}`, hook);
}

function refuseAsTool({ node }: Run): never {
  throw new NodeOperationError(node, `${quoted(WAIT_LABEL)} does not work in an agent's tool`, {
    description: `Turn ${quoted(WAIT_LABEL)} off. The agent can check the outcome with the operation Get Status.`,
  });
}

/** Returns the function that warns about an address that the gateway can't reach. A run that waits needs no warning: it asks for outcomes. */
function reachWarning({ hints }: Run, gateway: string | undefined): (hook: unknown) => void {
  let hasWarned = false;
  return (hook) => {
    if (hasWarned || hook === undefined) return;
    const obstacle = unreachableReason(hook, { gateway });
    if (!obstacle) return;
    hasWarned = true;
    hints.push({
      type: 'warning',
      text: `${obstacle.reason}, so the delivery status may never arrive. ${obstacle.advice}`,
    });
  };
}
