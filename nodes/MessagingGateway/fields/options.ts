import type { OptionalField, WireType } from '../../gateway/contract/operations';
import { hasField } from '../../gateway/contract/operations';
import type { LifetimeField } from '../../gateway/contract/wire-fields';
import { LIFETIME_LIMITS } from '../../gateway/contract/wire-fields';
import { reportsToHook } from '../../gateway/delivery/reports';
import type { Field } from './field';
import { booleanField, linkField, numberField } from './make-field';
import { NOT_FOR_AGENTS } from './property';

/** The meaning of each length of time in the limits, by its seconds. */
const LENGTHS = { 60: '1 minute', 3600: '1 hour', 86400: '24 hours', 172800: '48 hours', 259200: '72 hours' };

const inWords = (seconds: keyof typeof LENGTHS): string => `${seconds} (${LENGTHS[seconds]})`;

function lifetime(wire: LifetimeField, channel: string): Field<LifetimeField> {
  const { min, max, default: standard } = LIFETIME_LIMITS[wire];
  const hint = max === undefined ? `At least ${inWords(min)}` : `From ${inWords(min)} to ${inWords(max)}`;
  return numberField(
    `${channel} Lifetime (Seconds)`,
    wire,
    `How long delivery is tried. Without this option: ${inWords(standard)}.`,
    {
      type: 'number',
      default: standard,
      hint,
      typeOptions: { minValue: min, ...(max !== undefined && { maxValue: max }) },
    },
  );
}

export const HOOK_LABEL = 'Callback URL';

export const hook = linkField(
  HOOK_LABEL,
  'hook',
  'Address that receives the delivery status in place of the trigger of this workflow: the production URL of another Messaging Gateway Trigger, copied from its panel. The gateway must be able to reach it.',
  { placeholder: 'e.g. https://n8n.example.com/webhook/…' },
);

/** gateway-api.md, "Callbacks": the statuses of a pipeline don't come to its hook. */
const HOOK_OF_REFUSALS =
  "Only called when a queued request is refused. Delivery statuses go to the address in the gateway's API settings.";

export const optionalFields: Array<Field<OptionalField>> = [
  {
    ...hook,
    properties: (type) =>
      hook
        .properties(type)
        .map((property) => (reportsToHook(type) ? property : { ...property, description: HOOK_OF_REFUSALS })),
  },
  lifetime('rcs_lifetime', 'RCS'),
  booleanField(
    'Shorten Links',
    'short_link',
    'Whether links are shortened and tracked. Depends on your tariff.',
    { default: true },
  ),
  lifetime('sms_lifetime', 'SMS'),
  lifetime('telegram_lifetime', 'Telegram'),
  booleanField(
    'Unsubscribe Link',
    'unsubscribe_link',
    'Whether the recipient can unsubscribe through a link. Depends on your tariff.',
    { default: true, ...NOT_FOR_AGENTS },
  ),
  lifetime('viber_lifetime', 'Viber'),
];

/** Returns the optional fields that the contract defines for an operation type, which forms offer under "Options". */
export const optionFieldsOf = (type: WireType): Field[] =>
  optionalFields.filter(({ wire }) => hasField(type, wire));
