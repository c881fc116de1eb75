/** Properties of each send operation (gateway-api.md, "Operation types"). */
import {
  carousel,
  digits4to8,
  flag,
  hookUrl,
  identifier,
  lifetime,
  link,
  oneOf,
  phone,
  text,
  voiceModel,
} from '../checks.mts';
import type { OperationFields } from '../checks.mts';

export const VIBER_TYPES = ['text', 'image', 'text+link', 'text+image+link', 'carousel'] as const;

/** Table "Required fields by `viber_type`". */
export const REQUIRED_BY_VIBER_TYPE: Readonly<Record<string, readonly string[]>> = {
  text: ['viber_message'],
  image: ['viber_image'],
  'text+link': ['viber_message', 'viber_button', 'viber_link'],
  'text+image+link': ['viber_message', 'viber_image', 'viber_button', 'viber_link'],
  carousel: ['viber_message', 'viber_carousel'],
};

/** Viber properties that only some values of `viber_type` give a meaning to. */
export const VIBER_CONTENT = ['viber_message', 'viber_image', 'viber_button', 'viber_link', 'viber_carousel'];

const anything = () => undefined;

const common = { type: anything, id: identifier, phone };

const viber = {
  viber_signature: text,
  viber_type: oneOf(VIBER_TYPES),
  viber_message: text,
  viber_image: link,
  viber_button: text,
  viber_link: link,
  viber_lifetime: lifetime(60),
};

const rcs = {
  rcs_message: text,
  rcs_signature: text,
  rcs_image: link,
  rcs_button: text,
  rcs_link: link,
  rcs_lifetime: lifetime(60),
};

const delivery = { hook: hookUrl, short_link: flag };

// An SMS text may be empty as far as the shape goes: the gateway has an error of its own for that.
const smsText = (value: unknown) => (typeof value === 'string' ? undefined : 'has to be a string');
const smsPart = { sms_message: smsText, sms_signature: text };

const RCS_REQUIRED = ['id', 'phone', 'rcs_message', 'rcs_signature', 'rcs_image', 'rcs_button', 'rcs_link'];
const SMS_REQUIRED = ['sms_message', 'sms_signature'];
const VIBER_REQUIRED = ['viber_signature', 'viber_type'];

interface SendShape extends OperationFields {
  channels: readonly string[];
}

/** The send operations with one message in them; `pipeline` has a file of its own. */
export const SEND_SHAPES: Readonly<Record<string, SendShape>> = {
  sms: {
    channels: ['sms'],
    fields: {
      ...common,
      ...smsPart,
      sms_lifetime: lifetime(3600, 259_200),
      ...delivery,
      unsubscribe_link: flag,
    },
    required: ['id', 'phone', ...SMS_REQUIRED],
  },
  viber: {
    channels: ['viber'],
    fields: { ...common, ...viber, viber_carousel: carousel, ...delivery },
    required: ['id', 'phone', ...VIBER_REQUIRED],
  },
  'viber+sms': {
    channels: ['viber', 'sms'],
    fields: { ...common, ...viber, ...smsPart, ...delivery },
    required: ['id', 'phone', ...VIBER_REQUIRED, ...SMS_REQUIRED],
  },
  rcs: {
    channels: ['rcs'],
    fields: { ...common, ...rcs, ...delivery },
    required: RCS_REQUIRED,
  },
  'rcs+sms': {
    channels: ['rcs', 'sms'],
    fields: { ...common, ...rcs, ...smsPart, ...delivery },
    required: [...RCS_REQUIRED, ...SMS_REQUIRED],
  },
  'rcs+viber+sms': {
    channels: ['rcs', 'viber', 'sms'],
    fields: { ...common, ...rcs, ...smsPart, ...viber, viber_carousel: carousel, ...delivery },
    required: [...RCS_REQUIRED, ...SMS_REQUIRED, ...VIBER_REQUIRED],
  },
  telegram: {
    channels: ['telegram'],
    fields: { ...common, message: digits4to8, telegram_lifetime: lifetime(60), hook: hookUrl },
    required: ['id', 'phone', 'message'],
  },
  voice: {
    channels: ['voice'],
    fields: { ...common, message: text, dtmf: flag, voice: voiceModel },
    required: ['id', 'phone', 'message', 'dtmf', 'voice'],
  },
};

/** Properties of the operations that send nothing. */
export const OTHER_SHAPES: Readonly<Record<string, OperationFields>> = {
  balance: { fields: { type: anything }, required: [] },
  sender: { fields: { type: anything }, required: [] },
  'template/list': { fields: { type: anything }, required: [] },
  'template/viber/list': { fields: { type: anything }, required: [] },
  'call/otp': { fields: common, required: ['id', 'phone'] },
  hlr: { fields: common, required: ['id', 'phone'] },
  status: { fields: { type: anything, id: identifier }, required: ['id'] },
  'template/create': { fields: { type: anything, template: text, name: text }, required: ['template'] },
  'template/delete': { fields: { type: anything, id: text, template: text }, required: [] },
  'template/viber/create': {
    fields: { type: anything, template: text, signature: text },
    required: ['template'],
  },
  'template/viber/delete': { fields: { type: anything, id: identifier, template: text }, required: [] },
};
