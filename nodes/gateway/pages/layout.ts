import { createHash } from 'crypto';

import { Markup, markup } from './markup';

/** Pages for phones: without scripts, pictures or fonts, in light and dark. */

const STYLE = `
:root { color-scheme: light dark; --back: #f3f4f6; --card: #fff; --text: #15171c; --soft: #4b5160; --line: #767c8a;
  --main: #1d4ed8; --on-main: #fff; --bad: #b00020; }
@media (prefers-color-scheme: dark) {
  :root { --back: #101216; --card: #1b1e25; --text: #f1f2f5; --soft: #b4bac7; --line: #8b92a1;
    --main: #9db8ff; --on-main: #0b1636; --bad: #ff9aa5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 1.0625rem/1.5 system-ui, sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: 1.25rem 1rem 2rem; background: var(--card); min-height: 100vh; }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.0625rem; margin: 0; overflow-wrap: anywhere; }
.from { margin: 0 0 1rem; color: var(--soft); overflow-wrap: anywhere; }
.text { margin: 1rem 0 1.5rem; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.call { margin: .25rem 0 1rem; font-family: ui-monospace, monospace; }
.field { margin: 0 0 1.25rem; padding: 0; border: 0; min-width: 0; }
label, legend { display: block; padding: 0; font-weight: 600; margin-bottom: .375rem; overflow-wrap: anywhere; }
.option { display: flex; gap: .75rem; align-items: center; min-height: 3rem; font-weight: 400; margin: 0; }
.option input { width: 1.5rem; height: 1.5rem; flex: none; accent-color: var(--main); }
input:not([type=radio]):not([type=checkbox]), textarea, select { width: 100%; min-height: 3rem; padding: .625rem .75rem;
  font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
textarea { min-height: 8rem; }
.bad { color: var(--bad); margin: 0 0 1rem; font-weight: 600; }
[aria-invalid] { border: 2px solid var(--bad) !important; }
button { display: block; width: 100%; min-height: 3.5rem; margin: 0 0 1rem; padding: .75rem 1rem; font: inherit;
  font-weight: 600; border-radius: .75rem; border: 2px solid var(--main); cursor: pointer; overflow-wrap: anywhere; }
.primary { background: var(--main); color: var(--on-main); }
.secondary { background: transparent; color: var(--main); }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
`;

const STYLE_MARKUP = new Markup(STYLE);
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Headers of every page: nothing from elsewhere, no frames, no copies, and no address handed to other sites. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store, max-age=0',
};

export interface PageFrame {
  /** Language tag of the page's own words. */
  language: string;
  title: string;
  content: Markup;
}

/** Returns a whole page. */
export const renderPage = ({ language, title, content }: PageFrame): string =>
  markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<style>${STYLE_MARKUP}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.text;
