import type { INodeProperties } from 'n8n-workflow';

import type { WireType } from '../../gateway/contract/operations';
import { wireFieldsOf } from '../../gateway/contract/operations';
import { reportsToHook } from '../../gateway/delivery/reports';
import { withLocks } from '../agent/locks';
import { waitProperties } from '../delivery-wait/settings';
import type { Field, FieldProperty } from '../fields/field';
import { pipeline } from '../fields/pipeline';
import { PREFERRED_CHANNEL } from '../fields/preferred-channel';
import { choice, optionsOf } from '../fields/property';
import { MESSAGE_ID, messageId } from '../fields/target';
import { HOOK_FROM_TRIGGER } from '../message-parts/callback-address';
import { CALLBACK_FIELDS } from '../message-parts/callback-fields';
import { SENDER_BY_COUNTRY } from '../message-parts/sender-by-country';
import { textOptions } from '../message-parts/text-options';
import { isMessage } from '../run/description';
import { SETTING_PROPERTIES, timeoutProperty } from '../run/settings';
import { ADDITIONAL_PROPERTIES_LABEL, optionFieldsOf } from './build';
import { CHECK_ONLY } from './check-only';
import { LIMITS } from './limits';
import { REPEATED_MESSAGES } from './repeated-messages';
import { SEND_ONCE_KEY } from './send-once';
import { SEND_WINDOW } from './send-window';
import { STOP_LIST } from './stop-list';
import type { WireOperationSpec } from './wire-spec';

export const SEND_MODE = choice('Send Mode', 'delivery', 'How the gateway takes the message', [
  ['now', 'Immediately', "Send at once and get the gateway's message number in the output"],
  [
    'queued',
    'Queued',
    "Put the message in the gateway's queue. The result comes with the callback or from Get Status. Needs 'Async URL' in the credential.",
  ],
]);

/** Messages whose status comes to no address of theirs (gateway-api.md, "Callbacks"). */
const WITHOUT_WAIT: WireType[] = ['pipeline', 'voice'];
const CANNOT_WAIT =
  'There are no Wait for Delivery and no Callback Fields here, since the gateway keeps no callback address for this operation. Get Status finds its outcome by the id of the output.';

const sendModeOf = (wireType: WireType): INodeProperties =>
  WITHOUT_WAIT.includes(wireType) ? { ...SEND_MODE, hint: CANNOT_WAIT } : SEND_MODE;

const ADDITIONAL_PROPERTIES: INodeProperties = {
  displayName: ADDITIONAL_PROPERTIES_LABEL,
  name: 'additionalProperties',
  type: 'json',
  default: '{}',
  description: 'JSON object with properties to send to the gateway in addition to the fields of this form',
};

/** Whether an operation takes a Send Once Key: the contract doesn't say that `status` knows pipelines. */
export const takesKey = (spec: WireOperationSpec): boolean => isMessage(spec) && spec.wireType !== 'pipeline';

/** Returns the form of an operation: its fields, required where the contract requires them, and the options. */
export function wireProperties(spec: WireOperationSpec): INodeProperties[] {
  const { wireType, fields, extra = [], effect, syncOnly } = spec;
  const sends = effect === 'sends';
  const own = [
    ...fields.flatMap((field) => fieldProperties(spec, field)),
    ...extra,
    ...(sends && !syncOnly ? [sendModeOf(wireType)] : []),
    ...(sends && reportsToHook(wireType) ? waitProperties : []),
  ];
  return [...withLocks(spec, own), optionsProperty(spec)];
}

function fieldProperties({ wireType }: WireOperationSpec, field: Field): INodeProperties[] {
  // The node creates an `id` where none is entered.
  const always = field !== messageId && wireFieldsOf(wireType).required.includes(field.wire);
  // A field that is shown only for some values of another field is required wherever it is shown.
  const isRequired = ({ displayOptions }: FieldProperty) => always || displayOptions?.show !== undefined;
  return field
    .properties(wireType)
    .map((property) => ({ ...property, ...(isRequired(property) && { required: true }) }));
}

function optionsProperty(spec: WireOperationSpec): INodeProperties {
  const { wireType, fields, effect } = spec;
  const sends = effect === 'sends';
  return optionsOf([
    ...optionFieldsOf(spec).flatMap((field) => field.properties(wireType)),
    ADDITIONAL_PROPERTIES,
    // What has no fields reads the account as a whole: nobody asks for that in batches.
    ...(fields.length > 0 ? SETTING_PROPERTIES : [timeoutProperty]),
    ...(sends && reportsToHook(wireType) ? [CALLBACK_FIELDS, HOOK_FROM_TRIGGER] : []),
    ...(sends ? [CHECK_ONLY] : []),
    ...(fields.includes(messageId) ? [MESSAGE_ID] : []),
    ...(isMessage(spec) ? [LIMITS, REPEATED_MESSAGES, SEND_WINDOW, STOP_LIST, ...textOptions(fields)] : []),
    ...(isMessage(spec) && wireType !== 'voice' ? [SENDER_BY_COUNTRY] : []),
    ...(fields.includes(pipeline) ? [PREFERRED_CHANNEL] : []),
    ...(takesKey(spec) ? [SEND_ONCE_KEY] : []),
  ]);
}
