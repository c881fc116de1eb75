import type { INodeProperties } from 'n8n-workflow';

import { smsTextOf } from '../../gateway/contract/operations';
import type { ShorteningWay } from '../../gateway/sms/shorten';
import { SHORTENING_WAYS, shortenSms } from '../../gateway/sms/shorten';
import { joined } from '../../gateway/text/phrases';
import { InvalidParameter, quoted } from '../fields/field';
import { NOT_FOR_AGENTS, readOnce } from '../fields/property';
import type { RowChange } from '../run/row';

export const SHORTEN_SMS: INodeProperties = {
  displayName: 'Avoid Expensive Characters',
  name: 'shortenSms',
  type: 'multiOptions',
  options: [
    { name: 'Accents', value: 'accents', description: 'Latin letters with accents, and Greek letters' },
    { name: 'Punctuation', value: 'punctuation', description: 'Curly quotes, dashes and special blanks' },
    { name: 'Transliterate', value: 'transliterate', description: 'Cyrillic letters' },
  ],
  default: ['punctuation'],
  description: 'Characters to replace by plain ones where the SMS then has fewer parts',
  ...NOT_FOR_AGENTS,
};

const readShortening = readOnce(({ shortenSms: given = [] }): readonly ShorteningWay[] => {
  const ways = (Array.isArray(given) ? given : [given]) as ShorteningWay[];
  if (ways.every((way) => SHORTENING_WAYS.includes(way))) return ways;
  const accepted = `a list of ${joined(SHORTENING_WAYS, 'and')}`;
  throw new InvalidParameter(quoted(SHORTEN_SMS.displayName), accepted, given);
});

/**
 * Shortens the text of the SMS of a message, where the options say so.
 * @throws InvalidParameter
 */
export const shortenText: RowChange = (row, { options }): undefined => {
  const { operation } = row;
  const ways = readShortening(options);
  const text = smsTextOf(operation);
  if (text === undefined) return;
  const short = shortenSms(text, ways);
  if (short === text) return;
  const sms =
    operation.type === 'pipeline'
      ? { sms: { ...(operation.sms as object), message: short } }
      : { sms_message: short };
  row.operation = { ...operation, ...sms };
  row.unshortened = text;
};
