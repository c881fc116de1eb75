/** Channel lists and what each of them requires. Source: gateway-api.md, "Operation objects by `type`". */

export const VIBER_TYPES = ['text', 'image', 'text+link', 'text+image+link', 'carousel'] as const;
export type ViberType = (typeof VIBER_TYPES)[number];

/** The wire fields that depend on `viber_type`. */
export const VIBER_CONTENT_FIELDS = [
  'viber_message',
  'viber_image',
  'viber_button',
  'viber_link',
  'viber_carousel',
] as const;
export type ViberContentField = (typeof VIBER_CONTENT_FIELDS)[number];

/** Required fields by `viber_type`, beside those that every Viber message needs. */
export const VIBER_CONTENT_BY_TYPE: Record<ViberType, readonly ViberContentField[]> = {
  text: ['viber_message'],
  image: ['viber_image'],
  'text+link': ['viber_message', 'viber_button', 'viber_link'],
  'text+image+link': ['viber_message', 'viber_image', 'viber_button', 'viber_link'],
  carousel: ['viber_message', 'viber_carousel'],
};

/**
 * The values of `viber_type` that an operation type can carry. `viber+sms` has no `viber_carousel` in its
 * field list, so a carousel cannot be sent with it; `text+image+link` comes first because the property list
 * of the contract names it alone.
 */
export const VIBER_TYPES_BY_OPERATION = {
  viber: VIBER_TYPES,
  'viber+sms': ['text+image+link', 'text+link', 'text', 'image'],
  'rcs+viber+sms': VIBER_TYPES,
} as const satisfies Record<string, readonly ViberType[]>;

export const VOICE_GENDERS = ['female', 'male'] as const;

export const PIPELINE_CHANNELS = ['voice', 'telegram', 'viber', 'rcs', 'sms', 'whatsapp'] as const;
export type PipelineChannel = (typeof PIPELINE_CHANNELS)[number];
