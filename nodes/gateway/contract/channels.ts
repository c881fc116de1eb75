/**
 * The channels of the gateway, and the contents of Viber and voice messages.
 * Source: gateway-api.md, "Fields" and "Callback fields".
 */

/** The name of every channel shown to users, in the order in which the contract lists the channels of a `pipeline`. */
export const CHANNELS = {
  voice: 'Voice Call',
  telegram: 'Telegram',
  viber: 'Viber',
  rcs: 'RCS',
  sms: 'SMS',
  whatsapp: 'WhatsApp',
} as const;

export type Channel = keyof typeof CHANNELS;

/** The channels that a `pipeline` accepts. */
export const PIPELINE_CHANNELS = Object.keys(CHANNELS) as Channel[];

/** The channels that a callback can name: those that the contract lists, and those that a `pipeline` may end with. */
export const CALLBACK_CHANNELS = PIPELINE_CHANNELS;

/** Channels as choices of a form, by name. */
export const channelOptions = <C extends Channel>(
  channels: readonly C[],
): Array<{ name: string; value: C }> =>
  channels.map((value) => ({ name: CHANNELS[value], value })).sort((a, b) => a.name.localeCompare(b.name));

/** The name of a channel shown to users; one that isn't in the contract is returned as it is. */
export const channelName = (channel: string): string =>
  new Map(Object.entries(CHANNELS)).get(channel.toLowerCase()) ?? channel;

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

/** Required fields by `viber_type`, besides those that every Viber message needs. */
export const VIBER_CONTENT_BY_TYPE: Record<ViberType, readonly ViberContentField[]> = {
  text: ['viber_message'],
  image: ['viber_image'],
  'text+link': ['viber_message', 'viber_button', 'viber_link'],
  'text+image+link': ['viber_message', 'viber_image', 'viber_button', 'viber_link'],
  carousel: ['viber_message', 'viber_carousel'],
};

/**
 * The values of `viber_type` by operation type. The field list of `viber+sms` lacks `viber_carousel`, so it can't
 * carry a carousel; `text+image+link` comes first because it is the only value that the contract's property list
 * allows there.
 */
export const VIBER_TYPES_BY_OPERATION = {
  viber: VIBER_TYPES,
  'viber+sms': ['text+image+link', 'text+link', 'text', 'image'],
  'rcs+viber+sms': VIBER_TYPES,
} as const satisfies Record<string, readonly ViberType[]>;

export const VOICE_GENDERS = ['female', 'male'] as const;
