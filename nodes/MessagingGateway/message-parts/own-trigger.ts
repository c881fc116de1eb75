import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { SECRET_PARAMETER, SHORTEST_SECRET } from '../../gateway/callback/address';
import { isObject } from '../../gateway/text/json';
import { webhookNodes } from '../../n8n/undocumented';
import { quoted } from '../fields/field';
import { HOOK_LABEL } from '../fields/options';
import type { Run } from '../run/run';

export const HOOK_FROM_TRIGGER: INodeProperties = {
  displayName: 'To This Workflow',
  name: 'hookFromTrigger',
  type: 'boolean',
  default: true,
  description:
    'Whether to send the delivery status to the Messaging Gateway Trigger of this workflow, which must be published. With the same credential in the trigger, each callback and reply brings back the number, as phone.',
};

export const REPORT_LABEL = 'Delivery Report';
export const TO_TRIGGER = `${quoted(HOOK_FROM_TRIGGER.displayName)} in ${quoted(REPORT_LABEL)}`;

/** The modes in which n8n runs published workflows alone. */
const PUBLISHED_MODES = ['webhook', 'trigger'];

/**
 * Returns the callback address of this workflow's trigger, with its secret.
 * @throws NodeOperationError where the workflow has no trigger, has several, of which the gateway could call only one, or where the
 * secret can't be read
 */
export function triggerAddress({ context, node, hints }: Run): string {
  const type = node.type.replace(/\.\w+$/, '.messagingGatewayTrigger');
  const triggers = webhookNodes(context, type, 'callback');
  const [first] = triggers;
  const enterUrl = `enter the Production URL of a trigger as ${quoted(HOOK_LABEL)}`;
  if (first === undefined) {
    throw new NodeOperationError(
      node,
      'This workflow has no active Messaging Gateway Trigger. Nothing was sent',
      {
        description: `${TO_TRIGGER} reports to the trigger of this workflow. Add a Messaging Gateway Trigger, or activate it, publish the workflow, and run it again. Or ${enterUrl}.`,
      },
    );
  }
  if (triggers.length > 1) {
    const names = triggers.map(({ name }) => `'${name}'`).join(', ');
    throw new NodeOperationError(
      node,
      `${TO_TRIGGER} is on, but this workflow has ${triggers.length} Messaging Gateway Triggers`,
      {
        description: `A message reports to one of them only: ${names}. Keep one, with a Switch node behind it, and publish the workflow again. Or ${enterUrl}.`,
      },
    );
  }
  const address = new URL(first.url);
  const { options } = first.parameters;
  if (isObject(options) && options.secret !== undefined) {
    const secret = evaluated(context, options.secret);
    if (typeof secret !== 'string' || secret === '') {
      throw new NodeOperationError(node, `The secret of the trigger '${first.name}' can't be read here`, {
        description: `Nothing was sent. ${TO_TRIGGER} needs it for the callback address. Where 'Secret' is an expression, it must also work in this node.`,
      });
    }
    if (secret.length < SHORTEST_SECRET) {
      throw new NodeOperationError(node, `The secret of the trigger '${first.name}' is too short`, {
        description: `Nothing was sent. ${TO_TRIGGER} puts it into the callback address. Enter at least ${SHORTEST_SECRET} characters in 'Secret' of the trigger, and publish the workflow again.`,
      });
    }
    address.searchParams.set(SECRET_PARAMETER, secret);
  }
  // In a worker, in a Retry and in the editor, n8n calls every workflow unpublished.
  const isPublished = context.getWorkflow().active === true || PUBLISHED_MODES.includes(context.getMode());
  if (!isPublished) {
    hints.push({
      type: 'info',
      text: "Callbacks of these messages start the trigger only if this workflow is published. This run can't see whether it is",
    });
  }
  return address.toString();
}

/** Returns a parameter of another node. Evaluates an expression in this node; undefined where that fails. */
function evaluated(context: IExecuteFunctions, raw: unknown): unknown {
  if (typeof raw !== 'string' || !raw.startsWith('=')) return raw;
  try {
    return context.evaluateExpression(raw.slice(1), 0);
  } catch (thrown) {
    context.logger.warn(`The secret of a trigger can't be read: ${(thrown as Error).message}`);
    return undefined;
  }
}
