import { z } from 'zod/v3';

import { leftoverIn, whyNotWhole } from '../text/characters';
import { whyNotButtonLink, whyNotWebLink } from '../text/links';
import { counted } from '../text/phrases';
import type { Channel } from './channels';
import { channelName, PIPELINE_CHANNELS, repeatedChannel, VIBER_TYPES, VOICE_GENDERS } from './channels';

/** The limits of the contract (gateway-api.md, "Limits"). Lifetimes are in seconds. */
export const LIFETIME_LIMITS = {
  sms_lifetime: { min: 3600, max: 259200, default: 172800 },
  viber_lifetime: { min: 60, max: undefined, default: 86400 },
  rcs_lifetime: { min: 60, max: undefined, default: 172800 },
  telegram_lifetime: { min: 60, max: undefined, default: 172800 },
} as const satisfies Record<string, { min: number; max: number | undefined; default: number }>;

export type LifetimeField = keyof typeof LIFETIME_LIMITS;

export const CAROUSEL_SLIDES = { min: 2, max: 5 } as const;

/** Number of digits in a Telegram one-time password. */
export const OTP_DIGITS = { min: 4, max: 8 } as const;

/**
 * Number of digits in a phone number in international format. The contract only says "digits only, no plus sign"; a
 * number of the E.164 numbering plan has 15 at most, and 7 is the shortest with a country code.
 */
export const PHONE_DIGITS = { min: 7, max: 15 } as const;

/** The largest `id`: beyond it, different whole numbers become the same JSON number. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

/** A schema of zod. `accepts` is the rule of a single value, and takes a fifth of zod's time for the same answer. */
export type Check = z.ZodTypeAny & { accepts?(value: unknown): boolean };

/**
 * A rule for a single value, of which zod's schema is made.
 * @param phrase what is accepted, behind "must be"
 * @param reasonOf what is wrong with a value that isn't accepted, as a verb phrase, where more can be said than the phrase
 */
const rule = (
  phrase: string,
  accepts: (value: unknown) => boolean,
  reasonOf?: (value: unknown) => string | undefined,
) => {
  const issueOf = (value: unknown) => ({ message: phrase, params: { reason: reasonOf?.(value) } });
  return Object.assign(z.custom(accepts, issueOf), { phrase, accepts });
};

/** The fault of a text about which the phrase of its rule says enough. */
const AS_THE_PHRASE_SAYS = '';

/** A rule for a text; `whyNot` returns the fault of a text as a verb phrase, or `AS_THE_PHRASE_SAYS`; undefined for a good text. */
const textRule = (phrase: string, whyNot: (text: string) => string | undefined) =>
  rule(
    phrase,
    (value) => typeof value === 'string' && whyNot(value) === undefined,
    (value) => (typeof value === 'string' && value !== '' ? whyNot(value) || undefined : undefined),
  );

/** A rule for a text that shows something and that every gateway can read: PHP takes no JSON with half of a surrogate pair. */
export const text = (phrase: string) =>
  textRule(phrase, (value) => (value.trim() === '' ? AS_THE_PHRASE_SAYS : whyNotWhole(value)));

/** A rule for a word of a list. */
export const oneOf = (values: readonly string[]) =>
  rule(`one of ${values.join(', ')}`, (value) => values.some((one) => one === value));

const wholeNumber = (phrase: string, min: number, max: number) =>
  rule(phrase, (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max);

const flag = rule('on or off', (value) => typeof value === 'boolean');

const WEB_LINK = 'a complete web address such as https://example.com/page';
const webLink = textRule(WEB_LINK, (link) => whyNotWebLink(link));

/** A callback address may have a host without a dot, where n8n and the gateway share a network. In all other cases, a warning follows. */
const callbackLink = textRule(WEB_LINK, (link) => whyNotWebLink(link, true));
const buttonLink = textRule('a complete address such as https://example.com/page', whyNotButtonLink);

function lifetime(field: LifetimeField) {
  const { min, max } = LIFETIME_LIMITS[field];
  const range = max === undefined ? `, ${min} or more` : ` from ${min} to ${max}`;
  return wholeNumber(`a whole number of seconds${range}`, min, max ?? MAX_ID);
}

const SLIDES = `a list of ${CAROUSEL_SLIDES.min} to ${CAROUSEL_SLIDES.max} slides`;
const SLIDE_TEXT = 'filled in on every slide';
const PHONE = `a phone number in international format (${PHONE_DIGITS.min} to ${PHONE_DIGITS.max} digits, country code first)`;

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

const TEXT = 'text with at least one visible character';
const SIGNATURE = 'the name of a sender that is approved for your account';

/** What an expression writes for a missing value. No sender has such a name, whereas a text may well have these words. */
const NO_NAME = /\bundefined\b|^\s*null\s*$/;

const signature = textRule(SIGNATURE, (name) => {
  const leftover = leftoverIn(name) ?? NO_NAME.exec(name)?.[0].trim();
  if (leftover !== undefined) return `contains "${leftover}"`;
  return name.trim() === '' ? AS_THE_PHRASE_SAYS : whyNotWhole(name);
});

const PASSWORD = new RegExp(`^[0-9]{${OTP_DIGITS.min},${OTP_DIGITS.max}}$`);

/** `message` of a `telegram` operation: the password without other text. */
export const telegramMessageSchema = rule(
  `${OTP_DIGITS.min} to ${OTP_DIGITS.max} digits, without other text`,
  (value) => typeof value === 'string' && PASSWORD.test(value),
);

/** The object of each channel inside a `pipeline` operation. */
export const stageSchemas = {
  sms: z.object({ message: text(TEXT), signature: signature }),
  telegram: z.object({ message: telegramMessageSchema }),
  viber: z.object({ message: text(TEXT), signature: signature, type: oneOf(VIBER_TYPES) }),
  // The contract lists no text for the voice stage; gateways in the wild accept it as an additional property.
  voice: voiceSchema.extend({ message: text(TEXT).optional() }),
  // Text and sender are required here: the gateway accepts and charges a WhatsApp stage without them.
  whatsapp: z.object({ message: text(TEXT), signature: signature }),
  rcs: z.object({ message: text(TEXT), signature: signature }),
} as const satisfies Record<Channel, z.ZodTypeAny>;

/** The check of every wire field (gateway-api.md, "Fields"). Its message completes "… must be" for the user. */
export const FIELD_SCHEMAS = {
  id: wholeNumber(`a whole number from 0 to ${MAX_ID}`, 0, MAX_ID),
  phone: wholeNumber(PHONE, 10 ** (PHONE_DIGITS.min - 1), 10 ** PHONE_DIGITS.max - 1),
  hook: callbackLink,
  short_link: flag,
  unsubscribe_link: flag,
  sms_message: text(TEXT),
  sms_signature: signature,
  sms_lifetime: lifetime('sms_lifetime'),
  viber_signature: signature,
  viber_type: oneOf(VIBER_TYPES),
  viber_message: text(TEXT),
  viber_image: webLink,
  viber_button: text('a button caption with at least one visible character'),
  viber_link: buttonLink,
  viber_carousel: z.array(slideSchema, { errorMap: () => ({ message: SLIDES }) }).refine(
    ({ length }) => length >= CAROUSEL_SLIDES.min && length <= CAROUSEL_SLIDES.max,
    ({ length }) => ({ message: SLIDES, params: { reason: `has ${counted(length, 'slide')}` } }),
  ),
  viber_lifetime: lifetime('viber_lifetime'),
  rcs_message: text(TEXT),
  rcs_signature: signature,
  rcs_image: webLink,
  rcs_button: text('a button caption with at least one visible character'),
  rcs_link: buttonLink,
  rcs_lifetime: lifetime('rcs_lifetime'),
  telegram_lifetime: lifetime('telegram_lifetime'),
  message: text(TEXT),
  dtmf: flag,
  pipeline: rule(
    `one or several of ${PIPELINE_CHANNELS.map(channelName).join(', ')}, each once`,
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      new Set(value).size === value.length &&
      value.every((channel) => PIPELINE_CHANNELS.includes(channel as Channel)),
    repeatedChannel,
  ),
  ...stageSchemas,
  // The object of a `voice` operation; the stage of a pipeline has its own check.
  voice: voiceSchema,
  template: text(TEXT),
  name: text('text, or left empty'),
  signature: signature,
} as const;

/** The rule of the contract for a field of an object. */
export interface FieldRule {
  schema: Check;

  /** Whether the object must have the field; a Viber content, where the Viber type has it (`viberContentOf`). */
  isRequired: boolean;
}

/** The rules of all fields of an object, by their names. */
export type FieldRules = Readonly<Record<string, FieldRule>>;

/** Returns the rules of an object inside an operation, such as a slide or a stage. */
export const rulesIn = ({ shape }: z.AnyZodObject): FieldRules =>
  Object.fromEntries(
    Object.entries(shape as Record<string, Check>).map(([field, schema]) => [
      field,
      {
        // An optional schema wraps the one that has the quick `accepts`.
        schema: schema instanceof z.ZodOptional ? (schema.unwrap() as Check) : schema,
        isRequired: !schema.isOptional(),
      },
    ]),
  );

/** A failed check of a value: where in it, and what is accepted there ("… must be"). */
export interface Issue {
  path: Array<string | number>;
  message: string;

  /** The fault of the value, as a verb phrase; left out where the message says enough. */
  reason?: string;
}

/** Returns the first failed check of a value; undefined for one that its schema accepts. */
export function findIssue(schema: Check, value: unknown): Issue | undefined {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  if (issue === undefined) return undefined;
  const { reason } = (('params' in issue && issue.params) || {}) as { reason?: string };
  return { path: issue.path, message: issue.message, reason };
}

export type WireField = keyof typeof FIELD_SCHEMAS;
