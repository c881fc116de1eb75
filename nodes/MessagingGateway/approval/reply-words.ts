import { comparedWord, LONGEST_WORD } from '../../gateway/text/characters';
import { quoted } from '../fields/field';
import { asEntries, asText } from '../fields/values';
import { labelOf } from './properties';
import { refusal } from './refusal';

/** The words that decide by reply, as `comparedWord` returns them. */
export interface ReplyWords {
  approve: string[];
  decline: string[];
}

/**
 * Reads the words that decide by reply, if any.
 * @throws InvalidParameter for an object, for what is no word, and for a word that does both
 */
export function readReplyWords(options: Record<string, unknown>): ReplyWords | undefined {
  const [approve, decline] = ['approveWords', 'declineWords'].map((name) =>
    asEntries(options[name]).map((entry) => {
      const word = comparedWord(asText(entry, labelOf(name)) ?? '');
      if (word !== undefined) return word;
      throw refusal(name, `words of 1 to ${LONGEST_WORD} characters`, entry);
    }),
  );
  const both = approve.find((word) => decline.includes(word));
  if (both !== undefined) {
    throw refusal('declineWords', `without the words of ${quoted(labelOf('approveWords'))}`, both);
  }
  return approve.length + decline.length > 0 ? { approve, decline } : undefined;
}

/** Returns what a reply decides: true to approve, false to decline, undefined for any other reply. */
export function decisionOf(reply: string, { approve, decline }: ReplyWords): boolean | undefined {
  const word = comparedWord(reply) ?? '';
  if (approve.includes(word)) return true;
  return decline.includes(word) ? false : undefined;
}
