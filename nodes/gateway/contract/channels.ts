/** The channels, as users see them, in the order of a `pipeline` (gateway-api.md, "Operation types"). */
export const CHANNELS = {
  voice: 'Voice Call',
  telegram: 'Telegram',
  viber: 'Viber',
  rcs: 'RCS',
  sms: 'SMS',
  whatsapp: 'WhatsApp',
} as const;

export type Channel = keyof typeof CHANNELS;

/** The channels that a `pipeline` accepts, and that a callback can name: a pipeline may end with any of them. */
export const PIPELINE_CHANNELS = Object.keys(CHANNELS) as Channel[];

/** Channels as choices of a form, by name. */
export const channelOptions = <C extends Channel>(
  channels: readonly C[],
): Array<{ name: string; value: C }> =>
  channels.map((value) => ({ name: CHANNELS[value], value })).sort((a, b) => a.name.localeCompare(b.name));

/** The name of a channel shown to users; one that isn't in the contract is returned as it is. */
export const channelName = (channel: string): string =>
  new Map(Object.entries(CHANNELS)).get(channel.toLowerCase()) ?? channel;

/** Returns the channel that a user means, by its word or its name, in any case; undefined where none is meant. */
export function channelNamed(given: unknown): Channel | undefined {
  const word = typeof given === 'string' ? given.trim().toLowerCase() : undefined;
  return PIPELINE_CHANNELS.find((channel) => word === channel || word === CHANNELS[channel].toLowerCase());
}

/** Says which channel is twice in a list, as a verb phrase; undefined where none is. */
export function repeatedChannel(channels: unknown): string | undefined {
  const names = Array.isArray(channels) ? channels.map(String) : [];
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  return repeated === undefined ? undefined : `has ${channelName(repeated)} twice`;
}

/** Required fields by `viber_type`, besides those that every Viber message needs. */
const VIBER_CONTENT = {
  text: ['viber_message'],
  image: ['viber_image'],
  'text+link': ['viber_message', 'viber_button', 'viber_link'],
  'text+image+link': ['viber_message', 'viber_image', 'viber_button', 'viber_link'],
  carousel: ['viber_message', 'viber_carousel'],
} as const;

export type ViberType = keyof typeof VIBER_CONTENT;
export const VIBER_TYPES = Object.keys(VIBER_CONTENT) as ViberType[];

/** A wire field that depends on `viber_type`. */
export type ViberContentField = (typeof VIBER_CONTENT)[ViberType][number];

/** The content fields that a `viber_type` requires. */
export const viberContentOf = (viberType: ViberType): readonly ViberContentField[] =>
  VIBER_CONTENT[viberType];

/** The content fields that any of some values of `viber_type` requires. */
export const viberContents = (viberTypes: readonly ViberType[]): ViberContentField[] => [
  ...new Set(viberTypes.flatMap(viberContentOf)),
];

/** Whether a wire field is content of Viber, which some values of `viber_type` require and the others don't have. */
export const isViberContent = (field: string): field is ViberContentField =>
  viberContents(VIBER_TYPES).some((one) => one === field);

export const VOICE_GENDERS = ['female', 'male'] as const;
