import type { IDataObject } from 'n8n-workflow';
import type { Locator, Page } from 'playwright-core';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { Editor } from '../../test/support/editor.mts';
import {
  action,
  CREDENTIAL_TYPE,
  credentialData,
  rows,
  START,
  workflow,
} from '../../test/support/real-n8n.mts';
import type { CredentialReference, N8nClient } from '../n8n-host/rest-client.mts';
import type { WorkflowJson } from '../n8n-host/workflow.mts';
import { openPage } from '../pictures/studio.mts';
import type { Studio } from '../pictures/studio.mts';
import type { SheetCase, View } from './case.mts';

/** What the editor shows. */
interface Shown {
  picture: Buffer;

  /** What is written in the picture. */
  text: string;

  /** Whether it is a panel with the corner by which n8n lets it be made larger. */
  hasHandle?: boolean;
}

/** What the editor showed of a case. */
export interface Shot extends Shown {
  title: string;

  /** What the gateway had taken: what a text about sending has to agree with. */
  accepted: number;
  requests: number;
}

/** A gateway that asks to wait is given up after two minutes. */
const CASE_TIMEOUT_MS = 240_000;

/** The node gives up after 15 seconds. */
const TEST_TIMEOUT_MS = 30_000;

/** What n8n says of a trigger on the left of its form: its header is the only part of it that n8n names. */
const TRIGGER_PANEL = 'div:has(> div > div > [data-test-id="trigger-header"])';

/** The title of what n8n folds there. */
const FOLDED = 'When will this node trigger my flow?';

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
    await this.editor.page.emulateMedia({ colorScheme: one.isDark ? 'dark' : 'light' });
    try {
      const shown = await (one.shows === 'credential'
        ? this.testCredential(one, sandbox)
        : this.useNode(title, one, sandbox));
      const { accepted, requests } = sandbox.counts();
      return { title, ...shown, accepted, requests };
    } finally {
      // An open editor keeps n8n and this machine at work.
      await this.editor.page.goto('about:blank');
      await sandbox.close();
    }
  }

  /** Opens a credential, which n8n tests then. */
  private async testCredential(one: SheetCase, sandbox: Sandbox): Promise<Shown> {
    const { page } = this.editor;
    const { id } = await this.credential(sandbox, one.credential);
    await page.goto(`/home/credentials/${id}`);
    const dialog = page.locator('[data-test-id="credential-edit-dialog"]');
    const found = dialog.locator(':text-matches("connect with these settings|tested successfully"):visible');
    await found.first().waitFor({ timeout: TEST_TIMEOUT_MS });
    const more = dialog.getByText('More details');
    if (await more.isVisible()) await more.click();
    await page.waitForTimeout(500);
    return await shownBy(page, dialog);
  }

  private async useNode(title: string, one: SheetCase, sandbox: Sandbox): Promise<Shown> {
    const { page, output } = this.editor;
    const flow = await this.flowOf(title, one, sandbox);
    const made = await this.client.createWorkflow(flow);
    if (one.shows === 'published trigger panel') await this.client.activate(made);
    // Not by clicks: the editor loses sight of a second run that ends at once, and shows it as one that goes on.
    for (let run = 1; run < (one.runs ?? 1); run++) {
      await this.client.waitForExecution(await this.client.runManually(made.id, START));
    }
    await this.editor.openWorkflow(made.id);
    await this.editor.openNode(flow.nodes.at(-1)!.name);
    if (one.shows?.endsWith('trigger panel')) return await this.triggerPanel();
    await this.execute(one.shows);
    await page.waitForTimeout(700);
    if (one.shows !== 'notification') return { ...(await shownBy(page, output)), hasHandle: true };
    await page.addStyleTag({ content: '.el-notification { display: flex !important; }' });
    return await shownBy(page, page.locator('.el-notification').last());
  }

  private async triggerPanel(): Promise<Shown> {
    const { page } = this.editor;
    const panel = page.locator(TRIGGER_PANEL);
    await panel.getByText(FOLDED).click();
    await page.waitForTimeout(500);
    return await shownBy(page, panel);
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

  /** `{port}` in an address stands for that of the sandbox, and `{key}` for its key. */
  private async credential(sandbox: Sandbox, over: IDataObject = {}): Promise<CredentialReference> {
    const data = JSON.stringify({ ...credentialData(sandbox), ...over })
      .replaceAll('{port}', String(sandbox.port))
      .replaceAll('{key}', sandbox.account().key);
    return await this.client.createCredential(
      'Messaging Gateway account',
      CREDENTIAL_TYPE,
      JSON.parse(data) as IDataObject,
    );
  }

  private async execute(shows?: View): Promise<void> {
    const { page, output, runButton } = this.editor;
    const started = page.waitForResponse((response) => response.url().endsWith('/run'));
    const [response] = await Promise.all([started, runButton.click()]);
    const { data } = (await response.json()) as { data?: { executionId?: string } };
    // The editor knows late that a node runs, and shows the last run until then.
    if (data?.executionId !== undefined) await this.client.waitForExecution(data.executionId);
    await page.waitForTimeout(500);
    await page.locator('[data-test-id="stop-execution-button"]').waitFor({ state: 'hidden' });
    // What n8n itself says is a notification, and the panel stays empty.
    const said =
      shows === 'notification'
        ? page.locator('.el-notification')
        : output.locator('[data-test-id="node-error-message"], [data-test-id="ndv-items-count"]');
    await said.first().waitFor({ state: 'attached' });
  }
}

async function shownBy(page: Page, part: Locator): Promise<Shown> {
  await page.mouse.move(0, 0);
  return { picture: await part.screenshot(), text: await part.innerText() };
}
