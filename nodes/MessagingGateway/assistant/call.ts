import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { callTool } from '../../gateway/connector/call-tool';
import { CONFIRM, isSending, takesConfirmation } from '../../gateway/connector/tools';
import { isConfirmed } from '../agent/locks';
import { payloadFields } from '../../gateway/payloads/lists';
import { quoted } from '../fields/field';
import { readArguments, readTool } from './arguments';
import { CallLog } from './call-log';
import type { Connector } from './connector';
import { runWithConnector, sendingSwitchedOff } from './connector';
import { failedError, refusedError, switchedOffError, toolError, unknownError } from './errors';
import { LABELS } from './properties';
import type { ItemResult } from './items';
import { invalidItem, runItems } from './items';

/** A call of one item that is ready to be made, or why it isn't. */
type Prepared =
  | { ok: true; tool: string; args: Record<string, unknown>; confirmed: boolean; advice?: string }
  | { ok: false; result: ItemResult };

/**
 * Calls a tool of the assistant connector for each item, one after the other. A call is confirmed only by the switch
 * of the node (gateway-api.md, "Authentication", 7); a confirmed call is never made twice.
 *
 * @throws NodeOperationError for input that can't be sent; NodeApiError when the connector refused a call or its
 *   outcome is not known, and the node is to stop
 */
export async function runToolCalls(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
  const prepared = context.getInputData().map((_, item) => prepare(context, item));
  const invalid = prepared.findIndex(({ ok }) => !ok);
  if (invalid !== -1 && !context.continueOnFail()) {
    // Bad input stops the node before a request leaves.
    return await runItems(context, async (item) => {
      const one = prepared[item];
      return await Promise.resolve(one.ok ? { jsons: [] } : one.result);
    });
  }
  const log = new CallLog(context);
  let failed = false;
  const output = await runWithConnector(context, async (connector, item) => {
    const one = prepared[item];
    const result = one.ok ? await call(context, connector, log, item, one) : one.result;
    failed ||= 'error' in result;
    return result;
  });
  // n8n may run the node again when its first item carries an error, whatever On Error says; only a run
  // without failures can be forgotten.
  if (!failed) log.close();
  return output;
}

function prepare(context: IExecuteFunctions, item: number): Prepared {
  try {
    return {
      ok: true,
      tool: readTool(context, item),
      args: readArguments(context, item),
      ...isConfirmed(context, item),
    };
  } catch (problem) {
    // Kept as a value: an InvalidParameter, or what n8n's engine says of an expression that fails.
    return { ok: false, result: invalidItem(context, item, problem) };
  }
}

async function call(
  context: IExecuteFunctions,
  connector: Connector,
  log: CallLog,
  item: number,
  { tool, args, confirmed, advice }: Extract<Prepared, { ok: true }>,
): Promise<ItemResult> {
  const node = context.getNode();
  const earlier = confirmed ? log.find(item) : undefined;
  if (earlier) return earlier.json ? { jsons: [earlier.json] } : { error: unknownError(node, item, tool) };

  const known = confirmed ? await find(connector, tool) : undefined;
  const why = confirmed ? sendingSwitchedOff(await connector.health()) : undefined;
  if (why !== undefined && (known === undefined || isSending(known))) {
    return { error: switchedOffError(node, item, tool, why) };
  }
  const confirms = confirmed && takesConfirmation(known);
  if (confirms) log.begin(item);
  const result = await callTool(connector.client, tool, confirms ? { ...args, [CONFIRM]: true } : args);
  if (!result.ok) {
    if (confirms && result.mayHaveRun) return { error: unknownError(node, item, tool, result) };
    log.undone(item);
    // A tool that is not offered is not known to the connector either.
    const reason = result.problem.kind === 'rpc' ? sendingSwitchedOff(await connector.health()) : undefined;
    return { error: failedError(node, item, result, reason) };
  }
  const outcome = result.value;
  if (outcome.kind === 'value') {
    const json = payloadFields(outcome.value);
    if (confirms) log.done(item, json);
    return { jsons: [json] };
  }
  if (outcome.kind === 'failed') {
    // Where only the tool gave up, the gateway may have taken the message all the same.
    if (outcome.nothingDone) log.undone(item);
    return { error: toolError(node, item, tool, outcome.text) };
  }
  log.undone(item);
  const { reason, howTo } = outcome;
  const json: IDataObject = { refused: true, reason, how_to: howTo };
  // An agent is told about its own locks; what the connector says to do would send it in circles.
  const said = advice === undefined ? outcome : { ...outcome, howTo: '' };
  const next = confirmed ? undefined : (advice ?? TURN_ON);
  return { error: refusedError(node, item, tool, said, next), json };
}

const TURN_ON = `If this is a tool that sends, turn on ${quoted(LABELS.confirm)} in this node; messages cost money.`;

/** The tool as the connector lists it; undefined where it is not in the list or there is no list. */
async function find(connector: Connector, name: string) {
  const tools = await connector.tools();
  return tools.ok ? tools.value.find((tool) => tool.name === name) : undefined;
}
