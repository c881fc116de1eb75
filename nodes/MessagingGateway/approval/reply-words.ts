import { comparedWord, LONGEST_WORD } from '../../gateway/text/characters';
import { asEntries } from '../../gateway/text/json';
import { quoted } from '../fields/field';
import { asText } from '../fields/values';
import type { Decision } from './answer-form';
import { APPROVE, DECLINE } from './answer-form';
import { badParameter, labelOf } from './properties';

/** The words with which a person decides by a reply to the message, as `comparedWord` returns them. */
export interface ReplyWords {
  approve: string[];
  decline: string[];
}

/**
 * Reads the words that the author listed; undefined for none.
 * @throws InvalidParameter for an object, for an entry that is no word, and for a word that stands in both lists
 */
export function readReplyWords(options: Record<string, unknown>): ReplyWords | undefined {
  const approve = readWords(options, 'approveWords');
  const decline = readWords(options, 'declineWords');
  const both = approve.find((word) => decline.includes(word));
  if (both !== undefined) {
    throw badParameter('declineWords', `without the words of ${quoted(labelOf('approveWords'))}`, both);
  }
  return approve.length + decline.length > 0 ? { approve, decline } : undefined;
}

const readWords = (options: Record<string, unknown>, name: 'approveWords' | 'declineWords'): string[] =>
  asEntries(options[name]).map((entry) => {
    const word = comparedWord(asText(entry, labelOf(name)) ?? '');
    if (word !== undefined) return word;
    throw badParameter(name, `words of 1 to ${LONGEST_WORD} characters`, entry);
  });

/** Returns what a reply decides; undefined for a reply that is none of the words. */
export function decisionOf(reply: string, { approve, decline }: ReplyWords): Decision | undefined {
  const word = comparedWord(reply);
  if (word === undefined) return undefined;
  if (approve.includes(word)) return APPROVE;
  return decline.includes(word) ? DECLINE : undefined;
}
