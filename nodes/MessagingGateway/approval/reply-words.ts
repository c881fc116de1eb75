import { quoted } from '../fields/field';
import { asEntries, asText } from '../fields/values';
import { labelOf } from './properties';
import { refusal } from './refusal';

/** The words that decide by reply, as `normalWord` returns them. */
export interface ReplyWords {
  approve: string[];
  decline: string[];
}

/** A reply without what people and phones add: case, blanks, punctuation around it. */
function normalWord(reply: string): string {
  const word = reply.normalize('NFKC').trim().toLowerCase();
  return word.replace(/^[\p{P}\p{Z}]+|[\p{P}\p{Z}]+$/gu, '') || word;
}

/**
 * Reads the words that decide by reply, if any.
 * @throws InvalidParameter for an object, and for a word that does both
 */
export function readReplyWords(options: Record<string, unknown>): ReplyWords | undefined {
  const [approve, decline] = ['approveWords', 'declineWords'].map((name) =>
    asEntries(options[name]).map((entry) => normalWord(asText(entry, labelOf(name)) ?? '')),
  );
  const both = approve.find((word) => decline.includes(word));
  if (both !== undefined) {
    throw refusal('declineWords', `without the words of ${quoted(labelOf('approveWords'))}`, both);
  }
  return approve.length + decline.length > 0 ? { approve, decline } : undefined;
}

/** Returns what a reply decides: true to approve, false to decline, undefined for any other reply. */
export function decisionOf(reply: string, { approve, decline }: ReplyWords): boolean | undefined {
  const word = normalWord(reply);
  if (approve.includes(word)) return true;
  return decline.includes(word) ? false : undefined;
}
