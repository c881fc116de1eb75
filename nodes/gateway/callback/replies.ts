import { replyEntries, replyTexts } from '../contract/callback';
import { isNone } from '../contract/envelope';
import type { Report } from '../delivery/reports';
import { comparedWord } from '../text/characters';
import { isObject } from '../text/json';

/** Whether a callback has a reply, of text, a file or a pressed digit. */
export const hasReply = ({ reply, replies }: Report): boolean =>
  replyEntries(replies).length > 0 || (typeof reply === 'string' && reply !== '');

/**
 * Returns replies as texts to compare: each reply's words and its file, without its time. Gateways write a word of digits as text or
 * as a number, and may sign the query of a link anew each time.
 */
export const replyKeys = (replies: unknown): string[] =>
  replyEntries(replies).map(({ message, media }) => {
    const file = isObject(media) ? (media.url ?? media.filename) : media;
    const [path] = isNone(file) ? [''] : String(file).split(/[?#]/, 1);
    return JSON.stringify([isNone(message) ? '' : String(message), path]);
  });

/** Splits a callback with several replies into a callback for each reply; other callbacks stay as they are. */
export const splitReplies = <Event extends Report>(events: Event[]): Event[] =>
  events.flatMap((event) => {
    const replies = replyEntries(event.replies);
    return replies.length > 0 ? replies.map((reply) => ({ ...event, replies: [reply] })) : [event];
  });

/** Words by which people refuse more messages, those on the lists of carriers and of the FCC among them. */
export const USUAL_STOP_WORDS = [
  // English
  'STOP',
  'STOP ALL',
  'STOPALL',
  'UNSUBSCRIBE',
  'OPT OUT',
  'OPTOUT',
  'OPT-OUT',
  'QUIT',
  'END',
  'CANCEL',
  'REVOKE',
  // Ukrainian
  'СТОП',
  'ВІДПИСАТИСЯ',
  'ВІДПИСАТИСЬ',
  'ВІДПИСКА',
  // Polish
  'WYPISZ',
  'WYPISZ MNIE',
  'REZYGNUJĘ',
  // German
  'STOPP',
  'ABMELDEN',
  'ABBESTELLEN',
  // Spanish
  'BAJA',
  'ALTO',
  'CANCELAR SUSCRIPCIÓN',
];

/** Returns the words of a list in the form in which replies are compared with them. */
export const readStopWords = (words: readonly unknown[]): ReadonlySet<string> =>
  new Set(
    words
      .filter((word) => typeof word === 'string' || typeof word === 'number')
      .flatMap((word) => comparedWord(String(word)) ?? []),
  );

/** Words of courtesy before or behind a stop word, in the languages of the usual words. */
const COURTEOUS = [
  // English
  'please',
  'pls',
  'thanks',
  'thank you',
  // Ukrainian
  'будь ласка',
  'дякую',
  // Polish
  'proszę',
  'dziękuję',
  // German
  'bitte',
  'danke',
  // Spanish
  'por favor',
  'gracias',
].join('|');
const COURTESY = new RegExp(`^(?:${COURTEOUS})[\\s\\p{P}]+|[\\s\\p{P}]+(?:${COURTEOUS})$`, 'gu');

/** Whether a text is one of the words, with or without a word of courtesy at each end. */
function isOneOf(words: ReadonlySet<string>, text: string): boolean {
  const word = comparedWord(text) ?? '';
  return words.has(word) || words.has(comparedWord(word.replace(COURTESY, '')) ?? '');
}

/** Whether a callback has a reply whose whole text, or first line, is one of the words: phones write signatures below. */
export const isStop = (words: ReadonlySet<string>, { reply, replies }: Report): boolean =>
  [reply, ...replyTexts(replies)].some(
    (text) =>
      typeof text === 'string' &&
      [text, ...text.trimStart().split(/[\r\n\u2028]/, 1)].some((part) => isOneOf(words, part)),
  );
