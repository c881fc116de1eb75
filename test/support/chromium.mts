import { existsSync } from 'node:fs';
import { join } from 'node:path';

import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { chromium } from 'playwright-core';

import { TMP } from '../../tools/paths.mts';
import { shortOrLong } from './long-form.mts';

/** Debian's; the shell, without what only a window needs, takes a fifth less processor time. */
const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));

/** Whether there is a browser to look at pages with. */
export const hasChromium = CHROMIUM !== undefined;

/** Starts a headless Chromium without anything that reaches out by itself. */
export async function launch(): Promise<Browser> {
  return await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** What axe finds in the page as it is now: weight, rule, and the first element of each. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = (await page.evaluate(
    'axe.run({ resultTypes: ["violations"] }).then((results) => results.violations)',
  )) as axe.Result[];
  return violations.map(({ id, impact, nodes }) => `${impact} ${id} ${nodes[0].html.slice(0, 160)}`);
}

/** Keeps a picture of the whole page, to be looked at, in the long form of the tests. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const path = join(TMP, 'screenshots', `${name}.png`);
  if (shortOrLong(false, true)) await page.screenshot({ path, fullPage: true });
}
