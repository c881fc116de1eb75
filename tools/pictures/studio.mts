import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';
import type { Browser, Locator, Page, PageScreenshotOptions } from 'playwright-core';
import sharp from 'sharp';

import type { Sandbox, SandboxMessage } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { launch } from '../../test/support/chromium.mts';
import { openPanel, ownersPage } from '../../test/support/editor.mts';
import { CREDENTIAL_TYPE, credentialData } from '../../test/support/real-n8n.mts';
import type { N8nProcess } from '../n8n-host/n8n-process.mts';
import type { CredentialReference, N8nClient, WorkflowJson } from '../n8n-host/rest-client.mts';
import { startWarm } from '../n8n-host/warm-start.mts';
import { ROOT, TMP } from '../paths.mts';
import { until } from '../until.mts';
import { nextFreePort } from '../n8n-host/ports.mts';

/** Where the pictures of the documentation are. */
export const PICTURES = join(ROOT, 'docs', 'pictures');

/** A sandbox, a real n8n with the package, and a browser: everything that a picture needs. */
export interface Studio {
  sandbox: Sandbox;
  n8n: N8nProcess;
  client: N8nClient;
  credential: CredentialReference;
  browser: Browser;
  close(): Promise<void>;
}

/**
 * Starts all of it on loopback, with `empty` an n8n without a credential, as a new user finds it. What was started is
 * ended when something fails.
 */
export async function openStudio(tarball: string, { empty = false } = {}): Promise<Studio> {
  const n8nPort = await nextFreePort(5678);
  // By port, since another one may run at the same time.
  const folder = join(TMP, 'pictures', String(n8nPort));
  await using started = new AsyncDisposableStack();
  // The usual ports of the sandbox and n8n, so that the pictures show the addresses that `npm start` prints.
  const sandbox = await startSandbox({
    port: await nextFreePort(8077),
    config: { outcomes: { fallback: { steps: [] } } },
  });
  started.defer(async () => await sandbox.close());
  const { n8n, client } = await startWarm({ folder, tarball, port: n8nPort });
  started.defer(async () => await n8n.stop());
  const credential = empty
    ? { id: '', name: '' }
    : await client.createCredential('Messaging Gateway account', CREDENTIAL_TYPE, credentialData(sandbox));
  const browser = await launch();
  started.defer(async () => await browser.close());
  const running = started.move();
  return { sandbox, n8n, client, credential, browser, close: async () => await running.disposeAsync() };
}

/** The sender of the sandbox, as the list of the form chooses it. */
export const ANY_SENDER: IDataObject = {
  __rl: true,
  mode: 'list',
  value: 'TestSender',
  cachedResultName: 'TestSender (SMS, Viber, RCS)',
};

/** The newest message that the sandbox got; waits for the first one since it was reset. */
export const newestMessage = async ({ sandbox }: Studio): Promise<SandboxMessage> =>
  await until(20_000, 'a message', () => sandbox.messages.list().at(-1));

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
    { client, url: n8n.url },
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

/** Puts a workflow into n8n and opens the panel of one of its nodes. */
export async function openNode(
  page: Page,
  studio: Studio,
  workflow: WorkflowJson,
  node: string,
): Promise<void> {
  const { id } = await studio.client.createWorkflow(workflow);
  await page.goto(`${studio.n8n.url}/workflow/${id}`);
  await openPanel(page, node);
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
  await mkdir(PICTURES, { recursive: true });
  await sharp(picture)
    .png({ palette: true, dither: 0 })
    .toFile(join(PICTURES, `${name}.png`));
}
