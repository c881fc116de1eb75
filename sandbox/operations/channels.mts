/** The channels of a pipeline, in the contract's order: all that the gateway knows of each (gateway-api.md, "Pipelines"). */
import { digits4to8, oneOf, text } from '../checks.mts';
import type { OperationFields } from '../checks.mts';
import type { JsonObject } from '../types.mts';
import { VIBER_TYPES } from './fields.mts';

interface Channel {
  /** Price of one part or one message, in the account's currency. */
  price: number;

  /** The names that a new account has for it, on a channel that refuses all others. */
  senders?: readonly string[];

  /** Set where callbacks name the channel in their `type` (gateway-api.md, "Callback fields"). */
  isNamed?: true;

  /** The object of the channel in a pipeline. */
  stage: OperationFields;

  /** Properties of that object that are taken although the contract doesn't declare them. */
  tolerated?: OperationFields['fields'];

  /** The object that the connector's tool makes of one text and one sender for all channels. */
  fromText(message: unknown, signature: unknown): JsonObject;
}

// An empty SMS text has an error of its own.
const messageText = (value: unknown) => (typeof value === 'string' ? undefined : 'has to be a string');
const unchecked = () => undefined;

export const CHANNELS: Readonly<Record<string, Channel>> = {
  voice: {
    price: 0.06,
    isNamed: true,
    stage: {
      fields: { gender: oneOf(['male', 'female']), language: text, name: text },
      required: ['gender', 'language', 'name'],
    },
    // The contract gives a voice stage no text; gateways in the wild take `message`.
    tolerated: { message: text },
    fromText: () => ({ gender: 'female', language: 'en-US', name: 'default' }),
  },
  telegram: {
    price: 0.02,
    // One-time passwords only.
    stage: { fields: { message: digits4to8 }, required: ['message'] },
    fromText: (message) => ({ message }),
  },
  viber: {
    price: 0.03,
    isNamed: true,
    senders: ['TestSender', 'ViberSender'],
    stage: {
      fields: { message: text, signature: text, type: oneOf(VIBER_TYPES) },
      required: ['message', 'signature', 'type'],
    },
    fromText: (message, signature) => ({ message, signature, type: 'text' }),
  },
  rcs: {
    price: 0.04,
    isNamed: true,
    senders: ['TestSender', 'RcsSender'],
    stage: { fields: { message: text, signature: text }, required: ['message', 'signature'] },
    fromText: (message, signature) => ({ message, signature }),
  },
  sms: {
    price: 0.05,
    isNamed: true,
    senders: ['InfoSender', 'TestSender'],
    stage: { fields: { message: messageText, signature: text }, required: ['message', 'signature'] },
    fromText: (message, signature) => ({ message, signature }),
  },
  whatsapp: {
    price: 0.05,
    // The service checks neither field (gateway-api.md, "Nested objects").
    stage: { fields: { message: unchecked, signature: unchecked }, required: [] },
    fromText: (message, signature) => ({ message, signature }),
  },
};

export const CHANNEL_NAMES = Object.keys(CHANNELS);

/** Sender names by channel, for each that refuses some; `namesOn` makes the list of a channel. */
export const sendersBy = <T,>(namesOn: (usual: readonly string[]) => T): Record<string, T> =>
  Object.fromEntries(
    Object.entries(CHANNELS).flatMap(([name, { senders }]) => (senders ? [[name, namesOn(senders)]] : [])),
  );
