import type { INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isAgentTool } from '../../n8n/engine';
import { sendsMessage } from '../../gateway/contract/operations';
import type { AllowedPrefixes } from '../../gateway/numbers/allowed-prefixes';
import type { Connection } from '../../n8n/connection';
import type { AllowedNumbers } from '../agent/allowed-numbers';
import { allowedNumbers, requireAllowed } from '../agent/allowed-numbers';
import { InvalidParameter, quoted } from '../fields/field';
import { choiceReader } from '../fields/property';
import { MESSAGE_ID, MESSAGE_ID_LABEL, PHONE_LABEL } from '../fields/target';
import { callbackAddresses } from '../message-parts/callback-address';
import { SENDER_BY_COUNTRY, useSender } from '../message-parts/sender-by-country';
import { SHORTEN_SMS, shortenText } from '../message-parts/shorten-sms';
import { watchTexts } from '../message-parts/text-gaps';
import { isMessage } from '../run/description';
import type {
  RowChange,
  RowComparison,
  Decisions,
  OutgoingRow,
  RowRefusal,
  RowSpare,
  Step,
} from '../run/row';
import type { Run } from '../run/run';
import type { WireOperationSpec } from './build';
import { CHECK_ONLY, keepDoubt, setCheckOnly, showOnly } from './check-only';
import type { Limits } from './limits';
import { partsWithinLimit } from './limits';
import { SEND_MODE } from './properties';
import { readIfRepeated, repeatOf, REPEATED_MESSAGES, sameContent } from './repeated-messages';
import { applySendOnceKey, SEND_ONCE_KEY } from './send-once';
import { SEND_WINDOW } from './send-window';
import { leaveOut } from './skipped-rows';
import { STOP_LIST } from './stop-list';

/** What holds for all rows of a run. */
interface Checked {
  run: Run;
  connection: Connection;

  /** Of an operation whose form has the fields of one wire type, and their options. */
  spec?: WireOperationSpec;

  /** Of a run that sends messages of a user's own. */
  limits?: Limits;
}

/**
 * The phases of a row, in order; what a phase may do with the row is in the type of its steps.
 * - `shape`: changes the message, whose parts are counted behind this.
 * - `name`: gives the message its id, which is sealed into the callback address.
 * - `route`: says where the message goes, and where its callbacks come to.
 * - `refuse`: throws for a message that may not be sent. A forbidden number is an error, on the Stop List too.
 * - `spare`: ends a row that isn't sent, and isn't wrong. No other row takes its result.
 * - `among`: compares the rows that are left. Last of all, since a preview and a Retry that knows nothing hide no error.
 */
export const PHASES = ['shape', 'name', 'route', 'refuse', 'spare', 'among'] as const;

/** A check of rows: `options` has those without which it decides nothing, `of` makes it for a run, in which it may be of no use. */
type RowCheck = { options?: readonly INodeProperties[] } & (
  | { phase: 'shape' | 'name' | 'route'; of(checked: Checked): RowChange | false | undefined }
  | { phase: 'refuse'; of(checked: Checked): RowRefusal | false | undefined }
  | { phase: 'spare'; of(checked: Checked): RowSpare | false | undefined }
  | { phase: 'among'; of(checked: Checked): RowComparison | false | undefined }
);

/** All checks, in the order in which they decide. */
export const CHECKS: readonly RowCheck[] = [
  { phase: 'shape', options: [SHORTEN_SMS], of: () => shortenText },
  { phase: 'shape', options: [SENDER_BY_COUNTRY], of: () => useSender },
  { phase: 'name', options: [SEND_ONCE_KEY], of: () => applySendOnceKey },
  { phase: 'route', options: [SEND_MODE], of: () => setEndpoint },
  { phase: 'route', options: [CHECK_ONLY], of: () => setCheckOnly },
  { phase: 'route', options: [REPEATED_MESSAGES], of: () => readIfRepeated },
  {
    phase: 'route',
    of: ({ run, spec, connection }) =>
      spec?.effect === 'sends' && callbackAddresses(run, spec.wireType, connection),
  },
  { phase: 'refuse', of: ({ run, spec }) => spec && isMessage(spec) && watchTexts(run, spec) },
  { phase: 'refuse', of: ({ limits }) => limits && partsWithinLimit(limits) },
  { phase: 'refuse', of: ({ run, connection }) => requireAllowedNumber(run, connection.allowedPrefixes) },
  { phase: 'spare', options: [CHECK_ONLY], of: ({ run }) => keepDoubt(run) },
  { phase: 'spare', options: [STOP_LIST, SEND_WINDOW], of: ({ run }) => leaveOut(run) },
  // Each call has a one-time password of its own.
  {
    phase: 'among',
    of: ({ spec }) => spec?.effect === 'sends' && spec.wireType !== 'call/otp' && sameContent,
  },
  // Only a different message with the same id is an error.
  { phase: 'among', options: [MESSAGE_ID, SEND_ONCE_KEY], of: ({ run }) => sameId(run) },
  { phase: 'among', options: [CHECK_ONLY], of: () => () => showOnly },
  { phase: 'among', of: ({ run }) => run.journal.past.isLost && refuseLost(run) },
];

/**
 * Returns what decides about the rows of a run: only the checks that can decide anything in it.
 * @throws NodeOperationError for an option that is read once for the run, and can't be read
 */
export function decisionsOf(checked: Checked): Decisions {
  const { form } = checked.run;
  const steps: Step[] = [];
  const comparisons: RowComparison[] = [];
  for (const check of CHECKS) {
    if (check.options?.some(({ name }) => form.hasOption(name)) === false) continue;
    if (check.phase === 'among') comparisons.push(...made(check.of(checked)));
    else steps.push(...made<Step>(check.of(checked)));
  }
  return { steps, comparisons };
}

const made = <T>(one: T | false | undefined): T[] => (one === false || one === undefined ? [] : [one]);

const readMode = choiceReader(SEND_MODE);

const setEndpoint: RowChange = (row, { options }): undefined => {
  if (readMode(options) === 'queued') row.endpoint = 'async';
};

/** Refuses numbers that the credential, or the tool of an agent, doesn't allow to be sent to or looked up. */
function requireAllowedNumber(run: Run, allowed: AllowedPrefixes): RowRefusal | undefined {
  if (allowed.ok && allowed.prefixes.length === 0 && !isAgentTool(run.context)) return undefined;
  let lists: AllowedNumbers[] | undefined;
  return ({ operation }): undefined => {
    if (operation.phone === undefined) return;
    lists ??= allowedNumbers(run, allowed);
    requireAllowed(lists, operation.phone, quoted(PHONE_LABEL));
  };
}

/** Whether the id of a row comes from the user; ids that the node makes are always different. */
const hasGivenId = ({ hasKey = false, hasOwnId = false }: Readonly<OutgoingRow>): boolean =>
  hasKey || hasOwnId;

/** Ends a message with the key of another one, and refuses an id that the user gave to two. */
const sameId =
  ({ journal, items }: Run): RowComparison =>
  () => {
    /** The first item of each id, apart for rows that are only checked; an item that an earlier try settled keeps its id. */
    const itemOf = new Map<string, number>();
    const nameOf = (id: unknown, checkOnly: boolean): string => `${String(id)} ${checkOnly}`;
    const count = journal.isEmpty ? 0 : items.length;
    for (let index = 0; index < count; index++) {
      const id = journal.find(index)?.jsons?.[0]?.id;
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
  };

const repeatedId = (id: unknown, first: number): InvalidParameter =>
  new InvalidParameter(
    quoted(MESSAGE_ID_LABEL),
    'different for each item, or empty to have the node create one',
    id,
    `is the same as for row ${first + 1}`,
  );

/**
 * Refuses a message that may have been sent before the execution was cut off: with its new id, no gateway notices the repeat. A
 * message with a given id is asked about first. The decision throws NodeOperationError, which becomes the error of the row.
 */
const refuseLost =
  ({ node }: Run): RowComparison =>
  () =>
  (row) => {
    if (!sendsMessage(row.operation.type) || hasGivenId(row)) return undefined;
    throw new NodeOperationError(node, 'This Retry could send messages a second time. Nothing was sent', {
      description:
        "The execution was stopped, or n8n crashed, while this node was sending. See in your gateway account which rows were sent, and run the workflow with the others. About rows with a 'Send Once Key' or 'Message ID', a Retry asks the gateway first.",
    });
  };
