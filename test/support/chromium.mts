import { join } from 'node:path';

import axe from 'axe-core';
import type { Page } from 'playwright-core';

import { hasBrowser } from '../../tools/browser/chromium.mts';
import { TMP } from '../../tools/paths.mts';
import { shortOrLong } from './long-form.mts';

export { hasBrowser, launch } from '../../tools/browser/chromium.mts';

/** `it` and `describe` where there is a browser; elsewhere the end of the suite says what it left out. */
export const inBrowser = hasBrowser ? it : it.skip;
export const describeInBrowser = hasBrowser ? describe : describe.skip;

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
