import { measureSms } from '../../gateway/sms/segments';
import { beginningOf } from '../../gateway/text/characters';
import type { Wording } from '../message-parts/by-channels';

/** The place of the link in the text. */
const LINK_MARK = '{link}';

/**
 * Returns the text with one link: at the first mark, or at the end without any. Punctuation behind the link gets a blank
 * before it, since some phones take punctuation for a part of the link.
 */
export function withLink(text: string, link: string): string {
  const [start, ...rest] = text.split(LINK_MARK);
  if (rest.length === 0) return `${start.trimEnd()} ${link}`.trimStart();
  const end = rest.join('');
  return `${start}${link}${/^\p{P}/u.test(end) ? ' ' : ''}${end}`;
}

/** Returns the text where the link is somewhere else: on a button, or on the page itself. */
export const withoutLink = (text: string): string =>
  text
    .split(LINK_MARK)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');

/**
 * The most SMS that a question may cost for each person: names that strangers chose, and an agent's words, are of any length,
 * and the page shows all of them.
 */
export const MOST_SEGMENTS = 3;

/** The most characters of any message. */
const MOST_CHARACTERS = 1000;

/** Stands for a link that the gateway will shorten, to a length that only the gateway knows. */
const SHORT_LINK = 'x'.repeat(40);

const CUT = '...';

/** Returns the beginning of a text, without the half of a mark at its end. */
function startOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = beginningOf(text, most - CUT.length).replace(/\{(?:l(?:i(?:nk?)?)?)?$/, '');
  return `${start.trimEnd()}${CUT}`;
}

/**
 * Returns the words that ask one person; in an SMS, a tenth less of them until they fit in three with their link.
 * `isCut`: whether the author wrote more.
 * @param about `caption`: of the button that the link can be on Viber
 */
export function messageWording(
  text: string,
  link: string,
  { caption, bySms, isShortened }: { caption: string; bySms: boolean; isShortened: boolean },
): { wording: Wording; isCut: boolean } {
  const fits = (start: string) =>
    !bySms || measureSms(withLink(start, isShortened ? SHORT_LINK : link)).segments <= MOST_SEGMENTS;
  const shown = startOf(text, MOST_CHARACTERS);
  let sent = shown;
  for (let most = MOST_CHARACTERS; most > CUT.length && !fits(sent); most = Math.floor(most * 0.9))
    sent = startOf(text, most);
  if (!fits(sent)) sent = '';
  return {
    wording: { text: withLink(sent, link), button: { text: withoutLink(shown), caption, link } },
    isCut: sent !== text,
  };
}
