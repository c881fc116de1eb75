import type { LifetimeField } from '../../gateway/contract/limits';
import { LIFETIME_LIMITS } from '../../gateway/contract/limits';
import { reportsToHook } from '../../gateway/delivery/reports';
import { counted } from '../../gateway/errors/words';
import type { Field } from './field';
import { booleanField, linkField, numberField } from './make-field';

/** Optional wire fields, which the form offers in the collection "Options". */

function lifetime(wire: LifetimeField, parameter: string, channel: string): Field {
  const { min, max, default: standard } = LIFETIME_LIMITS[wire];
  const range = max === undefined ? `${inWords(min)} or more` : `${inWords(min)} to ${inWords(max)}`;
  return numberField({
    parameter,
    wire,
    displayName: `${channel} Lifetime (Seconds)`,
    default: standard,
    min,
    max,
    description: `How long delivery is tried: ${range}. Defaults to ${inWords(standard)}.`,
  });
}

/** A number of seconds with its meaning: "3600 (1 hour)". */
function inWords(seconds: number): string {
  const [name, length] = UNITS.find((unit) => seconds % unit[1] === 0) ?? ['second', 1];
  return `${seconds} (${counted(seconds / length, name)})`;
}

const UNITS: Array<[name: string, seconds: number]> = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

export const HOOK_LABEL = 'Callback URL';

const hook = linkField({
  parameter: 'hook',
  wire: 'hook',
  displayName: HOOK_LABEL,
  placeholder: 'e.g. https://n8n.example.com/webhook/…',
  description:
    'Address that receives the delivery status: the production URL of a Messaging Gateway Trigger, copied from its panel. The gateway must be able to reach it. For a trigger in this workflow, use Callback to This Workflow instead.',
});

/** gateway-api.md, "Callbacks": the statuses of a pipeline don't come to its hook. */
const HOOK_OF_REFUSALS =
  "Only called when a queued request is refused. Delivery statuses go to the address in the gateway's API settings.";

export const optionalFields: Field[] = [
  {
    ...hook,
    properties: (type) =>
      hook
        .properties(type)
        .map((property) => (reportsToHook(type) ? property : { ...property, description: HOOK_OF_REFUSALS })),
  },
  lifetime('rcs_lifetime', 'rcsLifetime', 'RCS'),
  booleanField({
    parameter: 'shortLink',
    wire: 'short_link',
    displayName: 'Shorten Links',
    description: 'Whether links are shortened and tracked. Depends on your tariff.',
  }),
  lifetime('sms_lifetime', 'smsLifetime', 'SMS'),
  lifetime('telegram_lifetime', 'telegramLifetime', 'Telegram'),
  booleanField({
    parameter: 'unsubscribeLink',
    wire: 'unsubscribe_link',
    displayName: 'Unsubscribe Link',
    description: 'Whether the recipient can unsubscribe through a link. Depends on your tariff.',
  }),
  lifetime('viber_lifetime', 'viberLifetime', 'Viber'),
];
