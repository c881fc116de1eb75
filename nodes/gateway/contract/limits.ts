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
export const MAX_ID = Number.MAX_SAFE_INTEGER;
