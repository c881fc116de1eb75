import type { IExecuteFunctions } from 'n8n-workflow';

import { SECRET_PARAMETER } from '../gateway/callback/address';
import { isObject } from '../gateway/text/json';
import { webhookNodes } from './undocumented';

/** A trigger of the workflow, with its production URL and its secret in that; without `url` where the secret can't be read. */
interface TriggerAddress {
  name: string;
  url?: string;
}

/** Returns the Messaging Gateway Triggers of the workflow of an execution, whether or not it is published. */
export function triggersOf(context: IExecuteFunctions): TriggerAddress[] {
  const type = context.getNode().type.replace(/\.\w+$/, '.messagingGatewayTrigger');
  return webhookNodes(context, type, 'callback').map(({ name, url, parameters: { options } }) => {
    if (!isObject(options) || options.secret === undefined) return { name, url };
    const secret = evaluated(context, options.secret);
    if (typeof secret !== 'string' || secret === '') return { name };
    const complete = new URL(url);
    complete.searchParams.set(SECRET_PARAMETER, secret);
    return { name, url: complete.toString() };
  });
}

/** Returns the value of a parameter of another node, evaluated here where it is an expression; undefined where that fails. */
function evaluated(context: IExecuteFunctions, raw: unknown): unknown {
  if (typeof raw !== 'string' || !raw.startsWith('=')) return raw;
  try {
    return context.evaluateExpression(raw.slice(1), 0);
  } catch (thrown) {
    context.logger.warn(`The secret of a trigger can't be read: ${(thrown as Error).message}`);
    return undefined;
  }
}
