import type { IDataObject } from 'n8n-workflow';

import type { ToolOutcome } from '../../gateway/connector/tools';
import { callTool, CONFIRM, isSending, takesConfirmation } from '../../gateway/connector/tools';
import { payloadFields } from '../../gateway/payloads/fields';
import type { AllowedPrefixes } from '../../gateway/contract/allowed-prefixes';
import { hasPrefix } from '../../gateway/contract/allowed-prefixes';
import { callLock } from '../agent/locks';
import { InvalidParameter, quoted } from '../fields/field';
import { asLocated, asObject } from '../fields/values';
import type { FailedItem, ItemResult } from '../run/item-result';
import { isFailed } from '../run/item-result';
import { stopAtInvalidItems } from '../run/output';
import type { Run } from '../run/run';
import { PREFIX_LIST, readablePrefixes } from '../sending/allowed-numbers';
import type { Connector } from './connector';
import { sendingSwitchedOff, withConnector } from './connector';
import { failedCall, refusedCall, switchedOff, toolFailed, unknownCall } from './errors';
import { numbersIn } from './number-runs';
import { LABELS } from './properties';

/** A call with everything needed to make it. */
interface ToolCall {
  tool: string;
  args: Record<string, unknown>;
  confirmed: boolean;
  /** Tells an agent how to get an unconfirmed call confirmed. */
  advice?: string;
}

/**
 * Calls a tool of the assistant connector for each item, one after the other. A call is confirmed only by the switch
 * of the node (gateway-api.md, "Authentication", 7); a confirmed call is never made twice.
 *
 * @returns one result for each item, in order
 * @throws NodeOperationError for invalid input, where On Error is set to stop
 */
export async function runToolCalls(run: Run): Promise<ItemResult[]> {
  const { allowedPrefixes } = await run.connection();
  const calls = run.items.map((_, item) => prepare(run, item, allowedPrefixes));
  stopAtInvalidItems(run, (item) => {
    const call = calls[item];
    return 'error' in call ? call : undefined;
  });
  return await withConnector(run, async (connector, item) => {
    const call = calls[item];
    return 'error' in call ? call : await new ItemCall(run, connector, item, call).make();
  });
}

function prepare(run: Run, item: number, allowed: AllowedPrefixes): ToolCall | FailedItem {
  try {
    const tool = readTool(run, item);
    const args = readArguments(run, item);
    const lock = callLock(run.context, item);
    // Without a confirmation the connector sends nothing.
    if (lock.confirmed) refuseForbiddenArguments(allowed, args);
    return { tool, args, ...lock };
  } catch (thrown) {
    return run.invalid(thrown);
  }
}

/**
 * Returns the name of the tool of an item.
 * @throws InvalidParameter where no tool is chosen
 */
function readTool(run: Run, itemIndex: number): string {
  const tool = asLocated(run.read('tool', itemIndex, ''), LABELS.tool);
  if (tool !== undefined) return tool;
  throw new InvalidParameter(quoted(LABELS.tool), 'the name of a tool, from the list or by name', '');
}

/**
 * Returns the arguments of an item, from the JSON object or from the fields.
 * @throws InvalidParameter for anything but an object, and for an object that contains the confirmation;
 *   ExpressionError of n8n for a field whose type differs from the tool's
 */
function readArguments(run: Run, itemIndex: number): Record<string, unknown> {
  const byFields = run.read('specifyArguments', itemIndex, 'json') === 'fields';
  const args = byFields ? readFields(run, itemIndex) : readJson(run, itemIndex);
  if (CONFIRM in args) {
    // A confirmation in the data or from a model doesn't count: only the author may set the switch.
    throw new InvalidParameter(
      quoted(LABELS.arguments),
      `a JSON object without "${CONFIRM}"`,
      args,
      `contains "${CONFIRM}"; use the switch ${quoted(LABELS.confirm)} instead`,
    );
  }
  return args;
}

const readJson = (run: Run, itemIndex: number): Record<string, unknown> => ({
  ...asObject(run.read('arguments', itemIndex, {}), LABELS.arguments),
});

/** Omits empty fields, so that the tool uses its defaults. */
function readFields({ context }: Run, itemIndex: number): Record<string, unknown> {
  // Read through n8n, which converts each field to the type of the tool's argument.
  const value = context.getNodeParameter('argumentFields.value', itemIndex, {}) as Record<
    string,
    unknown
  > | null;
  const filled = Object.entries(value ?? {}).filter(
    ([, field]) => field !== undefined && field !== null && field !== '',
  );
  return Object.fromEntries(filled.map(([name, field]) => [name, plain(field)]));
}

/** Converts n8n's date objects to ISO strings; returns other values unchanged. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toISO' in value)) return value;
  return typeof value.toISO === 'function' ? (value as { toISO(): unknown }).toISO() : value;
}

/** Refuses arguments with a number that the credential doesn't allow. Throws InvalidParameter. */
function refuseForbiddenArguments(allowed: AllowedPrefixes, args: Record<string, unknown>): void {
  const prefixes = readablePrefixes(allowed);
  const forbidden = numbersIn(args).find((number) => !hasPrefix(prefixes, number));
  if (forbidden === undefined) return;
  throw new InvalidParameter(
    quoted(LABELS.arguments),
    `a JSON object in which every number of 7 to 15 digits starts with ${prefixes.join(', ')}, except in texts`,
    forbidden,
    `isn't among the ${PREFIX_LIST}`,
  );
}

/** The call of one item. */
class ItemCall {
  private readonly run: Run;

  private readonly connector: Connector;

  private readonly item: number;

  private readonly call: ToolCall;

  constructor(run: Run, connector: Connector, item: number, call: ToolCall) {
    this.run = run;
    this.connector = connector;
    this.item = item;
    this.call = call;
  }

  async make(): Promise<ItemResult> {
    const { tool, args, confirmed } = this.call;
    const earlier = confirmed ? this.run.journal.find(this.item) : undefined;
    if (earlier) return earlier.jsons ? { jsons: earlier.jsons } : unknownCall(this.run.label, tool);

    const known = confirmed ? await this.findTool() : undefined;
    const why = confirmed ? await this.whySwitchedOff() : undefined;
    if (why !== undefined && (known === undefined || isSending(known))) {
      return switchedOff(tool, why);
    }
    if (!confirmed) return await this.callOnce(args);
    if (!takesConfirmation(known)) {
      const plain = await this.callOnce(args);
      // A refused call did nothing (gateway-api.md, "Authentication", 7): the tool wants what it doesn't declare.
      if (!isFailed(plain) || plain.json?.refused !== true) return plain;
    }

    const { journal } = this.run;
    const sent = { tool };
    // Recorded before the call: n8n's Retry On Fail must not repeat it, whatever its outcome.
    journal.record(this.item, { sent });
    const result = await this.callOnce({ ...args, [CONFIRM]: true });
    if (!isFailed(result)) journal.record(this.item, { sent, jsons: result.jsons });
    else if (result.state !== 'unknown') journal.forget(this.item);
    return result;
  }

  private async callOnce(args: Record<string, unknown>): Promise<ItemResult> {
    const { tool } = this.call;
    const result = await callTool(this.connector.client, tool, args);
    if (result.ok) return this.resultOf(result.value);
    if (args[CONFIRM] === true && result.mayHaveRun) return unknownCall(this.run.label, tool, result);
    // While sending is switched off, the connector doesn't know the sending tools.
    const why = result.problem.kind === 'rpc' ? await this.whySwitchedOff() : undefined;
    return failedCall(this.run.label, result, why);
  }

  private resultOf(outcome: ToolOutcome): ItemResult {
    const { tool, confirmed, advice } = this.call;
    if (outcome.kind === 'value') return { jsons: [payloadFields(outcome.value) as IDataObject] };
    if (outcome.kind === 'failed') return toolFailed(this.run.label, tool, outcome);
    const { reason, howTo } = outcome;
    // An agent gets the advice of its own locks; the connector's would send it in circles.
    const quotedHowTo = advice === undefined ? howTo : '';
    const next = confirmed ? undefined : (advice ?? TURN_ON);
    return {
      ...refusedCall(tool, { reason, howTo: quotedHowTo, advice: next }),
      json: { refused: true, reason, how_to: howTo },
    };
  }

  /** Returns the tool as the connector lists it; undefined if it isn't listed or the list can't be read. */
  private async findTool() {
    const tools = await this.connector.tools();
    return tools.ok ? tools.value.find(({ name }) => name === this.call.tool) : undefined;
  }

  private async whySwitchedOff(): Promise<string | undefined> {
    return sendingSwitchedOff(await this.connector.health());
  }
}

const TURN_ON = `If this is a tool that sends, turn on ${quoted(LABELS.confirm)} in this node; messages cost money.`;
