import { measureSms } from '../../gateway/sms/segments';
import { beginningOf } from '../../gateway/text/characters';

/** Authors write this mark where the link is to stand in the text. */
const LINK_MARK = '{link}';

/**
 * Returns the text with one link: at the first `{link}`, or at the end of a text that has none. A blank parts the link from the
 * character behind it, which phones would take for a part of the link.
 */
export function withLink(text: string, link: string): string {
  const [start, ...rest] = text.split(LINK_MARK);
  if (rest.length === 0) return `${start.trimEnd()} ${link}`.trimStart();
  const end = rest.join('');
  return `${start}${link}${/^\S/u.test(end) ? ' ' : ''}${end}`;
}

/** Returns the text without marks, to stand beside a button that has the link, or on the page that the link opens. */
export const withoutLink = (text: string): string =>
  text
    .split(LINK_MARK)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');

/** The longest message on any channel. */
const MAX_CHARACTERS = 1000;

/** The longest SMS with its link, since each part costs: the text may hold a stranger's name, or an agent's words. */
const MAX_SMS_PARTS = 4;

export const CUT_HINT = `The text of the message was cut, and the page shows all of it: a message has ${MAX_CHARACTERS.toLocaleString('en')} characters at most, and an SMS with its link ${MAX_SMS_PARTS} parts. To send all of it, add 'Shorten Links', if your tariff has it; or enter a short 'Text' and put the long one into 'Response Form Description'.`;

/** The room that is kept for a link of the gateway ('Shorten Links'), whose length only the gateway knows: more than any takes. */
const SHORT_LINK = 'x'.repeat(40);

/** Returns the text of a question's message, cut where it would be too long with a link as long as this one. */
export function messageText(
  {
    text,
    channels,
    optional,
  }: { text: string; channels: readonly string[]; optional: { short_link?: unknown } },
  link: string,
): string {
  if (!channels.includes('sms')) return fittingText(text, undefined);
  return fittingText(text, optional.short_link === true ? SHORT_LINK : link);
}

/**
 * Returns as much of the beginning of a text as a message can have: 1,000 characters, and where the text leaves by SMS, with this link,
 * a tenth less each time until both fit in four parts.
 */
export function fittingText(text: string, smsLink: string | undefined): string {
  const fits = (beginning: string) =>
    smsLink === undefined || measureSms(withLink(beginning, smsLink)).segments <= MAX_SMS_PARTS;
  for (let max = MAX_CHARACTERS; max > ELLIPSIS.length; max = Math.floor(max * 0.9)) {
    const beginning = beginningWithin(text, max);
    if (fits(beginning)) return beginning;
  }
  return '';
}

const ELLIPSIS = '...';

/** Returns a text of `max` characters at most, which doesn't end in the middle of `{link}`. */
function beginningWithin(text: string, max: number): string {
  if (text.length <= max) return text;
  const beginning = beginningOf(text, max - ELLIPSIS.length).replace(/\{(?:l(?:i(?:nk?)?)?)?$/, '');
  return `${beginning.trimEnd()}${ELLIPSIS}`;
}
