import { Walker } from './walker.mts';

/** A new user, with what belongs to n8n's own forms, agents and chats. */
export class Newcomer extends Walker {
  /** Adds a required text field to the open node n8n Form, with a label and the name that expressions use. */
  async addFormElement(label: string, name: string): Promise<void> {
    await this.click(this.part('fixed-collection-add'), 'Add Form Element');
    await this.fill('fieldLabel', label);
    await this.addAttribute('Custom Field Name');
    await this.fill('fieldName', name);
    await this.addAttribute('Required Field');
    await this.turnOn('requiredField');
  }

  private async addAttribute(title: string): Promise<void> {
    await this.leaveField();
    await this.click(this.part('fixed-collection-add-property'), 'Add Attributes');
    await this.click(this.page.getByRole('option', { name: title }), title);
  }

  /**
   * Executes a workflow that begins with a form, fills in the field of each of its pages, by its label, and waits for the
   * title of the end.
   */
  async submitForm(answers: Record<string, () => string>, title: string): Promise<void> {
    const [form] = await Promise.all([this.page.waitForEvent('popup'), this.run()]);
    for (const [label, answer] of Object.entries(answers)) {
      await form.getByLabel(label).waitFor();
      await form.getByLabel(label).fill(answer());
      await form.getByRole('button', { name: 'Submit' }).click();
      this.effort.clicks += 2;
      this.effort.fields += 1;
    }
    await form.getByText(title).waitFor();
    await form.close();
  }

  /** Executes a workflow that begins with a form for one file, and waits until it has run. */
  async submitFile(file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    const [form] = await Promise.all([this.page.waitForEvent('popup'), this.run()]);
    await form.locator('input[type="file"]').setInputFiles(file);
    await form.getByRole('button', { name: 'Submit' }).click();
    this.effort.clicks += 2;
    await form.getByText('Form Submitted').waitFor();
    await form.close();
  }

  /** Adds the package's node as a tool of the agent on the canvas. */
  async addTool(search: string): Promise<void> {
    await this.click(this.page.locator('[data-test-id="canvas-handle-plus"]').last(), 'the handle Tool');
    const bar = this.page.locator('[data-test-id="node-creator-search-bar"]');
    const names = this.page.locator('[data-test-id="node-creator-item-name"]:visible');
    await this.click(
      names.nth(await this.search(bar, names, [search], /^Messaging Gateway.* Tool$/)),
      'the tool',
    );
    await this.panel.waitFor();
  }

  /** Leaves a field of the open tool to the model; `nth` counts the fields that can be, from the last where negative. */
  async letModelDefine(nth: number, title: string): Promise<void> {
    const buttons = this.panel.locator('[data-test-id="from-ai-override-button"]:visible');
    await this.click(buttons.nth(nth), `Let the model define ${title}`);
  }

  /** Says something in the chat of the workflow whose canvas is shown. */
  async chat(text: string): Promise<void> {
    await this.click(this.page.getByRole('button', { name: 'Open chat' }).last(), 'Open chat');
    await this.type(this.page.getByPlaceholder(/^Type message/), text, 'the chat');
    await this.page.keyboard.press('Enter');
  }
}
