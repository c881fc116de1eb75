import type { CallbackFields } from '../../gateway/callback/message-facts';
import type { Recovery } from '../../gateway/client/doubt';
import type { WireType } from '../../gateway/contract/operations';
import { hasField } from '../../gateway/contract/operations';
import { reportsToHook } from '../../gateway/delivery/reports';
import { WAIT_SWITCH } from '../delivery-wait/settings';
import { readWaits, receiveCallback, waitForDelivery } from '../delivery-wait/wait-for-delivery';
import type { Field } from '../fields/field';
import { phone } from '../fields/target';
import type { OperationNames } from '../run/description';
import { isMessage } from '../run/description';
import type { ItemResult } from '../run/item-result';
import type { RowChange, ResultOf } from '../run/row';
import { prepareRows } from '../run/row';
import type { OperationDefinition, Run } from '../run/run';
import type { WireOperationSpec } from './build';
import { compileBuilder } from './build';
import { limitsOf, refuseBeyondLimits } from './limits';
import { messageOutputSchema, plainOutput, sendOutput } from './output';
import { wireProperties } from './properties';
import { sendRows } from './send-rows';
import { decisionsOf } from './steps';

/** Returns the operation of a specification: its form, how it runs and, where it can wait, how it is woken. */
export function wireOperation(spec: WireOperationSpec): OperationDefinition {
  const canWait = spec.effect === 'sends' && reportsToHook(spec.wireType);
  return {
    ...spec,
    properties: wireProperties(spec),
    async run(run) {
      // Read before anything leaves: a limit that can't be read would make failures of messages that were sent.
      const waits = canWait && run.form.mayBeOn(WAIT_SWITCH) ? readWaits(run) : undefined;
      const results = await sendItems(run, spec);
      return waits ? await waitForDelivery(run, results, waits) : results;
    },
    ...(canWait && { whileWaiting: receiveCallback }),
  };
}

interface MessageSpec extends OperationNames {
  wireType: WireType;

  /** The fields of the form behind the number, in order. */
  fields: Field[];
}

/** Returns the operation that sends a message; all but its names, type and fields is the same for all messages. */
export const messageOperation = (spec: MessageSpec): OperationDefinition =>
  wireOperation({
    ...spec,
    fields: [phone, ...spec.fields],
    effect: 'sends',
    result: sendOutput,
    outputSchema: messageOutputSchema(spec.wireType),
  });

/** Returns how it is found out whether the gateway took an operation. Each look-up of a number is billed; all else is read for free. */
function recoveryOf({ effect, wireType }: WireOperationSpec): Recovery {
  if (effect === 'sends') return 'status';
  return effect === 'reads' && !hasField(wireType, 'phone') ? 'repeat' : 'none';
}

/** Sends the operation of each item, whose form has the fields of one wire type. */
async function sendItems(run: Run, spec: WireOperationSpec): Promise<ItemResult[]> {
  const { result = plainOutput, resultFor } = spec;
  const limits = isMessage(spec) ? limitsOf(run) : undefined;
  const connection = await run.connection();
  const { steps, comparisons } = decisionsOf({ run, connection, spec, limits });
  const rows = prepareRows(run, compileBuilder(spec), {
    steps: resultFor ? [readResult(resultFor), ...steps] : steps,
    comparisons,
  });
  if (limits) refuseBeyondLimits(limits, rows);
  return await sendRows(run, rows, {
    recovery: recoveryOf(spec),
    output: (accepted, row) => withFields((row.result ?? result)(accepted), row.fields),
  });
}

const readResult =
  (resultFor: NonNullable<WireOperationSpec['resultFor']>): RowChange =>
  (row, item): undefined => {
    row.result = resultFor(item);
  };

/** Returns the output of an item that waits for its callbacks itself, with the Callback Fields that they would bring back. */
function withFields(output: ReturnType<ResultOf>, fields: CallbackFields | undefined): ReturnType<ResultOf> {
  if (fields === undefined || !Array.isArray(output)) return output;
  return output.map((json) => ({ ...json, fields, sent_as: json.type }));
}
