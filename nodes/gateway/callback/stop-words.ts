import { isObject } from '../text/json';

/** What people write to get no more messages: English, Ukrainian, Polish, German and Spanish, in this order. */
export const USUAL_STOP_WORDS = [
  ...['STOP', 'STOP ALL', 'UNSUBSCRIBE', 'OPT OUT'],
  ...['СТОП', 'ВІДПИСАТИСЯ', 'ВІДПИСАТИСЬ', 'ВІДПИСКА'],
  ...['WYPISZ', 'WYPISZ MNIE', 'REZYGNUJĘ'],
  ...['STOPP', 'ABMELDEN', 'ABBESTELLEN'],
  ...['BAJA', 'ALTO', 'CANCELAR SUSCRIPCIÓN'],
];

/** White space and invisible characters, marks and quotes around a word. */
const AROUND = /^[\p{Z}\p{C}\p{P}\p{S}]+|[\p{Z}\p{C}\p{P}\p{S}]+$/gu;

/** Returns a text as it is compared: without case, marks around it, and differences of white space and of notation. */
const compared = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(AROUND, '')
    .replace(/[\p{Z}\p{C}]+/gu, ' ')
    .toLowerCase();

/** Takes the words; returns those that can be compared with a reply. */
export const readStopWords = (words: readonly string[]): ReadonlySet<string> =>
  new Set(words.map(compared).filter((word) => word !== ''));

/** Longer texts are no single words. */
const LONGEST_REPLY = 200;

/** Whether a callback has a reply whose whole text is one of the words. */
export function isStop(words: ReadonlySet<string>, { reply, replies }: Record<string, unknown>): boolean {
  const texts = Array.isArray(replies) ? replies.map((one) => (isObject(one) ? one.message : undefined)) : [];
  return [reply, ...texts].some(
    (text) => typeof text === 'string' && text.length <= LONGEST_REPLY && words.has(compared(text)),
  );
}
