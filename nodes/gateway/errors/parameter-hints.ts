import type { LifetimeField } from '../contract/limits';
import { LIFETIME_LIMITS } from '../contract/limits';
import type { WireType } from '../contract/operations';
import { hasField } from '../contract/operations';
import type { NamedParameter, Words } from './words';
import { capitalised, joined, nameOf, shownLabels } from './words';

/** Which parameters of the form hold what an explanation is about. */
const SENDERS = ['smsSignature', 'viberSignature', 'rcsSignature', 'signature'];
const TEXTS = ['smsMessage', 'viberMessage', 'rcsMessage', 'message', 'template'];
const LIFETIMES: Record<LifetimeField, NamedParameter> = {
  sms_lifetime: 'smsLifetime',
  viber_lifetime: 'viberLifetime',
  rcs_lifetime: 'rcsLifetime',
  telegram_lifetime: 'telegramLifetime',
};

/** How to choose another sender, as the beginning of a sentence. */
export function chooseSender(words: Words): string {
  const shown = shownLabels(words, SENDERS);
  return `Choose an approved sender${shown.length === 0 ? '' : ` in ${joined(shown, 'or')}`}`;
}

/** The parameters that hold the text. */
export function textParameters(words: Words): string {
  const shown = shownLabels(words, TEXTS);
  return shown.length === 0 ? 'the text' : joined(shown, 'or');
}

/** One sentence for each lifetime of an operation type, with its limits (gateway-api.md, "Limits"). */
export function lifetimeLimits(words: Words, wireType: WireType | undefined): string {
  const fields = Object.keys(LIFETIMES) as LifetimeField[];
  const ofType = wireType === undefined ? [] : fields.filter((field) => hasField(wireType, field));
  return (ofType.length > 0 ? ofType : fields)
    .map((field) => {
      const { min, max } = LIFETIME_LIMITS[field];
      const range = max === undefined ? `at least ${min} seconds` : `from ${min} to ${max} seconds`;
      return `${capitalised(nameOf(words, LIFETIMES[field]))} must be ${range}.`;
    })
    .join(' ');
}
