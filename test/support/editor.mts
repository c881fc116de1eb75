import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';

import type { N8nClient } from '../../tools/n8n-host/rest-client.mts';

/** n8n's REST client names its browser like this, and n8n ties the session to it. */
const BROWSER_ID = 'tools';
const PREFIX = 'parameter-input-';

/** Opens an empty page that is logged in to n8n as the owner that the client is. */
export async function ownersPage(
  browser: Browser,
  { client, url }: { client: N8nClient; url: string },
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 1000 },
    // Animations are much of what a browser without a GPU computes.
    reducedMotion: 'reduce',
    ...options,
  });
  await context.addCookies([{ ...client.session, url }]);
  await context.addInitScript((id) => {
    localStorage.setItem('n8n-browserId', id);
  }, BROWSER_ID);
  const page = await context.newPage();
  // On a busy machine the editor takes its time to load.
  page.setDefaultTimeout(60_000);
  return page;
}

/** The tab with the parameters in the panel of a node. */
const formIn = (page: Page): Locator => page.locator('[data-test-id="node-parameters"]');

/** Opens the panel of a node of the workflow that is shown. */
export async function openPanel(page: Page, node: string): Promise<void> {
  await page.locator(`[data-test-id="canvas-node"][data-node-name="${node}"]`).dblclick();
  await formIn(page).waitFor();
}

/** The panel of the node that is open. */
export const panelIn = (page: Page): Locator => page.locator('[data-test-id="ndv"]');

/** A field of the open form by the name of its parameter. */
export const parameterIn = (page: Page, name: string): Locator =>
  panelIn(page).locator(`[data-test-id="${PREFIX}${name}"]:visible`);

/** An entry of the list that is unfolded, by its title. */
export const entryIn = (page: Page, title: string): Locator =>
  page
    .locator('[data-test-id="parameter-input-item"]:visible .option-headline')
    .getByText(title, { exact: true });

/** The button that runs the node whose panel is open. */
export const runButton = (page: Page): Locator =>
  panelIn(page).locator('[data-test-id="node-execute-button"]').first();

/** The output of the node whose panel is open. */
export const outputIn = (page: Page): Locator => page.locator('[data-test-id="output-panel"]');

/** Waits until the run of the open node has ended, with items. @throws Error in the words of the editor where it failed */
export async function untilOutput(page: Page): Promise<void> {
  const count = outputIn(page).locator('[data-test-id="ndv-items-count"]');
  const error = outputIn(page).locator('[data-test-id="node-error-message"]');
  await count.or(error).first().waitFor({ timeout: 60_000 });
  for (const passing of ['Waiting for input', 'Loading data']) {
    await outputIn(page).getByText(passing).last().waitFor({ state: 'hidden', timeout: 60_000 });
  }
  if ((await error.count()) > 0) throw new Error(await error.first().innerText());
}

/** n8n's editor in a page, logged in as the owner. */
export class Editor {
  readonly page: Page;

  private readonly url: string;

  private constructor(page: Page, url: string) {
    this.page = page;
    this.url = url;
  }

  static async open(browser: Browser, n8n: { client: N8nClient; url: string }): Promise<Editor> {
    return new Editor(await ownersPage(browser, n8n), n8n.url);
  }

  async openWorkflow(id: string): Promise<void> {
    await this.page.goto(`${this.url}/workflow/${id}`);
  }

  /** Opens the panel of a node of the workflow, in place of that of another one. */
  async openNode(name: string): Promise<void> {
    if (await this.form.isVisible()) {
      await this.page.locator('[data-test-id="ndv-close-button"]').click();
      await this.form.waitFor({ state: 'hidden' });
    }
    // The output is shown before the execution has ended, and until then the editor starts no other one.
    await this.page.locator('[data-test-id="stop-execution-button"]').waitFor({ state: 'hidden' });
    await openPanel(this.page, name);
  }

  /** The tab with the parameters. */
  get form(): Locator {
    return formIn(this.page);
  }

  /** The names of the parameters that are shown, in order. */
  async shown(): Promise<string[]> {
    const ids = await this.form
      .locator(`[data-test-id^="${PREFIX}"]:visible`)
      .evaluateAll((elements) => elements.map((element) => element.getAttribute('data-test-id') ?? ''));
    return ids.map((id) => id.slice(PREFIX.length)).filter((name) => name !== 'field' && name !== 'item');
  }

  parameter(name: string): Locator {
    return parameterIn(this.page, name);
  }

  /** Chooses an option of a list by its title. */
  async choose(list: Locator, title: string): Promise<void> {
    await list.click();
    await entryIn(this.page, title).click();
    await entryIn(this.page, title).waitFor({ state: 'hidden' });
  }
}
