/** A link goes out exactly as it was checked, or not at all. */
import fc from '../../support/generated.mts';

import { whyNotButtonLink, whyNotWebLink } from '../../../nodes/gateway/text/links.ts';
import { FIELD_SCHEMAS, findIssue } from '../../../nodes/gateway/contract/wire-fields.ts';
import { titled } from '../../corpus/case.mts';
import { APP_LINKS, WEB_LINKS } from '../../corpus/links.mts';

const isTaken = { asymmetricMatch: (reason: unknown) => reason === undefined, toString: () => 'taken' };
const expected = (right: 'sent' | RegExp): unknown =>
  right === 'sent' ? isTaken : expect.stringMatching(right);

it.each(titled(WEB_LINKS))(
  'a picture and a callback have the address %s, or the error says why not',
  (_, { input, right }) => {
    for (const takesLocalName of [true, false])
      expect(whyNotWebLink(input, takesLocalName)).toEqual(expected(right));
    // Other schemes than those of the web are for apps.
    if (!input.startsWith('ftp:')) expect(whyNotButtonLink(input) === undefined).toBe(right === 'sent');
  },
);

it.each(titled(APP_LINKS))('a button opens %s, or the error says why not', (_, { input, right }) => {
  expect(whyNotButtonLink(input)).toEqual(expected(right));
  expect(whyNotWebLink(input)).toBeDefined();
});

it('takes the name of a host in the same network for a callback alone', () => {
  expect(whyNotWebLink('http://n8n:5678/webhook/x', true)).toBeUndefined();
  expect(whyNotWebLink('http://n8n:5678/x.png')).toBe('has the host "n8n" without a domain');
  const isTakenBy = (field: 'hook' | 'viber_image') =>
    FIELD_SCHEMAS[field].safeParse('http://n8n:5678/x').success;
  expect([isTakenBy('hook'), isTakenBy('viber_image')]).toEqual([true, false]);
});

it('tells what is wrong beside what is accepted, in a list too, and nothing secret', () => {
  const { viber_image: image, viber_carousel: carousel } = FIELD_SCHEMAS;
  expect(findIssue(image, 'https:a.example/x?secret=5')).toEqual({
    path: [],
    message: 'a complete web address such as https://example.com/page',
    reason: 'lacks https:// at the beginning',
  });
  expect(findIssue(image, '')?.reason).toBeUndefined();
  const slide = { caption: 'a', image: 'https://a.example', url: 'https://a.example', button: 'b' };
  expect(findIssue(carousel, [slide, { ...slide, url2: 'file://x' }])).toMatchObject({
    path: [1, 'url2'],
    reason: 'starts with file:, which no button may open',
  });
});

/** What the parser leaves out, adds or reads as something else. */
const NOISE = [
  '\t',
  '\n',
  '\r',
  ' ',
  '\\',
  '\u200b',
  '\u00ad',
  '\ufeff',
  '\u3000',
  'ｅ',
  '%65',
  '。',
  '"',
  '<',
];
const pieces = fc.array(
  fc.oneof(
    fc.constantFrom(...NOISE, 'https://', 'https:', 'http:/', '//', '/', ':', '@', '.', '..', '0x7f', '443'),
    fc.constantFrom('example', 'com', 'a.example', 'картинка', 'javascript:', '?q=', '#', '[::1]', ',', 'É'),
    fc.string({ maxLength: 3, unit: 'binary' }),
  ),
  { maxLength: 8 },
);

/** How a parser writes what it read, with what it merely spells its own way as people spell it. */
function parsed(link: string): { scheme: string; host: string; hasPort: boolean } {
  const { protocol, hostname } = new URL(link);
  return { scheme: protocol, host: hostname, hasPort: /:\d+$/.test(link.split(/[/?#]/)[2] ?? '') };
}

it('never takes a web address that a parser reads as another one, and never throws', () => {
  fc.assert(
    fc.property(fc.constantFrom('', 'https://', 'https://a.example', 'https:'), pieces, (start, rest) => {
      const link = start + rest.join('');
      const isWeb = whyNotWebLink(link, true) === undefined;
      const isButton = whyNotButtonLink(link) === undefined;
      if (!isWeb && !isButton) return;
      expect(link).toBe(link.trim());
      expect(link).not.toMatch(/[\s\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u);
      expect(['javascript:', 'vbscript:', 'file:', 'data:']).not.toContain(new URL(link).protocol);
      if (!isWeb) return;
      // What stands between the slashes is the host that the parser connects to, up to case and its form of other scripts.
      const typed = (/^https?:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(link)?.[1] ?? '').toLowerCase();
      const { host, scheme } = parsed(link);
      expect(link.toLowerCase().startsWith(`${scheme}//`)).toBe(true);
      if (/^[\x21-\x7e]*$/.test(typed) && !typed.startsWith('[')) expect(typed).toBe(host);
      else expect(new URL(`https://${typed.normalize('NFKC')}/`).hostname).toBe(host);
    }),
    { numRuns: 20_000 },
  );
});
