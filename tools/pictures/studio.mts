import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';
import type { Browser, Locator, Page, PageScreenshotOptions } from 'playwright-core';
import sharp from 'sharp';

import type { SandboxMessage } from '../../sandbox/server.mts';
import { launch } from '../browser/chromium.mts';
import { Editor, ownersPage } from '../../test/support/editor.mts';
import type { WorkflowJson } from '../n8n-host/rest-client.mts';
import { ROOT } from '../paths.mts';
import type { Running } from '../start/set-up.mts';
import { setUp } from '../start/set-up.mts';
import { until } from '../until.mts';

/** Where the pictures of the documentation are. */
export const PICTURES = join(ROOT, 'docs', 'pictures');

/** A sandbox, a real n8n with the package, and a browser: everything that a picture needs. */
export type Studio = Running & { browser: Browser };

/**
 * Starts all of it, on the ports of `npm start` where these are free, so that the pictures show the addresses that it
 * prints; `built` and `empty` are as in `setUp`.
 */
export async function openStudio(options: { built?: boolean; empty?: boolean }): Promise<Studio> {
  const browser = await launch();
  const running = await setUp({ ...options, place: 'pictures' });
  const close = async () => {
    await browser.close();
    await running.close();
  };
  return { ...running, browser, close };
}

/** The sender of the sandbox, as the list of the form chooses it. */
export const ANY_SENDER: IDataObject = {
  __rl: true,
  mode: 'list',
  value: 'TestSender',
  cachedResultName: 'TestSender',
};

/** The newest message that the sandbox got; waits for the first one since it was reset. */
export const newestMessage = async ({ sandbox }: Studio): Promise<SandboxMessage> =>
  await until('a message', () => sandbox.messages.list().at(-1));

/** What belongs to n8n and not to the picture. */
const HIDE = `
  .el-notification, [data-test-id="ask-assistant-floating-button"], [data-test-id="node-feature-request"],
  [class*="featureRequest"], [data-test-id="banner-stack"], [data-test-id="floating-node"], [data-test-id="floating-nodes"] { display: none !important; }
  *, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; }
`;

/** Opens a page that is logged in to n8n as its owner, in the light theme. */
export async function openPage(
  { browser, client, n8n }: Studio,
  width: number,
  height: number,
): Promise<Page> {
  const page = await ownersPage(
    browser,
    { client, url: n8n.main.url },
    { viewport: { width, height }, colorScheme: 'light' },
  );
  await page.addInitScript((css) => {
    document.addEventListener('DOMContentLoaded', () => {
      const style = document.createElement('style');
      style.textContent = css;
      document.head.append(style);
    });
  }, HIDE);
  return page;
}

/** Puts a workflow into n8n and opens the panel of its last node in a page of this size. */
export async function openLastNode(
  studio: Studio,
  workflow: WorkflowJson,
  [width, height]: [number, number],
): Promise<Editor> {
  const editor = new Editor(await openPage(studio, width, height));
  const { id } = await studio.client.createWorkflow(workflow);
  await editor.openWorkflow(id);
  await editor.openNode(workflow.nodes.at(-1)!.name);
  return editor;
}

/** Writes a picture of the page, or of a part of it, with at most 256 colours. */
export async function shoot(
  page: Page,
  name: string,
  part?: Locator | PageScreenshotOptions['clip'],
): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(async () => void (await document.fonts.ready));
  const picture =
    part !== undefined && 'screenshot' in part
      ? await part.screenshot()
      : await page.screenshot({ clip: part });
  await sharp(picture)
    .png({ palette: true, dither: 0 })
    .toFile(join(PICTURES, `${name}.png`));
}
