import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';

import type { N8nClient } from '../../tools/n8n-host/rest-client.mts';

/** n8n's REST client names its browser like this, and n8n ties the session to it. */
const BROWSER_ID = 'tools';
const PREFIX = 'parameter-input-';

/** Opens an empty page that is logged in to n8n as the owner that the client is; paths are those of n8n. */
export async function ownersPage(
  browser: Browser,
  { client, url }: { client: N8nClient; url: string },
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
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

/** n8n's editor in a page that is logged in as the owner. */
export class Editor {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  static async open(browser: Browser, n8n: { client: N8nClient; url: string }): Promise<Editor> {
    return new Editor(await ownersPage(browser, n8n));
  }

  async openWorkflow(id: string): Promise<void> {
    await this.page.goto(`/workflow/${id}`);
  }

  /** Opens the panel of a node of the workflow, in place of that of another one. */
  async openNode(name: string): Promise<void> {
    if (await this.form.isVisible()) {
      await this.page.locator('[data-test-id="ndv-close-button"]').click();
      await this.form.waitFor({ state: 'hidden' });
    }
    // The output is shown before the execution has ended, and until then the editor starts no other one.
    await this.page.locator('[data-test-id="stop-execution-button"]').waitFor({ state: 'hidden' });
    await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
    await this.form.waitFor();
  }

  /** The panel of the node that is open. */
  get panel(): Locator {
    return this.page.locator('[data-test-id="ndv"]');
  }

  /** The tab with the parameters. */
  get form(): Locator {
    return this.page.locator('[data-test-id="node-parameters"]');
  }

  get output(): Locator {
    return this.page.locator('[data-test-id="output-panel"]');
  }

  /** The button that runs the node whose panel is open. */
  get runButton(): Locator {
    return this.panel.locator('[data-test-id="node-execute-button"]').first();
  }

  /**
   * Runs the open node until its output has something. On a busy machine, the editor may lose sight of a run that ends at
   * once: then it is run again, where that costs nothing.
   * @throws Error where it isn't there after four runs
   */
  async runUntil(shown: Locator): Promise<void> {
    for (let runs = 1; runs < 4; runs++) {
      await this.runButton.filter({ hasText: 'Execute step' }).click();
      const isShown = await shown.waitFor({ timeout: 15_000 }).then(
        () => true,
        () => false,
      );
      if (isShown) return;
    }
    await this.runButton.click();
    await shown.waitFor();
  }

  /** Waits until the run of the open node has ended, with items. @throws Error in the words of the editor where it failed */
  async untilOutput(): Promise<void> {
    const count = this.output.locator('[data-test-id="ndv-items-count"]');
    const error = this.output.locator('[data-test-id="node-error-message"]');
    await count.or(error).first().waitFor();
    for (const passing of ['Waiting for input', 'Loading data']) {
      await this.output.getByText(passing).last().waitFor({ state: 'hidden' });
    }
    if ((await error.count()) > 0) throw new Error(await error.first().innerText());
  }

  /** The names of the parameters that are shown, in order. */
  async shown(): Promise<string[]> {
    const ids = await this.form
      .locator(`[data-test-id^="${PREFIX}"]:visible`)
      .evaluateAll((elements) => elements.map((element) => element.getAttribute('data-test-id') ?? ''));
    return ids.map((id) => id.slice(PREFIX.length)).filter((name) => name !== 'field' && name !== 'item');
  }

  /** A field of the open form by the name of its parameter. */
  parameter(name: string): Locator {
    return this.panel.locator(`[data-test-id="${PREFIX}${name}"]:visible`);
  }

  /** Adds an option to the collection "Options" of the open form by its title. */
  async addOption(title: string): Promise<void> {
    await this.form.locator('[data-test-id="collection-parameter-add"]').click();
    const option = this.page.locator('[data-test-id="collection-parameter-option"]:visible');
    await option.getByText(title, { exact: true }).click();
    // The list fades out above the fields.
    await option.first().waitFor({ state: 'hidden' });
  }

  /** Chooses an option of a list by its title. */
  async choose(list: Locator, title: string): Promise<void> {
    const entry = this.page
      .locator('[data-test-id="parameter-input-item"]:visible .option-headline')
      .getByText(title, { exact: true });
    await list.click();
    await entry.click();
    await entry.waitFor({ state: 'hidden' });
  }
}
