import { z } from 'zod/v3';

import type { Channel } from './channels';
import { PIPELINE_CHANNELS, VIBER_TYPES, VOICE_GENDERS } from './channels';
import type { LifetimeField } from './limits';
import { CAROUSEL_SLIDES, LIFETIME_LIMITS, MAX_ID, OTP_DIGITS, PHONE_DIGITS } from './limits';

/**
 * The check of every wire field (gateway-api.md, "Operation objects by `type`").
 * The message of each check completes "… must be" for the user.
 */

const accepts = (phrase: string) => ({
  errorMap: () => ({ message: phrase }),
});

const text = (phrase: string) =>
  z.string(accepts(phrase)).refine((value) => value.trim() !== '', { message: phrase });

const oneOf = <T extends string>(values: readonly T[]) =>
  z.enum(values as [T, ...T[]], accepts(`one of ${values.join(', ')}`));

function isUrl(value: string, protocols?: readonly string[]): boolean {
  try {
    const { protocol } = new URL(value);
    return protocols === undefined || protocols.includes(protocol);
  } catch {
    return false;
  }
}

const WEB_LINK = 'a web address that starts with https:// or http://';
const webLink = z.string(accepts(WEB_LINK)).refine((value) => isUrl(value, ['https:', 'http:']), {
  message: WEB_LINK,
});

// A button may also open an app ("viber://…", "tel:…"), but "example.com:8080/x" names a host and not a scheme.
const BUTTON_LINK = 'a complete address such as https://example.com/page';
const SCHEME = /^(?:[a-z][a-z0-9+.-]{0,30}:\/\/|(?:tel|sms|mailto|geo|market|intent):)/i;
const buttonLink = z
  .string(accepts(BUTTON_LINK))
  .refine((value) => SCHEME.test(value) && isUrl(value), { message: BUTTON_LINK });

function lifetime(field: LifetimeField) {
  const { min, max } = LIFETIME_LIMITS[field];
  const phrase =
    max === undefined
      ? `a whole number of seconds, ${min} or more`
      : `a whole number of seconds from ${min} to ${max}`;
  const schema = z.number(accepts(phrase)).int(phrase).min(min, phrase);
  return max === undefined ? schema.max(MAX_ID, phrase) : schema.max(max, phrase);
}

const ID = `a whole number from 0 to ${MAX_ID}`;
const PHONE = `a phone number in international format (${PHONE_DIGITS.min} to ${PHONE_DIGITS.max} digits, country code first)`;
const SLIDES = `a list of ${CAROUSEL_SLIDES.min} to ${CAROUSEL_SLIDES.max} slides`;
const SLIDE_TEXT = 'filled in on every slide';
const CHANNEL_LIST = `a list of channels (${PIPELINE_CHANNELS.join(', ')}), each at most once`;
export const OTP_PHRASE = `a one-time password of ${OTP_DIGITS.min} to ${OTP_DIGITS.max} digits, without other text`;

export const idSchema = z.number(accepts(ID)).int(ID).min(0, ID).max(MAX_ID, ID);

export const phoneSchema = z
  .number(accepts(PHONE))
  .int(PHONE)
  .min(10 ** (PHONE_DIGITS.min - 1), PHONE)
  .max(10 ** PHONE_DIGITS.max - 1, PHONE);

export const slideSchema = z.object({
  caption: text(SLIDE_TEXT),
  image: webLink,
  url: buttonLink,
  button: text(SLIDE_TEXT),
  url2: buttonLink.optional(),
  button2: text('filled in, or left out').optional(),
});

export const voiceSchema = z.object({
  gender: oneOf(VOICE_GENDERS),
  language: text('a language tag such as en-US'),
  name: text('the name of a voice model'),
});

const TEXT = 'text that is not empty';
const SIGNATURE = 'the name of a sender that is approved for your account';

const otpText = z
  .string(accepts(OTP_PHRASE))
  .regex(new RegExp(`^[0-9]{${OTP_DIGITS.min},${OTP_DIGITS.max}}$`), OTP_PHRASE);

/** The object of each channel inside a `pipeline` operation. */
export const stageSchemas = {
  sms: z.object({ message: text(TEXT), signature: text(SIGNATURE) }),
  telegram: z.object({ message: otpText }),
  viber: z.object({ message: text(TEXT), signature: text(SIGNATURE), type: oneOf(VIBER_TYPES) }),
  // The contract lists no text for the voice stage; gateways in the wild accept it as an additional property.
  voice: voiceSchema.extend({ message: text(TEXT).optional() }),
  // The gateway accepts and charges a WhatsApp stage without these two, so they are required here.
  whatsapp: z.object({ message: text(TEXT), signature: text(SIGNATURE) }),
  rcs: z.object({ message: text(TEXT), signature: text(SIGNATURE) }),
} as const satisfies Record<Channel, z.ZodTypeAny>;

export const FIELD_SCHEMAS = {
  id: idSchema,
  phone: phoneSchema,
  hook: webLink,
  short_link: z.boolean(accepts('on or off')),
  unsubscribe_link: z.boolean(accepts('on or off')),
  sms_message: text(TEXT),
  sms_signature: text(SIGNATURE),
  sms_lifetime: lifetime('sms_lifetime'),
  viber_signature: text(SIGNATURE),
  viber_type: oneOf(VIBER_TYPES),
  viber_message: text(TEXT),
  viber_image: webLink,
  viber_button: text('a button caption that is not empty'),
  viber_link: buttonLink,
  viber_carousel: z
    .array(slideSchema, accepts(SLIDES))
    .min(CAROUSEL_SLIDES.min, SLIDES)
    .max(CAROUSEL_SLIDES.max, SLIDES),
  viber_lifetime: lifetime('viber_lifetime'),
  rcs_message: text(TEXT),
  rcs_signature: text(SIGNATURE),
  rcs_image: webLink,
  rcs_button: text('a button caption that is not empty'),
  rcs_link: buttonLink,
  rcs_lifetime: lifetime('rcs_lifetime'),
  telegram_lifetime: lifetime('telegram_lifetime'),
  message: text(TEXT),
  dtmf: z.boolean(accepts('on or off')),
  pipeline: z
    .array(oneOf(PIPELINE_CHANNELS), accepts(CHANNEL_LIST))
    .min(1, 'a list of at least one channel')
    .refine((list) => new Set(list).size === list.length, { message: CHANNEL_LIST }),
  ...stageSchemas,
  // The object of a `voice` operation; the stage of a pipeline has its own check.
  voice: voiceSchema,
  template: text(TEXT),
  name: text('text, or left empty'),
  signature: text(SIGNATURE),
} as const;

export type WireField = keyof typeof FIELD_SCHEMAS;

/** `message` of a `telegram` operation: the password without other text. */
export const telegramMessageSchema = otpText;
