import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { startSandbox } from '../../sandbox/server.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { listenForCallbacks } from '../unit/sandbox/client.mts';
import type { Hook } from '../unit/sandbox/client.mts';

/** A sandbox whose messages wait for a person, with its phone page open in a browser. */
export interface OpenPhonePage {
  sandbox: Sandbox;
  page: Page;
  /** Takes callbacks, with 200. */
  hook: Hook;
  /** What went wrong in the page so far: errors, console messages, dialogs, requests to elsewhere. */
  problems: string[];
  close(): Promise<void>;
}

/** Starts a sandbox and opens its phone page, by default as wide as on a desktop. */
export async function openPhonePage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<OpenPhonePage> {
  const sandbox = await startSandbox({ config: { outcomes: { fallback: { steps: [] } } } });
  const hook = await listenForCallbacks();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => problems.push(message.text()));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(sandbox.baseUrl)) problems.push(`request: ${request.url()}`);
  });
  await page.goto(sandbox.phonePageUrl);
  await page.getByText('No messages yet').waitFor();
  return {
    sandbox,
    page,
    hook,
    problems,
    async close() {
      await page.close();
      await sandbox.close();
      await hook.close();
    },
  };
}
