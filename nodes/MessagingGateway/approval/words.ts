import { InvalidParameter, quoted } from '../fields/field';

export const APPROVE_WORDS_LABEL = 'Approve by Reply';
export const DECLINE_WORDS_LABEL = 'Decline by Reply';

/** The words that decide by reply, as `normalWord` returns them. */
export interface ReplyWords {
  approve: string[];
  decline: string[];
}

/** A reply without what people and phones add: case, blanks, punctuation around it. */
export function normalWord(reply: string): string {
  const word = reply.normalize('NFKC').trim().toLowerCase();
  return word.replace(/^[\p{P}\p{Z}]+|[\p{P}\p{Z}]+$/gu, '') || word;
}

function readWords(value: unknown, label: string): string[] {
  const entries = Array.isArray(value) ? (value as unknown[]) : [value ?? ''];
  const words = entries.flatMap((entry) => {
    if (typeof entry === 'string') return entry.split(/[,;\n]/);
    throw new InvalidParameter(quoted(label), 'words separated by commas', entry);
  });
  return [...new Set(words.map(normalWord))].filter((word) => word !== '');
}

/**
 * Reads the words that decide by reply; undefined where there are none.
 * @throws InvalidParameter for a value that isn't text, and for a word that would both approve and decline
 */
export function readReplyWords(options: Record<string, unknown>): ReplyWords | undefined {
  const approve = readWords(options.approveWords, APPROVE_WORDS_LABEL);
  const decline = readWords(options.declineWords, DECLINE_WORDS_LABEL);
  const both = approve.find((word) => decline.includes(word));
  if (both !== undefined) {
    throw new InvalidParameter(
      quoted(DECLINE_WORDS_LABEL),
      `without the words of ${quoted(APPROVE_WORDS_LABEL)}`,
      both,
    );
  }
  return approve.length + decline.length > 0 ? { approve, decline } : undefined;
}

/** Returns what a reply decides: true to approve, false to decline, undefined for any other reply. */
export function decisionOf(reply: string, { approve, decline }: ReplyWords): boolean | undefined {
  const word = normalWord(reply);
  if (approve.includes(word)) return true;
  return decline.includes(word) ? false : undefined;
}
