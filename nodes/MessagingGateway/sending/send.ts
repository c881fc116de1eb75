import type { SendResult } from '../../gateway/client/send-result';
import { sendOperations } from '../../gateway/client/send';
import type { Endpoint } from '../../gateway/client/transport';
import type { WireOperation } from '../../gateway/contract/operations';
import { notAcceptedItem } from '../run/item-errors';
import type { ItemResult } from '../run/item-result';
import { stopAtInvalidItems } from '../run/output';
import type { Run } from '../run/run';
import { isResult, prepareItems } from './prepare';
import type { Slot } from './prepare';
import type { SentOperation, Sending } from './sending';

/** Operations that travel together. */
interface Group {
  endpoint: Endpoint;
  /** Whether an earlier try may have sent them, so that the gateway is asked about them first. */
  askFirst: boolean;
  /** Indexes of the items, and their operations in the same order. */
  indexes: number[];
  operations: WireOperation[];
}

/**
 * Sends one operation for each item of a run, in batches, and finds out what became of it. Items that an earlier try
 * of this run sent are not sent again. With On Error set to stop, bad input ends the run before a request leaves.
 *
 * @returns one result for each item, in order
 * @throws NodeOperationError for input that can't be sent and for settings or addresses that can't be used
 */
export async function send(run: Run, sending: Sending): Promise<ItemResult[]> {
  const slots = prepareItems(run, sending);
  stopAtInvalidItems(
    run,
    slots.map((slot) => (isResult(slot) ? slot : undefined)),
  );
  const groups = groupsOf(run, slots);
  if (groups.length > 0) {
    const transport = await run.transport(groups.map(({ endpoint }) => endpoint));
    const { settings } = run;
    for (const { endpoint, askFirst, indexes, operations } of groups) {
      const sent = operations.map(({ id, type, phone }): SentOperation => ({ id, type, phone }));
      await sendOperations(
        operations,
        { ...settings, endpoint, askFirst, recovery: sending.recovery },
        {
          transport,
          sleep: run.sleep,
          stopped: run.isStopped,
          record: (position, result) => {
            const index = indexes[position];
            slots[index] = settle(run, sending, { index, sent: sent[position], result });
          },
        },
      );
    }
  }
  return slots as ItemResult[];
}

function groupsOf(run: Run, slots: Slot[]): Group[] {
  const groups: Group[] = [];
  slots.forEach((slot, index) => {
    if (isResult(slot)) return;
    const { operation, endpoint } = slot;
    const askFirst = run.journal.find(index) !== undefined;
    let group = groups.find((one) => one.endpoint === endpoint && one.askFirst === askFirst);
    if (!group) groups.push((group = { endpoint, askFirst, indexes: [], operations: [] }));
    group.indexes.push(index);
    group.operations.push(operation);
  });
  return groups;
}

interface Settled {
  index: number;
  sent: SentOperation;
  result: SendResult;
}

/** Records in the journal what became of an operation, and returns the result of its item. */
function settle(run: Run, sending: Sending, { index, sent, result }: Settled): ItemResult {
  if (result.state === 'accepted') {
    const { payload, requestId } = result;
    const read = (name: string, fallback?: unknown) => run.read(name, index, fallback);
    const jsons = sending.result({ sent, payload, requestId }, { read });
    run.journal.record(index, { sent, jsons });
    return { jsons };
  }
  if (result.state === 'unknown') run.journal.record(index, { sent });
  else run.journal.forget(index);
  return notAcceptedItem(index, result, sent);
}
