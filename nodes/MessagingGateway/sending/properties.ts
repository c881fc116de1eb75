import type { INodeProperties } from 'n8n-workflow';

import type { WireType } from '../../gateway/contract/operations';
import { hasField, rulesOf, statusKnows } from '../../gateway/contract/operations';
import { reportsToHook } from '../../gateway/delivery/reports';
import { withLocks } from '../agent/locks';
import { waitProperties } from '../delivery-wait/settings';
import type { Field } from '../fields/field';
import { smsMessage } from '../fields/channels';
import { optionFieldsOf } from '../fields/options';
import { pipeline, PREFERRED_CHANNEL } from '../fields/pipeline';
import { choice, groupOf, NOT_FOR_AGENTS, optionsOf, property } from '../fields/property';
import { MESSAGE_ID } from '../fields/target';
import { DELIVERY_REPORT } from '../message-parts/callback-address';
import { SENDERS_OPTION } from '../message-parts/sender-by-country';
import { SHORTEN_SMS } from '../message-parts/shorten-sms';
import { EMPTY_PLACEHOLDERS } from '../message-parts/text-gaps';
import { isMessage } from '../run/description';
import { INCLUDE_INPUT_FIELDS } from '../run/own-columns';
import { SPEED, timeoutProperty } from '../run/settings';
import type { WireOperationSpec } from './build';
import { ADDITIONAL_PROPERTIES_LABEL } from './build';
import { CHECK_ONLY } from './check-only';
import { LIMITS } from './limits';
import { REPEATED_MESSAGES } from './repeated-messages';
import { SEND_ONCE_KEY } from './send-once';
import { SEND_WINDOW } from './send-window';
import { STOP_LIST } from './stop-list';

export const SEND_MODE = {
  ...choice('Send Mode', 'delivery', 'How the gateway takes the message', [
    ['now', 'Immediately', "Send at once and get the gateway's message number in the output"],
    [
      'queued',
      'Queued',
      "Put the message in the gateway's queue. The result comes with the callback or from Get Status. Needs 'Queue Address' in the credential.",
    ],
  ]),
  ...NOT_FOR_AGENTS,
};

/** Stands where other messages have Wait for Delivery (gateway-api.md, "Callbacks"). */
const CANNOT_WAIT = property(
  'No Wait for Delivery here: the gateway keeps no callback address for this operation. Get Status may find the outcome by the id of the output.',
  'cannotWait',
  undefined,
  { type: 'notice', ...NOT_FOR_AGENTS },
);

const ADDITIONAL_PROPERTIES = property(
  ADDITIONAL_PROPERTIES_LABEL,
  'additionalProperties',
  'JSON object with properties to send to the gateway in addition to the fields of this form',
  { type: 'json', default: '{}' },
);

/** Returns the form of an operation: its fields, required where the contract requires them, and the options. */
export function wireProperties(spec: WireOperationSpec): INodeProperties[] {
  const { wireType, fields, extra = [], effect } = spec;
  const sends = effect === 'sends';
  const own = [
    ...fields.flatMap((field) => fieldProperties(spec, field)),
    ...extra,
    ...(sends && reportsToHook(wireType) ? waitProperties : isMessage(spec) ? [CANNOT_WAIT] : []),
  ];
  return [...withLocks(spec, own), optionsProperty(spec)];
}

const fieldProperties = ({ wireType }: WireOperationSpec, field: Field): INodeProperties[] =>
  field.properties(wireType).map((property) => ({
    ...property,
    ...(rulesOf(wireType)[field.wire].isRequired && { required: true }),
  }));

function optionsProperty(spec: WireOperationSpec): INodeProperties {
  const { wireType, fields, effect, syncOnly } = spec;
  const sends = effect === 'sends';
  const reports = sends && reportsToHook(wireType);
  const own = optionFieldsOf(wireType).filter(({ wire }) => !reports || wire !== 'hook');
  return optionsOf([
    ...(sends ? [CHECK_ONLY] : []),
    ...(fields.includes(pipeline) ? [PREFERRED_CHANNEL] : []),
    ...(isMessage(spec)
      ? [INCLUDE_INPUT_FIELDS, LIMITS, avoidDoubles(wireType), EMPTY_PLACEHOLDERS, STOP_LIST, SEND_WINDOW]
      : []),
    ...(reports ? [DELIVERY_REPORT] : []),
    ...(isMessage(spec) && wireType !== 'voice' ? [SENDERS_OPTION] : []),
    ...(isMessage(spec) && (fields.includes(smsMessage) || fields.includes(pipeline)) ? [SHORTEN_SMS] : []),
    ...own.flatMap((field) => field.properties(wireType)),
    ...(sends && !syncOnly ? [SEND_MODE] : []),
    // An operation without fields reads the account as a whole: nobody asks for the account in batches.
    fields.length > 0 ? SPEED : timeoutProperty,
    ...(hasField(wireType, 'phone') ? [MESSAGE_ID] : []),
    ADDITIONAL_PROPERTIES,
  ]);
}

/** Without a Send Once Key where `status` may not know the message, which would then leave twice. */
const avoidDoubles = (type: WireType): INodeProperties =>
  groupOf('Avoid Doubles', 'avoidDoubles', 'How a message is kept from being sent twice', [
    REPEATED_MESSAGES,
    ...(statusKnows(type) ? [SEND_ONCE_KEY] : []),
  ]);
