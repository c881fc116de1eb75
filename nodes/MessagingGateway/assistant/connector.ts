import type { Health, Result } from '../../gateway/connector/client';
import { ConnectorClient } from '../../gateway/connector/client';
import type { Tool } from '../../gateway/connector/tools';
import type { RequestContext } from '../../n8n/connection';
import { connectorTransport, readConnectionTo } from '../../n8n/connection';
import type { ItemResult } from '../run/item-result';
import { isFailed } from '../run/item-result';
import type { Run } from '../run/run';
import { settingsOf } from '../run/settings';

/**
 * Returns the connector; `timeoutMs` is the time limit for one request.
 * @throws NodeOperationError where the credential has no address of the connector, or an invalid one
 */
export const openConnector = async (context: RequestContext, timeoutMs: number): Promise<ConnectorClient> =>
  new ConnectorClient(connectorTransport(await readConnectionTo(context, 'connector'), timeoutMs));

/** The result of an item that was not processed, since the error of an item before it ended the run. */
const NOT_REACHED: ItemResult = {
  error: { kind: 'service', message: 'Not processed, since a row before it failed', description: '' },
  state: 'notSent',
};

/**
 * Returns one result for each item, processed one after the other, up to the first error where On Error is set to stop.
 * @throws NodeOperationError where the connector can't be opened
 */
export async function withConnector(
  run: Run,
  work: (connector: ConnectorClient, itemIndex: number) => Promise<ItemResult>,
): Promise<ItemResult[]> {
  const connector = await openConnector(run.context, settingsOf(run).timeoutMs);
  const results: ItemResult[] = [];
  for (const item of run.items.keys()) {
    const last = results.at(-1);
    const isOver = run.stopsAtErrors && last !== undefined && isFailed(last);
    results.push(isOver ? NOT_REACHED : await work(connector, item));
  }
  return results;
}

/** Returns why sending tools are not offered; undefined where they are, or where the connector's health is unknown. */
export function sendingSwitchedOff(health: Result<Health>): string | undefined {
  if (!health.ok || health.value.send_enabled) return undefined;
  return `Sending tools are not offered: sending is switched off for ${health.value.domain}`;
}

export const SWITCH_ON = 'The operator of the assistant connector can switch sending on for the domain.';

/** Returns the tools that can be called, and why sending tools are missing. */
export async function offeredTools(
  connector: ConnectorClient,
): Promise<Result<{ tools: Tool[]; why?: string }>> {
  const tools = await connector.tools();
  if (!tools.ok) return tools;
  const why = sendingSwitchedOff(await connector.health());
  return { ok: true, value: { tools: tools.value, why } };
}

/** Adds a hint to the output of the node that says why sending tools are missing. */
export function hintAtSwitch({ hints }: Run, why: string | undefined): void {
  if (why !== undefined) hints.push({ type: 'info', text: `${why}. ${SWITCH_ON}` });
}
