import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { ConnectorClient } from '../../gateway/connector/client';
import type { Health } from '../../gateway/connector/health';
import { askHealth } from '../../gateway/connector/health';
import type { Result } from '../../gateway/connector/problem';
import type { Tool } from '../../gateway/connector/tools';
import { listTools } from '../../gateway/connector/tools';
import { connectorTransport } from '../../n8n/connector-transport';
import { parameterError } from '../run/item-errors';
import type { RequestContext } from '../../n8n/json-transport';
import { InvalidParameter, quoted } from '../fields/field';
import { asNumber } from '../fields/values';
import { DEFAULT_TIMEOUT_SECONDS } from '../sending/properties';
import { labelOf, LABELS } from './properties';
import type { ItemResult } from './items';
import { runItems } from './items';

/** The assistant connector for one run of the node: each thing that is the same for all items is asked once. */
export interface Connector {
  client: ConnectorClient;
  health(): Promise<Result<Health>>;
  tools(): Promise<Result<Tool[]>>;
}

/**
 * Takes the time limit for one request in milliseconds.
 * @throws NodeOperationError when the address of the connector is missing in the credential or is no address
 */
export async function openConnector(context: RequestContext, timeout: number): Promise<Connector> {
  const transport = await connectorTransport(context, timeout);
  const client = new ConnectorClient(transport);
  let health: Promise<Result<Health>> | undefined;
  let tools: Promise<Result<Tool[]>> | undefined;
  return {
    client,
    health: async () => await (health ??= askHealth(transport)),
    tools: async () => await (tools ??= listTools(client)),
  };
}

/**
 * Runs the items of the node with the connector, and ends its session afterwards. Where the connector can't be opened,
 * that is the error of each item.
 * @throws NodeOperationError, NodeApiError of the first item that failed, where the node is to stop
 */
export async function runWithConnector(
  context: IExecuteFunctions,
  one: (connector: Connector, itemIndex: number) => Promise<ItemResult>,
): Promise<INodeExecutionData[]> {
  const connector = await open(context);
  if ('error' in connector) return await runItems(context, async () => await Promise.resolve(connector));
  try {
    return await runItems(context, async (itemIndex) => await one(connector, itemIndex));
  } finally {
    await connector.client.close();
  }
}

async function open(context: IExecuteFunctions): Promise<Connector | { error: NodeOperationError }> {
  try {
    return await openConnector(context, readTimeout(context));
  } catch (problem) {
    return {
      error:
        problem instanceof NodeOperationError
          ? problem
          : parameterError(context.getNode(), 0, problem, labelOf),
    };
  }
}

function readTimeout(context: IExecuteFunctions): number {
  const { timeout } = context.getNodeParameter('options', 0, {}) as { timeout?: unknown };
  const seconds = asNumber(timeout, LABELS.timeout) ?? DEFAULT_TIMEOUT_SECONDS;
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 3600) return 1000 * seconds;
  throw new InvalidParameter(quoted(LABELS.timeout), 'a whole number from 1 to 3600', timeout);
}

/** Why sending tools are not offered, in words; undefined where they are, or where the connector does not say. */
export function sendingSwitchedOff(health: Result<Health>): string | undefined {
  if (!health.ok || health.value.send_enabled) return undefined;
  return `Sending tools are not offered: sending is switched off for ${health.value.domain}`;
}

/** How to get on after that. */
export const SWITCH_ON = 'Whoever runs the assistant connector can switch sending on for the domain.';

/** Says under the output of the node why sending tools are missing. */
export function hintAtSwitch(context: IExecuteFunctions, why: string | undefined): void {
  if (why !== undefined)
    context.addExecutionHints({ message: `${why}. ${SWITCH_ON}`, location: 'outputPane' });
}
