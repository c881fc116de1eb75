import { withoutUnseen } from './characters';
import { toUrl } from './hosts';

/** Signs of ASCII that a parser of URLs replaces in silence. Letters and marks of all scripts are no mistake. */
const STRAY = /["<>\\^`{}]/;

function strayIn(link: string): string | undefined {
  if (/[\s\p{Z}\p{Cs}]/u.test(link) || withoutUnseen(link) !== link)
    return 'contains a blank, a line break, or a character that nobody sees';
  const [stray] = STRAY.exec(link) ?? [];
  return stray && `contains ${stray}`;
}

/** A scheme, a user where there is one, the host as a group, a port where there is one; then the path, the query, or the end. */
const WEB_LINK = /^https?:\/\/(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^/?#:]*)(?::[1-9]\d*)?(?=[/?#]|$)/i;

/** Two addresses with a comma, a semicolon or a bar between them. A path may hold an address: those of web archives do. */
const TWO_LINKS = /^[^?#]*[,;|]https?:\/\//i;

/** Labels with dots between them, or an IPv6 address. */
const PUBLIC_HOST = /^(?:[^.]+\.)+[^.]+\.?$|^\[/;

/**
 * Returns why a text isn't a complete web address that is read everywhere as it is written, as a verb phrase; undefined
 * where it is one (gateway-api.md, "Fields" and "Nested objects"). A URL parser mends much in silence, but the text leaves as it was
 * typed, and nobody knows what the recipient's phone makes of it. Never throws.
 * @param takesLocalName whether a host name without a dot will do, as in the network of a container
 */
export function whyNotWebLink(link: string, takesLocalName = false): string | undefined {
  const stray = strayIn(link);
  if (stray !== undefined) return stray;
  if (!/^https?:\/\//i.test(link)) return 'lacks https:// at the beginning';
  if (TWO_LINKS.test(link)) return 'contains two addresses';
  const [, host] = WEB_LINK.exec(link) ?? [];
  const url = toUrl(link);
  if (host === undefined || url === undefined) return "has a host or port that can't exist";
  // A parser of URLs takes 0x7f.1 for 127.0.0.1, and full-width letters for those of ASCII. It only spells names in other scripts
  // differently.
  const isAsRead = /^[!-~]*$/.test(host)
    ? host.toLowerCase() === url.hostname || host.startsWith('[')
    : host.normalize('NFKC') === host;
  if (!isAsRead) return `would be read as an address of ${url.hostname}; enter that if it is meant`;
  const isLocalName = /^[\w-]+$/.test(host) && (takesLocalName || url.hostname === 'localhost');
  return isLocalName || PUBLIC_HOST.test(host) ? undefined : `has the host "${host}" without a domain`;
}

/** The beginning of a link that opens an app: any scheme with "://", such as "viber://", and the schemes that are written without. */
const APP_LINK = /^[a-z][a-z0-9+.-]{0,30}:\/\/.|^(?:tel|sms|smsto|mailto|geo|market|intent):[^/]/i;

/** Schemes that run code, read files or show the content of the link itself: no app of a recipient opens them. */
const UNSAFE =
  /^(?:javascript|vbscript|livescript|data|file|filesystem|blob|about|view-source|jar|content|resource):/i;

/** Returns why a text is neither a web address nor a link that opens an app; undefined where it is one. Never throws. */
export function whyNotButtonLink(link: string): string | undefined {
  if (/^https?:/i.test(link)) return whyNotWebLink(link);
  const [unsafe] = UNSAFE.exec(link) ?? [];
  if (unsafe !== undefined) return `starts with ${unsafe}, which no button may open`;
  const stray = strayIn(link);
  if (stray !== undefined) return stray;
  return APP_LINK.test(link) && toUrl(link) !== undefined ? undefined : 'lacks https:// at the beginning';
}
