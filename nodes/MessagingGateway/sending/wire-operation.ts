import type { Endpoint } from '../../gateway/client/transport';
import { reportsToHook } from '../../gateway/delivery/reports';
import type { Connection } from '../../n8n/connection';
import { InvalidParameter, quoted } from '../fields/field';
import { messageId, phone } from '../fields/target';
import { asBoolean } from '../fields/values';
import type { OperationDefinition } from '../run/definition';
import { isMessage } from '../run/description';
import type { Item } from '../run/item';
import type { Run } from '../run/run';
import { receiveCallback } from '../delivery-wait/callbacks';
import { waitForDelivery } from '../delivery-wait/wait-for-delivery';
import { compileBuilder } from './build';
import { callbackAddresses } from '../message-parts/callback-address';
import { callbackFieldsOf } from '../message-parts/callback-fields';
import { messageOutputSchema, plainOutput, sendOutput } from './output';
import { readPrices } from './prices';
import { CHECK_ONLY, SEND_MODE, takesKey, wireProperties } from './properties';
import { repeatRule } from './repeated-messages';
import { send } from './send';
import { applySendOnceKey } from './send-once';
import type { Outgoing, Sending } from './sending';
import { withSender } from '../message-parts/sender-by-country';
import { skipRule } from './skipped-rows';
import type { WireOperationSpec } from './wire-spec';
import { RECOVERIES } from './wire-spec';
import { buildWithTexts } from '../message-parts/text-options';

/** Returns the operation of a specification: its form, how it runs and, where it can wait, how it is woken. */
export function wireOperation(spec: WireOperationSpec): OperationDefinition {
  const canWait = spec.effect === 'sends' && reportsToHook(spec.wireType);
  return {
    ...spec,
    properties: wireProperties(spec),
    async run(run) {
      const results = await send(run, wireSending(run, spec, await run.connection()));
      return canWait ? await waitForDelivery(run, results) : results;
    },
    ...(canWait && { whileWaiting: receiveCallback }),
  };
}

/** The names and wire type of a message, and its fields between number and id; all else is the same for all messages. */
type MessageSpec = Omit<WireOperationSpec, 'effect' | 'result' | 'outputSchema'> &
  Partial<Pick<WireOperationSpec, 'outputSchema'>>;

export const messageOperation = (spec: MessageSpec): OperationDefinition =>
  wireOperation({
    outputSchema: messageOutputSchema(spec.wireType),
    ...spec,
    fields: [phone, ...spec.fields, messageId],
    effect: 'sends',
    result: sendOutput,
  });

function wireSending(run: Run, spec: WireOperationSpec, { callbackKeys }: Connection): Sending {
  const build = compileBuilder(spec);
  const { result = plainOutput, lacksCode } = spec;
  const attached = callbackFieldsOf(run, callbackKeys);
  const addCallbackAddress = callbackAddresses(run, spec.wireType, attached);
  return {
    recovery: spec.isBilled ? 'none' : RECOVERIES[spec.effect],
    repeats: repeatRule(spec.wireType),
    skip: isMessage(spec) ? skipRule(run) : undefined,
    result: (accepted, item) => attached.addTo(result(accepted, item), item.index),
    lacksCode,
    build(item) {
      if (spec.effect !== 'sends') return { operation: build(item), endpoint: 'sync', checkOnly: false };
      const { operation: built, unshortened } = isMessage(spec)
        ? buildWithTexts(item, build)
        : { operation: build(item), unshortened: undefined };
      const operation = withSender(built, item.options);
      const sendOnce = takesKey(spec) && applySendOnceKey(item, operation);
      const endpoint = spec.syncOnly ? 'sync' : readEndpoint(item);
      const checkOnly = asBoolean(item.options.checkOnly, CHECK_ONLY.displayName) === true;
      const { hook } = operation;
      const { callbackFields } = item.options;
      const callbacks =
        hook === undefined && callbackFields === undefined ? undefined : { hook, callbackFields };
      addCallbackAddress(item, operation, checkOnly);
      const outgoing: Outgoing = { operation, endpoint, checkOnly, sendOnce, unshortened };
      // Thousands of messages without any don't hold a place for them.
      if (callbacks) outgoing.callbacks = callbacks;
      const prices = isMessage(spec) ? readPrices(item.options) : undefined;
      if (prices) outgoing.prices = prices;
      return outgoing;
    },
  };
}

function readEndpoint(item: Item): Endpoint {
  const mode = item.read(SEND_MODE.name, 'now');
  if (mode === 'now') return 'sync';
  if (mode === 'queued') return 'async';
  throw new InvalidParameter(quoted(SEND_MODE.displayName), 'Immediately or Queued', mode);
}
