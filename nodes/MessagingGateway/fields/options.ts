import type { LifetimeField } from '../../gateway/contract/limits';
import { LIFETIME_LIMITS } from '../../gateway/contract/limits';
import type { Field } from './field';
import { booleanField, linkField, numberField } from './make-field';

/** Optional wire fields, which the form offers in the collection "Options". */

function lifetime(wire: LifetimeField, parameter: string, channel: string): Field {
  const { min, max, default: standard } = LIFETIME_LIMITS[wire];
  const range = max === undefined ? `${min} or more` : `${min} to ${max}`;
  return numberField({
    parameter,
    wire,
    displayName: `${channel} Lifetime`,
    default: standard,
    min,
    max,
    description: `How long to try delivery, in seconds: ${range}. The gateway's default is ${standard}.`,
  });
}

export const HOOK_LABEL = 'Callback URL';

export const optionalFields: Field[] = [
  linkField({
    parameter: 'hook',
    wire: 'hook',
    displayName: HOOK_LABEL,
    placeholder: 'e.g. https://n8n.example.com/webhook/…',
    description:
      'Address that receives the delivery status: the production URL of a Messaging Gateway Trigger, copied from its panel. The gateway must be able to reach it. For a trigger in this workflow, use Callback to This Workflow instead.',
  }),
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
