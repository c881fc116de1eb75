import { z } from 'zod/v3';

import { whyNotWhole } from '../text/characters';
import { whyNotButtonLink, whyNotWebLink } from '../text/links';
import type { Channel } from './channels';
import { PIPELINE_CHANNELS, VIBER_TYPES, VOICE_GENDERS } from './channels';
import type { LifetimeField } from './limits';
import { CAROUSEL_SLIDES, LIFETIME_LIMITS, MAX_ID, OTP_DIGITS, PHONE_DIGITS } from './limits';

/** A schema; `accepts` alone decides for all but lists and objects, in a tenth of the time of zod. */
export type Check = z.ZodTypeAny & { accepts?(value: unknown): boolean };

/** Has a schema of zod say one phrase, which tells all that it accepts, whichever of its checks fails. */
const accepted = (phrase: string) => ({ errorMap: () => ({ message: phrase }) });

/** A schema that says its phrase, and a check that is faster than zod. */
const rule = <S extends z.ZodTypeAny>(phrase: string, schema: S, accepts: (value: unknown) => boolean) =>
  Object.assign(schema.describe(phrase), { accepts });

/** A text that shows something, and that every gateway can read: PHP takes no JSON with half a character in it. */
const text = (phrase: string) =>
  rule(
    phrase,
    z
      .string(accepted(phrase))
      .regex(/\S/)
      .superRefine((value, context) => {
        const reason = whyNotWhole(value);
        if (reason === undefined) return;
        const message = 'text without broken or control characters';
        context.addIssue({ code: 'custom', message, params: { reason } });
      }),
    (value) => typeof value === 'string' && value.trim() !== '' && whyNotWhole(value) === undefined,
  );

/** One of several words. */
export function oneOf<T extends string>(values: readonly T[]) {
  const phrase = `one of ${values.join(', ')}`;
  // At least one, as zod wants it: all lists of the contract have more.
  const words = values as readonly [T, ...T[]];
  return rule(phrase, z.enum(words, accepted(phrase)), (value) => values.some((one) => one === value));
}

const wholeNumber = (phrase: string, min: number, max: number) =>
  rule(
    phrase,
    z.number(accepted(phrase)).int().min(min).max(max),
    (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
  );

const FLAG = 'on or off';
const flag = rule(FLAG, z.boolean(accepted(FLAG)), (value) => typeof value === 'boolean');

/** A text of which a function says why it isn't accepted, as a verb phrase; the reason is a parameter of zod's issue. */
const reasonedRule = (phrase: string, whyNot: (value: string) => string | undefined) =>
  rule(
    phrase,
    z.string(accepted(phrase)).superRefine((value, context) => {
      const reason = whyNot(value);
      if (reason === undefined) return;
      const params = value === '' ? undefined : { reason };
      context.addIssue({ code: 'custom', message: phrase, params });
    }),
    (value) => typeof value === 'string' && whyNot(value) === undefined,
  );

const WEB_LINK = 'a complete web address such as https://example.com/page';
const webLink = reasonedRule(WEB_LINK, (link) => whyNotWebLink(link));

/** The gateway may share a network with n8n, whose names have no dot; a warning says that others can't reach it. */
const callbackLink = reasonedRule(WEB_LINK, (link) => whyNotWebLink(link, true));
const buttonLink = reasonedRule('a complete address such as https://example.com/page', whyNotButtonLink);

function lifetime(field: LifetimeField) {
  const { min, max } = LIFETIME_LIMITS[field];
  const range = max === undefined ? `, ${min} or more` : ` from ${min} to ${max}`;
  return wholeNumber(`a whole number of seconds${range}`, min, max ?? MAX_ID);
}

const SLIDES = `a list of ${CAROUSEL_SLIDES.min} to ${CAROUSEL_SLIDES.max} slides`;
const SLIDE_TEXT = 'filled in on every slide';
const CHANNEL_LIST = `a list of channels (${PIPELINE_CHANNELS.join(', ')}), each at most once`;
const PHONE = `a phone number in international format (${PHONE_DIGITS.min} to ${PHONE_DIGITS.max} digits, country code first)`;
export const OTP_PHRASE = `a one-time password of ${OTP_DIGITS.min} to ${OTP_DIGITS.max} digits, without other text`;

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

const PASSWORD = new RegExp(`^[0-9]{${OTP_DIGITS.min},${OTP_DIGITS.max}}$`);

/** `message` of a `telegram` operation: the password without other text. */
export const telegramMessageSchema = rule(
  OTP_PHRASE,
  z.string(accepted(OTP_PHRASE)).regex(PASSWORD),
  (value) => typeof value === 'string' && PASSWORD.test(value),
);

/** The object of each channel inside a `pipeline` operation. */
export const stageSchemas = {
  sms: z.object({ message: text(TEXT), signature: text(SIGNATURE) }),
  telegram: z.object({ message: telegramMessageSchema }),
  viber: z.object({ message: text(TEXT), signature: text(SIGNATURE), type: oneOf(VIBER_TYPES) }),
  // The contract lists no text for the voice stage; gateways in the wild accept it as an additional property.
  voice: voiceSchema.extend({ message: text(TEXT).optional() }),
  // The gateway accepts and charges a WhatsApp stage without these two, so they are required here.
  whatsapp: z.object({ message: text(TEXT), signature: text(SIGNATURE) }),
  rcs: z.object({ message: text(TEXT), signature: text(SIGNATURE) }),
} as const satisfies Record<Channel, z.ZodTypeAny>;

/** The check of every wire field (gateway-api.md, "Fields"). Its message completes "… must be" for the user. */
export const FIELD_SCHEMAS = {
  id: wholeNumber(`a whole number from 0 to ${MAX_ID}`, 0, MAX_ID),
  phone: wholeNumber(PHONE, 10 ** (PHONE_DIGITS.min - 1), 10 ** PHONE_DIGITS.max - 1),
  hook: callbackLink,
  short_link: flag,
  unsubscribe_link: flag,
  sms_message: text(TEXT),
  sms_signature: text(SIGNATURE),
  sms_lifetime: lifetime('sms_lifetime'),
  viber_signature: text(SIGNATURE),
  viber_type: oneOf(VIBER_TYPES),
  viber_message: text(TEXT),
  viber_image: webLink,
  viber_button: text('a button caption that is not empty'),
  viber_link: buttonLink,
  viber_carousel: z.array(slideSchema, accepted(SLIDES)).min(CAROUSEL_SLIDES.min).max(CAROUSEL_SLIDES.max),
  viber_lifetime: lifetime('viber_lifetime'),
  rcs_message: text(TEXT),
  rcs_signature: text(SIGNATURE),
  rcs_image: webLink,
  rcs_button: text('a button caption that is not empty'),
  rcs_link: buttonLink,
  rcs_lifetime: lifetime('rcs_lifetime'),
  telegram_lifetime: lifetime('telegram_lifetime'),
  message: text(TEXT),
  dtmf: flag,
  pipeline: z
    .array(oneOf(PIPELINE_CHANNELS), accepted(CHANNEL_LIST))
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
