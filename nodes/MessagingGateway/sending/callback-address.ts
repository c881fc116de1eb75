import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { findCallbackUrl, withSentType } from '../../gateway/callback/callback-url';
import { describeReach } from '../../gateway/callback/reach';
import type { WireOperation } from '../../gateway/contract/operations';
import { isAgentTool } from '../agent/detect';
import { InvalidParameter, quoted } from '../fields/field';
import { asBoolean } from '../fields/values';
import type { WireOperationDefinition } from '../run/definition';
import type { ItemReader } from '../parameters/item-reader';
import { HOOK_FROM_TRIGGER } from './properties';
import type { Prepared } from './prepare';
import { resumeAddress } from '../sleeping/address';
import { readWaitLimit, WAIT_LABEL, wantsToWait } from '../waiting/settings';
import { reportsToHook } from '../../gateway/delivery/reports';

const TRIGGER_LABEL = HOOK_FROM_TRIGGER.displayName;

/** Whether the status of what is sent comes to the `hook` of the operation (gateway-api.md, "Events"). */
export const takesHook = ({ sends, wireType }: WireOperationDefinition): boolean =>
  sends && reportsToHook(wireType);

type Ready = Extract<Prepared, { ok: true }>;

/**
 * Gives operations the address that their callbacks go to: that of this execution where the item waits for delivery,
 * that of the workflow's own trigger where the item asks for it. Says at the node when a gateway on the internet
 * can't reach an address.
 *
 * @throws NodeOperationError as a tool of an agent that waits, whose run n8n can't put to sleep
 */
export function addHooks(
  context: IExecuteFunctions,
  definition: WireOperationDefinition,
  reader: ItemReader,
  prepared: Prepared[],
): Prepared[] {
  const addHook = takesHook(definition) ? hookAdder(context, reader) : undefined;
  const all = prepared.map((one): Prepared => {
    if (!one.ok || !addHook) return one;
    try {
      addHook(one);
      return one;
    } catch (problem) {
      return { index: one.index, ok: false, problem };
    }
  });
  hintUnreachable(context, reader, all);
  return all;
}

function hookAdder(context: IExecuteFunctions, reader: ItemReader): (one: Ready) => void {
  let resume: string | undefined;
  let trigger: string | undefined;
  return ({ index, operation, checkOnly }) => {
    const { hookFromTrigger } = (reader.read('options', index, {}) ?? {}) as Record<string, unknown>;
    const toTrigger = asBoolean(hookFromTrigger, TRIGGER_LABEL) === true;
    if (toTrigger && operation.hook !== undefined) {
      throw new InvalidParameter(quoted(TRIGGER_LABEL), "off while 'Callback URL' is set", true);
    }
    if (!wantsToWait(reader, index)) {
      if (toTrigger) operation.hook = withSentType((trigger ??= triggerAddress(context)), operation.type);
      return;
    }
    refuseAsTool(context);
    readWaitLimit(reader, index);
    refuseOtherHook(operation, toTrigger);
    // What is only checked is shown, and the address holds a signature.
    if (!checkOnly) operation.hook = resume ??= resumeAddress(context);
  };
}

/** The callbacks of an item that waits can't go elsewhere. */
function refuseOtherHook({ hook }: WireOperation, toTrigger: boolean): void {
  const because = `while ${quoted(WAIT_LABEL)} is on, which needs the callbacks itself`;
  if (toTrigger) throw new InvalidParameter(quoted(TRIGGER_LABEL), `off ${because}`, true);
  if (hook !== undefined) throw new InvalidParameter(quoted('Callback URL'), `empty ${because}`, hook);
}

/** The production URL that the trigger of this workflow has left; see own-url.ts of the trigger. */
function triggerAddress(context: IExecuteFunctions): string {
  const staticData = context.getWorkflowStaticData('global');
  const url = findCallbackUrl({ staticData, workflowId: context.getWorkflow().id });
  if (url !== undefined) return url;
  throw new NodeOperationError(
    context.getNode(),
    `${quoted(TRIGGER_LABEL)} is on, but this workflow has no published Messaging Gateway Trigger`,
    {
      description: `Add the node Messaging Gateway Trigger to this workflow and publish it (a run in the editor finds the trigger only in the n8n process that published it), or turn ${quoted(TRIGGER_LABEL)} off and enter the production URL of a trigger as 'Callback URL'.`,
    },
  );
}

function refuseAsTool(context: IExecuteFunctions): void {
  if (!isAgentTool(context)) return;
  throw new NodeOperationError(
    context.getNode(),
    `${quoted(WAIT_LABEL)} does not work in a tool of an agent`,
    {
      description: `Turn ${quoted(WAIT_LABEL)} off. The agent can ask for the outcome with the operation Get Status.`,
    },
  );
}

/** Said once for each run, of the first address of which it is true. A waiting run says it in words of its own. */
function hintUnreachable(context: IExecuteFunctions, reader: ItemReader, prepared: Prepared[]): void {
  const seen = new Set<unknown>();
  for (const one of prepared) {
    const hook = one.ok ? one.operation.hook : undefined;
    if (hook === undefined || seen.has(hook) || seen.size >= MOST_ADDRESSES) continue;
    seen.add(hook);
    if (wantsToWait(reader, one.index)) continue;
    const reach = describeReach(hook);
    if (reach.reachable) continue;
    const message = `${reach.reason}, so the delivery status may never arrive. ${reach.advice}`;
    context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
    return;
  }
}

/** An address for each item is unusual, and one of many is as good an example as any. */
const MOST_ADDRESSES = 100;
