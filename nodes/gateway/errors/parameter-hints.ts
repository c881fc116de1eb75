import type { WireField } from '../contract/wire-fields';
import type { LifetimeField } from '../contract/limits';
import { LIFETIME_LIMITS } from '../contract/limits';
import type { WireType } from '../contract/operations';
import { hasField } from '../contract/operations';

/** Display names of the parameters that an explanation points to, by wire field. */
const SENDERS: Partial<Record<WireField, string>> = {
  sms_signature: 'SMS Sender',
  viber_signature: 'Viber Sender',
  rcs_signature: 'RCS Sender',
  pipeline: 'Sender',
  signature: 'Viber Sender',
};

const TEXTS: Partial<Record<WireField, string>> = {
  sms_message: 'SMS Text',
  viber_message: 'Viber Text',
  rcs_message: 'RCS Text',
  pipeline: 'Text',
  template: 'Template Text',
};

const LIFETIMES: Record<LifetimeField, string> = {
  sms_lifetime: 'SMS Lifetime',
  viber_lifetime: 'Viber Lifetime',
  rcs_lifetime: 'RCS Lifetime',
  telegram_lifetime: 'Telegram Lifetime',
};

/** The parameters that name the sender in operations of this type; all of them where the type is not known. */
export function senderParameters(type: WireType | undefined): string {
  return alternatives(namesOf(SENDERS, type), "'SMS Sender', 'Viber Sender' or 'RCS Sender'");
}

/** The parameters that hold the text in operations of this type. */
export function textParameters(type: WireType | undefined): string {
  return alternatives(namesOf(TEXTS, type), 'the text');
}

/** One sentence for each lifetime of this operation type, with its limits (gateway-api.md, "Limits"). */
export function lifetimeLimits(type: WireType | undefined): string {
  const fields = Object.keys(LIFETIMES) as LifetimeField[];
  const own = type === undefined ? [] : fields.filter((field) => hasField(type, field));
  return (own.length > 0 ? own : fields)
    .map((field) => {
      const { min, max } = LIFETIME_LIMITS[field];
      const range = max === undefined ? `${min} seconds or more` : `${min} to ${max} seconds`;
      return `'${LIFETIMES[field]}' takes ${range}.`;
    })
    .join(' ');
}

function namesOf(names: Partial<Record<WireField, string>>, type: WireType | undefined): string[] {
  if (type === undefined) return [];
  const fields = Object.keys(names) as WireField[];
  return fields.flatMap((field) => (hasField(type, field) ? [`'${names[field]}'`] : []));
}

function alternatives(names: string[], otherwise: string): string {
  if (names.length === 0) return otherwise;
  if (names.length === 1) return names[0];
  return `${names.slice(0, -1).join(', ')} or ${names[names.length - 1]}`;
}
