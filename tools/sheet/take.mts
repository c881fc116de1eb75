import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { Editor } from '../../test/support/editor.mts';
import { action, CREDENTIAL_TYPE, credentialData, rows, workflow } from '../../test/support/real-n8n.mts';
import type { CredentialReference, N8nClient } from '../n8n-host/rest-client.mts';
import type { WorkflowJson } from '../n8n-host/workflow.mts';
import { openPage } from '../pictures/studio.mts';
import type { Studio } from '../pictures/studio.mts';
import type { SheetCase } from './case.mts';

/** What the editor showed of a case. */
export interface Shot {
  title: string;
  picture: Buffer;

  /** What is written in the picture. */
  text: string;

  /** What the gateway had taken: what a text about sending has to agree with. */
  accepted: number;
  requests: number;
}

/** A gateway that asks to wait is given up after two minutes. */
const CASE_TIMEOUT_MS = 240_000;

/** The node whose panel is shown. */
const NODE = 'Messaging Gateway';

/** Runs nodes in a page of the editor, as a user does, and takes pictures of what is said. */
export class Photographer {
  private readonly client: N8nClient;
  private readonly editor: Editor;

  private constructor(client: N8nClient, editor: Editor) {
    this.client = client;
    this.editor = editor;
  }

  static async start(studio: Studio): Promise<Photographer> {
    const page = await openPage(studio, 1500, 1000);
    page.setDefaultTimeout(CASE_TIMEOUT_MS);
    return new Photographer(studio.client, new Editor(page));
  }

  /**
   * Has a case happen, with a gateway of its own.
   * @throws Error where the editor shows neither an output nor what went wrong
   */
  async take(title: string, one: SheetCase): Promise<Shot> {
    // No outcome by itself, and no faults of another case.
    const config = { ...one.config, outcomes: { fallback: { steps: [] } } };
    const accounts = one.account ? [one.account] : undefined;
    const sandbox = await startSandbox({ config, accounts, faults: one.faults });
    try {
      const flow = await this.flowOf(title, one, sandbox);
      const { id } = await this.client.createWorkflow(flow);
      await this.editor.openWorkflow(id);
      await this.editor.openNode(flow.nodes.at(-1)!.name);
      for (let click = 0; click < (one.clicks ?? 1); click++) {
        // The button that starts a run ends it while it is under way, which the editor knows late.
        if (click > 0) await this.editor.page.waitForTimeout(3000);
        await this.execute();
      }
      await this.editor.page.waitForTimeout(700);
      const { accepted, requests } = sandbox.counts();
      return { title, ...(await this.shoot(one.node !== undefined)), accepted, requests };
    } finally {
      await sandbox.close();
    }
  }

  private async flowOf(title: string, one: SheetCase, sandbox: Sandbox): Promise<WorkflowJson> {
    if (one.node) {
      return { name: title, nodes: [{ ...one.node, id: 'node', position: [0, 0] }], connections: {} };
    }
    const credential = await this.credential(sandbox, one.credential);
    const input = one.input ? [rows('Rows', one.input)] : [];
    const node = action(NODE, credential, one.form, one.settings);
    return { ...workflow([...input, node]), name: title };
  }

  /** `{port}` in an address stands for that of the sandbox. */
  private async credential(sandbox: Sandbox, over: IDataObject = {}): Promise<CredentialReference> {
    const data = JSON.stringify({ ...credentialData(sandbox), ...over });
    return await this.client.createCredential(
      'Messaging Gateway account',
      CREDENTIAL_TYPE,
      JSON.parse(data.replaceAll('{port}', String(sandbox.port))) as IDataObject,
    );
  }

  private async execute(): Promise<void> {
    const { page, output, runButton } = this.editor;
    const started = page.waitForResponse((response) => response.url().endsWith('/run'));
    await Promise.all([started, runButton.click()]);
    await page.waitForTimeout(300);
    await page.locator('[data-test-id="stop-execution-button"]').waitFor({ state: 'hidden' });
    const said = output.locator('[data-test-id="node-error-message"], [data-test-id="ndv-items-count"]');
    const notification = page.locator('.el-notification');
    // What a trigger says is a notification, and its panel stays empty.
    await said
      .or(notification.filter({ hasText: 'Problem running' }))
      .first()
      .waitFor({ state: 'attached' });
  }

  /** The panel of the output or, of a trigger, the notification. */
  private async shoot(isNotified: boolean): Promise<Pick<Shot, 'picture' | 'text'>> {
    const { page, output } = this.editor;
    await page.mouse.move(0, 0);
    if (!isNotified) return { picture: await output.screenshot(), text: await output.innerText() };
    await page.addStyleTag({ content: '.el-notification { display: flex !important; }' });
    const notification = page.locator('.el-notification').last();
    return { picture: await notification.screenshot(), text: await notification.innerText() };
  }
}
