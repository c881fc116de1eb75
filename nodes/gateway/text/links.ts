import { toUrl } from './url';

/**
 * Whether a link is complete and exactly what everybody reads in it (gateway-api.md, "Fields" and "Nested objects": links of
 * pictures, buttons and slides, and `hook`). A URL parser mends much in silence, but what is sent is what was typed: nobody
 * knows what the recipient's phone makes of it. So all that a parser would mend is refused, with the reason.
 */

/** What no link contains, and a parser leaves out or writes differently. Marks and letters of all scripts are no mistake. */
const STRAY = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}"<>\\^`{}]/u;

const NAMED_CHARACTERS: Record<string, string | undefined> = {
  ' ': 'a blank',
  '\t': 'a tab',
  '\n': 'a line break',
  '\r': 'a line break',
  '\u00a0': 'a no-break space (U+00A0)',
  '\u00ad': 'an invisible hyphen (U+00AD)',
  '\u200b': 'an invisible blank (U+200B)',
  '\ufeff': 'a byte order mark, which is invisible (U+FEFF)',
};

function nameOf(character: string): string {
  const known = NAMED_CHARACTERS[character];
  if (known !== undefined) return known;
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(character)
    ? `the invisible character ${code}`
    : `the character ${character}`;
}

function strayIn(link: string): string | undefined {
  const [found] = STRAY.exec(link) ?? [];
  if (found === undefined) return undefined;
  const second = /[\s\p{Z}"<>{}]https?:\/\//iu.test(link) ? ', and a second address behind it' : '';
  return `contains ${nameOf(found)}${second}`;
}

/** Scheme, user, host and port, and the rest. */
const WEB_LINK = /^https?:\/\/(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^/?#:@]*)(?::([1-9]\d*))?(?=[/?#]|$)/i;

/** Two addresses in one field, as a cell with a list has them. A path may well hold an address, as those of archives do. */
const TWO_LINKS = /^[^?#]*[,;|]https?:\/\//i;
const REPEATED_SCHEME = /^https?:\/\/(?:https?:?|[a-z][a-z0-9+-]*:)\/\//i;

/** A host name as everybody writes it: labels of letters and digits of any script. */
const HOST_NAME = /^(?:[\p{L}\p{M}\p{N}_-]{1,63}\.)+[\p{L}\p{M}\p{N}_-]{1,63}\.?$/u;

/** A name without a domain, which means something in one network only. */
const LOCAL_NAME = /^[a-z\d_-]{1,63}$/i;

/** A link as a parser reads it, without what may be secret in it. */
function readAs({ origin, pathname, search, hash }: URL): string {
  const rest = search === '' && hash === '' ? '' : '…';
  return `${origin}${pathname}${rest}`;
}

/**
 * Returns why a text isn't a complete web address that is read everywhere as it is written, as a verb phrase; undefined
 * where it is one. Never throws.
 * @param takesLocalName whether a host name without a dot will do, as in the network of a container
 */
export function whyNotWebLink(link: string, takesLocalName = false): string | undefined {
  const stray = strayIn(link);
  if (stray !== undefined) return stray;
  const url = toUrl(link);
  if (!/^https?:\/\//i.test(link)) {
    const isMended = url !== undefined && /^https?:/i.test(link);
    return isMended ? `lacks "//" behind the colon; ${readAs(url)} may be meant` : whyNoScheme(link);
  }
  if (REPEATED_SCHEME.test(link)) return 'begins with two schemes';
  if (TWO_LINKS.test(link)) return 'contains two addresses';
  const parts = WEB_LINK.exec(link);
  if (Number(parts?.[2]) > 65_535) return 'has a port above 65535';
  if (url === undefined) return 'has no host name that can exist';
  return parts === null
    ? `would be read as ${readAs(url)}; enter that if it is meant`
    : whyNotHost(parts[1], url, takesLocalName);
}

const whyNoScheme = (link: string): string =>
  /^[a-z][a-z0-9+.-]*:/i.test(link) ? 'starts with another scheme' : 'lacks https:// at the beginning';

function whyNotHost(host: string, url: URL, takesLocalName: boolean): string | undefined {
  const { hostname } = url;
  const mended = `would be read as ${readAs(url)}; enter that if it is meant`;
  if (host.startsWith('[')) return undefined;
  // The parser knows several spellings of an address, such as 0x7f.1; a phone may not. Its own form of names in other
  // scripts is nobody's mistake; that of full-width letters is.
  const isAscii = /^[\x21-\x7e]*$/.test(host);
  if (isAscii ? host.toLowerCase() !== hostname : host.normalize('NFKC') !== host) return mended;
  if (LOCAL_NAME.test(host)) {
    return takesLocalName || host.toLowerCase() === 'localhost'
      ? undefined
      : `has the host "${host}" without a domain`;
  }
  return HOST_NAME.test(host) ? undefined : `has the host "${host}", which can't exist`;
}

/** A scheme that opens an app: any with "://", such as "viber://", and those that are written without. */
const APP_LINK = /^[a-z][a-z0-9+.-]{0,30}:\/\/.|^(?:tel|sms|smsto|mailto|geo|market|intent):[^/]/i;

/** Schemes that run code, read files or show what is in the link itself: no app of a recipient is behind them. */
const UNSAFE = String.raw`(?:javascript|vbscript|livescript|data|file|filesystem|blob|about|view-source|jar|content|resource)`;
const UNSAFE_SCHEME = new RegExp(`^${UNSAFE}:`, 'i');

/** A link to an Android app names a scheme of its own, and an address for phones without the app. */
const UNSAFE_INTENT = new RegExp(String.raw`^intent:.*[;#=](?:scheme=)?${UNSAFE}(?::|;|%3a|$)`, 'is');

/** Returns why a text is neither a web address nor a link that opens an app; undefined where it is one. Never throws. */
export function whyNotButtonLink(link: string): string | undefined {
  const stray = strayIn(link);
  if (stray !== undefined) return stray;
  if (/^https?:/i.test(link)) return whyNotWebLink(link);
  if (UNSAFE_SCHEME.test(link))
    return `starts with ${link.slice(0, link.indexOf(':') + 1)}, which no button may open`;
  if (UNSAFE_INTENT.test(link)) return 'opens a scheme that no button may open';
  if (!APP_LINK.test(link))
    return /^[^/?#]*\./.test(link) ? 'lacks https:// at the beginning' : 'has no scheme such as https://';
  return toUrl(link) === undefined ? "can't be read as an address" : undefined;
}
