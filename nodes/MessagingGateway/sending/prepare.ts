import { NodeOperationError } from 'n8n-workflow';

import { READY } from '../../gateway/client/row';
import { sendsMessage } from '../../gateway/contract/operations';
import type { AllowedPrefixes } from '../../gateway/numbers/allowed-prefixes';
import { secretMasker } from '../../gateway/text/secrets';
import { allowedNumbers, requireAllowed } from '../agent/allowed-numbers';
import type { AllowedNumbers } from '../agent/allowed-numbers';
import { InvalidParameter, quoted } from '../fields/field';
import { MESSAGE_ID_LABEL, phone as phoneField } from '../fields/target';
import { Item } from '../run/item';
import type { DoneItem, ItemResult } from '../run/item-result';
import type { JournalEntry } from '../run/journal';
import type { Run } from '../run/run';
import { addressSecrets } from '../suspend/address';
import { previewOf } from './preview';
import { RepeatedMessages } from './repeated-messages';
import type { Numbered, Pending, Sending } from './sending';
import type { SkipRule } from './skipped-rows';
import { skippedRow } from './skipped-rows';

/** A row that takes the result of a row before it, once that is known. */
export interface RepeatedRow {
  takes: NonNullable<DoneItem['repeats']>;
}

/** What an item comes to before anything is sent: an operation to send, a result, or the row whose result it takes. */
export type PreparedRow = Pending | RepeatedRow | ItemResult;

export const isPending = (row: PreparedRow): row is Pending => 'operation' in row;

/** A row whose operation is built, while the steps of its run decide about it. */
interface Draft {
  item: Item;
  row: Numbered;

  /** What an earlier try of the run left of it. */
  earlier?: JournalEntry;

  /** The row before it whose result it takes. */
  repeats?: DoneItem['repeats'];
}

/**
 * Decides about rows before they are sent: returns the result of a row that it settles, undefined for one that goes on to
 * the next step.
 * @throws InvalidParameter for a row that may not be sent
 */
type Step = (draft: Draft) => DoneItem | RepeatedRow | undefined;

/**
 * Builds the operations of all items before anything is sent. Returns one row for each item: its result if an earlier
 * try settled it, it is left out, it is only checked, it is the same message as an item before it, or its parameters are invalid;
 * otherwise its operation. An operation with a number which the credential or the tool doesn't allow is invalid, and so is
 * one with the id of another message: those of one run with the same id couldn't be distinguished afterwards.
 */
export function prepareItems(run: Run, sending: Sending, allowed: AllowedPrefixes): PreparedRow[] {
  const rows: PreparedRow[] = [];
  const repeated = sending.findsRepeats ? new RepeatedMessages(run) : undefined;
  const steps = stepsOf(run, sending, { allowed, repeated, rows });
  const isFirstTry = run.journal.isEmpty;
  const mayBeSent = run.journal.mayHaveSentBefore && sending.recovery === 'status';

  const prepare = (index: number): PreparedRow => {
    const earlier = isFirstTry ? undefined : run.journal.find(index);
    if (earlier?.jsons) {
      repeated?.takeSettled(index, sending);
      return { jsons: earlier.jsons, ...(earlier.before && { before: earlier.before }) };
    }
    try {
      const item = new Item(run, index);
      // Here and below the same object: of thousands, copies would be held beside it until all are built.
      const row: Numbered = Object.assign(sending.build(item), { index });
      const draft: Draft = { item, row, earlier };
      for (const step of steps) {
        const result = step(draft);
        if (result) return result;
      }
      const pending = row as Pending;
      if (sendsMessage(row.operation.type) && item.hasOwnId) pending.hasOwnId = true;
      if (mayBeSent) pending.mayBeSent = true;
      pending.departures = earlier?.departures;
      pending.state = earlier?.state ?? READY;
      const secrets = secretsOf(row);
      if (secrets.length > 0) pending.secrets = secrets;
      return pending;
    } catch (thrown) {
      return run.invalid(thrown, index);
    }
  };

  for (let index = 0; index < run.items.length; index++) rows.push(prepare(index));
  repeated?.showHint();
  return rows;
}

interface StepTools {
  allowed: AllowedPrefixes;
  repeated: RepeatedMessages | undefined;

  /** The rows before the one that a step decides about. */
  rows: readonly PreparedRow[];
}

/** Returns the steps of a run, in order: only those that can decide anything in it. */
function stepsOf(run: Run, sending: Sending, { allowed, repeated, rows }: StepTools): Step[] {
  const { skip } = sending;
  const steps: Array<Step | undefined> = [
    numberStep(run, allowed),
    skip && ((draft) => leftOut(draft, skip)),
    repeated && ((draft) => findRepeated(draft, repeated)),
    idStep(run),
    (draft) => resultOfOther(draft, rows),
    (draft) => previewed(run, draft),
    run.journal.isLost ? (draft) => refuseLost(run, draft) : undefined,
  ];
  return steps.filter((step) => step !== undefined);
}

/** Returns the step that refuses numbers which may not be sent to or looked up; it settles no row. */
function numberStep(run: Run, allowed: AllowedPrefixes): Step {
  let lists: AllowedNumbers[] | undefined;
  return ({ row: { operation } }) => {
    if (operation.phone === undefined) return undefined;
    lists ??= allowedNumbers(run.context, allowed);
    requireAllowed(lists, operation.phone, quoted(phoneField.displayName));
    return undefined;
  };
}

/** What an earlier try may have sent isn't said to be left out. */
function leftOut({ item, row, earlier }: Draft, skip: SkipRule): DoneItem | undefined {
  const { operation, checkOnly } = row;
  if (earlier && earlier.state?.is !== 'refused' && earlier.state?.is !== 'notSent') return undefined;
  const reason = skip(item, operation);
  return reason && skippedRow(operation, reason, checkOnly);
}

/** Whether the id of a row isn't made by the node: those are always different. */
const hasGivenId = ({ item, row }: Draft): boolean =>
  sendsMessage(row.operation.type) && (row.hasKey === true || item.hasOwnId);

/** Returns the step that finds messages with the id of another one: repeated keys, and ids that the user gave to two. */
function idStep(run: Run): Step {
  /** The item of each id. One that an earlier try settled keeps its id. */
  const itemOf = new Map<unknown, number>();
  for (let index = 0; index < run.items.length && !run.journal.isEmpty; index++) {
    const jsons = run.journal.find(index)?.jsons;
    if (jsons) itemOf.set(jsons[0]?.id, index);
  }
  return (draft) => {
    if (!hasGivenId(draft) || draft.repeats) return undefined;
    const { index, operation, hasKey } = draft.row;
    const first = itemOf.get(operation.id);
    if (first === undefined) itemOf.set(operation.id, index);
    else if (hasKey) draft.repeats = { item: first, by: 'key' };
    else throw repeatedId(operation.id, first);
    return undefined;
  };
}

/**
 * Refuses a message that may have been sent before the execution was cut off: with its new id, no gateway notices the repeat.
 * A message with a given id is asked about first.
 * @throws NodeOperationError
 */
function refuseLost({ node }: Run, draft: Draft): undefined {
  if (!sendsMessage(draft.row.operation.type) || hasGivenId(draft)) return;
  throw new NodeOperationError(node, 'This Retry could send messages a second time. Nothing was sent', {
    description:
      "The execution was stopped, or n8n crashed, while this node was sending, and nothing is known of what was sent. Look in your gateway account what was, and run the workflow with the other rows. Rows with a 'Send Once Key' or a 'Message ID' of their own don't need that: a Retry asks the gateway about them first.",
  });
}

/** Finds the row with the content of this one. What an earlier try may have sent takes no other result. */
function findRepeated(draft: Draft, repeated: RepeatedMessages): undefined {
  const { item, row, earlier } = draft;
  if (earlier) {
    repeated.take(item, row);
    return;
  }
  const first = repeated.firstOf(item, row);
  if (first !== undefined) draft.repeats = { item: first, by: 'content' };
}

/** Settles a row that takes the result of one before it. */
function resultOfOther({ row, repeats }: Draft, rows: readonly PreparedRow[]): RepeatedRow | undefined {
  if (!repeats || row.checkOnly) return undefined;
  passOnAddress(row, rows[repeats.item]);
  return { takes: repeats };
}

/**
 * Gives the message that leaves the node's own callback address of a row that repeats it: of the rows of a run that wait for
 * delivery only a few have it.
 */
function passOnAddress({ operation: { hook }, callbacks }: Numbered, first: PreparedRow): void {
  if (hook === undefined || callbacks?.hook !== undefined || !isPending(first)) return;
  if (first.operation.hook !== undefined) return;
  first.operation.hook = hook;
  first.secrets = [...(first.secrets ?? []), ...addressSecrets(hook)];
}

/** Settles a row that is only checked, with what would be sent. */
function previewed(run: Run, { row, repeats }: Draft): DoneItem | undefined {
  if (!row.checkOnly) return undefined;
  const { index, operation, unshortened } = row;
  const { json: input } = run.items[index];
  const mask = secretMasker(secretsOf(row));
  const preview = previewOf(operation, input, unshortened);
  if (!repeats) return { jsons: [mask(preview)], checked: true };
  return { jsons: [mask({ ...preview, duplicate: true })], checked: true, repeats };
}

const NO_SECRETS: readonly string[] = [];

const secretsOf = ({ secrets = NO_SECRETS, operation: { hook } }: Numbered): readonly string[] =>
  hook === undefined ? secrets : [...secrets, ...addressSecrets(hook)];

const repeatedId = (id: unknown, first: number): InvalidParameter =>
  new InvalidParameter(
    quoted(MESSAGE_ID_LABEL),
    'different for each item, or empty to have the node create one',
    id,
    `is the same as for item ${first}`,
  );
