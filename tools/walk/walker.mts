import type { Locator, Page } from 'playwright-core';

import { Editor } from '../../test/support/editor.mts';

/** A new user in n8n's editor, who only has the page; every step is counted. */
export class Walker extends Editor {
  /** What it took: the fields that were typed into, and what was in the way where a person would stop. */
  readonly effort = { clicks: 0, fields: 0, hesitations: [] as string[] };

  hesitate(what: string): void {
    this.effort.hesitations.push(what);
  }

  async click(target: Locator, what: string): Promise<void> {
    await this.reach(target, what);
    await target.click();
    this.effort.clicks += 1;
  }

  /** Fills in a field with a click and a text in one piece: the editor would close braces that are typed. */
  async type(field: Locator, text: string, what: string): Promise<void> {
    await this.click(field, what);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(text);
    // The form takes a value over after a moment.
    await this.page.waitForTimeout(600);
    this.effort.fields += 1;
  }

  /** Notes a scroll where the target is there, but not to be seen. */
  private async reach(target: Locator, what: string): Promise<void> {
    await target.waitFor();
    const isSeen = await target.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20));
      return seen !== null && (element.contains(seen) || seen.contains(element));
    });
    if (!isSeen) this.hesitate(`scroll to ${what}`);
  }

  /** What an empty canvas shows. */
  get firstStep(): Locator {
    return this.page.locator(
      '[data-test-id="canvas-add-first-step-button"], [data-test-id="canvas-add-button"]',
    );
  }

  /** What is shown of the editor, by the name that it has for tests. */
  part(name: string): Locator {
    return this.page.locator(`[data-test-id="${name}"]:visible`).first();
  }

  /** Types into a field of the open form. */
  async fill(name: string, text: string): Promise<void> {
    const field = this.parameter(name).first();
    await this.type(field.locator('input, textarea, .cm-content').first(), text, `the field ${name}`);
  }

  /** Chooses the first entry of a list that is loaded from the account. */
  async chooseSender(name: string): Promise<void> {
    await this.chooseFrom(name);
  }

  /** Chooses the first entry, or the first that reads like this, of a list that is loaded. */
  async chooseFrom(name: string, like = /./): Promise<void> {
    const field = this.panel.locator(`[data-test-id="resource-locator-${name}"]:visible`);
    await this.click(field.locator('[data-test-id="rlc-input"]'), `the list ${name}`);
    const entries = this.page.locator('[data-test-id="rlc-item"]:visible');
    await this.click(entries.filter({ hasText: like }).first(), `an entry of ${name}`);
  }

  /** Fills in a field of the credential that the open node has. */
  async editCredential(name: string, value: string): Promise<void> {
    await this.click(this.part('credential-edit-button'), 'the credential');
    const dialog = this.page.locator('[data-test-id="credential-edit-dialog"]');
    // n8n tests a credential as it opens.
    await dialog.getByText('Connection tested successfully').waitFor();
    const field = dialog.locator(`[data-test-id="parameter-input-${name}"] input`).first();
    await this.type(field, value, `the field ${name}`);
    await Promise.all([
      this.page.waitForResponse((response) => response.request().method() === 'PATCH'),
      this.click(this.part('credential-save-button'), 'Save'),
    ]);
    await this.page.getByText('Saved', { exact: true }).last().waitFor();
    // This closes the node's panel as well.
    await this.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await this.panel.waitFor({ state: 'hidden' });
    await this.page.locator('[data-test-id="canvas-node"]').last().dblclick();
    this.effort.clicks += 2;
    await this.panel.waitFor();
  }

  async execute(): Promise<void> {
    await this.click(this.runButton, 'Execute step');
  }

  /** Runs the open node; what its last run left isn't shown any more then. */
  private async executeAnew(): Promise<void> {
    const started = this.page.waitForResponse((response) => response.url().endsWith('/run'));
    await Promise.all([started, this.execute()]);
    await this.page.waitForTimeout(500);
    await this.page.locator('[data-test-id="stop-execution-button"]').waitFor({ state: 'hidden' });
  }

  /** Runs the node as it is, and notes what is said; what is missing is a place of hesitation. */
  async executeAtOnce(): Promise<void> {
    await this.execute();
    const error = this.panel.locator('[data-test-id="node-error-message"]');
    const issues = this.panel.locator('[data-test-id="parameter-issues"]:visible');
    await Promise.race([error.waitFor(), issues.first().waitFor(), this.page.waitForTimeout(4000)]).catch(
      () => undefined,
    );
    const said = (await error.count()) > 0 ? await error.first().innerText() : '';
    const marked = await issues.count();
    this.hesitate(`run with what is there: ${marked} fields are marked${said ? `; "${said}"` : ''}`);
  }

  /** Pastes what stands for the user's own nodes into the empty canvas; this isn't counted. */
  async paste(workflow: object): Promise<void> {
    await this.firstStep.first().waitFor();
    await this.page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }, JSON.stringify(workflow));
  }

  /** Runs the open node, which ends in an error, and returns what is said. */
  async executeToError(): Promise<string> {
    await this.executeAnew();
    const error = this.output.locator('[data-test-id="node-error-message"]');
    await error.waitFor();
    return await error.innerText();
  }

  /** Adds an option of the open node, by its title. */
  async addOption(title: string): Promise<void> {
    const list = this.form.getByText('Add option').or(this.form.getByPlaceholder('Add option'));
    await this.click(list.last(), 'Add option');
    const entry = this.page.locator('[data-test-id="collection-parameter-option"]:visible');
    await this.click(entry.getByText(title, { exact: true }), `the option ${title}`);
  }

  /** Runs the open node, and waits for its items. */
  async executeToEnd(): Promise<void> {
    await this.executeAnew();
    await this.untilOutput();
  }

  /** What is done on another page, such as the phone; `work` returns its clicks. */
  async elsewhere(url: string, work: (page: Page) => Promise<number>): Promise<void> {
    const page = await this.page.context().newPage();
    await page.goto(url);
    this.effort.clicks += await work(page);
    await page.close();
  }

  /** Turns on a switch of the open form. */
  async turnOn(name: string): Promise<void> {
    await this.click(
      this.parameter(name).locator('.el-switch, [role="switch"]').first(),
      `the switch ${name}`,
    );
  }

  /** A click elsewhere closes what n8n lays over the next field. */
  protected async leaveField(): Promise<void> {
    await this.click(this.panel.getByText('Parameters', { exact: true }).first(), 'the tab');
  }

  /** Turns a field of the open form into an expression. */
  async fillExpression(name: string, expression: string): Promise<void> {
    const field = this.parameter(name).first();
    await field.hover();
    const choices = this.part(`${name}-parameter-input-options-container`);
    await this.click(choices.locator('[data-test-id="radio-button-expression"]'), `Expression of ${name}`);
    await this.type(field.locator('.cm-content').first(), expression, `the field ${name}`);
    await this.leaveField();
  }

  /** Adds the node If, which asks whether a field of what comes in is true. */
  async addBranch(field: string): Promise<void> {
    await this.addNode('if', undefined, { named: /^If$/ });
    await this.dragTo(field, this.part('filter-condition-left'));
    await this.click(this.part('filter-operator-select'), 'the comparison');
    for (const choice of ['Boolean', 'is true']) {
      await this.click(this.page.getByText(choice, { exact: true }).last(), choice);
    }
    // n8n takes a condition over a second later, and loses it where the panel is closed before.
    await this.page.waitForTimeout(1500);
    await this.closePanel();
  }

  /** Executes the workflow whose canvas is shown. */
  async run(): Promise<void> {
    await this.click(this.part('execute-workflow-button'), 'Execute workflow');
  }

  /** Has the open node go on after an error. */
  async continueOnError(): Promise<void> {
    await this.click(this.panel.getByText('Settings', { exact: true }).first(), 'Settings');
    const choice = this.page.locator('[data-test-id="parameter-input-onError"]');
    await this.click(choice, 'On Error');
    await this.click(
      this.page.locator('[data-test-id="parameter-input-item"]:visible').filter({ hasText: 'error output' }),
      'Continue (using error output)',
    );
  }

  async closePanel(): Promise<void> {
    await this.click(this.part('ndv-close-button'), 'close the panel');
  }

  /**
   * Adds the first or next node from the list of nodes: a search, the node, and one of its actions where it has several.
   * `plus` is the handle from which it goes on, by its place among those without a connection; the last one by default.
   */
  async addNode(
    searches: string | string[],
    actionTitle?: RegExp,
    { named = /^Messaging Gateway/, plus = -1 } = {},
  ): Promise<void> {
    const bar = this.page.locator('[data-test-id="node-creator-search-bar"]');
    if (!(await bar.isVisible())) {
      const next = this.page.locator('[data-test-id="canvas-handle-plus"]').nth(plus);
      if (await this.isBesideView(next)) await this.click(this.part('zoom-to-fit'), 'Zoom to Fit');
      await this.click((await next.isVisible()) ? next : this.firstStep.first(), 'the list of nodes');
    }
    const names = this.page.locator('[data-test-id="node-creator-item-name"]:visible');
    await this.click(names.nth(await this.search(bar, names, [searches].flat(), named)), 'the node');
    await this.page.waitForTimeout(1000);
    if (actionTitle === undefined) {
      await this.panel.waitFor();
      return;
    }
    const wanted = names.filter({ hasText: actionTitle }).first();
    if (!(await wanted.isVisible())) {
      this.hesitate('the actions are folded up below the triggers');
      const categories = this.page.locator('[data-test-id="node-creator-category-item"]:visible');
      await this.click(categories.filter({ hasText: /^Actions/ }), 'Actions');
    }
    await this.click(wanted, `the action ${actionTitle.source}`);
    await this.panel.waitFor();
  }

  /** Whether it is on the canvas, but outside of the part that is shown. */
  private async isBesideView(target: Locator): Promise<boolean> {
    const box = (await target.isVisible()) ? await target.boundingBox() : null;
    const { width, height } = this.page.viewportSize()!;
    return box !== null && (box.x < 0 || box.y < 0 || box.x > width - 30 || box.y > height - 30);
  }

  /** Searches for one word after another until the node is found, and returns its place in the list. */
  protected async search(bar: Locator, names: Locator, searches: string[], named: RegExp): Promise<number> {
    for (const search of searches) {
      await this.type(bar, search, 'the search');
      await names
        .first()
        .waitFor({ timeout: 3000 })
        .catch(() => undefined);
      const texts = (await names.allInnerTexts()).map((text) => text.trim());
      const place = texts.findIndex((text) => named.test(text));
      if (place > 0) this.hesitate(`the search "${search}" finds the node in place ${place + 1}`);
      if (place >= 0) return place;
      this.hesitate(`the search "${search}" finds ${texts.length > 0 ? 'other nodes' : 'nothing'}`);
    }
    throw new Error('The node is not found');
  }

  /** Drags a field of the input into a field of the form. */
  async drag(field: string, parameter: string): Promise<void> {
    await this.dragTo(field, this.parameter(parameter).first());
    await this.leaveField();
  }

  /** Drags a field of the input to a place of the form, after running what comes before where the input isn't known. */
  async dragTo(field: string, place: Locator): Promise<void> {
    const pills = this.page.locator('[data-test-id="ndv-input-panel"] [data-target="mappable"]:visible');
    const before = this.page.locator('[data-test-id="execute-previous-node"]:visible').first();
    await pills.or(before).first().waitFor();
    if ((await pills.count()) === 0) await this.click(before, 'Execute previous nodes');
    const pill = pills.filter({ hasText: new RegExp(`^\\s*${field}\\s*$`) }).first();
    await pill.hover();
    await this.page.mouse.down();
    const target = await place.boundingBox();
    if (target === null) throw new Error(`${field} can't be dragged to a place that isn't shown`);
    await this.page.mouse.move(target.x + 20, target.y + 10, { steps: 15 });
    await this.page.waitForTimeout(200);
    await this.page.mouse.up();
    await this.page.waitForTimeout(600);
    this.effort.clicks += 1;
  }
}
