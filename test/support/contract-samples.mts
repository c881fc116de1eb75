/**
 * Operations by the sandbox's reading of the contract, each field with the first of a few values that its check accepts, and the
 * names of the operations and parameters of the node that send them (docs/reference.md).
 */
import type { IDataObject } from 'n8n-workflow';

import type { Check } from '../../sandbox/checks.mts';
import { CHANNELS } from '../../sandbox/operations/channels.mts';
import {
  OTHER_SHAPES,
  REQUIRED_BY_VIBER_TYPE,
  SEND_SHAPES,
  VIBER_CONTENT,
} from '../../sandbox/operations/fields.mts';
import { senderNamed } from './sends.mts';

type Fields = Record<string, unknown>;

export const PHONE = 380501234567;

const LINK = 'https://example.com/a';
const SLIDE = { caption: 'Shoes', image: `${LINK}.png`, url: LINK, button: 'Open' };
const VALUES = [
  ...['Hello', '482913', LINK, 3600, true],
  { gender: 'male', language: 'en-US', name: 'Anna' },
  [SLIDE, { ...SLIDE, url2: `${LINK}/2`, button2: 'More' }],
];

/** A sender of a new account, by which the channel can be told where its names are approved. */
const senderOf = (channel: string): string => CHANNELS[channel]?.senders?.at(-1) ?? 'Any';

/** A sender as the form has it: from the list of the account, or as text on a channel for which the gateway lists none. */
export const formSenderOf = (channel: string) => {
  const isListed = CHANNELS[channel]?.senders !== undefined;
  return isListed ? senderNamed(senderOf(channel)) : senderOf(channel);
};

/** The channels whose messages name a sender. */
export const SENDER_CHANNELS = Object.keys(CHANNELS).filter(
  (channel) => 'signature' in CHANNELS[channel].stage.fields,
);

/** The form of their senders, as codes and questions have it. */
export const SENDERS_FORM: IDataObject = Object.fromEntries(
  SENDER_CHANNELS.map((channel) => [`${channel}Signature`, formSenderOf(channel)]),
);

/** The words of a choice, as its check names them; none of any other check. */
export const wordsOf = (check: Check): string[] =>
  /^has to be one of (.+)/.exec(check('') ?? '')?.[1].split(', ') ?? [];

/** A value for a field of an operation, or of a channel's object in it; of a choice, the first that its check names. */
function sampleOf(name: string, check: Check, channel = name.split('_')[0]): unknown {
  if (name === 'phone') return PHONE;
  if (name.endsWith('signature')) return senderOf(channel);
  const value = wordsOf(check)[0] ?? VALUES.find((one) => check(one) === undefined);
  if (value === undefined)
    throw new Error(`VALUES of test/support/contract-samples.mts has nothing for ${name}`);
  return value;
}

const samples = (fields: Record<string, Check>, names: readonly string[], channel?: string): Fields =>
  Object.fromEntries(names.map((name) => [name, sampleOf(name, fields[name], channel)]));

const SHAPES = { ...SEND_SHAPES, ...OTHER_SHAPES };

/** The words of all choices. */
export const WORDS = [...Object.values(SHAPES), ...Object.values(CHANNELS).map(({ stage }) => stage)].flatMap(
  ({ fields }) => Object.values(fields).flatMap(wordsOf),
);

/** The values of `viber_type` of an operation type; one without a name where it has none. */
export const viberTypesOf = (type: string): string[] =>
  'viber_type' in SHAPES[type].fields
    ? Object.keys(REQUIRED_BY_VIBER_TYPE).filter(
        (one) => one !== 'carousel' || 'viber_carousel' in SHAPES[type].fields,
      )
    : [''];

/** The names of the fields that an operation needs, besides its type. */
export const requiredFields = (type: string, viberType = viberTypesOf(type)[0]): string[] => [
  ...SHAPES[type].required,
  ...(REQUIRED_BY_VIBER_TYPE[viberType] ?? []),
];

/** The names of the fields that an operation may have whatever its Viber type. */
export const optionalFields = (type: string): string[] =>
  Object.keys(SHAPES[type].fields).filter(
    (name) => name !== 'type' && ![...SHAPES[type].required, ...VIBER_CONTENT].includes(name),
  );

/** A good operation with the fields that its type needs, and `more` of them. */
export const operationOf = (type: string, viberType?: string, more: readonly string[] = []): Fields => ({
  ...samples(SHAPES[type].fields, [...requiredFields(type, viberType), ...more]),
  ...(viberType && { viber_type: viberType }),
  type,
});

/** The object of a channel in a pipeline, with all fields that the contract has for it, and those that gateways are known to take. */
export const stageOf = (channel: string): Fields => {
  const { stage, tolerated } = CHANNELS[channel];
  const fields = { ...stage.fields, ...tolerated };
  return samples(fields, Object.keys(fields), channel);
};

const camelCase = (name: string): string =>
  name.replace(/[_+](.)/g, (_, letter: string) => letter.toUpperCase());

/** The operation of the node that sends a wire type. */
export const operationNameOf = (type: string): string => camelCase(`send+${type}`);

/** The parameter that fills in a field of an operation. */
export const parameterOf = camelCase;

/** The parameter that fills in a field of a channel's object: all but text and sender have the channel in their names. */
export const stageParameterOf = (channel: string, field: string): string =>
  /^(message|signature)$/.test(field) ? field : camelCase(`${channel}_${field}`);
