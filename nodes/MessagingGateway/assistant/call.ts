import type { IDataObject } from 'n8n-workflow';
import { deepCopy } from 'n8n-workflow';

import type { Tool, ToolOutcome } from '../../gateway/connector/tools';
import { argumentSchemas, CONFIRM, takesConfirmation } from '../../gateway/connector/tools';
import type { ConnectorClient, Result } from '../../gateway/connector/client';
import type { AllowedPrefixes } from '../../gateway/numbers/allowed-prefixes';
import { payloadFields } from '../../gateway/contract/payloads';
import { parsePhone } from '../../gateway/numbers/phone';
import { asEntries } from '../../gateway/text/json';
import type { AllowedNumbers } from '../agent/allowed-numbers';
import { allowedNumbers, requireAllowed } from '../agent/allowed-numbers';
import { callLock } from '../agent/locks';
import { InvalidParameter, quoted } from '../fields/field';
import { asLocated, asObject, withExactNumbers } from '../fields/values';
import { Item } from '../run/item';
import { invalidItem } from '../run/item-errors';
import type { FailedItem, ItemResult } from '../run/item-result';
import { isFailed } from '../run/item-result';
import { stopAtInvalidItems } from '../run/output';
import type { Run } from '../run/run';
import { sendingSwitchedOff, withConnector } from './connector';
import { failedCall, recipientMissing, refusedCall, toolFailed, unknownCall } from './errors';
import { confirmProperty, LABELS } from './properties';

interface ToolCall {
  tool: string;
  args: Record<string, unknown>;
  confirmed: boolean;

  /** Whether only some numbers are allowed, by the credential or by the tool. */
  isFenced: boolean;

  /** How an agent gets an unconfirmed call confirmed. */
  advice?: string;
}

/**
 * Calls a tool of the assistant connector for each item, one after the other. A call is confirmed only by the switch
 * of the node (gateway-api.md, "Confirmed sends"); a confirmed call of a tool that may send is never made twice.
 * @returns one result for each item, in order
 * @throws NodeOperationError for invalid input, where On Error is set to stop
 */
export async function runToolCalls(run: Run): Promise<ItemResult[]> {
  const { allowedPrefixes } = await run.connection();
  const calls = run.items.map((_, item) => prepareCall(run, item, allowedPrefixes));
  stopAtInvalidItems(run, calls);
  return await withConnector(run, async (connector, item) => {
    const call = calls[item];
    return 'error' in call ? call : await makeCall(run, connector, item, call);
  });
}

function prepareCall(run: Run, index: number, allowed: AllowedPrefixes): ToolCall | FailedItem {
  const item = new Item(run, index);
  try {
    const tool = readTool(item);
    const args = withNumbers(run, readArguments(item));
    const lists = allowedNumbers(run, allowed);
    const lock = callLock(item, confirmProperty);
    requireAllowedArguments(lists, args, lock.confirmed);
    return { tool, args, isFenced: lists.length > 0, ...lock };
  } catch (thrown) {
    return invalidItem(run, index, thrown);
  }
}

function readTool({ read }: Item): string {
  const tool = asLocated(read('tool'), LABELS.tool);
  if (tool !== undefined) return tool;
  throw new InvalidParameter(quoted(LABELS.tool), 'the name of a tool, from the list or by name', '');
}

/**
 * Reads the arguments, from the JSON object or the fields.
 * @throws InvalidParameter for what can't be sent as it is, or n8n's ExpressionError for a field of a wrong type
 */
function readArguments(item: Item): Record<string, unknown> {
  const { read } = item;
  const byFields = read('specifyArguments') === 'fields';
  const args = byFields ? readFields(item) : { ...asObject(read('arguments'), LABELS.arguments) };
  if (CONFIRM in args) {
    // Only the author's switch confirms, and nothing in the data or from a model.
    throw new InvalidParameter(
      quoted(LABELS.arguments),
      `a JSON object without "${CONFIRM}"`,
      args,
      `contains "${CONFIRM}"; use the switch ${quoted(LABELS.confirm)} instead`,
    );
  }
  return args;
}

/** Reads the fields that are filled in: for an empty one, the tool uses its default. */
function readFields({ run: { form }, index }: Item): Record<string, unknown> {
  // n8n converts each field to the type of the argument.
  const value = form.converted('argumentFields.value', index, {}) as Record<string, unknown> | null;
  const filled = Object.entries(value ?? {}).filter(([, field]) => (field ?? '') !== '');
  // The copy has texts in ISO 8601 in place of n8n's date objects.
  return withExactNumbers(deepCopy(Object.fromEntries(filled)), LABELS.arguments);
}

async function makeCall(
  run: Run,
  connector: ConnectorClient,
  item: number,
  call: ToolCall,
): Promise<ItemResult> {
  const { tool, args, confirmed, isFenced } = call;
  const { journal } = run;
  const callUnconfirmed = async () => await resultOf(connector, call, await connector.callTool(tool, args));
  if (!confirmed) return await callUnconfirmed();
  const tools = await connector.tools();
  const known = tools.ok ? tools.value.find(({ name }) => name === tool) : undefined;
  // A tool that the connector doesn't list may send, and goes on to the checks of a send.
  if (known !== undefined && !takesConfirmation(known)) return await callUnconfirmed();
  const earlier = journal.find(item);
  if (earlier) return earlier.jsons ? { jsons: earlier.jsons } : unknownCall(tool);
  // In a Retry, the run that was cut off may have made the call.
  if (journal.past.wasBegun) return unknownCall(tool);
  if (isFenced && !tools.ok) return failedCall(tools, {});
  if (isFenced && !hasRecipient(known, args)) return recipientMissing(tool);
  const fault = isFenced ? faultBeyondFence(known, args) : undefined;
  if (fault !== undefined) return invalidItem(run, item, fault, false);
  const { departed } = await run.connection();
  const takeBack = departed.claim(journal.madeId(item, 0), run.context.getExecutionId(), run.now());
  // Another Retry of the execution has made the call.
  if (takeBack === undefined) return unknownCall(tool);
  const sent = { tool };
  // Recorded before the call, so that no later try repeats it, whatever became of it.
  journal.record(item, { sent });
  const answer = await connector.callTool(tool, { ...args, [CONFIRM]: true });
  const result = await resultOf(connector, call, answer, true);
  if (!isFailed(result)) journal.record(item, { sent, jsons: result.jsons });
  else if (result.state !== 'unknown') {
    journal.forget(item);
    takeBack();
  }
  return result;
}

/** Returns the result of a call; `maySend`: whether the call carried the confirmation, without which no tool sends. */
async function resultOf(
  connector: ConnectorClient,
  call: ToolCall,
  answer: Result<ToolOutcome>,
  maySend = false,
): Promise<ItemResult> {
  const { tool } = call;
  if (!answer.ok && maySend && answer.mayHaveRun) return unknownCall(tool, answer);
  if (!answer.ok) {
    // While sending is switched off, the connector doesn't know the sending tools.
    const why = answer.problem.kind === 'rpc' ? sendingSwitchedOff(await connector.health()) : undefined;
    return failedCall(answer, { why });
  }
  const outcome = answer.value;
  if (outcome.kind === 'value') return { jsons: [payloadFields(outcome.value) as IDataObject] };
  return outcome.kind === 'failed' ? toolFailed(tool, outcome, maySend) : refusedCall(tool, outcome, call);
}

/** Names of arguments that hold phone numbers. The contract shows none of the connector's own names. */
const RECIPIENT_NAME = /^(?:to|(?:phone|recipient|number)s?)$/i;

/**
 * Returns the arguments with the number of each recipient whom an agent names.
 * @throws InvalidParameter for the name of nobody, and for a list that can't be read
 */
function withNumbers({ form }: Run, args: Record<string, unknown>): Record<string, unknown> {
  if (form.recipients === undefined) return args;
  const numbers = Object.entries(args).map(([name, value]): [string, unknown] => {
    if (!RECIPIENT_NAME.test(name)) return [name, value];
    const numberOf = (entry: unknown) => form.numberOf(entry, placeOf(name));
    return [name, Array.isArray(value) ? value.map(numberOf) : numberOf(value)];
  });
  return Object.fromEntries(numbers);
}

/** Where an argument stands, as errors say it. */
const placeOf = (name: string): string => `"${name}" in ${quoted(LABELS.arguments)}`;

/** A number as the contract has it (gateway-api.md, "Fields"). In other notations, a connector could read another number. */
const WIRE_NUMBER = /^\+?([1-9]\d{6,14})$/;

/**
 * Compares the phone numbers in a tool's arguments with the lists that allow numbers.
 * @throws InvalidParameter for a recipient that is no number or is not allowed; in a confirmed call, for any number not allowed
 */
function requireAllowedArguments(
  lists: readonly AllowedNumbers[],
  args: Record<string, unknown>,
  confirmed: boolean,
): void {
  if (lists.length === 0) return;
  for (const [name, value] of Object.entries(args).filter(([name]) => RECIPIENT_NAME.test(name))) {
    const place = placeOf(name);
    for (const entry of [value].flat()) {
      const [, digits] = WIRE_NUMBER.exec(String(entry)) ?? [];
      if (digits === undefined) {
        const accepted =
          'a phone number of digits only with its country code, such as 447700900001, or a list';
        throw new InvalidParameter(place, accepted, entry);
      }
      requireAllowed(lists, digits, place);
    }
  }
  // A tool that sends may have names of its own for recipients, at any depth. In a call that only reads, a number may be an id.
  if (!confirmed) return;
  for (const number of namesAndValues(args).map((value) => parsePhone(value))) {
    if (number.ok) requireAllowed(lists, number.phone, `"${number.phone}" in ${quoted(LABELS.arguments)}`);
  }
}

/** Returns the names and values in a tool's arguments, at all depths. A text without letters, perhaps a list of numbers, counts as its entries. */
function namesAndValues(value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flat().flatMap(namesAndValues);
  return typeof value === 'string' && !/\p{L}/u.test(value) ? asEntries(value) : [value];
}

/** Whether both the schema of a listed tool and its arguments have a recipient, with which the lists could be compared. */
const hasRecipient = (tool: Tool | undefined, args: Record<string, unknown>): boolean =>
  tool !== undefined &&
  Object.keys(argumentSchemas(tool)).some(
    (name) => RECIPIENT_NAME.test(name) && [args[name] ?? []].flat().length > 0,
  );

/** Seven digits, the fewest of a phone number, with up to five signs after each, as people write them between digits. */
const MAY_HOLD_NUMBER = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,5}\p{Nd}){6}/u;

/**
 * Returns the fault of arguments that could name a recipient whom nobody compared with the lists: one that the schema of the tool
 * doesn't declare, or one, other than the recipient, that holds the digits of a phone number in a name or a value. Undefined for
 * arguments without such a fault.
 */
function faultBeyondFence(
  tool: Tool | undefined,
  args: Record<string, unknown>,
): InvalidParameter | undefined {
  const declared = tool === undefined ? {} : argumentSchemas(tool);
  for (const [name, value] of Object.entries(args)) {
    if (!Object.hasOwn(declared, name))
      return new InvalidParameter(
        placeOf(name),
        'an argument that the tool declares, where only some numbers are allowed',
        value,
        "isn't among the arguments of the tool",
      );
    if (RECIPIENT_NAME.test(name)) continue;
    const texts = namesAndValues(value).map(String);
    if (texts.some((text) => MAY_HOLD_NUMBER.test(text)))
      return new InvalidParameter(
        placeOf(name),
        'without the digits of a phone number, where only some numbers are allowed',
        value,
        'may hold a phone number, which this node could not compare with the allowed numbers',
      );
  }
  return undefined;
}
