import { measureSms } from '../../gateway/sms/segments';
import { beginningOf } from '../../gateway/text/characters';
import type { Wording } from '../message-parts/by-channels';
import { withLink, withoutLink } from './link';

/**
 * The most SMS that a question may cost each of its people: names that strangers chose, and an agent's words, are of any
 * length, and the page shows all of them.
 */
export const MOST_SEGMENTS = 3;
const MOST_SMS_CHARACTERS = 153 * MOST_SEGMENTS;

/** The most characters where no SMS is sent. */
const MOST_CHARACTERS = 1000;
const CUT = '...';

/** Stands for a link that the gateway will shorten, whose length it alone knows. */
const SHORT_LINK = 'x'.repeat(40);

/** The beginning of a text, without a place of the link that is cut through. */
function startOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = beginningOf(text, most).replace(/\{(?:l(?:i(?:nk?)?)?)?$/, '');
  return `${start.trimEnd()}${CUT}`;
}

/** Returns as much of a text as `fits`, where less always fits if more does; nothing where even the beginning doesn't. */
function truncateToParts(text: string, most: number, fits: (start: string) => boolean): string {
  if (fits(text)) return text;
  let [fitting, tooLong] = [-1, most + 1];
  while (tooLong - fitting > 1) {
    const length = Math.floor((fitting + tooLong) / 2);
    if (fits(startOf(text, length))) fitting = length;
    else tooLong = length;
  }
  return fitting === -1 ? '' : startOf(text, fitting);
}

/** The words of a question's message, and whether they are less than its author wrote. */
export interface MessageWording {
  wording: Wording;
  isCut: boolean;
}

/**
 * Returns the words that ask one person: where an SMS is sent, as many as fit in three with their link.
 * @param about `caption`: of the button that the link can be on Viber
 */
export function messageWording(
  text: string,
  link: string,
  { caption, bySms, isShortened }: { caption: string; bySms: boolean; isShortened: boolean },
): MessageWording {
  const measured = isShortened ? SHORT_LINK : link;
  const isShort = (start: string) => withoutLink(start).length <= MOST_CHARACTERS;
  const shown = truncateToParts(text, MOST_CHARACTERS, isShort);
  const sent = bySms
    ? truncateToParts(
        shown,
        MOST_SMS_CHARACTERS,
        (start) => measureSms(withLink(start, measured)).segments <= MOST_SEGMENTS,
      )
    : shown;
  return {
    wording: { text: withLink(sent, link), button: { text: withoutLink(shown), caption, link } },
    isCut: sent !== text,
  };
}
