import type { INodeProperties } from 'n8n-workflow';

import type { WireOperation } from '../../gateway/contract/operations';
import { triedChannels } from '../../gateway/contract/operations';
import type { FieldRules } from '../../gateway/contract/wire-fields';
import { FIELD_SCHEMAS } from '../../gateway/contract/wire-fields';
import { parsePrefixes } from '../../gateway/numbers/allowed-prefixes';
import { isObject } from '../../gateway/text/json';
import { InvalidParameter, quoted, readEntry } from '../fields/field';
import { locatorField } from '../fields/make-field';
import { entriesIn, groupOf, NOT_FOR_AGENTS, property, readOnce } from '../fields/property';
import type { RowChange } from '../run/row';

const PREFIX_LABEL = 'Prefix';
const OPTION_LABEL = 'Sender by Country';

const SENDER = locatorField('Sender', 'sender', 'Sender on every channel of the message', {
  placeholder: 'e.g. TestSender',
});
const RULES: FieldRules = { sender: { schema: FIELD_SCHEMAS.signature, isRequired: true } };

export const SENDER_BY_COUNTRY: INodeProperties = {
  displayName: 'Countries',
  name: 'senderByCountry',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add Country',
  default: { rows: [{ prefix: '', sender: '' }] },
  description: 'The longest prefix of a number decides. All other numbers have the sender above.',
  options: [
    {
      displayName: 'Country',
      name: 'rows',
      values: [
        property(PREFIX_LABEL, 'prefix', 'Beginning of the numbers', { placeholder: 'e.g. 380' }),
        ...SENDER.properties('sms'),
      ],
    },
  ],
};

export const SENDERS_OPTION = {
  ...groupOf(
    OPTION_LABEL,
    'senders',
    'Other senders for numbers of some countries, on every channel of the message',
    [SENDER_BY_COUNTRY],
  ),
  ...NOT_FOR_AGENTS,
};

/**
 * Gives a message the sender that its options name for its number, if they do, on every channel that it tries (gateway-api.md,
 * "Fields"; in a pipeline, the `signature` of a channel's object).
 * @throws InvalidParameter for a country without a prefix, or without a sender that can be sent
 */
export const useSender: RowChange = (row, { options }): undefined => {
  const { operation } = row;
  const sender = senderFor(String(operation.phone), readSenders(options));
  if (sender === undefined) return;
  const changed: WireOperation = { ...operation };
  for (const channel of triedChannels(operation)) {
    if (`${channel}_signature` in operation) changed[`${channel}_signature`] = sender;
    const stage = operation[channel];
    if (isObject(stage) && 'signature' in stage) changed[channel] = { ...stage, signature: sender };
  }
  row.operation = changed;
};

type CountrySender = [prefix: string, sender: string];

/** Returns the sender of the longest prefix that a number has; of several senders for this prefix, the first. */
function senderFor(phone: string, senders: readonly CountrySender[]): string | undefined {
  const matching = senders.filter(([prefix]) => phone.startsWith(prefix));
  const longest = Math.max(...matching.map(([prefix]) => prefix.length));
  return matching.find(([prefix]) => prefix.length === longest)?.[1];
}

const readSenders = readOnce(({ [SENDER_BY_COUNTRY.name]: given = [] }) =>
  entriesIn(given, 'rows', OPTION_LABEL, 'a list of prefixes and senders').map(readCountrySender),
);

function readCountrySender(entry: Record<string, unknown>, index: number): CountrySender {
  const place = `of row ${index + 1} in ${quoted(OPTION_LABEL)}`;
  const read = parsePrefixes(entry.prefix);
  if (!read.ok || read.prefixes.length !== 1)
    throw new InvalidParameter(
      `${quoted(PREFIX_LABEL)} ${place}`,
      'the beginning of numbers, such as 380',
      entry.prefix,
    );
  const { sender } = readEntry([SENDER], entry, RULES, [
    place,
    `options.senders.values.${SENDER_BY_COUNTRY.name}.rows.${index}.`,
  ]);
  return [read.prefixes[0], sender as string];
}
