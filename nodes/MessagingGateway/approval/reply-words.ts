import { comparedWord, LONGEST_WORD } from '../../gateway/text/characters';
import { asEntries } from '../../gateway/text/json';
import { quoted } from '../fields/field';
import { asText } from '../fields/values';
import { badParameter, labelOf } from './properties';

/** The words that decide by reply, as `comparedWord` returns them. */
export interface ReplyWords {
  approve: string[];
  decline: string[];
}

/**
 * Reads the words that decide by reply, if any.
 * @throws InvalidParameter for an object, for an entry that is no word, and for a word that does both
 */
export function readReplyWords(values: Record<string, unknown>): ReplyWords | undefined {
  const [approve, decline] = ['approveWords', 'declineWords'].map((name) =>
    asEntries(values[name]).map((entry) => {
      const word = comparedWord(asText(entry, labelOf(name)) ?? '');
      if (word !== undefined) return word;
      throw badParameter(name, `words of 1 to ${LONGEST_WORD} characters`, entry);
    }),
  );
  const both = approve.find((word) => decline.includes(word));
  if (both !== undefined) {
    throw badParameter('declineWords', `without the words of ${quoted(labelOf('approveWords'))}`, both);
  }
  return approve.length + decline.length > 0 ? { approve, decline } : undefined;
}

/** Returns the decision of a reply: true to approve, false to decline, undefined for any other reply. */
export function decisionOf(reply: string, { approve, decline }: ReplyWords): boolean | undefined {
  const word = comparedWord(reply) ?? '';
  if (approve.includes(word)) return true;
  return decline.includes(word) ? false : undefined;
}
