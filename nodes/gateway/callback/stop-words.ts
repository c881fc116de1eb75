import { replyTexts } from '../contract/callback';
import { comparedWord } from '../text/characters';

/** Words by which people refuse more messages: English, Ukrainian, Polish, German and Spanish, in this order. */
export const USUAL_STOP_WORDS = [
  ...['STOP', 'STOP ALL', 'UNSUBSCRIBE', 'OPT OUT'],
  ...['СТОП', 'ВІДПИСАТИСЯ', 'ВІДПИСАТИСЬ', 'ВІДПИСКА'],
  ...['WYPISZ', 'WYPISZ MNIE', 'REZYGNUJĘ'],
  ...['STOPP', 'ABMELDEN', 'ABBESTELLEN'],
  ...['BAJA', 'ALTO', 'CANCELAR SUSCRIPCIÓN'],
];

/** Takes a list of words; returns the words that can be compared with a reply. */
export const readStopWords = (words: readonly unknown[]): ReadonlySet<string> =>
  new Set(
    words
      .filter((word) => typeof word === 'string' || typeof word === 'number')
      .flatMap((word) => comparedWord(String(word)) ?? []),
  );

/** Whether a callback has a reply whose whole text is one of the words. */
export const isStop = (words: ReadonlySet<string>, { reply, replies }: Record<string, unknown>): boolean =>
  [reply, ...replyTexts(replies)].some(
    (text) => typeof text === 'string' && words.has(comparedWord(text) ?? ''),
  );
