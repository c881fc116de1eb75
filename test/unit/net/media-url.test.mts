import { mediaUrl } from '../../../nodes/gateway/net/media-url.ts';

/** IP addresses are refused in every spelling, whether or not they are public. */
const REFUSED = `
  http://example.com/a ftp://example.com/a file:///etc/passwd data:text/plain,x javascript:1 //
  https://user@example.com/ https://example.com@127.0.0.1/ https://:x@example.com/
  https://example.com:8443/ https://example.com:80/ https://8.8.8.8/ https://169.254.169.254/latest/meta-data/
  https://2130706433/ https://017700000001/ https://0x7f.0.0.1/ https://127.1/ https://0/ https://127.0.0.1./
  https://①②⑦.⓪.⓪.①/ https://127。0。0。1/ https://%31%32%37.0.0.1/ https://[::1]/ https://[::ffff:7f00:1]/
  https://localhost/ https://LOCALHOST./ https://a.localhost/ https://n8n/ https://redis:443/
  https://metadata.google.internal/ https://printer.local/ https://router.lan https://x.home.arpa
  https:/\\localhost/`;

it.each(['', ...REFUSED.trim().split(/\s+/)])('the address %s is refused with a reason', (address) => {
  expect(mediaUrl(address)).toEqual(expect.stringMatching(/\w+ \w+/));
});

it.each([
  ['https://media.example.com/a.png?x=1#y', 'media.example.com'],
  ['https://media.example.com:443/', 'media.example.com'],
  ['HTTPS://MEDIA.EXAMPLE.COM', 'media.example.com'],
  ['https://media.example.com\\@127.0.0.1:99/', 'media.example.com'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
])('the address %s is taken by its host', (address, hostname) =>
  expect(mediaUrl(address)).toMatchObject({ hostname }),
);

it('takes addresses of 2048 characters, and no longer ones', () => {
  const start = 'https://media.example.com/';
  const address = (length: number) => start + 'x'.repeat(length - start.length);
  expect(mediaUrl(address(2048))).toEqual(expect.any(URL));
  expect(mediaUrl(address(2049))).toBe('the address is too long');
});

it('reads the address of a redirect from where it came', () => {
  const base = new URL('https://media.example.com/a/b');
  expect(String(mediaUrl('../c', base))).toBe('https://media.example.com/c');
  for (const next of ['//127.0.0.1/', 'http://media.example.com/']) {
    expect(mediaUrl(next, base)).toEqual(expect.stringMatching(/\w+ \w+/));
  }
});
