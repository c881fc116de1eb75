import type { INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isAgentTool } from '../../n8n/engine';
import { sendsMessage } from '../../gateway/contract/operations';
import type { AllowedPrefixes } from '../../gateway/numbers/allowed-prefixes';
import type { Connection } from '../../n8n/connection';
import type { AllowedNumbers } from '../agent/allowed-numbers';
import { allowedNumbers, requireAllowed } from '../agent/allowed-numbers';
import { InvalidParameter, quoted } from '../fields/field';
import { readChoice } from '../fields/property';
import { MESSAGE_ID, MESSAGE_ID_LABEL, PHONE_LABEL } from '../fields/target';
import { callbackAddresses } from '../message-parts/callback-address';
import { SENDER_BY_COUNTRY, useSender } from '../message-parts/sender-by-country';
import { SHORTEN_SMS, shortenText } from '../message-parts/shorten-sms';
import { watchTexts } from '../message-parts/text-gaps';
import { isMessage } from '../run/description';
import type { OutgoingRow, Step } from '../run/row';
import type { Run } from '../run/run';
import type { WireOperationSpec } from './build';
import { CHECK_ONLY, setCheckOnly, showOnly } from './check-only';
import type { Limits } from './limits';
import { partsWithinLimit } from './limits';
import { SEND_MODE } from './properties';
import { findRepeated, repeatOf } from './repeated-messages';
import { applySendOnceKey, SEND_ONCE_KEY } from './send-once';
import { leaveOut } from './skipped-rows';

/**
 * Returns the steps of a run, in order: only those that can decide anything in it. `spec` is that of an operation whose form has
 * the fields of one wire type, and their options; `limits` are those of a run that sends messages of a user's own.
 * @throws NodeOperationError for an option that is read once for the run, and can't be read
 */
export function stepsOf(run: Run, connection: Connection, spec?: WireOperationSpec, limits?: Limits): Step[] {
  const has = ({ name }: INodeProperties): boolean => run.form.hasOption(name);
  const ofSend = spec?.effect === 'sends' ? spec : undefined;
  const steps: Array<Step | false | undefined> = [
    spec && isMessage(spec) && watchTexts(run, spec),
    // Before the limits, which count the parts of the shortened text.
    has(SHORTEN_SMS) && shortenText,
    limits && partsWithinLimit(limits),
    has(SENDER_BY_COUNTRY) && useSender,
    // Before the callback addresses, into which the id of the message is sealed.
    has(SEND_ONCE_KEY) && applySendOnceKey,
    has(SEND_MODE) && setEndpoint,
    // Before the callback addresses, which a message that is only checked may lack.
    has(CHECK_ONLY) && setCheckOnly,
    ofSend && callbackAddresses(run, ofSend.wireType, connection),
    // Before the steps that end a row as done: a forbidden number is an error.
    requireAllowedNumber(run, connection.allowedPrefixes),
    // Before the search for repeats, which would take the result of a row that is left out.
    leaveOut(run),
    // Behind all that changes a message. Each call has a one-time password of its own.
    ofSend && ofSend.wireType !== 'call/otp' && findRepeated(),
    // Behind the search for repeats: only a different message with the same id is an error.
    (has(MESSAGE_ID) || has(SEND_ONCE_KEY)) && findSameId(run),
    // Behind all that may refuse a row.
    has(CHECK_ONLY) && showOnly,
    run.journal.isLost && refuseLost(run),
  ];
  return steps.filter((step) => step !== false && step !== undefined);
}

const setEndpoint: Step = (row, { options }): undefined => {
  if (readChoice(SEND_MODE, options[SEND_MODE.name]) === 'queued') row.endpoint = 'async';
};

/** Refuses numbers that the credential, or the tool of an agent, doesn't allow to be sent to or looked up. */
function requireAllowedNumber(run: Run, allowed: AllowedPrefixes): Step | undefined {
  if (allowed.ok && allowed.prefixes.length === 0 && !isAgentTool(run.context)) return undefined;
  let lists: AllowedNumbers[] | undefined;
  return ({ operation }): undefined => {
    if (operation.phone === undefined) return;
    lists ??= allowedNumbers(run, allowed);
    requireAllowed(lists, operation.phone, quoted(PHONE_LABEL));
  };
}

/** Whether the id of a row comes from the user; ids that the node makes are always different. */
const hasGivenId = ({ hasKey = false, hasOwnId = false }: OutgoingRow): boolean => hasKey || hasOwnId;

/** Ends a message with the key of another one, and refuses an id that the user gave to two. */
function findSameId(run: Run): Step {
  /** The first item of each id, apart for rows that are only checked; an item that an earlier try settled keeps its id. */
  const itemOf = new Map<string, number>();
  const nameOf = (id: unknown, checkOnly: boolean): string => `${String(id)} ${checkOnly}`;
  const count = run.journal.isEmpty ? 0 : run.items.length;
  for (let index = 0; index < count; index++) {
    const id = run.journal.find(index)?.jsons?.[0]?.id;
    const name = nameOf(id, false);
    if (id !== undefined && !itemOf.has(name)) itemOf.set(name, index);
  }
  return (row) => {
    const { index, operation, hasKey } = row;
    if (!hasGivenId(row)) return undefined;
    const name = nameOf(operation.id, row.checkOnly);
    const first = itemOf.get(name);
    if (first === undefined) {
      itemOf.set(name, index);
      return undefined;
    }
    if (hasKey) return repeatOf(row, { item: first, by: 'key' });
    throw repeatedId(operation.id, first);
  };
}

const repeatedId = (id: unknown, first: number): InvalidParameter =>
  new InvalidParameter(
    quoted(MESSAGE_ID_LABEL),
    'different for each item, or empty to have the node create one',
    id,
    `is the same as for row ${first + 1}`,
  );

/**
 * Returns the step that refuses a message that may have been sent before the execution was cut off: with its new id, no gateway
 * notices the repeat. A message with a given id is asked about first. The step throws NodeOperationError, which becomes the
 * error of the row.
 */
const refuseLost =
  ({ node }: Run): Step =>
  (row) => {
    if (!sendsMessage(row.operation.type) || hasGivenId(row)) return undefined;
    throw new NodeOperationError(node, 'This Retry could send messages a second time. Nothing was sent', {
      description:
        "The execution was stopped, or n8n crashed, while this node was sending. See in your gateway account which rows were sent, and run the workflow with the others. Of rows with a 'Send Once Key' or 'Message ID', a Retry asks the gateway first.",
    });
  };
