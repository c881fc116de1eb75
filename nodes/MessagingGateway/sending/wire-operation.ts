import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { CallbackFields } from '../../gateway/callback/sealed-fields';
import { sendsMessage } from '../../gateway/contract/operations';
import { reportsToHook } from '../../gateway/delivery/reports';
import type { Connection } from '../../n8n/connection';
import { InvalidParameter, quoted } from '../fields/field';
import { messageId, phone } from '../fields/target';
import type { OperationDefinition } from '../run/definition';
import { isMessage } from '../run/description';
import type { Item } from '../run/item';
import type { Run } from '../run/run';
import { receiveCallback } from '../delivery-wait/callbacks';
import { waitForDelivery } from '../delivery-wait/wait-for-delivery';
import { compileBuilder } from './build';
import { CHECK_ONLY, onlyChecks } from './check-only';
import { callbackAddresses } from '../message-parts/callback-address';
import { partsWithinLimit } from './limits';
import { messageOutputSchema, plainOutput, sendOutput } from './output';
import { SEND_MODE, takesKey, wireProperties } from './properties';
import { send } from './send';
import { applySendOnceKey, SEND_ONCE_KEY } from './send-once';
import type { Outgoing, Sending } from './sending';
import { SENDER_BY_COUNTRY, withSender } from '../message-parts/sender-by-country';
import { skipRule } from './skipped-rows';
import type { WireOperationSpec } from './wire-spec';
import { RECOVERIES } from './wire-spec';
import { SHORTEN_SMS, shortenText, watchTexts } from '../message-parts/text-options';

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

function wireSending(run: Run, spec: WireOperationSpec, connection: Connection): Sending {
  const compiled = compileBuilder(spec);
  const build = isMessage(spec) ? watchTexts(run, spec.fields, compiled) : compiled;
  const { result = plainOutput, lacksCode } = spec;
  const kept = new Map<number, CallbackFields>();
  const steps = optionSteps(run, spec, connection, kept);
  return {
    recovery: spec.isBilled ? 'none' : RECOVERIES[spec.effect],
    // Each call has a one-time password of its own.
    findsRepeats: sendsMessage(spec.wireType) && spec.wireType !== 'call/otp',
    skip: isMessage(spec) ? skipRule(run) : undefined,
    result: (accepted, item) => withFields(result(accepted, item), kept.get(item.index)),
    lacksCode,
    build(item) {
      const outgoing: Outgoing = { operation: build(item), endpoint: 'sync', checkOnly: false };
      for (const apply of steps) apply(outgoing, item);
      return outgoing;
    },
  };
}

/** Returns the output of an item that waits for its callbacks itself, with the Callback Fields that they would bring back. */
const withFields = (jsons: IDataObject[], fields: CallbackFields | undefined): IDataObject[] =>
  fields ? jsons.map((json) => ({ ...json, fields, sent_as: json.type })) : jsons;

/** Adds to the operation of an item what one of its options or parameters asks for. Throws InvalidParameter. */
type OptionStep = (outgoing: Outgoing, item: Item) => void;

/** Returns the steps of a run, in order: only those of options that are added in its form. */
function optionSteps(
  run: Run,
  spec: WireOperationSpec,
  connection: Connection,
  kept: Map<number, CallbackFields>,
): OptionStep[] {
  if (spec.effect !== 'sends') return [];
  const has = ({ name }: INodeProperties): boolean => run.form.hasOption(name);
  const steps: Array<OptionStep | false> = [
    isMessage(spec) && has(SHORTEN_SMS) && shortenText,
    isMessage(spec) && partsWithinLimit(run),
    has(SENDER_BY_COUNTRY) && useSenderByCountry,
    takesKey(spec) && has(SEND_ONCE_KEY) && applySendOnceKey,
    !spec.syncOnly && setEndpoint,
    has(CHECK_ONLY) && setCheckOnly,
    keepCallbacks,
    callbackAddresses(run, spec.wireType, connection, kept),
  ];
  return steps.filter((step) => step !== false);
}

const useSenderByCountry: OptionStep = (outgoing, { options }) => {
  outgoing.operation = withSender(outgoing.operation, options);
};

const setEndpoint: OptionStep = (outgoing, { read }) => {
  const mode = read(SEND_MODE.name, 'now');
  if (mode === 'now') return;
  if (mode !== 'queued') {
    throw new InvalidParameter(quoted(SEND_MODE.displayName), 'Immediately or Queued', mode);
  }
  outgoing.endpoint = 'async';
};

const setCheckOnly: OptionStep = (outgoing, { options }) => {
  outgoing.checkOnly = onlyChecks(options);
};

/** Notes what the user set for callbacks, before the node adds its own address. */
const keepCallbacks: OptionStep = (outgoing, { options: { callbackFields } }) => {
  const { hook } = outgoing.operation;
  if (hook !== undefined || callbackFields !== undefined) outgoing.callbacks = { hook, callbackFields };
};
