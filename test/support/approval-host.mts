/** An approval in a real n8n, and the phone on which its link is opened. */

import type { IDataObject } from 'n8n-workflow';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { approvalForm, BOTH_BUTTONS, linkIn, sentTo } from './approval.mts';
import { keepPicture } from './chromium.mts';
import type { E2eHost } from './e2e-host.mts';
import { chainOf } from '../../tools/n8n-host/workflow.mts';
import { action, rows, START, workflow } from './real-n8n.mts';
import type { NodeJson } from './real-n8n.mts';

/** An execution that waits for an answer. */
export interface Asking {
  /** Id of the execution. */
  id: string;
  /** The link of each recipient. */
  links: string[];
}

/** Adds the invoice number of the input and what was decided to the output of the node "Ask". */
const AFTER: NodeJson = {
  name: 'After',
  type: 'n8n-nodes-base.set',
  typeVersion: 3.4,
  parameters: {
    assignments: {
      assignments: [
        { id: '1', name: 'invoice', type: 'number', value: "={{ $('Rows').item.json.invoice }}" },
        { id: '2', name: 'approved', type: 'string', value: '={{ $json.data?.approved }}' },
      ],
    },
    includeOtherFields: true,
    options: {},
  },
};

/**
 * Runs a workflow whose node "Ask" asks for approval of invoice 17, until it waits.
 * @throws Error where it doesn't wait
 */
export async function askIn(
  { client, sandbox, credential }: Pick<E2eHost, 'client' | 'sandbox' | 'credential'>,
  parameters: IDataObject = {},
): Promise<Asking> {
  const node = action('Ask', credential, approvalForm({ ...BOTH_BUTTONS, ...parameters }));
  const execution = await client.runToEnd(workflow([rows('Rows', [{ invoice: 17 }]), node, AFTER]), START);
  const { id, status } = execution;
  if (status !== 'waiting') throw new Error(`The execution is ${status}: ${execution.failure()}`);
  return { id, links: sentTo(sandbox).map(linkIn) };
}

/** Makes a sub-workflow of these nodes. Returns a node "Call" that calls it, with the items that come to it. */
export async function callOf({ client }: E2eHost, nodes: NodeJson[]): Promise<NodeJson> {
  const called: NodeJson = {
    name: 'Called',
    type: 'n8n-nodes-base.executeWorkflowTrigger',
    typeVersion: 1.1,
    parameters: { inputSource: 'passthrough' },
  };
  const { id } = await client.createWorkflow(chainOf('Sub-workflow', [called, ...nodes]));
  return {
    name: 'Call',
    type: 'n8n-nodes-base.executeWorkflow',
    typeVersion: 1.2,
    parameters: { workflowId: { __rl: true, mode: 'id', value: id }, options: {} },
  };
}

/** Opens a page of a phone in portrait, without scripts unless `more` says otherwise. */
export async function phoneOf(browser: Browser, more: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    javaScriptEnabled: false,
    ...more,
  });
  return await context.newPage();
}

/** Keeps pictures of the page in light and dark. */
export async function pictures(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await keepPicture(page, `approval-${name}-${colorScheme}`);
  }
}
